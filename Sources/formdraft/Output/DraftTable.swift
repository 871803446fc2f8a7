import DraftStore
import FormModel

/// A draft as a person reads it: every visible row with its mark, label, key and value.
struct DraftTable {
  let draft: Draft
  let form: PreparedForm
  let registry: RuleRegistry
  let disclosure: Disclosure

  var text: String {
    heading + "\n" + table.text
  }

  private var heading: String {
    var lines = [
      "\(form.form.title.isEmpty ? draft.form : form.form.title) "
        + "(\(draft.form) version \(draft.version))",
      "draft    \(draft.id)",
    ]
    if !draft.title.isEmpty { lines.append("title    \(draft.title)") }
    if let subject = draft.subject { lines.append("subject  \(subject)") }
    lines.append("status   \(draft.status.rawValue), revision \(draft.revision)")
    lines.append("created  \(draft.createdAt.shortText)")
    lines.append("edited   \(draft.updatedAt.shortText)")
    return lines.map { $0.printable + "\n" }.joined()
  }

  private var table: Table {
    let status = FormStatus(form, values: draft.values, registry: registry)
    let attention = draft.needsAttention(in: form)
    var values: [String: FieldValue] = [:]
    for (field, value) in draft.currentValues(in: form) { values[field.key] = value }
    var table = Table()
    var firstRow = 0
    for section in form.form.sections {
      let rows = firstRow..<firstRow + section.rows.count
      firstRow = rows.upperBound
      if !section.title.isEmpty { table.addHeading(section.title) }
      for field in form.fields where rows.contains(field.rowIndex) {
        // A hidden row's value is kept; it shows that it is there.
        guard status.isVisible[field.rowIndex] || draft[field.key] != nil else { continue }
        let problem = attention.first { $0.key.hasSameBytes(as: field.key) }
        let isFocus = draft.focus.map { $0.hasSameBytes(as: field.key) } ?? false
        var remarks = problem.map { [$0.words] } ?? []
        if !status.isVisible[field.rowIndex] { remarks.append("hidden") }
        if !field.isSubmitted { remarks.append("not submitted") }
        table.add(
          (isFocus ? "→" : " ") + (problem == nil ? " " : "!"),
          field.label + (status.isRequired[field.rowIndex] ? " *" : ""),
          field.isSubmitted ? field.key : "",
          disclosure.shown(values[field.key], of: field.key, field),
          remarks.isEmpty ? "" : "(\(remarks.joined(separator: "; ")))")
      }
    }
    let orphans = attention.filter { $0.reason == .orphan }
    if !orphans.isEmpty { table.addHeading("kept from another version") }
    for orphan in orphans {
      table.add(
        " !", "", orphan.key, disclosure.shown(orphan.value, of: orphan.key, nil),
        "(\(orphan.words))")
    }
    return table
  }
}
