import DraftDatabase
import FormModel
import Migrations

/// What could be saved of a damaged store, and what could not.
public struct Recovery: Sendable {
  /// One table of the store.
  public struct Table: Hashable, Sendable {
    public let name: String
    /// The rows that were saved.
    public let savedCount: Int
    /// The rows that are known to be lost; there may be more where ``isDamaged``.
    public let lostCount: Int
    /// Whether a part of the table could not be read.
    public let isDamaged: Bool
  }

  public let tables: [Table]
  /// What was lost, in words. Values are never told: they may be sensitive.
  public let losses: [String]

  /// Whether nothing is known to be lost.
  public var isComplete: Bool { losses.isEmpty }
}

extension DraftStore {
  /// Saves what can be read of a damaged store in a new file, table by table and row by row.
  ///
  /// The damaged file and its log are read byte by byte and never changed. The new file appears
  /// under its name when it is whole; nothing is replaced.
  ///
  /// - Parameters:
  ///   - path: the damaged file; nobody may write to it meanwhile.
  ///   - newPath: the new file's name.
  /// - Returns: what was saved, and what was not.
  /// - Throws: ``StoreError`` when nothing can be saved; `DatabaseError` when the file can't be opened
  ///   or the new one can't be written.
  public static func recover(_ path: String, to newPath: String) throws -> Recovery {
    let folder = try WorkFolder(beside: newPath)
    defer { folder.remove() }
    let file = try DamagedFile(copying: path, to: folder.file("damaged"))
    var best: (recovery: Recovery, path: String)?
    for attempt in try Attempt.all(for: file, in: folder) {
      let candidate = folder.file("new-\(attempt.name)")
      guard
        let recovery = try attempt.run(file, in: folder, to: candidate), recovery.savedCount > 0
      else { continue }
      // What is read without any fault needs no second look.
      if recovery.isComplete, recovery.savedCount >= best?.recovery.savedCount ?? 0 {
        best = (recovery, candidate)
        break
      }
      if recovery.savedCount > best?.recovery.savedCount ?? 0 { best = (recovery, candidate) }
    }
    guard let best else {
      throw StoreError.notRecoverable(path, "nothing in it can be read as a store's")
    }
    let store = try DraftStore(path: best.path)
    try store.database.backup(to: newPath)
    try store.close()
    return best.recovery
  }
}

extension Recovery {
  fileprivate var savedCount: Int { tables.reduce(0) { $0 + $1.savedCount } }

  fileprivate init(_ tables: [SalvagedTable], file: DamagedFile) {
    self.tables = tables.map { table in
      let missing = max(0, (table.expectedCount ?? 0) - table.savedCount - table.refused.count)
      return Table(
        name: table.name, savedCount: table.savedCount,
        lostCount: missing + table.refused.count, isDamaged: table.problem != nil)
    }
    var losses: [String] = []
    if file.unreadByteCount > 0 {
      losses.append("the disk did not give \(file.unreadByteCount) bytes of the file")
    }
    if file.isCut { losses.append("the file was cut; what stood at its end may be damaged") }
    for (salvaged, table) in zip(tables, self.tables) {
      if let problem = salvaged.problem {
        let missing = table.lostCount - salvaged.refused.count
        let count = missing > 0 ? "\(missing) rows" : "a part"
        losses.append("\(table.name): \(count) can't be read: \(problem)")
      }
      for refused in salvaged.refused {
        let row = refused.key.map { "row \($0)" } ?? "a row"
        losses.append("\(table.name): \(row) can't be kept: \(refused.reason)")
      }
    }
    self.losses = losses
  }
}

/// One way of reading a damaged store.
private struct Attempt {
  let name: String
  let isWithLog: Bool
  /// The schema's version whose pages take the place of the file's, or nil to read the file's own.
  let schemaOfVersion: Int?

  /// The ways in the order in which they are tried.
  static func all(for file: DamagedFile, in folder: WorkFolder) throws -> [Attempt] {
    var attempts = [Attempt(name: "a", isWithLog: true, schemaOfVersion: nil)]
    if file.hasLog {
      // A log that another file left does more harm than good.
      attempts.append(Attempt(name: "b", isWithLog: false, schemaOfVersion: nil))
    }
    let newest = SchemaMigrations.newestVersion
    for version in (1...newest).reversed() {
      attempts.append(
        Attempt(name: "v\(version)", isWithLog: false, schemaOfVersion: version))
    }
    return attempts
  }

  /// Reads a copy of the file into a new store. Nil when it can't be read in this way.
  func run(_ file: DamagedFile, in folder: WorkFolder, to path: String) throws -> Recovery? {
    let copy = try file.copied(to: folder.file("copy-\(name)"), isWithLog: isWithLog)
    let newest = SchemaMigrations.newestVersion
    var version = newest
    if let schemaOfVersion {
      let model = folder.file("model-\(name)")
      try Self.database(model, version: schemaOfVersion).close()
      try copy.takeSchema(of: model)
      version = schemaOfVersion
    } else {
      guard let stated = copy.statedVersion() else { return nil }
      guard stated.applicationID == DraftStore.applicationID else {
        throw StoreError.notRecoverable(file.source, "it is another program's database")
      }
      guard stated.version <= newest else {
        throw StoreError.notRecoverable(
          file.source, "a newer program wrote it (version \(stated.version)); use that")
      }
      version = max(1, stated.version)
    }
    let database = try Self.database(path, version: version)
    let tables = try database.salvage(copy, change: Self.mend)
    try database.close()
    // The steps that lead to this version are those of any store.
    try DraftStore(path: path).close()
    return Recovery(tables, file: file)
  }

  private static func database(_ path: String, version: Int) throws -> Database {
    let database = try Database(
      path: path,
      configuration: Database.Configuration(
        applicationID: DraftStore.applicationID, newestVersion: SchemaMigrations.newestVersion,
        synchronous: .normal))
    try database.migrate(Array(SchemaMigrations.all.prefix(version)))
    return database
  }

  /// Looks at a row before it is kept: a store must be able to read what it holds.
  private static func mend(
    _ table: String, _ columns: [String], _ row: inout [SQLValue]
  ) throws {
    func place(_ column: String) -> Int? { columns.firstIndex(of: column) }
    switch table {
    case "form_version":
      if let place = place("definition"), case .text(let text) = row[place] {
        _ = try Form(checkedDefinition: text)
      }
    case "draft_value", "submission_value":
      guard let type = place("type"), let value = place("value"), let sortKey = place("sort_key"),
        case .text(let typeName) = row[type], case .text(let text) = row[value]
      else { return }
      // What is no value of its type any more is kept as text that was typed.
      let stored = StoredValue(FieldValue(stored: text, typeName) ?? .string(text))
      row[type] = .text(stored.type.description)
      row[value] = .text(text)
      row[sortKey] = stored.sortKey.map(SQLValue.blob) ?? .null
    default: break
    }
  }
}

extension FieldValue {
  /// The value that a type's name and a text stand for in the tables, or nil when they stand for none.
  fileprivate init?(stored text: String, _ type: String) {
    let value: FieldValue? =
      switch type {
      case "string": .string(text)
      case "integer": Int64(text).map(FieldValue.integer)
      case "decimal": DecimalNumber(text).map(FieldValue.decimal)
      case "boolean": text == "true" || text == "false" ? .boolean(text == "true") : nil
      case "date": CalendarDate(text).map(FieldValue.date)
      case "time": TimeOfDay(text).map(FieldValue.time)
      case "dateTime": OffsetDateTime(text).map(FieldValue.dateTime)
      case "option": .option(.string(text))
      case "optionNumber": Int64(text).map { .option(.number($0)) }
      case "tags": try? FieldValue(parsing: text, as: .tags)
      case "json": (try? JSONValue(parsing: text)).map(FieldValue.json)
      default: nil
      }
    guard let value else { return nil }
    self = value
  }
}
