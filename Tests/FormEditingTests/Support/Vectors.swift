import FormModel
import FormSamples
import Testing

/// A file of `Tests/Vectors`.
func vectors(_ name: String) throws -> JSONValue {
  try JSONValue(parsing: Cases.bytes(atPath: "\(Cases.packagePath)/Tests/Vectors/\(name).json"))
}

/// A file of `Tests/Vectors/editing`: a form, and what is done in it.
struct EditingVectors {
  struct Case {
    let name: String
    let values: [String: FieldValue]
    let steps: [JSONValue]

    /// Whether it needs a store.
    var usesHistory: Bool { steps.contains { $0["undo"] != nil || $0["redo"] != nil } }
  }

  let form: Form
  let cases: [Case]

  static let names = [
    "text", "format", "verify", "focus", "choices", "conditions", "history",
  ]

  init(_ name: String) throws {
    let file = try vectors("editing/\(name)")
    let form = try Form(definition: try #require(file["form"]).jsonText)
    let prepared = PreparedForm(form)
    self.form = form
    cases = try #require(file["cases"]?.arrayValue).map { object in
      var values: [String: FieldValue] = [:]
      for member in object["values"]?.objectValue?.members ?? [] {
        let field = try #require(prepared.field(member.key))
        values[member.key] =
          try (try? FieldValue(json: member.value, as: field.dataType))
          ?? .string(#require(member.value.stringValue))
      }
      return Case(
        name: try #require(object["name"]?.stringValue), values: values,
        steps: try #require(object["steps"]?.arrayValue))
    }
  }
}

/// How an answer differs from what a vector expects: members that it does not mention may be
/// anything, a null one must be missing.
func differences(
  _ actual: JSONValue?, from expected: JSONValue, at path: String = ""
) -> [String] {
  switch (actual, expected) {
  case (nil, .null), (.null?, .null): return []
  case (.object?, .object(let object)):
    return object.members.flatMap {
      differences(actual?[$0.key], from: $0.value, at: "\(path)/\($0.key)")
    }
  case (.array(let elements)?, .array(let wanted)) where elements.count == wanted.count:
    return zip(elements, wanted).enumerated().flatMap { index, pair in
      differences(pair.0, from: pair.1, at: "\(path)/\(index)")
    }
  case (let actual?, _) where actual.isEquivalent(to: expected): return []
  default:
    return ["\(path): \(actual?.jsonText ?? "nothing") instead of \(expected.jsonText)"]
  }
}

extension [String: FieldValue] {
  var json: JSONValue { .object(JSONObject(map { ($0.key, $0.value.json) })) }
}
