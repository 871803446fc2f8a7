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
  /// - Parameters:
  ///   - id: the draft.
  ///   - version: the version, or nil for the newest.
  /// - Throws: ``StoreError`` for an unknown or discarded draft or an unknown version;
  ///   `DatabaseError`.
  @discardableResult
  public func upgrade(_ id: DraftID, to version: Int? = nil) throws -> DraftUpgrade {
    let upgrade = try database.write { connection in
      let written = try draft(id, connection)
      guard let old = written ?? unwritten.withLock({ $0[id] }) else {
        throw StoreError.unknownDraft(id.description)
      }
      guard old.status != .discarded else { throw StoreError.isDiscarded(id) }
      let form = try self.form(old.form, version: version, connection)
      let newVersion = form.form.version ?? old.version
      let plan = UpgradePlan(
        old, from: try storedForm(FormKey(form: old.form, version: old.version), connection),
        to: form)
      if written == nil {
        // What nobody edited yet stays unwritten.
        unwritten.withLock { $0[id]?.version = newVersion }
      } else if newVersion != old.version {
        try save(plan, of: old, form, connection)
      }
      return DraftUpgrade(
        from: old.version, to: newVersion, renamed: plan.renamed, converted: plan.converted,
        needsAttention: try (draft(id, connection) ?? old).needsAttention(in: form))
    }
    didCommit()
    return upgrade
  }

  private func save(
    _ plan: UpgradePlan, of draft: Draft, _ form: PreparedForm, _ connection: Connection
  ) throws {
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
    // A row that got or lost its service key under the same name is found, or no longer.
    for field in form.fields where draft[field.key] != nil {
      try connection.run(
        """
        UPDATE draft_value SET is_local = ?3 WHERE draft = ?1 AND field = ?2 AND is_local <> ?3
        """, .integer(number), .text(field.key), .integer(field.isSubmitted ? 0 : 1))
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

  /// - Parameter oldForm: the version that the draft has now.
  init(_ draft: Draft, from oldForm: PreparedForm, to form: PreparedForm) {
    for field in form.fields {
      if let value = draft[field.key] {
        move(value, from: field.key, to: field)
        continue
      }
      // On the way back to an earlier version, the later one's earlier keys lead to its value.
      let later = oldForm.fields.filter { $0.formerKeys.contains(field.key) }.map(\.key)
      let former = (field.formerKeys + later).first {
        draft[$0] != nil && form.index(of: $0) == nil
      }
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
    if case .options(let options) = field.content { return converted(to: options) }
    if isOf(field.dataType) { return field.dataType == .json ? .json(json) : self }
    switch (self, field.dataType) {
    case (.option(let id), .tags): return .tags([id])
    case (.tags(let ids), .option): return ids.count == 1 ? .option(ids[0]) : nil
    case (.json(let value), let type):
      // Only what is the same JSON afterwards.
      let converted = try? FieldValue(json: value, as: type)
      return converted?.json == value ? converted : nil
    case (.tags, _), (_, .tags): return nil
    case (_, .string): return .string(text)
    case (.boolean, _), (.date, .time), (.dateTime, _): return nil
    default: return try? FieldValue(parsing: text, as: field.dataType)
    }
  }

  /// The value as the id of one of the options.
  private func converted(to options: [Option]) -> FieldValue? {
    let meant: String
    switch self {
    case .null: return self
    case .option(let id) where options.contains { $0.id == id }: return self
    case .tags(let ids):
      guard ids.count == 1 else { return nil }
      return FieldValue.option(ids[0]).converted(to: options)
    case .json(let value):
      return OptionID(json: value).flatMap { FieldValue.option($0).converted(to: options) }
    // "1" and 1 are two ids; an option whose id changed from one to the other is still meant.
    default: meant = text
    }
    return options.first { $0.id.description.hasSameBytes(as: meant) }.map { .option($0.id) }
  }
}
