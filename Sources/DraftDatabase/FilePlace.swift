import CSQLite

/// Where a database's file stands: what may be made beside it, and what others may have laid there.
struct FilePlace {
  /// The file's full name, behind symbolic links; its logs stand beside it.
  let name: String
  /// The name for messages.
  let path: String

  init(name: String, path: String) {
    self.name = name
    self.path = path
  }

  init(of connection: Connection) {
    let name = sqlite3_db_filename(connection.handle, "main").map(String.init(cString:))
    self.init(name: name ?? connection.path, path: connection.path)
  }

  private static let logSuffixes = ["-wal", "-journal", "-shm"]

  /// The state in which a file is read as it is, where that is the only way: SQLite reads no file in
  /// WAL mode beside which it can't make a log and its index. Nil where it can, or finds both.
  ///
  /// Where the file itself may not be written, what would be made beside it would be this user's,
  /// and could keep the file's owner from writing.
  ///
  /// - Throws: ``DatabaseError`` when a file must not be written, or its log can't be read.
  func stateToRead(forWriting: Bool) throws -> FileState? {
    try checkLogs()
    guard !forWriting else {
      try checkFile()
      return nil
    }
    guard isSomebodyElses || csqlite_may_write(name) != 0 || csqlite_may_make_beside(name) != 0
    else { return nil }
    let (log, index) = (name + "-wal", name + "-shm")
    if csqlite_exists(log) != 0, csqlite_exists(index) != 0 {
      // Another process has it open, or was killed: the commits in the log count.
      guard csqlite_may_read(log) == 0, csqlite_may_read(index) == 0 else {
        throw DatabaseError(
          .permission,
          "the latest commits are in its log (-wal), which may not be read; ask the file's owner",
          path: path)
      }
      return nil
    }
    let state = try FileState(of: name, path: path)
    guard let unread = state.log else { return state }
    throw DatabaseError(
      .readOnly,
      """
      the latest commits are in its log (\(unread)), which can't be read where nothing may be \
      written; copy the file and its log to a folder of your own, and open that
      """, path: path)
  }

  /// A file that somebody else laid where everybody may, such as in /tmp, would be given what its
  /// maker must not see.
  private func checkFile() throws {
    guard !isSomebodyElses else {
      throw DatabaseError(
        .permission,
        """
        the file is somebody else's, in a folder where everybody may make files, so it is not \
        written to; keep it in a folder of your own
        """, path: path)
    }
  }

  private var isSomebodyElses: Bool {
    csqlite_may_be_planted(path, nil) != 0 || csqlite_may_be_planted(name, nil) != 0
  }

  /// Commits would go into a log that somebody else laid there, or come out of it.
  ///
  /// - Throws: ``DatabaseError``
  func checkLogs() throws {
    for suffix in Self.logSuffixes where csqlite_may_be_planted(name + suffix, name) != 0 {
      throw DatabaseError(
        .permission,
        """
        the log beside it (\(suffix)) is somebody else's, in a folder where everybody may make \
        files; move the file to a folder of your own
        """, path: path)
    }
  }

  /// The same error, or what lies beneath it: that no log can be made.
  func explained(_ error: DatabaseError) -> DatabaseError {
    guard [.cannotOpen, .readOnly].contains(error.code), csqlite_may_make_beside(name) != 0
    else { return error }
    return DatabaseError(
      .readOnly,
      """
      the file's folder may not be written, and a log must be kept there; make it writable, or copy \
      the file elsewhere
      """, path: path, sql: error.sql, extendedCode: error.extendedCode)
  }

  /// The name by which SQLite opens a file without looking for a log, and without locks.
  static func immutableURI(_ name: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-~".utf8)
    let digits = Array("0123456789ABCDEF")
    let escaped = name.utf8.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }.joined()
    // An empty authority, so that no part of the name is taken for one.
    return "file:\(name.hasPrefix("/") ? "//" : "")\(escaped)?immutable=1"
  }
}

/// The state of a file that is read as it is. Any commit changes it, or leaves a log.
struct FileState {
  private let name: String
  private let stamp: [Int64]

  init(of name: String, path: String) throws {
    self.name = name
    // The stamp first: what is committed afterwards is noticed.
    var stamp = [Int64](repeating: 0, count: Int(csqlite_stamp_count))
    let failure = csqlite_stamp(name, &stamp)
    guard failure == 0 else { throw DatabaseError(systemError: failure, path: path) }
    self.stamp = stamp
  }

  /// The log that holds commits now, or nil.
  var log: String? { ["-wal", "-journal"].first { csqlite_size(name + $0) > 0 } }

  var isCurrent: Bool {
    var now = [Int64](repeating: 0, count: stamp.count)
    return csqlite_stamp(name, &now) == 0 && now == stamp && log == nil
  }
}
