import FormEditing
import FormModel

/// The rows of a form as a dialogue walks them. A pair is walked as two fields, left then right.
struct FillRows {
  let form: PreparedForm
  /// For each row, the title of its section.
  private let sections: [Int]

  init(_ form: PreparedForm) {
    self.form = form
    sections = form.form.sections.enumerated().flatMap { index, section in
      section.rows.map { _ in index }
    }
  }

  func section(of field: Int) -> Int { sections[form.fields[field].rowIndex] }

  func sectionTitle(_ section: Int) -> String { form.form.sections[section].title }

  /// The label of a field; the right of a pair has its selector's title too.
  func label(_ field: Int) -> String {
    let content = form.fields[field]
    guard case .pair(let pair) = form.rows[content.rowIndex].kind, isRight(field),
      !pair.right.selectorTitle.isEmpty
    else { return content.label }
    return "\(content.label) · \(pair.right.selectorTitle)"
  }

  private func isRight(_ field: Int) -> Bool {
    field > 0 && form.fields[field - 1].rowIndex == form.fields[field].rowIndex
  }

  /// What an empty field shows in its place.
  func placeholder(_ field: Int) -> String {
    if let input = form.fields[field].inputContent { return input.placeholder }
    if case .option(let option) = form.rows[form.fields[field].rowIndex].kind {
      return option.placeholder
    }
    return ""
  }

  /// Whether an answer has several lines: the form's text views, unless their return key ends them,
  /// or their text has no lines.
  func isMultiline(_ field: Int) -> Bool {
    guard let input = form.fields[field].inputContent, input.returnDoneType == .none,
      input.format == nil, input.dataType == .string, !form.fields[field].isSensitive
    else { return false }
    switch input.keyboardType {
    case .numberPad, .phonePad, .decimalPad, .asciiCapableNumberPad: return false
    default: break
    }
    switch form.rows[form.fields[field].rowIndex].cellStyle {
    case .textView1, .textView2: return true
    default: return false
    }
  }

  /// The fields that a person may mean: by service key or label, else by a part of the label.
  func fields(named name: String) -> [Int] {
    if let field = form.field(named: name), let index = form.index(of: field.key) {
      return [index]
    }
    let lower = name.lowercased()
    guard !lower.isEmpty else { return [] }
    let found = form.fields.indices.filter { label($0).lowercased().contains(lower) }
    // The two halves of a pair are one row.
    let rows = Set(found.map { form.fields[$0].rowIndex })
    return rows.count == 1 ? Array(found.prefix(1)) : found
  }
}
