import CSQLite
import DraftDatabase
import Foundation
import Testing

@Suite struct OpeningTests {
  let folder: Folder
  init() throws { folder = try Folder() }

  /// Opens a file that is to be refused, and sees that nothing in the folder changed.
  func refusal(
    _ name: String = "test.db", _ configuration: Database.Configuration = .test(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> DatabaseError {
    let before = try folder.state()
    let error = failure { try Database(path: folder.file(name), configuration: configuration) }
    #expect(try folder.state() == before, sourceLocation: sourceLocation)
    return try #require(error, sourceLocation: sourceLocation)
  }

  @Test(arguments: [false, true]) func textIsRefused(isReadOnly: Bool) throws {
    let configuration = Database.Configuration.test(isReadOnly: isReadOnly)
    for text in ["x", "some text\n", String(repeating: "long ", count: 5000), "SQLite format 3\0"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file()))
      let error = try refusal("test.db", configuration)
      #expect(error.code == .notADatabase)
      #expect(error.message.contains("choose another file"))
    }
  }

  @Test(arguments: ["DELETE", "WAL"], [false, true])
  func anotherProgramsDatabaseIsRefused(mode: String, isOpen: Bool) throws {
    var other: OtherProgram? = try OtherProgram(
      folder.file(), "PRAGMA journal_mode = \(mode); CREATE TABLE x (y); INSERT INTO x VALUES (1)")
    if !isOpen { other = nil }
    #expect(try refusal().code == .notOurs)
    #expect(try refusal("test.db", .test(isReadOnly: true)).code == .notOurs)
    withExtendedLifetime(other) {}
  }

  @Test func aLaterVersionIsRefused() throws {
    let later = try Database(path: folder.file(), configuration: .test(newestVersion: 2))
    try later.migrate([
      Migration(version: 1, name: "one", sql: "CREATE TABLE a (b)"),
      Migration(version: 2, name: "two", sql: "CREATE TABLE c (d)"),
    ])
    // The version stands in the log alone while the file is open.
    let earlier = Database.Configuration.test(newestVersion: 1)
    let early = failure { try Database(path: folder.file(), configuration: earlier) }
    #expect(early?.code == .fromTheFuture)
    try later.backup(to: folder.file("copy"))
    try later.close()
    for name in ["test.db", "copy"] {
      let error = try refusal(name, earlier)
      #expect(error.code == .fromTheFuture)
      #expect(error.message.contains("version 2"))
      #expect(error.message.contains("use a newer program"))
    }
    #expect(try Database(path: folder.file(), configuration: .test()).checkIntegrity() == [])
  }

  @Test func whatIsNoFileIsRefused() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("folder"), withIntermediateDirectories: false)
    #expect(mkfifo(folder.file("fifo"), 0o600) == 0)
    symlink("nowhere", folder.file("dangling"))
    for isReadOnly in [false, true] {
      let configuration = Database.Configuration.test(isReadOnly: isReadOnly)
      #expect(try refusal("folder", configuration).message.contains("this is a folder"))
      #expect(try refusal("fifo", configuration).message.contains("no ordinary file"))
      #expect(try refusal("dangling", configuration).code == .cannotOpen)
      #expect(try refusal("missing/test.db", configuration).code == .cannotOpen)
      #expect(try refusal("a\0b", configuration).code == .cannotOpen)
    }
    #expect(failure { try Database(path: "", configuration: .test()) }?.code == .cannotOpen)
    #expect(try refusal("absent", .test(createsFile: false)).code == .cannotOpen)
    #expect(try refusal("absent", .test(isReadOnly: true)).code == .cannotOpen)
  }

  @Test func anEmptyFileIsTakenAsNew() throws {
    try Data().write(to: URL(fileURLWithPath: folder.file()))
    #expect(try refusal("test.db", .test(isReadOnly: true)).code == .notADatabase)
    let database = try folder.database()
    try database.insert(1)
    try database.close()
    #expect(try folder.database().values() == [1])
  }

  @Test func aNewFileBearsTheMarkFromTheStart() throws {
    let database = try Database(path: folder.file(), configuration: .test())
    let header = try #require(FileManager.default.contents(atPath: folder.file()))
    #expect(header.prefix(15) == Data("SQLite format 3".utf8))
    #expect(header[68..<72] == Data([0x54, 0x45, 0x53, 0x54]))
    try database.close()
  }

  @Test(arguments: [
    "file:x?mode=memory", "file:x", ":memory:", "with spaces & 100%", "ünï👩‍👩‍👧‍👦", "e\u{301}", "a?b#c",
    "-",
    "%41", "'quoted\"", "line\nbreak",
  ])
  func namesAreTakenLiterally(name: String) throws {
    let database = try folder.database(name)
    try database.insert(1)
    #expect(try database.count() == 1)
    try database.backup(to: folder.file("copy of " + name))
    try database.close()
    // Bytes, since names that Swift takes for equal may be of two files.
    let names = try folder.names.map { Array($0.utf8) }
    #expect(Set(names) == [Array(name.utf8), Array("copy of \(name)".utf8)])
    #expect(try folder.database("copy of " + name).values() == [1])
  }

  @Test func relativeNamesAreFilesToo() async throws {
    // The working folder is the process's, so this one needs a process.
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      try #require(chdir(path) == 0)
      for name in ["file:x?mode=memory", ":memory:", "plain"] {
        let database = try Database(path: name, configuration: .test())
        // Readers open later, and find the file all the same.
        try #require(chdir("/") == 0)
        try database.read { _ = try $0.userTables() }
        try database.backup(to: path + "/copy")
        try #require(chdir(path) == 0)
        try database.close()
        try #require(unlink("copy") == 0)
      }
    }
    let names = try folder.names
    #expect(names == [":memory:", "file:x?mode=memory", "plain"])
  }

  @Test func aSymbolicLinkLeadsToTheFile() throws {
    let database = try folder.database()
    symlink("test.db", folder.file("link"))
    try database.insert(1)
    let linked = try folder.database("link")
    try linked.insert(2)
    #expect(try database.values() == [1, 2])
    try linked.close()
    try database.close()
    #expect(try folder.names == ["link", "test.db"])
  }

  @Test func filesAreTheOwnersAlone() throws {
    let database = try folder.database()
    try database.insert(1)
    _ = try database.count()
    try database.backup(to: folder.file("copy"))
    let modes = try folder.state().mapValues { $0.mode & 0o777 }
    #expect(
      modes == ["test.db": 0o600, "test.db-wal": 0o600, "test.db-shm": 0o600, "copy": 0o600])
    try database.close()
    #expect(try folder.names == ["copy", "test.db"])
  }

  @Test func readOnlyReads() throws {
    let database = try folder.database()
    try database.insert(1)
    let reading = try Database(path: folder.file(), configuration: .test(isReadOnly: true))
    #expect(try reading.values() == [1])
    try database.insert(2)
    #expect(try reading.values() == [1, 2])
    #expect(failure { try reading.insert(3) }?.code == .readOnly)
    #expect(failure { try reading.checkpoint() }?.code == .readOnly)
    #expect(try reading.checkIntegrity() == [])
    try reading.backup(to: folder.file("copy"))
    try reading.migrate([Migration(version: 1, name: "one", sql: "DROP TABLE t")])
    try database.close()
    #expect(try reading.values() == [1, 2])
    try reading.close()
    #expect(try folder.database("copy").values() == [1, 2])
  }

  @Test func readOnlyOfAFileThatNobodyHasOpen() throws {
    try folder.database().insert(1)
    let before = FileState(path: folder.file())
    let reading = try Database(path: folder.file(), configuration: .test(isReadOnly: true))
    #expect(try reading.values() == [1])
    try reading.close()
    #expect(FileState(path: folder.file()) == before)
  }

  @Test(arguments: [Database.Configuration.Synchronous.full, .normal])
  func synchronousIsWhatWasAsked(synchronous: Database.Configuration.Synchronous) throws {
    let database = try folder.database("test.db", .test(synchronous: synchronous))
    let settings = try database.write { connection in
      try ["synchronous", "foreign_keys", "trusted_schema", "recursive_triggers"].map { name in
        try connection.all(composed: "PRAGMA \(name)", []) { $0.integer(0) }[0]
      }
    }
    #expect(settings == [synchronous == .full ? 2 : 1, 1, 0, 1])
    let mode = try database.read { try $0.first("PRAGMA journal_mode") { $0.text(0) } }
    #expect(mode == "wal")
    #expect(Database.Configuration(applicationID: 1, newestVersion: 1).synchronous == .full)
  }

  @Test func aFileThatWasMovedIsNoticed() throws {
    let database = try folder.database()
    try database.insert(1)
    #expect(rename(folder.file(), folder.file("moved.db")) == 0)
    let lost = failure { try database.insert(2) }
    #expect(lost?.code == .cannotOpen)
    #expect(lost?.message.contains("moved or removed") == true)
    // Nor is another in its place taken for it by a reader that opens now.
    try Data(contentsOf: URL(fileURLWithPath: folder.file("moved.db")))
      .write(to: URL(fileURLWithPath: folder.file()))
    #expect(failure { try database.count() }?.code == .cannotOpen)
    #expect(rename(folder.file("moved.db"), folder.file()) == 0)
    try database.insert(3)
    #expect(try database.values() == [1, 3])
  }
}

extension Connection {
  func userTables() throws -> [String] {
    try all("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) }
  }
}
