import CSQLite
import Dispatch
import Synchronization

/// A database file before and while it is opened: whose it is, and the settings of a connection.
struct DatabaseFile: Sendable {
  let path: String
  let configuration: Database.Configuration
  /// Its full name once it was opened, so that later connections find the same file although the
  /// working folder or a symbolic link has changed.
  private(set) var fullName: String?
  private var identity: (UInt64, UInt64)?

  init(path: String, configuration: Database.Configuration) {
    self.path = path
    self.configuration = configuration
  }

  /// The same file, from a connection to it.
  func found(by connection: Connection) throws -> DatabaseFile {
    var file = self
    file.fullName = sqlite3_db_filename(connection.handle, "main").map(String.init(cString:))
    file.identity = try file.currentIdentity()
    return file
  }

  private func currentIdentity() throws -> (UInt64, UInt64) {
    var identity: [UInt64] = [0, 0]
    let failure = csqlite_identify(fullName ?? path, &identity)
    guard failure == 0 else { throw DatabaseError(systemError: failure, path: path) }
    return (identity[0], identity[1])
  }

  /// Where SQLite's header (file format, section 1.3) keeps the application's mark.
  private static let applicationIDOffset = 68
  /// Where it keeps the schema's version.
  private static let userVersionOffset = 60
  private static let headerSize = 100

  /// Held while a file is made, since closing the descriptor that made it drops every lock that
  /// this process holds on it: no other thread may have opened the file by then.
  private static let making = Mutex(())

  /// A connection with its settings; for writing, a file that is not there yet is made.
  func open(forWriting: Bool) throws -> Connection {
    guard !path.utf8.contains(0), !path.isEmpty else {
      throw DatabaseError(.cannotOpen, "not a file name", path: path)
    }
    let flags = forWriting ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    var connection = try Self.making.withLock { _ in
      try makeOrFind(forWriting: forWriting)
      return try Connection(
        path: path, fullName: fullName, flags: flags, busyTimeout: configuration.busyTimeout)
    }
    let place = FilePlace(of: connection)
    if let state = try place.stateToRead(forWriting: forWriting) {
      connection = try Connection(
        path: path, fullName: place.name, flags: flags, busyTimeout: configuration.busyTimeout,
        state: state)
    }
    if let identity, try currentIdentity() != identity {
      throw DatabaseError(
        .cannotOpen, "another file has taken the file's place; open it anew", path: path)
    }
    // SQLite has opened the file, but reads and writes nothing before the first statement.
    let isNew = try isEmptyOrOurs(connection, forWriting: forWriting)
    do {
      try connection.execute(
        """
        PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA recursive_triggers = ON;
        PRAGMA cell_size_check = ON;
        """)
      if forWriting || isNew { try mark(connection, isNew: isNew) }
      // Before the change to WAL, which would write to a later version's file.
      try checkVersion(try connection.userVersion())
      if forWriting { try useWriteAheadLog(connection) }
    } catch let error as DatabaseError {
      throw place.explained(error)
    }
    // Only now is it certain which log SQLite has opened; nothing is in it yet.
    try place.checkLogs()
    return connection
  }

  private func makeOrFind(forWriting: Bool) throws {
    if forWriting, configuration.createsFile {
      try refuseLogWithoutFile()
      try FilePlace(name: fullName ?? path, path: path).checkLogs()
      let failure = csqlite_create_private_file(fullName ?? path)
      guard failure == 0 || failure == EEXIST else {
        throw DatabaseError(systemError: failure, path: path)
      }
    }
    let failure = csqlite_check_file(fullName ?? path, forWriting ? 1 : 0)
    guard failure == 0 else { throw DatabaseError(systemError: failure, path: path) }
  }

  /// A log holds commits. SQLite deletes one that it finds beside a new file.
  private func refuseLogWithoutFile() throws {
    let name = fullName ?? path
    // The log is looked for first: another process that makes this file makes its log afterwards.
    let log = ["-wal", "-journal"].first { csqlite_size(name + $0) > 0 }
    guard let log, csqlite_exists(name) == 0 else { return }
    throw DatabaseError(
      .cannotOpen,
      "the file is gone, but its log is there (\(log)); put the file back, or move the log away",
      path: path)
  }

  /// Looks at the file's first bytes, so that SQLite never comes to change, or to lay a log beside,
  /// a file that is not ours. Whether it is empty.
  private func isEmptyOrOurs(_ connection: Connection, forWriting: Bool) throws -> Bool {
    var header = [UInt8](repeating: 0, count: Self.headerSize)
    let count = csqlite_read_start(connection.handle, &header, Int32(Self.headerSize))
    guard count >= 0 else {
      throw DatabaseError(
        result: -count, detail: String(cString: sqlite3_errstr(-count)), path: path)
    }
    if count == 0, forWriting {
      guard configuration.createsFile else {
        throw DatabaseError(
          .notADatabase, "the file is empty; put a copy in its place, or remove it to start anew",
          path: path)
      }
      return true
    }
    guard count == Self.headerSize, header.starts(with: "SQLite format 3\0".utf8) else {
      throw DatabaseError(
        .notADatabase, "the file is not an SQLite database; choose another file", path: path)
    }
    func number(at offset: Int) -> Int32 {
      Int32(bitPattern: header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    guard number(at: Self.applicationIDOffset) == configuration.applicationID else {
      throw DatabaseError(
        .notOurs, "the file is another program's database; choose another file", path: path)
    }
    // The log may hold a later version yet; that is asked of SQLite.
    try checkVersion(Int(number(at: Self.userVersionOffset)))
    return false
  }

  /// Marks a new file as ours before it goes over to the write-ahead log, so that the mark stands
  /// in the file itself from the start.
  ///
  /// SQLite is asked whether the mark is there: when the process that made the file was killed, the
  /// first access takes back what stood in it.
  private func mark(_ connection: Connection, isNew: Bool) throws {
    func isMarked() throws -> Bool {
      try connection.first("PRAGMA application_id") { Int32(truncatingIfNeeded: $0.integer(0)) }
        == configuration.applicationID
    }
    if !isNew, try isMarked() { return }
    try connection.transaction(begin: "BEGIN IMMEDIATE") { connection in
      let isEmpty =
        try connection.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } == 0
      guard try isEmpty || isMarked() else {
        throw DatabaseError(
          .notOurs, "the file is another program's database; choose another file", path: path)
      }
      try connection.execute("PRAGMA application_id = \(configuration.applicationID)")
    }
  }

  private func useWriteAheadLog(_ connection: Connection) throws {
    let deadline = DispatchTime.now() + .milliseconds(Int(configuration.busyTimeout.milliseconds))
    // The change to WAL does not wait for another process that makes the same change.
    while true {
      do {
        let mode = try connection.first("PRAGMA journal_mode = WAL") { $0.text(0) }
        guard mode == "wal" else {
          throw DatabaseError(
            .cannotOpen, "no write-ahead log can be kept in this file's folder", path: path)
        }
        break
      } catch let error as DatabaseError where error.code == .busy && DispatchTime.now() < deadline
      {
        sqlite3_sleep(5)
      }
    }
    // The first read takes up the log. A writer that never does leaves it behind when it closes.
    _ = try connection.userVersion()
    // What is deleted is cleared in the file, in pages that become free too; fullfsync is for macOS,
    // whose fsync leaves data in the drive's cache.
    try connection.execute(
      """
      PRAGMA synchronous = \(configuration.synchronous.rawValue);
      PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON;
      PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 4194304;
      """)
    connection.boundLog()
  }

  func checkVersion(_ version: Int) throws {
    guard version <= configuration.newestVersion else {
      throw DatabaseError(
        .fromTheFuture,
        """
        the file has schema version \(version), and this program knows versions up to \
        \(configuration.newestVersion); use a newer program
        """, path: path)
    }
  }
}

extension Connection {
  /// The schema's version (`PRAGMA user_version`).
  func userVersion() throws -> Int {
    try first("PRAGMA user_version") { Int($0.integer(0)) } ?? 0
  }
}
