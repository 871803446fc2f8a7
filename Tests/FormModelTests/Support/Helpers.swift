import FormModel
import FormSamples
import Testing

/// JSON from its text.
func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

/// A form from the definition of its rows.
func form(
  rows: String, emptyValues: String = "omit", registry: RuleRegistry = RuleRegistry()
) throws -> Form {
  try Form(
    definition: """
      {"id": "f", "emptyValues": "\(emptyValues)", "sections": [{"rows": [\(rows)]}]}
      """, registry: registry)
}

/// One of the forms in Tests/Cases/forms.
func caseForm(_ name: String) throws -> Form {
  try Form(definition: Cases.bytes("forms/\(name).json"))
}

let caseFormNames = ["profile", "calculator", "interests"]

/// The faults that reading a definition reports.
func problems(
  of definition: String, registry: RuleRegistry = RuleRegistry()
) throws -> [DefinitionError.Problem] {
  do {
    _ = try Form(definition: definition, registry: registry)
    return []
  } catch let error as DefinitionError {
    return error.problems
  }
}

/// The faults in a form of these rows, in words.
func problems(
  inRows rows: String, registry: RuleRegistry = RuleRegistry()
) throws -> [String] {
  try problems(
    of: #"{"id": "f", "sections": [{"title": "S", "rows": [\#(rows)]}]}"#, registry: registry
  )
  .map(\.description)
}

extension Form {
  /// Values for the form's fields from JSON, as a front end would set them: what denotes no value
  /// of the field's type is kept as text.
  func values(_ object: JSONObject) throws -> [String: FieldValue] {
    let prepared = PreparedForm(self)
    var values: [String: FieldValue] = [:]
    for member in object.members {
      let field = try #require(prepared.field(member.key), "no field \(member.key)")
      do {
        values[member.key] = try FieldValue(json: member.value, as: field.dataType)
      } catch {
        values[member.key] = .string(try #require(member.value.stringValue))
      }
    }
    return values
  }

  /// What the form submits for values in JSON.
  func param(_ values: String, options: FormParam.Options = .init()) throws -> FormParam {
    let object = try #require(try json(values).objectValue)
    return FormParam(self, values: try self.values(object), options: options)
  }
}

extension String {
  var hex: String {
    utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
