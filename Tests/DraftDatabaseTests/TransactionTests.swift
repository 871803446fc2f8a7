import DraftDatabase
import Testing

@Suite struct TransactionTests {
  let folder: Folder
  let database: Database
  init() throws {
    folder = try Folder()
    database = try folder.database()
  }
  struct Refusal: Error {}

  @Test func keepsAllAndReturnsTheResult() throws {
    let number = try database.write { connection in
      try connection.run("INSERT INTO t (v) VALUES (1)")
      try connection.run("INSERT INTO t (v) VALUES (2)")
      return 7
    }
    #expect(number == 7)
    #expect(try database.values() == [1, 2])
  }

  @Test func rollsBackOnAnyError() throws {
    #expect(throws: Refusal.self) {
      try database.write { connection in
        try connection.run("INSERT INTO t (v) VALUES (1)")
        throw Refusal()
      }
    }
    #expect(try database.count() == 0)
    try database.insert(2)
    #expect(try database.values() == [2])
  }

  @Test func rollsBackOnABrokenConstraint() throws {
    let error = failure {
      try database.write { connection in
        try connection.run("INSERT INTO t (id, v) VALUES (1, 'a')")
        try connection.run("INSERT INTO t (id, v) VALUES (1, 'b')")
      }
    }
    #expect(error?.code == .constraint)
    #expect(try database.count() == 0)
  }

  @Test func rollsBackWhenTheCommitFails() throws {
    try database.write {
      try $0.execute(
        "CREATE TABLE c (t INTEGER REFERENCES t (id) DEFERRABLE INITIALLY DEFERRED)")
    }
    let error = failure { try database.write { try $0.run("INSERT INTO c VALUES (99)") } }
    #expect(error?.code == .constraint)
    #expect(try database.read { try $0.first("SELECT count(*) FROM c") { $0.integer(0) } } == 0)
    try database.insert(1)
    #expect(try database.count() == 1)
  }

  @Test func foreignKeysAreChecked() throws {
    try database.write { try $0.execute("CREATE TABLE c (t INTEGER REFERENCES t (id))") }
    let error = failure { try database.write { try $0.run("INSERT INTO c VALUES (99)") } }
    #expect(error?.code == .constraint)
  }

  @Test func refusesAnAccessWithinAnAccess() throws {
    #expect(failure { try database.write { _ in try database.write { _ in } } }?.code == .misuse)
    #expect(failure { try database.write { _ in try database.read { _ in } } }?.code == .misuse)
    #expect(failure { try database.read { _ in try database.write { _ in } } }?.code == .misuse)
    #expect(failure { try database.read { _ in try database.read { _ in } } }?.code == .misuse)
    #expect(failure { try database.read { _ in try database.close() } }?.code == .misuse)
    #expect(failure { try database.read { _ in try database.checkpoint() } }?.code == .misuse)
    #expect(failure { try database.read { _ in try database.dataVersion() } }?.code == .misuse)
    #expect(failure { try database.write { _ in try database.migrate([]) } }?.code == .misuse)
    let copy = folder.file("copy")
    #expect(failure { try database.write { _ in try database.backup(to: copy) } }?.code == .misuse)
    try database.insert(1)
    #expect(try database.count() == 1)
  }

  @Test func anAccessWithinOneOfAnotherDatabaseIsFine() throws {
    let other = try folder.database("other.db")
    try database.insert(5)
    try database.read { connection in
      let value = try connection.first("SELECT v FROM t") { $0.value(0) }
      try other.insert(value ?? .null)
    }
    #expect(try other.values() == [5])
  }

  @Test func aReadDoesNotWrite() throws {
    let error = failure { try database.read { try $0.run("INSERT INTO t (v) VALUES (1)") } }
    #expect(error?.code == .readOnly)
    #expect(error?.message.contains("reads only") == true)
    #expect(try database.count() == 0)
  }

  @Test func aStatementLeftInTheMiddleHoldsNothing() throws {
    try database.insert(1, 2)
    let one = try Database(path: folder.file(), configuration: .test(readerCount: 1))
    try one.read { _ = try $0.statement("SELECT v FROM t").step() }
    try database.insert(3)
    #expect(try one.count() == 3)
    try one.write {
      _ = try $0.statement("INSERT INTO t (v) VALUES (4), (5) RETURNING id").step()
    }
    #expect(try database.count() == 5)
    try database.checkpoint()
  }

  @Test func aClosureCanNotEndTheTransactionUnnoticed() throws {
    let error = failure {
      try database.write { connection in
        try connection.execute("ROLLBACK")
        try connection.run("INSERT INTO t (v) VALUES (1)")
      }
    }
    #expect(error?.code == .aborted)
    #expect(try database.count() == 0)
    try database.insert(1)
    #expect(try database.count() == 1)
  }

  @Test func aClosureThatGoesOnAfterSQLiteRolledBackKeepsNothing() throws {
    try database.insert("kept")
    let error = failure {
      try database.write { connection in
        try connection.run("INSERT INTO t (v) VALUES ('first')")
        // As some errors of the disk do, this one ends the transaction.
        try? connection.run("INSERT OR ROLLBACK INTO t (id) VALUES (1)")
        try connection.run("INSERT INTO t (v) VALUES ('last')")
      }
    }
    #expect(error?.code == .aborted)
    #expect(try database.values() == ["kept"])
    let silent = failure {
      try database.write { connection in
        try connection.run("DELETE FROM t")
        try? connection.run("INSERT OR ROLLBACK INTO t (id) VALUES (2), (2)")
      }
    }
    #expect(silent?.code == .aborted)
    #expect(try database.values() == ["kept"])
    try database.insert("next")
    #expect(try database.values() == ["kept", "next"])
  }

  @Test func savepointsCanBeUsedWithin() throws {
    try database.write { connection in
      try connection.run("INSERT INTO t (v) VALUES (1)")
      try connection.execute("SAVEPOINT s; INSERT INTO t (v) VALUES (2); ROLLBACK TO s; RELEASE s")
    }
    #expect(try database.values() == [1])
  }

  @Test func closedIsClosed() async throws {
    try database.insert(1)
    try database.close()
    try database.close()
    #expect(failure { try database.read { _ in } }?.code == .misuse)
    #expect(failure { try database.write { _ in } }?.code == .misuse)
    #expect(failure { try database.dataVersion() }?.code == .misuse)
    #expect(failure { try database.checkpoint() }?.code == .misuse)
    #expect(failure { try database.backup(to: folder.file("copy")) }?.code == .misuse)
    await #expect(throws: DatabaseError.self) { try await database.read { _ in } }
    await #expect(throws: DatabaseError.self) { try await database.write { _ in } }
    #expect(try folder.names == ["test.db"])
    #expect(try folder.database().values() == [1])
  }

  @Test func leavesOneFileWhenItIsReleased() throws {
    do {
      let database = try folder.database("released.db")
      try database.insert(1)
      #expect(try database.count() == 1)
    }
    #expect(try folder.names.filter { $0.hasPrefix("released") } == ["released.db"])
  }
}
