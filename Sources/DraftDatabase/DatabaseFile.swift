import CSQLite
import Dispatch

/// A database file before and while it is opened: whose it is, and the settings of a connection.
struct DatabaseFile: Sendable {
  let path: String
  let configuration: Database.Configuration

  /// Where SQLite's header (file format, section 1.3) keeps the application's mark.
  private static let applicationIDOffset = 68
  private static let headerSize = 100

  /// A connection with its settings; for writing, a file that is not there yet is made.
  func open(forWriting: Bool) throws -> Connection {
    guard !path.utf8.contains(0), !path.isEmpty else {
      throw DatabaseError(.cannotOpen, "not a file name", path: path)
    }
    let isNew = try isNewFile(forWriting: forWriting)
    let flags = forWriting ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    let connection = try Connection(
      path: path, flags: flags, busyTimeout: configuration.busyTimeout)
    try connection.execute(
      """
      PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA recursive_triggers = ON;
      PRAGMA cell_size_check = ON;
      """)
    if forWriting {
      if isNew { try mark(connection) }
      try useWriteAheadLog(connection)
    }
    try checkVersion(connection)
    return connection
  }

  /// Looks at the file itself, so that one that is not ours is never opened, let alone changed.
  /// Whether it is empty.
  private func isNewFile(forWriting: Bool) throws -> Bool {
    if forWriting, configuration.createsFile {
      let failure = csqlite_create_private_file(path)
      guard failure == 0 || failure == EEXIST else { throw systemError(failure) }
    }
    var header = [UInt8](repeating: 0, count: Self.headerSize)
    let count = csqlite_read_start(path, &header, Int32(Self.headerSize))
    guard count >= 0 else { throw systemError(-count) }
    if forWriting {
      let failure = csqlite_is_writable(path)
      guard failure == 0 else { throw systemError(failure) }
    }
    if count == 0, forWriting { return true }
    guard count == Self.headerSize, header.starts(with: "SQLite format 3\0".utf8) else {
      throw DatabaseError(
        .notADatabase, "the file is not an SQLite database; choose another file", path: path)
    }
    let mark = header[Self.applicationIDOffset..<Self.applicationIDOffset + 4]
      .reduce(0) { $0 << 8 | UInt32($1) }
    guard mark == UInt32(bitPattern: configuration.applicationID) else {
      throw DatabaseError(
        .notOurs, "the file is another program's database; choose another file", path: path)
    }
    return false
  }

  /// Marks a new file as ours before it goes over to the write-ahead log, so that the mark stands
  /// in the file itself from the start.
  private func mark(_ connection: Connection) throws {
    try connection.transaction(begin: "BEGIN IMMEDIATE") {
      try $0.execute("PRAGMA application_id = \(configuration.applicationID)")
    }
  }

  private func useWriteAheadLog(_ connection: Connection) throws {
    let deadline = DispatchTime.now() + .milliseconds(Int(configuration.busyTimeout.milliseconds))
    // The change to WAL does not wait for another process that makes the same change.
    while true {
      do {
        try connection.execute("PRAGMA journal_mode = WAL")
        break
      } catch let error as DatabaseError where error.code == .busy && DispatchTime.now() < deadline
      {
        sqlite3_sleep(5)
      }
    }
    // FAST clears deleted values where that needs no further write; fullfsync is for macOS, whose
    // fsync leaves data in the drive's cache.
    try connection.execute(
      """
      PRAGMA synchronous = \(configuration.synchronous.rawValue);
      PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
      PRAGMA secure_delete = FAST; PRAGMA journal_size_limit = 4194304;
      """)
  }

  private func checkVersion(_ connection: Connection) throws {
    let version = try connection.userVersion()
    guard version <= configuration.newestVersion else {
      throw DatabaseError(
        .fromTheFuture,
        """
        the file has schema version \(version), and this program knows versions up to \
        \(configuration.newestVersion); use a newer program
        """, path: path)
    }
  }

  private func systemError(_ number: Int32) -> DatabaseError {
    let code: DatabaseError.Code =
      switch number {
      case EACCES, EPERM: .permission
      case EROFS: .readOnly
      case ENOSPC, EDQUOT: .full
      case EIO: .ioError
      default: .cannotOpen
      }
    let detail =
      switch number {
      case ENOENT: "the file or its folder does not exist; check the name"
      case EISDIR: "this is a folder; give the name of a file"
      case EINVAL: "this is no ordinary file; choose another"
      default: code.advice ?? "the file can't be opened"
      }
    let words = String(cString: csqlite_error_text(number))
    return DatabaseError(code, "\(detail) (\(words))", path: path)
  }
}

extension Connection {
  /// The schema's version (`PRAGMA user_version`).
  func userVersion() throws -> Int {
    try first("PRAGMA user_version") { Int($0.integer(0)) } ?? 0
  }
}
