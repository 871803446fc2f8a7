import DraftDatabase
import FormModel

/// What one action of a person changes in a draft; all of it is saved in one transaction.
public struct DraftEdit: Sendable {
  /// A change of one field.
  struct Change: Sendable {
    let key: String
    let action: Action
    /// The revision of the field that the person saw, when the edit says so; 0 for no value.
    let seenRevision: Int?
  }

  enum Action: Sendable {
    /// The new value; nil takes the field's value away.
    case set(FieldValue?)
    /// Makes the new value from the saved one, within the transaction.
    case update(@Sendable (FormField, FieldValue?) throws -> FieldValue?)
  }

  private(set) var changes: [Change] = []
  /// The key of the field where the person is, when that is to be saved.
  public var focus: String?
  /// A new title, or nil to leave it.
  public var title: String?
  /// How the edit is kept, to be undone; nil keeps nothing. Changes of sensitive fields are not kept.
  public var history: HistoryOptions?

  public init() {}

  /// Sets a field's value, or takes it away with nil.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: the field's service key, or the label of a row.
  ///   - seenRevision: the revision of the field, or of the draft, that the person saw, or 0 when the
  ///     field had no value; the edit is refused when another came first. Nil does not ask.
  public mutating func set(_ value: FieldValue?, for key: String, seenRevision: Int? = nil) {
    changes.append(Change(key: key, action: .set(value), seenRevision: seenRevision))
  }

  /// Makes a field's value from the one that is saved when the edit is, so that nothing that others
  /// saved meanwhile is lost.
  public mutating func update(
    _ key: String, _ newValue: @escaping @Sendable (_ saved: FieldValue?) throws -> FieldValue?
  ) {
    update(key) { try newValue($1) }
  }

  mutating func update(
    _ key: String,
    _ newValue: @escaping @Sendable (FormField, FieldValue?) throws -> FieldValue?
  ) {
    changes.append(Change(key: key, action: .update(newValue), seenRevision: nil))
  }
}

/// What an edit did.
public struct DraftRevision: Hashable, Sendable {
  /// The draft's revision after the edit.
  public let revision: Int
  /// The keys of the fields that have another value now; empty when the edit changed nothing.
  public let changedKeys: [String]
}

extension DraftStore {
  /// Saves an edit: all of it, in one transaction, or nothing. A value that is equal to the saved
  /// one writes nothing.
  ///
  /// Values need not be valid. Text that is no value of its field's type is kept as it was typed;
  /// text that is one becomes a value of that type.
  ///
  /// - Throws: ``StoreError`` for an unknown draft or field, a discarded draft, a value of another
  ///   type, or an edit that came first; `DatabaseError`.
  @discardableResult
  public func edit(_ id: DraftID, _ edit: DraftEdit) throws -> DraftRevision {
    do {
      let revision = try database.write { try apply(edit, to: id, $0) }
      unwritten.withLock { _ = $0.removeValue(forKey: id) }
      didCommit()
      return revision
    } catch is NothingChanged {
      return try saveHead(of: id, edit)
    }
  }

  /// Saves an edit that a closure describes; see ``edit(_:_:)-(DraftID,DraftEdit)``.
  ///
  /// ```swift
  /// try store.edit(draft.id) {
  ///   $0.set(.decimal("120000.00"), for: "amount")
  ///   $0.focus = "term"
  /// }
  /// ```
  @discardableResult
  public func edit(
    _ id: DraftID, _ describe: (inout DraftEdit) throws -> Void
  ) throws -> DraftRevision {
    var edit = DraftEdit()
    try describe(&edit)
    return try self.edit(id, edit)
  }

  /// Saves one field's value, or takes it away with nil.
  @discardableResult
  public func set(_ value: FieldValue?, for key: String, in id: DraftID) throws -> DraftRevision {
    var edit = DraftEdit()
    edit.set(value, for: key)
    return try self.edit(id, edit)
  }

  /// Saves where the person is, by a field's key. It is no edit: the revision stays.
  public func focus(on key: String, in id: DraftID) throws {
    var edit = DraftEdit()
    edit.focus = key
    try self.edit(id, edit)
  }

  /// Ends a transaction that turned out to change no value, so that nothing is written.
  struct NothingChanged: Error {}

  private func apply(
    _ edit: DraftEdit, to id: DraftID, _ connection: Connection
  ) throws -> DraftRevision {
    guard !edit.changes.isEmpty else { throw NothingChanged() }
    let head = try bumpRevision(of: id, edit, connection)
    let form = try storedForm(head.form, connection)
    var changedKeys: [String] = []
    var step: [HistoryChange] = []
    for change in edit.changes {
      if case .set(nil) = change.action, form.field(named: change.key) == nil,
        try removeOrphan(change.key, of: head.number, connection)
      {
        changedKeys.append(change.key)
        continue
      }
      let field = try form.fieldForEdit(named: change.key)
      let value =
        switch change.action {
        case .set(let value): value
        case .update(let newValue):
          try newValue(field, savedField(field.key, of: head.number, connection)?.value)
        }
      let normalized = try value.flatMap(field.checked)
      if let seen = change.seenRevision {
        try check(seen, of: field, given: normalized, in: head, connection)
      }
      let old =
        try edit.history.flatMap { _ in try savedField(field.key, of: head.number, connection) }
      guard try write(normalized, to: field, of: head, connection) else { continue }
      changedKeys.append(field.key)
      // What was taken out of a sensitive field must be gone.
      guard !field.isSensitive else { continue }
      step.append(HistoryChange(key: field.key, old: old?.value, new: normalized))
    }
    guard !changedKeys.isEmpty else { throw NothingChanged() }
    if let history = edit.history, !step.isEmpty { try keep(step, history, of: head, connection) }
    return DraftRevision(revision: head.revision, changedKeys: changedKeys)
  }

  /// Counts the edit on the draft's row; a draft that was begun only is inserted first.
  private func bumpRevision(
    of id: DraftID, _ edit: DraftEdit, _ connection: Connection
  ) throws -> DraftHead {
    if let head = try updateHead(of: id, edit, connection) { return head }
    if try insertIfBegun(id, connection), let head = try updateHead(of: id, edit, connection) {
      return head
    }
    try throwNotEditable(id, connection)
  }

  func updateHead(
    of id: DraftID, _ edit: DraftEdit, _ connection: Connection
  ) throws -> DraftHead? {
    let update = try connection.statement(
      """
      UPDATE draft SET revision = revision + 1, updated_at = max(updated_at, ?2),
        status = 'editing', focus = ifnull(?3, focus), title = ifnull(?4, title)
      WHERE id = ?1 AND status <> 'discarded' RETURNING number, revision, form, version
      """)
    try update.bind(id.description, at: 1)
    try update.bind(options.now().milliseconds, at: 2)
    try update.bind(.optional(edit.focus), at: 3)
    try update.bind(.optional(edit.title), at: 4)
    guard try update.step() else { return nil }
    defer { update.reset() }
    return DraftHead(
      number: update.integer(0), revision: Int(update.integer(1)),
      form: FormKey(form: update.text(2), version: Int(update.integer(3))))
  }

  /// Saves what an edit that changed no value says about focus and title, if anything.
  private func saveHead(of id: DraftID, _ edit: DraftEdit) throws -> DraftRevision {
    let saved = try draft(id)
    guard saved.status != .discarded else { throw StoreError.isDiscarded(id) }
    let savesTitle = edit.title.map { !$0.hasSameBytes(as: saved.title) } ?? false
    let savesFocus = edit.focus.map { saved.focus?.hasSameBytes(as: $0) != true } ?? false
    if savesTitle || savesFocus {
      let isWritten = try database.write { connection in
        if savesTitle { try insertIfBegun(id, connection) }
        try connection.run(
          """
          UPDATE draft SET focus = ifnull(?2, focus), title = ifnull(?3, title)
          WHERE id = ?1 AND status <> 'discarded'
          """, .text(id.description), .optional(edit.focus), .optional(edit.title))
        let isWritten = connection.changeCount > 0
        // Where the person is writes no draft by itself; the first edit takes it along.
        if !isWritten { unwritten.withLock { $0[id]?.focus = edit.focus } }
        return isWritten
      }
      if isWritten { unwritten.withLock { _ = $0.removeValue(forKey: id) } }
      didCommit()
    }
    return DraftRevision(revision: saved.revision, changedKeys: [])
  }

  func throwNotEditable(_ id: DraftID, _ connection: Connection) throws -> Never {
    let isThere = try connection.first(
      "SELECT 1 FROM draft WHERE id = ?", .text(id.description)
    ) { _ in true }
    throw isThere == nil
      ? StoreError.unknownDraft(id.description) : StoreError.isDiscarded(id)
  }

  /// Takes away a value whose row the form has no more. Whether there was one.
  private func removeOrphan(
    _ key: String, of draft: Int64, _ connection: Connection
  ) throws -> Bool {
    try connection.run(
      "DELETE FROM draft_value WHERE draft = ? AND field = ?", .integer(draft), .text(key))
    return connection.changeCount > 0
  }

  /// Refuses an edit of a field that another edit changed since it was seen.
  private func check(
    _ seen: Int, of field: FormField, given: FieldValue?, in draft: DraftHead,
    _ connection: Connection
  ) throws {
    // The edit itself is counted already.
    guard seen < draft.revision else {
      throw StoreError.unknownRevision(seen, field: field.key, newest: draft.revision - 1)
    }
    let saved = try savedField(field.key, of: draft.number, connection)
    // A value that was taken away has no revision that could tell when.
    guard saved.map({ $0.revision > seen }) ?? (seen != 0) else { return }
    throw StoreError.staleField(
      field.key, given: given, saved: saved?.value, revision: saved?.revision ?? 0,
      isSensitive: field.isSensitive)
  }

  func savedField(
    _ key: String, of draft: Int64, _ connection: Connection
  ) throws -> SavedField? {
    let saved = try connection.first(
      "SELECT type, value, revision FROM draft_value WHERE draft = ? AND field = ?",
      .integer(draft), .text(key)
    ) {
      SavedField(
        key: key, value: try $0.fieldValue(type: 0, text: 1), revision: Int($0.integer(2)))
    }
    guard let saved, case .tags = saved.value else { return saved }
    return SavedField(
      key: key, value: .tags(try tags(of: draft, key, connection)), revision: saved.revision)
  }
}

/// The row of a draft that is being edited.
struct DraftHead {
  let number: Int64
  let revision: Int
  let form: FormKey
}

extension DraftStore {
  /// Writes a draft that was begun only. Whether it did; one that is written stays as it is.
  @discardableResult
  func insertIfBegun(_ id: DraftID, _ connection: Connection) throws -> Bool {
    guard let draft = unwritten.withLock({ $0[id] }) else { return false }
    // Another thread may have written it and not taken it off the list yet.
    let isThere = try connection.first(
      "SELECT 1 FROM draft WHERE id = ?", .text(id.description)
    ) { _ in true }
    guard isThere == nil else { return false }
    try insert(draft, connection)
    return true
  }

  /// Writes a draft's row. Its number.
  @discardableResult
  func insert(_ draft: Draft, _ connection: Connection) throws -> Int64 {
    try connection.run(
      """
      INSERT INTO draft
        (id, form, version, title, subject, revision, focus, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, .text(draft.id.description), .text(draft.form), .integer(draft.version),
      .text(draft.title), .optional(draft.subject), .integer(draft.revision),
      .optional(draft.focus), .integer(draft.createdAt.milliseconds),
      .integer(draft.updatedAt.milliseconds))
    return connection.lastInsertedRowID
  }

  /// Writes a field's value, or takes it away with nil. Whether that changed anything.
  ///
  /// - Parameter isNewDraft: whether the draft has no values of another type yet.
  func write(
    _ value: FieldValue?, to field: FormField, of head: DraftHead, isNewDraft: Bool = false,
    _ connection: Connection
  ) throws -> Bool {
    guard let value else {
      let delete = try connection.statement("DELETE FROM draft_value WHERE draft = ? AND field = ?")
      try delete.bind(head.number, at: 1)
      try delete.bind(field.key, at: 2)
      try delete.run()
      return connection.changeCount > 0
    }
    var isOtherSelection = false
    if case .tags(let ids) = value {
      isOtherSelection = try tags(of: head.number, field.key, connection) != ids
    }
    let upsert = try connection.statement(
      """
      INSERT INTO draft_value (draft, field, is_local, type, value, sort_key, revision)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      ON CONFLICT DO UPDATE SET is_local = excluded.is_local, type = excluded.type,
        value = excluded.value, sort_key = excluded.sort_key, revision = excluded.revision
      WHERE type IS NOT excluded.type OR value IS NOT excluded.value OR ?8
      """)
    try upsert.bind(head.number, at: 1)
    try upsert.bind(field.key, at: 2)
    try upsert.bind(Int64(field.isSubmitted ? 0 : 1), at: 3)
    try StoredValue(value).bind(to: upsert, from: 4)
    if case .tags = value { try upsert.bind(SQLValue.null, at: 5) }
    try upsert.bind(Int64(head.revision), at: 7)
    try upsert.bind(Int64(isOtherSelection ? 1 : 0), at: 8)
    try upsert.run()
    let isChanged = connection.changeCount > 0
    guard isChanged else { return false }
    if case .tags(let ids) = value {
      try select(ids, of: field.key, in: head.number, connection)
    } else if !isNewDraft || field.dataType == .tags {
      try unselectAll(of: field.key, in: head.number, connection)
    }
    return true
  }

  private func unselectAll(
    of field: String, in draft: Int64, _ connection: Connection
  ) throws {
    try connection.run(
      "DELETE FROM tag_selection WHERE draft = ? AND field = ?", .integer(draft), .text(field))
  }

  private func select(
    _ ids: [OptionID], of field: String, in draft: Int64, _ connection: Connection
  ) throws {
    try unselectAll(of: field, in: draft, connection)
    for (position, id) in ids.enumerated() {
      let (text, isNumber) =
        switch id {
        case .string(let text): (text, 0)
        case .number(let number): (String(number), 1)
        }
      try connection.run(
        "INSERT INTO tag_selection VALUES (?, ?, ?, ?, ?)", .integer(draft), .text(field),
        .text(text), .integer(isNumber), .integer(position))
    }
  }
}
