import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The lines that a person types, or that a pipe holds, and the signals that come meanwhile.
final class FillTerminal {
  enum Event {
    case line(String)
    /// A line that is no text.
    case notText(String)
    /// The input's end.
    case end
    /// Nothing more can be read now.
    case pause
    /// A signal that ends the program.
    case signal(Int32)
    /// The program was stopped and goes on: what it asked scrolled away.
    case continued
  }

  /// Whether a person types. What a pipe holds is not seen, so that it must be shown.
  let isInteractive = System.isTerminal(STDIN_FILENO)
  private let isOutputTerminal = System.isTerminal(System.standardOutput)
  private let signals: Signals
  private var original: termios?
  private var hidesAnswer = false
  /// Whether the line is edited here and not by the system, so that no answer is shown before its row
  /// is asked.
  private var editsLines: Bool
  private var typing = FillTyping()
  private var buffer: [UInt8] = []
  private var isAtEnd = false
  /// What a terminal hands over of a line, in bytes (`MAX_CANON`); it drops the rest in silence.
  #if canImport(Darwin)
    private static let longestTypedLine = 1023
  #else
    private static let longestTypedLine = 4095
  #endif
  /// The longest line that is read from a pipe.
  private static let longestLine = 1 << 24

  /// - Parameter editsLines: whether there are answers that must not be seen.
  /// - Throws: `System.Failure`
  init(editsLines: Bool) throws {
    self.editsLines = editsLines
    signals = try Signals()
    var mode = termios()
    guard isInteractive, tcgetattr(STDIN_FILENO, &mode) == 0 else { return }
    original = mode
    setMode()
  }

  /// Leaves the terminal as it was found.
  func restore() {
    guard var original else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &original)
  }

  /// Makes the backspace key take whole characters, and what is typed be seen or not.
  private func setMode() {
    guard var mode = original else { return }
    mode.c_iflag |= tcflag_t(IUTF8)
    if editsLines {
      mode.c_lflag &= ~tcflag_t(ECHO | ICANON)
      withUnsafeMutableBytes(of: &mode.c_cc) { characters in
        characters[Int(VMIN)] = 1
        characters[Int(VTIME)] = 0
      }
    } else if hidesAnswer {
      mode.c_lflag &= ~tcflag_t(ECHO)
      // The line's end is shown all the same, so that the answer does not stand beside it.
      mode.c_lflag |= tcflag_t(ECHONL)
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
  }

  // MARK: Output

  /// Colours are for a person at a terminal who has not asked for none (no-color.org).
  private var isColoured: Bool {
    isInteractive && isOutputTerminal && (System.environment("NO_COLOR") ?? "").isEmpty
      && System.environment("TERM") != "dumb"
  }

  /// The columns of the window now; nil when there is no window.
  private var width: Int? {
    if let columns = System.environment("COLUMNS").flatMap({ Int($0) }), columns > 0 {
      return columns
    }
    guard isOutputTerminal else { return nil }
    var size = winsize()
    guard ioctl(System.standardOutput, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }

  func show(_ page: FillPage) throws {
    guard !page.isEmpty else { return }
    try Console.print(page.text(width: width, isColoured: isColoured))
  }

  /// Shows what stands before an answer.
  ///
  /// - Parameters:
  ///   - hidesAnswer: whether the answer must not be seen while it is typed.
  ///   - editsLines: whether there are answers that must not be seen.
  func ask(_ prompt: String, hidesAnswer: Bool, editsLines: Bool) throws {
    if hidesAnswer != self.hidesAnswer || editsLines && !self.editsLines {
      self.hidesAnswer = hidesAnswer
      // What was typed in part stays here, should another version of the form hide nothing.
      self.editsLines = editsLines || self.editsLines
      setMode()
    }
    guard isInteractive else { return }
    // After a break, with what was typed before it.
    try Console.print(prompt + (self.editsLines && !hidesAnswer ? typing.shown : ""))
  }

  // MARK: Input

  /// Whether something can be taken without waiting for it.
  ///
  /// - Throws: `System.Failure`
  func hasInput() throws -> Bool {
    while !isAtEnd, !buffer.contains(UInt8(ascii: "\n")) {
      var source = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&source, 1, 0) > 0 else { return false }
      try readMore()
    }
    return true
  }

  /// Waits for a line, the input's end or a signal.
  ///
  /// - Parameter pauses: whether it is told before it waits.
  /// - Throws: `System.Failure`
  func next(after prompt: String, pauses: Bool) throws -> Event {
    while true {
      // Before the lines: a signal must not wait until all of a long paste was taken.
      if let signal = signals.take() {
        guard signal == SIGCONT else { return .signal(signal) }
        // Whoever had the terminal meanwhile may have set it otherwise.
        setMode()
        return .continued
      }
      if isInteractive, editsLines {
        let typed = typing.take(&buffer)
        if !hidesAnswer { try Console.print(typing.echo) }
        switch typed {
        case .line(let line):
          // The line's end is shown all the same, so that the answer does not stand beside it.
          if hidesAnswer { try Console.print("\n") }
          return try event(of: line, prompt)
        case .end: return .end
        case nil: break
        }
      } else if let line = takeLine() {
        return try event(of: line, prompt)
      }
      guard !isAtEnd else { return .end }
      if pauses, try !hasInput() { return .pause }
      try wait()
    }
  }

  /// Waits until there is more to read, and reads it; or until there is a signal.
  private func wait() throws {
    var sources = [
      pollfd(fd: signals.readEnd, events: Int16(POLLIN), revents: 0),
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&sources, 2, -1) >= 0 else {
      if errno == EINTR { return }
      throw System.Failure("standard input")
    }
    guard sources[0].revents == 0, sources[1].revents != 0 else { return }
    try readMore()
  }

  private func readMore() throws {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count > 0 {
      buffer += bytes[..<count]
      if buffer.count > Self.longestLine, !buffer.contains(UInt8(ascii: "\n")) {
        throw System.Failure("standard input", EFBIG)
      }
    } else if count == 0 || ![EINTR, EAGAIN].contains(errno) {
      // A terminal that was closed fails, or is at its end.
      isAtEnd = true
    }
  }

  /// The next line that was read; at the end what stands there without a line end.
  private func takeLine() -> [UInt8]? {
    if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
      let line = Array(buffer[..<end])
      buffer.removeSubrange(...end)
      return line
    }
    guard isAtEnd, !buffer.isEmpty else { return nil }
    defer { buffer = [] }
    return buffer
  }

  private func event(of line: [UInt8], _ prompt: String) throws -> Event {
    var line = line
    if !isInteractive, line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard let text = String(validating: line, as: UTF8.self) else {
      return .notText("that is not UTF-8; type it again")
    }
    if !isInteractive {
      let shown = hidesAnswer && !text.isEmpty ? "••••" : text.printable
      try Console.print((text.isEmpty ? String(prompt.prefix(1)) : prompt + shown) + "\n")
    } else if ![.back, .forward].contains(FillInput(text)),
      line.contains(where: { $0 < 0x20 && $0 != UInt8(ascii: "\t") })
    {
      return .notText("that holds keys that are no text; type it again")
    } else if isInteractive, !editsLines, line.count >= Self.longestTypedLine {
      return .notText(
        "a terminal takes no longer line, its end is lost; draft set KEY=@FILE takes any text")
    }
    return .line(text)
  }
}

/// The signals that end the program, or let it go on, told through a pipe: a handler may do hardly
/// more than write to one.
private final class Signals {
  private static let writeEnd = Atomic<Int32>(-1)
  let readEnd: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw System.Failure("pipe") }
    readEnd = ends[0]
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // A full pipe must not hold the handler, nor an empty one the reader.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    Self.writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGCONT] {
      signal(number) { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(Signals.writeEnd.load(ordering: .relaxed), &byte, 1)
        errno = error
      }
    }
  }

  func take() -> Int32? {
    var byte: UInt8 = 0
    return read(readEnd, &byte, 1) == 1 ? Int32(byte) : nil
  }
}
