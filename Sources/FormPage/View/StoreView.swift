import DraftDatabase
import DraftStore
import DraftSync
import FormEditing
import FormModel

extension JSONValue {
  static func count(_ number: Int) -> JSONValue { .number(DecimalNumber(Int64(number))) }
}

extension FormSummary {
  var json: JSONValue {
    [
      "id": .string(id), "title": .string(title), "version": .count(version),
      "draftCount": .count(draftCount),
    ]
  }
}

extension DraftSummary {
  var json: JSONValue {
    [
      "id": .string(id.description), "form": .string(form), "version": .count(version),
      "title": .string(title), "subject": .string(subject ?? ""),
      "status": .string(status.rawValue), "updatedAt": .string(updatedAt.description),
    ]
  }
}

extension Draft {
  /// What is to be known of a draft beside its values.
  var json: JSONValue {
    [
      "id": .string(id.description), "form": .string(form), "version": .count(version),
      "title": .string(title), "subject": .string(subject ?? ""),
      "status": .string(status.rawValue), "revision": .count(revision),
      "updatedAt": .string(updatedAt.description),
    ]
  }
}

extension EditHistory {
  var json: JSONValue { ["undo": .count(undoCount), "redo": .count(redoCount)] }
}

extension EditingSession.SaveState {
  var json: JSONValue {
    switch self {
    case .saved: ["state": "saved"]
    case .saving: ["state": "saving"]
    case .failed(let error):
      ["state": "failed", "code": .string(error.code), "message": .string("\(error)")]
    }
  }
}

extension Error {
  /// The name of the kind of error, for the page's script.
  var code: String {
    switch self {
    case let error as StoreError: error.code
    case let error as DatabaseError: error.code.rawValue
    default: "other"
    }
  }

  /// The error as an answer.
  var response: Response {
    let status =
      switch self as any Error {
      case StoreError.unknownDraft, StoreError.unknownForm, StoreError.unknownVersion: 404
      case is StoreError: 409
      case is JSONError, is EventError: 400
      default: 503
      }
    return .error(status, code, "\(self)")
  }
}

extension ChangeSet {
  /// The changes, in words as a person knows them.
  func json(in form: PreparedForm) -> JSONValue {
    .array(
      changes.map { change in
        let field = form.field(change.serviceKey)
        return [
          "key": .string(change.serviceKey),
          "label": .string(field?.label ?? change.serviceKey),
          "change": .string(change.kind.rawValue),
          "old": .string(change.old.map { field?.shown($0) ?? $0.text } ?? ""),
          "new": .string(change.new.map { field?.shown($0) ?? $0.text } ?? ""),
        ]
      })
  }
}

extension Submission {
  /// What was submitted, with dots for what is sensitive.
  func shownParam(in form: PreparedForm) -> JSONValue {
    var object = JSONObject()
    for entry in entries {
      let isHidden = form.field(entry.serviceKey)?.isSensitive == true && !entry.value.isBlank
      object[entry.serviceKey] = isHidden ? .string(dots) : entry.value.json
    }
    return .object(object)
  }
}

/// What is shown in place of a sensitive value.
private let dots = "••••"

extension FormField {
  /// A value in words: labels for ids, groups with their separators, dots for what is sensitive.
  fileprivate func shown(_ value: FieldValue) -> String {
    if isSensitive { return value.isBlank ? "" : dots }
    switch (content, value) {
    case (.options(let options), .option(let id)):
      return options.first { $0.id == id }?.label ?? id.description
    case (.tags(let tags), .tags(let ids)):
      return ids.map { id in tags.tags.first { $0.id == id }?.labelName ?? id.description }
        .joined(separator: ", ")
    case (.tags(let tags), .option(let id)):
      return tags.tags.first { $0.id == id }?.labelName ?? id.description
    case (.input(let input), .string(let text)): return input.format?.display(text) ?? text
    default: return value.text
    }
  }
}
