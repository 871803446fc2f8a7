import DraftStore
import FormModel

extension Command {
  static let draftSet = Command(
    name: "set", abstract: "saves values of a draft, all at once or none",
    usage: "DRAFT KEY=VALUE…",
    discussion: """
      KEY is a field's service key, or the label of its row.
        KEY=VALUE    text as it is typed; when it is no value of the field, it is kept with a
                     warning
        KEY:=JSON    a JSON value of the field's type; another is refused
        KEY=@FILE    the text of a file; @- is the standard input
        KEY=@@TEXT   text that begins with @
      """,
    examples: [
      "--store visits.store draft set @ name=张三 amount=120000.00",
      "--store visits.store draft set @ 'interests:=[\"music\",\"film\"]' --focus interests",
    ],
    arguments: .atLeast(1, .drafts, .none),
    options: [
      OptionDescription(name: "--focus", value: "KEY", abstract: "saves where the person is"),
      OptionDescription(name: "--title", value: "T", abstract: "gives the draft a title"),
      OptionDescription(
        name: "--seen-revision", value: "N",
        abstract: "refuses the value when the field was saved after this revision of the draft"),
      OptionDescription(name: "--strict", abstract: "refuses text that is no value of the field"),
    ]
  ) { invocation in
    // Read once before the store is opened, so that wrong use is told first, and again below.
    var assignments = try invocation.arguments.dropFirst().map {
      try Assignment($0, path: invocation.path)
    }
    let seen = try invocation.integer("--seen-revision", atLeast: 0)
    guard seen == nil || assignments.count == 1 else {
      throw UsageError("--seen-revision goes with a single value", invocation.path)
    }
    guard !assignments.isEmpty || invocation.has("--focus") || invocation.has("--title") else {
      throw UsageError("nothing to save: \(invocation.command.usage)", invocation.path)
    }
    guard assignments.count(where: { $0.source == .file("-") }) <= 1 else {
      throw UsageError("the standard input (@-) can be read once", invocation.path)
    }
    let store = try invocation.openStore()
    let id = try store.draftID(named: invocation.arguments[0])
    let draft = try store.draft(id)
    let form = try store.form(draft.form, version: draft.version)
    let keys = form.fields.map(\.key)
    assignments = try invocation.arguments.dropFirst().map {
      try Assignment($0, keys: keys, path: invocation.path)
    }
    var edit = DraftEdit()
    edit.title = invocation.value("--title")
    if let focus = invocation.value("--focus") {
      if let field = form.field(named: focus) {
        edit.focus = field.key
      } else {
        // The store refuses a key that it does not know, and says what was probably meant.
        edit.set(.null, for: focus)
      }
    }
    var warnings: [(key: String, message: String)] = []
    for assignment in assignments {
      guard let field = form.field(named: assignment.key) else {
        edit.set(.null, for: assignment.key)
        continue
      }
      let value = try assignment.value(for: field, isStrict: invocation.has("--strict")) {
        warnings.append((field.key, "\(field.key): saved as typed; \($0)"))
      }
      edit.set(value, for: field.key, seenRevision: seen)
    }
    try save(edit, on: id, in: store, invocation)
    for (key, message) in warnings {
      Console.warn(message, code: "asTyped", key: key, isJSON: invocation.isJSON)
    }
    return .done
  }

  static let draftUnset = Command(
    name: "unset", abstract: "takes values of a draft away; defaults hold again",
    usage: "DRAFT KEY…", examples: ["--store visits.store draft unset @ remark"],
    arguments: .atLeast(2, .drafts, .none)
  ) { invocation in
    let store = try invocation.openStore()
    let id = try store.draftID(named: invocation.arguments[0])
    var edit = DraftEdit()
    for key in invocation.arguments.dropFirst() { edit.set(nil, for: key) }
    try save(edit, on: id, in: store, invocation)
    return .done
  }

  private static func save(
    _ edit: DraftEdit, on id: DraftID, in store: DraftStore, _ invocation: Invocation
  ) throws {
    let result = try store.edit(id, edit)
    if invocation.isJSON {
      try Console.print([
        "draft": .string(id.description), "revision": .count(result.revision),
        "changed": .array(result.changedKeys.map(JSONValue.string)),
      ])
    } else {
      let keys = result.changedKeys.map(\.printable).joined(separator: ", ")
      try Console.print(
        keys.isEmpty
          ? "no value changed (revision \(result.revision))\n"
          : "changed \(keys) (revision \(result.revision))\n")
    }
  }

  static let draftTag = Command(
    name: "tag", abstract: "chooses (+) and unchooses (-) tags of a field",
    usage: "DRAFT KEY +TAG… -TAG…",
    discussion: """
      TAG is a tag's id, or its name. Prints what is chosen then, and whether that is enough.
      """,
    examples: ["--store visits.store draft tag @ interests +music +film -run"],
    arguments: Arguments(least: 3, most: nil, kinds: [.drafts, .none], hyphensFrom: 2)
  ) { invocation in
    var (adding, removing): ([String], [String]) = ([], [])
    for word in invocation.arguments.dropFirst(2) {
      let tag = String(word.dropFirst())
      switch word.first {
      // Of two words about one tag the last holds.
      case "+" where !tag.isEmpty:
        removing.removeAll { $0 == tag }
        adding.append(tag)
      case "-" where !tag.isEmpty:
        adding.removeAll { $0 == tag }
        removing.append(tag)
      default:
        throw UsageError(
          "\"\(word.shortened)\": write +TAG to choose a tag, -TAG to unchoose it",
          invocation.path)
      }
    }
    let store = try invocation.openStore()
    let id = try store.draftID(named: invocation.arguments[0])
    let draft = try store.draft(id)
    let form = try store.form(draft.form, version: draft.version)
    let key = form.field(named: invocation.arguments[1])?.key ?? invocation.arguments[1]
    let selection = try store.selectTags(adding: adding, removing: removing, of: key, in: id)
    if invocation.isJSON {
      try Console.print([
        "draft": .string(id.description), "key": .string(key),
        "selected": .array(selection.selected.map(\.id.json)),
        "unknown": .array(selection.unknown.map(\.json)), "isEnough": .bool(selection.isEnough),
        "isTooMany": .bool(selection.isTooMany),
      ])
    } else {
      let names =
        selection.selected.map { "\($0.labelName) (\($0.id))" }
        + selection.unknown.map { "\($0) (unknown)" }
      try Console.print(
        """
        \(names.isEmpty ? "none" : names.joined(separator: ", ").printable)
        \(selection.isTooMany ? "too many" : selection.isEnough ? "enough" : "not enough")

        """)
    }
    return .done
  }
}
