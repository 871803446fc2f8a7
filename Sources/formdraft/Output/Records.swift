import DraftStore
import FormModel

extension JSONValue {
  static func count(_ number: Int) -> JSONValue { .number(DecimalNumber(Int64(number))) }

  static func moment(_ moment: Timestamp) -> JSONValue { .string(moment.description) }

  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  static func optional(_ number: Int?) -> JSONValue { number.map(JSONValue.count) ?? .null }

  static func optional(_ value: FieldValue?) -> JSONValue { value?.json ?? .null }
}

extension Timestamp {
  /// To the second, for tables: `2024-01-31 09:30:00Z`.
  var shortText: String {
    let text = description
    return text.prefix(10) + " " + text.dropFirst(11).prefix(8) + "Z"
  }
}

extension DraftSummary {
  /// What `draft list --json` tells of a draft.
  var record: JSONValue {
    [
      "id": .string(id.description), "form": .string(form), "version": .count(version),
      "title": .string(title), "subject": .optional(subject), "status": .string(status.rawValue),
      "revision": .count(revision), "createdAt": .moment(createdAt),
      "updatedAt": .moment(updatedAt),
    ]
  }
}

extension Attention {
  var record: JSONValue {
    ["key": .string(key), "reason": .string(reason.rawValue), "value": value.json]
  }

  /// The reason in words.
  var words: String {
    switch reason {
    case .orphan: "the form has no such field any more"
    case .type: "not a value of the field's type"
    case .unknownOption: "not among the form's options"
    }
  }
}

extension Draft {
  /// What `draft show --json` and `draft resume --json` tell.
  func record(in form: PreparedForm) -> JSONValue {
    let current = currentValues(in: form)
    func object(isSubmitted: Bool) -> JSONValue {
      .object(
        current.filter { $0.field.isSubmitted == isSubmitted }
          .map { FormParam.Entry(serviceKey: $0.field.key, value: $0.value) }.param)
    }
    return [
      "id": .string(id.description), "form": .string(self.form), "version": .count(version),
      "title": .string(title), "status": .string(status.rawValue), "revision": .count(revision),
      "focus": .optional(focus), "createdAt": .moment(createdAt), "updatedAt": .moment(updatedAt),
      "values": object(isSubmitted: true),
      "needsAttention": .array(needsAttention(in: form).map(\.record)),
      "local": object(isSubmitted: false),
    ]
  }
}

extension FormParam {
  /// What `param --json` and `validate --json` tell.
  var record: JSONValue {
    [
      "isValid": .bool(isValid), "firstErrorMsg": .optional(firstErrorMsg),
      "errors": .array(
        errors.map { ["serviceKey": .string($0.key), "message": .string($0.message)] }),
      "param": .object(param), "filtered": .array(filteredKeys.map(JSONValue.string)),
    ]
  }
}
