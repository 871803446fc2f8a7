import DraftDatabase
import FormModel

extension DraftStore {
  /// Freezes a draft's `FormParam` as its next submission, and queues it for the server.
  ///
  /// Submitting once more what the last submission holds makes no other one; it is queued again where
  /// it was taken out of the outbox before the server had it.
  ///
  /// - Parameters:
  ///   - id: the draft.
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
        guard !entry.value.isTooDeep else { throw StoreError.tooDeep(field: entry.serviceKey) }
        entries.append(entry)
      }
      let filtered = param.filteredKeys.filter { key in
        !added.contains { $0.serviceKey == key }
      }
      return try freeze(entries, filtered, of: draft, in: form, connection)
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

  /// Freezes a draft's entries and queues them for the server, unless its last submission holds the
  /// same.
  private func freeze(
    _ entries: [FormParam.Entry], _ filteredKeys: [String], of draft: Draft, in form: PreparedForm,
    _ connection: Connection
  ) throws -> Submission {
    let last = try submission(nil, of: draft.id, connection)
    let submission = Submission(
      draft: draft.id, number: (last?.number ?? 0) + 1, form: draft.form, version: draft.version,
      draftRevision: draft.revision, entries: entries, filteredKeys: filteredKeys,
      keptKeys: draft.keptHiddenKeys(in: form, options.registry), createdAt: options.now())
    let number = try connection.first(
      "UPDATE draft SET status = 'submitted' WHERE id = ? RETURNING number",
      .text(draft.id.description)
    ) { $0.integer(0) }
    if let last, last.digest == submission.digest, last.version == submission.version,
      last.filteredKeys == filteredKeys, last.keptKeys == submission.keptKeys
    {
      if let number { try enqueueIfDropped(last.number, of: number, connection) }
      return last
    }
    guard let number else { throw StoreError.unknownDraft(draft.id.description) }
    try insert(submission, of: number, connection)
    try enqueue(submission.number, of: number, connection)
    return submission
  }

  /// Freezes what a merge made of a submission, as the one that follows the draft's last.
  func freeze(
    _ entries: [FormParam.Entry], merging old: Submission, of draft: Int64,
    _ connection: Connection
  ) throws -> Submission {
    let last = try submission(nil, of: old.draft, connection)
    let revision = try connection.first(
      "SELECT revision FROM draft WHERE number = ? AND status = 'submitted'", .integer(draft)
    ) { Int($0.integer(0)) }
    let merged = Submission(
      draft: old.draft, number: (last?.number ?? 0) + 1, form: old.form, version: old.version,
      draftRevision: revision ?? old.draftRevision, entries: entries,
      filteredKeys: old.filteredKeys, keptKeys: old.keptKeys, createdAt: options.now())
    try insert(merged, of: draft, connection)
    return merged
  }

  private func insert(
    _ submission: Submission, of draft: Int64, _ connection: Connection
  ) throws {
    func list(_ keys: [String]) -> SQLValue {
      .text(JSONValue.array(keys.map(JSONValue.string)).jsonText)
    }
    try connection.run(
      """
      INSERT INTO submission (draft, ordinal, form, version, draft_revision, param, filtered, kept,
        digest, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .integer(draft), .integer(submission.number), .text(submission.form),
      .integer(submission.version), .integer(submission.draftRevision),
      .text(JSONValue.object(submission.param).jsonText), list(submission.filteredKeys),
      list(submission.keptKeys), .text(submission.digest),
      .integer(submission.createdAt.milliseconds))
    try write(submission.entries, of: connection.lastInsertedRowID, connection)
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
}
