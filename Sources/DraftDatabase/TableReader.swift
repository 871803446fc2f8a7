import CSQLite

/// A table as a salvage sees it.
struct SalvageTable {
  let name: String
  /// The columns that are kept; generated ones make themselves.
  let columns: [String]
  /// The places of the primary key's columns, in the key's order; empty where the row id is the key.
  let key: [Int]

  var firstKeyIsInteger = false

  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// The tables of a sound database, parents before their children.
  static func all(of connection: Connection) throws -> [SalvageTable] {
    let names = try connection.all(
      """
      SELECT s.name, l.wr FROM sqlite_schema s JOIN pragma_table_list l ON l.name = s.name
      WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND l.schema = 'main'
      ORDER BY s.rowid
      """
    ) { (name: $0.text(0), isKeyed: $0.integer(1) != 0) }
    var left = try names.map { name, isKeyed in
      (
        table: try SalvageTable(name, isKeyed: isKeyed, connection),
        parents: try connection.all(
          "SELECT DISTINCT \"table\" FROM pragma_foreign_key_list(?)", .text(name)
        ) { $0.text(0) }.filter { $0 != name }
      )
    }
    var sorted: [SalvageTable] = []
    while !left.isEmpty {
      let next =
        left.firstIndex { entry in
          entry.parents.allSatisfy { parent in !left.contains { $0.table.name == parent } }
        } ?? 0
      sorted.append(left.remove(at: next).table)
    }
    return sorted
  }

  private init(_ name: String, isKeyed: Bool, _ connection: Connection) throws {
    let columns = try connection.all(
      "SELECT name, type, pk FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid",
      .text(name)
    ) { (name: $0.text(0), type: $0.text(1), place: Int($0.integer(2))) }
    self.name = name
    self.columns = columns.map(\.name)
    let keyed = columns.indices.filter { columns[$0].place > 0 }
      .sorted { columns[$0].place < columns[$1].place }
    key = isKeyed ? keyed : []
    firstKeyIsInteger = keyed.first.map { columns[$0].type == "INTEGER" } ?? true
  }
}

/// Keys that were met so far, by which more rows may be found.
struct KnownKeys {
  private(set) var greatestInteger: Int64 = 0
  private(set) var texts: Set<String> = []

  mutating func add(_ value: SQLValue) {
    switch value {
    case .integer(let number): greatestInteger = max(greatestInteger, number)
    case .text(let text): texts.insert(text)
    default: break
    }
  }

  static let most: Int64 = 100_000

  /// Values that a key's first column may have.
  func candidates(integers: Bool) -> [SQLValue] {
    guard integers else { return texts.sorted().map(SQLValue.text) }
    // A damaged number can be of any size.
    guard greatestInteger > 0 else { return [] }
    return (1...min(greatestInteger, Self.most)).map(SQLValue.integer)
  }
}

/// Reads the rows of one table of a damaged file, around the places that can't be read.
struct TableReader {
  private let table: SalvageTable
  private let connection: Connection
  private var seen: Set<String> = []
  /// SQLite's words for the first place that can't be read.
  private(set) var problem: String?

  init(_ table: SalvageTable, _ connection: Connection) {
    self.table = table
    self.connection = connection
  }

  private var keyNames: [String] {
    table.key.isEmpty ? ["rowid"] : table.key.map { SalvageTable.quoted(table.columns[$0]) }
  }

  /// Gives each row that can be read to a closure, once.
  ///
  /// From both ends, and where that meets damage, by every key that may be there.
  mutating func read(_ known: inout KnownKeys, _ body: ([SQLValue]) throws -> Void) throws {
    if try scan("", "ASC", [], &known, body) { return }
    _ = try scan("", "DESC", [], &known, body)
    for key in known.candidates(integers: table.key.isEmpty || table.firstKeyIsInteger) {
      let condition = "WHERE \(keyNames[0]) = ?"
      if try scan(condition, "ASC", [key], &known, body) || table.key.count < 2 { continue }
      _ = try scan(condition, "DESC", [key], &known, body)
    }
  }

  /// Reads until the end or to the first damage. Whether it came to the end.
  private mutating func scan(
    _ condition: String, _ direction: String, _ values: [SQLValue], _ known: inout KnownKeys,
    _ body: ([SQLValue]) throws -> Void
  ) throws -> Bool {
    let order = keyNames.map { "\($0) \(direction)" }.joined(separator: ", ")
    let columns = table.columns.map(SalvageTable.quoted).joined(separator: ", ")
    let name = SalvageTable.quoted(table.name)
    let sql = """
      SELECT \(table.key.isEmpty ? "rowid" : "NULL"), \(columns) FROM \(name) NOT INDEXED \
      \(condition) ORDER BY \(order)
      """
    let isWhole = condition.isEmpty && direction == "ASC"
    let connection = connection
    guard let statement = try attempt({ try connection.statement(composed: sql) }) else {
      return false
    }
    try statement.bind(values)
    defer { statement.reset() }
    while true {
      guard let isRow = try attempt({ try statement.step() }) else { return false }
      guard isRow else { return true }
      let row = table.columns.indices.map { statement.value(Int32($0) + 1) }
      let key = table.key.isEmpty ? [statement.value(0)] : table.key.map { row[$0] }
      guard seen.insert("\(key)").inserted else {
        // Pages that lead in a circle give the same rows for ever.
        if isWhole { problem = problem ?? "a row twice" }
        return !isWhole
      }
      if let first = key.first { known.add(first) }
      try body(row)
    }
  }

  /// Nil where the file is damaged; other errors are the caller's.
  private mutating func attempt<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch let error as DatabaseError
      where [.corrupt, .ioError, .notADatabase, .other].contains(error.code)
    {
      problem = problem ?? error.message
      return nil
    }
  }
}
