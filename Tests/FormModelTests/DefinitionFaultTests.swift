import FormModel
import FormSamples
import Testing

/// What is refused, and that the message says where and what to do.
@Suite struct DefinitionFaultTests {
  /// A second row, and the parts of the one message that it must give. Row 1 is an input "a".
  static let faults: [(row: String, parts: [String])] = [
    (#"{"kind": "inptu", "key": "B"}"#, [#"row 2 "B""#, "must be one of text, input, option"]),
    (#"{"key": "B"}"#, [#"row 2 "B""#, "\"kind\" must be one of"]),
    (#"7"#, ["row 2", "expected an object, not a number"]),
    (#"{"kind": "input"}"#, ["row 2", "neither \"serviceKey\" nor \"key\": give it one"]),
    (
      #"{"kind": "input", "key": "B", "serviceKey": "a"}"#,
      [#"row 2 "B" (a)"#, #"used already by section 1 "S", row 1 "A" (a): rename one"#]
    ),
    (#"{"kind": "input", "key": "a"}"#, ["row 2", #"the key "a" is used already"#, "give one"]),
    (
      #"{"kind": "input", "key": "B", "serviceKey": "b", "placehoder": "x"}"#,
      [#"row 2 "B" (b)"#, #""placehoder" is not a setting here; did you mean "placeholder"?"#]
    ),
    (
      #"{"kind": "input", "key": "B", "bogus": 1}"#,
      ["\"bogus\" is not a setting here; take it out"]
    ),
    (#"{"kind": "input", "key": "B", "maxLength": "9"}"#, ["\"maxLength\" must be", "not \"9\""]),
    (#"{"kind": "input", "key": "B", "maxLength": -1}"#, ["a whole number from 0", "not -1"]),
    (#"{"kind": "input", "key": "B", "key2": {}}"#, ["\"key2\" is not a setting", "\"key\"?"]),
    (#"{"kind": "input", "key": "B", "requiredType": "yes"}"#, ["one of none, required, required"]),
    (#"{"kind": "input", "key": "B", "cellStyle": "big"}"#, ["one of default, option, value1"]),
    (
      #"{"kind": "input", "key": "B", "dataType": "tags"}"#, ["use the kind option, tags or custom"]
    ),
    (#"{"kind": "input", "key": "B", "format": {}}"#, ["\"groupsOf\" is missing", "\"format\""]),
    (#"{"kind": "input", "key": "B", "format": {"groupsOf": 0}}"#, ["from 1 to 1000, not 0"]),
    (#"{"kind": "input", "key": "B", "ui": {"errorColor": "red"}}"#, ["\"ui\"", "#RRGGBB", "red"]),
    (#"{"kind": "input", "key": "B", "ui": {"errorFont": {}}}"#, ["\"size\" is missing"]),
    (#"{"kind": "input", "key": "B\u0007"}"#, ["control character; take it out"]),
    (
      #"{"kind": "text", "key": "B", "dataType": "date", "value": "x"}"#,
      ["\"value\"", "YYYY-MM-DD"]
    ),
    (
      #"{"kind": "option", "key": "B", "options": []}"#, ["\"options\" is empty: list at least one"]
    ),
    (#"{"kind": "option", "key": "B"}"#, ["\"options\" is empty"]),
    (
      #"{"kind": "option", "key": "B", "options": [{"label": "x"}, {"id": 1}]}"#,
      ["option 1", "\"id\""]
    ),
    (
      #"{"kind": "option", "key": "B", "options": [{"id": 1.5}, {"id": 1}]}"#,
      ["a string or a whole"]
    ),
    (
      #"{"kind": "option", "key": "B", "options": [{"id": 1}, {"id": 1}]}"#,
      ["the id 1: change one"]
    ),
    (
      #"{"kind": "option", "key": "B", "options": [{"id": "é"}, {"id": "e\u0301"}]}"#,
      ["two options have the id"]
    ),
    (#"{"kind": "option", "key": "B", "options": [{"id": " "}]}"#, ["id is blank"]),
    (
      #"{"kind": "option", "key": "B", "options": [{"id": 1}], "selectedIndex": 1}"#,
      ["\"selectedIndex\" is 1", "0 to 0"]
    ),
    (
      #"{"kind": "option", "key": "B", "options": [{"id": 1}], "transform": "optoinID"}"#,
      ["\"transform\" must be", "\"optionID\""]
    ),
    (#"{"kind": "input", "key": "B", "transform": "optionID"}"#, ["for rows with options"]),
    (#"{"kind": "input", "key": "B", "transform": {"named": "x"}}"#, ["\"x\" is not registered"]),
    (#"{"kind": "tags", "key": "B", "tags": []}"#, ["\"tags\" is empty: list at least one"]),
    (
      #"{"kind": "tags", "key": "B", "tags": [{"id": 1}], "leastChoiceCount": 2}"#,
      ["\"leastChoiceCount\" is 2, but at most 1 can be chosen"]
    ),
    (
      #"{"kind": "tags", "key": "B", "tags": [{"id": 1}, {"id": 2}], "selection": "single", "#
        + #""leastChoiceCount": 2}"#,
      ["at most 1 can be chosen"]
    ),
    (#"{"kind": "custom", "key": "B"}"#, ["\"customIdentifier\" is missing"]),
    (
      #"{"kind": "custom", "key": "B", "customIdentifier": "c", "cellStyle": "value1"}"#,
      ["cellStyle"]
    ),
    (#"{"kind": "pair", "key": "B", "right": {}}"#, ["\"left\" is missing: an input or an option"]),
    (
      #"{"kind": "pair", "key": "B", "left": {"kind": "text"}, "right": {}}"#,
      ["\"left\"", "\"kind\" must be input or option"]
    ),
    (
      #"{"kind": "pair", "key": "B", "serviceKey": "x", "#
        + #""left": {"kind": "input", "serviceKey": "l"}, "#
        + #""right": {"httpParameterKey": "r", "options": [{"id": 1}]}}"#,
      ["a pair's \"serviceKey\" belongs into its \"left\""]
    ),
    (
      #"{"kind": "pair", "key": "B", "left": {"kind": "input", "serviceKey": "l"}, "#
        + #""right": {"httpParameterKey": "l", "options": [{"id": 1}]}}"#,
      ["\"l\" is used already in the same row"]
    ),
    (
      #"{"kind": "pair", "key": "B", "left": {"kind": "input"}, "#
        + #""right": {"httpParameterKey": "r", "options": [{"id": 1}]}}"#,
      ["\"left\" needs a \"serviceKey\""]
    ),
    (
      #"{"kind": "input", "key": "B", "formerKeys": ["a"]}"#,
      ["names \"a\", which is still the key"]
    ),
    (#"{"kind": "input", "key": "B", "formerKeys": ["x", "x"]}"#, ["\"formerKeys\" names \"x\""]),
    (
      #"{"kind": "input", "key": "B", "formerKeys": [1]}"#,
      ["\"formerKeys\" must be a list of strings"]
    ),
  ]

  @Test(arguments: faults.indices)
  func aFaultNamesItsPlaceAndWhatToDo(_ index: Int) throws {
    let (row, parts) = Self.faults[index]
    let first = #"{"kind": "input", "key": "A", "serviceKey": "a"}"#
    let found = try problems(inRows: "\(first), \(row)")
    #expect(found.count == 1, "\(row)\n\(found)")
    for part in [#"section 1 "S", row 2"#] + parts {
      #expect(found.first?.contains(part) == true, "\(part)\n\(found)")
    }
  }

  /// A rule or condition, and part of the message.
  static let ruleFaults: [(rule: String, part: String)] = [
    (#"{}"#, "a rule is an object with one of these keys: required, regex"),
    (#"{"emial": true}"#, "one of these keys"), (#"{"email": true, "url": true}"#, "one of these"),
    (#"{"email": false}"#, "\"email\" must be true; leave the rule out"), (#"7"#, "an object"),
    (#"{"length": {"min": 2, "max": 1}}"#, "\"min\" is more than \"max\""),
    (#"{"length": {"mim": 2}}"#, "did you mean \"min\"?"),
    (#"{"number": {"min": "2", "max": 1.5}}"#, "\"min\" is more than \"max\""),
    (#"{"number": {"min": "1,5"}}"#, "a number, or its digits in quotes"),
    (#"{"date": {"min": "2023-02-29"}}"#, "a date as YYYY-MM-DD"),
    (#"{"date": {"min": "2024-02-29", "max": "2024-02-28"}}"#, "\"min\" is after \"max\""),
    (#"{"oneOf": 1}"#, "a list of values"), (#"{"all": [{"x": 1}]}"#, "one of these keys"),
    (#"{"not": {"named": "nobody"}}"#, "\"nobody\" is not registered: register it before saving"),
    (#"{"any": [{"equalTo": "zzz"}]}"#, "\"zzz\", which no row has"),
    (#"{"regex": "["}"#, "\"regex\": "), (#"{"regex": "(a"}"#, "\"regex\": "),
    (#"{"regex": "a{2,1}"}"#, "\"regex\": "), (#"{"regex": "*"}"#, "\"regex\": "),
  ]

  @Test(arguments: ruleFaults.indices)
  func aRulesFaultIsNamed(_ index: Int) throws {
    let (rule, part) = Self.ruleFaults[index]
    let found = try problems(
      inRows: #"{"kind": "input", "key": "A", "serviceKey": "a", "verify": {"rule": \#(rule)}}"#)
    #expect(found.count == 1, "\(rule)\n\(found)")
    #expect(found.first?.contains(#"section 1 "S", row 1 "A" (a)"#) == true, "\(found)")
    #expect(found.first?.contains(part) == true, "\(part)\n\(found)")
  }

  static let conditionFaults: [(condition: String, part: String)] = [
    (#"{}"#, "a condition has a \"key\" with a test"), (#"{"key": "a"}"#, "there must be one test"),
    (#"{"key": "a", "equals": 1, "in": []}"#, "one test"), (#"{"key": "a", "eq": 1}"#, "one test"),
    (#"{"key": 1, "equals": 1}"#, "\"key\" must be a string"),
    (#"{"key": "zzz", "equals": 1}"#, "\"enabledWhen\" looks at \"zzz\", which no row has"),
    (#"{"key": "a", "equalTo": "zzz"}"#, "\"enabledWhen\" looks at \"zzz\", which no row has"),
    (#"{"key": "a", "in": 1}"#, "a list of values"),
    (#"{"key": "a", "isEmpty": 1}"#, "true or false"),
    (#"{"all": [], "any": []}"#, "\"any\" is not a setting here"), (#"{"all": 1}"#, "a list"),
    (#"{"not": 1}"#, "expected an object"), (#"{"key": "a", "named": "n"}"#, "not registered"),
  ]

  @Test(arguments: conditionFaults.indices)
  func aConditionsFaultIsNamed(_ index: Int) throws {
    let (condition, part) = Self.conditionFaults[index]
    let found = try problems(
      inRows: #"{"kind": "input", "key": "A", "serviceKey": "a", "enabledWhen": \#(condition)}"#)
    #expect(found.count == 1, "\(condition)\n\(found)")
    #expect(found.first?.contains(part) == true, "\(part)\n\(found)")
  }

  @Test func allFaultsComeAtOnce() throws {
    let found = try problems(
      of: """
        {"title": 1, "emptyValues": "x", "version": 0, "bogus": 1, "sections": [
          {"titel": "x", "rows": [{"kind": "input"}]},
          {"rows": [
            {"kind": "what"},
            {"kind": "pair", "key": "p", "bogus": 1, "left": {"kind": "what", "also": 1},
             "right": {"bogus": 2}},
            {"kind": "input", "serviceKey": "x", "maxLength": "1", "verify": {"typ": "none"}},
            {"kind": "input", "serviceKey": "x"}]}]}
        """)
    let text = found.map(\.description).joined(separator: "\n")
    for part in [
      "\"title\" must be", "\"emptyValues\" must be", "\"version\" must be",
      "\"bogus\" is not a setting",
      "\"titel\" is not", "did you mean \"title\"?", "section 1, row 1: the row has neither",
      "section 2, row 1: \"kind\"", "section 2, row 2 \"p\"", "\"left\": \"kind\" must be",
      "section 2, row 3 (x): \"maxLength\"", "\"verify\": \"typ\" is not",
      "section 2, row 4 (x): the serviceKey \"x\"", "\"id\" is missing",
      "row 2 \"p\", \"right\": \"bogus\"",
      "section 2, row 2 \"p\": \"bogus\"",
    ] {
      #expect(text.contains(part), "\(part)\n\(text)")
    }
  }

  @Test func theWholeFormsFaults() throws {
    #expect(try problems(of: "[]").map(\.message) == ["expected an object, not an array"])
    #expect(try problems(of: #"{"id": "f"}"#).count == 2)
    #expect(
      try problems(of: #"{"id": "f", "sections": []}"#).first?.message.contains("no rows") == true)
    #expect(try problems(of: #"{"id": "f", "sections": [{}]}"#).first?.place == "section 1")
    let rows = (0...Form.maximumRowCount).map { #"{"kind": "input", "serviceKey": "k\#($0)"}"# }
    #expect(
      try problems(inRows: rows.joined(separator: ",")).first?.contains("at most 10000") == true)
  }

  @Test func keysThatAreEqualAfterNormalisationAreDuplicates() throws {
    let found = try problems(
      inRows:
        #"{"kind": "input", "serviceKey": "\u00e9"}, {"kind": "input", "serviceKey": "e\u0301"}"#)
    #expect(found.count == 1 && found[0].contains("is used already by"))
  }

  @Test func aKeyThatStandsTwiceIsRefused() {
    for text in [
      #"{"id": "f", "id": "g", "sections": []}"#,
      #"{"id": "f", "sections": [{"rows": [{"kind": "input", "kind": "text"}]}]}"#,
      #"{"id": "f", "sections": [{"rows": [{"kind": "input", "param": {"é": 1, "e\u0301": 2}}]}]}"#,
    ] {
      let error = #expect(throws: JSONError.self) { try Form(definition: text) }
      #expect(
        error?.message.contains("twice") == true, "\(error.map(String.init(describing:)) ?? "")")
    }
  }

  @Test func tooLargeADefinitionIsRefused() throws {
    func definition(_ count: Int) -> String {
      let head = #"{"id": "f", "sections": [{"rows": [{"kind": "input", "key": "a", "param": ""#
      let tail = "\"}]}]}"
      return head + String(repeating: "x", count: count - head.utf8.count - tail.utf8.count) + tail
    }
    let limit = Form.maximumDefinitionSize
    #expect(try Form(definition: definition(limit)).rows.count == 1)
    for size in [limit + 1, 10_000_000] {
      let found = try problems(of: definition(size))
      #expect(
        found.map(\.message) == [
          "the definition has more than 4194304 bytes: split it into several forms"
        ])
    }
    var form = try Form(definition: definition(limit))
    form.sections[0].rows[0].param = .string(String(repeating: "x", count: limit))
    #expect(throws: DefinitionError.self) { try form.check() }
  }

  @Test func tooDeepADefinitionIsRefused() {
    let rule =
      String(repeating: #"{"not":"#, count: 10_000) + #"{"email":true}"#
      + String(repeating: "}", count: 10_000)
    let text =
      #"{"id": "f", "sections": [{"rows": [{"kind": "input", "key": "a", "verify": {"rule": "#
      + rule + "}}]}]}"
    #expect(throws: JSONError.self) { try Form(definition: text) }
  }

  @Test func visibilityCyclesAreRefused() throws {
    func row(_ key: String, _ condition: String) -> String {
      #"{"kind": "input", "serviceKey": "\#(key)", "visibleWhen": \#(condition)}"#
    }
    func sees(_ key: String) -> String { #"{"key": "\#(key)", "isEmpty": false}"# }
    let cycles = [
      row("a", sees("a")),
      [row("a", sees("b")), row("b", sees("a"))].joined(separator: ","),
      [row("a", sees("b")), row("b", sees("c")), row("c", #"{"not": \#(sees("a"))}"#)]
        .joined(separator: ","),
      [row("a", #"{"key": "b", "equalTo": "a"}"#), #"{"kind": "input", "serviceKey": "b"}"#]
        .joined(separator: ","),
    ]
    for rows in cycles {
      let found = try problems(inRows: rows)
      #expect(found.count == 1, "\(found)")
      #expect(found.first?.contains("own visibility depends on this row") == true)
    }
    // Many ways to one row are no cycle.
    let diamond = [
      row("a", sees("d")), row("b", sees("d")),
      row("c", #"{"all": [\#(sees("a")), \#(sees("b")), \#(sees("d"))]}"#),
      #"{"kind": "input", "serviceKey": "d", "requiredWhen": \#(sees("c"))}"#,
    ]
    #expect(try problems(inRows: diamond.joined(separator: ",")) == [])
  }

  @Test func aLongChainOfConditionsIsDecided() throws {
    let rows = (0..<3000).map { index in
      index == 2999
        ? #"{"kind": "input", "serviceKey": "k2999"}"#
        : """
        {"kind": "input", "serviceKey": "k\(index)",
         "visibleWhen": {"key": "k\(index + 1)", "isEmpty": false}}
        """
    }
    let form = try form(rows: rows.joined(separator: ","))
    let values = Dictionary(
      uniqueKeysWithValues: (1..<3000).map { ("k\($0)", FieldValue.string("x")) })
    let status = FormStatus(PreparedForm(form), values: values, registry: RuleRegistry())
    #expect(status.isVisible.allSatisfy { $0 })
    let none = FormStatus(PreparedForm(form), values: [:], registry: RuleRegistry())
    #expect(none.isVisible.count { $0 } == 1)
  }
}
