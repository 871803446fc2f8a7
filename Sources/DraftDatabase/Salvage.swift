import CSQLite

/// What became of one table of a damaged file.
public struct SalvagedTable: Sendable {
  public let name: String
  /// The rows that were saved.
  public internal(set) var savedCount = 0
  /// The rows that an index still counts, or nil where none can be read.
  public internal(set) var expectedCount: Int?
  /// Why rows that were read could not be saved, each with the first part of its key where that is
  /// a number.
  public internal(set) var refused: [(key: Int64?, reason: String)] = []
  /// Why a part can't be read, or nil when all was.
  public internal(set) var problem: String?
}

extension Database {
  /// Saves the rows of a damaged file that can be read in the tables of this database, which are
  /// empty and of the same schema.
  ///
  /// - Parameters:
  ///   - file: a copy of the damaged file; reading may change it.
  ///   - change: looks at a row before it is saved, given the table's name, its columns and the
  ///     values; it may mend values, and throws what keeps the row from being saved.
  /// - Returns: what became of each table, parents before their children.
  /// - Throws: ``DatabaseError`` when the new file can't be written.
  public func salvage(
    _ file: DamagedFile,
    change: (String, [String], inout [SQLValue]) throws -> Void
  ) throws -> [SalvagedTable] {
    let source = try Connection(
      path: file.path, flags: SQLITE_OPEN_READWRITE, busyTimeout: .seconds(1))
    csqlite_read_damaged(source.handle)
    return try write { connection in
      // Rows that triggers would make are among those that are saved.
      csqlite_enable_triggers(connection.handle, 0)
      defer { csqlite_enable_triggers(connection.handle, 1) }
      var known = KnownKeys()
      return try SalvageTable.all(of: connection).map { table in
        try Self.salvage(table, from: source, to: connection, &known, change)
      }
    }
  }

  private static func salvage(
    _ table: SalvageTable, from source: Connection, to target: Connection,
    _ known: inout KnownKeys, _ change: (String, [String], inout [SQLValue]) throws -> Void
  ) throws -> SalvagedTable {
    var result = SalvagedTable(name: table.name)
    let name = SalvageTable.quoted(table.name)
    let columns = table.columns.map(SalvageTable.quoted).joined(separator: ", ")
    let places = table.columns.map { _ in "?" }.joined(separator: ", ")
    let insert = try target.statement(
      composed: "INSERT INTO \(name) (\(columns)) VALUES (\(places))")
    var reader = TableReader(table, source)
    try reader.read(&known) { row in
      var row = row
      do {
        try change(table.name, table.columns, &row)
        try insert.bind(row)
        try insert.run()
        result.savedCount += 1
      } catch let error as DatabaseError
        where [.full, .ioError, .noMemory, .aborted, .busy].contains(error.code)
      {
        throw error
      } catch {
        insert.reset()
        var key: Int64?
        if case .integer(let number)? = row.first, table.firstKeyIsInteger { key = number }
        let reason = (error as? DatabaseError)?.message ?? "\(error)"
        result.refused.append((key, reason))
      }
    }
    result.problem = reader.problem
    if result.problem != nil {
      // Any index will do to count.
      result.expectedCount = try? source.all(
        composed: "SELECT count(*) FROM \(name)", []
      ) { Int($0.integer(0)) }.first
    }
    return result
  }
}

extension DamagedFile {
  /// The mark and the schema's version that the file states, or nil where it can't be read.
  public func statedVersion() -> (applicationID: Int32, version: Int)? {
    guard
      let source = try? Connection(
        path: path, flags: SQLITE_OPEN_READWRITE, busyTimeout: .seconds(1))
    else { return nil }
    csqlite_read_damaged(source.handle)
    guard let version = try? source.userVersion(),
      let mark = try? source.first("PRAGMA application_id", row: { $0.integer(0) }),
      let tableCount = try? source.first(
        "SELECT count(*) FROM sqlite_schema", row: { $0.integer(0) }), tableCount > 0
    else { return nil }
    return (Int32(truncatingIfNeeded: mark), version)
  }
}
