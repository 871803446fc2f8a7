import FormModel
import FormSamples
import Testing

@Suite struct BuilderTests {
  @Test(arguments: caseFormNames)
  func equalsTheFormReadFromJSON(_ name: String) throws {
    let built = try BuilderForms.form(name)
    let read = try caseForm(name)
    #expect(built == read)
    #expect(built.definition.jsonText == read.definition.jsonText)
    #expect(built.fingerprint == read.fingerprint)
    try built.check()
  }

  @Test func conditionsAndLoopsMayStandInIt() throws {
    func made(_ isLong: Bool, _ count: Int) -> Form {
      Form(id: "f", emptyValues: .null) {
        if isLong {
          Section("Long") {
            Input("a", serviceKey: "a")
            if count > 1 { Input("b", serviceKey: "b") }
          }
        } else {
          Section { TextRow("t", text: "x") }
        }
        for index in 0..<count {
          Section("\(index)") {
            Choice("c", serviceKey: "c\(index)") {
              switch index {
              case 0: Option("zero", "0")
              default: Option(.number(Int64(index)), "n")
              }
            }
          }
        }
      }
    }
    #expect(made(true, 2).fields().map(\.key) == ["a", "b", "c0", "c1"])
    #expect(made(true, 1).fields().map(\.key) == ["a", "c0"])
    #expect(made(false, 0).fields().map(\.key) == ["t"])
    #expect(made(false, 0).emptyValues == .null)
    #expect(Form(id: "f") {}.sections.isEmpty)
  }

  /// Every setting is reached: the form equals the one read from a definition that has it.
  @Test func everySettingIsReached() throws {
    let condition = Condition.value(of: "a", .isEmpty(false)) && !.value(of: "a", .equals("x"))
    let built = Form(id: "f") {
      Section {
        Input("A", serviceKey: "a")
          .required().required(when: condition || .all([])).enabled(when: condition)
          .cellStyle(.customIdentifier("mine")).valueType(-3).param(["p": 1])
          .formerKeys("x", "y").transform(.stripSeparators).keepsValueWhenHidden().sensitive()
          .returnKey(.go, done: .next).scrollEnabled().consecutiveSpaces()
          .grouped(by: 3, separator: "-")
          .verify(.required, isBeginEditingHiddenError: false)
        Tags("B", serviceKey: "b") { Tag(1, "one") }
          .presentation { $0.itemHeight = 40 }.visible(when: condition)
        Custom("C", serviceKey: "c", customIdentifier: "Map", as: .integer).verify(.integer)
        Choice("D", serviceKey: "d") { Option("x", "X") }.selectedIndex(0).transform(.optionID)
        TextRow("E", as: .date, value: .typed("2024-02-29", as: .date))
      }
    }
    let test = """
      {"all": [{"key": "a", "isEmpty": false}, {"not": {"key": "a", "equals": "x"}}]}
      """
    let read = try form(
      rows: """
        {"kind": "input", "key": "A", "serviceKey": "a", "requiredType": "required",
         "requiredWhen": {"any": [\(test), {"all": []}]}, "enabledWhen": \(test),
         "customIdentifier": "mine", "valueType": -3, "param": {"p": 1}, "formerKeys": ["x", "y"],
         "transform": "stripSeparators", "keepsValueWhenHidden": true, "sensitive": true,
         "returnKeyType": "go", "returnDoneType": "next", "isScrollEnabled": true,
         "isConsecutiveSpaces": true, "format": {"groupsOf": 3, "separator": "-"},
         "verify": {"rule": {"required": true}, "isBeginEditingHiddenError": false}},
        {"kind": "tags", "key": "B", "serviceKey": "b", "visibleWhen": \(test),
         "tags": [{"id": 1, "labelName": "one"}], "presentation": {"itemHeight": 40}},
        {"kind": "custom", "key": "C", "serviceKey": "c", "customIdentifier": "Map",
         "dataType": "integer", "verify": {"rule": {"integer": true}}},
        {"kind": "option", "key": "D", "serviceKey": "d", "selectedIndex": 0,
         "options": [{"id": "x", "label": "X"}], "transform": "optionID"},
        {"kind": "text", "key": "E", "dataType": "date", "value": "2024-02-29"}
        """)
    #expect(built == read)
    #expect(built.definition == read.definition)
    try built.check()
  }
}
