import FormModel
import FormSamples
import Testing

/// The values in Tests/Cases/values: what goes in comes out, byte for byte and digit for digit.
@Suite struct ValueCases {
  /// What every way through the model must keep.
  private func expectKept(_ text: String, as type: DataType) throws {
    let value = try FieldValue(parsing: text, as: type)
    #expect(value.isOf(type))
    #expect(value.text.hasSameBytes(as: text), "\(type)")
    #expect(FieldValue.typed(text, as: type) == value)
    let read = try JSONValue(parsing: value.json.jsonText)
    #expect(read == value.json)
    #expect(try FieldValue(json: read, as: type) == value)
    #expect(value.isEquivalent(to: value))
  }

  @Test func typedValues() throws {
    let file = try #require(try json(Cases.text("values/typed-values.json")).objectValue)
    let types: [DataType] = [.string, .integer, .decimal, .date, .time, .dateTime]
    var known = ["about", "string_long", "boolean", "boolean_refuse", "json"]
    for type in types {
      for value in try #require(file[type.rawValue]?.arrayValue) {
        try expectKept(#require(value.stringValue), as: type)
      }
      for value in file["\(type.rawValue)_refuse"]?.arrayValue ?? [] {
        let text = try #require(value.stringValue)
        #expect(throws: ValueError.self, "\(type) \(text)") {
          try FieldValue(parsing: text, as: type)
        }
        #expect(throws: ValueError.self, "\(type) \(text)") {
          try FieldValue(json: value, as: type)
        }
        #expect(FieldValue.typed(text, as: type) == .string(text), "the draft keeps what was typed")
      }
      known += [type.rawValue, "\(type.rawValue)_refuse"]
    }
    for value in try #require(file["boolean"]?.arrayValue) {
      #expect(try FieldValue(json: value, as: .boolean).json == value)
    }
    for value in try #require(file["boolean_refuse"]?.arrayValue) {
      #expect(throws: ValueError.self) { try FieldValue(json: value, as: .boolean) }
    }
    for value in try #require(file["json"]?.arrayValue) {
      try expectKept(value.jsonText, as: .json)
    }
    let long = try #require(file["string_long"])
    let text = String(
      repeating: try #require(long["repeat"]?.stringValue),
      count: Int(try #require(long["times"]?.integerValue)))
    try expectKept(text, as: .string)
    #expect(file.keys.filter { !known.contains($0) } == [])
  }

  @Test func naughtyStrings() throws {
    let list = try #require(try json(Cases.text("values/naughty-strings.json")).arrayValue)
    #expect(list.count == 515)
    for element in list {
      let text = try #require(element.stringValue)
      try expectKept(text, as: .string)
      // Compact JSON is another spelling of what was typed, so these two have no part in this.
      for type in DataType.allCases where type != .json && type != .tags {
        #expect(FieldValue.typed(text, as: type).text.hasSameBytes(as: text), "\(type)")
      }
    }
  }

  @Test func values() throws {
    let file = try json(Cases.text("values/values.json"))
    let records = try #require(file["values"]?.arrayValue)
    #expect(records.count == 119)
    for record in records { try check(record) }
  }

  private func check(_ record: JSONValue) throws {
    let id = try #require(record["id"]?.stringValue)
    let source = try #require(record["json"]?.stringValue)
    let expectation = try #require(record["expect"]?.stringValue)
    let comment = Comment(rawValue: "\(id): \(expectation)")
    switch id {
    case "surr-ok":
      #expect(try json(source) == "😀", comment)
    case "esc-nul":
      #expect(try json(source).stringValue?.unicodeScalars.count == 3, comment)
    case "empty-key":
      let value = try json(source)
      #expect(throws: DefinitionError.self, comment) { try Form(definition: value) }
    case "key-order":
      #expect(try json(source).jsonText == source, comment)
    case "bool-vs-int":
      let elements = try #require(try json(source).arrayValue)
      #expect(Set(elements).count == 6, comment)
    case "null-vs-missing":
      let object = try #require(try json(source).objectValue)
      #expect(object["a"] == .some(.null) && object["b"] == nil, comment)
    case let id where id.hasPrefix("n-"):
      try checkNumber(source, comment)
    case let id where id.hasPrefix("bad-"):
      #expect(throws: JSONError.self, comment) { try json(source) }
      #expect(DecimalNumber(source) == nil, comment)
    case let id where id.hasPrefix("numtext-"):
      let text = try #require(try json(source).stringValue)
      #expect(FieldValue.typed(text, as: .decimal) == .string(text), comment)
      let form = try form(rows: #"{"kind": "input", "serviceKey": "a", "dataType": "decimal"}"#)
      let result = FormParam(form, values: ["a": .string(text)])
      #expect(result.errors.map(\.reason) == [.type], comment)
    default:
      if expectation == "exact" {
        try checkText(source, record, comment)
      } else {
        #expect(
          ["dup-key", "dup-key-norm", "deep"].contains(id) || expectation.hasPrefix("reject"))
        let error = #expect(throws: JSONError.self, comment) { try json(source) }
        #expect((error?.column ?? 0) > 1, comment)
      }
    }
  }

  private func checkText(_ source: String, _ record: JSONValue, _ comment: Comment) throws {
    let text = try #require(try json(source).stringValue, comment)
    if let hex = record["utf8_hex"]?.stringValue { #expect(text.hex == hex, comment) }
    #expect(Int64(text.unicodeScalars.count) == record["scalars"]?.integerValue, comment)
    #expect(Int64(text.utf16.count) == record["utf16"]?.integerValue, comment)
    #expect(Int64(text.utf8.count) == record["utf8"]?.integerValue, comment)
    try expectKept(text, as: .string)
  }

  private func checkNumber(_ source: String, _ comment: Comment) throws {
    guard case .number(let number) = try json(source) else {
      Issue.record("not a number: \(source)")
      return
    }
    #expect(number.text == source, comment)
    switch source {
    case "1e400":
      #expect(throws: ValueError.self, comment) { try FieldValue(parsing: source, as: .decimal) }
      #expect(throws: ValueError.self, comment) {
        try FieldValue(json: .number(number), as: .decimal)
      }
      return
    case "1E+2": #expect(number.isEquivalent(to: 100), comment)
    case "-0", "-0.0": #expect(number.isEquivalent(to: 0), comment)
    default: #expect(!number.isEquivalent(to: 0), comment)
    }
    try expectKept(source, as: .decimal)
  }

  @Test func dates() throws {
    let file = try json(Cases.text("values/dates.json"))
    let records = try #require(file["values"]?.arrayValue)
    #expect(records.count == 44)
    for record in records {
      let text = try #require(record["value"]?.stringValue)
      let expectation = try #require(record["expect"]?.stringValue)
      let comment = Comment(rawValue: "\(text): \(expectation)")
      switch try #require(record["kind"]?.stringValue) {
      case "date" where expectation.hasPrefix("invalid"): expectRefused(text, as: .date, comment)
      case "date": try expectKept(text, as: .date)
      case "date-text": expectRefused(text, as: .date, comment)
      case "local-datetime": expectRefused(text, as: .dateTime, comment)
      case "instant" where expectation.contains("refuse") || expectation == "normalise":
        expectRefused(text, as: .dateTime, comment)
      case "instant": try expectKept(text, as: .dateTime)
      case "time": try expectKept(text, as: .time)
      case let kind: Issue.record("unknown kind \(kind)")
      }
    }
  }

  /// Not a value of the type, and kept as it was typed all the same.
  private func expectRefused(_ text: String, as type: DataType, _ comment: Comment) {
    #expect(throws: ValueError.self, comment) { try FieldValue(parsing: text, as: type) }
    #expect(FieldValue.typed(text, as: type) == .string(text), comment)
  }
}
