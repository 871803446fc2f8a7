import DraftDatabase
import FormModel

extension DraftStore {
  /// Puts a draft away; it can be restored until it is purged.
  ///
  /// - Throws: ``StoreError`` for an unknown draft; `DatabaseError`.
  public func discard(_ id: DraftID) throws {
    try setStatus(
      """
      UPDATE draft SET status = 'discarded', updated_at = CASE status
        WHEN 'discarded' THEN updated_at ELSE max(updated_at, ?2) END
      WHERE id = ?1
      """, id)
  }

  /// Takes a draft back that was discarded: as submitted when nothing was edited since its last
  /// submission, else as being edited.
  ///
  /// - Throws: ``StoreError`` for an unknown draft or one that is not discarded; `DatabaseError`.
  public func restore(_ id: DraftID) throws {
    guard try draft(id).status == .discarded else { throw StoreError.isNotDiscarded(id) }
    try setStatus(
      """
      UPDATE draft SET updated_at = max(updated_at, ?2), status = CASE
        WHEN EXISTS (SELECT 1 FROM submission s
          WHERE s.draft = draft.number AND s.draft_revision = draft.revision)
        THEN 'submitted' ELSE 'editing' END
      WHERE id = ?1
      """, id)
  }

  private func setStatus(_ sql: StaticString, _ id: DraftID) throws {
    let isThere = try database.write { connection in
      try connection.run(sql, .text(id.description), .integer(options.now().milliseconds))
      // A draft that was only begun is forgotten; here, since no first edit can come in between.
      let isBegun = unwritten.withLock { $0.removeValue(forKey: id) } != nil
      return connection.changeCount > 0 || isBegun
    }
    guard isThere else { throw StoreError.unknownDraft(id.description) }
    didCommit()
  }

  /// The discarded drafts that a purge would remove for good.
  ///
  /// - Parameters:
  ///   - age: how long ago they were discarded at least.
  ///   - includesUnsent: whether drafts are meant whose submissions still wait for the server.
  /// - Throws: `DatabaseError`
  public func purgeableDrafts(
    olderThan age: Duration = .zero, includingUnsent includesUnsent: Bool = false
  ) throws -> [DraftSummary] {
    try drafts(purgeFilter(age, includesUnsent))
  }

  /// Removes discarded drafts for good, with their values and submissions. Those whose submissions
  /// still wait for the server stay, unless they are meant too.
  ///
  /// - Parameters:
  ///   - age: how long ago they were discarded at least.
  ///   - includesUnsent: whether drafts are meant whose submissions still wait for the server.
  /// - Returns: the drafts that were removed.
  /// - Throws: `DatabaseError`
  @discardableResult
  public func purge(
    olderThan age: Duration = .zero, includingUnsent includesUnsent: Bool = false
  ) throws -> [DraftID] {
    let (condition, values) = purgeFilter(age, includesUnsent).condition
    let ids = try database.write { connection in
      try connection.all(
        composed: "DELETE FROM draft AS d WHERE \(condition) RETURNING id", values
      ) { DraftID(stored: $0.text(0)) }
    }
    if !ids.isEmpty { didCommit() }
    return ids
  }

  private func purgeFilter(_ age: Duration, _ includesUnsent: Bool) -> DraftFilter {
    // A draft that was discarded in this very millisecond is old enough for an age of zero.
    let moment = Timestamp(milliseconds: (options.now() - age).milliseconds + 1)
    return DraftFilter(
      statuses: [.discarded], updatedBefore: moment, isUnsent: includesUnsent ? nil : false)
  }

  /// Adds drafts with their values in one transaction, as when data is brought from elsewhere.
  ///
  /// - Parameters:
  ///   - form: the form's id; its newest version is used.
  ///   - values: for each draft, values by field key.
  /// - Returns: the ids in the same order.
  /// - Throws: ``StoreError`` for an unknown form or field or a value of another type;
  ///   `DatabaseError`. No draft is added then.
  @discardableResult
  public func addDrafts(
    of form: String, values: some Sequence<[(key: String, value: FieldValue)]>
  ) throws -> [DraftID] {
    let ids = try database.write { connection in
      let prepared = try self.form(form, version: nil, connection)
      let version = prepared.form.version ?? 1
      var ids: [DraftID] = []
      for draftValues in values {
        let now = options.now()
        let draft = Draft(
          id: DraftID(), form: form, version: version, status: .editing, title: "", subject: nil,
          revision: 1, focus: nil, createdAt: now, updatedAt: now, fields: [])
        let head = DraftHead(
          number: try insert(draft, connection), revision: 1,
          form: FormKey(form: form, version: version))
        for (key, value) in draftValues {
          let field = try prepared.fieldForEdit(named: key)
          guard let value = try field.checked(value) else { continue }
          _ = try write(value, to: field, of: head, isNewDraft: true, connection)
        }
        ids.append(draft.id)
      }
      return ids
    }
    didCommit()
    return ids
  }
}
