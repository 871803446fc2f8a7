import DraftDatabase
import FormModel

/// What became of a draft that was brought to another version of its form.
public struct DraftUpgrade: Hashable, Sendable {
  public let from: Int
  public let to: Int
  /// Fields whose value was found under an earlier key.
  public let renamed: [Rename]
  /// Fields whose value became one of another type, without loss.
  public let converted: [String]
  /// Values that the new version can't use as they are; they are kept.
  public let needsAttention: [Attention]

  public struct Rename: Hashable, Sendable {
    public let from: String
    public let to: String
  }
}

extension DraftStore {
  /// Brings a draft to a version of its form, in one transaction.
  ///
  /// Values of unchanged keys carry over; a row's `formerKeys` find values under earlier names; a
  /// value of another type is converted when nothing is lost, else kept as it is; values of rows
  /// that are gone are kept. Nothing is dropped.
  ///
  /// - Parameter version: the version, or nil for the newest.
  /// - Throws: ``StoreError`` for an unknown or discarded draft or an unknown version;
  ///   `DatabaseError`.
  @discardableResult
  public func upgrade(_ id: DraftID, to version: Int? = nil) throws -> DraftUpgrade {
    let upgrade = try database.write { connection in
      guard let old = try draft(id, connection) ?? unwritten.withLock({ $0[id] }) else {
        throw StoreError.unknownDraft(id.description)
      }
      guard old.status != .discarded else { throw StoreError.isDiscarded(id) }
      let form = try self.form(old.form, version: version, connection)
      let newVersion = form.form.version ?? old.version
      let plan = UpgradePlan(old, to: form)
      if newVersion != old.version { try save(plan, of: old, form, connection) }
      return DraftUpgrade(
        from: old.version, to: newVersion, renamed: plan.renamed, converted: plan.converted,
        needsAttention: try (draft(id, connection) ?? old).needsAttention(in: form))
    }
    // Only now: a draft that was begun stays one when nothing could be written.
    if upgrade.from != upgrade.to { unwritten.withLock { _ = $0.removeValue(forKey: id) } }
    didCommit()
    return upgrade
  }

  private func save(
    _ plan: UpgradePlan, of draft: Draft, _ form: PreparedForm, _ connection: Connection
  ) throws {
    if unwritten.withLock({ $0[draft.id] != nil }) { try insert(draft, connection) }
    let number = try connection.first(
      """
      UPDATE draft SET version = ?2, revision = revision + 1, updated_at = max(updated_at, ?3),
        focus = CASE WHEN focus = ?4 THEN ?5 ELSE focus END
      WHERE id = ?1 RETURNING number
      """, .text(draft.id.description), .integer(form.form.version ?? draft.version),
      .integer(options.now().milliseconds), .optional(draft.focus),
      .optional(plan.renamed.first { $0.from == draft.focus }?.to ?? draft.focus)
    ) { $0.integer(0) }
    guard let number else { return }
    let head = DraftHead(
      number: number, revision: draft.revision + 1,
      form: FormKey(form: draft.form, version: form.form.version ?? draft.version))
    for key in plan.vacatedKeys {
      try connection.run(
        "DELETE FROM draft_value WHERE draft = ? AND field = ?", .integer(number), .text(key))
    }
    for (field, value) in plan.moved {
      _ = try write(value, to: field, of: head, connection)
    }
  }
}

/// What an upgrade moves where.
private struct UpgradePlan {
  var renamed: [DraftUpgrade.Rename] = []
  var converted: [String] = []
  /// The keys whose rows leave their place before ``moved`` is written.
  var vacatedKeys: [String] = []
  var moved: [(FormField, FieldValue)] = []

  init(_ draft: Draft, to form: PreparedForm) {
    for field in form.fields {
      if let value = draft[field.key] {
        move(value, from: field.key, to: field)
        continue
      }
      let former = field.formerKeys.first { draft[$0] != nil && form.index(of: $0) == nil }
      guard let former, let value = draft[former], !vacatedKeys.contains(former) else { continue }
      renamed.append(DraftUpgrade.Rename(from: former, to: field.key))
      move(value, from: former, to: field)
    }
  }

  private mutating func move(_ value: FieldValue, from key: String, to field: FormField) {
    let converted = value.converted(to: field)
    let isSame = key.utf8.elementsEqual(field.key.utf8)
    if let converted, converted != value { self.converted.append(field.key) }
    if isSame, converted == nil || converted == value { return }
    vacatedKeys.append(key)
    moved.append((field, converted ?? value))
  }
}

extension FieldValue {
  /// The value as one of a field's type, when nothing is lost; else nil.
  func converted(to field: FormField) -> FieldValue? {
    switch (self, field.content) {
    case (.option(let id), .options(let options)) where !options.contains { $0.id == id }:
      // "1" and 1 are two ids; an option whose id changed from one to the other is still meant.
      return options.first { $0.id.description == id.description }.map { .option($0.id) }
    case (_, .options(let options)) where !isOf(.option):
      return options.first { $0.id.description == text }.map { .option($0.id) }
    case (.option(let id), .tags): return .tags([id])
    case (.tags(let ids), .options): return ids.count == 1 ? .option(ids[0]) : nil
    default: break
    }
    if isOf(field.dataType) { return field.dataType == .json ? .json(json) : self }
    switch (self, field.dataType) {
    case (.tags, _), (.json, _): return nil
    case (_, .string): return .string(text)
    case (_, .tags): return nil
    case (.boolean, _), (.date, .time), (.dateTime, _): return nil
    default:
      guard let converted = try? FieldValue(parsing: text, as: field.dataType) else { return nil }
      return converted
    }
  }
}
