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
  /// For each condition that asks what is missing, the form versions that have its key.
  private let knownVersions: [[FormKey]]
  let segments: [Segment]

  /// Bytes that part instants from numbers: an instant's begin with a digit, a number's with one of
  /// 0x7E (negative), 0x80 (zero) and 0x81.
  private static let firstNumber = "x'7e'"

  /// - Parameter knownVersions: for each condition that asks what is missing, the form versions that
  ///   have its key.
  init(_ query: DraftQuery, knownVersions: [[FormKey]]) {
    self.query = query
    self.knownVersions = knownVersions
    tables = SearchTables(query.scope)
    guard let first = query.conditions.first else {
      segments = [Segment(source: .records, condition: "1", values: [])]
      return
    }
    segments = Self.segments(first.test, key: first.key, tables, knownVersions[0])
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
      let (condition, values) = lacks(key, tables, knownVersions)
      return [Segment(source: .records, condition: condition, values: values)]
    case .equals(let text):
      var segments = [value("v.search_key = ?", .text(text))]
      if let key = sortKey(text) { segments.append(value("v.search_key = ?", .blob(key))) }
      let ids = Segment(
        source: .tags, condition: "v.tag = ?\(tables.isFirstTag)", values: [.text(text)])
      return segments + [ids]
    case .hasPrefix(let text):
      return [
        keylessTags("instr(t.tag, ?) = 1", text, tables),
        value(
          "v.search_key >= ? AND v.search_key < ? || CAST(x'ff' AS TEXT)", .text(text),
          .text(text)),
        value("v.search_key >= x'' AND instr(v.value, ?) = 1", .text(text)),
      ]
    case .contains(let text):
      return [
        keylessTags("instr(t.tag, ?) > 0", text, tables),
        value(
          "v.search_key >= '' AND v.search_key < x'' AND instr(v.search_key, ?) > 0", .text(text)),
        value("v.search_key >= x'' AND instr(v.value, ?) > 0", .text(text)),
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

  /// The condition that a record's form has a key and the record no value for it.
  private static func lacks(
    _ key: String, _ tables: SearchTables, _ knownVersions: [FormKey]
  ) -> (String, [SQLValue]) {
    guard !knownVersions.isEmpty else { return ("0", []) }
    let record = tables.record
    let pairs = Array(repeating: "(?, ?)", count: knownVersions.count).joined(separator: ", ")
    return (
      """
      (\(record).form, \(record).version) IN (VALUES \(pairs))
      AND NOT EXISTS (SELECT 1 FROM \(tables.values) w WHERE w.\(tables.owner) = \(record).number
        AND w.\(tables.key) = ?\(tables.isSubmitted("w")))
      """, knownVersions.flatMap { [.text($0.form), .integer($0.version)] } + [.text(key)]
    )
  }

  /// A condition beyond the first, over the record.
  private static func filter(
    _ condition: DraftQuery.Condition, _ tables: SearchTables, _ knownVersions: [FormKey]
  ) -> (sql: String, values: [SQLValue]) {
    if case .missing = condition.test { return lacks(condition.key, tables, knownVersions) }
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
    let test = tests.joined(separator: " OR ")
    return (
      """
      EXISTS (SELECT 1 FROM \(tables.values) v WHERE v.\(tables.owner) = \(tables.record).number
        AND v.\(tables.key) = ?\(tables.isSubmitted("v")) AND (\(test)))
      """, values
    )
  }

  /// The statement that reads one segment from a cursor on, and its values.
  ///
  /// Columns: record number, search key, type, value, draft id, form, time, submission number.
  func statement(
    _ segment: Segment, after cursor: SearchCursor?, limit: Int
  ) -> (sql: String, values: [SQLValue]) {
    let filters = zip(query.conditions, knownVersions).dropFirst().map {
      Self.filter($0, tables, $1)
    }
    var values: [SQLValue] = []
    if segment.source != .records { values.append(.text(query.conditions.first?.key ?? "")) }
    values += segment.values
    if let cursor {
      if segment.source == .values { values += [cursor.key, cursor.key] }
      values.append(.integer(cursor.number))
    }
    for filter in filters { values += filter.values }
    let record = DraftFilter(form: query.form, statuses: query.statuses).condition
    var conditions = filters.map(\.sql) + [record.sql]
    values += record.values
    if let moment = query.updatedSince {
      conditions.append("\(tables.time) >= ?")
      values.append(.integer(moment.milliseconds))
    }
    if let moment = query.updatedBefore {
      conditions.append("\(tables.time) < ?")
      values.append(.integer(moment.milliseconds))
    }
    values.append(.integer(limit))
    let sql = SearchSQL(
      scope: query.scope, source: segment.source, condition: segment.condition,
      recordConditions: conditions, hasCursor: cursor != nil)
    return (sql.text, values)
  }
}
