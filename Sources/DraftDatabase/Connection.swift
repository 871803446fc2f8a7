import CSQLite

/// One connection to a database file; ``Database`` lends it to one caller at a time.
public final class Connection {
  /// The database file.
  public let path: String
  let handle: OpaquePointer
  let access: ConnectionAccess
  /// How it waits; SQLite holds on to it.
  private let conduct: UnsafeMutablePointer<csqlite_conduct>
  /// Statements whose SQL is a literal, by the literal's address.
  private var literalStatements: [UnsafePointer<UInt8>: Statement] = [:]
  /// Statements whose SQL is put together, by their text; the least used leave first.
  private var composedStatements: [String: Statement] = [:]
  private var useCount: UInt64 = 0
  private static let composedCapacity = 64
  /// The state of the file that must not change, where it is read without a log and locks.
  private let state: FileState?

  /// - Parameters:
  ///   - path: the name for messages.
  ///   - fullName: the name that is opened, where it is another.
  ///   - flags: SQLite's.
  ///   - busyTimeout: how long to wait for a lock.
  ///   - state: the state of the file when it is to be read as it is, without a log and locks; a
  ///     transaction in which that changes fails.
  init(
    path: String, fullName: String? = nil, flags: Int32, busyTimeout: Duration,
    state: FileState? = nil
  ) throws {
    self.path = path
    self.state = state
    var handle: OpaquePointer?
    // ":memory:" and, where SQLite is built so, "file:" names mean other things than files.
    var name = fullName ?? path
    if !name.hasPrefix("/") { name = "./\(name)" }
    var flags = flags
    if state != nil {
      name = FilePlace.immutableURI(name)
      flags |= SQLITE_OPEN_URI
    }
    let result = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let handle else {
      let detail = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      let code = handle.map { sqlite3_extended_errcode($0) } ?? SQLITE_NOMEM
      sqlite3_close_v2(handle)
      throw DatabaseError(result: code, detail: detail, path: path)
    }
    guard let conduct = csqlite_wait_for_locks(handle, busyTimeout.milliseconds) else {
      sqlite3_close_v2(handle)
      throw DatabaseError(result: SQLITE_NOMEM, detail: "out of memory", path: path)
    }
    self.conduct = conduct
    self.handle = handle
    access = ConnectionAccess(
      handle: handle, path: path, readsOnly: flags & SQLITE_OPEN_READONLY != 0)
    sqlite3_extended_result_codes(handle, 1)
    csqlite_harden(handle)
  }

  deinit {
    access.isLent = false
    literalStatements.removeAll()
    composedStatements.removeAll()
    sqlite3_close_v2(handle)
    free(conduct)
  }

  /// Has commits keep the write-ahead log small, whoever reads meanwhile.
  func boundLog() { csqlite_bound_log(handle, conduct) }

  /// The prepared statement of a literal; it is prepared once and kept, and its earlier bindings
  /// may still be there.
  ///
  /// While it is being stepped through, the same literal gives another statement. Before its first
  /// step it gives this one again: bind and step a statement before the literal is used anew.
  public func statement(_ sql: StaticString) throws -> Statement {
    if let kept = literalStatements[sql.utf8Start], !kept.isInUse { return kept }
    let statement = try sql.utf8Start.withMemoryRebound(
      to: CChar.self, capacity: sql.utf8CodeUnitCount
    ) {
      try Statement($0, length: sql.utf8CodeUnitCount, access: access)
    }
    // While the kept one is being stepped through, this one serves once.
    if literalStatements[sql.utf8Start] == nil { literalStatements[sql.utf8Start] = statement }
    return statement
  }

  /// The prepared statement of an SQL text that was put together; the most recent ones are kept.
  public func statement(composed sql: String) throws -> Statement {
    useCount += 1
    if let kept = composedStatements[sql], !kept.isInUse {
      kept.lastUse = useCount
      return kept
    }
    try checkNoNUL(sql)
    let statement = try sql.withCString {
      try Statement($0, length: sql.utf8.count, access: access)
    }
    guard composedStatements[sql] == nil else { return statement }
    if composedStatements.count >= Self.composedCapacity,
      let oldest = composedStatements.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      composedStatements.removeValue(forKey: oldest.key)
    }
    statement.lastUse = useCount
    composedStatements[sql] = statement
    return statement
  }

  /// Runs one statement to its end.
  public func run(_ sql: StaticString, _ values: SQLValue...) throws {
    let statement = try statement(sql)
    try statement.bind(values)
    try statement.run()
  }

  /// What a closure makes of the first row, or nil when there is none.
  public func first<Result>(
    _ sql: StaticString, _ values: SQLValue..., row: (Statement) throws -> Result
  ) throws -> Result? {
    let statement = try statement(sql)
    try statement.bind(values)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return try row(statement)
  }

  /// What a closure makes of each row.
  public func all<Result>(
    _ sql: StaticString, _ values: SQLValue..., row: (Statement) throws -> Result
  ) throws -> [Result] {
    let statement = try statement(sql)
    try statement.bind(values)
    return try Self.rows(of: statement, row)
  }

  /// What a closure makes of each row of an SQL text that was put together.
  public func all<Result>(
    composed sql: String, _ values: [SQLValue], row: (Statement) throws -> Result
  ) throws -> [Result] {
    let statement = try statement(composed: sql)
    try statement.bind(values)
    return try Self.rows(of: statement, row)
  }

  private static func rows<Result>(
    of statement: Statement, _ row: (Statement) throws -> Result
  ) throws -> [Result] {
    defer { statement.reset() }
    var results: [Result] = []
    while try statement.step() { results.append(try row(statement)) }
    return results
  }

  /// Runs any number of statements separated by semicolons, without values and uncached.
  public func execute(_ script: String) throws {
    try access.check()
    try checkNoNUL(script)
    let result = sqlite3_exec(handle, script, nil, nil, nil)
    guard result == SQLITE_OK else {
      throw access.failure(sql: script)
    }
  }

  /// SQLite takes a NUL for the end, and would leave out what follows without a word.
  private func checkNoNUL(_ sql: String) throws {
    guard !sql.utf8.contains(0) else {
      throw DatabaseError(.misuse, "the SQL holds a NUL character", path: path, sql: sql)
    }
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  public var changeCount: Int { Int(sqlite3_changes64(handle)) }

  /// The row id of the last INSERT.
  public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// The steps of SQLite's plan for a statement, as `EXPLAIN QUERY PLAN` tells them.
  public func queryPlan(_ sql: String) throws -> [String] {
    // The plan is made without values for the parameters.
    try Self.rows(of: try statement(composed: "EXPLAIN QUERY PLAN " + sql)) { $0.text(3) }
  }

  /// Runs a closure in a transaction that writes.
  func writeTransaction<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    // A file that has lost its name still takes commits, which nobody would find again.
    guard csqlite_has_moved(handle) == 0 else {
      throw DatabaseError(
        .cannotOpen, "the file was moved or removed while it was open; open it anew", path: path)
    }
    return try transaction(begin: "BEGIN IMMEDIATE", body)
  }

  /// Runs a closure in a transaction: all of it, or nothing.
  func transaction<Result>(
    begin: StaticString, _ body: (Connection) throws -> Result
  ) throws -> Result {
    try checkState()
    try run(begin)
    access.isInTransaction = true
    access.hasLostValue = false
    defer { access.isInTransaction = false }
    do {
      let result = try body(self)
      try access.checkValues()
      try checkState()
      resetStatements()
      try run("COMMIT")
      return result
    } catch {
      access.isInTransaction = false
      resetStatements()
      // SQLite may have rolled back by itself already, as on a full disk.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      // What the caller took for bad content is a value that was not read, or of two states.
      try access.checkValues()
      try checkState()
      throw error
    }
  }

  /// Sees that a file that is read as it is was not written to.
  func checkState() throws {
    guard let state, !state.isCurrent else { return }
    throw DatabaseError(
      .busy, "the file was written to since it was opened for reading alone; open it anew",
      path: path)
  }

  /// Ends what was not stepped through to its end: it would keep a COMMIT from succeeding, or hold
  /// on to its state of the database beyond the transaction.
  private func resetStatements() {
    var statement = sqlite3_next_stmt(handle, nil)
    while let current = statement {
      if sqlite3_stmt_busy(current) != 0 { sqlite3_reset(current) }
      statement = sqlite3_next_stmt(handle, current)
    }
  }
}

/// Whether a connection may be used at the moment; its statements know of it, too.
final class ConnectionAccess {
  let handle: OpaquePointer
  let path: String
  /// Whether a caller has it: outside of an access, other threads may.
  var isLent = true
  /// Whether a value was read as NULL for want of memory.
  var hasLostValue = false
  /// Whether a transaction was begun and is not to end yet.
  var isInTransaction = false
  private let readsOnly: Bool

  init(handle: OpaquePointer, path: String, readsOnly: Bool) {
    self.handle = handle
    self.path = path
    self.readsOnly = readsOnly
  }

  /// SQLite's last error on the connection.
  func failure(sql: String?) -> DatabaseError {
    let result = sqlite3_extended_errcode(handle)
    if readsOnly, result == SQLITE_READONLY {
      return DatabaseError(
        .readOnly, "a statement that writes, on a connection that reads only", path: path,
        sql: sql, extendedCode: result)
    }
    return DatabaseError(
      result: result, detail: String(cString: sqlite3_errmsg(handle)), path: path, sql: sql)
  }

  /// To be called where SQLite gave no text or blob: it does so for NULL, and without memory.
  func noteLostValue() {
    if sqlite3_errcode(handle) == SQLITE_NOMEM { hasLostValue = true }
  }

  func checkValues() throws {
    guard !hasLostValue else {
      throw DatabaseError(result: SQLITE_NOMEM, detail: "a value was not read", path: path)
    }
  }

  func check() throws {
    guard isLent else {
      throw DatabaseError(
        .misuse, "a connection or statement was used after the access that it was given for",
        path: path)
    }
    // Some errors, a full disk's among them, end the transaction. A caller that goes on after one
    // would have each further statement committed by itself.
    guard !isInTransaction || sqlite3_get_autocommit(handle) == 0 else {
      throw DatabaseError(
        .aborted, "the transaction has ended already, by an earlier error or statement", path: path)
    }
  }
}

extension Duration {
  /// Whole milliseconds, between 0 and about 24 days.
  var milliseconds: Int32 {
    let (seconds, attoseconds) = components
    guard seconds < 2_000_000 else { return 2_000_000_000 }
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }
}
