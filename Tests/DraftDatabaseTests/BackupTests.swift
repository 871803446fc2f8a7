import CSQLite
import DraftDatabase
import Foundation
import Synchronization
import Testing

@Suite struct BackupTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  @Test func isOneStateWhileOthersWrite() throws {
    let database = try folder.database()
    try database.write { connection in
      for number in 0..<3000 {
        try connection.run(
          "INSERT INTO t (v) VALUES (?)",
          .blob([UInt8](repeating: UInt8(number % 256), count: 2000)))
      }
    }
    // Each commit keeps the number of rows even, and there are more and more.
    var reports: [(Int, Int)] = []
    try database.backup(to: folder.file("copy")) { done, total in
      reports.append((done, total))
      let writer = Thread { try? database.insert(1, 2) }
      writer.start()
      while !writer.isFinished { usleep(200) }
    }
    #expect(reports.count > 1)
    #expect(reports.last.map { $0.0 == $0.1 } == true)
    #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.0 < $1.0 })
    #expect(try database.count() == 3000 + Int64(reports.count) * 2)
    #expect(try folder.names == ["copy", "test.db", "test.db-shm", "test.db-wal"])
    let copy = try folder.database("copy")
    #expect(try copy.count() == 3000)
    #expect(try copy.checkIntegrity() == [])
  }

  @Test func refusesAFileThatIsThere() throws {
    let database = try folder.database()
    try Data("keep me".utf8).write(to: URL(fileURLWithPath: folder.file("copy")))
    symlink("nowhere", folder.file("dangling"))
    let before = try folder.state()
    for name in ["copy", "dangling", "test.db"] {
      let error = failure { try database.backup(to: folder.file(name)) }
      #expect(error?.code == .cannotOpen)
      #expect(error?.message.contains("choose another name") == true)
      #expect(error?.path == folder.file(name))
    }
    #expect(
      try folder.state().filter { !$0.key.hasSuffix("-shm") }
        == before.filter { !$0.key.hasSuffix("-shm") })
  }

  @Test func replacesAFileWhenItMay() throws {
    let database = try folder.database()
    try database.insert(1)
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder.file("copy")))
    try database.backup(to: folder.file("copy"), replacesFile: true)
    try database.insert(2)
    try database.backup(to: folder.file("copy"), replacesFile: true)
    #expect(FileState(path: folder.file("copy")).mode & 0o777 == 0o600)
    #expect(try folder.database("copy").values() == [1, 2])
  }

  @Test func neverReplacesTheDatabaseOrOneInUse() throws {
    let database = try folder.database()
    try database.insert(1)
    symlink("test.db", folder.file("link"))
    let other = try folder.database("other.db")
    for name in ["test.db", "./test.db", "link", "other.db"] {
      let error = failure { try database.backup(to: folder.file(name), replacesFile: true) }
      #expect(error?.code == .cannotOpen, "\(name)")
    }
    try database.insert(2)
    try other.insert(3)
    try database.close()
    try other.close()
    #expect(try folder.database().values() == [1, 2])
    #expect(try folder.database("other.db").values() == [3])
  }

  @Test func leavesNothingWhereItFails() throws {
    let database = try folder.database()
    try FileManager.default.createDirectory(
      atPath: folder.file("folder"), withIntermediateDirectories: false)
    let before = try folder.names
    for name in ["missing/copy", "folder", "a\0b", "test.db/copy"] {
      let error = failure {
        try database.backup(to: folder.file(name), replacesFile: true)
      }
      #expect(error != nil, "\(name)")
    }
    #expect(failure { try database.backup(to: "") }?.code == .cannotOpen)
    #expect(
      try folder.names.filter { !$0.hasPrefix("test.db-") }
        == before.filter { !$0.hasPrefix("test.db-") })
  }

  @Test func anUnwritableFolderLeavesNothing() throws {
    // Root may write everywhere, so only others can try.
    guard geteuid() != 0 else { return }
    let database = try folder.database()
    try FileManager.default.createDirectory(
      atPath: folder.file("folder"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o500])
    #expect(failure { try database.backup(to: folder.file("folder/copy")) } != nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("folder")) == [])
  }

  @Test func twoAtOnceToOneNameAreBothWhole() throws {
    let database = try folder.database()
    try database.insert(.blob([UInt8](repeating: 1, count: 3_000_000)))
    let failures = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 6) { index in
      do {
        try database.backup(to: folder.file("copy"), replacesFile: index % 2 == 0)
      } catch {
        failures.withLock { $0 += 1 }
      }
    }
    // The three that may not replace succeed once at most.
    #expect((2...3).contains(failures.withLock { $0 }))
    #expect(try folder.names.filter { $0.hasPrefix("copy") } == ["copy"])
    #expect(try folder.database("copy").checkIntegrity() == [])
    #expect(try folder.database("copy").count() == 1)
  }

  @Test func theCopyIsOneFile() throws {
    let database = try folder.database()
    try database.insert(1)
    try database.backup(to: folder.file("copy"))
    let other = try OtherProgram(folder.file("copy"))
    #expect(try other.first("PRAGMA journal_mode") == "delete")
    #expect(try other.first("SELECT v FROM t") == "1")
    #expect(try other.first("PRAGMA application_id") == "\(Database.Configuration.mark)")
  }
}

@Suite struct UpkeepTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  @Test func checkpointEmptiesTheLog() throws {
    let database = try folder.database()
    try database.insert("in the log")
    let log = folder.file("test.db-wal")
    #expect(FileState(path: log).content?.isEmpty == false)
    try database.checkpoint()
    #expect(FileState(path: log).content?.isEmpty == true)
    #expect(FileState(path: folder.file()).content?.range(of: Data("in the log".utf8)) != nil)
    #expect(try database.values() == ["in the log"])
  }

  @Test func checkpointTellsThatTheLogIsStillRead() throws {
    let database = try folder.database("test.db", .test(busyTimeout: .milliseconds(20)))
    let other = try folder.database()
    try database.insert(1)
    try other.read { connection in
      _ = try connection.userTables()
      try database.insert(2)
      #expect(failure { try database.checkpoint() }?.code == .busy)
    }
    try database.checkpoint()
    #expect(try database.values() == [1, 2])
  }

  @Test func dataVersionChangesWithEachCommit() throws {
    let database = try folder.database()
    let other = try folder.database()
    var versions = [try database.dataVersion()]
    #expect(try database.dataVersion() == versions[0])
    try other.insert(1)
    versions.append(try database.dataVersion())
    try database.insert(2)
    versions.append(try database.dataVersion())
    _ = try other.values()
    #expect(failure { try other.write { try $0.run("INSERT INTO nowhere VALUES (1)") } } != nil)
    #expect(try database.dataVersion() == versions[2])
    #expect(Set(versions).count == 3)
  }

  @Test func findsRowsWithoutParents() throws {
    let database = try folder.database()
    try database.write {
      try $0.execute(
        """
        CREATE TABLE c (t INTEGER REFERENCES t (id));
        CREATE TABLE d (k TEXT PRIMARY KEY REFERENCES t (v)) WITHOUT ROWID;
        CREATE UNIQUE INDEX u ON t (v);
        """)
    }
    #expect(try database.checkIntegrity() == [])
    try OtherProgram(folder.file()).execute(
      "INSERT INTO c VALUES (9); INSERT INTO d VALUES ('x')")
    #expect(
      try database.checkIntegrity().sorted() == [
        "a row of d has no parent in t", "row 1 of c has no parent in t",
      ])
  }

  @Test(arguments: [1, 2, 3]) func findsDamage(page: Int) throws {
    let database = try folder.database()
    try database.write { connection in
      for number in 0..<500 {
        try connection.run("INSERT INTO t (v) VALUES (?)", .text("row \(number) of many"))
      }
    }
    try database.close()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.file()))
    // Within the first page only what follows the header that is looked at.
    try file.seek(toOffset: page == 1 ? 100 : UInt64(page - 1) * 4096)
    try file.write(contentsOf: [UInt8](repeating: 0xA5, count: 2000))
    try file.close()
    var problems: [String] = []
    let error = failure {
      let damaged = try Database(path: folder.file(), configuration: .test())
      problems = try damaged.checkIntegrity()
    }
    #expect(error?.code == .corrupt || !problems.isEmpty)
    let reading = failure {
      let damaged = try Database(path: folder.file(), configuration: .test())
      _ = try damaged.values()
    }
    #expect(reading?.code == .corrupt)
    #expect(reading?.message.contains("recover") == true)
  }

  @Test func aFileThatWasCutShortIsFound() throws {
    try folder.database().insert(.blob([UInt8](repeating: 1, count: 100_000)))
    #expect(truncate(folder.file(), 20_000) == 0)
    let error = failure { try folder.database().values() }
    #expect(error?.code == .corrupt)
  }

  @Test func aFullDiskLosesNothing() throws {
    let database = try folder.database()
    try database.insert("before")
    try database.write { try $0.execute("PRAGMA max_page_count = 20") }
    let big = SQLValue.blob([UInt8](repeating: 1, count: 500_000))
    let error = failure { try database.insert("lost", big) }
    #expect(error?.code == .full)
    #expect(error?.message.contains("what was saved before is still there") == true)
    #expect(try database.values() == ["before"])
    try database.insert("after")
    #expect(try database.values() == ["before", "after"])
    #expect(try database.checkIntegrity() == [])
  }

  @Test func aClosureThatGoesOnAfterAFullDiskKeepsNothing() throws {
    let database = try folder.database()
    try database.write { try $0.execute("PRAGMA max_page_count = 20") }
    let big = SQLValue.blob([UInt8](repeating: 1, count: 500_000))
    let error = failure {
      try database.write { connection in
        try connection.run("INSERT INTO t (v) VALUES ('first')")
        try? connection.run("INSERT INTO t (v) VALUES (?)", big)
        try connection.run("INSERT INTO t (v) VALUES ('last')")
      }
    }
    let rows = try database.values()
    // Whether SQLite rolled back is its own affair; half of it is never kept.
    #expect(error == nil ? rows == ["first", "last"] : rows == [])
  }
}
