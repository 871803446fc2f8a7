import CSQLite

extension Database {
  /// Copies the database, as it is at this moment, to another file, while others go on writing.
  ///
  /// The copy appears under its name when it is whole, and can be read by its owner alone.
  ///
  /// - Parameters:
  ///   - destination: the copy's name.
  ///   - replacesFile: whether a file of that name may be replaced; else it is an error.
  ///   - progress: told the pages that are copied and those there are.
  /// - Throws: ``DatabaseError``
  public func backup(
    to destination: String, replacesFile: Bool = false,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws {
    try read { try $0.copy(to: destination, replacesFile: replacesFile, progress: progress) }
  }

  /// What is wrong in the file: damaged pages, broken constraints, rows without their parents.
  /// Empty when all is well.
  ///
  /// - Throws: ``DatabaseError`` when the file can't be read at all.
  public func checkIntegrity() throws -> [String] {
    try read { connection in
      var problems = try connection.all("PRAGMA integrity_check") { $0.text(0) }
      if problems.count == 1, problems[0] == "ok" { problems = [] }
      problems += try connection.all("PRAGMA foreign_key_check") {
        // A table WITHOUT ROWID has no number for its rows.
        let row = $0.optionalInteger(1).map { "row \($0)" } ?? "a row"
        return "\(row) of \($0.text(0)) has no parent in \($0.text(2))"
      }
      // SQLite fills a last page that was cut with zeros, and is silent. While there is a log, that
      // may have the whole page.
      guard csqlite_size(connection.path + "-wal") <= 0 else { return problems }
      let pageSize = try connection.first("PRAGMA page_size") { $0.integer(0) } ?? 1
      let excess = csqlite_size(connection.path) % pageSize
      if excess > 0 { problems.append("the file was cut: its last page has \(excess) bytes") }
      return problems
    }
  }
}

extension Connection {
  /// Copies the database to a file, within a transaction for reading.
  func copy(
    to destination: String, replacesFile: Bool, progress: (Int, Int) -> Void = { _, _ in }
  ) throws {
    try checkDestination(destination, replacesFile: replacesFile)
    // A folder of its own: two processes that make the same copy don't write into one file, and
    // what a killed one leaves is known as such.
    let folder = try WorkFolder(beside: destination)
    defer { folder.remove() }
    do {
      let failure = csqlite_create_private_file(folder.file("copy"))
      guard failure == 0 else { throw DatabaseError(systemError: failure, path: destination) }
      try copyPages(to: folder.file("copy"), progress)
      try folder.publish("copy", as: destination, replacesFile: replacesFile)
    } catch let error as DatabaseError {
      throw DatabaseError(
        error.code, error.message, path: destination, sql: error.sql,
        extendedCode: error.extendedCode)
    }
  }

  private func checkDestination(_ destination: String, replacesFile: Bool) throws {
    func refuse(_ reason: String) -> DatabaseError {
      DatabaseError(.cannotOpen, reason, path: destination)
    }
    guard !destination.utf8.contains(0), !destination.isEmpty else {
      throw refuse("not a file name")
    }
    guard replacesFile || csqlite_exists(destination) == 0 else {
      throw refuse(
        "there is a file of this name already; choose another name, or ask to replace it")
    }
    guard csqlite_is_special(destination) == 0 else {
      throw refuse("this is no ordinary file; choose another name")
    }
    guard csqlite_is_same_file(path, destination) == 0 else {
      throw refuse("this is the database itself; choose another name")
    }
    // SQLite would take the log of the file that was there for the copy's, and spoil it.
    for suffix in ["-wal", "-journal"] where csqlite_exists(destination + suffix) != 0 {
      throw refuse(
        "there is a database's log beside this name (\(suffix)), so it may be in use; "
          + "choose another name")
    }
  }

  private func copyPages(to path: String, _ progress: (Int, Int) -> Void) throws {
    let target = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE, busyTimeout: .zero)
    try target.execute("PRAGMA fullfsync = ON")
    // The transaction's state begins with its first statement: one state of the database, however
    // many others write meanwhile.
    try execute("SELECT count(*) FROM sqlite_schema")
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw DatabaseError(
        result: sqlite3_extended_errcode(target.handle),
        detail: String(cString: sqlite3_errmsg(target.handle)), path: path)
    }
    var result = SQLITE_OK
    while result == SQLITE_OK {
      result = sqlite3_backup_step(backup, 512)
      let total = Int(sqlite3_backup_pagecount(backup))
      progress(total - Int(sqlite3_backup_remaining(backup)), total)
    }
    sqlite3_backup_finish(backup)
    guard result == SQLITE_DONE else {
      throw DatabaseError(
        result: result, detail: String(cString: sqlite3_errstr(result)), path: path)
    }
    // One file: nothing of the copy is in a log beside it.
    let mode = try target.first("PRAGMA journal_mode = DELETE") { $0.text(0) }
    guard mode == "delete" else {
      throw DatabaseError(.ioError, "the copy can't be completed", path: path)
    }
  }
}
