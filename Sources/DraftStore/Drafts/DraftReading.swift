import DraftDatabase
import FormModel

extension DraftStore {
  /// Begins a draft. Nothing is written before its first edit, so that an untouched draft leaves
  /// nothing behind.
  ///
  /// - Parameters:
  ///   - form: the form's id.
  ///   - version: the form's version, or nil for the newest.
  ///   - title: what a person knows the draft by.
  ///   - subject: whom or what it is about; see ``draft(of:about:)``.
  ///   - isWritten: whether it is written at once after all.
  /// - Throws: ``StoreError`` for an unknown form or version; `DatabaseError`.
  public func newDraft(
    of form: String, version: Int? = nil, title: String = "", subject: String? = nil,
    isWritten: Bool = false
  ) throws -> Draft {
    let prepared = try self.form(form, version: version)
    let now = options.now()
    let draft = Draft(
      id: DraftID(), form: form, version: prepared.form.version ?? 1, status: .editing,
      title: title, subject: subject?.isEmpty == true ? nil : subject, revision: 0, focus: nil,
      createdAt: now, updatedAt: now, fields: [])
    if isWritten {
      _ = try database.write { try insert(draft, $0) }
      didCommit()
    } else {
      unwritten.withLock { $0[draft.id] = draft }
    }
    return draft
  }

  /// A draft as it is saved: resuming is reading it. Nothing is written.
  ///
  /// - Throws: ``StoreError`` for an unknown draft; `DatabaseError`.
  public func draft(_ id: DraftID) throws -> Draft {
    // Asked first: an edit on another thread may write the draft between the two.
    let begun = unwritten.withLock { $0[id] }
    guard let draft = try database.read({ try draft(id, $0) }) ?? begun else {
      throw StoreError.unknownDraft(id.description)
    }
    return draft
  }

  /// The draft of a form about a subject: the one edited last, if there are several that are not
  /// discarded; nil when there is none.
  ///
  /// - Throws: `DatabaseError`
  public func draft(of form: String, about subject: String) throws -> Draft? {
    try database.read { connection in
      let id = try connection.first(
        """
        SELECT id FROM draft WHERE form = ? AND subject = ? AND status <> 'discarded'
        ORDER BY updated_at DESC, number DESC LIMIT 1
        """, .text(form), .text(subject)
      ) { DraftID(stored: $0.text(0)) }
      return try id.flatMap { try draft($0, connection) }
    }
  }

  /// The draft that was edited last, of a form or of any; nil when there is none that is not
  /// discarded.
  ///
  /// - Throws: `DatabaseError`
  public func lastEditedDraft(of form: String? = nil) throws -> DraftID? {
    try database.read { connection in
      if let form {
        return try connection.first(
          """
          SELECT id FROM draft WHERE form = ? AND status <> 'discarded'
          ORDER BY updated_at DESC, number DESC LIMIT 1
          """, .text(form)
        ) { DraftID(stored: $0.text(0)) }
      }
      return try connection.first(
        """
        SELECT id FROM draft WHERE status <> 'discarded'
        ORDER BY updated_at DESC, number DESC LIMIT 1
        """
      ) { DraftID(stored: $0.text(0)) }
    }
  }

  /// The draft that a person names: by its id, by the beginning of it when no other begins so, or
  /// by `@` for the one that was edited last.
  ///
  /// - Throws: ``StoreError`` when there is none, or are several; `DatabaseError`.
  public func draftID(named name: String) throws -> DraftID {
    if name == "@" {
      guard let id = try lastEditedDraft() else { throw StoreError.unknownDraft(name) }
      return id
    }
    let prefix = name.lowercased()
    let ids = try database.read { connection in
      // Ids hold hexadecimal digits and hyphens, so "g" comes after all that begin alike.
      try connection.all(
        "SELECT id FROM draft WHERE id >= ?1 AND id < ?1 || 'g' ORDER BY id LIMIT 3", .text(prefix)
      ) { DraftID(stored: $0.text(0)) }
    }
    guard let id = ids.first, !prefix.isEmpty else { throw StoreError.unknownDraft(name) }
    guard ids.count == 1 else { throw StoreError.ambiguousDraft(name, ids) }
    return id
  }

  func draft(_ id: DraftID, _ connection: Connection) throws -> Draft? {
    let head = try connection.statement(
      """
      SELECT number, form, version, status, title, subject, revision, focus, created_at, updated_at
      FROM draft WHERE id = ?
      """)
    try head.bind(id.description, at: 1)
    guard try head.step() else { return nil }
    defer { head.reset() }
    guard let status = DraftStatus(rawValue: head.text(3)) else {
      throw StoreError.badContent("the status \"\(head.text(3))\" of draft \(id)")
    }
    return Draft(
      id: id, form: head.text(1), version: Int(head.integer(2)), status: status,
      title: head.text(4), subject: head.optionalText(5), revision: Int(head.integer(6)),
      focus: head.optionalText(7), createdAt: Timestamp(milliseconds: head.integer(8)),
      updatedAt: Timestamp(milliseconds: head.integer(9)),
      fields: try savedFields(of: head.integer(0), connection))
  }

  /// The saved values of a draft, ordered by their keys.
  func savedFields(of draft: Int64, _ connection: Connection) throws -> [SavedField] {
    let rows = try connection.statement(
      "SELECT field, type, value, revision FROM draft_value WHERE draft = ? ORDER BY field")
    try rows.bind(draft, at: 1)
    defer { rows.reset() }
    var fields: [SavedField] = []
    while try rows.step() {
      let key = rows.text(0)
      var value = try rows.fieldValue(type: 1, text: 2)
      if case .tags = value { value = .tags(try tags(of: draft, key, connection)) }
      fields.append(SavedField(key: key, value: value, revision: Int(rows.integer(3))))
    }
    return fields
  }

  /// The chosen tags of a field, in the order in which they were given.
  func tags(of draft: Int64, _ field: String, _ connection: Connection) throws -> [OptionID] {
    try connection.all(
      """
      SELECT tag, is_number FROM tag_selection WHERE draft = ? AND field = ? ORDER BY position
      """, .integer(draft), .text(field)
    ) { row in
      let text = row.text(0)
      return row.integer(1) == 0 ? .string(text) : .number(Int64(text) ?? 0)
    }
  }
}

/// Which drafts a list holds.
public struct DraftFilter: Hashable, Sendable {
  /// The form's id, or nil for all forms.
  public var form: String?
  /// The statuses, or nil for all but discarded ones.
  public var statuses: Set<DraftStatus>?
  public var subject: String?
  /// Only drafts that were edited last before this moment.
  public var updatedBefore: Timestamp?
  /// The most drafts to list, or nil for all.
  public var limit: Int?

  public init(
    form: String? = nil, statuses: Set<DraftStatus>? = nil, subject: String? = nil,
    updatedBefore: Timestamp? = nil, limit: Int? = nil
  ) {
    self.form = form
    self.statuses = statuses
    self.subject = subject
    self.updatedBefore = updatedBefore
    self.limit = limit
  }

  /// The SQL condition over `draft d`, and its values.
  var condition: (sql: String, values: [SQLValue]) {
    if form == nil, subject == nil, statuses == nil, updatedBefore == nil {
      return ("d.status <> 'discarded'", [])
    }
    var parts: [String] = []
    var values: [SQLValue] = []
    if let form {
      parts.append("d.form = ?")
      values.append(.text(form))
    }
    if let subject {
      parts.append("d.subject = ?")
      values.append(.text(subject))
    }
    if let statuses {
      let names = DraftStatus.allCases.filter(statuses.contains).map { "'\($0.rawValue)'" }
      parts.append("d.status IN (\(names.joined(separator: ", ")))")
    } else {
      parts.append("d.status <> 'discarded'")
    }
    if let updatedBefore {
      parts.append("d.updated_at < ?")
      values.append(.integer(updatedBefore.milliseconds))
    }
    return (parts.joined(separator: " AND "), values)
  }
}

extension DraftStore {
  /// The drafts that a filter lets through, those edited last first.
  ///
  /// - Throws: `DatabaseError`
  public func drafts(_ filter: DraftFilter = DraftFilter()) throws -> [DraftSummary] {
    let (condition, values) = filter.condition
    return try database.read { connection in
      try connection.all(
        composed: """
          SELECT id, form, version, status, title, subject, revision, created_at, updated_at
          FROM draft d WHERE \(condition) ORDER BY updated_at DESC, number DESC
          \(filter.limit.map { "LIMIT \(max(0, $0))" } ?? "")
          """, values
      ) {
        DraftSummary(
          id: DraftID(stored: $0.text(0)), form: $0.text(1), version: Int($0.integer(2)),
          status: DraftStatus(rawValue: $0.text(3)) ?? .editing, title: $0.text(4),
          subject: $0.optionalText(5), revision: Int($0.integer(6)),
          createdAt: Timestamp(milliseconds: $0.integer(7)),
          updatedAt: Timestamp(milliseconds: $0.integer(8)))
      }
    }
  }
}
