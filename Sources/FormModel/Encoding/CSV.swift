/// A cell of a CSV record.
public enum CSVCell: Sendable {
  /// Nothing: an empty cell without quotes.
  case absent
  /// Text, which always stands in quotes: empty text is `""`.
  case text(String)
  /// A number, `true`, `false` or `null`, which stands without quotes.
  case literal(String)
}

extension CSVCell: Hashable {
  /// Compares text by its bytes.
  public static func == (lhs: CSVCell, rhs: CSVCell) -> Bool {
    switch (lhs, rhs) {
    case (.absent, .absent): true
    case (.text(let a), .text(let b)), (.literal(let a), .literal(let b)): a.hasSameBytes(as: b)
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .absent: hasher.combine(0)
    case .text(let text):
      hasher.combine(1)
      text.hashBytes(into: &hasher)
    case .literal(let text):
      hasher.combine(2)
      text.hashBytes(into: &hasher)
    }
  }
}

/// Writes CSV (RFC 4180) into a growing buffer of UTF-8 bytes.
///
/// Every record ends with CRLF. Text keeps all its bytes, line breaks and NUL among them.
/// ``CSVReader`` reads back the same cells.
public struct CSVWriter: Sendable {
  /// What has been written so far.
  public private(set) var bytes: [UInt8]
  private let guardsFormulas: Bool

  /// A writer with an empty buffer.
  ///
  /// - Parameters:
  ///   - guardsFormulas: whether text that a spreadsheet would run gets an apostrophe in front; see
  ///     ``CSVFormulaGuard``. Read with the same option.
  ///   - byteOrderMark: whether the buffer starts with a UTF-8 byte-order mark, which some
  ///     spreadsheets need to see that it is UTF-8.
  public init(guardsFormulas: Bool = true, byteOrderMark: Bool = false) {
    self.guardsFormulas = guardsFormulas
    bytes = byteOrderMark ? [0xEF, 0xBB, 0xBF] : []
  }

  /// Appends a record. One without cells is an empty line, which reads as one absent cell.
  ///
  /// A literal that cannot stand without quotes (it is empty, has a quote, comma or line break, or
  /// would be run as a formula) is written as text.
  public mutating func append(_ row: some Sequence<CSVCell>) {
    var isFirst = true
    for cell in row {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      switch cell {
      case .absent: break
      case .literal(let text) where canStandUnquoted(text): bytes.append(contentsOf: text.utf8)
      case .text(let text), .literal(let text): appendQuoted(text)
      }
    }
    bytes.append(contentsOf: [0x0D, 0x0A])
  }

  /// Forgets the bytes and keeps the buffer, for handing on a long file piece by piece.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  private func canStandUnquoted(_ text: String) -> Bool {
    let mustQuote = text.utf8.contains { byte in
      switch byte {
      // The first byte of a byte-order mark: at the start of a file the reader would drop it.
      case UInt8(ascii: "\""), UInt8(ascii: ","), 0x0A, 0x0D, 0xEF: true
      default: false
      }
    }
    return !text.isEmpty && !mustQuote
      && !(guardsFormulas && CSVFormulaGuard.isNeeded(for: text))
  }

  private mutating func appendQuoted(_ text: String) {
    let quote = UInt8(ascii: "\"")
    bytes.append(quote)
    if guardsFormulas, CSVFormulaGuard.isNeeded(for: text) { bytes.append(UInt8(ascii: "'")) }
    for byte in text.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }
}

/// The apostrophe that keeps spreadsheets from running text in a CSV file as a formula (the OWASP
/// page "CSV Injection").
///
/// Text gets one apostrophe in front when it starts with `=`, `+`, `-`, `@` or one of them at full
/// width (also after white space), or with a tab, CR or LF. So does text that starts so after
/// apostrophes of its own: that makes it reversible, as exactly one is taken away on reading. A
/// number or phone number after `+` or `-`, such as `-1.5e3` or `+86 138 0013 8000`, stays as it
/// is: digits, spaces, dashes, dots and parentheses, and at most an exponent.
public enum CSVFormulaGuard {
  /// The text as it is written.
  public static func add(to text: String) -> String {
    isNeeded(for: text) ? "'" + text : text
  }

  /// The text that ``add(to:)`` made this from.
  public static func remove(from text: String) -> String {
    guard text.utf8.first == UInt8(ascii: "'"), isNeeded(for: text) else { return text }
    return String(decoding: text.utf8.dropFirst(), as: UTF8.self)
  }

  /// Whether the text needs an apostrophe in front of those that it has.
  static func isNeeded(for text: String) -> Bool {
    let apostrophe: Unicode.Scalar = "'"
    let content = text.unicodeScalars.drop { $0 == apostrophe }
    guard let first = content.first else { return false }
    if first == "\t" || first == "\r" || first == "\n" { return true }
    let start = content.drop {
      $0.properties.isWhitespace || $0.value == 0x200B || $0.value == 0xFEFF
    }
    switch start.first {
    case "=", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": return true
    case "+", "-": return !isNumber(Substring(start.dropFirst()).utf8)
    default: return false
    }
  }

  /// `[0-9 ().-]* [0-9] [0-9 ().-]*`, or the same with a digit last and an exponent after it.
  private static func isNumber(_ bytes: Substring.UTF8View) -> Bool {
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let body = bytes.prefix { isDigit($0) || " ().-".utf8.contains($0) }
    guard body.contains(where: isDigit) else { return false }
    var rest = bytes[body.endIndex...]
    guard let letter = rest.popFirst() else { return true }
    guard letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E"), let last = body.last,
      isDigit(last)
    else { return false }
    if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      rest.removeFirst()
    }
    return !rest.isEmpty && rest.allSatisfy(isDigit)
  }
}
