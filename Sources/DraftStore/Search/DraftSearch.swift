import DraftDatabase
import FormModel

extension DraftStore {
  /// Finds values by their service keys, a page at a time.
  ///
  /// Each page is read from an index from where the page before ended, so that its time depends on
  /// what it holds, not on what the store does. Only `contains` looks at all values of its key,
  /// `hasPrefix` at all numbers, and `missing` at the records one after the other.
  ///
  /// - Throws: ``StoreError`` for a cursor of another query; `DatabaseError`.
  public func find(_ query: DraftQuery) throws -> MatchPage {
    try database.read { connection in
      let plan = try searchPlan(query, connection)
      var start: (segment: Int, cursor: SearchCursor?) = (0, nil)
      if let text = query.cursor {
        guard let cursor = try cursor(text, query, connection),
          plan.segments.indices.contains(cursor.segment),
          (plan.segments[cursor.segment].source == .values) == (cursor.key != .null)
        else { throw StoreError.badCursor(text) }
        start = (cursor.segment, cursor)
      }
      let limit = min(max(1, query.limit), 100_000)
      var matches: [Match] = []
      var last: SearchCursor?
      for index in start.segment..<plan.segments.count {
        let (sql, values) = plan.statement(
          plan.segments[index], after: index == start.segment ? start.cursor : nil,
          limit: limit + 1 - matches.count)
        let rows = try connection.statement(composed: sql)
        try rows.bind(values)
        defer { rows.reset() }
        while try rows.step() {
          guard matches.count < limit else {
            return MatchPage(
              matches: matches,
              nextCursor: try last.map {
                try text(of: $0, query, connection)
              })
          }
          matches.append(try match(rows, query, connection))
          if matches.count == limit {
            last = SearchCursor(segment: index, key: rows.value(1), number: Int(rows.integer(0)))
          }
        }
      }
      return MatchPage(matches: matches, nextCursor: nil)
    }
  }

  /// SQLite's plan for each index range that a query reads, for those who ask why one is slow.
  ///
  /// - Throws: `DatabaseError`
  public func explain(_ query: DraftQuery) throws -> [[String]] {
    try database.read { connection in
      let plan = try searchPlan(query, connection)
      return try plan.segments.map {
        try connection.queryPlan(plan.statement($0, after: nil, limit: query.limit).sql)
      }
    }
  }

  private func searchPlan(_ query: DraftQuery, _ connection: Connection) throws -> SearchPlan {
    let known = try query.conditions.map { condition in
      guard case .missing = condition.test else { return [FormKey]() }
      let versions = try connection.all(
        "SELECT form, version FROM form_version WHERE ?1 IS NULL OR form = ?1",
        .optional(query.form)
      ) { FormKey(form: $0.text(0), version: Int($0.integer(1))) }
      return try versions.filter {
        try storedForm($0, connection).field(condition.key)?.isSubmitted == true
      }
    }
    return SearchPlan(query, knownVersions: known)
  }

  /// A cursor's text: it begins with the mark of its query, and hides what is sensitive.
  private func text(
    of cursor: SearchCursor, _ query: DraftQuery, _ connection: Connection
  ) throws -> String {
    let hidden = try sensitiveKeys(of: query.form, connection)
    let hidesKey = hidden.contains(query.conditions.first?.key ?? "")
    return "\(query.mark(hiding: hidden))-"
      + (hidesKey ? cursor.hiddenDescription : cursor.description)
  }

  /// A cursor from its text, if it is one of this query; the key of a hidden one is that of its
  /// record.
  private func cursor(
    _ text: String, _ query: DraftQuery, _ connection: Connection
  ) throws -> SearchCursor? {
    let mark = query.mark(hiding: try sensitiveKeys(of: query.form, connection))
    guard text.hasPrefix("\(mark)-") else { return nil }
    let text = String(text.dropFirst(mark.count + 1))
    guard let cursor = SearchCursor(text), cursor.isHidden, let key = query.conditions.first?.key
    else { return SearchCursor(text).flatMap { $0.isHidden ? nil : $0 } }
    let tables = SearchTables(query.scope)
    let keys = try connection.all(
      composed: """
        SELECT search_key FROM \(tables.values) WHERE \(tables.owner) = ? AND \(tables.key) = ?
        """, [.integer(cursor.number), .text(key)]
    ) { $0.value(0) }
    return keys.first.map {
      SearchCursor(segment: cursor.segment, key: $0, number: cursor.number)
    }
  }

  private func match(
    _ row: Statement, _ query: DraftQuery, _ connection: Connection
  ) throws -> Match {
    let key = query.conditions.first?.key ?? ""
    var value = row.isNull(2) ? nil : try row.fieldValue(type: 2, text: 3)
    if case .tags = value, query.scope == .drafts {
      value = .tags(try tags(of: row.integer(0), key, connection))
    }
    return Match(
      draft: DraftID(stored: row.text(4)), form: row.text(5), scope: query.scope,
      submission: row.optionalInteger(7).map(Int.init), serviceKey: key, value: value,
      updatedAt: Timestamp(milliseconds: row.integer(6)))
  }
}

/// Where a page of matches ended.
struct SearchCursor {
  let segment: Int
  /// The last match's search key: NULL, text or bytes.
  let key: SQLValue
  /// The last match's record.
  let number: Int
  /// Whether the key is left out, for it is sensitive.
  var isHidden = false
}

extension SearchCursor: LosslessStringConvertible {
  /// `SEGMENT-NUMBER-s`, for keys that must not be shown.
  var hiddenDescription: String { "\(segment)-\(number)-s" }

  /// `SEGMENT-NUMBER`, then `-t` or `-b` with the key's bytes in hexadecimal.
  var description: String {
    switch key {
    case .text(let text): "\(segment)-\(number)-t\(Self.hex(Array(text.utf8)))"
    case .blob(let bytes): "\(segment)-\(number)-b\(Self.hex(bytes))"
    default: "\(segment)-\(number)"
    }
  }

  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, let segment = Int(parts[0]), segment >= 0,
      let number = Int(parts[1])
    else { return nil }
    self.segment = segment
    self.number = number
    guard parts.count == 3 else {
      key = .null
      return
    }
    if parts[2] == "s" {
      key = .null
      isHidden = true
      return
    }
    guard let bytes = Self.bytes(hex: parts[2].dropFirst()) else { return nil }
    switch parts[2].first {
    case "t":
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      key = .text(text)
    case "b": key = .blob(bytes)
    default: return nil
    }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
  }

  private static func bytes(hex text: Substring) -> [UInt8]? {
    guard text.utf8.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    var rest = text
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
