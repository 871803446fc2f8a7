import CSQLite

/// One connection to a database file; ``Database`` lends it to one caller at a time.
public final class Connection {
  /// The database file.
  public let path: String
  let handle: OpaquePointer
  /// Statements whose SQL is a literal, by the literal's address.
  private var literalStatements: [UnsafePointer<UInt8>: Statement] = [:]
  /// Statements whose SQL is put together, by their text; the least used leave first.
  private var composedStatements: [String: Statement] = [:]
  private var useCount: UInt64 = 0
  private static let composedCapacity = 64

  init(path: String, flags: Int32, busyTimeout: Duration) throws {
    self.path = path
    var handle: OpaquePointer?
    let result = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard result == SQLITE_OK, let handle else {
      let detail = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      let code = handle.map { sqlite3_extended_errcode($0) } ?? SQLITE_NOMEM
      sqlite3_close_v2(handle)
      throw DatabaseError(result: code, detail: detail, path: path)
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, busyTimeout.milliseconds)
  }

  deinit {
    literalStatements.removeAll()
    composedStatements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// The prepared statement of a literal; it is prepared once and kept, and its earlier bindings
  /// may still be there.
  public func statement(_ sql: StaticString) throws -> Statement {
    if let kept = literalStatements[sql.utf8Start], !kept.isInUse { return kept }
    let statement = try sql.utf8Start.withMemoryRebound(
      to: CChar.self, capacity: sql.utf8CodeUnitCount
    ) {
      try Statement($0, length: sql.utf8CodeUnitCount, database: handle, path: path)
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
    let statement = try sql.withCString {
      try Statement($0, length: sql.utf8.count, database: handle, path: path)
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
    let result = sqlite3_exec(handle, script, nil, nil, nil)
    guard result == SQLITE_OK else {
      throw DatabaseError(
        result: sqlite3_extended_errcode(handle), detail: String(cString: sqlite3_errmsg(handle)),
        path: path, sql: script)
    }
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  public var changeCount: Int { Int(sqlite3_changes64(handle)) }

  /// The row id of the last INSERT.
  public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// The steps of SQLite's plan for a statement, as `EXPLAIN QUERY PLAN` tells them.
  public func queryPlan(_ sql: String) throws -> [String] {
    try all(composed: "EXPLAIN QUERY PLAN " + sql, []) { $0.text(3) }
  }

  /// Runs a closure in a transaction: all of it, or nothing.
  func transaction<Result>(
    begin: StaticString, _ body: (Connection) throws -> Result
  ) throws -> Result {
    try run(begin)
    do {
      let result = try body(self)
      try run("COMMIT")
      return result
    } catch {
      // SQLite may have rolled back by itself already, as on a full disk.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }
}

extension Duration {
  /// Whole milliseconds, between 0 and about 24 days.
  var milliseconds: Int32 {
    let (seconds, attoseconds) = components
    guard seconds < 2_000_000 else { return 2_000_000_000 }
    return Int32(max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000))
  }
}
