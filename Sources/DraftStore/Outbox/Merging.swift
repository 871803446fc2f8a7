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

  public init(
    merged: [FormParam.Entry], taken: [(key: String, value: FieldValue?)],
    acknowledged: [(key: String, value: FieldValue?)], conflicts: [Conflict]
  ) {
    self.merged = merged
    self.taken = taken
    self.acknowledged = acknowledged
    self.conflicts = conflicts
  }
}

extension DraftStore {
  /// Records a merge, in one transaction: the server's values become the base, what was taken from it
  /// goes into the draft where the person has not typed since, and the merged FormParam becomes a
  /// submission that takes the item's place. With conflicts the item waits until they are resolved.
  ///
  /// - Parameters:
  ///   - result: the merge.
  ///   - etag: the version of the server's record.
  ///   - task: the task whose submission was merged.
  /// - Throws: `DatabaseError`
  public func merge(_ result: MergeResult, etag: String?, into task: OutboxTask) throws {
    try database.write { connection in
      let number = try connection.first(
        "SELECT draft FROM outbox WHERE number = ? AND idempotency_key = ?",
        .integer(task.item.id), .text(task.idempotencyKey)
      ) { $0.integer(0) }
      guard let number, let draft = try draft(task.item.draft, connection) else { return }
      var conflicts = result.conflicts
      var untouched: [(key: String, value: FieldValue?)] = []
      for (key, value) in result.taken {
        let submitted = task.submission.entries.first { $0.serviceKey.hasSameBytes(as: key) }
        let current = task.form.field(key).flatMap { field in
          (draft[key] ?? field.defaultValue).map(field.submitted)
        }
        if Self.isSame(current, submitted?.value) {
          untouched.append((key, value))
        } else if !Self.isSame(current, value) {
          let base = task.acknowledged.first { $0.serviceKey.hasSameBytes(as: key) }
          conflicts.append(
            Conflict(
              draft: draft.id, serviceKey: key, base: base?.value, mine: current, theirs: value))
        }
      }
      try acknowledge(result.acknowledged, etag, of: number, connection)
      try take(untouched, into: draft, number, connection)
      var submission = task.item.submission
      if !result.taken.isEmpty {
        submission = try freeze(
          result.merged, merging: task.submission, of: number, connection
        ).number
      }
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
    }
    didCommit()
  }

  /// Whether both are absent, or the same on the wire.
  private static func isSame(_ a: FieldValue?, _ b: FieldValue?) -> Bool {
    switch (a, b) {
    case (nil, nil): true
    case (let a?, let b?): a.isEquivalent(to: b) || a.json.isEquivalent(to: b.json)
    default: false
    }
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
        try field.normalized((try? FieldValue(json: value.json, as: field.dataType)) ?? value)
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
