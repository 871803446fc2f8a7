import FormModel

/// Checks JSON against a JSON Schema (draft 2020-12), with the keywords that ours uses.
struct SchemaValidator {
  /// A schema that uses what this validator does not know.
  struct Unsupported: Error, CustomStringConvertible {
    let description: String
  }

  let root: JSONValue
  private let definitions: [String: JSONValue]
  private let patterns: [String: Regex<AnyRegexOutput>]

  /// - Throws: ``Unsupported`` when the schema has a keyword that would go unheeded.
  init(_ root: JSONValue) throws {
    self.root = root
    definitions = Dictionary(
      uniqueKeysWithValues: (root["$defs"]?.objectValue?.members ?? []).map { ($0.key, $0.value) })
    var patterns: [String: Regex<AnyRegexOutput>] = [:]
    try Self.checkKeywords(root, root, at: "#", &patterns)
    self.patterns = patterns
  }

  private static let annotations = ["$schema", "$id", "title", "description", "default"]

  /// Visits every schema in the schema.
  private static func checkKeywords(
    _ schema: JSONValue, _ root: JSONValue, at place: String,
    _ patterns: inout [String: Regex<AnyRegexOutput>]
  ) throws {
    if schema.boolValue != nil { return }
    guard let object = schema.objectValue else {
      throw Unsupported(description: "\(place): a schema is an object or a boolean")
    }
    for member in object.members {
      let inner = "\(place)/\(member.key)"
      switch member.key {
      case "properties", "$defs":
        for property in member.value.objectValue?.members ?? [] {
          try checkKeywords(property.value, root, at: "\(inner)/\(property.key)", &patterns)
        }
      case "allOf", "oneOf":
        for (index, part) in (member.value.arrayValue ?? []).enumerated() {
          try checkKeywords(part, root, at: "\(inner)/\(index)", &patterns)
        }
      case "items", "not", "if", "then", "else", "additionalProperties":
        try checkKeywords(member.value, root, at: inner, &patterns)
      case "$ref":
        guard target(of: member.value, in: root) != nil else {
          throw Unsupported(description: "\(inner): nothing is at \(member.value)")
        }
      case "pattern":
        let source = member.value.stringValue ?? "("
        patterns[source] = try Regex(source)
      case "type", "enum", "const", "required", "minItems", "minLength", "minimum", "maximum",
        "minProperties", "maxProperties":
        break
      case let key where annotations.contains(key): break
      default: throw Unsupported(description: "\(inner): an unknown keyword")
      }
    }
  }

  static func target(of reference: JSONValue, in root: JSONValue) -> JSONValue? {
    guard let text = reference.stringValue, text.hasPrefix("#/$defs/") else { return nil }
    return root["$defs"]?[String(text.dropFirst("#/$defs/".count))]
  }

  /// What is wrong with a value, each with its place; empty when it is valid.
  func errors(in value: JSONValue) -> [String] { errors(value, root, at: "") }

  func accepts(_ value: JSONValue) -> Bool { errors(in: value).isEmpty }

  private func errors(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
    if let flag = schema.boolValue { return flag ? [] : ["\(place): nothing may stand here"] }
    guard let object = schema.objectValue else { return ["\(place): the schema is none"] }
    var errors: [String] = []
    for member in object.members {
      if !holds(member.key, member.value, for: value) {
        errors.append("\(place): \(value.kindName) against \(member.key) \(member.value)")
      }
      errors += applied(member.key, member.value, to: value, of: object, at: place)
    }
    return errors
  }

  /// The keywords that apply other schemas to the value or its parts.
  private func applied(
    _ keyword: String, _ part: JSONValue, to value: JSONValue, of schema: JSONObject,
    at place: String
  ) -> [String] {
    switch keyword {
    case "$ref":
      let name = part.stringValue?.dropFirst("#/$defs/".count) ?? ""
      return definitions[String(name)].map { errors(value, $0, at: place) } ?? [
        "\(place): no \(part)"
      ]
    case "allOf":
      return part.arrayValue?.flatMap { errors(value, $0, at: place) } ?? []
    case "oneOf":
      let count = part.arrayValue?.count { errors(value, $0, at: place).isEmpty } ?? 0
      return count == 1 ? [] : ["\(place): \(count) of oneOf hold"]
    case "not":
      return errors(value, part, at: place).isEmpty ? ["\(place): not \(part)"] : []
    case "if":
      let branch = errors(value, part, at: place).isEmpty ? "then" : "else"
      return schema[branch].map { errors(value, $0, at: place) } ?? []
    case "properties":
      return value.objectValue?.members.flatMap { member in
        part[member.key].map { errors(member.value, $0, at: "\(place)/\(member.key)") } ?? []
      } ?? []
    case "additionalProperties":
      let known = schema["properties"]?.objectValue
      return value.objectValue?.members.flatMap { member in
        known?[member.key] == nil
          ? errors(member.value, part, at: "\(place)/\(member.key)") : []
      } ?? []
    case "items":
      return value.arrayValue?.enumerated().flatMap { index, element in
        errors(element, part, at: "\(place)/\(index)")
      } ?? []
    default: return []
    }
  }

  /// The keywords that look at the value alone.
  private func holds(_ keyword: String, _ wanted: JSONValue, for value: JSONValue) -> Bool {
    switch (keyword, value) {
    case ("type", _):
      let types = wanted.arrayValue ?? [wanted]
      return types.contains { Self.isOf($0.stringValue ?? "", value) }
    case ("enum", _): return wanted.arrayValue?.contains { $0.isEquivalent(to: value) } ?? false
    case ("const", _): return wanted.isEquivalent(to: value)
    case ("required", .object(let object)):
      return wanted.arrayValue?.allSatisfy { object[$0.stringValue ?? ""] != nil } ?? false
    case ("minProperties", .object(let object)): return object.count >= wanted.integerValue ?? 0
    case ("maxProperties", .object(let object)): return object.count <= wanted.integerValue ?? 0
    case ("minItems", .array(let elements)): return elements.count >= wanted.integerValue ?? 0
    case ("minLength", .string(let text)):
      return text.unicodeScalars.count >= wanted.integerValue ?? 0
    case ("pattern", .string(let text)):
      guard let regex = patterns[wanted.stringValue ?? ""] else { return false }
      return text.firstMatch(of: regex) != nil
    case ("minimum", .number(let number)):
      guard case .number(let limit) = wanted else { return false }
      return !number.precedes(limit)
    case ("maximum", .number(let number)):
      guard case .number(let limit) = wanted else { return false }
      return !limit.precedes(number)
    default: return true
    }
  }

  private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch (type, value) {
    case ("null", .null), ("boolean", .bool), ("number", .number), ("string", .string),
      ("array", .array), ("object", .object):
      true
    case ("integer", .number(let number)): number.isWhole
    default: false
    }
  }
}

extension DecimalNumber {
  /// JSON Schema's "integer": 1.0 is one, too.
  fileprivate var isWhole: Bool {
    guard let shortened = text.split(separator: "e").first, fractionDigits > 0 else { return true }
    return shortened.split(separator: ".").last?.allSatisfy { $0 == "0" } ?? false
  }
}
