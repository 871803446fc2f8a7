import DraftDatabase
import Synchronization

/// The shape of a statement that reads one segment of a search: all but its values.
struct SearchSQL: Hashable {
  let scope: RecordScope
  let source: SearchPlan.Segment.Source
  let condition: String
  /// Conditions over the record and its draft.
  let recordConditions: [String]
  let hasCursor: Bool

  private static let texts = Mutex<[SearchSQL: String]>([:])
  private static let capacity = 256

  /// The statement. Putting it together takes longer than running it for one match, so texts are
  /// kept.
  var text: String {
    if let text = Self.texts.withLock({ $0[self] }) { return text }
    let text = compose()
    Self.texts.withLock {
      if $0.count >= Self.capacity { $0.removeAll() }
      $0[self] = text
    }
    return text
  }

  private func compose() -> String {
    let tables = SearchTables(scope)
    let owner = tables.owner
    let isOrdered = source == .values
    let number = source == .records ? "\(tables.record).number" : "v.\(owner)"
    var parts: [String] = []
    if source != .records {
      parts.append("v.\(tables.key) = ?" + (source == .tags ? "" : tables.isSubmitted("v")))
    }
    if source == .keyless { parts.append("v.search_key IS NULL") }
    parts.append("(\(condition))")
    if hasCursor {
      parts.append(
        isOrdered
          ? "v.search_key >= ? AND (v.search_key > ? OR v.\(owner) > ?)" : "\(number) > ?")
    }
    parts += recordConditions
    let value =
      switch source {
      case .records: "NULL, NULL, NULL"
      case .values: "v.search_key, v.type, v.value"
      case .keyless: "NULL, v.type, v.value"
      case .tags: "NULL, x.type, x.value"
      }
    return """
      SELECT \(number), \(value), d.id, \(tables.record).form, \(tables.time), \(tables.ordinal)
      FROM \(joinedTables(tables)) WHERE \(parts.joined(separator: " AND "))
      ORDER BY \(isOrdered ? "v.search_key, " : "")\(number) LIMIT ?
      """
  }

  /// The tables in the order in which they are to be read.
  private func joinedTables(_ tables: SearchTables) -> String {
    let (owner, key) = (tables.owner, tables.key)
    switch source {
    case .values, .keyless: return "\(tables.values) v CROSS JOIN \(tables.records("v"))"
    case .tags:
      return """
        \(tables.tags) v CROSS JOIN \(tables.values) x
        ON x.\(owner) = v.\(owner) AND x.\(key) = v.\(key) CROSS JOIN \(tables.records("v"))
        """
    case .records: return tables.allRecords
    }
  }
}

/// The names of the tables and columns that a scope is searched in.
struct SearchTables {
  let values: String
  let tags: String
  /// The column that names the record in ``values`` and ``tags``.
  let owner: String
  /// The column of the service key.
  let key: String
  /// The alias of the record's table.
  let record: String
  let time: String
  let ordinal: String
  /// The records with their drafts, read in their order: by an index of forms, each page would
  /// collect and sort them all.
  let allRecords: String
  private let hasLocalValues: Bool

  init(_ scope: RecordScope) {
    hasLocalValues = scope == .drafts
    switch scope {
    case .drafts:
      (values, tags, owner, key) = ("draft_value", "tag_selection", "draft", "field")
      (record, time, ordinal) = ("d", "d.updated_at", "NULL")
      allRecords = "draft d NOT INDEXED"
    case .submissions:
      (values, tags) = ("submission_value", "submission_tag")
      (owner, key) = ("submission", "service_key")
      (record, time, ordinal) = ("s", "s.created_at", "s.ordinal")
      allRecords = "submission s NOT INDEXED CROSS JOIN draft d ON d.number = s.draft"
    }
  }

  /// The condition that a value has a service key, as the partial index states it.
  func isSubmitted(_ alias: String) -> String {
    hasLocalValues ? " AND NOT \(alias).is_local" : ""
  }

  /// Of the tags 1 and "1" of one field, which the same text names, only the string counts.
  var isFirstTag: String {
    hasLocalValues
      ? """
       AND (NOT v.is_number OR NOT EXISTS (SELECT 1 FROM tag_selection t WHERE t.draft = v.draft
          AND t.field = v.field AND t.tag = v.tag AND NOT t.is_number))
      """ : ""
  }

  /// The record that a value belongs to.
  func records(_ alias: String) -> String {
    hasLocalValues
      ? "draft d ON d.number = \(alias).draft"
      : "submission s ON s.number = \(alias).submission CROSS JOIN draft d ON d.number = s.draft"
  }
}
