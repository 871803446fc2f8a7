import DraftStore
import DraftSync
import FormModel

extension Command {
  static let diff = Command(
    name: "diff", abstract: "tells what changed since the last submission", usage: "DRAFT",
    discussion: """
      Exit status 0 when nothing changed, 1 when something did. A draft that is not valid has no
      difference to tell: exit status 1, with every error on the standard error.
      """,
    examples: ["--store visits.store diff @ --format merge-patch"],
    arguments: .exactly(.drafts),
    options: [
      OptionDescription(
        name: "--format", value: "F", abstract: "table (default), merge-patch or json-patch",
        completion: .words(DiffFormat.allCases.map(\.rawValue))),
      OptionDescription(
        name: "--against", value: "BASE",
        abstract: "submitted (default), or acknowledged: what the server has said it holds",
        completion: .words(ChangeBase.allCases.map(\.rawValue))),
      .reveal,
    ] + OptionDescription.paramOptions
  ) { invocation in
    let format = try invocation.choice("--format", of: DiffFormat.self) ?? .table
    let base = try invocation.choice("--against", of: ChangeBase.self) ?? .submitted
    let options = try invocation.paramOptions()
    let store = try invocation.openStore(.reading)
    let id = try invocation.draftID(in: store)
    let changes = try store.changes(of: id, against: base, options: options)
    switch format {
    case .table where invocation.isJSON: try Console.print(changes.record)
    case .table:
      let draft = try store.draft(id)
      let form = try store.form(draft.form, version: draft.version)
      let disclosure = try Disclosure(
        store, form: draft.form, isRevealed: invocation.has("--reveal"))
      try Console.print(changes.table(form: form, disclosure))
    case .mergePatch: try printPatch(changes.mergePatch().json, invocation)
    case .jsonPatch: try printPatch(changes.jsonPatch.json, invocation)
    }
    return changes.isEmpty ? .done : .no
  }

  private static func printPatch(_ patch: JSONValue, _ invocation: Invocation) throws {
    try Console.print((invocation.isJSON ? patch.jsonText : patch.prettyText) + "\n")
  }
}

/// How a difference is written.
private enum DiffFormat: String, CaseIterable {
  case table
  case mergePatch = "merge-patch"
  case jsonPatch = "json-patch"
}

extension ChangeSet {
  /// What `diff --json` tells.
  fileprivate var record: JSONValue {
    [
      "base": .optional(base),
      "changes": .array(
        changes.map {
          [
            "serviceKey": .string($0.serviceKey), "change": .string($0.kind.rawValue),
            "old": .optional($0.old), "new": .optional($0.new),
          ]
        }),
    ]
  }

  fileprivate func table(form: PreparedForm, _ disclosure: Disclosure) -> String {
    guard !isEmpty else { return "" }
    var table = Table(header: ["FIELD", "CHANGE", "OLD", "NEW"])
    for change in changes {
      let field = form.field(change.serviceKey)
      func shown(_ value: FieldValue?) -> String {
        disclosure.shown(value, of: change.serviceKey, field)
      }
      table.add(
        change.serviceKey, change.kind.rawValue, shown(change.old), shown(change.new))
    }
    return table.text
  }
}
