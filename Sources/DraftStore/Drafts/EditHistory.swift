import DraftDatabase
import FormModel

/// How an edit is kept, to be undone.
public struct HistoryOptions: Hashable, Sendable {
  /// Whether the edit goes on with the step before it, when that changed the same field: typing is
  /// undone in pieces that a person remembers, not by the key.
  public var continuesStep: Bool
  /// The most steps that are kept of a draft; older ones are forgotten.
  public var limit: Int

  public init(continuesStep: Bool = false, limit: Int = 500) {
    self.continuesStep = continuesStep
    self.limit = limit
  }
}

/// How much can be undone and redone in a draft.
public struct EditHistory: Hashable, Sendable {
  public let undoCount: Int
  public let redoCount: Int
}

/// What an undo or redo did.
public struct HistoryStep: Hashable, Sendable {
  /// The draft's revision afterwards.
  public let revision: Int
  /// The fields that have another value now, by key; nil where a value was taken away.
  public let values: [String: FieldValue?]
}

/// One field's part in a step.
struct HistoryChange {
  let key: String
  let old: FieldValue?
  let new: FieldValue?
}

extension DraftStore {
  /// Takes the last edit back that was kept with ``DraftEdit/history``, as an edit of its own.
  ///
  /// A step is left out when one of its fields was changed otherwise since, so that an undo never
  /// takes back what another window or the server wrote, or when the form has the field no more.
  ///
  /// - Returns: what has changed, or nil when there is nothing to undo.
  /// - Throws: ``StoreError`` for an unknown or discarded draft; `DatabaseError`.
  @discardableResult
  public func undo(_ id: DraftID) throws -> HistoryStep? { try move(id, isUndo: true) }

  /// Makes an edit anew that was undone; see ``undo(_:)``.
  ///
  /// - Returns: what has changed, or nil when there is nothing to redo.
  /// - Throws: ``StoreError`` for an unknown or discarded draft; `DatabaseError`.
  @discardableResult
  public func redo(_ id: DraftID) throws -> HistoryStep? { try move(id, isUndo: false) }

  /// How much can be undone and redone.
  ///
  /// - Throws: `DatabaseError`
  public func history(of id: DraftID) throws -> EditHistory {
    try database.read { connection in
      func count(_ isUndone: Int) throws -> Int {
        try connection.first(
          """
          SELECT count(DISTINCT step) FROM edit_history
          WHERE draft = (SELECT number FROM draft WHERE id = ?) AND is_undone = ?
          """, .text(id.description), .integer(isUndone)
        ) { Int($0.integer(0)) } ?? 0
      }
      return EditHistory(undoCount: try count(0), redoCount: try count(1))
    }
  }

  private func move(_ id: DraftID, isUndo: Bool) throws -> HistoryStep? {
    let step = try database.write { connection -> HistoryStep? in
      guard let number = try draftNumber(id, connection) else { return nil }
      while let (step, changes) = try nextStep(of: number, isUndo: isUndo, connection) {
        guard try isUntouched(changes, of: id, number, connection) else {
          try forget(step, of: number, isUndo: isUndo, connection)
          continue
        }
        return try apply(step, changes, to: id, isUndo: isUndo, connection)
      }
      return nil
    }
    if step != nil { didCommit() }
    return step
  }

  private func draftNumber(_ id: DraftID, _ connection: Connection) throws -> Int64? {
    let row = try connection.first(
      "SELECT number, status FROM draft WHERE id = ?", .text(id.description)
    ) { ($0.integer(0), $0.text(1)) }
    guard let row else {
      // A draft that was only begun has no history.
      if unwritten.withLock({ $0[id] != nil }) { return nil }
      throw StoreError.unknownDraft(id.description)
    }
    guard row.1 != DraftStatus.discarded.rawValue else { throw StoreError.isDiscarded(id) }
    return row.0
  }

  /// The step that is next to be undone or redone. Each change has as `old` what its field must hold
  /// now, and as `new` what it is to hold.
  private func nextStep(
    of draft: Int64, isUndo: Bool, _ connection: Connection
  ) throws -> (step: Int64, changes: [HistoryChange])? {
    let step = try connection.first(
      """
      SELECT CASE ?2 WHEN 1 THEN min(step) ELSE max(step) END FROM edit_history
      WHERE draft = ?1 AND is_undone = ?2
      """, .integer(draft), .integer(isUndo ? 0 : 1)
    ) { $0.isNull(0) ? nil : $0.integer(0) }
    guard let step, let step else { return nil }
    let changes = try connection.all(
      """
      SELECT field, old_type, old_value, new_type, new_value FROM edit_history
      WHERE draft = ? AND step = ?
      """, .integer(draft), .integer(step)
    ) { row in
      let old = row.isNull(1) ? nil : try row.fieldValue(type: 1, text: 2)
      let new = row.isNull(3) ? nil : try row.fieldValue(type: 3, text: 4)
      return isUndo
        ? HistoryChange(key: row.text(0), old: new, new: old)
        : HistoryChange(key: row.text(0), old: old, new: new)
    }
    return (step, changes)
  }

  private func isUntouched(
    _ changes: [HistoryChange], of id: DraftID, _ draft: Int64, _ connection: Connection
  ) throws -> Bool {
    let form = try storedForm(formKey(of: draft, connection), connection)
    return try changes.allSatisfy { change in
      guard let field = form.field(change.key), field.key.hasSameBytes(as: change.key) else {
        return false
      }
      return try savedField(change.key, of: draft, connection)?.value == change.old
    }
  }

  private func formKey(of draft: Int64, _ connection: Connection) throws -> FormKey {
    let key = try connection.first(
      "SELECT form, version FROM draft WHERE number = ?", .integer(draft)
    ) { FormKey(form: $0.text(0), version: Int($0.integer(1))) }
    guard let key else { throw StoreError.unknownDraft(String(draft)) }
    return key
  }

  /// Forgets a step that can't be made. What was undone after it builds on it.
  private func forget(
    _ step: Int64, of draft: Int64, isUndo: Bool, _ connection: Connection
  ) throws {
    if isUndo {
      try connection.run(
        "DELETE FROM edit_history WHERE draft = ? AND step = ?", .integer(draft), .integer(step))
    } else {
      try connection.run(
        "DELETE FROM edit_history WHERE draft = ? AND is_undone", .integer(draft))
    }
  }

  private func apply(
    _ step: Int64, _ changes: [HistoryChange], to id: DraftID, isUndo: Bool,
    _ connection: Connection
  ) throws -> HistoryStep {
    var edit = DraftEdit()
    edit.focus = changes.first?.key
    guard let head = try updateHead(of: id, edit, connection) else {
      try throwNotEditable(id, connection)
    }
    let form = try storedForm(head.form, connection)
    var values: [String: FieldValue?] = [:]
    for change in changes {
      let field = try form.fieldForEdit(named: change.key)
      _ = try write(change.new, to: field, of: head, connection)
      values.updateValue(change.new, forKey: change.key)
    }
    try connection.run(
      "UPDATE edit_history SET is_undone = ? WHERE draft = ? AND step = ?",
      .integer(isUndo ? 1 : 0), .integer(head.number), .integer(step))
    return HistoryStep(revision: head.revision, values: values)
  }

  /// Keeps what an edit changed, in the edit's own transaction.
  func keep(
    _ changes: [HistoryChange], _ options: HistoryOptions, of head: DraftHead,
    _ connection: Connection
  ) throws {
    try connection.run(
      "DELETE FROM edit_history WHERE draft = ? AND is_undone", .integer(head.number))
    if options.continuesStep, changes.count == 1,
      try continueStep(with: changes[0], of: head, connection)
    {
      return
    }
    let last = try lastStep(of: head.number, connection)
    for change in changes {
      try insert(change, step: last + 1, of: head.number, connection)
    }
    try connection.run(
      "DELETE FROM edit_history WHERE draft = ? AND step <= ?", .integer(head.number),
      .integer(last + 1 - Int64(max(1, options.limit))))
  }

  private func lastStep(of draft: Int64, _ connection: Connection) throws -> Int64 {
    try connection.first(
      "SELECT ifnull(max(step), 0) FROM edit_history WHERE draft = ?", .integer(draft)
    ) { $0.integer(0) } ?? 0
  }

  /// Adds a change to the last step, if that is of the same field alone and ended where the change
  /// begins.
  private func continueStep(
    with change: HistoryChange, of head: DraftHead, _ connection: Connection
  ) throws -> Bool {
    guard let (step, last) = try nextStep(of: head.number, isUndo: true, connection),
      last.count == 1, last[0].key.hasSameBytes(as: change.key), last[0].old == change.old
    else { return false }
    try connection.run(
      "DELETE FROM edit_history WHERE draft = ? AND step = ?", .integer(head.number),
      .integer(step))
    let whole = HistoryChange(key: change.key, old: last[0].new, new: change.new)
    // What came back to where it began leaves no step.
    if whole.old != whole.new { try insert(whole, step: step, of: head.number, connection) }
    return true
  }

  private func insert(
    _ change: HistoryChange, step: Int64, of draft: Int64, _ connection: Connection
  ) throws {
    let (old, new) = (change.old.map(StoredValue.init), change.new.map(StoredValue.init))
    // A field that one edit changes twice is undone to its first value.
    try connection.run(
      """
      INSERT INTO edit_history
        (draft, step, field, old_type, old_value, new_type, new_value, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET new_type = excluded.new_type, new_value = excluded.new_value
      """, .integer(draft), .integer(step), .text(change.key),
      .optional(old.map { $0.type.description }), .optional(old?.text),
      .optional(new.map { $0.type.description }), .optional(new?.text),
      .integer(options.now().milliseconds))
  }
}
