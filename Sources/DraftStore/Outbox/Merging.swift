import DraftDatabase
import FormModel

/// What became of a submission when the server's record had changed meanwhile.
public struct MergeResult: Sendable {
  /// The submission's entries with what was taken from the server.
  public var merged: [FormParam.Entry]
  /// The fields that were taken from the server (nil: it has none).
  public var taken: [(key: String, value: FieldValue?)]
  /// What the server holds, for the fields that the form has.
  public var acknowledged: [(key: String, value: FieldValue?)]
  public var conflicts: [Conflict]
  /// Whose value stands where the server changed a field that the draft's next submission, or an
  /// edit that is not submitted yet, changes as well.
  public var policy: Policy

  /// Who decides where both sides have changed a field.
  public enum Policy: String, Hashable, Sendable, CaseIterable {
    /// A person: it is a conflict.
    case ask
    /// The draft.
    case mine
    /// The server, but for edits that are not submitted: those are what the person typed last, and
    /// are kept for the next submission.
    case theirs
  }

  public init(
    merged: [FormParam.Entry], taken: [(key: String, value: FieldValue?)],
    acknowledged: [(key: String, value: FieldValue?)], conflicts: [Conflict],
    policy: Policy = .ask
  ) {
    self.policy = policy
    self.merged = merged
    self.taken = taken
    self.acknowledged = acknowledged
    self.conflicts = conflicts
  }
}

extension DraftStore {
  /// Records a merge, in one transaction: the server's values become the base, what was taken from
  /// it goes into the draft where the person has not typed since, and into the submission that is
  /// queued next; the merged FormParam becomes a submission that takes the item's place. With
  /// conflicts the item waits until they are resolved.
  ///
  /// - Parameters:
  ///   - result: the merge.
  ///   - etag: the version of the server's record.
  ///   - task: the task whose submission was merged.
  /// - Returns: false when another submission took the task's place meanwhile: nothing was merged.
  /// - Throws: `DatabaseError`
  public func merge(_ result: MergeResult, etag: String?, into task: OutboxTask) throws -> Bool {
    let isMerged = try database.write { connection in
      let number = try connection.first(
        "SELECT draft FROM outbox WHERE number = ? AND idempotency_key = ?",
        .integer(task.item.id), .text(task.idempotencyKey)
      ) { $0.integer(0) }
      guard let number, let draft = try draft(task.item.draft, connection) else {
        try release(task, connection)
        return false
      }
      let next = try nextItem(after: task.item.id, of: draft.id, number, connection)
      var newer = NewerEdits(
        task: task, draft: draft, next: next?.submission.entries, policy: result.policy)
      for (key, value) in result.taken { newer.take(value, for: key) }
      newer.checkUntouched(
        in: try storedForm(FormKey(form: draft.form, version: draft.version), connection))
      try acknowledge(result.acknowledged, etag, of: number, connection)
      try take(newer.untouched, into: draft, number, connection)
      var submission = task.item.submission
      if !result.taken.isEmpty {
        submission = try freeze(
          result.merged, merging: task.submission, of: number, connection
        ).number
        if let next, let entries = newer.next {
          try replace(next, with: entries, of: number, connection)
        }
      }
      let conflicts = result.conflicts.map(newer.updated) + newer.conflicts
      for conflict in conflicts { try insert(conflict, number, connection) }
      try connection.run(
        """
        UPDATE outbox SET submission = ?, state = ?, request = NULL, idempotency_key = ?,
          leased_until = 0, next_attempt_at = 0, last_error = ? WHERE number = ?
        """, .integer(submission), .text(conflicts.isEmpty ? "queued" : "conflict"),
        .text(DraftID().description),
        .optional(
          conflicts.isEmpty
            ? nil : "conflict in " + conflicts.map(\.serviceKey).joined(separator: ", ")),
        .integer(task.item.id))
      return true
    }
    didCommit()
    return isMerged
  }

  /// The item that is queued behind one of the same draft.
  func nextItem(
    after item: Int64, of draft: DraftID, _ number: Int64, _ connection: Connection
  ) throws -> QueuedSubmission? {
    let row = try connection.first(
      "SELECT number, submission FROM outbox WHERE draft = ? AND number > ? ORDER BY number",
      .integer(number), .integer(item)
    ) { (number: $0.integer(0), submission: Int($0.integer(1))) }
    guard let row, let submission = try submission(row.submission, of: draft, connection)
    else { return nil }
    return QueuedSubmission(item: row.number, submission: submission)
  }

  /// Puts a new submission with other entries into an item's place, to be sent by a new request.
  func replace(
    _ queued: QueuedSubmission, with entries: [FormParam.Entry], of draft: Int64,
    _ connection: Connection
  ) throws {
    let submission = try freeze(entries, merging: queued.submission, of: draft, connection)
    try connection.run(
      """
      UPDATE outbox SET submission = ?, request = NULL, idempotency_key = ? WHERE number = ?
      """, .integer(submission.number), .text(DraftID().description), .integer(queued.item))
  }

  /// Writes values from the server into a draft, as an edit that leaves its status as it is.
  func take(
    _ fields: [(key: String, value: FieldValue?)], into draft: Draft, _ number: Int64,
    _ connection: Connection
  ) throws {
    guard !fields.isEmpty else { return }
    let key = FormKey(form: draft.form, version: draft.version)
    let form = try storedForm(key, connection)
    let head = DraftHead(number: number, revision: draft.revision + 1, form: key)
    var isChanged = false
    for (key, value) in fields {
      guard let field = form.field(key) else { continue }
      let saved = try value.flatMap { value in
        try field.checked((try? FieldValue(json: value.json, as: field.dataType)) ?? value)
      }
      if try write(saved, to: field, of: head, connection) { isChanged = true }
    }
    guard isChanged else { return }
    try connection.run(
      "UPDATE draft SET revision = ?, updated_at = max(updated_at, ?) WHERE number = ?",
      .integer(head.revision), .integer(options.now().milliseconds), .integer(number))
  }

  private func insert(_ conflict: Conflict, _ draft: Int64, _ connection: Connection) throws {
    func columns(_ value: FieldValue?) -> [SQLValue] {
      guard let stored = value.map(StoredValue.init) else { return [.null, .null] }
      return [.text(stored.type.description), .optional(stored.text)]
    }
    let statement = try connection.statement(
      """
      INSERT OR REPLACE INTO conflict (draft, service_key, base_type, base_value, mine_type,
        mine_value, theirs_type, theirs_value, found_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    try statement.bind(
      [.integer(draft), .text(conflict.serviceKey)] + columns(conflict.base)
        + columns(conflict.mine) + columns(conflict.theirs)
        + [.integer(options.now().milliseconds)])
    try statement.run()
  }
}
