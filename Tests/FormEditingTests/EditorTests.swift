import FormEditing
import FormModel
import FormSamples
import Testing

/// What the vectors can't say.
@Suite struct EditorTests {
  @Test func rulesThatTheAppRegisters() throws {
    var registry = RuleRegistry()
    registry.register(rule: "even") { value, _ in value.text.count.isMultiple(of: 2) }
    let form = try Form(
      definition: """
        {"id": "f", "sections": [{"rows": [
          {"kind": "input", "key": "k", "serviceKey": "k",
           "verify": {"type": "editing", "errorType": "line", "rule": {"named": "even"}}}]}]}
        """, registry: registry)
    var editor = FormEditor(PreparedForm(form), registry: registry)
    #expect(editor.handle(.change(key: "k", TextChange(0..<0, "a"))).errors.count == 1)
    #expect(editor.handle(.change(key: "k", TextChange(1..<1, "b"))).errors == [])
  }

  @Test(arguments: ["profile", "calculator", "interests"])
  func theFormsOfTheCasesOpen(_ name: String) throws {
    let form = try Form(definition: Cases.bytes("forms/\(name).json"))
    var editor = FormEditor(PreparedForm(form))
    #expect(editor.errors == [])
    #expect(editor.handle(.validate(.lineAndLabel)).errors.count > 0)
    // A default counts, and is not a value to save.
    #expect(editor.savedValues == [:])
  }

  /// A value that only looks the same is another.
  @Test func textIsComparedByBytes() {
    var editor = FormEditor(
      PreparedForm(
        Form(
          id: "f",
          sections: [
            Section(rows: [Row(key: "k", serviceKey: "k", kind: .input(InputContent()))])
          ])), values: ["k": "é"])
    let outcome = editor.handle(.change(key: "k", TextChange(0..<1, "e\u{301}")))
    #expect(outcome.changes.count == 1)
    #expect(editor.handle(.enter(key: "k", text: "é")).changes.count == 1)
    #expect(editor.handle(.enter(key: "k", text: "é")).changes == [])
  }

  @Test func everyNaughtyStringComesOutAsItWentIn() throws {
    let strings = try #require(
      try JSONValue(parsing: Cases.bytes("values/naughty-strings.json")).arrayValue
    ).compactMap(\.stringValue)
    #expect(strings.count > 400)
    let input = InputContent(maxLength: 100_000, isConsecutiveSpaces: true)
    let form = PreparedForm(
      Form(id: "f", sections: [Section(rows: [Row(key: "k", kind: .input(input))])]))
    for string in strings {
      var editor = FormEditor(form)
      let outcome = editor.handle(.change(key: "k", TextChange(0..<0, string)))
      #expect(outcome.text.map { $0.hasSameBytes(as: string) } == true)
      #expect(outcome.selection == string.utf16.count..<string.utf16.count)
      // And again, in the middle of itself.
      let middle = string.unicodeScalars.prefix(string.unicodeScalars.count / 2)
        .reduce(0) { $0 + $1.utf16.count }
      editor.handle(.change(key: "k", TextChange(middle..<middle, string)))
      editor.handle(
        .change(key: "k", TextChange(middle..<middle + string.utf16.count, "")))
      #expect(editor.text(of: "k").hasSameBytes(as: string))
    }
  }

  @Test func eventsThatAreNone() {
    let texts = [
      "{}", "[]", #"{"begin": 1}"#, #"{"change": "k"}"#, #"{"toggle": "k"}"#,
      #"{"change": "k", "range": [2, 1], "text": ""}"#, #"{"select": "k"}"#,
      #"{"change": "k", "range": [1], "text": ""}"#, #"{"validate": "loud"}"#,
      #"{"select": "k", "option": 1.5}"#,
    ]
    for text in texts {
      #expect(throws: EventError.self, "\(text)") {
        try EditingEvent(json: JSONValue(parsing: text))
      }
    }
  }

  @Test func lengthsAreMeasuredByTheFrontEnd() {
    struct Measurer: TextMeasurer {
      func width(of text: String, font: Font) -> Double {
        font.weight == .medium ? Double(text.utf16.count) * 10 : 0
      }
      func height(
        of text: String, font: Font, width: Double, lineBreakMode: LineBreakMode
      ) -> Double { 7 }
    }
    let tags = TagsContent([Tag(1, "abc"), Tag(2, "d")])
    let layout = TagLayout(tags, width: 375, measurer: Measurer())
    #expect(layout.items.map(\.frame.width) == [83, 63])
    #expect(layout.height == 71)
  }
}
