import FormModel
import FormSamples
import Testing

/// Each rule, by what a form of one row says to values.
@Suite struct RuleTests {
  struct Case: Sendable, CustomStringConvertible {
    let rule: String
    let right: [String]
    let wrong: [String]
    var type = DataType.string
    var description: String { rule }
  }

  static let longText = String(repeating: "9", count: 400)

  static let cases: [Case] = [
    Case(rule: #"{"required": true}"#, right: ["x", "0"], wrong: []),
    Case(
      rule: #"{"regex": "[a-z]+[0-9]?"}"#, right: ["abc", "a1"],
      wrong: ["A", "abc12", "1abc", "abc ", "abc\n"]),
    Case(
      rule: #"{"length": {"min": 2, "max": 3}}"#, right: ["ab", "中文字", "👨‍👩‍👧‍👦e\u{301}", " a"],
      wrong: ["a", "abcd", "👨‍👩‍👧‍👦"]),
    Case(rule: #"{"length": {"max": 1}}"#, right: ["a"], wrong: ["ab"]),
    Case(rule: #"{"length": {}}"#, right: ["a", longText], wrong: []),
    Case(
      rule: #"{"number": {"min": "-1.5", "max": 24, "decimals": 2}}"#,
      right: ["-1.5", "-1.50", "0", "24.00", "2.4e1", "23.99", "150e-2"],
      wrong: ["-1.51", "24.01", "24.000", "1.005", "1e2", "x", "1,5", "+1", " 1", "１"]),
    Case(
      rule: #"{"number": {}}"#, right: ["1", longText, "1e300"],
      wrong: ["", "abc", "0x1"]
        .filter { !$0.isEmpty }),
    Case(
      rule: #"{"number": {"max": "9007199254740993"}}"#, right: ["9007199254740993"],
      wrong: ["9007199254740993.0000001", "9007199254740994"]),
    Case(
      rule: #"{"integer": true}"#, right: ["0", "-7", longText], wrong: ["1.0", "1e2", "+1", "a"]),
    Case(
      rule: #"{"email": true}"#, right: ["li@example.cn"],
      wrong: ["li", "li@", "@x.cn", "a b@x.cn"]),
    Case(
      rule: #"{"url": true}"#, right: ["https://example.cn/a?b=c"],
      wrong: ["example", "http://", "a b"]),
    Case(
      rule: #"{"mobileCN": true}"#, right: ["13800138000", "19912345678"],
      wrong: ["12800138000", "1380013800", "138001380000", "１３８００１３８０００", "138 0013 8000"]),
    Case(
      rule: #"{"residentID": true}"#, right: ["11010519491231002X", "440524188001010014"],
      wrong: ["110105194912310021", "110101200102290015", "110101200013010018", "x"]),
    Case(
      rule: #"{"socialCreditCode": true}"#, right: ["91350100M000100Y43"],
      wrong: ["91350100M000100Y44", "9135"]),
    Case(
      rule: #"{"bankCard": true}"#, right: ["4111111111111111"],
      wrong: ["4111111111111112", "abc"]),
    Case(
      rule: #"{"date": {"min": "2024-02-28", "max": "2024-03-01"}}"#,
      right: ["2024-02-28", "2024-02-29", "2024-03-01"],
      wrong: ["2024-02-27", "2024-03-02", "2024-02-30", "2024-2-29", "x"]),
    Case(
      rule: #"{"date": {"min": "2024-02-28"}}"#, right: ["2024-02-28", "9999-12-31"],
      wrong: ["2024-02-27"], type: .date),
    Case(
      rule: #"{"date": {"max": "2024-02-28"}}"#, right: ["2024-02-28T23:00:00-12:00"],
      wrong: ["2024-02-29T00:00:00+14:00"], type: .dateTime),
    Case(rule: #"{"oneOf": ["a", "é"]}"#, right: ["a", "é"], wrong: ["b", "A", "e\u{301}"]),
    Case(
      rule: #"{"oneOf": [1.50, "2"]}"#, right: ["1.5", "1.500", "2", "2.0"], wrong: ["1"],
      type: .decimal),
    Case(rule: #"{"oneOf": [5, "7"]}"#, right: ["5", "7"], wrong: ["6"], type: .integer),
    Case(rule: #"{"oneOf": [true]}"#, right: ["true"], wrong: ["false"], type: .boolean),
    Case(rule: #"{"oneOf": []}"#, right: [], wrong: ["a"]),
    Case(
      rule: #"{"all": [{"length": {"min": 2}}, {"integer": true}]}"#, right: ["12"],
      wrong: ["1", "ab"]),
    Case(rule: #"{"all": []}"#, right: ["a"], wrong: []),
    Case(
      rule: #"{"any": [{"length": {"min": 2}}, {"integer": true}]}"#, right: ["1", "ab"],
      wrong: ["a"]),
    Case(rule: #"{"any": []}"#, right: [], wrong: ["a"]),
    Case(rule: #"{"not": {"integer": true}}"#, right: ["a"], wrong: ["1"]),
    Case(rule: #"{"named": "even"}"#, right: ["12"], wrong: ["13"]),
  ]

  @Test func eachRuleIsTested() {
    let names = Self.cases.map { $0.rule.split(separator: "\"")[1] }
    let all = SampleForms.ruleMembers.map { $0.split(separator: "\"")[0] }
    #expect(Set(all).subtracting(names) == ["equalTo"], "equalTo has a test of its own")
  }

  @Test(arguments: cases)
  func saysRightOrWrong(_ test: Case) throws {
    let form = try form(
      rows: """
        {"kind": "input", "serviceKey": "a", "dataType": "\(test.type.rawValue)",
         "verify": {"rule": \(test.rule), "errorMsg": "M"}}
        """, registry: SampleForms.registry)
    let options = FormParam.Options(registry: SampleForms.registry)
    for text in test.right {
      let value = try FieldValue(parsing: text, as: test.type)
      #expect(FormParam(form, values: ["a": value], options: options).isValid, "\(text)")
    }
    for text in test.wrong {
      let value = try FieldValue(parsing: text, as: test.type)
      let result = FormParam(form, values: ["a": value], options: options)
      #expect(result.errors.map(\.reason) == [.rule], "\(text)")
      #expect(result.firstErrorMsg == "M")
    }
    // A rule says nothing of a blank value.
    for value in [nil, .null, .string(""), .string(" \u{3000}\u{200B}")] as [FieldValue?] {
      #expect(FormParam(form, values: value.map { ["a": $0] } ?? [:], options: options).isValid)
    }
  }

  @Test func equalToLooksAtAnotherField() throws {
    let form = try form(
      rows: """
        {"kind": "input", "serviceKey": "a", "dataType": "decimal",
         "visibleWhen": {"key": "show", "notEquals": "no"}},
        {"kind": "input", "serviceKey": "b", "dataType": "decimal",
         "verify": {"rule": {"equalTo": "a"}}}, {"kind": "input", "serviceKey": "show"}
        """)
    #expect(try form.param(#"{"a": "1.50", "b": "1.5"}"#).isValid)
    #expect(try form.param(#"{"a": "1.50", "b": "1.51"}"#).errors.map(\.key) == ["b"])
    #expect(try form.param(#"{"b": "1.51"}"#).errors.map(\.key) == ["b"])
    #expect(try form.param(#"{"a": "1", "b": "1", "show": "no"}"#).errors.map(\.key) == ["b"])
  }

  @Test func aNamedRuleSeesTheVisibleValues() throws {
    var registry = RuleRegistry()
    registry.register(rule: "sum") { value, values in
      value.text == values.keys.sorted().joined(separator: "+")
    }
    let form = try form(
      rows: """
        {"kind": "input", "serviceKey": "a", "verify": {"rule": {"named": "sum"}}},
        {"kind": "input", "serviceKey": "b", "visibleWhen": {"key": "c", "isEmpty": true}},
        {"kind": "input", "serviceKey": "c"}
        """, registry: registry)
    let options = FormParam.Options(registry: registry)
    #expect(try form.param(#"{"a": "a+b", "b": "1"}"#, options: options).isValid)
    #expect(try form.param(#"{"a": "a+c", "b": "1", "c": "1"}"#, options: options).isValid)
    // Not registered where it is asked: it never holds.
    #expect(try !form.param(#"{"a": "a+b", "b": "1"}"#).isValid)
  }
}
