/// What is wrong with a CSV file, and where.
public struct CSVError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of fault.
  public enum Reason: Hashable, Sendable {
    /// The file ends within quotes; the line is that of the opening quote.
    case unterminatedQuote
    /// There is text between a closing quote and the next comma or line break.
    case textAfterClosingQuote
    /// A quote stands in a cell that does not start with one.
    case bareQuote
    /// A carriage return outside quotes has no line feed after it.
    case bareCarriageReturn
    /// A cell is not valid UTF-8.
    case invalidUTF8
  }

  /// What is wrong.
  public let reason: Reason
  /// The line of the file, counted from 1; every line feed starts one, also within quotes.
  public let line: Int

  public var description: String {
    let text =
      switch reason {
      case .unterminatedQuote: "the quote that opens here is never closed"
      case .textAfterClosingQuote: "expected a comma or the line's end after the closing quote"
      case .bareQuote: "a quote in a cell that does not start with one; quote the cell, double it"
      case .bareCarriageReturn: "a carriage return without a line feed"
      case .invalidUTF8: "the cell is not valid UTF-8"
      }
    return "CSV line \(line): \(text)"
  }
}

/// Reads CSV (RFC 4180) record by record, from bytes that may come in pieces.
///
/// Records end with CRLF or LF, the last one with or without. A byte-order mark at the start is
/// skipped. A cell in quotes is text, an empty one without quotes absent, any other a literal.
/// Nothing is trimmed. An empty line is a record of one absent cell.
///
/// ```swift
/// var reader = CSVReader()
/// while let chunk = try nextChunk() {
///   reader.feed(chunk)
///   while let row = try reader.nextRow() { use(row) }
/// }
/// reader.finish()
/// while let row = try reader.nextRow() { use(row) }
/// ```
public struct CSVReader: Sendable {
  private enum State {
    case cellStart, unquoted, quoted, quoteInQuoted, carriageReturn
  }

  private let guardsFormulas: Bool
  private var buffer: [UInt8] = []
  private var position = 0
  private var isFinished = false
  private var failure: CSVError?

  private var state = State.cellStart
  private var isPastByteOrderMark = false
  private var cell: [UInt8] = []
  private var row: [CSVCell] = []
  private var line = 1
  private var quoteLine = 1

  /// A reader that is fed with ``feed(_:)``.
  ///
  /// - Parameter guardsFormulas: whether to take away the apostrophes that ``CSVWriter`` set with
  ///   the same option; see ``CSVFormulaGuard``. They are taken from literals too, as spreadsheets
  ///   drop the quotes when they save.
  public init(guardsFormulas: Bool = true) {
    self.guardsFormulas = guardsFormulas
  }

  /// A reader of a whole file.
  public init(_ bytes: [UInt8], guardsFormulas: Bool = true) {
    self.init(guardsFormulas: guardsFormulas)
    feed(bytes)
    finish()
  }

  /// Takes the next bytes of the file. A piece may end anywhere, also within a character.
  public mutating func feed(_ bytes: [UInt8]) {
    if position == buffer.count {
      buffer = bytes
    } else {
      buffer.removeFirst(position)
      buffer.append(contentsOf: bytes)
    }
    position = 0
  }

  /// Says that the file has ended.
  public mutating func finish() {
    isFinished = true
  }

  /// The next record, or nil when more bytes are needed or, after ``finish()``, at the end.
  ///
  /// - Throws: ``CSVError`` for the first fault; once thrown, it is thrown again each time.
  public mutating func nextRow() throws(CSVError) -> [CSVCell]? {
    if let failure { throw failure }
    do throws(CSVError) {
      return try readRow()
    } catch {
      failure = error
      throw error
    }
  }

  /// All records of a file.
  ///
  /// - Throws: ``CSVError`` for the first fault.
  public static func rows(
    in bytes: [UInt8], guardsFormulas: Bool = true
  ) throws(CSVError) -> [[CSVCell]] {
    var reader = CSVReader(bytes, guardsFormulas: guardsFormulas)
    var rows: [[CSVCell]] = []
    while let row = try reader.nextRow() { rows.append(row) }
    return rows
  }

  /// Reads a file in pieces and hands on each record.
  ///
  /// - Parameters:
  ///   - guardsFormulas: whether the apostrophes that guard formulas are taken away.
  ///   - chunk: gives the next bytes, nil at the end.
  ///   - body: takes a record.
  /// - Throws: ``CSVError`` for the first fault, and whatever the closures throw.
  public static func forEachRow(
    guardsFormulas: Bool = true, chunk: () throws -> [UInt8]?, _ body: ([CSVCell]) throws -> Void
  ) throws {
    var reader = CSVReader(guardsFormulas: guardsFormulas)
    while !reader.isFinished {
      if let bytes = try chunk() { reader.feed(bytes) } else { reader.finish() }
      while let row = try reader.nextRow() { try body(row) }
    }
  }
}

extension CSVReader {
  private mutating func readRow() throws(CSVError) -> [CSVCell]? {
    guard isPastByteOrderMark || skipByteOrderMark() else { return nil }
    while position < buffer.count {
      switch state {
      case .quoted:
        takeQuoted()
      case .unquoted:
        takeUnquoted()
        if position < buffer.count, try endCell() { return takeRow() }
      case .cellStart where buffer[position] == UInt8(ascii: "\""):
        position += 1
        state = .quoted
        quoteLine = line
      case .cellStart:
        state = .unquoted
      case .quoteInQuoted where buffer[position] == UInt8(ascii: "\""):
        position += 1
        cell.append(UInt8(ascii: "\""))
        state = .quoted
      case .quoteInQuoted:
        if try endCell() { return takeRow() }
      case .carriageReturn:
        guard buffer[position] == 0x0A else { throw error(.bareCarriageReturn) }
        endLine()
        return takeRow()
      }
    }
    return isFinished ? try readEnd() : nil
  }

  /// False when more bytes are needed to tell.
  private mutating func skipByteOrderMark() -> Bool {
    guard buffer.count >= 3 || isFinished else { return false }
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    isPastByteOrderMark = true
    return true
  }

  /// Takes the text up to the next quote.
  private mutating func takeQuoted() {
    let start = position
    while position < buffer.count, buffer[position] != UInt8(ascii: "\"") {
      if buffer[position] == 0x0A { line += 1 }
      position += 1
    }
    cell.append(contentsOf: buffer[start..<position])
    guard position < buffer.count else { return }
    position += 1
    state = .quoteInQuoted
  }

  private mutating func takeUnquoted() {
    let start = position
    while position < buffer.count {
      let byte = buffer[position]
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D {
        break
      }
      position += 1
    }
    cell.append(contentsOf: buffer[start..<position])
  }

  /// Ends the cell at the byte that follows it.
  ///
  /// - Returns: whether the record ends there too.
  private mutating func endCell() throws(CSVError) -> Bool {
    switch buffer[position] {
    case UInt8(ascii: ","):
      try finishCell()
      position += 1
      return false
    case 0x0A:
      try finishCell()
      endLine()
      return true
    case 0x0D:
      try finishCell()
      position += 1
      state = .carriageReturn
      return false
    default:
      throw error(state == .quoteInQuoted ? .textAfterClosingQuote : .bareQuote)
    }
  }

  private mutating func finishCell() throws(CSVError) {
    let wasQuoted = state == .quoteInQuoted
    guard var text = String(validating: cell, as: UTF8.self) else {
      throw error(.invalidUTF8, at: wasQuoted ? quoteLine : line)
    }
    if guardsFormulas { text = CSVFormulaGuard.remove(from: text) }
    row.append(wasQuoted ? .text(text) : text.isEmpty ? .absent : .literal(text))
    cell.removeAll(keepingCapacity: true)
    state = .cellStart
  }

  private mutating func endLine() {
    position += 1
    line += 1
    state = .cellStart
  }

  private mutating func takeRow() -> [CSVCell] {
    defer { row.removeAll(keepingCapacity: true) }
    return row
  }

  /// The last record, when no line break ends it.
  private mutating func readEnd() throws(CSVError) -> [CSVCell]? {
    switch state {
    case .quoted: throw error(.unterminatedQuote, at: quoteLine)
    case .carriageReturn: throw error(.bareCarriageReturn)
    case .cellStart where row.isEmpty: return nil
    case .cellStart, .unquoted, .quoteInQuoted:
      try finishCell()
      return takeRow()
    }
  }

  private func error(_ reason: CSVError.Reason, at line: Int? = nil) -> CSVError {
    CSVError(reason: reason, line: line ?? self.line)
  }
}
