import DraftStore
import FormModel

/// What a table shows of values: dots in place of those of rows that any version of the form calls
/// sensitive, unless a person asked to see them.
struct Disclosure {
  private let hiddenKeys: Set<String>

  init(_ store: DraftStore, form: String, isRevealed: Bool) throws {
    hiddenKeys = isRevealed ? [] : try store.sensitiveKeys(of: form)
  }

  /// A value as a table shows it; "" for none.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: its field's key.
  ///   - field: the field, or nil when the form has it no more.
  func shown(_ value: FieldValue?, of key: String, _ field: FormField?) -> String {
    guard let value else { return "" }
    if hiddenKeys.contains(key) { return value.isBlank ? "" : "••••" }
    return field?.shown(value) ?? value.text
  }
}

extension FormField {
  /// A value as a person reads it: labels for ids, groups with their separators.
  func shown(_ value: FieldValue) -> String {
    switch (content, value) {
    case (.options(let options), .option(let id)):
      let label = options.first { $0.id == id }?.label ?? id.description
      return label == id.description ? label : "\(label) (\(id))"
    case (.tags(let tags), .tags(let ids)):
      return ids.map { id in tags.tags.first { $0.id == id }?.labelName ?? id.description }
        .joined(separator: ", ")
    case (.input(let input), .string(let text)):
      return input.format?.display(text) ?? text
    default:
      return value.text
    }
  }
}
