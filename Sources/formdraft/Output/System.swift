import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the command needs of the operating system.
enum System {
  /// A failed call, in the system's words.
  struct Failure: Error, CustomStringConvertible {
    let subject: String
    let number: Int32

    init(_ subject: String, _ number: Int32 = errno) {
      self.subject = subject
      self.number = number
    }

    var description: String { "\(subject): \(String(cString: strerror(number)))" }
  }

  /// The reader of the standard output went away; there is nobody to write to.
  struct OutputClosed: Error {}

  /// A signal asked the program to end; what it had to save is saved.
  struct Interrupted: Error {
    let signal: Int32
  }

  static let standardOutput = STDOUT_FILENO
  static let standardError = STDERR_FILENO

  /// The words after the program's name, or nil for those that are not UTF-8: a repaired text would
  /// be saved as one that nobody typed.
  static var arguments: [String?] {
    (1..<max(1, Int(CommandLine.argc))).map { index in
      CommandLine.unsafeArgv[index].flatMap { String(validatingCString: $0) }
    }
  }

  static func environment(_ name: String) -> String? {
    getenv(name).flatMap { String(validatingCString: $0) }
  }

  /// Lets a write to a closed pipe, or to a file at its limit, fail with an error rather than end
  /// the process where it stands.
  static func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Runs work that an interrupt (Ctrl-C, or the signal TERM) cancels, so that it can end in order.
  static func interruptible<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await work() }
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { task.cancel() }
      source.resume()
      return source
    }
    defer {
      for source in sources { source.cancel() }
      for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
    return try await task.value
  }

  /// Tells that a person or the system wants the command to end, which it then does itself.
  static func interruptions() -> AsyncStream<Void> {
    AsyncStream { continuation in
      for number in [SIGINT, SIGTERM, SIGHUP] {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        // Keeps itself, for as long as the process runs.
        source.setEventHandler { withExtendedLifetime(source) { _ = continuation.yield() } }
        source.resume()
      }
    }
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  static func end(_ status: ExitStatus) -> Never { exit(status.rawValue) }

  /// Ends as the signal would have ended the program, so that a shell's loop ends with it.
  static func end(_ interrupted: Interrupted) -> Never {
    // Its own way to end leaves a core, with all that was typed in it.
    if interrupted.signal == SIGQUIT { exit(128 + SIGQUIT) }
    signal(interrupted.signal, SIG_DFL)
    raise(interrupted.signal)
    exit(128 + interrupted.signal)
  }

  /// Writes all of the bytes.
  static func send(_ bytes: [UInt8], to descriptor: Int32, as name: String) throws {
    try bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count >= 0 {
          offset += count
        } else if errno == EPIPE, descriptor == STDOUT_FILENO {
          throw OutputClosed()
        } else if errno != EINTR {
          throw Failure(name)
        }
      }
    }
  }

  /// Reads a whole file; `-` is the standard input.
  ///
  /// - Parameter limit: reading ends when there are more bytes than this.
  static func contents(of path: String, limit: Int) throws -> [UInt8] {
    let name = path == "-" ? "standard input" : path
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(name) }
    defer { if path != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(name) }
      guard count > 0 else { break }
      bytes.append(contentsOf: buffer[..<count])
    }
    return bytes
  }

  /// Whether there is something of this name.
  static func isThere(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
  }

  /// Whether two names are names of one file.
  static func isSameFile(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
}
