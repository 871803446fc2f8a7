import CSQLite
import DraftDatabase
import Foundation
import Testing

@Suite struct MigrationTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  static let steps = [
    Migration(
      version: 1, name: "0001-tables",
      sql: """
        CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE c (p INTEGER NOT NULL REFERENCES p (id) ON DELETE CASCADE);
        """),
    Migration(version: 2, name: "0002-age", sql: "ALTER TABLE p ADD COLUMN age INTEGER"),
    Migration(
      version: 3, name: "0003-rebuild",
      sql: """
        CREATE TABLE p2 (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER DEFAULT 7);
        INSERT INTO p2 SELECT id, name, ifnull(age, 7) FROM p;
        DROP TABLE p;
        ALTER TABLE p2 RENAME TO p;
        """),
  ]

  func open(_ name: String = "test.db") throws -> Database {
    try Database(path: folder.file(name), configuration: .test())
  }

  func version(_ database: Database) throws -> Int64? {
    try database.read { try $0.first("PRAGMA user_version") { $0.integer(0) } }
  }

  func columns(_ database: Database) throws -> [String] {
    try database.read { try $0.all("SELECT name FROM pragma_table_info('p')") { $0.text(0) } }
  }

  /// A file of version 1 with a row and its child.
  func versionOne() throws -> Database {
    let database = try open()
    try database.migrate(Array(Self.steps.prefix(1)))
    try database.write {
      try $0.execute("INSERT INTO p VALUES (1, 'Ada'); INSERT INTO c VALUES (1)")
    }
    return database
  }

  @Test func bringsANewFileToTheNewestVersion() throws {
    let database = try open()
    try database.migrate(Self.steps)
    #expect(try version(database) == 3)
    #expect(try columns(database) == ["id", "name", "age"])
    // There was nothing to copy.
    #expect(try folder.names.filter { $0.contains("before") } == [])
    try database.migrate(Self.steps)
    #expect(try version(database) == 3)
  }

  @Test func appliesTheMissingStepsAndKeepsACopy() throws {
    let database = try versionOne()
    try database.migrate(Self.steps)
    #expect(try version(database) == 3)
    let rows = try database.read { connection in
      try connection.all("SELECT name, age, (SELECT count(*) FROM c WHERE c.p = p.id) FROM p") {
        [$0.value(0), $0.value(1), $0.value(2)]
      }
    }
    // Dropping the table did not cascade to its children.
    #expect(rows == [["Ada", 7, 1]])
    let broken = failure { try database.write { try $0.run("INSERT INTO c VALUES (99)") } }
    #expect(broken?.code == .constraint)
    #expect(try folder.names.filter { $0.contains("before") } == ["test.db.before-3"])
    #expect(FileState(path: folder.file("test.db.before-3")).mode & 0o777 == 0o600)
    // The copy can take the file's place.
    try database.close()
    #expect(rename(folder.file("test.db.before-3"), folder.file()) == 0)
    let restored = try open()
    #expect(try version(restored) == 1)
    #expect(try columns(restored) == ["id", "name"])
    #expect(try restored.checkIntegrity() == [])
    try restored.migrate(Self.steps)
    #expect(try version(restored) == 3)
  }

  @Test func aFailingStepLeavesTheFileAsItWas() throws {
    let database = try versionOne()
    let failing =
      Self.steps.prefix(2) + [
        Migration(
          version: 3, name: "0003-fails", sql: "DELETE FROM p; CREATE TABLE x (y); DROP TABLE none")
      ]
    let error = try #require(failure { try database.migrate(Array(failing)) })
    #expect(error.message.contains("0003-fails"))
    #expect(error.message.contains("none"))
    #expect(try version(database) == 1)
    #expect(try columns(database) == ["id", "name"])
    let tables = try database.read { try $0.userTables() }
    #expect(tables == ["p", "c"])
    let count = try database.read { try $0.first("SELECT count(*) FROM p") { $0.integer(0) } }
    #expect(count == 1)
    // Foreign keys are checked again, and the right step can follow.
    #expect(failure { try database.write { try $0.run("INSERT INTO c VALUES (99)") } } != nil)
    try database.migrate(Self.steps)
    #expect(try version(database) == 3)
  }

  @Test func aStepThatLeavesRowsWithoutParentsFails() throws {
    let database = try versionOne()
    let error = failure {
      try database.migrate([
        Self.steps[0], Migration(version: 2, name: "two", sql: "DELETE FROM p"),
      ])
    }
    #expect(error?.code == .constraint)
    #expect(error?.message.contains("rows of c") == true)
    #expect(try version(database) == 1)
    #expect(try database.checkIntegrity() == [])
  }

  @Test(arguments: ["COMMIT", "ROLLBACK"])
  func aStepThatEndsTheTransactionIsNamed(sql: String) throws {
    let database = try versionOne()
    let error = failure {
      try database.migrate([Self.steps[0], Migration(version: 2, name: "two", sql: sql)])
    }
    #expect(error?.code == .aborted)
    #expect(error?.message.contains("two") == true)
    #expect(try version(database) == 1)
  }

  @Test(arguments: [[1, 3], [2], [1, 1], [2, 1], [0, 1], [1, 2, 4]])
  func gapsAreRefused(versions: [Int]) throws {
    let database = try open()
    let steps = versions.map {
      Migration(version: $0, name: "m\($0)", sql: "CREATE TABLE t\($0) (x)")
    }
    #expect(failure { try database.migrate(steps) }?.code == .misuse)
    #expect(try version(database) == 0)
    #expect(try database.read { try $0.userTables() } == [])
  }

  @Test func moreStepsThanTheProgramKnowsAreRefused() throws {
    let database = try Database(path: folder.file(), configuration: .test(newestVersion: 2))
    #expect(failure { try database.migrate(Self.steps) }?.code == .misuse)
    #expect(try version(database) == 0)
    try database.migrate([])
  }

  @Test func aFileThatAnotherBroughtFurtherIsRefused() throws {
    let early = try Database(path: folder.file(), configuration: .test(newestVersion: 2))
    try open().migrate(Self.steps)
    // Its steps are there already.
    try early.migrate(Array(Self.steps.prefix(2)))
    #expect(try version(open()) == 3)
    #expect(failure { try early.read { _ in } }?.code == .fromTheFuture)
  }

  @Test func aCopyThatCanNotBeMadeStopsTheMigration() throws {
    let database = try versionOne()
    try FileManager.default.createDirectory(
      atPath: folder.file("test.db.before-3"), withIntermediateDirectories: false)
    #expect(failure { try database.migrate(Self.steps) } != nil)
    #expect(try version(database) == 1)
    #expect(try folder.names.filter { $0.contains("partial") } == [])
  }

  @Test func severalAtOnceMigrateOnce() throws {
    let database = try versionOne()
    let steps =
      Self.steps.prefix(2) + [Migration(version: 3, name: "3", sql: "CREATE TABLE once (x)")]
    let opened = try (0..<4).map { _ in try open() }
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      #expect(throws: Never.self) { try opened[index].migrate(Array(steps)) }
    }
    #expect(try version(database) == 3)
    // The copy is of the state before, whoever came last.
    let copy = try open("test.db.before-3")
    #expect(try version(copy) == 1)
    #expect(try folder.names.filter { $0.contains("partial") } == [])
  }

  @Test func twoProcessesMigrateOnce() async throws {
    try versionOne().close()
    let path = folder.file()
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            let database = try Database(path: path, configuration: .test())
            try waitForAll(2, beside: path)
            try database.migrate(MigrationTests.steps)
            try database.close()
          }
        }
      }
    }
    #expect(try version(open()) == 3)
    #expect(try version(open("test.db.before-3")) == 1)
    #expect(try folder.names.filter { $0.contains("partial") } == [])
  }
}
