import FormModel
import FormSamples
import Testing

/// Schema/form-definition.schema.json and the reader say the same.
@Suite struct SchemaTests {
  let schema: JSONValue
  let validator: SchemaValidator

  init() throws {
    let path = "\(Cases.packagePath)/Schema/form-definition.schema.json"
    schema = try JSONValue(parsing: Cases.bytes(atPath: path))
    validator = try SchemaValidator(schema)
  }

  private func isRead(_ definition: JSONValue) -> Bool {
    (try? Form(definition: definition, registry: SampleForms.registry)) != nil
  }

  @Test func theSampleIsAccepted() throws {
    let sample = try json(SampleForms.everything)
    #expect(validator.errors(in: sample) == [])
    let form = try Form(definition: sample, registry: SampleForms.registry)
    #expect(validator.errors(in: form.definition) == [])
  }

  @Test(arguments: caseFormNames)
  func theCasesAreAccepted(_ name: String) throws {
    #expect(try validator.errors(in: json(Cases.text("forms/\(name).json"))) == [])
    #expect(try validator.errors(in: caseForm(name).definition) == [])
  }

  @Test func theFormsOfTheCasesAreKnown() throws {
    let names = try json(Cases.text("formparam.json")).arrayValue?.compactMap {
      $0["form"]?.stringValue
    }
    #expect(Set(names ?? []) == Set(caseFormNames))
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func whatIsWrittenIsAccepted(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let form = RandomForm.form(using: &random)
    #expect(validator.errors(in: form.definition) == [])
  }

  @Test func anUnknownKeywordIsNoticed() {
    #expect(throws: SchemaValidator.Unsupported.self) {
      try SchemaValidator(["properties": ["a": ["minimun": 1]]])
    }
    #expect(throws: SchemaValidator.Unsupported.self) { try SchemaValidator(["$ref": "#/$defs/a"]) }
  }

  // MARK: Mutations

  /// The sample taken apart, one definition for each of its rows, so that each is quick to check.
  private func rowSamples() throws -> [JSONObject] {
    let sample = try #require(try json(SampleForms.everything).objectValue)
    return try #require(sample["sections"]?.arrayValue).flatMap { section in
      try #require(section["rows"]?.arrayValue).map { row in
        var single = try #require(section.objectValue)
        single["rows"] = [row]
        var root = sample
        root["sections"] = [.object(single)]
        return root
      }
    }
  }

  /// Adds rows for the keys of the sample that a definition does not have.
  private func completed(_ definition: JSONValue, with keys: [String]) -> JSONValue {
    guard var root = definition.objectValue, let sections = root["sections"]?.arrayValue else {
      return definition
    }
    let rows = keys.map { JSONValue.object(["kind": "input", "serviceKey": .string($0)]) }
    root["sections"] = .array(sections + [["rows": .array(rows)]])
    return .object(root)
  }

  /// Every definition that comes of changing one member of the sample.
  private func mutations(
    _ change: (JSONObject.Member, [String]) -> [JSONObject.Member]
  ) throws -> [(path: [String], JSONValue)] {
    let all = [
      "text", "input", "option", "amount", "unit", "city", "street", "tags", "custom", "last",
    ]
    return try rowSamples().flatMap { sample in
      let row = try #require(sample["sections"]?.arrayValue?.first?["rows"]?.arrayValue?.first)
      let own = [
        row["serviceKey"], row["left"]?["serviceKey"], row["right"]?["httpParameterKey"],
      ].compactMap { $0?.stringValue }
      let others = all.filter { !own.contains($0) }
      #expect(isRead(completed(.object(sample), with: others)))
      return mutations(of: .object(sample), change).map { ($0, completed($1, with: others)) }
    }
  }

  private func mutations(
    of value: JSONValue, path: [String] = [],
    _ change: (JSONObject.Member, [String]) -> [JSONObject.Member]
  ) -> [(path: [String], JSONValue)] {
    var results: [(path: [String], JSONValue)] = []
    switch value {
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        results += mutations(of: element, path: path, change).map { path, changed in
          var copy = elements
          copy[index] = changed
          return (path, .array(copy))
        }
      }
    case .object(let object):
      for (index, member) in object.members.enumerated() {
        func replaced(_ new: JSONObject.Member) -> JSONValue {
          var members = object.members
          members[index] = new
          return .object(JSONObject(members.map { ($0.key, $0.value) }))
        }
        let inner = path + [member.key]
        results += change(member, inner).map { (inner, replaced($0)) }
        // What stands in these is the app's own.
        let isFree = ["param", "value", "oneOf", "equals", "notEquals", "in", "contains"]
          .contains(member.key)
        if !isFree {
          results += mutations(of: member.value, path: inner, change).map {
            ($0, replaced(.init(key: member.key, value: $1)))
          }
        }
      }
    default: break
    }
    return results
  }

  @Test func aRenamedMemberIsRefusedByBoth() throws {
    let renamed = try mutations { member, _ in
      [.init(key: member.key + "s", value: member.value)]
    }
    #expect(renamed.count > 380)
    for (path, definition) in renamed {
      #expect(!validator.accepts(definition), "\(path)")
      #expect(!isRead(definition), "\(path)")
    }
    // Nothing that the schema knows is left out of this.
    let seen = Set(renamed.compactMap(\.path.last))
    var known: Set<String> = []
    collectNames(schema, into: &known)
    #expect(known.subtracting(seen) == [])
  }

  private func collectNames(_ schema: JSONValue, into names: inout Set<String>) {
    for element in schema.arrayValue ?? [] { collectNames(element, into: &names) }
    for member in schema.objectValue?.members ?? [] {
      if member.key == "properties" { names.formUnion(member.value.objectValue?.keys ?? []) }
      if member.key != "default" { collectNames(member.value, into: &names) }
    }
  }

  @Test func whatTheReaderTakesTheSchemaTakes() throws {
    let others: [JSONValue] = [.null, true, 7, "x", [], ["integer": true]]
    let changed = try mutations { member, _ in
      others.map { .init(key: member.key, value: $0) }
    }
    var refused = 0
    for index in stride(from: 0, to: changed.count, by: Sanitizer.isOn ? 8 : 1) {
      let (path, definition) = changed[index]
      if isRead(definition) {
        #expect(validator.errors(in: definition) == [], "\(path)")
      } else if index % 8 == 0, !validator.accepts(definition) {
        refused += 1
      }
    }
    #expect(refused > changed.count / 16, "the schema refuses what is wrong in itself: \(refused)")
  }

  @Test func aMemberTooManyIsRefusedByBoth() throws {
    let changed = try mutations { member, path in
      guard var object = member.value.objectValue, path.last != "param" else { return [] }
      object["surplus"] = 1
      return [.init(key: member.key, value: .object(object))]
    }
    #expect(changed.count > 60)
    for (path, definition) in changed {
      #expect(!validator.accepts(definition), "\(path)")
      #expect(!isRead(definition), "\(path)")
    }
  }

  // MARK: Names and defaults

  @Test func theNamesAreThoseOfTheModel() throws {
    func names(_ path: String...) throws -> [String] {
      var part = try #require(schema["$defs"])
      for key in path { part = try #require(part[key], "\(path)") }
      return part["enum"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
    func all<Name: CaseIterable & RawRepresentable<String>>(_: Name.Type) -> [String] {
      Name.allCases.map(\.rawValue)
    }
    #expect(try names("row.requiredType") == all(RequiredType.self))
    #expect(try names("textRow", "properties", "dataType") == all(DataType.self))
    #expect(try names("customRow", "properties", "dataType") == all(DataType.self))
    #expect(try names("inputRow", "properties", "keyboardType") == all(KeyboardType.self))
    #expect(try names("inputRow", "properties", "returnKeyType") == all(ReturnKeyType.self))
    #expect(try names("inputRow", "properties", "returnDoneType") == all(ReturnDoneType.self))
    #expect(try names("tagsRow", "properties", "selection") == all(TagsContent.Selection.self))
    #expect(try names("verify", "properties", "type") == all(VerifyType.self))
    #expect(try names("verify", "properties", "errorType") == all(ErrorType.self))
    #expect(try names("ui", "properties", "lineBreakMode") == all(LineBreakMode.self))
    #expect(try names("ui", "properties", "inputTextAlignment") == all(TextAlignment.self))
    #expect(try names("fontWeight") == all(FontWeight.self))
    let empties = schema["properties"]?["emptyValues"]?["enum"]?.arrayValue
    #expect(empties?.compactMap(\.stringValue) == all(EmptyValues.self))
  }

  /// The properties of a schema with the defaults that it states.
  private func defaults(_ name: String) throws -> [(String, JSONValue)] {
    let properties = try #require(schema["$defs"]?[name]?["properties"]?.objectValue)
    return properties.members.compactMap { member in
      let target = member.value["$ref"].flatMap { SchemaValidator.target(of: $0, in: schema) }
      return (member.value["default"] ?? target?["default"]).map { (member.key, $0) }
    }
  }

  @Test(arguments: [
    ("textRow", #"{"kind": "text"}"#), ("inputRow", #"{"kind": "input"}"#),
    ("optionRow", #"{"kind": "option", "options": [{"id": 1}]}"#),
    ("tagsRow", #"{"kind": "tags", "tags": [{"id": 1}]}"#),
    ("customRow", #"{"kind": "custom", "customIdentifier": "c"}"#),
  ])
  func aDefaultThatIsWrittenOutChangesNothing(schemaName: String, row: String) throws {
    var object = try #require(try json(row).objectValue)
    object["serviceKey"] = "k"
    let plain = try form(rows: JSONValue.object(object).jsonText)
    for (key, value) in try defaults(schemaName) where key != "serviceKey" { object[key] = value }
    object["ui"] = .object(JSONObject(try defaults("ui")))
    if schemaName != "textRow" { object["verify"] = .object(JSONObject(try defaults("verify"))) }
    if schemaName == "tagsRow" {
      object["presentation"] = .object(JSONObject(try defaults("tagPresentation")))
    }
    #expect(object.count > 8)
    let explicit = try form(rows: JSONValue.object(object).jsonText)
    #expect(explicit.definition == plain.definition)
    #expect(explicit == plain)
  }
}
