import CSQLite

extension Database {
  /// Copies the database, as it is at this moment, to another file, while others go on writing.
  ///
  /// The copy appears under its name when it is whole, and can be read by its owner alone.
  ///
  /// - Parameters:
  ///   - replacesFile: whether a file of that name may be replaced; else it is an error.
  ///   - progress: told the pages that are copied and those there are.
  /// - Throws: ``DatabaseError``
  public func backup(
    to destination: String, replacesFile: Bool = false,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws {
    guard !destination.utf8.contains(0), !destination.isEmpty else {
      throw DatabaseError(.cannotOpen, "not a file name", path: destination)
    }
    var header: UInt8 = 0
    if !replacesFile, csqlite_read_start(destination, &header, 1) != -ENOENT {
      throw DatabaseError(
        .cannotOpen, "there is a file of this name already; choose another name",
        path: destination)
    }
    let partial = "\(destination).partial"
    _ = csqlite_remove(partial)
    let failure = csqlite_create_private_file(partial)
    guard failure == 0 else {
      throw DatabaseError(
        failure == ENOSPC ? .full : .cannotOpen,
        "the copy can't be made (\(String(cString: csqlite_error_text(failure))))",
        path: destination)
    }
    do {
      try copyPages(to: partial, progress)
    } catch {
      _ = csqlite_remove(partial)
      throw error
    }
    let renaming = csqlite_rename(partial, destination)
    guard renaming == 0 else {
      _ = csqlite_remove(partial)
      throw DatabaseError(
        .cannotOpen, "the copy can't be named (\(String(cString: csqlite_error_text(renaming))))",
        path: destination)
    }
  }

  private func copyPages(to path: String, _ progress: (Int, Int) -> Void) throws {
    let target = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE, busyTimeout: configuration.busyTimeout)
    // One state of the database, however many others write meanwhile.
    try read { source in
      try source.execute("SELECT count(*) FROM sqlite_schema")
      guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
        throw target.failure()
      }
      var result = SQLITE_OK
      while result == SQLITE_OK {
        result = sqlite3_backup_step(backup, 512)
        let total = Int(sqlite3_backup_pagecount(backup))
        progress(total - Int(sqlite3_backup_remaining(backup)), total)
      }
      sqlite3_backup_finish(backup)
      guard result == SQLITE_DONE else { throw target.failure(result) }
    }
    // One file: no log is left beside the copy.
    try target.execute("PRAGMA journal_mode = DELETE")
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
        "row \($0.integer(1)) of \($0.text(0)) has no parent in \($0.text(2))"
      }
      return problems
    }
  }
}

extension Connection {
  fileprivate func failure(_ result: Int32? = nil) -> DatabaseError {
    DatabaseError(
      result: result ?? sqlite3_extended_errcode(handle),
      detail: result.map { String(cString: sqlite3_errstr($0)) }
        ?? String(cString: sqlite3_errmsg(handle)), path: path)
  }
}
