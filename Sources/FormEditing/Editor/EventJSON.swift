import FormModel

// Events and answers as JSON, for front ends in other languages and for the test vectors.

/// A JSON value that describes no event.
public struct EventError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
}

extension EditingEvent {
  /// An event from JSON: one member names what is done and the field's key, others say more.
  ///
  /// ```json
  /// {"change": "cardNo", "range": [4, 5], "text": "", "isComposing": false, "forward": false}
  /// {"begin": "name"}      {"end": "name"}        {"return": "name"}   {"endComposition": "name"}
  /// {"enter": "name", "text": "Ada"}              {"select": "gender", "option": 1}
  /// {"toggle": "interests", "tag": "sport"}       {"set": "avatar", "value": {"id": 7}}
  /// {"validate": "lineAndLabel"}
  /// ```
  ///
  /// - Throws: ``EventError``
  public init(json: JSONValue) throws(EventError) {
    guard let name = Self.names.first(where: { json[$0] != nil }), let key = json[name]?.stringValue
    else {
      throw EventError(description: "no event: one of \(Self.names.joined(separator: ", "))")
    }
    func member<Value>(_ member: String, _ value: (JSONValue) -> Value?) throws(EventError) -> Value
    {
      guard let found = json[member].flatMap(value) else {
        throw EventError(description: "\(name): \"\(member)\" is missing or of another type")
      }
      return found
    }
    switch name {
    case "begin": self = .begin(key: key)
    case "end": self = .end(key: key)
    case "return": self = .returnKey(key: key)
    case "endComposition": self = .endComposition(key: key)
    case "enter":
      self = .enter(
        key: key, text: try member("text", \.stringValue),
        isComposing: json["isComposing"]?.boolValue ?? false)
    case "select":
      let option = try member("option") { $0 }
      self = .select(key: key, option == .null ? nil : try member("option", OptionID.init(json:)))
    case "toggle": self = .toggle(key: key, tag: try member("tag", OptionID.init(json:)))
    case "set":
      self = .set(key: key, json["value"].map(FieldValue.json))
    case "validate":
      self = .validate(try member("validate") { $0.stringValue.flatMap(ErrorType.init(rawValue:)) })
    default:
      let range: Range<Int> = try member("range") {
        let ends = $0.arrayValue?.compactMap(\.integerValue).map(Int.init(clamping:)) ?? []
        return ends.count == 2 && ends[0] <= ends[1] ? ends[0]..<ends[1] : nil
      }
      self = .change(
        key: key,
        TextChange(
          range, try member("text", \.stringValue),
          isComposing: json["isComposing"]?.boolValue ?? false,
          deletesForward: json["forward"]?.boolValue ?? false))
    }
  }

  private static let names = [
    "begin", "change", "enter", "endComposition", "end", "return", "select", "toggle", "set",
    "validate",
  ]
}

extension EditingOutcome {
  /// The answer as JSON. Members that say nothing are left out, but `accepted`, `errors` and
  /// `focus` are always there.
  public var json: JSONObject {
    var object: JSONObject = ["accepted": .bool(isAccepted)]
    object["refusal"] = refusal.map { .string($0.rawValue) }
    object["text"] = text.map(JSONValue.string)
    object["selection"] = selection.map(Self.json)
    if isComposing { object["isComposing"] = true }
    if isCut { object["isCut"] = true }
    object["errors"] = .array(errors.map(Self.json))
    object["focus"] = focus.map(JSONValue.string) ?? .null
    object["return"] = returnResult.map { .string($0.rawValue) }
    if !rows.isEmpty { object["rows"] = .array(rows.map(Self.json)) }
    if !tags.isEmpty { object["tags"] = .array(tags.map(Self.json)) }
    if !changes.isEmpty { object["changed"] = .array(changes.map { .string($0.key) }) }
    if let validation {
      object["validation"] = [
        "isValid": .bool(validation.isValid),
        "firstErrorMsg": validation.firstErrorMsg.map(JSONValue.string) ?? .null,
      ]
    }
    let others = texts.filter { text in key.map { !$0.hasSameBytes(as: text.key) } ?? true }
    if !others.isEmpty {
      object["otherTexts"] = .array(
        others.map { ["key": .string($0.key), "text": .string($0.text)] })
    }
    return object
  }

  private static func json(_ range: Range<Int>) -> JSONValue {
    [.number(range.lowerBound), .number(range.upperBound)]
  }

  private static func json(_ error: FieldError) -> JSONValue {
    [
      "key": .string(error.key), "errorType": .string(error.errorType.rawValue),
      "reason": .string(error.reason.rawValue), "message": .string(error.message),
    ]
  }

  private static func json(_ row: RowState) -> JSONValue {
    [
      "row": .number(row.row), "isVisible": .bool(row.isVisible),
      "isRequired": .bool(row.isRequired), "isEnabled": .bool(row.isEnabled),
    ]
  }

  private static func json(_ answer: TagAnswer) -> JSONValue {
    [
      "key": .string(answer.key),
      "selected": .array(answer.selection.selected.map(\.id.json)),
      "unknown": .array(answer.selection.unknown.map(\.json)),
      "isEnough": .bool(answer.selection.isEnough),
    ]
  }
}

extension JSONValue {
  fileprivate static func number(_ number: Int) -> JSONValue {
    .number(DecimalNumber(Int64(number)))
  }
}
