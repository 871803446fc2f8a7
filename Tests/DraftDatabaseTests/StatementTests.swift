import DraftDatabase
import Testing

@Suite struct StatementTests {
  let folder: Folder
  let database: Database
  init() throws {
    folder = try Folder()
    database = try folder.database()
  }

  @Test func preparesALiteralOnce() throws {
    try database.read { (connection) throws in
      func statement() throws -> Statement { try connection.statement("SELECT v FROM t") }
      #expect(try statement() === statement())
      #expect(try statement().sql == "SELECT v FROM t")
    }
    let first = try database.read { ObjectIdentifier(try $0.statement(Self.literal)) }
    let second = try database.read { ObjectIdentifier(try $0.statement(Self.literal)) }
    #expect(first == second)
  }
  private static let literal: StaticString = "SELECT id FROM t"

  @Test func aLiteralCanBeUsedWithinItself() throws {
    try database.insert("a", "b", "c")
    func visit(_ connection: Connection, above id: Int64, _ trail: String) throws -> [String] {
      try connection.all("SELECT id, v FROM t WHERE id > ? ORDER BY id", .integer(id)) { row in
        let trail = trail + row.text(1)
        return try [trail] + visit(connection, above: row.integer(0), trail)
      }.flatMap(\.self)
    }
    let trails = try database.read { try visit($0, above: 0, "") }
    #expect(trails == ["a", "ab", "abc", "ac", "b", "bc", "c"])
  }

  @Test func composedCanBeUsedWithinItself() throws {
    try database.insert("a", "b")
    let sql = "SELECT v FROM t WHERE v >= ? ORDER BY id"
    let pairs = try database.read { connection in
      try connection.all(composed: sql, ["a"]) { row in
        let outer = row.text(0)
        let inner = try connection.all(composed: sql, ["b"]) { $0.text(0) }
        return outer + inner.joined() + row.text(0)
      }
    }
    #expect(pairs == ["aba", "bbb"])
  }

  @Test func keepsTheComposedThatWereUsedLast() throws {
    try database.read { connection in
      func statement(_ number: Int) throws -> Statement {
        try connection.statement(composed: "SELECT \(number)")
      }
      var all = try (0..<64).map(statement)
      // The first is used again, so the second is the one to leave.
      #expect(try statement(0) === all[0])
      all.append(try statement(64))
      #expect(try statement(0) === all[0])
      #expect(try statement(63) === all[63])
      #expect(try statement(1) !== all[1])
    }
  }

  @Test func survivesAChangeOfTheSchema() throws {
    try database.insert(1)
    func all() throws -> [[SQLValue]] {
      try database.read { connection in
        try connection.all("SELECT v, id FROM t") { [$0.value(0), $0.value(1)] }
      }
    }
    #expect(try all() == [[1, 1]])
    try database.write { try $0.execute("ALTER TABLE t ADD COLUMN w; UPDATE t SET v = 2") }
    #expect(try all() == [[2, 1]])
  }

  @Test func isReadyAgainAfterAnError() throws {
    func insert(_ id: Int64) throws {
      try database.write {
        try $0.run("INSERT INTO t (id, v) VALUES (?, 'x')", .integer(id))
      }
    }
    try insert(1)
    #expect(failure { try insert(1) }?.code == .constraint)
    try insert(2)
    #expect(try database.count() == 2)
  }

  @Test func refusesTooFewAndTooManyValues() throws {
    try database.insert("kept")
    let tooFew = failure { try database.write { try $0.run("INSERT INTO t (v) VALUES (?)") } }
    #expect(tooFew?.code == .misuse)
    let tooMany = failure { try database.read { try $0.all("SELECT 1", 2) { _ in } } }
    #expect(tooMany?.code == .misuse)
    #expect(try database.values() == ["kept"])
  }

  @Test(arguments: [
    "SELECT 1; DELETE FROM t", "SELECT 1; nonsense", "SELECT 1\0; DELETE FROM t", "", "  -- none",
  ])
  func refusesAllButOneStatement(sql: String) throws {
    let error = failure { try database.write { try $0.statement(composed: sql) } }
    #expect(error != nil)
    #expect(error?.sql != nil)
  }

  @Test(arguments: ["SELECT 1;", "SELECT 1; -- the end", "SELECT 1 /* one */ ;  \n"])
  func takesAnEndAfterTheStatement(sql: String) throws {
    #expect(try database.read { try $0.all(composed: sql, []) { $0.integer(0) } } == [1])
  }

  @Test func aScriptRunsToItsEnd() throws {
    try database.write {
      try $0.execute("INSERT INTO t (v) VALUES (1); INSERT INTO t (v) VALUES (2);")
    }
    #expect(try database.values() == [1, 2])
    let cut = failure {
      try database.write { try $0.execute("SELECT 1;\0 INSERT INTO t DEFAULT VALUES") }
    }
    #expect(cut?.code == .misuse)
  }

  @Test func doubleQuotesAreNames() throws {
    let error = failure { try database.read { try $0.all("SELECT \"nosuch\" FROM t") { _ in } } }
    #expect(error?.message.contains("nosuch") == true)
  }

  @Test func anErrorNamesTheStatementWithoutItsValues() throws {
    try database.write { try $0.execute("CREATE UNIQUE INDEX u ON t (v)") }
    try database.insert("secret")
    let error = try #require(failure { try database.insert("secret") })
    #expect(error.code == .constraint)
    #expect(error.sql == "INSERT INTO t (v) VALUES (?)")
    #expect(!error.description.contains("secret"))
    #expect(error.description.hasPrefix(folder.file()))
    #expect(error.extendedCode == 2067)
  }

  @Test func countsChangesAndTellsRowIDs() throws {
    try database.write { connection in
      try connection.run("INSERT INTO t (id, v) VALUES (41, 'a'), (42, 'b')")
      #expect(connection.lastInsertedRowID == 42)
      #expect(connection.changeCount == 2)
      try connection.run("UPDATE t SET v = 'c' WHERE id = ?", 41)
      #expect(connection.changeCount == 1)
    }
  }

  @Test func firstTakesOneRowAndEnds() throws {
    try database.insert(1, 2, 3)
    try database.write { connection in
      let first = try connection.first("SELECT v FROM t ORDER BY id") { $0.value(0) }
      #expect(first == 1)
      #expect(try connection.first("SELECT v FROM t WHERE id = 99") { $0.value(0) } == nil)
      try connection.run("DROP TABLE t")
    }
  }

  @Test func tellsThePlan() throws {
    try database.write { try $0.execute("CREATE INDEX t_v ON t (v)") }
    let plan = try database.read { try $0.queryPlan("SELECT id FROM t WHERE v = ?") }
    #expect(plan.count == 1)
    #expect(plan.first?.contains("USING COVERING INDEX t_v") == true)
    let scan = try database.read { try $0.queryPlan("SELECT id FROM t WHERE v + 1 = 2") }
    #expect(scan.first?.hasPrefix("SCAN") == true)
  }

  @Test func aKeptConnectionOrStatementIsRefused() throws {
    var connection: Connection?
    var statement: Statement?
    try database.read {
      connection = $0
      statement = try $0.statement("SELECT 1")
    }
    #expect(failure { try connection?.run("SELECT 1") }?.code == .misuse)
    #expect(failure { try connection?.execute("SELECT 1") }?.code == .misuse)
    #expect(failure { try statement?.step() }?.code == .misuse)
    #expect(failure { try statement?.run() }?.code == .misuse)
  }
}
