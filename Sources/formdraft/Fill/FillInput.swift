/// What a person means with a line.
enum FillInput: Equatable {
  /// An empty line: what is there stays.
  case keep
  case back, forward, help, clear
  case list, undo, redo, quit
  case go(String)
  /// A word after a colon that means nothing.
  case unknown(String)
  case answer(String)

  init(_ line: String) {
    switch line {
    case "": self = .keep
    // The arrow keys, as a terminal sends them.
    case "<", "\u{1B}[A", "\u{1B}OA": self = .back
    case ">", "\u{1B}[B", "\u{1B}OB": self = .forward
    case "?", "？": self = .help
    case "-": self = .clear
    default: self = Self.command(line) ?? .answer(Self.unescaped(line))
    }
  }

  private static func command(_ line: String) -> FillInput? {
    guard let first = line.first, first == ":" || first == "：" else { return nil }
    let words = line.dropFirst().split(separator: " ", maxSplits: 1)
    let argument = words.count > 1 ? String(words[1]) : ""
    switch words.first {
    case "list" where argument.isEmpty: return .list
    case "undo" where argument.isEmpty: return .undo
    case "redo" where argument.isEmpty: return .redo
    case "quit" where argument.isEmpty: return .quit
    case "go": return .go(argument)
    // An input method writes the wide colon, which may well begin an answer.
    default: return first == ":" ? .unknown(line) : nil
    }
  }

  /// An answer without the backslash that says that it is one: before a character that means
  /// something at the beginning of a line, or alone.
  static func unescaped(_ line: String) -> String {
    guard line.first == "\\" else { return line }
    let rest = line.dropFirst()
    guard let next = rest.first else { return "" }
    return "<>?-:.\\？：".contains(next) ? String(rest) : line
  }
}
