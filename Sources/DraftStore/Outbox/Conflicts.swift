import DraftDatabase
import FormModel

extension DraftStore {
  /// The fields that a draft and the server changed to different values, not yet decided.
  ///
  /// - Throws: `DatabaseError`
  public func conflicts(of draft: DraftID? = nil) throws -> [Conflict] {
    try database.read { try conflicts(of: draft, $0) }
  }

  private func conflicts(of draft: DraftID?, _ connection: Connection) throws -> [Conflict] {
    try connection.all(
      """
      SELECT d.id, c.service_key, c.base_type, c.base_value, c.mine_type, c.mine_value,
        c.theirs_type, c.theirs_value
      FROM conflict c JOIN draft d ON d.number = c.draft
      WHERE ?1 IS NULL OR d.id = ?1 ORDER BY c.draft, c.service_key
      """, .optional(draft?.description)
    ) { row in
      func value(_ type: Int32) throws -> FieldValue? {
        row.isNull(type) ? nil : try row.fieldValue(type: type, text: type + 1)
      }
      return Conflict(
        draft: DraftID(stored: row.text(0)), serviceKey: row.text(1), base: try value(2),
        mine: try value(4), theirs: try value(6))
    }
  }

  /// Decides conflicts of a draft, in one transaction. When none is left, the draft's submission is
  /// due again, with what was decided.
  ///
  /// - Parameters:
  ///   - draft: the draft.
  ///   - choices: what is decided, by service key; conflicts that are not named stay.
  /// - Returns: the conflicts that are left.
  /// - Throws: ``StoreError/unknownConflict(_:_:)`` for a key without a conflict;
  ///   ``StoreError/serverValueUnfit(field:)`` for a value of the server's that the field can't hold;
  ///   ``StoreError/notValid(_:_:)`` for a given value that the form does not take; `DatabaseError`.
  @discardableResult
  public func resolveConflicts(
    of draft: DraftID, _ choices: [String: ConflictChoice]
  ) throws -> [Conflict] {
    let left = try database.write { connection in
      let open = try conflicts(of: draft, connection)
      try check(choices, of: draft, connection)
      for key in choices.keys.sorted() {
        guard let conflict = open.first(where: { $0.serviceKey == key }) else {
          throw StoreError.unknownConflict(draft, key)
        }
        try decide(conflict, choices[key] ?? .mine, connection)
      }
      let left = try conflicts(of: draft, connection)
      if left.isEmpty {
        try connection.run(
          """
          UPDATE outbox SET state = 'queued', next_attempt_at = 0, last_error = NULL
          WHERE state = 'conflict' AND draft = (SELECT number FROM draft WHERE id = ?)
          """, .text(draft.description))
      }
      return left
    }
    didCommit()
    return left
  }

  /// A value that somebody gives must be one that the form would submit, as no other is.
  private func check(
    _ choices: [String: ConflictChoice], of id: DraftID, _ connection: Connection
  ) throws {
    let given = choices.compactMapValues { choice in
      if case .value(let value) = choice { value } else { nil }
    }
    guard !given.isEmpty, let draft = try draft(id, connection) else { return }
    let form = try storedForm(FormKey(form: draft.form, version: draft.version), connection)
    let kept = given.compactMap { key, value in form.field(key)?.kept(value).map { (key, $0) } }
    let taken = given.keys.filter { key in !kept.contains { $0.0 == key } }
    let values = draft.values.filter { !taken.contains($0.key) }.merging(kept) { $1 }
    let param = FormParam(
      form, values: values, options: FormParam.Options(registry: options.registry))
    guard !param.errors.contains(where: { given[$0.key] != nil }) else {
      throw StoreError.notValid(id, param)
    }
  }

  private func decide(
    _ conflict: Conflict, _ choice: ConflictChoice, _ connection: Connection
  ) throws {
    guard let draft = try draft(conflict.draft, connection) else { return }
    let form = try storedForm(FormKey(form: draft.form, version: draft.version), connection)
    if choice == .theirs, !form.canHold(conflict.theirs, for: conflict.serviceKey) {
      throw StoreError.serverValueUnfit(field: conflict.serviceKey)
    }
    let number = try connection.first(
      "SELECT number FROM draft WHERE id = ?", .text(draft.id.description)
    ) { $0.integer(0) }
    guard let number else { return }
    let etag = try serverRecord(of: draft.id, connection)?.etag
    try acknowledge([(conflict.serviceKey, conflict.theirs)], etag, of: number, connection)
    try connection.run(
      "DELETE FROM conflict WHERE draft = ? AND service_key = ?", .integer(number),
      .text(conflict.serviceKey))
    let decided: FieldValue?
    switch choice {
    case .mine: return
    case .theirs: decided = conflict.theirs
    case .value(let value): decided = value
    }
    let items = try queued(of: draft.id, number, connection)
    for (index, queued) in items.enumerated() {
      // A submission that came later may hold a newer value, which stays.
      let value = queued.submission.entries.value(conflict.serviceKey)
      let isDecided = index == 0 || value.isSameOnTheWire(as: conflict.mine)
      let entries = queued.submission.entries
      try replace(
        queued,
        with: isDecided ? entries.replacing(conflict.serviceKey, with: decided) : entries,
        of: number, connection)
    }
    // So may the draft itself, in an edit that is not submitted yet.
    let current = draft.current(conflict.serviceKey, in: form)
    let submitted = items.last.map { $0.submission.entries.value(conflict.serviceKey) }
    guard current.isSubmitted(as: conflict.mine) || submitted.map(current.isSubmitted) ?? false
    else {
      return
    }
    try take([(conflict.serviceKey, decided)], into: draft, number, connection)
  }

  /// What waits of a draft, in order.
  private func queued(
    of draft: DraftID, _ number: Int64, _ connection: Connection
  ) throws -> [QueuedSubmission] {
    var items: [QueuedSubmission] = []
    while let next = try nextItem(
      after: items.last?.item ?? 0, of: draft, number, connection)
    {
      items.append(next)
    }
    return items
  }
}
