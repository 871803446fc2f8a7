import FormModel
import FormSamples
import Testing

@Suite struct ConditionTests {
  struct Case: Sendable, CustomStringConvertible {
    let condition: String
    let holds: [String]
    let fails: [String]
    var description: String { condition }
  }

  static let rows = """
    {"kind": "input", "serviceKey": "s"},
    {"kind": "input", "serviceKey": "d", "dataType": "decimal"},
    {"kind": "input", "serviceKey": "i", "dataType": "integer"},
    {"kind": "input", "serviceKey": "b", "dataType": "boolean"},
    {"kind": "tags", "serviceKey": "t", "tags": [{"id": "x"}, {"id": 2}, {"id": "z"}],
     "leastChoiceCount": 0},
    {"kind": "tags", "serviceKey": "one", "selection": "single", "tags": [{"id": "x"}, {"id": 2}]},
    {"kind": "option", "serviceKey": "o", "options": [{"id": 1}, {"id": "1"}]},
    {"kind": "custom", "serviceKey": "j", "customIdentifier": "c"},
    {"kind": "text", "serviceKey": "def", "value": "D"},
    {"kind": "input", "key": "unsubmitted"}
    """

  static let cases: [Case] = [
    Case(
      condition: #"{"key": "s", "equals": "é"}"#, holds: [#"{"s": "é"}"#],
      fails: [#"{"s": "e\u0301"}"#, #"{"s": "É"}"#, "{}", #"{"s": ""}"#]),
    Case(
      condition: #"{"key": "s", "equals": null}"#, holds: ["{}", #"{"s": null}"#],
      fails: [#"{"s": ""}"#, #"{"s": "null"}"#]),
    Case(
      condition: #"{"key": "s", "notEquals": "a"}"#,
      holds: ["{}", #"{"s": "b"}"#, #"{"s": null}"#],
      fails: [#"{"s": "a"}"#]),
    Case(
      condition: #"{"key": "d", "equals": 1.5}"#, holds: [#"{"d": "1.50"}"#, #"{"d": 15e-1}"#],
      fails: [#"{"d": "1.51"}"#, "{}"]),
    Case(condition: #"{"key": "d", "equals": "1.5"}"#, holds: [#"{"d": 1.50}"#], fails: ["{}"]),
    Case(condition: #"{"key": "i", "equals": "7"}"#, holds: [#"{"i": 7}"#], fails: [#"{"i": 8}"#]),
    Case(
      condition: #"{"key": "i", "in": [6, 7.0]}"#, holds: [#"{"i": 7}"#],
      fails: [#"{"i": 8}"#, "{}"]),
    Case(
      condition: #"{"key": "b", "equals": true}"#, holds: [#"{"b": true}"#],
      fails: [#"{"b": false}"#, "{}"]),
    Case(condition: #"{"key": "o", "equals": 1}"#, holds: [#"{"o": 1}"#], fails: [#"{"o": "1"}"#]),
    Case(condition: #"{"key": "o", "in": ["1"]}"#, holds: [#"{"o": "1"}"#], fails: [#"{"o": 1}"#]),
    Case(
      condition: #"{"key": "t", "contains": "x"}"#, holds: [#"{"t": ["z", "x"]}"#],
      fails: [#"{"t": [2]}"#, #"{"t": []}"#, "{}"]),
    Case(
      condition: #"{"key": "t", "contains": 2}"#, holds: [#"{"t": [2]}"#], fails: [#"{"t": ["x"]}"#]
    ),
    Case(
      condition: #"{"key": "t", "equals": ["x", 2]}"#, holds: [#"{"t": ["x", 2]}"#],
      fails: [#"{"t": ["x"]}"#]),
    Case(
      condition: #"{"key": "one", "equals": "x"}"#, holds: [#"{"one": "x"}"#, #"{"one": ["x"]}"#],
      fails: [#"{"one": 2}"#, "{}"]),
    Case(
      condition: #"{"key": "one", "in": [2, 3]}"#, holds: [#"{"one": 2}"#],
      fails: [#"{"one": "x"}"#]),
    Case(
      condition: #"{"key": "s", "contains": "款"}"#, holds: [#"{"s": "贷款人"}"#, #"{"s": "款"}"#],
      fails: [#"{"s": "贷"}"#, "{}"]),
    Case(
      condition: #"{"key": "j", "contains": {"a": 1}}"#, holds: [#"{"j": [0, {"a": 1.0}]}"#],
      fails: [#"{"j": [1]}"#]),
    Case(
      condition: #"{"key": "j", "equals": {"a": 1, "b": 2}}"#, holds: [#"{"j": {"b": 2, "a": 1}}"#],
      fails: [#"{"j": {"a": 1}}"#]),
    Case(
      condition: #"{"key": "s", "isEmpty": true}"#,
      holds: ["{}", #"{"s": ""}"#, #"{"s": " \u3000"}"#, #"{"s": null}"#], fails: [#"{"s": "a"}"#]),
    Case(
      condition: #"{"key": "t", "isEmpty": false}"#, holds: [#"{"t": [2]}"#], fails: [#"{"t": []}"#]
    ),
    Case(condition: #"{"key": "b", "isEmpty": false}"#, holds: [#"{"b": false}"#], fails: ["{}"]),
    Case(
      condition: #"{"key": "d", "number": {"min": 5}}"#, holds: [#"{"d": "5.0"}"#],
      fails: [#"{"d": "4.99"}"#, "{}", #"{"d": ""}"#]),
    Case(
      condition: #"{"key": "s", "not": {"integer": true}}"#, holds: [#"{"s": "a"}"#],
      fails: [#"{"s": "1"}"#, "{}"]),
    Case(
      condition: #"{"key": "s", "equalTo": "def"}"#, holds: [#"{"s": "D"}"#],
      fails: [#"{"s": "d"}"#, "{}"]),
    Case(condition: #"{"key": "def", "equals": "D"}"#, holds: ["{}"], fails: [#"{"def": "E"}"#]),
    Case(
      condition: #"{"key": "unsubmitted", "equals": "u"}"#, holds: [#"{"unsubmitted": "u"}"#],
      fails: ["{}"]),
    Case(
      condition: #"{"all": [{"key": "s", "equals": "a"}, {"key": "i", "equals": 1}]}"#,
      holds: [#"{"s": "a", "i": 1}"#], fails: [#"{"s": "a"}"#, #"{"i": 1}"#]),
    Case(
      condition: #"{"any": [{"key": "s", "equals": "a"}, {"key": "i", "equals": 1}]}"#,
      holds: [#"{"s": "a"}"#, #"{"i": 1}"#], fails: ["{}"]),
    Case(condition: #"{"all": []}"#, holds: ["{}"], fails: []),
    Case(condition: #"{"any": []}"#, holds: [], fails: ["{}"]),
    Case(
      condition: #"{"not": {"key": "s", "equals": "a"}}"#, holds: ["{}"], fails: [#"{"s": "a"}"#]),
  ]

  @Test(arguments: cases)
  func holdsOrNot(_ test: Case) throws {
    let conditional = """
      {"kind": "input", "serviceKey": "shown", "visibleWhen": \(test.condition)},
      {"kind": "input", "serviceKey": "needed", "requiredWhen": \(test.condition)},
      {"kind": "input", "serviceKey": "open", "enabledWhen": \(test.condition)}
      """
    let form = PreparedForm(try form(rows: "\(conditional), \(Self.rows)"))
    func expect(_ values: String, _ wanted: Bool) throws {
      let object = try #require(try json(values).objectValue)
      let status = FormStatus(
        form, values: try form.form.values(object), registry: RuleRegistry())
      #expect(status.isVisible[0] == wanted, "\(values)")
      #expect(status.isRequired[1] == wanted, "\(values)")
      #expect(status.isEnabled[2] == wanted, "\(values)")
      #expect(status.isVisible[1] && status.isEnabled[1] && !status.isRequired[0])
    }
    for values in test.holds { try expect(values, true) }
    for values in test.fails { try expect(values, false) }
  }

  @Test func aHiddenFieldCountsAsHavingNoValue() throws {
    let form = try form(
      rows: """
        {"kind": "input", "serviceKey": "c", "visibleWhen": {"key": "b", "equals": "y"},
         "requiredType": "required"},
        {"kind": "input", "serviceKey": "b", "visibleWhen": {"key": "a", "equals": "y"}},
        {"kind": "input", "serviceKey": "a"}
        """)
    #expect(try form.param(#"{"a": "y", "b": "y"}"#).errors.map(\.key) == ["c"])
    let hidden = try form.param(#"{"a": "n", "b": "y", "c": "kept"}"#)
    #expect(hidden.isValid)
    #expect(hidden.param.keys == ["a"], "a hidden row is neither verified nor submitted")
  }

  @Test func aConditionsRuleWaitsForTheFieldsThatItLooksAt() throws {
    // "b" is decided after "a", which equalTo looks at, though "a" stands later.
    let form = try form(
      rows: """
        {"kind": "input", "serviceKey": "b", "visibleWhen": {"key": "x", "equalTo": "a"}},
        {"kind": "input", "serviceKey": "a", "visibleWhen": {"key": "x", "isEmpty": false}},
        {"kind": "input", "serviceKey": "x"}
        """)
    let param = try form.param(#"{"a": "1", "b": "2", "x": "1"}"#)
    #expect(param.param.keys == ["b", "a", "x"])
  }

  @Test func aDisabledRowIsNotRequired() throws {
    let form = try form(
      rows: """
        {"kind": "input", "serviceKey": "a", "requiredType": "required", "maxLength": 2,
         "enabledWhen": {"key": "b", "equals": "y"}}, {"kind": "input", "serviceKey": "b"}
        """)
    #expect(try form.param("{}").isValid)
    #expect(try form.param(#"{"b": "y"}"#).errors.map(\.reason) == [.required])
    #expect(try form.param(#"{"a": "abc"}"#).errors.map(\.reason) == [.tooLong])
  }
}
