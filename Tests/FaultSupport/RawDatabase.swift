import CSQLite

/// SQLite by itself, as another program would use it.
public final class RawDatabase {
  public struct Failure: Error, CustomStringConvertible {
    public let result: Int32
    public let description: String
  }

  private var handle: OpaquePointer?

  public init(_ path: String, isReadOnly: Bool = false) throws {
    let flags = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    try check(sqlite3_open_v2(path, &handle, flags, nil))
    sqlite3_busy_timeout(handle, 10_000)
  }

  deinit { sqlite3_close_v2(handle) }

  private func check(_ result: Int32) throws {
    guard result != SQLITE_OK, result != SQLITE_ROW, result != SQLITE_DONE else { return }
    throw Failure(
      result: result, description: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "?")
  }

  public func execute(_ script: String) throws {
    try check(sqlite3_exec(handle, script, nil, nil, nil))
  }

  /// The rows of a query, each value as SQLite writes it in SQL.
  public func rows(_ sql: String) throws -> [[String]] {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while true {
      let result = sqlite3_step(statement)
      guard result == SQLITE_ROW else {
        try check(result)
        return rows
      }
      rows.append((0..<sqlite3_column_count(statement)).map { text(statement, $0) })
    }
  }

  private func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
    let type = sqlite3_column_type(statement, column)
    if type == SQLITE_NULL { return "NULL" }
    let start =
      type == SQLITE_BLOB
      ? sqlite3_column_blob(statement, column)
      : UnsafeRawPointer(sqlite3_column_text(statement, column))
    let bytes = UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(statement, column)))
    return type == SQLITE_BLOB
      ? "x" + bytes.map { String($0, radix: 16) }.joined(separator: ".")
      : String(decoding: bytes, as: UTF8.self)
  }
}
