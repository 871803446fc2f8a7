import DraftDatabase
import FormModel

/// One draft or submission that is exported.
struct ExportedRecord {
  let draft: String
  let form: String
  let version: Int
  let title: String
  let subject: String?
  let createdAt: Timestamp
  let entries: [FormParam.Entry]
  /// What only a draft has.
  var draftState: (status: String, revision: Int, updatedAt: Timestamp)?
  /// What only a submission has: its number.
  var submission: Int?
}

/// Reads the records of an export one after the other.
struct RecordReader {
  let store: DraftStore
  let connection: Connection
  let options: ExportOptions

  func count() throws -> Int {
    let (condition, values) = filter
    let records =
      options.scope == .drafts
      ? "draft d" : "submission s CROSS JOIN draft d ON d.number = s.draft"
    return try connection.all(
      composed: "SELECT count(*) FROM \(records) WHERE \(condition)", values
    ) { Int($0.integer(0)) }[0]
  }

  func read(_ body: (ExportedRecord) throws -> Void) throws {
    switch options.scope {
    case .drafts: try readDrafts(body)
    case .submissions: try readSubmissions(body)
    }
  }

  private var filter: (sql: String, values: [SQLValue]) {
    var filter = DraftFilter(statuses: options.statuses).condition
    if let form = options.form {
      filter.sql += options.scope == .drafts ? " AND d.form = ?" : " AND s.form = ?"
      filter.values.append(.text(form))
    }
    return filter
  }

  private func readDrafts(_ body: (ExportedRecord) throws -> Void) throws {
    let (condition, values) = filter
    let rows = try connection.statement(
      composed: """
        SELECT number, id, form, version, status, title, subject, revision, created_at, updated_at
        FROM draft d WHERE \(condition) ORDER BY number
        """)
    try rows.bind(values)
    defer { rows.reset() }
    while try rows.step() {
      let key = FormKey(form: rows.text(2), version: Int(rows.integer(3)))
      let saved = try store.savedFields(of: rows.integer(0), connection)
      let draft = Draft(
        id: DraftID(stored: rows.text(1)), form: key.form, version: key.version,
        status: DraftStatus(rawValue: rows.text(4)) ?? .editing, title: rows.text(5),
        subject: rows.optionalText(6), revision: Int(rows.integer(7)), focus: nil,
        createdAt: Timestamp(milliseconds: rows.integer(8)),
        updatedAt: Timestamp(milliseconds: rows.integer(9)), fields: saved)
      let entries = draft.currentValues(in: try store.storedForm(key, connection))
        .filter(\.field.isSubmitted)
        .map { FormParam.Entry(serviceKey: $0.field.key, value: $0.value) }
      try body(
        ExportedRecord(
          draft: draft.id.description, form: draft.form, version: draft.version,
          title: draft.title, subject: draft.subject, createdAt: draft.createdAt, entries: entries,
          draftState: (draft.status.rawValue, draft.revision, draft.updatedAt)))
    }
  }

  private func readSubmissions(_ body: (ExportedRecord) throws -> Void) throws {
    let (condition, values) = filter
    let rows = try connection.statement(
      composed: """
        SELECT s.number, d.id, s.form, s.version, d.title, d.subject, s.created_at, s.ordinal
        FROM submission s CROSS JOIN draft d ON d.number = s.draft
        WHERE \(condition) ORDER BY s.number
        """)
    try rows.bind(values)
    defer { rows.reset() }
    while try rows.step() {
      try body(
        ExportedRecord(
          draft: rows.text(1), form: rows.text(2), version: Int(rows.integer(3)),
          title: rows.text(4), subject: rows.optionalText(5),
          createdAt: Timestamp(milliseconds: rows.integer(6)),
          entries: try store.entries(of: rows.integer(0), connection),
          submission: Int(rows.integer(7))))
    }
  }
}
