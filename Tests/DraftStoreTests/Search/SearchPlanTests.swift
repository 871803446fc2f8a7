import DraftStore
import FormModel
import Testing

@Suite struct SearchPlanTests {
  private static let tests: [DraftQuery.Test] = [
    .exists, .equals("5"), .equals("a"), .hasPrefix("n1"), .contains("9"), .lessThan("5"),
    .atMost("m"), .greaterThan("5"), .atLeast("2024-01-01T00:00:00Z"), .equals("2024-01-01"),
  ]

  /// A store of a realistic size, for which nobody ran ANALYZE.
  private static func largeStore() throws -> TestStore {
    let test = try TestStore(SampleForms.everything)
    try test.store.addDrafts(
      of: "everything",
      values: (0..<3000).lazy.map { index in
        [
          ("string", .string("n\(index % 700)")), ("integer", .integer(Int64(index))),
          ("decimal", .typed("\(index).5", as: .decimal)), ("option", .option("b")),
          ("tags", .tags(index % 2 == 0 ? ["a"] : [1])),
        ]
      })
    for draft in try test.store.drafts(DraftFilter(limit: 300)) {
      try test.store.submit(draft.id)
    }
    return test
  }

  /// The index, or the table's own order, by which the first table of a range is read.
  private static func isByIndex(_ step: String, _ scope: RecordScope) -> Bool {
    // Whether the index covers what is read is left to SQLite's version.
    let indices = [
      "INDEX draft_value_by_service_key (field=?",
      "INDEX tag_selection_by_service_key (field=? AND tag=?)",
      "INDEX submission_value_by_service_key (service_key=?",
      "USING PRIMARY KEY (service_key=? AND tag=?)",
    ]
    return indices[scope == .drafts ? 0..<2 : 2..<4].contains { step.contains($0) }
  }

  @Test func everyRangeIsReadFromAnIndexInItsOrder() throws {
    let test = try Self.largeStore()
    for scope in RecordScope.allCases {
      for condition in Self.tests {
        var query = DraftQuery([.init("string", condition)], scope: scope)
        for isNarrowed in [false, true] {
          if isNarrowed {
            query.conditions.append(.init("integer", .greaterThan("5")))
            query.form = "everything"
            query.statuses = [.editing, .submitted]
            query.updatedSince = Timestamp(milliseconds: 0)
          }
          for plan in try test.store.explain(query) {
            let text = plan.joined(separator: "\n")
            #expect(!text.contains("SCAN"), "\(scope) \(condition): \(text)")
            #expect(!text.contains("TEMP B-TREE"), "\(scope) \(condition): \(text)")
            let first = try #require(plan.first)
            #expect(Self.isByIndex(first, scope), "\(scope) \(condition): \(first)")
          }
        }
      }
    }
  }

  @Test func whatIsMissingIsReadInTheOrderOfTheRecordsWithoutSorting() throws {
    let test = try Self.largeStore()
    for scope in RecordScope.allCases {
      for conditions in [[], [DraftQuery.Condition("date", .missing)]] {
        for form in [nil, "everything"] {
          let query = DraftQuery(conditions, form: form, scope: scope)
          for plan in try test.store.explain(query) {
            let text = plan.joined(separator: "\n")
            #expect(!text.contains("TEMP B-TREE"), "\(scope): \(text)")
          }
        }
      }
    }
    let query = DraftQuery([.init("date", .missing)], limit: 10)
    #expect(try test.store.find(query).matches.count == 10)
  }

  @Test func aCursorThatIsNoneOfThisQueryIsRefused() throws {
    let test = try TestStore(SampleForms.everything)
    for index in 0..<5 {
      let id = try test.store.newDraft(of: "everything").id
      try test.store.set(.string("t\(index)"), for: "string", in: id)
    }
    var query = DraftQuery([.init("string", .exists)], limit: 2)
    let cursor = try #require(try test.store.find(query).nextCursor)
    let mark = String(cursor.prefix(9))
    for text in [
      "", "-", "--", "x", "0", "0-", "0-1-", "1-1-q61", "1-1-t6", "1-1-tzz", "1-1-tff", "9-1",
      "-1-1", "1-1-t61-", "1-99999999999999999999-t61", "1-1", "0-1-t61", "1-1-té", "１-1",
      "1-1-t\u{301}61", cursor + "0", "'; DROP TABLE draft; --", String(repeating: "1", count: 99),
    ] {
      for text in [text, mark + text] where text != mark + cursor {
        query.cursor = text
        #expect(storeError { _ = try test.store.find(query) }?.code == "badCursor", "\(text)")
      }
    }
    // Whatever a cursor of the right form says, it gives a part of the list and no error.
    for text in ["0-7", "1-1-t", "1-\(Int.max)-b00", String(cursor.dropFirst(mark.count))] {
      query.cursor = mark + text
      #expect(try test.store.find(query).matches.count <= 2)
    }
  }

  /// A cursor goes on in the order of its own query; in another's it would leave out matches.
  @Test func anotherQuerysCursorIsRefused() throws {
    let test = try TestStore(SampleForms.everything)
    for index in 0..<5 {
      let id = try test.store.newDraft(of: "everything").id
      try test.store.set(.string("t\(index)"), for: "string", in: id)
      try test.store.set(.string("u\(index)"), for: "date", in: id)
    }
    var query = DraftQuery([.init("string", .exists), .init("date", .exists)], limit: 2)
    let next = try #require(try test.store.find(query).nextCursor)
    query.cursor = next
    #expect(try test.store.find(query).matches.count == 2)
    var others = [DraftQuery](repeating: query, count: 7)
    others[0].conditions[0] = .init("date", .exists)
    others[1].conditions[0] = .init("string", .hasPrefix("t"))
    others[2].conditions[1] = .init("date", .equals("u4"))
    others[3].conditions.removeLast()
    others[4].form = "everything"
    others[5].statuses = [.editing]
    others[6].scope = .submissions
    for other in others {
      #expect(storeError { _ = try test.store.find(other) }?.code == "badCursor", "\(other)")
    }
    // The size of a page and the bounds of time, which are mostly counted back from now, may change.
    query.limit = 1
    query.updatedSince = Timestamp(milliseconds: 0)
    #expect(try test.store.find(query).matches.map(\.value) == [.string("t2")])
  }

  @Test func thePagesOfAListThatGrowsMissNothingThatWasThere() throws {
    let test = try TestStore(SampleForms.everything)
    func add(_ text: String) throws {
      let id = try test.store.newDraft(of: "everything").id
      try test.store.set(.string(text), for: "string", in: id)
    }
    for index in 0..<9 { try add("k\(index)") }
    var query = DraftQuery([.init("string", .hasPrefix("k"))], limit: 2)
    var seen: [String] = []
    repeat {
      let page = try test.store.find(query)
      seen += page.matches.compactMap { $0.value?.text }
      query.cursor = page.nextCursor
      try add("a before all")
      try add("k0 behind the cursor")
    } while query.cursor != nil
    #expect(seen.filter { $0.utf8.count == 2 } == (0..<9).map { "k\($0)" })
  }

  @Test func limitsOfAnySizeAreTaken() throws {
    let test = try TestStore(SampleForms.everything)
    let id = try test.store.newDraft(of: "everything").id
    try test.store.set(.string("x"), for: "string", in: id)
    for limit in [0, -1, 1, Int.max, Int.min] {
      let query = DraftQuery([.init("string", .exists)], limit: limit)
      #expect(try test.store.find(query).matches.count == 1)
      #expect(throws: Never.self) { try test.store.explain(query) }
    }
  }
}
