import FormEditing
import FormModel

/// A form as the page's script reads it: settings in full, so that the script knows no defaults.
///
/// Ids of options and tags, and values of the app's own, are JSON texts within the JSON: a script
/// would read a long number as another one.
enum FormView {
  static func json(_ prepared: PreparedForm) -> JSONValue {
    var index = 0
    let sections = prepared.form.sections.map { section -> JSONValue in
      let rows = section.rows.map { row -> JSONValue in
        defer { index += 1 }
        return json(row, index, prepared)
      }
      return ["title": .string(section.title), "rows": .array(rows)]
    }
    return [
      "id": .string(prepared.form.id), "title": .string(prepared.form.title),
      "version": .count(prepared.form.version ?? 1), "sections": .array(sections),
    ]
  }

  private static func json(_ row: Row, _ index: Int, _ form: PreparedForm) -> JSONValue {
    let fields = form.fields.filter { $0.rowIndex == index }
    return [
      "row": .count(index), "label": .string(row.key), "style": .string(row.cellStyle.pageName),
      "hasStar": .bool(row.requiredType == .requiredAndStar), "ui": row.ui.json,
      "fields": .array(
        fields.enumerated().map { json($1, row, isRight: $0 == 1) }),
    ]
  }

  private static func json(_ field: FormField, _ row: Row, isRight: Bool) -> JSONValue {
    var object: JSONObject = [
      "key": .string(field.key), "label": .string(field.label),
      "isSensitive": .bool(field.isSensitive),
      "formerKeys": .array(field.formerKeys.map(JSONValue.string)),
    ]
    switch field.content {
    case .text:
      object["kind"] = "text"
    case .input(let input):
      object["kind"] = "input"
      object["dataType"] = .string(field.dataType.rawValue)
      object["placeholder"] = .string(input.placeholder)
      object["keyboard"] = .string(input.keyboardType.rawValue)
      object["returnKey"] = .string(input.returnKeyType.rawValue)
      object["returnDone"] = .string(input.returnDoneType.rawValue)
      object["scrolls"] = .bool(input.isScrollEnabled)
      object["separator"] = input.format.map { .string($0.separator) }
    case .options(let options):
      object["kind"] = "option"
      object["options"] = .array(options.map { choice($0.id, $0.label) })
      object["placeholder"] = .string(placeholder(of: row, isRight: isRight))
      if case .pair(let pair) = row.kind, isRight {
        object["selectorTitle"] = .string(pair.right.selectorTitle)
      }
    case .tags(let tags):
      object["kind"] = "tags"
      object["isSingle"] = .bool(tags.selection == .single)
      object["least"] = .count(tags.leastChoiceCount)
      object["most"] = tags.limit.map(JSONValue.count) ?? .null
      object["tags"] = .array(tags.tags.map { choice($0.id, $0.labelName) })
      object["presentation"] = tags.presentation.json
    case .custom(let identifier):
      object["kind"] = "custom"
      object["identifier"] = .string(identifier)
    }
    return .object(object)
  }

  private static func choice(_ id: OptionID, _ label: String) -> JSONValue {
    ["id": .string(id.json.jsonText), "label": .string(label)]
  }

  private static func placeholder(of row: Row, isRight: Bool) -> String {
    switch row.kind {
    case .option(let option): option.placeholder
    case .pair(let pair) where isRight: pair.right.selectorTitle
    case .pair(let pair):
      if case .option(let option) = pair.left { option.placeholder } else { "" }
    default: ""
    }
  }
}

extension FormEditor {
  /// What a field shows now.
  func fieldJSON(_ field: FormField) -> JSONValue {
    switch field.content {
    case .text, .input: return ["text": .string(text(of: field.key))]
    case .options:
      guard case .option(let id) = value(of: field.key) else { return ["option": .null] }
      return ["option": .string(id.json.jsonText)]
    case .tags:
      let selection = tagSelection(of: field.key)
      let ids = (selection?.selected.map(\.id) ?? []) + (selection?.unknown ?? [])
      return [
        "selected": .array(ids.map { .string($0.json.jsonText) }),
        "isEnough": .bool(selection?.isEnough ?? false),
      ]
    case .custom:
      return ["json": .string(value(of: field.key).map { $0.json.prettyText } ?? "")]
    }
  }

  /// What the fields with these keys show now, each by its key; all for nil.
  func fieldsJSON(_ keys: Set<String>? = nil) -> JSONValue {
    .object(
      JSONObject(
        form.fields.filter { keys?.contains($0.key) ?? true }.map { ($0.key, fieldJSON($0)) }))
  }

  /// What the conditions say about all rows.
  var rowsJSON: JSONValue {
    .array(form.rows.indices.map { state(ofRow: $0).json })
  }

  /// All errors that are to be seen now. Where the form has no words for one, the page's language
  /// may have some for its reason.
  var errorsJSON: JSONValue {
    .array(
      errors.map { error in
        let hasWords = form.field(error.key)?.verify.errorMsg != nil
        return [
          "key": .string(error.key), "message": .string(error.message),
          "reason": hasWords ? .null : .string(error.reason.rawValue),
          "line": .bool(error.errorType.showsLine), "label": .bool(error.errorType.showsLabel),
        ]
      })
  }
}

extension RowState {
  var json: JSONValue {
    [
      "row": .count(row), "isVisible": .bool(isVisible), "isRequired": .bool(isRequired),
      "isEnabled": .bool(isEnabled),
    ]
  }
}

extension CellStyle {
  fileprivate var pageName: String {
    switch self {
    case .default: "default"
    case .option: "option"
    case .value1: "value1"
    case .value2: "value2"
    case .input1: "input1"
    case .input2: "input2"
    case .textView1: "textView1"
    case .textView2: "textView2"
    case .customIdentifier: "custom"
    }
  }
}
