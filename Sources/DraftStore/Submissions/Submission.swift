import DraftDatabase
import FormModel

/// A `FormParam` that was handed over. It is never changed afterwards.
public struct Submission: Hashable, Sendable {
  public let draft: DraftID
  /// Counts the draft's submissions from 1.
  public let number: Int
  /// The number of the submission that this one follows, or nil for the first.
  public var follows: Int? { number > 1 ? number - 1 : nil }
  /// The form's id.
  public let form: String
  public let version: Int
  /// The draft's revision that was submitted.
  public let draftRevision: Int
  /// The submitted values in form order, then those that the app added.
  public let entries: [FormParam.Entry]
  /// Service keys that were left out for the app and not added back.
  public let filteredKeys: [String]
  /// The SHA-256 of the FormParam's JSON text, in hexadecimal.
  public let digest: String
  public let createdAt: Timestamp

  /// The submitted values as an ordered JSON object.
  public var param: JSONObject { entries.param }
}

extension DraftStore {
  /// Assembles what a draft would submit now, with every error.
  ///
  /// - Parameter options: how; the store's own registry is used.
  /// - Throws: ``StoreError`` for an unknown draft; `DatabaseError`.
  public func param(
    of id: DraftID, options: FormParam.Options = FormParam.Options()
  ) throws -> FormParam {
    let draft = try draft(id)
    return param(
      of: draft, in: try form(draft.form, version: draft.version), options: options)
  }

  /// Assembles what a draft would submit.
  func param(
    of draft: Draft, in form: PreparedForm, options: FormParam.Options
  ) -> FormParam {
    var options = options
    options.registry = self.options.registry
    return FormParam(form, values: draft.fieldValues(in: form), options: options)
  }

  /// Freezes a draft's `FormParam` as its next submission.
  ///
  /// Submitting once more what the last submission holds makes no other one.
  ///
  /// - Parameters:
  ///   - options: how the `FormParam` is assembled.
  ///   - added: values that the app made itself of the rows that it filtered out.
  /// - Returns: the submission, the last one when nothing changed since.
  /// - Throws: ``StoreError/notValid(_:_:)`` with every error; other ``StoreError``s for an unknown
  ///   or discarded draft or an added key that is there already; `DatabaseError`.
  @discardableResult
  public func submit(
    _ id: DraftID, options: FormParam.Options = FormParam.Options(),
    adding added: [FormParam.Entry] = []
  ) throws -> Submission {
    let submission = try database.write { connection in
      let draft = try draftForSubmission(id, connection)
      let form = try storedForm(
        FormKey(form: draft.form, version: draft.version), connection)
      let param = param(of: draft, in: form, options: options)
      guard param.isValid else { throw StoreError.notValid(id, param) }
      var entries = param.entries
      for entry in added {
        guard !entries.contains(where: { $0.serviceKey == entry.serviceKey }) else {
          throw StoreError.duplicateKey(entry.serviceKey)
        }
        entries.append(entry)
      }
      let filtered = param.filteredKeys.filter { key in
        !added.contains { $0.serviceKey == key }
      }
      return try freeze(entries, filtered, of: draft, connection)
    }
    unwritten.withLock { _ = $0.removeValue(forKey: id) }
    didCommit()
    return submission
  }

  private func draftForSubmission(_ id: DraftID, _ connection: Connection) throws -> Draft {
    if let draft = try draft(id, connection) {
      guard draft.status != .discarded else { throw StoreError.isDiscarded(id) }
      return draft
    }
    guard let draft = unwritten.withLock({ $0[id] }) else {
      throw StoreError.unknownDraft(id.description)
    }
    try insert(draft, connection)
    return draft
  }

  private func freeze(
    _ entries: [FormParam.Entry], _ filteredKeys: [String], of draft: Draft,
    _ connection: Connection
  ) throws -> Submission {
    let text = JSONValue.object(entries.param).jsonText
    let last = try submission(nil, of: draft.id, connection)
    let now = options.now()
    let submission = Submission(
      draft: draft.id, number: (last?.number ?? 0) + 1, form: draft.form, version: draft.version,
      draftRevision: draft.revision, entries: entries, filteredKeys: filteredKeys,
      digest: SHA256.hexDigest(Array(text.utf8)), createdAt: now)
    let status: StaticString = "UPDATE draft SET status = 'submitted' WHERE id = ?"
    try connection.run(status, .text(draft.id.description))
    if let last, last.digest == submission.digest, last.version == submission.version,
      last.filteredKeys == filteredKeys
    {
      return last
    }
    try connection.run(
      """
      INSERT INTO submission
        (draft, ordinal, form, version, draft_revision, param, filtered, digest, created_at)
      SELECT number, ?2, form, version, revision, ?3, ?4, ?5, ?6 FROM draft WHERE id = ?1
      """, .text(draft.id.description), .integer(submission.number), .text(text),
      .text(JSONValue.array(filteredKeys.map(JSONValue.string)).jsonText),
      .text(submission.digest), .integer(now.milliseconds))
    try write(entries, of: connection.lastInsertedRowID, connection)
    return submission
  }

  private func write(
    _ entries: [FormParam.Entry], of submission: Int64, _ connection: Connection
  ) throws {
    let insert = try connection.statement(
      """
      INSERT INTO submission_value (submission, position, service_key, type, value, sort_key)
      VALUES (?, ?, ?, ?, ?, ?)
      """)
    for (position, entry) in entries.enumerated() {
      try insert.bind(submission, at: 1)
      try insert.bind(Int64(position), at: 2)
      try insert.bind(entry.serviceKey, at: 3)
      try StoredValue(entry.value).bind(to: insert, from: 4)
      try insert.run()
      guard case .tags(let ids) = entry.value else { continue }
      for id in ids {
        try connection.run(
          "INSERT OR IGNORE INTO submission_tag VALUES (?, ?, ?)", .integer(submission),
          .text(entry.serviceKey), .text(id.description))
      }
    }
  }

  /// A submission of a draft.
  ///
  /// - Parameter number: its number, or nil for the last.
  /// - Throws: ``StoreError`` when there is none; `DatabaseError`.
  public func submission(_ number: Int? = nil, of id: DraftID) throws -> Submission {
    let submission = try database.read { connection in
      guard try draft(id, connection) != nil || unwritten.withLock({ $0[id] != nil }) else {
        throw StoreError.unknownDraft(id.description)
      }
      return try self.submission(number, of: id, connection)
    }
    guard let submission else { throw StoreError.unknownSubmission(id, number) }
    return submission
  }

  /// A submission of a draft, or nil when there is none.
  func submission(
    _ number: Int?, of id: DraftID, _ connection: Connection
  ) throws -> Submission? {
    try connection.first(
      """
      SELECT s.number, s.ordinal, s.form, s.version, s.draft_revision, s.filtered, s.digest,
        s.created_at
      FROM submission s JOIN draft d ON d.number = s.draft
      WHERE d.id = ?1 AND (?2 IS NULL OR s.ordinal = ?2) ORDER BY s.ordinal DESC LIMIT 1
      """, .text(id.description), .optional(number.map(Int64.init))
    ) { row in
      let filtered = try JSONValue(parsing: Array(row.text(5).utf8)).arrayValue ?? []
      return Submission(
        draft: id, number: Int(row.integer(1)), form: row.text(2), version: Int(row.integer(3)),
        draftRevision: Int(row.integer(4)), entries: try entries(of: row.integer(0), connection),
        filteredKeys: filtered.compactMap(\.stringValue), digest: row.text(6),
        createdAt: Timestamp(milliseconds: row.integer(7)))
    }
  }

  func entries(
    of submission: Int64, _ connection: Connection
  ) throws -> [FormParam.Entry] {
    try connection.all(
      """
      SELECT service_key, type, value FROM submission_value WHERE submission = ? ORDER BY position
      """, .integer(submission)
    ) { FormParam.Entry(serviceKey: $0.text(0), value: try $0.fieldValue(type: 1, text: 2)) }
  }
}

/// A draft with what it would submit now and what it submitted last, all of one moment.
public struct DraftWithBase: Sendable {
  public let draft: Draft
  public let form: PreparedForm
  public let param: FormParam
  /// The last submission, or nil when there is none.
  public let base: Submission?
  /// What the server has acknowledged, by service key.
  public let acknowledged: [FormParam.Entry]
}

extension DraftStore {
  /// A draft, its `FormParam` and its last submission, as they are together at one moment.
  ///
  /// - Throws: ``StoreError`` for an unknown draft; `DatabaseError`.
  public func draftWithBase(
    _ id: DraftID, options: FormParam.Options = FormParam.Options()
  ) throws -> DraftWithBase {
    try database.read { connection in
      guard let draft = try draft(id, connection) ?? unwritten.withLock({ $0[id] }) else {
        throw StoreError.unknownDraft(id.description)
      }
      let form = try storedForm(
        FormKey(form: draft.form, version: draft.version), connection)
      return DraftWithBase(
        draft: draft, form: form, param: param(of: draft, in: form, options: options),
        base: try submission(nil, of: id, connection),
        acknowledged: try connection.all(
          """
          SELECT a.service_key, a.type, a.value
          FROM draft d CROSS JOIN acknowledged_value a ON a.draft = d.number
          WHERE d.id = ? ORDER BY a.service_key
          """, .text(id.description)
        ) { FormParam.Entry(serviceKey: $0.text(0), value: try $0.fieldValue(type: 1, text: 2)) })
    }
  }
}
