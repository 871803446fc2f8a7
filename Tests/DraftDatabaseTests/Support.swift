import CSQLite
import DraftDatabase
import Foundation

/// A folder of its own, which is removed with the last reference to it.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "DraftDatabaseTests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String = "test.db") -> String { path + "/" + name }

  /// A database with the table `t (id INTEGER PRIMARY KEY, v)`.
  func database(
    _ name: String = "test.db", _ configuration: Database.Configuration = .test()
  ) throws -> Database {
    let database = try Database(path: file(name), configuration: configuration)
    try database.write {
      try $0.run("CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, v)")
    }
    return database
  }

  /// What there is by name.
  func state() throws -> [String: FileState] {
    var states: [String: FileState] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      states[name] = FileState(path: file(name))
    }
    return states
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

/// All that a program may change in a file by opening it.
struct FileState: Equatable {
  let content: Data?
  let mode: UInt32
  let inode: UInt64
  let seconds: Int
  let nanoseconds: Int

  init(path: String) {
    var status = stat()
    lstat(path, &status)
    // Reading a FIFO would wait for ever.
    content = status.st_mode & S_IFMT == S_IFREG ? FileManager.default.contents(atPath: path) : nil
    mode = UInt32(status.st_mode)
    inode = UInt64(status.st_ino)
    #if canImport(Darwin)
      seconds = status.st_mtimespec.tv_sec
      nanoseconds = status.st_mtimespec.tv_nsec
    #else
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    #endif
  }
}

extension Database.Configuration {
  static let mark: Int32 = 0x5445_5354

  static func test(
    newestVersion: Int = 9, synchronous: Synchronous = .normal,
    busyTimeout: Duration = .seconds(30), readerCount: Int = 4, isReadOnly: Bool = false,
    createsFile: Bool = true
  ) -> Database.Configuration {
    Database.Configuration(
      applicationID: mark, newestVersion: newestVersion, synchronous: synchronous,
      busyTimeout: busyTimeout, readerCount: readerCount, isReadOnly: isReadOnly,
      createsFile: createsFile)
  }
}

extension Database {
  func insert(_ values: SQLValue...) throws {
    try write { connection in
      for value in values { try connection.run("INSERT INTO t (v) VALUES (?)", value) }
    }
  }

  func values() throws -> [SQLValue] {
    try read { try $0.all("SELECT v FROM t ORDER BY id") { $0.value(0) } }
  }

  /// The first value of the first row.
  func first(_ sql: String) throws -> SQLValue? {
    try read { try $0.all(composed: sql, []) { $0.value(0) }.first }
  }

  func count() throws -> Int64 {
    try read { try $0.first("SELECT count(*) FROM t") { $0.integer(0) } ?? -1 }
  }
}

/// The error that a closure throws, when it is a `DatabaseError`.
func failure<Result>(_ body: () throws -> Result) -> DatabaseError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? DatabaseError
  }
}

/// SQLite by itself, as another program would use it.
final class OtherProgram {
  private var handle: OpaquePointer?
  struct Failure: Error { let result: Int32 }

  init(_ path: String, _ script: String = "") throws {
    let result = sqlite3_open(path, &handle)
    guard result == SQLITE_OK else { throw Failure(result: result) }
    try execute(script)
  }

  func execute(_ script: String) throws {
    let result = sqlite3_exec(handle, script, nil, nil, nil)
    guard result == SQLITE_OK else { throw Failure(result: result) }
  }

  /// The first value of the first row as text.
  func first(_ sql: String) throws -> String? {
    var statement: OpaquePointer?
    let result = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard result == SQLITE_OK else { throw Failure(result: result) }
    defer { sqlite3_finalize(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW else { return nil }
    return sqlite3_column_text(statement, 0).map { String(cString: $0) }
  }

  deinit { sqlite3_close(handle) }
}
