import CSQLite

/// A prepared statement of a connection; it is used within the connection's transaction alone.
///
/// Parameters count from 1 and columns from 0, as in SQLite.
public final class Statement {
  let handle: OpaquePointer
  private let access: ConnectionAccess
  /// When the cache last handed it out, in the order of uses.
  var lastUse: UInt64 = 0

  init(_ sql: UnsafePointer<CChar>, length: Int, access: ConnectionAccess) throws {
    self.access = access
    try access.check()
    var tail: UnsafePointer<CChar>?
    let length = Int32(clamping: length)
    guard let handle = try Self.prepare(sql, length, &tail, access) else {
      throw DatabaseError(
        .misuse, "the SQL holds no statement", path: access.path, sql: String(cString: sql))
    }
    self.handle = handle
    // SQLite prepares the first statement alone, and is silent about others.
    guard let tail, let rest = try Self.prepare(tail, length - Int32(tail - sql), nil, access)
    else { return }
    sqlite3_finalize(rest)
    throw DatabaseError(
      .misuse, "the SQL holds more than one statement", path: access.path,
      sql: String(cString: sql))
  }

  private static func prepare(
    _ sql: UnsafePointer<CChar>, _ length: Int32,
    _ tail: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ access: ConnectionAccess
  ) throws -> OpaquePointer? {
    var handle: OpaquePointer?
    let result = sqlite3_prepare_v3(
      access.handle, sql, length, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, tail)
    guard result == SQLITE_OK else {
      throw access.failure(sql: String(cString: sql))
    }
    return handle
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Whether it is being stepped through, so that the cache does not hand it out again.
  var isInUse: Bool { sqlite3_stmt_busy(handle) != 0 }

  /// The SQL text.
  public var sql: String { sqlite3_sql(handle).map(String.init(cString:)) ?? "" }

  // MARK: Parameters

  /// Binds a value to a parameter.
  public func bind(_ value: SQLValue, at index: Int32) throws {
    switch value {
    case .null: try check(sqlite3_bind_null(handle, index))
    case .integer(let number): try bind(number, at: index)
    case .real(let number):
      guard !number.isNaN else {
        // SQLite would keep NULL in its place.
        throw DatabaseError(.misuse, "NaN can't be kept", path: access.path, sql: sql)
      }
      try check(sqlite3_bind_double(handle, index, number))
    case .text(let text): try bind(text, at: index)
    case .blob(let bytes): try bind(bytes, at: index)
    }
  }

  /// Binds an integer to a parameter.
  public func bind(_ number: Int64, at index: Int32) throws {
    try check(sqlite3_bind_int64(handle, index, number))
  }

  /// Binds text to a parameter, byte for byte, NUL included.
  public func bind(_ text: String, at index: Int32) throws {
    var text = text
    let result = text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { bytes in
        // An empty buffer may have no address, which SQLite would take for NULL.
        bytes.baseAddress.map {
          sqlite3_bind_text64(
            handle, index, $0, UInt64(bytes.count), csqlite_transient(), UInt8(SQLITE_UTF8))
        } ?? sqlite3_bind_text64(handle, index, "", 0, csqlite_transient(), UInt8(SQLITE_UTF8))
      }
    }
    try check(result)
  }

  /// Binds bytes to a parameter.
  public func bind(_ bytes: [UInt8], at index: Int32) throws {
    let result = bytes.withUnsafeBytes { buffer in
      buffer.baseAddress.map {
        sqlite3_bind_blob64(handle, index, $0, UInt64(buffer.count), csqlite_transient())
      } ?? sqlite3_bind_zeroblob(handle, index, 0)
    }
    try check(result)
  }

  /// Binds values to all parameters.
  ///
  /// - Throws: ``DatabaseError`` when there are more or fewer of them: the others would keep what an
  ///   earlier use had bound.
  public func bind(_ values: [SQLValue]) throws {
    let count = Int(sqlite3_bind_parameter_count(handle))
    guard values.count == count else {
      throw DatabaseError(
        .misuse, "the statement takes \(count) values and was given \(values.count)",
        path: access.path, sql: sql)
    }
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
  }

  // MARK: Running

  /// Goes to the next row. Whether there is one; after the last, the statement is reset.
  ///
  /// - Throws: ``DatabaseError``; the statement is reset then, too.
  public func step() throws -> Bool {
    try access.check()
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    guard result == SQLITE_DONE else {
      let error = failure()
      reset()
      throw error
    }
    reset()
    return false
  }

  /// Runs the statement to its end, its rows unread.
  public func run() throws {
    while try step() {}
  }

  /// Forgets the rows that are left; bound values stay.
  public func reset() {
    sqlite3_reset(handle)
  }

  // MARK: The current row

  public func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// A column's text; "" for NULL.
  public func text(_ column: Int32) -> String {
    withText(column) { String(decoding: $0, as: UTF8.self) }
  }

  /// A column's text, or nil for NULL.
  public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// A column's integer, or nil for NULL.
  public func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : integer(column)
  }

  /// Reads a column's UTF-8 in place; the buffer ends with the call.
  public func withText<Result>(
    _ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let start = sqlite3_column_text(handle, column)
    if start == nil { access.noteLostValue() }
    return try body(
      UnsafeBufferPointer(
        start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))))
  }

  public func blob(_ column: Int32) -> [UInt8] {
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    if start == nil { access.noteLostValue() }
    return [UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// A column in its storage class.
  public func value(_ column: Int32) -> SQLValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(blob(column))
    default: .null
    }
  }

  private func check(_ result: Int32) throws {
    guard result == SQLITE_OK else { throw failure() }
  }

  private func failure() -> DatabaseError { access.failure(sql: sql) }
}
