import FormModel
import FormSamples
import Testing

/// The forms, values and results of Tests/Cases/formparam.json.
@Suite struct FormParamCases {
  static let cases: [JSONValue] = {
    guard let text = try? Cases.text("formparam.json"), let list = try? json(text).arrayValue
    else { return [] }
    return list
  }()

  @Test func noneIsSkipped() {
    #expect(Self.cases.count == 14)
  }

  @Test(arguments: cases.indices)
  func comesOutAsExpected(_ index: Int) throws {
    let record = Self.cases[index]
    let name = Comment(rawValue: record["name"]?.stringValue ?? "")
    let form = try caseForm(#require(record["form"]?.stringValue))
    var values = try form.values(#require(record["values"]?.objectValue))
    for member in record["repeat"]?.objectValue?.members ?? [] {
      let parts = try #require(member.value.arrayValue)
      let text = try #require(parts[0].stringValue)
      let count = try #require(parts[1].integerValue)
      values[member.key] = .string(String(repeating: text, count: Int(count)))
    }
    var options = FormParam.Options()
    options.filterServiceKeys =
      record["filterServiceKeys"]?.arrayValue?.compactMap(\.stringValue) ?? []
    options.filterValueTypes =
      record["filterValueTypes"]?.arrayValue?.compactMap { $0.integerValue.map { Int($0) } } ?? []
    let result = FormParam(form, values: values, options: options)

    let expected = try #require(record["expect"]?.objectValue)
    for member in expected.members {
      switch member.key {
      case "isValid": #expect(result.isValid == member.value.boolValue, name)
      case "firstErrorMsg": #expect(result.firstErrorMsg == member.value.stringValue, name)
      case "failing": #expect(result.errors.map(\.key) == strings(member.value), name)
      case "filtered": #expect(result.filteredKeys == strings(member.value), name)
      case "param":
        let entries = try #require(member.value.arrayValue).map { pair in
          JSONObject.Member(
            key: try #require(pair.arrayValue?.first?.stringValue),
            value: Self.wire(try #require(pair.arrayValue?.last)))
        }
        #expect(result.param.members == entries, name)
      default: Issue.record("unknown expectation \(member.key)")
      }
    }
    if !result.isValid { #expect(result.entries.isEmpty, name) }
  }

  private func strings(_ value: JSONValue) -> [String]? {
    value.arrayValue?.compactMap(\.stringValue)
  }

  /// A decimal stands as {"decimal": its digits}.
  private static func wire(_ value: JSONValue) -> JSONValue {
    value["decimal"]?.stringValue.flatMap(DecimalNumber.init).map(JSONValue.number) ?? value
  }
}
