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

  /// Makes items due at once, those that the server refused included.
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
      """)
  }

  /// Takes items out of the outbox. The submissions stay; the next one carries their changes.
  ///
  /// - Parameter ids: the items.
  /// - Returns: the number of items.
  /// - Throws: `DatabaseError`
  @discardableResult
  public func dropFromOutbox(_ ids: [Int64]) throws -> Int {
    try changeOutbox(ids, "DELETE FROM outbox WHERE number = ?1")
  }

  private func changeOutbox(_ ids: [Int64]?, _ sql: StaticString) throws -> Int {
    let count = try database.write { connection in
      var count = 0
      for id in ids.map({ $0.map(SQLValue.integer) }) ?? [.null] {
        try connection.run(sql, id)
        count += connection.changeCount
      }
      return count
    }
    if count > 0 { didCommit() }
    return count
  }

  /// Queues a submission. It takes the place of an earlier one of the draft that was never sent, or
  /// that the server refused.
  func enqueue(_ submission: Int, of draft: Int64, _ connection: Connection) throws {
    let replaced = try connection.first(
      """
      UPDATE outbox SET submission = ?2, attempts = 0, next_attempt_at = 0, last_error = NULL,
        request = NULL, idempotency_key = ?3,
        state = CASE state WHEN 'parked' THEN 'queued' ELSE state END
      WHERE number = (SELECT max(number) FROM outbox WHERE draft = ?1)
        AND (request IS NULL OR state <> 'queued')
      RETURNING number
      """, .integer(draft), .integer(submission), .text(DraftID().description)
    ) { $0.integer(0) }
    guard replaced == nil else { return }
    try connection.run(
      """
      INSERT INTO outbox (draft, submission, idempotency_key, created_at) VALUES (?, ?, ?, ?)
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
