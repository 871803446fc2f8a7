/// All rows of a database, read past the store's own code.
public struct StoreContent: Equatable, Sendable {
  /// A line a row: the table's name and its values.
  public private(set) var lines: [String] = []

  /// - Parameter knownDrafts: ids of drafts; every other id, being random, reads `<new>`.
  public init(of path: String, knownDrafts: [String] = []) throws {
    let database = try RawDatabase(path)
    lines.append("version \(try database.rows("PRAGMA user_version")[0][0])")
    let tables = try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")
    for table in tables.map({ $0[0] }) {
      let columns = try database.rows(
        "SELECT name FROM pragma_table_xinfo('\(table)') ORDER BY cid")
      for var row in try database.rows("SELECT * FROM \"\(table)\"") {
        for (index, column) in columns.enumerated() where index < row.count {
          // Random ones differ from run to run.
          let isNew = !knownDrafts.isEmpty && !knownDrafts.contains(row[index])
          if table == "draft", column == ["id"], isNew { row[index] = "<new>" }
          if column == ["idempotency_key"] { row[index] = "<key>" }
        }
        lines.append("\(table): \(row.joined(separator: " | "))")
      }
    }
    lines.sort()
  }

  /// What one holds and the other does not, for messages.
  public func difference(from other: StoreContent) -> String {
    let (mine, others) = (Set(lines), Set(other.lines))
    let more = mine.subtracting(others).sorted().map { "+ \($0.prefix(160))" }
    let less = others.subtracting(mine).sorted().map { "- \($0.prefix(160))" }
    return (more + less).joined(separator: "\n")
  }
}
