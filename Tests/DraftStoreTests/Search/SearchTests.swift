import DraftStore
import FormModel
import Testing

@Suite struct SearchTests {
  let test: TestStore
  var store: DraftStore { test.store }

  init() throws {
    test = try TestStore(SampleForms.everything)
  }

  /// The values that a test finds among drafts of one value each, by their JSON text.
  private func found(
    _ key: String, _ values: [FieldValue], _ test: DraftQuery.Test
  ) throws -> [String] {
    let ids = try store.addDrafts(of: "everything", values: values.map { [(key, $0)] })
    let matches = try store.find(DraftQuery([.init(key, test)])).matches
    for id in ids { try store.discard(id) }
    try store.purge()
    return matches.map { match in
      #expect(match.serviceKey == key && match.form == "everything" && match.submission == nil)
      return match.value?.json.jsonText ?? "-"
    }
  }

  @Test func textIsComparedByItsBytes() throws {
    let texts = ["b", "a", "é", "e\u{301}", "A", "ab", "", "中", "a\0b"].map(FieldValue.string)
    func find(_ test: DraftQuery.Test) throws -> [String] { try found("string", texts, test) }
    #expect(try find(.equals("a")) == ["\"a\""])
    #expect(try find(.equals("é")).map { Array($0.utf8) } == [Array("\"é\"".utf8)])
    #expect(try find(.equals("")) == ["\"\""])
    #expect(try find(.hasPrefix("a")) == ["\"a\"", "\"a\\u0000b\"", "\"ab\""])
    #expect(try find(.hasPrefix("a\0")) == ["\"a\\u0000b\""])
    #expect(try find(.hasPrefix("")).count == 9)
    #expect(try find(.contains("b")) == ["\"a\\u0000b\"", "\"ab\"", "\"b\""])
    #expect(try find(.lessThan("a")) == ["\"\"", "\"A\""])
    #expect(try find(.atMost("a")) == ["\"\"", "\"A\"", "\"a\""])
    #expect(try find(.atLeast("b")).count == 4)
    #expect(try find(.greaterThan("b")).count == 3)
    #expect(try find(.exists).count == 9)
  }

  @Test func likeAndGlobSignsAreOrdinaryText() throws {
    let texts = ["50%", "50x", "a_b", "axb", "*", "[a]", "'"].map(FieldValue.string)
    #expect(try found("string", texts, .hasPrefix("50%")) == ["\"50%\""])
    #expect(try found("string", texts, .contains("_")) == ["\"a_b\""])
    #expect(try found("string", texts, .contains("*")) == ["\"*\""])
    #expect(try found("string", texts, .contains("[a")) == ["\"[a]\""])
    #expect(try found("string", texts, .equals("'")) == ["\"'\""])
  }

  @Test func chineseIsFoundByOneCharacterAndByTwo() throws {
    let texts = ["张三", "李三张", "王五", "三", "贷款金额", "𠮷野家"].map(FieldValue.string)
    #expect(try found("string", texts, .contains("三")).count == 3)
    #expect(try found("string", texts, .contains("张")).count == 2)
    #expect(try found("string", texts, .contains("贷款")) == ["\"贷款金额\""])
    #expect(try found("string", texts, .contains("款金")) == ["\"贷款金额\""])
    #expect(try found("string", texts, .hasPrefix("张")) == ["\"张三\""])
    #expect(try found("string", texts, .contains("𠮷")) == ["\"𠮷野家\""])
    #expect(try found("string", texts, .contains("三五")).isEmpty)
  }

  @Test func numbersAreComparedAsNumbers() throws {
    let big = "99999999999999999999"
    let texts = ["9", "10", "-10", "-9", "0.5", "1e2", "100.0", "1E-3", "-0", big]
    let numbers = texts.map { FieldValue.typed($0, as: .decimal) }
    func find(_ test: DraftQuery.Test) throws -> [String] { try found("decimal", numbers, test) }
    #expect(try find(.lessThan("10")) == ["-10", "-9", "-0", "1E-3", "0.5", "9"])
    #expect(try find(.atMost("0")) == ["-10", "-9", "-0"])
    #expect(try find(.greaterThan("9.99")) == ["10", "1e2", "100.0", big])
    #expect(try find(.atLeast("1e2")) == ["1e2", "100.0", big])
    #expect(try find(.equals("100")) == ["1e2", "100.0"])
    #expect(try find(.equals("0.0")) == ["-0"])
    // A prefix and a part are of the digits as they were written.
    #expect(try find(.hasPrefix("1")) == ["1E-3", "10", "1e2", "100.0"])
    #expect(try find(.contains("e")) == ["1e2"])
    let inOrder = ["-10", "-9", "-0", "1E-3", "0.5", "9", "10", "1e2", "100.0", big]
    #expect(try find(.exists) == inOrder)

    let integers = [FieldValue.integer(9), .integer(10), .integer(.min), .integer(.max)]
    #expect(try found("integer", integers, .lessThan("10")) == ["-9223372036854775808", "9"])
    #expect(try found("integer", integers, .atLeast("9223372036854775807")).count == 1)
  }

  @Test func textThatWasTypedIntoANumberIsNoNumber() throws {
    let values: [FieldValue] = [.integer(5), .string("05"), .string("1,5"), .null]
    #expect(try found("integer", values, .greaterThan("0")) == ["5"])
    #expect(try found("integer", values, .equals("05")) == ["\"05\""])
    #expect(try found("integer", values, .contains("5")) == ["\"05\"", "\"1,5\"", "5"])
    #expect(try found("integer", values, .exists) == ["null", "\"05\"", "\"1,5\"", "5"])
  }

  @Test func datesAndTimesAreInTheirOrder() throws {
    let dates = ["2024-02-29", "1999-12-31", "2024-03-01"].map { FieldValue.typed($0, as: .date) }
    #expect(
      try found("date", dates, .atLeast("2024-02-29")) == ["\"2024-02-29\"", "\"2024-03-01\""])
    #expect(try found("date", dates, .lessThan("2000-01-01")) == ["\"1999-12-31\""])
    #expect(try found("date", dates, .hasPrefix("2024-")).count == 2)
    let times = ["23:59", "00:00", "23:59:59"].map { FieldValue.typed($0, as: .time) }
    #expect(try found("time", times, .greaterThan("23:59")) == ["\"23:59:59\""])
  }

  @Test func instantsAreComparedAcrossOffsets() throws {
    let texts = [
      "2024-01-01T00:00:00+08:00", "2023-12-31T16:00:00Z", "2023-12-31T12:00:00-05:00",
      "2024-01-01T00:00:00Z", "2023-12-31T16:00:00.5Z", "0001-01-01T00:00:00+14:00",
    ]
    let values = texts.map { FieldValue.typed($0, as: .dateTime) }
    func find(_ test: DraftQuery.Test) throws -> [String] {
      try found("dateTime", values, test).map { String($0.dropFirst().dropLast()) }
    }
    #expect(try find(.equals("2023-12-31T17:00:00+01:00")) == [texts[0], texts[1]])
    #expect(try find(.lessThan("2024-01-01T01:00:00+08:00")) == [5, 0, 1, 4].map { texts[$0] })
    #expect(try find(.greaterThan("2023-12-31T16:00:00Z")) == [4, 2, 3].map { texts[$0] })
    #expect(try find(.hasPrefix("2024-01-01")).count == 2)
  }

  @Test func booleansOptionsAndJSON() throws {
    let flags = [FieldValue.boolean(true), .boolean(false)]
    #expect(try found("boolean", flags, .equals("true")) == ["true"])
    let options: [FieldValue] = [.option(1), .option("1"), .option("b"), .option("c")]
    #expect(try found("option", options, .equals("1")) == ["\"1\"", "1"])
    #expect(try found("option", options, .greaterThan("0")) == ["1"])
    #expect(try found("option", options, .hasPrefix("b")) == ["\"b\""])
    let json: [FieldValue] = [.json(["a": [1]]), .json("text")]
    #expect(try found("json", json, .contains("\"a\"")) == ["{\"a\":[1]}"])
  }

  @Test func tagsAreFoundOneByOne() throws {
    let values: [FieldValue] = [
      .tags(["a", 1]), .tags(["b,c"]), .tags([]), .tags(["1", 1]), .null, .tags(["d e", "a"]),
    ]
    func find(_ test: DraftQuery.Test) throws -> [String] { try found("tags", values, test) }
    #expect(try find(.equals("a")) == ["[\"a\",1]", "[\"d e\",\"a\"]"])
    // The tags 1 and "1" of one draft are one match.
    #expect(try find(.equals("1")) == ["[\"a\",1]", "[\"1\",1]"])
    #expect(try find(.equals("b")).isEmpty)
    #expect(try find(.hasPrefix("b")) == ["[\"b,c\"]"])
    #expect(try find(.contains("c")) == ["[\"b,c\"]"])
    #expect(try find(.exists).count == 6)
    #expect(try find(.lessThan("z")).isEmpty)
  }

  @Test func whatIsMissingIsFoundInFormsThatHaveTheField() throws {
    try store.add(SampleForms.form("other", SampleForms.input("date", .date)))
    let empty = try store.newDraft(of: "everything", isWritten: true).id
    let filled = try store.newDraft(of: "everything").id
    try store.set(.null, for: "string", in: filled)
    let other = try store.newDraft(of: "other", isWritten: true).id
    func find(_ conditions: DraftQuery.Condition...) throws -> [DraftID] {
      try store.find(DraftQuery(conditions)).matches.map(\.draft)
    }
    #expect(try find(.init("string", .missing)) == [empty])
    #expect(try find(.init("date", .missing)) == [empty, filled, other])
    #expect(try find(.init("date", .missing), .init("string", .missing)) == [empty])
    #expect(try find(.init("string", .missing), .init("date", .missing)) == [empty])
    #expect(try find(.init("string", .exists), .init("date", .missing)) == [filled])
    #expect(try find(.init("nobody has it", .missing)).isEmpty)
    let match = try #require(
      try store.find(DraftQuery([.init("string", .missing)])).matches.first)
    #expect(match.value == nil && match.serviceKey == "string")
  }

  @Test func rowsWithoutServiceKeyAreNeverFound() throws {
    let id = try store.newDraft(of: "everything").id
    try store.set(.string("secret"), for: "memo", in: id)
    for test in [DraftQuery.Test.exists, .equals("secret"), .contains("s"), .missing] {
      for others in [[], [DraftQuery.Condition("date", .missing)]] {
        let query = DraftQuery(others + [.init("memo", test)])
        #expect(try store.find(query).matches.isEmpty)
      }
    }
  }

  @Test func statusFormTimeAndScopeNarrowASearch() throws {
    try store.add(SampleForms.form("other", SampleForms.input("string")))
    var ids: [DraftID] = []
    for (index, form) in ["everything", "other", "other", "everything"].enumerated() {
      test.clock.advance(60)
      let id = try store.newDraft(of: form).id
      try store.set(.string("n\(index)"), for: "string", in: id)
      ids.append(id)
    }
    try store.submit(ids[1])
    try store.discard(ids[3])
    func find(_ change: (inout DraftQuery) -> Void) throws -> [DraftID] {
      var query = DraftQuery([.init("string", .hasPrefix("n"))])
      change(&query)
      return try store.find(query).matches.map(\.draft)
    }
    #expect(try find { _ in } == [ids[0], ids[1], ids[2]])
    #expect(try find { $0.form = "other" } == [ids[1], ids[2]])
    #expect(try find { $0.statuses = [.submitted] } == [ids[1]])
    #expect(try find { $0.statuses = [.discarded, .editing] } == [ids[0], ids[2], ids[3]])
    #expect(try find { $0.statuses = [] }.isEmpty)
    let second = try store.draft(ids[1]).updatedAt
    #expect(try find { $0.updatedSince = second } == [ids[1], ids[2]])
    #expect(try find { $0.updatedBefore = second } == [ids[0]])
    #expect(try find { $0.conditions = [] } == [ids[0], ids[1], ids[2]])
    #expect(try find { $0.scope = .submissions } == [ids[1]])

    // A submission keeps its values whatever becomes of the draft.
    try store.set(.string("later"), for: "string", in: ids[1])
    var query = DraftQuery([.init("string", .exists)], scope: .submissions)
    #expect(try store.find(query).matches.map(\.value) == [.string("n1")])
    #expect(try store.find(query).matches.map(\.submission) == [1])
    query.conditions = [.init("string", .equals("later"))]
    #expect(try store.find(query).matches.isEmpty)
  }

  @Test func conditionsAreReadFromText() throws {
    let texts: [(String, DraftQuery.Condition)] = [
      ("k=v", .init("k", .equals("v"))), ("k^=v", .init("k", .hasPrefix("v"))),
      ("k*=v", .init("k", .contains("v"))), ("k<=v", .init("k", .atMost("v"))),
      ("k>=v", .init("k", .atLeast("v"))), ("k<v", .init("k", .lessThan("v"))),
      ("k>v", .init("k", .greaterThan("v"))), ("k", .init("k", .exists)),
      ("k:missing", .init("k", .missing)), ("k=", .init("k", .equals(""))),
      ("k=a=b", .init("k", .equals("a=b"))), ("姓名=三", .init("姓名", .equals("三"))),
      ("k=\u{301}", .init("k", .equals("\u{301}"))),
    ]
    for (text, condition) in texts {
      #expect(try DraftQuery.Condition(parsing: text) == condition, "\(text)")
    }
    for text in ["", "=v", "<=v", ":missing"] {
      #expect(throws: QueryError.self) { try DraftQuery.Condition(parsing: text) }
    }
  }

  /// A cursor may be shown and logged, so it must not hold a sensitive value; it works all the same.
  @Test func aCursorHoldsNoSensitiveValue() throws {
    var form = SampleForms.form("s", SampleForms.input("pin"))
    form.sections[0].rows[0].isSensitive = true
    let test = try TestStore(form)
    for number in 0..<7 {
      let id = try test.store.newDraft(of: "s").id
      try test.store.set(.string("secret\(number)"), for: "pin", in: id)
    }
    var query = DraftQuery([.init("pin", .hasPrefix("secret"))], limit: 2)
    let whole = try test.store.find(DraftQuery(query.conditions)).matches
    var found: [Match] = []
    while true {
      let page = try test.store.find(query)
      found += page.matches
      guard let cursor = page.nextCursor else { break }
      #expect(!cursor.contains("736563726574"))
      query.cursor = cursor
    }
    #expect(found == whole && found.count == 7)
    // Nor may what is searched for be found by trying which value gives the cursor's digest.
    var cursors: Set<String?> = []
    for text in ["s", "secret"] {
      cursors.insert(
        try test.store.find(DraftQuery([.init("pin", .hasPrefix(text))], limit: 2)).nextCursor)
    }
    #expect(cursors.count == 1)
  }
}
