import DraftDatabase
import FormModel

extension DraftStore {
  /// The submissions that wait for the server, in the order of queueing.
  ///
  /// - Throws: `DatabaseError`
  public func outbox(of draft: DraftID? = nil) throws -> [OutboxItem] {
    let now = options.now()
    return try database.read { connection in
      try connection.all(
        """
        SELECT o.number, d.id, o.submission, o.state, o.attempts, o.next_attempt_at, o.last_error,
          o.created_at, o.leased_until
        FROM outbox o JOIN draft d ON d.number = o.draft
        WHERE ?1 IS NULL OR d.id = ?1 ORDER BY o.number
        """, .optional(draft?.description)
      ) { OutboxItem($0, now: now) }
    }
  }

  /// How many submissions are in the outbox, by what they wait for; those that are being sent count
  /// as queued. Those that can't be sent as things are do not count: a discarded draft's, and those
  /// behind one that waits for a person.
  ///
  /// - Parameter drafts: only these drafts, or nil for all.
  /// - Throws: `DatabaseError`
  public func outboxCounts(
    of drafts: Set<DraftID>? = nil
  ) throws -> [OutboxItem.State: Int] {
    func count(_ row: Statement) -> (String, Int) { (row.text(0), Int(row.integer(1))) }
    let rows = try database.read { connection in
      guard let drafts else {
        return try connection.all(
          """
          SELECT iif(o.state = 'queued' AND EXISTS (SELECT 1 FROM conflict c WHERE c.draft = o.draft),
            'conflict', o.state), count(*)
          FROM outbox o JOIN draft d ON d.number = o.draft
          WHERE d.status <> 'discarded' AND NOT EXISTS (
            SELECT 1 FROM outbox e WHERE e.draft = o.draft AND e.number < o.number
              AND (e.state <> 'queued' OR EXISTS (SELECT 1 FROM conflict c WHERE c.draft = o.draft)))
          GROUP BY 1
          """, row: count)
      }
      return try drafts.flatMap { draft in
        try connection.all(
          """
          SELECT iif(o.state = 'queued' AND EXISTS (SELECT 1 FROM conflict c WHERE c.draft = o.draft),
            'conflict', o.state), count(*)
          FROM draft d CROSS JOIN outbox o ON o.draft = d.number
          WHERE d.id = ? AND d.status <> 'discarded' AND NOT EXISTS (
            SELECT 1 FROM outbox e WHERE e.draft = o.draft AND e.number < o.number
              AND (e.state <> 'queued' OR EXISTS (SELECT 1 FROM conflict c WHERE c.draft = o.draft)))
          GROUP BY 1
          """, .text(draft.description), row: count)
      }
    }
    let counts = rows.compactMap { name, count in
      OutboxItem.State(rawValue: name).map { ($0, count) }
    }
    return Dictionary(counts, uniquingKeysWith: +)
  }

  /// Makes items due at once, those that the server refused included, and ends the pauses that
  /// servers asked for.
  ///
  /// - Parameter ids: the items, or nil for all that are parked or wait.
  /// - Returns: the number of items.
  /// - Throws: `DatabaseError`
  @discardableResult
  public func retryOutbox(_ ids: [Int64]? = nil) throws -> Int {
    try changeOutbox(
      ids,
      """
      UPDATE outbox SET state = 'queued', next_attempt_at = 0, attempts = 0
      WHERE (?1 IS NULL OR number = ?1) AND state <> 'conflict'
      """, andAlso: endPauses)
  }

  /// Takes items out of the outbox. The submissions stay: the next one carries their changes, and
  /// submitting the same once more queues it again.
  ///
  /// - Parameter ids: the items.
  /// - Returns: the number of items.
  /// - Throws: `DatabaseError`
  @discardableResult
  public func dropFromOutbox(_ ids: [Int64]) throws -> Int {
    try changeOutbox(ids, "DELETE FROM outbox WHERE number = ?1")
  }

  private func changeOutbox(
    _ ids: [Int64]?, _ sql: StaticString, andAlso change: (Connection) throws -> Void = { _ in }
  ) throws -> Int {
    let count = try database.write { connection in
      var count = 0
      try change(connection)
      for id in ids.map({ $0.map(SQLValue.integer) }) ?? [.null] {
        try connection.run(sql, id)
        count += connection.changeCount
      }
      return count
    }
    if count > 0 { didCommit() }
    return count
  }

  /// Queues a draft's last submission anew where it was taken out of the outbox and the server does
  /// not have it.
  func enqueueIfDropped(_ submission: Int, of draft: Int64, _ connection: Connection) throws {
    let isSettled = try connection.first(
      """
      SELECT 1 WHERE EXISTS (SELECT 1 FROM outbox WHERE draft = ?1 AND submission = ?2)
        OR EXISTS (SELECT 1 FROM server_record WHERE draft = ?1 AND submission = ?2)
      """, .integer(draft), .integer(Int64(submission))
    ) { _ in true }
    if isSettled == nil { try enqueue(submission, of: draft, connection) }
  }

  /// Queues a submission. It takes the place of an earlier one of the draft that the server can't
  /// have: one that was never sent, or that it refused. One whose outcome is not known goes first.
  func enqueue(_ submission: Int, of draft: Int64, _ connection: Connection) throws {
    let replaced = try connection.first(
      """
      UPDATE outbox SET submission = ?2, attempts = 0, next_attempt_at = 0, last_error = NULL,
        request = NULL, idempotency_key = ?3,
        state = CASE state WHEN 'parked' THEN 'queued' ELSE state END
      WHERE number = (SELECT max(number) FROM outbox WHERE draft = ?1)
        AND request IS NULL
      RETURNING number
      """, .integer(draft), .integer(submission), .text(DraftID().description)
    ) { $0.integer(0) }
    // What was changed once more is what there is to decide about.
    try connection.run(
      """
      UPDATE conflict SET (mine_type, mine_value) = (
        SELECT v.type, v.value FROM submission s JOIN submission_value v ON v.submission = s.number
        WHERE s.draft = ?1 AND s.ordinal = ?2 AND v.service_key = conflict.service_key)
      WHERE draft = ?1
      """, .integer(draft), .integer(submission))
    guard replaced == nil else { return }
    try connection.run(
      """
      UPDATE outbox SET state = 'queued', attempts = 0, next_attempt_at = 0
      WHERE draft = ? AND state = 'parked'
      """, .integer(draft))
    // Conflicts stay when their item was dropped: they are still to be decided.
    try connection.run(
      """
      INSERT INTO outbox (draft, submission, idempotency_key, created_at, state)
      VALUES (?1, ?2, ?3, ?4, iif(
        EXISTS (SELECT 1 FROM conflict WHERE draft = ?1), 'conflict', 'queued'))
      """, .integer(draft), .integer(submission), .text(DraftID().description),
      .integer(options.now().milliseconds))
  }
}

extension OutboxItem {
  /// An item from a row of number, draft id, submission, state, attempts, next attempt, last error,
  /// creation and lease.
  init(_ row: Statement, now: Timestamp) {
    let isLeased = row.integer(8) > now.milliseconds
    self.init(
      id: row.integer(0), draft: DraftID(stored: row.text(1)), submission: Int(row.integer(2)),
      state: isLeased ? .sending : State(rawValue: row.text(3)) ?? .queued,
      attempts: Int(row.integer(4)), nextAttemptAt: Timestamp(milliseconds: row.integer(5)),
      lastError: row.optionalText(6), createdAt: Timestamp(milliseconds: row.integer(7)))
  }
}
