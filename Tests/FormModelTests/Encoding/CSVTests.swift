import FormModel
import Foundation
import Testing

/// SplitMix64, so that each run makes the same text.
private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  mutating func text() -> String {
    let pieces = [
      "\"", ",", "\r", "\n", "\r\n", "'", "=", "+", "-", "@", "\t", " ", "\u{FF1D}", "\u{FF0B}",
      "\u{FF0D}", "\u{FF20}", "\u{3000}", "\u{FEFF}", "\0", "1", "2.5", "e", "e3", "(", ")", "a",
      "名", "é", "e\u{301}", "\u{301}", "👩‍👩‍👧", "=1+1", "+86 138", ";",
    ]
    return (0..<below(7)).map { _ in pieces[below(pieces.count)] }.joined()
  }

  mutating func cell() -> CSVCell {
    switch below(6) {
    case 0: .absent
    case 1: .literal(["0", "-1.50", "1E+2", "true", "false", "null", "-0"][below(7)])
    default: .text(text())
    }
  }

  mutating func rows() -> [[CSVCell]] {
    (0..<below(6)).map { _ in (0...below(5)).map { _ in cell() } }
  }
}

private func written(
  _ rows: [[CSVCell]], guardsFormulas: Bool = true, byteOrderMark: Bool = false
) -> [UInt8] {
  var writer = CSVWriter(guardsFormulas: guardsFormulas, byteOrderMark: byteOrderMark)
  for row in rows { writer.append(row) }
  return writer.bytes
}

@Suite struct CSVWriterTests {
  @Test func cellsAndRecords() {
    let bytes = written([
      [.text("name"), .text("a, \"b\"\nc")], [.absent, .text(""), .literal("-1.50")], [.absent], [],
    ])
    #expect(
      String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(
        "\"name\",\"a, \"\"b\"\"\nc\"\r\n,\"\",-1.50\r\n\r\n\r\n".utf8))
  }

  @Test func theByteOrderMarkStandsOnce() {
    var writer = CSVWriter(byteOrderMark: true)
    #expect(writer.bytes == [0xEF, 0xBB, 0xBF])
    writer.append([.literal("1")])
    #expect(writer.bytes == [0xEF, 0xBB, 0xBF] + Array("1\r\n".utf8))
    writer.removeAll()
    writer.append([.literal("2")])
    #expect(writer.bytes == Array("2\r\n".utf8))
  }

  @Test(arguments: ["", "a,b", "a\"b", "a\nb", "a\rb", "=1+1", "@x", "'=1", "\u{FEFF}1"])
  func aLiteralThatCannotStandIsText(_ text: String) throws {
    #expect(try CSVReader.rows(in: written([[.literal(text)]])) == [[.text(text)]])
  }

  @Test(arguments: [
    "=1+1", "=cmd|' /C calc'!A0", "@SUM(A1)", "+1+1", "-1+1", "-A1", "+", "-", "- item", "--5x",
    "\tx", "\rx", "\nx", "\r\nx", " =1", "\u{3000}=1", "\u{FEFF}=1", "\u{200B}@x", " \t-x",
    "\u{FF1D}1", "\u{FF0B}1", "\u{FF0D}1", "\u{FF20}x", "=", "+1,5", "-1e", "-1e5x", "-e5", "+1e+",
    "+1.e5", "-1 e5", "+٣", "=\u{301}", "-1\u{301}", "\t-5",
  ])
  func formulasAreGuarded(_ text: String) {
    #expect(CSVFormulaGuard.add(to: text).hasSameBytes(as: "'" + text))
    #expect(CSVFormulaGuard.add(to: "'" + text).hasSameBytes(as: "''" + text))
    #expect(CSVFormulaGuard.remove(from: "'" + text).hasSameBytes(as: text))
    #expect(CSVFormulaGuard.remove(from: "''" + text).hasSameBytes(as: "'" + text))
  }

  @Test(arguments: [
    "", "a", "a=1", "1+1", "'", "''", "'a", "-5", "+5", "-1.5e3", "-1.5E+3", "+1e-10", "+.5",
    "+86 138 0013 8000", "+1 (555) 010-9999", "-1.234.567", " -5", "  a", "'-5", "(=)", "1=", "#x",
    "\u{301}=",
  ])
  func allElseStaysAsItIs(_ text: String) {
    #expect(CSVFormulaGuard.add(to: text).hasSameBytes(as: text))
    #expect(CSVFormulaGuard.remove(from: text).hasSameBytes(as: text))
  }

  @Test func theGuardCanBeTurnedOff() throws {
    let bytes = written([[.text("=1"), .text("'=1"), .literal("=2")]], guardsFormulas: false)
    #expect(String(decoding: bytes, as: UTF8.self).utf8.elementsEqual("\"=1\",\"'=1\",=2\r\n".utf8))
    #expect(
      try CSVReader.rows(in: bytes, guardsFormulas: false)
        == [[.text("=1"), .text("'=1"), .literal("=2")]])
  }
}

@Suite struct CSVReaderTests {
  private func read(_ text: String) throws(CSVError) -> [[CSVCell]] {
    try CSVReader.rows(in: Array(text.utf8))
  }

  @Test(
    arguments: [
      ("", []),
      ("\u{FEFF}", []),
      ("a", [[.literal("a")]]),
      ("\u{FEFF}a\n", [[.literal("a")]]),
      ("a,b\r\nc\n", [[.literal("a"), .literal("b")], [.literal("c")]]),
      ("a,\r\n,b", [[.literal("a"), .absent], [.absent, .literal("b")]]),
      ("\"\"", [[.text("")]]),
      ("\"\",\n", [[.text(""), .absent]]),
      ("\n\r\n\n", [[.absent], [.absent], [.absent]]),
      ("a,", [[.literal("a"), .absent]]),
      (",", [[.absent, .absent]]),
      ("\"a\"\"b\"\"\"", [[.text("a\"b\"")]]),
      ("\"\"\"\"", [[.text("\"")]]),
      ("\"a\r\nb\rc\nd\"\r\n", [[.text("a\r\nb\rc\nd")]]),
      (" a , b ", [[.literal(" a "), .literal(" b ")]]),
      ("\"'=1\",'=1,'a", [[.text("=1"), .literal("=1"), .literal("'a")]]),
      ("\0,\"\0\"", [[.literal("\0"), .text("\0")]]),
      ("a\u{301},\"\u{301}\"", [[.literal("a\u{301}"), .text("\u{301}")]]),
      ("x\n\u{FEFF}y", [[.literal("x")], [.literal("\u{FEFF}y")]]),
    ] as [(String, [[CSVCell]])])
  func reads(_ text: String, _ rows: [[CSVCell]]) throws {
    #expect(try read(text) == rows)
  }

  @Test(
    arguments: [
      ("a\n\"b", .unterminatedQuote, 2),
      ("a\n\"b\n\nc,\"\"", .unterminatedQuote, 2),
      ("\"", .unterminatedQuote, 1),
      ("\"a\"b", .textAfterClosingQuote, 1),
      ("\"a\nb\" ,c", .textAfterClosingQuote, 2),
      ("a\r\nb\"c\"", .bareQuote, 2),
      (" \"a\"", .bareQuote, 1),
      ("a\rb", .bareCarriageReturn, 1),
      ("\"a\"\r\"b\"", .bareCarriageReturn, 1),
      ("a\r", .bareCarriageReturn, 1),
    ] as [(String, CSVError.Reason, Int)])
  func refuses(_ text: String, _ reason: CSVError.Reason, _ line: Int) throws {
    let error = try #require(throws: CSVError.self) { try read(text) }
    #expect(error.reason == reason)
    #expect(error.line == line)
    #expect(error.description.hasPrefix("CSV line \(line): "))
  }

  @Test func refusesWhatIsNoUTF8() throws {
    for bytes: [UInt8] in [
      [0x61, 0x0A, 0xFF], [0x0A, 0x22, 0xC3, 0x22], [0x0A, 0xC3, 0x2C, 0xA9],
    ] {
      let error = try #require(throws: CSVError.self) { try CSVReader.rows(in: bytes) }
      #expect(error.reason == .invalidUTF8)
      #expect(error.line == 2)
    }
  }

  @Test func recordsBeforeAFaultAreReadAndTheFaultStays() throws {
    var reader = CSVReader(Array("a\nb\n\"c".utf8))
    #expect(try reader.nextRow() == [.literal("a")])
    #expect(try reader.nextRow() == [.literal("b")])
    let first = try #require(throws: CSVError.self) { try reader.nextRow() }
    #expect(first.reason == .unterminatedQuote)
    #expect(first.line == 3)
    #expect(throws: first) { try reader.nextRow() }
  }

  @Test func aRecordComesOnceItIsComplete() throws {
    var reader = CSVReader()
    reader.feed(Array("\"a".utf8))
    #expect(try reader.nextRow() == nil)
    reader.feed(Array("\"\r".utf8))
    #expect(try reader.nextRow() == nil)
    reader.feed(Array("\nb\nc".utf8))
    #expect(try reader.nextRow() == [.text("a")])
    // Fed before all is read.
    reader.feed(Array("d".utf8))
    #expect(try reader.nextRow() == [.literal("b")])
    #expect(try reader.nextRow() == nil)
    reader.finish()
    #expect(try reader.nextRow() == [.literal("cd")])
    #expect(try reader.nextRow() == nil)
  }

  @Test func readsChunksFromAClosure() throws {
    struct Broken: Error {}
    #expect(
      try readRows(["a,\"", "b\"", "\"c\"\nd", ""].map { Array($0.utf8) })
        == [[.literal("a"), .text("b\"c")], [.literal("d")]])
    #expect(throws: CSVError.self) { try readRows([Array("a\n\"".utf8)]) }
    func broken() throws -> [UInt8]? { throw Broken() }
    #expect(throws: Broken.self) { try CSVReader.forEachRow(chunk: broken) { _ in } }
  }
}

private func readRows(_ chunks: [[UInt8]]) throws -> [[CSVCell]] {
  var rows: [[CSVCell]] = []
  var rest = chunks[...]
  func next() -> [UInt8]? { rest.popFirst() }
  try CSVReader.forEachRow(chunk: next) { rows.append($0) }
  return rows
}

@Suite struct CSVRoundTripTests {
  @Test(arguments: [true, false]) func naughtyStrings(_ guardsFormulas: Bool) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Cases/values/naughty-strings.json")
    let json = try JSONValue(parsing: Array(Data(contentsOf: file)))
    let strings = try #require(json.arrayValue).compactMap(\.stringValue)
    #expect(strings.count == 515)
    let rows = strings.map { [CSVCell.literal("1"), .text($0), .absent, .text("'" + $0)] }
    let bytes = written(rows, guardsFormulas: guardsFormulas)
    #expect(try CSVReader.rows(in: bytes, guardsFormulas: guardsFormulas) == rows)
  }

  @Test(arguments: 0..<8) func randomCells(_ seed: UInt64) throws {
    var random = Seeded(state: seed)
    for _ in 0..<200 {
      let rows = random.rows()
      for guardsFormulas in [true, false] {
        let mark = random.below(2) == 0
        let bytes = written(rows, guardsFormulas: guardsFormulas, byteOrderMark: mark)
        #expect(try CSVReader.rows(in: bytes, guardsFormulas: guardsFormulas) == rows)
      }
      // No cell starts as a formula when guarded, whatever its text.
      for case .text(let text) in rows.joined() {
        let first = CSVFormulaGuard.add(to: text).unicodeScalars.first
        #expect(!["=", "@", "\t", "\r", "\n", "\u{FF1D}"].contains(first), "\(text)")
        #expect(
          CSVFormulaGuard.remove(from: CSVFormulaGuard.add(to: text)).hasSameBytes(as: text))
      }
    }
  }

  @Test(arguments: 0..<4) func everySplitReadsTheSame(_ seed: UInt64) throws {
    var random = Seeded(state: 100 + seed)
    for _ in 0..<8 {
      let rows = random.rows()
      let bytes = written(rows, byteOrderMark: random.below(2) == 0)
      for split in 0...bytes.count {
        #expect(try readRows([Array(bytes[..<split]), Array(bytes[split...])]) == rows)
      }
      #expect(try readRows(bytes.map { [$0] }) == rows)
    }
  }
}
