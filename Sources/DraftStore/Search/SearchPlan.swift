import DraftDatabase
import FormModel

/// A query as a list of index ranges that are read one after the other.
///
/// An index orders by `search_key`: NULL (null values and tags), then text, then bytes, where
/// instants come before numbers (see `StoredValue`).
struct SearchPlan {
  /// One range of one index.
  struct Segment {
    enum Source {
      /// Values in the order of their search keys.
      case values
      /// Values without a search key, in the order of their records.
      case keyless
      /// Chosen tags.
      case tags
      /// Records that may lack the value.
      case records
    }

    var source: Source
    /// A condition over `v`, the values or tags, or over the record.
    var condition: String
    var values: [SQLValue]
  }

  let query: DraftQuery
  let tables: SearchTables
  let segments: [Segment]

  /// Bytes that part instants from numbers: an instant's begin with a digit, a number's with one of
  /// 0x7E (negative), 0x80 (zero) and 0x81.
  private static let firstNumber = "x'7e'"

  /// - Parameter knownVersions: the form versions that have the first condition's key.
  init(_ query: DraftQuery, knownVersions: [FormKey]) {
    self.query = query
    tables = SearchTables(query.scope)
    guard let first = query.conditions.first else {
      segments = [Segment(source: .records, condition: "1", values: [])]
      return
    }
    segments = Self.segments(first.test, key: first.key, tables, knownVersions)
  }

  private static func segments(
    _ test: DraftQuery.Test, key: String, _ tables: SearchTables, _ knownVersions: [FormKey]
  ) -> [Segment] {
    func value(_ condition: String, _ values: SQLValue...) -> Segment {
      Segment(source: .values, condition: condition, values: values)
    }
    switch test {
    case .exists:
      return [
        Segment(source: .keyless, condition: "1", values: []), value("v.search_key IS NOT NULL"),
      ]
    case .missing:
      return [missing(key, tables, knownVersions)]
    case .equals(let text):
      var segments = [value("v.search_key = ?", .text(text))]
      if let key = sortKey(text) { segments.append(value("v.search_key = ?", .blob(key))) }
      let ids = Segment(source: .tags, condition: "v.tag = ?", values: [.text(text)])
      return segments + [ids]
    case .hasPrefix(let text):
      return [
        keylessTags("instr(t.tag, ?) = 1", text, tables),
        value(
          "v.search_key >= ? AND v.search_key < ? || CAST(x'ff' AS TEXT)", .text(text),
          .text(text)),
        value("v.search_key >= x'' AND instr(x.value, ?) = 1", .text(text)),
      ]
    case .contains(let text):
      return [
        keylessTags("instr(t.tag, ?) > 0", text, tables),
        value(
          "v.search_key >= '' AND v.search_key < x'' AND instr(v.search_key, ?) > 0", .text(text)),
        value("v.search_key >= x'' AND instr(x.value, ?) > 0", .text(text)),
      ]
    case .lessThan(let text): return [range(text, "<")]
    case .atMost(let text): return [range(text, "<=")]
    case .greaterThan(let text): return [range(text, ">")]
    case .atLeast(let text): return [range(text, ">=")]
    }
  }

  /// The bytes by which numbers and instants are ordered, for text that is one.
  private static func sortKey(_ text: String) -> [UInt8]? {
    if let number = DecimalNumber(text) { return number.sortKey }
    return OffsetDateTime(text).map { Array($0.utcSortKey.utf8) }
  }

  /// The values of the same class, numbers, instants or text, on one side of a bound.
  private static func range(_ text: String, _ comparison: String) -> Segment {
    let isLess = comparison.hasPrefix("<")
    let bound: SQLValue
    let otherEnd: String
    if let number = DecimalNumber(text) {
      bound = .blob(number.sortKey)
      otherEnd = isLess ? "v.search_key >= \(firstNumber)" : "1"
    } else if let instant = OffsetDateTime(text) {
      bound = .blob(Array(instant.utcSortKey.utf8))
      otherEnd = isLess ? "v.search_key >= x''" : "v.search_key < \(firstNumber)"
    } else {
      bound = .text(text)
      otherEnd = isLess ? "v.search_key >= ''" : "v.search_key < x''"
    }
    return Segment(
      source: .values, condition: "v.search_key \(comparison) ? AND \(otherEnd)", values: [bound])
  }

  private static func keylessTags(
    _ test: String, _ text: String, _ tables: SearchTables
  ) -> Segment {
    Segment(
      source: .keyless,
      condition: """
        EXISTS (SELECT 1 FROM \(tables.tags) t
          WHERE t.\(tables.owner) = v.\(tables.owner) AND t.\(tables.key) = v.\(tables.key)
          AND \(test))
        """, values: [.text(text)])
  }

  private static func missing(
    _ key: String, _ tables: SearchTables, _ knownVersions: [FormKey]
  ) -> Segment {
    let (test, values) = lacks(key, tables)
    guard !knownVersions.isEmpty else {
      return Segment(source: .records, condition: "0", values: [])
    }
    let pairs = Array(repeating: "(?, ?)", count: knownVersions.count).joined(separator: ", ")
    return Segment(
      source: .records,
      condition:
        "(\(tables.record).form, \(tables.record).version) IN (VALUES \(pairs)) AND \(test)",
      values: knownVersions.flatMap { [.text($0.form), .integer($0.version)] } + values)
  }

  private static func lacks(_ key: String, _ tables: SearchTables) -> (String, [SQLValue]) {
    (
      """
      NOT EXISTS (SELECT 1 FROM \(tables.values) w WHERE w.\(tables.owner) = \(tables.record).number
        AND w.\(tables.key) = ?\(tables.isSubmitted("w")))
      """, [.text(key)]
    )
  }

  /// A condition beyond the first, over the record.
  private static func filter(
    _ condition: DraftQuery.Condition, _ tables: SearchTables
  ) -> (String, [SQLValue]) {
    if case .missing = condition.test { return lacks(condition.key, tables) }
    var tests: [String] = []
    var values: [SQLValue] = [.text(condition.key)]
    for segment in segments(condition.test, key: condition.key, tables, []) {
      switch segment.source {
      case .values: tests.append("(\(segment.condition))")
      case .keyless: tests.append("(v.search_key IS NULL AND \(segment.condition))")
      case .tags:
        tests.append(
          """
          EXISTS (SELECT 1 FROM \(tables.tags) t WHERE t.\(tables.owner) = v.\(tables.owner)
            AND t.\(tables.key) = v.\(tables.key) AND t.tag = ?)
          """)
      case .records: continue
      }
      values += segment.values
    }
    let test = tests.joined(separator: " OR ").replacing("x.value", with: "v.value")
    return (
      """
      EXISTS (SELECT 1 FROM \(tables.values) v WHERE v.\(tables.owner) = \(tables.record).number
        AND v.\(tables.key) = ?\(tables.isSubmitted("v")) AND (\(test)))
      """, values
    )
  }

  /// The statement that reads one segment from a cursor on.
  ///
  /// Columns: record number, search key, type, value, draft id, form, time, submission number.
  func statement(
    _ segment: Segment, after cursor: SearchCursor?, limit: Int
  ) -> (sql: String, values: [SQLValue]) {
    let (owner, key) = (tables.owner, tables.key)
    let number = segment.source == .records ? "\(tables.record).number" : "v.\(owner)"
    let isOrdered = segment.source == .values
    var parts: [String] = []
    var values: [SQLValue] = []
    let firstKey = query.conditions.first?.key ?? ""
    if segment.source != .records {
      parts.append("v.\(key) = ?")
      values.append(.text(firstKey))
      if segment.source != .tags { parts.append("1" + tables.isSubmitted("v")) }
    }
    if segment.source == .keyless { parts.append("v.search_key IS NULL") }
    parts.append("(\(segment.condition))")
    values += segment.values
    if let cursor {
      if isOrdered {
        parts.append("v.search_key >= ? AND (v.search_key > ? OR v.\(owner) > ?)")
        values += [cursor.key, cursor.key, .integer(cursor.number)]
      } else {
        parts.append("\(number) > ?")
        values.append(.integer(cursor.number))
      }
    }
    addFilters(&parts, &values)
    let value =
      segment.source == .records
      ? "NULL, NULL, NULL" : "\(isOrdered ? "v.search_key" : "NULL"), x.type, x.value"
    let sql = """
      SELECT \(number), \(value), d.id, \(tables.record).form, \(tables.time), \(tables.ordinal)
      FROM \(source(segment.source))
      WHERE \(parts.joined(separator: " AND "))
      ORDER BY \(isOrdered ? "v.search_key, " : "")\(number) LIMIT \(limit)
      """
    return (sql, values)
  }

  /// The tables of a segment, joined in the order in which they are to be read.
  private func source(_ source: Segment.Source) -> String {
    let (owner, key) = (tables.owner, tables.key)
    let values = "\(tables.values) x ON x.\(owner) = v.\(owner) AND x.\(key) = v.\(key)"
    switch source {
    case .values, .keyless:
      return "\(tables.values) v CROSS JOIN \(values) CROSS JOIN \(tables.records("v"))"
    case .tags: return "\(tables.tags) v CROSS JOIN \(values) CROSS JOIN \(tables.records("v"))"
    case .records: return tables.allRecords
    }
  }

  private func addFilters(_ parts: inout [String], _ values: inout [SQLValue]) {
    for condition in query.conditions.dropFirst() {
      let (test, more) = Self.filter(condition, tables)
      parts.append(test)
      values += more
    }
    let filter = DraftFilter(form: query.form, statuses: query.statuses).condition
    parts.append(filter.sql)
    values += filter.values
    if let moment = query.updatedSince {
      parts.append("\(tables.time) >= ?")
      values.append(.integer(moment.milliseconds))
    }
    if let moment = query.updatedBefore {
      parts.append("\(tables.time) < ?")
      values.append(.integer(moment.milliseconds))
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
  /// The records with their drafts.
  let allRecords: String
  private let hasLocalValues: Bool

  init(_ scope: RecordScope) {
    hasLocalValues = scope == .drafts
    switch scope {
    case .drafts:
      (values, tags, owner, key) = ("draft_value", "tag_selection", "draft", "field")
      (record, time, ordinal) = ("d", "d.updated_at", "NULL")
      allRecords = "draft d"
    case .submissions:
      (values, tags) = ("submission_value", "submission_tag")
      (owner, key) = ("submission", "service_key")
      (record, time, ordinal) = ("s", "s.created_at", "s.ordinal")
      allRecords = "submission s CROSS JOIN draft d ON d.number = s.draft"
    }
  }

  /// The condition that a value has a service key, as the partial index states it.
  func isSubmitted(_ alias: String) -> String {
    hasLocalValues ? " AND NOT \(alias).is_local" : ""
  }

  /// The record that a value belongs to.
  func records(_ alias: String) -> String {
    hasLocalValues
      ? "draft d ON d.number = \(alias).draft"
      : "submission s ON s.number = \(alias).submission CROSS JOIN draft d ON d.number = s.draft"
  }
}
