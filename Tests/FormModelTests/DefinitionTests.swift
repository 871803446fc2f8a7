import FormModel
import FormSamples
import Foundation
import Testing

@Suite struct DefinitionTests {
  private func everything() throws -> Form {
    try Form(definition: SampleForms.everything, registry: SampleForms.registry)
  }

  @Test func everySettingReadsBackTheSame() throws {
    let form = try everything()
    let text = form.definition.jsonText
    var read = try Form(definition: text, registry: SampleForms.registry)
    #expect(read.definition.jsonText == text)
    #expect(form.version == 3 && read.version == nil, "the store numbers versions")
    read.version = 3
    #expect(read == form)
    try form.check(registry: SampleForms.registry)
  }

  @Test(arguments: caseFormNames)
  func theCasesReadBackTheSame(_ name: String) throws {
    let form = try caseForm(name)
    #expect(try Form(definition: form.definition.jsonText) == form)
    #expect(try Form(definition: form.definition.prettyText) == form)
    try form.check()
  }

  @Test func theFingerprintIsThatOfTheContent() throws {
    let a = try form(rows: #"{"kind": "input", "serviceKey": "a", "key": "A"}"#)
    let same = try form(
      rows:
        #"{"key":"A","requiredType":"none","verify":{},"ui":{},"serviceKey":"a","kind":"input"}"#)
    #expect(a == same && a.fingerprint == same.fingerprint)
    var other = a
    other.version = 9
    #expect(other.fingerprint == a.fingerprint)
    other.title = "x"
    #expect(other.fingerprint != a.fingerprint)
    #expect(a.fingerprint.utf8.count == 64)
    #expect(
      a.definition.jsonText
        == #"{"id":"f","sections":[{"rows":[{"kind":"input","key":"A","serviceKey":"a"}]}]}"#)
  }

  /// A definition that came with an earlier release must keep its fingerprint, or every store
  /// would make a new version of it.
  @Test func fingerprintsAreStable() throws {
    let form = try form(rows: #"{"kind": "input", "serviceKey": "a", "key": "A"}"#)
    #expect(form.fingerprint == "5090bedaa849b0899ae3a025b2c021d0152b6d1b2ab579ea281d12b8a450203b")
  }

  @Test func isCodedWithItsDigitsAndOrder() throws {
    let form = try form(
      rows: #"{"kind": "input", "key": "A", "param": {"z": 1.500, "a": 12345678901234567890}}"#)
    let read = try JSONDecoder().decode([Form].self, from: JSONEncoder().encode([form]))
    #expect(read == [form] && read[0].definition == form.definition)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(Form.self, from: Data("\"{}\"".utf8))
    }
  }

  @Test func anEmptyServiceKeyIsNone() throws {
    let form = try form(rows: #"{"kind": "input", "serviceKey": "", "key": "A"}"#)
    #expect(form.rows[0].serviceKey == nil)
    #expect(Row(key: "A", serviceKey: "", kind: .text(TextContent())).serviceKey == nil)
    #expect(form.fields().map(\.key) == ["A"] && !form.fields()[0].isSubmitted)
  }

  @Test func fieldsAreTheRowsFlattened() throws {
    let fields = try everything().fields()
    #expect(
      fields.map(\.key) == [
        "text", "input", "option", "amount", "unit", "city", "street", "tags", "custom", "last",
      ])
    #expect(fields.map(\.rowIndex) == [0, 1, 2, 3, 3, 4, 4, 5, 6, 7])
    #expect(fields[0].defaultValue == .typed("1.50", as: .decimal))
    #expect(fields[2].defaultValue == .option("1"))
    #expect(fields[4].defaultValue == .option("a"))
    #expect(fields[3].formerKeys == ["amount0"] && fields[4].formerKeys == [])
    #expect(fields[8].label == "Custom" && fields[9].label == "last")
  }

  @Test func aFormMadeInSwiftIsCheckedForWhatItCantKeep() throws {
    func problems(_ row: Row) -> [String] {
      do throws(DefinitionError) {
        try Form(id: "f", sections: [Section(title: "S", rows: [row])]).check()
        return []
      } catch {
        return error.problems.map(\.description)
      }
    }
    func input(_ change: (inout InputContent) -> Void) -> Row {
      var input = InputContent()
      change(&input)
      return Row(key: "K", serviceKey: "k", kind: .input(input))
    }
    let faults = [
      (input { $0.format = InputFormat(groupsOf: 0) }, "groupsOf"),
      (input { $0.maxLength = -1 }, "maxLength"),
      (input { $0.dataType = .tags }, "dataType"),
      (input { $0.verify.rule = .length(min: 3, max: 2) }, "min"),
      (Row(key: "K", serviceKey: "k", kind: .text(TextContent("x", dataType: .date))), "value"),
      (Row(key: "K", serviceKey: "k", kind: .text(TextContent(1, dataType: .string))), "value"),
      (
        Row(
          key: "K", serviceKey: "k", kind: .custom(CustomContent("a")),
          cellStyle: .customIdentifier("b")), "cellStyle"
      ),
      (Row(key: "K", serviceKey: "k", kind: .custom(CustomContent(""))), "customIdentifier"),
    ]
    for (row, word) in faults {
      let found = problems(row)
      #expect(
        found.contains { $0.contains("\"\(word)\"") || $0.contains(word) }, "\(word) \(found)")
      #expect(found.allSatisfy { $0.contains("section 1 \"S\", row 1 \"K\"") }, "\(found)")
    }
    var deep = Condition.test(key: "k", .isEmpty(true))
    for _ in 0..<200 { deep = .not(deep) }
    var row = input { _ in }
    row.enabledWhen = deep
    #expect(problems(row).contains { $0.contains("nested deeper") })
    #expect(problems(input { _ in }) == [])
  }

  @Test func aGroupOfNoneDoesNotTrap() {
    #expect(InputFormat(groupsOf: 0).display("1234") == "1234")
  }
}

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
}
