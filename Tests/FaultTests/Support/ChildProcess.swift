import Foundation
import Testing

/// A process whose standard output is read, and which can be killed at any moment.
final class ChildProcess {
  let id: pid_t
  private let output: Int32
  private var bytes: [UInt8] = []
  /// Held from a pipe's making to the process's start: another that is started in between would
  /// hold the pipe open.
  private static let starting = NSLock()

  /// A program of the package, which stands beside the tests' own.
  static func program(_ name: String) -> String {
    let folders = [
      Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0]),
      Bundle.main.executableURL ?? Bundle.main.bundleURL,
    ]
    let candidates = folders.flatMap { folder in
      [folder, folder.deletingLastPathComponent()].map { $0.appendingPathComponent(name).path }
    }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0) } ?? name
  }

  /// - Parameter errorsToo: whether the standard error is read together with the output.
  init(_ program: String, _ arguments: [String], errorsToo: Bool = false) throws {
    Self.starting.lock()
    defer { Self.starting.unlock() }
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    if errorsToo { posix_spawn_file_actions_adddup2(&actions, ends[1], 2) }
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    // A crash is to end the process at once, without a long report.
    var variables =
      ProcessInfo.processInfo.environment.filter { $0.key != "FORMDRAFT_STORE" }
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      .map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var id: pid_t = 0
    let result = posix_spawn(&id, program, &actions, nil, &words, &variables)
    close(ends[1])
    try #require(result == 0, "\(program): \(String(cString: strerror(result)))")
    self.id = id
    output = ends[0]
  }

  deinit { close(output) }

  func kill() { _ = Foundation.kill(id, SIGKILL) }

  /// Waits until so many lines were written, or the output ended.
  func wait(forLines count: Int) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
      let length = read(output, &buffer, buffer.count)
      if length < 0, errno == EINTR { continue }
      guard length > 0 else { return }
      bytes += buffer[..<length]
    }
  }

  /// Waits for the end. What was written, and the exit status, or a signal's number negated.
  ///
  /// - Parameter limit: seconds after which the process is taken to hang, and is killed.
  func finish(limit: Int = 900) -> (lines: [String], status: Int32) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let end = Date(timeIntervalSinceNow: Double(limit))
    while true {
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, 1000) == 0 {
        guard Date() < end else {
          kill()
          bytes += Array("wrong: it hangs\n".utf8)
          break
        }
        continue
      }
      let count = read(output, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    // A line that is not whole was not told.
    if let last = bytes.last, last != UInt8(ascii: "\n") { lines.removeLast() }
    return (lines, signal == 0 ? status >> 8 & 0xFF : -signal)
  }

  /// Runs the helper to its end; it must not crash.
  static func helper(_ arguments: String...) throws -> [String] {
    let (lines, status) = try ChildProcess(program("fault-helper"), arguments, errorsToo: true)
      .finish()
    #expect(status >= 0, "it ended by signal \(-status): \(lines.suffix(5))")
    return lines
  }

  /// Runs the command to its end; it must not crash.
  static func formdraft(_ arguments: String...) throws -> (output: String, status: Int32) {
    try formdraft(arguments)
  }

  /// Runs the command to its end; it must not crash.
  static func formdraft(_ arguments: [String]) throws -> (output: String, status: Int32) {
    let (lines, status) = try ChildProcess(program("formdraft"), arguments, errorsToo: true)
      .finish()
    #expect(status >= 0, "formdraft \(arguments) ended by signal \(-status)")
    return (lines.joined(separator: "\n"), status)
  }
}
