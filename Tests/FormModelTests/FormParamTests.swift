import FormModel
import FormSamples
import Testing

@Suite struct FormParamTests {
  private func param(_ rows: String, _ values: String, _ options: FormParam.Options = .init())
    throws
    -> FormParam
  { try form(rows: rows).param(values, options: options) }

  /// The submitted values as JSON text.
  private func text(_ result: FormParam) -> String { JSONValue.object(result.param).jsonText }

  @Test(arguments: [("omit", "{}"), ("null", #"{"a":null}"#), ("emptyString", #"{"a":""}"#)])
  func anAbsentOptionalValue(emptyValues: String, expected: String) throws {
    let form = try form(
      rows: """
        {"kind": "input", "serviceKey": "a"}, {"kind": "input", "key": "not submitted"},
        {"kind": "input", "serviceKey": "h", "visibleWhen": {"any": []}}
        """, emptyValues: emptyValues)
    #expect(text(try form.param("{}")) == expected)
    // Absent, null and "" are three values: what was entered is submitted.
    #expect(text(try form.param(#"{"a": ""}"#)) == #"{"a":""}"#)
    #expect(text(try form.param(#"{"a": null}"#)) == #"{"a":null}"#)
    #expect(text(try form.param(#"{"a": " "}"#)) == #"{"a":" "}"#)
  }

  @Test func requiredLooksAtATrimmedView() throws {
    let row = #"{"kind": "input", "serviceKey": "a", "requiredType": "required"}"#
    for blank in ["{}", #"{"a": ""}"#, #"{"a": null}"#, #"{"a": " \u3000\u00a0\u200b\ufeff\n"}"#] {
      #expect(try param(row, blank).errors.map(\.reason) == [.required], "\(blank)")
    }
    #expect(text(try param(row, #"{"a": "  x "}"#)) == #"{"a":"  x "}"#)
  }

  @Test func messages() throws {
    let rows = """
      {"kind": "input", "key": "A", "serviceKey": "a", "requiredType": "required"},
      {"kind": "input", "serviceKey": "b", "requiredType": "required",
       "verify": {"errorMsg": "B!"}},
      {"kind": "input", "key": "C", "serviceKey": "c", "dataType": "date", "sensitive": true},
      {"kind": "input", "key": "D", "serviceKey": "d", "maxLength": 2},
      {"kind": "option", "key": "E", "serviceKey": "e", "options": [{"id": 1}]}
      """
    let result = try param(rows, #"{"c": "secret", "d": "123", "e": 2}"#)
    #expect(result.errors.map(\.key) == ["a", "b", "c", "d", "e"])
    #expect(result.errors.map(\.reason) == [.required, .required, .type, .tooLong, .unknownOption])
    #expect(result.firstErrorMsg == result.errors[0].message)
    #expect(result.errors[0].message == "A: please fill this in")
    #expect(result.errors[1].message == "B!")
    #expect(result.errors[2].message == "C: expected a date that exists, as YYYY-MM-DD")
    #expect(result.errors[3].message == "D: at most 2 characters")
    #expect(result.errors.allSatisfy { !$0.description.contains("secret") })
    #expect(result.errors.allSatisfy { $0.errorType == .lineAndLabel })
    let line = try param(rows, "{}", .init(errorType: .line))
    #expect(line.errors.allSatisfy { $0.errorType == .line })
  }

  @Test func maxLengthCountsWhatAPersonCounts() throws {
    let row = #"{"kind": "input", "serviceKey": "a", "maxLength": 2}"#
    #expect(try param(row, #"{"a": "👨‍👩‍👧‍👦e\u0301"}"#).isValid)
    #expect(try param(row, #"{"a": "abc"}"#).errors.map(\.reason) == [.tooLong])
    // Without a stated length, only typing is limited.
    let long = String(repeating: "x", count: 300)
    #expect(try param(#"{"kind": "input", "serviceKey": "a"}"#, #"{"a": "\#(long)"}"#).isValid)
    #expect(InputContent().typingLimit == 255)
  }

  @Test func aFormatIsShownAndNotSubmitted() throws {
    let row = """
      {"kind": "input", "serviceKey": "a", "maxLength": 8, "format": {"groupsOf": 4},
       "verify": {"rule": {"length": {"min": 8, "max": 8}}}}
      """
    #expect(text(try param(row, #"{"a": "6222 0210"}"#)) == #"{"a":"62220210"}"#)
    #expect(text(try param(row, #"{"a": "62220210"}"#)) == #"{"a":"62220210"}"#)
    #expect(try param(row, #"{"a": "6222 0210 1"}"#).errors.map(\.reason) == [.tooLong])
    let format = InputFormat(groupsOf: 4)
    #expect(format.display("6222021001012345678") == "6222 0210 0101 2345 678")
    #expect(format.display("6222 02100") == "6222 0210 0")
    #expect(format.display("6222") == "6222" && format.display("") == "")
    #expect(InputFormat(groupsOf: 2, separator: "--").display("abcde") == "ab--cd--e")
    #expect(InputFormat(groupsOf: 2, separator: "--").submitted("ab--cd--e-") == "abcde-")
    #expect(InputFormat(groupsOf: 2, separator: "").submitted("a b") == "a b")
  }

  private let pair = """
    {"kind": "pair", "key": "P", "requiredType": "required", "valueType": 4, "formerKeys": ["old"],
     "left": {"kind": "input", "serviceKey": "amount", "dataType": "decimal",
              "verify": {"rule": {"number": {"max": 10}}, "errorMsg": "L"}},
     "right": {"httpParameterKey": "unit", "options": [{"id": "a"}, {"id": 2}],
               "verify": {"errorMsg": "R"}}}
    """

  @Test func bothHalvesOfAPairAreVerifiedAndSubmitted() throws {
    #expect(try param(pair, "{}").errors.map(\.message) == ["L", "R"])
    #expect(
      try param(pair, #"{"amount": "11", "unit": "b"}"#).errors.map(\.key) == ["amount", "unit"])
    #expect(
      text(try param(pair, #"{"unit": 2, "amount": "1.50"}"#)) == #"{"amount":1.50,"unit":2}"#)
  }

  @Test func aPairIsFilteredWhole() throws {
    for options in [
      FormParam.Options(filterValueTypes: [4]), .init(filterServiceKeys: ["unit"]),
      .init(filterServiceKeys: ["amount"]),
    ] {
      let result = try param(pair, #"{"unit": 2, "amount": "1.50"}"#, options)
      #expect(result.filteredKeys == ["amount", "unit"] && result.entries.isEmpty)
      #expect(result.filteredRows.map(\.key) == ["P"] && result.isValid)
    }
  }

  @Test func filteredRowsAreVerified() throws {
    let rows = """
      {"kind": "input", "key": "A", "serviceKey": "a", "valueType": 1, "requiredType": "required"},
      {"kind": "input", "key": "B", "valueType": 1}, {"kind": "input", "serviceKey": "c"}
      """
    let result = try param(rows, "{}", .init(filterValueTypes: [1]))
    #expect(result.errors.map(\.key) == ["a"])
    #expect(result.filteredRows.map(\.key) == ["A", "B"] && result.filteredKeys == ["a"])
    let filled = try param(rows, #"{"a": "1", "B": "2", "c": "3"}"#, .init(filterValueTypes: [1]))
    #expect(text(filled) == #"{"c":"3"}"#)
  }

  @Test func aTransformBringsAFilteredRowBack() throws {
    var registry = RuleRegistry()
    registry.register(transform: "upper") { .string($0.text.uppercased()) }
    let form = try form(
      rows: """
        {"kind": "input", "serviceKey": "a", "valueType": 1, "transform": "stripSeparators",
         "format": {"groupsOf": 4, "separator": "/"}},
        {"kind": "option", "serviceKey": "o", "valueType": 1, "transform": "optionID",
         "options": [{"id": 7, "label": "seven"}]},
        {"kind": "input", "serviceKey": "n", "valueType": 1, "transform": {"named": "upper"}},
        {"kind": "tags", "serviceKey": "t", "valueType": 1, "transform": "stripSeparators",
         "tags": [{"id": "x"}, {"id": "y"}]},
        {"kind": "input", "serviceKey": "z", "valueType": 1}
        """, registry: registry)
    let values = #"{"a": "12/34-5 6\u30007", "o": 7, "n": "abc", "t": ["y", "x"], "z": "1"}"#
    let options = FormParam.Options(filterValueTypes: [1], registry: registry)
    let result = try form.param(values, options: options)
    #expect(text(result) == #"{"a":"1234567","o":7,"n":"ABC","t":["x","y"]}"#)
    #expect(result.filteredKeys == ["z"] && result.filteredRows.count == 5)
    // A transform has a part only in rows that are filtered.
    let plain = try form.param(values, options: .init(registry: registry))
    #expect(plain.param["n"] == "abc" && plain.param["a"] == "1234-5 6\u{3000}7")
    #expect(try form.param("{}", options: options).entries.isEmpty)
  }

  @Test func compatibleModeChecksLikeTheOriginal() throws {
    let rows = """
      {"kind": "input", "serviceKey": "a", "requiredType": "required", "maxLength": 1,
       "verify": {"rule": {"integer": true}}},
      {"kind": "input", "serviceKey": "d", "dataType": "date"},
      {"kind": "option", "serviceKey": "o", "options": [{"id": 1}]},
      {"kind": "tags", "serviceKey": "t", "tags": [{"id": 1}, {"id": 2}], "leastChoiceCount": 2}
      """
    let values = #"{"a": "abc", "d": "soon", "o": 9, "t": [1]}"#
    #expect(
      try param(rows, values).errors.map(\.reason) == [
        .tooLong, .type, .unknownOption, .tooFewTags,
      ])
    let compatible = try param(rows, values, .init(mode: .compatible))
    #expect(text(compatible) == #"{"a":"abc","d":"soon","o":9,"t":[1]}"#)
    let empty = try param(rows, #"{"a": " "}"#, .init(mode: .compatible))
    #expect(empty.errors.map(\.reason) == [.required])
  }

  private func tags(_ settings: String) -> String {
    """
    {"kind": "tags", "serviceKey": "t", \(settings),
     "tags": [{"id": "x"}, {"id": 2}, {"id": "z"}, {"id": "2"}]}
    """
  }

  @Test func tagsComeInTheFormsOrder() throws {
    let row = tags(#""selection": "multiple""#)
    #expect(text(try param(row, #"{"t": ["2", "z", 2, "x"]}"#)) == #"{"t":["x",2,"z","2"]}"#)
    #expect(text(try param(row, #"{"t": []}"#)) == #"{"t":[]}"#)
    #expect(text(try param(row, #"{"t": "z"}"#)) == #"{"t":["z"]}"#)
    #expect(try param(row, #"{"t": ["x", "y"]}"#).errors.map(\.reason) == [.unknownOption])
    let content = TagsContent([Tag("a", "A"), Tag("b", "B")])
    #expect(content.ordered(["gone", "b", "a"]) == ["a", "b", "gone"])
  }

  @Test func leastAndMostTags() throws {
    let row = tags(#""leastChoiceCount": 2, "mostChoiceCount": 3"#)
    #expect(try param(row, "{}").isValid, "not required")
    #expect(try param(row, #"{"t": ["x"]}"#).errors.map(\.reason) == [.tooFewTags])
    #expect(try param(row, #"{"t": ["x", 2]}"#).isValid)
    #expect(try param(row, #"{"t": ["x", 2, "z"]}"#).isValid)
    #expect(try param(row, #"{"t": ["x", 2, "z", "2"]}"#).errors.map(\.reason) == [.tooManyTags])
    let form = try form(rows: row)
    let twice = FormParam(form, values: ["t": .tags(["x", "x"])])
    #expect(twice.errors.map(\.reason) == [.tooFewTags], "a tag that is named twice counts once")
    let content = TagsContent([], selection: .single, leastChoiceCount: 0, mostChoiceCount: 5)
    #expect(content.limit == 1 && content.isEnough(0))
    #expect(!TagsContent([]).isEnough(0) && TagsContent([]).limit == nil)
  }

  @Test func aSingleChoiceIsSubmittedAsItsID() throws {
    let row = tags(#""selection": "single", "requiredType": "required""#)
    #expect(text(try param(row, #"{"t": ["z"]}"#)) == #"{"t":"z"}"#)
    #expect(text(try param(row, #"{"t": 2}"#)) == #"{"t":2}"#)
    #expect(try param(row, #"{"t": ["x", "z"]}"#).errors.map(\.reason) == [.tooManyTags])
    #expect(try param(row, #"{"t": []}"#).errors.map(\.reason) == [.required])
    #expect(text(try param(tags(#""selection": "single""#), #"{"t": []}"#)) == "{}")
  }

  @Test func defaultsStandInForWhatIsMissing() throws {
    let rows = """
      {"kind": "text", "serviceKey": "a", "value": "A", "requiredType": "required"},
      {"kind": "option", "serviceKey": "o", "selectedIndex": 1, "options": [{"id": 1}, {"id": 2}]}
      """
    #expect(text(try param(rows, "{}")) == #"{"a":"A","o":2}"#)
    #expect(text(try param(rows, #"{"a": "B", "o": null}"#)) == #"{"a":"B","o":null}"#)
    #expect(try param(rows, #"{"a": ""}"#).errors.map(\.key) == ["a"])
  }

  @Test func numbersKeepTheirDigits() throws {
    let rows = """
      {"kind": "input", "serviceKey": "d", "dataType": "decimal"},
      {"kind": "input", "serviceKey": "i", "dataType": "integer"}
      """
    let result = try param(rows, #"{"d": "12345678901234567890.100", "i": 9223372036854775807}"#)
    #expect(text(result) == #"{"d":12345678901234567890.100,"i":9223372036854775807}"#)
    #expect(try param(rows, #"{"i": "1.0"}"#).errors.map(\.reason) == [.type])
  }

  @Test func aFieldIsFoundByItsKeyOrItsLabel() throws {
    let form = PreparedForm(
      try form(
        rows: """
          {"kind": "input", "key": "A", "serviceKey": "a"}, {"kind": "input", "key": "B"},
          {"kind": "input", "key": "C", "serviceKey": "c"},
          {"kind": "input", "key": "C", "serviceKey": "c2"}
          """))
    #expect(form.field(named: "a")?.key == "a" && form.field(named: "A")?.key == "a")
    #expect(form.field(named: "B")?.isSubmitted == false)
    #expect(form.field(named: "C") == nil, "two rows have this label")
    #expect(form.index(of: "c2") == 3 && form.field("zzz") == nil)
  }

  @Test func whatIsTypedIntoAField() throws {
    let fields = try form(
      rows: """
        {"kind": "option", "serviceKey": "o", "options": [{"id": 1}, {"id": "one"}]},
        {"kind": "tags", "serviceKey": "t", "tags": [{"id": 1}, {"id": "x"}]},
        {"kind": "input", "serviceKey": "d", "dataType": "decimal"}
        """
    ).fields()
    #expect(fields[0].typed("1") == .option(1) && fields[0].typed("one") == .option("one"))
    #expect(fields[0].typed("2") == .option("2"))
    #expect(fields[1].typed(#"["x", 1]"#) == .tags(["x", 1]) && fields[1].typed("1") == .tags([1]))
    #expect(fields[2].typed("1.50") == .decimal(DecimalNumber("1.50") ?? .zero))
    #expect(fields[2].typed("1,50") == .string("1,50"))
  }

  @Test func presentationHasTheDocumentsDefaults() {
    let tags = TagPresentation()
    #expect([tags.leftM, tags.rightM, tags.topM, tags.titleHeight] == [24, 24, 25, 22])
    #expect(
      [tags.itemHeight, tags.itemCorner, tags.fontSize, tags.borderWidth] == [46, 23, 16, 1])
    #expect([tags.minimumLineSpacing, tags.minimumInteritemSpacing] == [16, 16])
    #expect([tags.itemLeftMargin, tags.itemRightMargin] == [24, 24] && tags.fontWeight == .medium)
    #expect(tags.effectiveSelectedItemBackgroundColor.description == "#007AFF14")
    #expect(tags.effectiveBorderColor.description == "#007AFF1F")
    #expect(Color(hex: "#aBcdef")?.description == "#ABCDEFFF")
    #expect(Color(hex: "#00000001")?.rgba == 1)
    for text in ["", "#", "ABCDEF", "#ABCDE", "#ABCDEFG", "#-12345", "#ＡＡ"] {
      #expect(Color(hex: text) == nil, "\(text)")
    }
  }
}
