import DraftStore
import FormModel
import FormSamples
import Testing

/// Random searches over random drafts, against a filter that looks at every value.
@Suite struct SearchPropertyTests {
  private static let texts = [
    "", "a", "ab", "b", "5", "05", "1e1", "10", "9", "-3", "中", "中文", "文", "é", "e\u{301}",
    "true", "2024-02-29", "2024-01-01T00:00:00Z", "2024-01-01T08:00:00+08:00", "x,y", "1",
  ]
  private static let keys = ["string", "decimal", "dateTime", "option", "tags", "json"]

  private static func value(_ key: String, _ random: inout SeededGenerator) -> FieldValue? {
    let text = random.pick(texts)
    if random.oneIn(5) { return nil }
    if random.oneIn(12) { return .null }
    switch key {
    case "decimal":
      return .typed(random.pick(["5", "5.0", "10", "1e1", "9", "-3", text]), as: .decimal)
    case "dateTime":
      return .typed(
        random.pick(["2024-01-01T00:00:00Z", "2024-01-01T08:00:00+08:00", text]), as: .dateTime)
    case "option": return .option(random.pick([1, "1", "b", "c"]))
    case "tags":
      let ids: [OptionID] = ["a", "b,c", "d e", 1, "1"]
      return .tags(Array(ids.shuffled(using: &random).prefix(random.int(0...3))))
    case "json": return .json(random.pick([1, "a", ["a": 5], [], true]))
    default: return .string(text)
    }
  }

  private static func test(_ random: inout SeededGenerator) -> DraftQuery.Test {
    let text = random.pick(texts)
    return random.pick([
      .exists, .missing, .equals(text), .hasPrefix(text), .contains(text), .lessThan(text),
      .atMost(text), .greaterThan(text), .atLeast(text),
    ])
  }

  /// Random drafts in the order of their making, submitted where they are valid.
  private static func fill(_ test: TestStore, _ random: inout SeededGenerator) throws -> [DraftID] {
    let rows = (0..<120).map { _ in
      keys.compactMap { key in value(key, &random).map { (key: key, value: $0) } }
    }
    let ids = try test.store.addDrafts(of: "everything", values: rows)
    for id in ids where !random.oneIn(3) {
      guard try test.store.param(of: id).isValid else { continue }
      try test.store.submit(id)
      try test.store.set(value("string", &random), for: "string", in: id)
      if random.oneIn(3), try test.store.param(of: id).isValid { try test.store.submit(id) }
    }
    return ids
  }

  @Test(arguments: RecordScope.allCases)
  func aSearchFindsWhatALookAtEveryValueFinds(scope: RecordScope) throws {
    var random = SeededGenerator(seed: scope == .drafts ? 21 : 22)
    let test = try TestStore(SampleForms.everything)
    let ids = try Self.fill(test, &random)
    let records = try Self.records(test.store, ids, scope)
    #expect(records.count > 40)
    for _ in 0..<250 {
      let conditions = (0..<random.int(1...3)).map { _ in
        DraftQuery.Condition(random.pick(Self.keys), Self.test(&random))
      }
      let query = DraftQuery(conditions, scope: scope, limit: 1000)
      let expected = records.filter { record in
        conditions.allSatisfy { SearchReference.holds($0.test, for: record.values[$0.key]) }
      }.map(\.name)
      let matches = try test.store.find(query).matches
      let names = matches.map { "\($0.draft) \($0.submission ?? 0)" }
      #expect(names.sorted() == expected.sorted(), "\(conditions)")
      #expect(SearchReference.isOrdered(matches.map(\.value)), "\(conditions)")
      for size in [1, 2, 7] where names.count < 30 || size == 7 {
        #expect(try Self.pages(query, of: size, test.store) == matches, "\(conditions)")
      }
    }
  }

  private static func pages(
    _ query: DraftQuery, of size: Int, _ store: DraftStore
  ) throws -> [Match] {
    var query = query
    query.limit = size
    var matches: [Match] = []
    repeat {
      let page = try store.find(query)
      #expect(page.matches.count == size || page.nextCursor == nil)
      matches += page.matches
      query.cursor = page.nextCursor
    } while query.cursor != nil
    return matches
  }

  private typealias Record = (name: String, values: [String: FieldValue])

  private static func records(
    _ store: DraftStore, _ ids: [DraftID], _ scope: RecordScope
  ) throws -> [Record] {
    if scope == .drafts { return try ids.map { ("\($0) 0", try store.draft($0).values) } }
    var records: [Record] = []
    for id in ids {
      var number = 1
      while let submission = try? store.submission(number, of: id) {
        let values = submission.entries.map { ($0.serviceKey, $0.value) }
        records.append(("\(id) \(number)", Dictionary(uniqueKeysWithValues: values)))
        number += 1
      }
    }
    return records
  }
}
