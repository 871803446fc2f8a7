import DraftDatabase
import FormModel

/// How one attempt to send an item ended.
public enum OutboxOutcome: Sendable {
  /// The server has these fields now (nil: it has not), at a version. The item is done when it has
  /// all that the submission holds.
  case acknowledged([(key: String, value: FieldValue?)], etag: String?, isComplete: Bool)
  /// Try again at a time; the same bytes when the server may have them. It is no attempt that counts
  /// where the server was not reached.
  case retry(at: Timestamp, error: String, keepsRequest: Bool, isAttempt: Bool = true)
  /// A person has to look at it. The request is kept where the server may have carried it out: it
  /// is the same bytes that are sent again then. Else a newer submission takes its place.
  case parked(error: String, keepsRequest: Bool)
  /// The server has no such record any more. Unless it is made anew, a person has to look at it; the
  /// request is kept as when it is parked.
  case recordGone(error: String, isMadeAnew: Bool, keepsRequest: Bool = false)
  /// Nothing was tried.
  case released
  /// The request is to be made anew, for it can't be sent as it was.
  case withdrawn
}

extension DraftStore {
  /// The longest time that an item waits; one that seems to wait longer was dated by a clock that
  /// was set back since, and is due.
  public static let longestWait: Duration = .seconds(24 * 3600)

  /// Leases the item that is due first to one sender.
  ///
  /// Of one draft only the oldest item is leased, so that a draft's submissions arrive in order; a
  /// draft with conflicts or one that was discarded waits. A sender that dies loses its lease when
  /// the time is over.
  ///
  /// - Parameters:
  ///   - duration: how long no other sender gets the item.
  ///   - drafts: only these drafts' items, or nil for all.
  /// - Returns: the item with what is needed to send it, or nil when none is due.
  /// - Throws: `DatabaseError`
  public func leaseFromOutbox(
    for duration: Duration, drafts: Set<DraftID>? = nil
  ) throws -> OutboxTask? {
    let now = options.now()
    if let drafts {
      for draft in drafts.sorted(by: { $0.description < $1.description }) {
        if let task = try lease(for: duration, draft, now) { return task }
      }
      return nil
    }
    return try lease(for: duration, nil, now)
  }

  private func lease(
    for duration: Duration, _ draft: DraftID?, _ now: Timestamp
  ) throws -> OutboxTask? {
    // A look without the writer's lock first: mostly nothing is due.
    let isDue = try database.read { try dueItem(draft, now, $0) != nil }
    guard isDue else { return nil }
    return try database.write { connection in
      guard let number = try dueItem(draft, now, connection) else { return nil }
      let lease = DraftID().description
      try connection.run(
        "UPDATE outbox SET lease = ?, leased_until = ? WHERE number = ?", .text(lease),
        .integer((now + duration).milliseconds), .integer(number))
      return try task(number, lease, now, connection)
    }
  }

  /// What an item's next request would be made of. Nothing is leased.
  ///
  /// - Returns: nil when there is no such item.
  /// - Throws: `DatabaseError`
  public func outboxTask(of item: OutboxItem) throws -> OutboxTask? {
    try database.read { try task(item.id, "", options.now(), $0) }
  }

  /// Whether an item could be leased now.
  ///
  /// - Parameter drafts: only these drafts' items, or nil for all.
  /// - Throws: `DatabaseError`
  public func hasDueItem(of drafts: Set<DraftID>? = nil) throws -> Bool {
    let now = options.now()
    return try database.read { connection in
      guard let drafts else { return try dueItem(nil, now, connection) != nil }
      return try drafts.contains { try dueItem($0, now, connection) != nil }
    }
  }

  private func dueItem(
    _ draft: DraftID?, _ now: Timestamp, _ connection: Connection
  ) throws -> Int64? {
    let farthest = now + Self.longestWait
    if let draft {
      return try connection.first(
        """
        SELECT o.number FROM draft d CROSS JOIN outbox o ON o.draft = d.number
        WHERE d.id = ?1 AND d.status <> 'discarded' AND o.state = 'queued'
          AND (o.ready_at <= ?2 OR o.ready_at > ?3)
          AND NOT EXISTS (SELECT 1 FROM outbox e WHERE e.draft = o.draft AND e.number < o.number)
          AND NOT EXISTS (SELECT 1 FROM conflict c WHERE c.draft = o.draft)
        ORDER BY o.number LIMIT 1
        """, .text(draft.description), .integer(now.milliseconds),
        .integer(farthest.milliseconds)
      ) { $0.integer(0) }
    }
    if let due = try connection.first(
      Self.dueSQL, .integer(now.milliseconds), row: { $0.integer(0) })
    {
      return due
    }
    return try connection.first(
      Self.misdatedSQL, .integer(farthest.milliseconds), row: { $0.integer(0) })
  }

  /// The item that is due first. The index leads to it, however many wait behind it.
  static let dueSQL: StaticString = """
    SELECT o.number FROM outbox o INDEXED BY outbox_ready
    CROSS JOIN draft d ON d.number = o.draft
    WHERE o.state = 'queued' AND o.ready_at <= ?1 AND d.status <> 'discarded'
      AND NOT EXISTS (SELECT 1 FROM outbox e WHERE e.draft = o.draft AND e.number < o.number)
      AND NOT EXISTS (SELECT 1 FROM conflict c WHERE c.draft = o.draft)
    ORDER BY o.ready_at, o.number LIMIT 1
    """

  /// An item that was dated by a clock that was set back since.
  static let misdatedSQL: StaticString = """
    SELECT o.number FROM outbox o INDEXED BY outbox_ready
    CROSS JOIN draft d ON d.number = o.draft
    WHERE o.state = 'queued' AND o.ready_at > ?1 AND d.status <> 'discarded'
      AND NOT EXISTS (SELECT 1 FROM outbox e WHERE e.draft = o.draft AND e.number < o.number)
      AND NOT EXISTS (SELECT 1 FROM conflict c WHERE c.draft = o.draft)
    ORDER BY o.ready_at, o.number LIMIT 1
    """

  private func task(
    _ number: Int64, _ lease: String, _ now: Timestamp, _ connection: Connection
  ) throws -> OutboxTask? {
    let row = try connection.first(
      """
      SELECT o.number, d.id, o.submission, o.state, o.attempts, o.next_attempt_at, o.last_error,
        o.created_at, o.leased_until, o.idempotency_key, o.request
      FROM outbox o JOIN draft d ON d.number = o.draft WHERE o.number = ?
      """, .integer(number)
    ) { (OutboxItem($0, now: now), key: $0.text(9), request: $0.optionalText(10)) }
    guard let (item, key, request) = row,
      let submission = try submission(item.submission, of: item.draft, connection)
    else { return nil }
    let record = try serverRecord(of: item.draft, connection)
    let base = try record?.submission.flatMap {
      try self.submission($0, of: item.draft, connection)
    }
    func form(of submission: Submission) throws -> PreparedForm {
      try storedForm(FormKey(form: submission.form, version: submission.version), connection)
    }
    return OutboxTask(
      item: item, idempotencyKey: key, submission: submission, form: try form(of: submission),
      acknowledgedForm: try base.map(form),
      acknowledged: try acknowledgedEntries(of: item.draft, connection), record: record,
      frozenRequest: request, lease: lease)
  }

  /// Keeps a request's very bytes before they are sent.
  ///
  /// - Returns: false when the item is not leased to this task any more, or holds another
  ///   submission by now: it must not be sent then.
  /// - Throws: `DatabaseError`
  public func freeze(request: String, of task: OutboxTask) throws -> Bool {
    try database.write { connection in
      try connection.run(
        """
        UPDATE outbox SET request = ?1
        WHERE number = ?2 AND lease = ?3 AND idempotency_key = ?4 AND state = 'queued'
        """, .text(request), .integer(task.item.id), .text(task.lease),
        .text(task.idempotencyKey))
      return connection.changeCount > 0
    }
  }

  /// Records how an attempt ended, and ends the lease. What the server acknowledged moves the base
  /// for these fields alone.
  ///
  /// What the server acknowledged is taken even when the lease was lost, as long as nobody else
  /// finished the same attempt; anything else is then for the lease's new holder to say.
  ///
  /// - Returns: whether a newer submission of the draft took the place of a parked one.
  /// - Throws: `DatabaseError`
  @discardableResult
  public func finish(_ task: OutboxTask, _ outcome: OutboxOutcome) throws -> Bool {
    let isReplaced = try database.write { connection in
      guard let draft = try draftNumber(of: task, outcome, connection) else {
        // A newer submission has taken its place: that one must not wait for the lease to end.
        try release(task, connection)
        return false
      }
      switch outcome {
      case .acknowledged(let fields, let etag, let isComplete):
        try forgetRemadeRecord(of: draft, connection)
        try acknowledge(fields, etag, of: draft, connection)
        if isComplete {
          try connection.run(
            "UPDATE server_record SET submission = ? WHERE draft = ?",
            .integer(task.item.submission), .integer(draft))
          try connection.run("DELETE FROM outbox WHERE number = ?", .integer(task.item.id))
        } else {
          try renew(task, error: nil, at: 0, attempts: 0, connection)
        }
      case .retry(let at, let error, let keepsRequest, let isAttempt):
        let attempts = task.item.attempts + (isAttempt ? 1 : 0)
        if keepsRequest {
          try connection.run(
            """
            UPDATE outbox SET leased_until = 0, next_attempt_at = ?, attempts = ?, last_error = ?
            WHERE number = ?
            """, .integer(at.milliseconds), .integer(attempts), .text(error),
            .integer(task.item.id))
        } else {
          try renew(task, error: error, at: at.milliseconds, attempts: attempts, connection)
        }
      case .parked(let error, let keepsRequest):
        if !keepsRequest {
          guard try !hasItem(after: task.item.id, of: draft, connection) else {
            // The refused one would hold it up.
            try connection.run("DELETE FROM outbox WHERE number = ?", .integer(task.item.id))
            return true
          }
          try renew(task, error: error, at: 0, attempts: task.item.attempts, connection)
        }
        try park(task, error, connection)
      case .recordGone(let error, let isMadeAnew, let keepsRequest):
        try noteMissingRecord(of: draft, isMadeAnew: isMadeAnew, connection)
        if !keepsRequest {
          try renew(task, error: error, at: 0, attempts: task.item.attempts, connection)
        }
        if !isMadeAnew { try park(task, error, connection) }
      case .released: try release(task, connection)
      case .withdrawn:
        try renew(task, error: nil, at: 0, attempts: task.item.attempts, connection)
      }
      return false
    }
    didCommit()
    return isReplaced
  }

  private func hasItem(
    after item: Int64, of draft: Int64, _ connection: Connection
  ) throws -> Bool {
    try connection.first(
      "SELECT 1 FROM outbox WHERE draft = ? AND number > ?", .integer(draft), .integer(item)
    ) { _ in true } ?? false
  }

  private func park(_ task: OutboxTask, _ error: String, _ connection: Connection) throws {
    try connection.run(
      """
      UPDATE outbox SET state = 'parked', leased_until = 0, last_error = ?,
        attempts = attempts + 1 WHERE number = ?
      """, .text(error), .integer(task.item.id))
  }

  /// The number of a task's draft, or nil when the outcome is not this task's to say any more.
  private func draftNumber(
    of task: OutboxTask, _ outcome: OutboxOutcome, _ connection: Connection
  ) throws -> Int64? {
    let row = try connection.first(
      "SELECT draft, lease FROM outbox WHERE number = ? AND idempotency_key = ?",
      .integer(task.item.id), .text(task.idempotencyKey)
    ) { (draft: $0.integer(0), lease: $0.optionalText(1)) }
    guard let row else { return nil }
    if case .acknowledged = outcome { return row.draft }
    return row.lease == task.lease ? row.draft : nil
  }

  /// Ends a task's lease, if it is still the task's.
  func release(_ task: OutboxTask, _ connection: Connection) throws {
    try connection.run(
      "UPDATE outbox SET leased_until = 0 WHERE number = ? AND lease = ?",
      .integer(task.item.id), .text(task.lease))
  }

  /// Makes the item ready for another request, under another key.
  private func renew(
    _ task: OutboxTask, error: String?, at: Int64, attempts: Int, _ connection: Connection
  ) throws {
    try connection.run(
      """
      UPDATE outbox SET leased_until = 0, request = NULL, idempotency_key = ?, attempts = ?,
        next_attempt_at = ?, last_error = ? WHERE number = ?
      """, .text(DraftID().description), .integer(attempts), .integer(at), .optional(error),
      .integer(task.item.id))
  }
}
