import DraftDatabase
import Testing

@Suite struct ValueTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  static let values: [SQLValue] = [
    .null, .integer(Int64.min), .integer(Int64.max), .integer(Int64(0)), .integer(Int64(-1)),
    .real(0.1), .real(-1e308), .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude),
    "", "text", .text("a\0b"), .text("\0"), .text("\0\0"),
    .text("e\u{301}"), .text("\u{e9}"), .text("👩‍👩‍👧‍👦"), .text("\u{FEFF}x\u{FFFE}"),
    .text(String(repeating: "ü", count: 100_000)),
    .blob([]), .blob([0]), .blob([0, 255, 0]), .blob(Array("text".utf8)),
    .blob([UInt8](repeating: 7, count: 1_000_000)),
  ]

  @Test(arguments: values.indices) func roundTripsInItsClass(index: Int) throws {
    let value = Self.values[index]
    let database = try folder.database()
    try database.insert(value)
    #expect(try database.values() == [value])
    try database.close()
    #expect(try folder.database().values() == [value])
  }

  @Test func keepsBytesThatSwiftTakesForEqual() throws {
    let database = try folder.database()
    try database.insert("e\u{301}", "\u{e9}")
    let hex = try database.read { connection in
      try connection.all("SELECT hex(v) FROM t ORDER BY id") { $0.text(0) }
    }
    #expect(hex == ["65CC81", "C3A9"])
    #expect(SQLValue.text("e\u{301}") != SQLValue.text("\u{e9}"))
  }

  @Test func tellsEmptyFromNull() throws {
    let database = try folder.database()
    try database.insert("", .blob([]), nil)
    let types = try database.read { connection in
      try connection.all("SELECT typeof(v), v FROM t ORDER BY id") {
        ($0.text(0), $0.isNull(1), $0.optionalText(1), $0.optionalInteger(1))
      }
    }
    #expect(types.map(\.0) == ["text", "blob", "null"])
    #expect(types.map(\.1) == [false, false, true])
    #expect(types.map(\.2) == ["", "", nil])
    #expect(types.map(\.3) == [0, 0, nil])
  }

  @Test func readsTextInPlaceAndBlobs() throws {
    let database = try folder.database()
    try database.insert(.text("a\0é"), .null)
    try database.read { connection in
      let bytes = try connection.all("SELECT v FROM t ORDER BY id") { row in
        row.withText(0) { Array($0) }
      }
      #expect(bytes == [[0x61, 0, 0xC3, 0xA9], []])
      let blobs = try connection.all("SELECT v FROM t ORDER BY id") { $0.blob(0) }
      #expect(blobs == [[0x61, 0, 0xC3, 0xA9], []])
    }
  }

  @Test func refusesNaNWhichSQLiteWouldMakeNull() throws {
    let database = try folder.database()
    let error = failure { try database.insert(.real(.nan)) }
    #expect(error?.code == .misuse)
    #expect(try database.count() == 0)
  }

  @Test func makesValuesOfLiteralsAndOptionals() {
    #expect(SQLValue.optional(nil as String?) == .null)
    #expect(SQLValue.optional("a") == "a")
    #expect(SQLValue.optional(nil as Int64?) == .null)
    #expect(SQLValue.optional(Int64(3)) == 3)
    #expect(SQLValue.integer(3 as Int) == 3)
    #expect(SQLValue.real(1.5) == 1.5)
    #expect(SQLValue.integer(1 as Int) != .real(1))
    #expect(SQLValue.blob([97]) != .text("a"))
    #expect(SQLValue.null == nil)
  }
}
