import CSQLite
import DraftDatabase
import Foundation
import Testing

/// Waits, in each of several processes, until all of them have come here.
func waitForAll(_ count: Int, beside path: String) throws {
  try Data().write(to: URL(fileURLWithPath: "\(path).ready-\(getpid())"))
  let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
  let end = Date(timeIntervalSinceNow: 60)
  while Date() < end {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    if names.filter({ $0.contains(".ready-") }).count >= count { return }
    usleep(500)
  }
  throw CancellationError()
}

@Suite struct ProcessTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  @Test func aProcessKilledInATransactionLeavesNothingOfIt() async throws {
    try folder.database().insert("before")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.file() as String] in
      let database = try Database(path: path, configuration: .test())
      try database.insert("committed")
      try database.write { connection in
        // A small cache has pages written to the log before the commit.
        try connection.execute("PRAGMA cache_size = 5")
        try connection.run("DELETE FROM t")
        for _ in 0..<200 {
          try connection.run(
            "INSERT INTO t (v) VALUES (?)", .blob([UInt8](repeating: 1, count: 5000)))
        }
        kill(getpid(), SIGKILL)
      }
    }
    // What it had written is there to be passed over.
    #expect((FileState(path: folder.file("test.db-wal")).content?.count ?? 0) > 500_000)
    let database = try folder.database()
    #expect(try database.values() == ["before", "committed"])
    #expect(try database.checkIntegrity() == [])
    try database.insert("after")
    try database.close()
    #expect(try folder.names == ["test.db"])
  }

  @Test(arguments: [3, 8, 21, 55]) func aProcessKilledAnyTimeLeavesWholeTransactions(
    milliseconds: UInt32
  ) async throws {
    try folder.database().close()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = folder.file() as String, milliseconds = milliseconds as UInt32] in
      let database = try Database(path: path, configuration: .test())
      Thread {
        usleep(milliseconds * 1000)
        kill(getpid(), SIGKILL)
      }.start()
      while true {
        try database.insert(1, 2)
        if try database.count() % 40 == 0 { try database.checkpoint() }
      }
    }
    let database = try folder.database()
    #expect(try database.count() % 2 == 0)
    #expect(try database.checkIntegrity() == [])
    try database.insert(3)
  }

  @Test func aProcessKilledInAMigrationLeavesTheFileAsItWas() async throws {
    let database = try folder.database()
    try database.migrate([Migration(version: 1, name: "one", sql: "CREATE TABLE a (b)")])
    try database.insert("kept")
    try database.close()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.file() as String] in
      let database = try Database(path: path, configuration: .test())
      Thread {
        // The copy is there before the step that never ends.
        while !FileManager.default.fileExists(atPath: path + ".before-2") { usleep(500) }
        usleep(20_000)
        kill(getpid(), SIGKILL)
      }.start()
      try database.migrate([
        Migration(version: 1, name: "one", sql: "CREATE TABLE a (b)"),
        Migration(
          version: 2, name: "two",
          sql: """
            DELETE FROM t;
            INSERT INTO a WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT i FROM n;
            """),
      ])
    }
    #expect(try folder.database().values() == ["kept"])
    #expect(try folder.database("test.db.before-2").values() == ["kept"])
    #expect(try folder.database().checkIntegrity() == [])
  }

  @Test func twoProcessesWriteToOneFile() async throws {
    let path = folder.file()
    let database = try folder.database()
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            let database = try Database(path: path, configuration: .test())
            try waitForAll(2, beside: path)
            for number in 0..<100 {
              try database.insert(.integer(number))
              _ = try database.count()
            }
            try database.close()
          }
        }
      }
    }
    #expect(try database.count() == 200)
    let distinct = try database.first(
      "SELECT count(*) FROM (SELECT v FROM t GROUP BY v HAVING count(*) = 2)")
    #expect(distinct == 100)
    #expect(try database.checkIntegrity() == [])
  }

  @Test func twoProcessesMakeOneFile() async throws {
    let path = folder.file()
    await withTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            try waitForAll(3, beside: path)
            let database = try Database(path: path, configuration: .test())
            try database.migrate([
              Migration(version: 1, name: "one", sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
            ])
            try database.insert(1)
          }
        }
      }
    }
    #expect(try folder.database().count() == 3)
    #expect(FileState(path: path).mode & 0o777 == 0o600)
  }

  @Test func anotherProcessesLockIsToldAsBusy() async throws {
    let database = try folder.database()
    let path = folder.file()
    try database.insert(1)
    let other = try OtherProgram(path, "BEGIN IMMEDIATE")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let database = try Database(
        path: path, configuration: .test(busyTimeout: .milliseconds(50)))
      let error = try #require(failure { try database.insert(2) })
      try #require(error.code == .busy)
      try #require(try database.count() == 1)
    }
    try other.execute("COMMIT")
    try database.insert(3)
    #expect(try database.values() == [1, 3])
  }

  /// POSIX drops the locks of a process on a file when it closes any descriptor of it. Without its
  /// lock, the log of a connection is deleted under it by another process that closes the file.
  @Test func openingAgainDoesNotUnlockWhatIsOpen() async throws {
    let database = try folder.database()
    let path = folder.file()
    try database.insert(1)
    _ = try database.count()
    // Each of these looks at the file, or at what may be one.
    try Database(path: path, configuration: .test()).close()
    #expect(failure { try database.backup(to: path) } != nil)
    #expect(failure { try database.backup(to: path, replacesFile: true) } != nil)
    try database.backup(to: path + ".copy")
    var mine = Database.Configuration.test()
    mine.applicationID = 1
    #expect(failure { try Database(path: path, configuration: mine) }?.code == .notOurs)
    for expected in [1, 2] as [Int64] {
      await #expect(processExitsWith: .success) {
        [path = path as String, expected = expected as Int64] in
        let database = try Database(path: path, configuration: .test())
        try #require(try database.count() == expected)
        try database.close()
      }
      #expect(try folder.names.contains("test.db-wal"))
      if expected == 1 { try database.insert(2) }
    }
    try database.close()
    #expect(try folder.database().values() == [1, 2])
  }
}
