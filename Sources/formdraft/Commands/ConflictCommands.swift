import DraftStore
import FormModel

extension Command {
  static let conflicts = Command(
    name: "conflicts", abstract: "shows and decides what both a draft and the server changed",
    examples: ["--store visits.store conflicts resolve @ phone=mine"],
    subcommands: [conflictsList, conflictsResolve])

  private static let conflictsList = Command(
    name: "list", abstract: "lists conflicts: the common base, mine and theirs", usage: "[DRAFT]",
    discussion: "Exit status 1 when there is none.",
    examples: ["--store visits.store conflicts list"], arguments: .optional(.drafts),
    options: [.reveal]
  ) { invocation in
    let store = try invocation.openStore(.reading)
    let draft = try invocation.arguments.first.map(store.draftID(named:))
    let conflicts = try store.conflicts(of: draft)
    if invocation.isJSON {
      try Console.print(conflicts.map(\.record))
    } else if !conflicts.isEmpty {
      var table = Table(header: ["DRAFT", "KEY", "BASE", "MINE", "THEIRS"])
      for conflict in conflicts {
        let draft = try store.draft(conflict.draft)
        let field = try store.form(draft.form, version: draft.version).field(conflict.serviceKey)
        func shown(_ value: FieldValue?) -> String {
          guard let value else { return "" }
          return field?.shown(value, isRevealed: invocation.has("--reveal")) ?? value.text
        }
        table.add(
          conflict.draft.description, conflict.serviceKey, shown(conflict.base),
          shown(conflict.mine), shown(conflict.theirs))
      }
      try Console.print(table.text)
    }
    return conflicts.isEmpty ? .no : .done
  }

  private static let conflictsResolve = Command(
    name: "resolve", abstract: "decides conflicts of a draft; it is sent again when none is left",
    usage: "DRAFT [KEY=mine | KEY=theirs | KEY:=JSON]…",
    discussion: "With --mine or --theirs, all conflicts that are not named are decided so.",
    examples: [
      "--store visits.store conflicts resolve @ phone=theirs",
      "--store visits.store conflicts resolve 3f2a --mine",
    ],
    arguments: .atLeast(1, .drafts, .none),
    options: [
      OptionDescription(name: "--mine", abstract: "the draft's values"),
      OptionDescription(name: "--theirs", abstract: "the server's values"),
    ]
  ) { invocation in
    guard !(invocation.has("--mine") && invocation.has("--theirs")) else {
      throw UsageError("give --mine or --theirs, not both", invocation.path)
    }
    let store = try invocation.openStore()
    let id = try store.draftID(named: invocation.arguments[0])
    let open = try store.conflicts(of: id)
    var choices: [String: ConflictChoice] = [:]
    if invocation.has("--mine") || invocation.has("--theirs") {
      let choice: ConflictChoice = invocation.has("--mine") ? .mine : .theirs
      for conflict in open { choices[conflict.serviceKey] = choice }
    }
    let draft = try store.draft(id)
    let form = try store.form(draft.form, version: draft.version)
    for word in invocation.arguments.dropFirst() {
      let (key, choice) = try invocation.choice(word, form)
      choices[key] = choice
    }
    guard !choices.isEmpty || open.isEmpty else {
      throw UsageError("say how: KEY=mine, KEY=theirs, --mine or --theirs", invocation.path)
    }
    let left = try store.resolveConflicts(of: id, choices)
    if invocation.isJSON {
      try Console.print([
        "draft": .string(id.description), "resolved": .count(choices.count),
        "left": .array(left.map { .string($0.serviceKey) }),
      ])
    } else {
      let rest = left.map(\.serviceKey).joined(separator: ", ").printable
      try Console.print(
        "resolved \(choices.count)" + (left.isEmpty ? "\n" : ", left: \(rest)\n"))
    }
    return left.isEmpty ? .done : .no
  }
}

extension Invocation {
  /// A decision from `KEY=mine`, `KEY=theirs` or `KEY:=JSON`.
  fileprivate func choice(
    _ word: String, _ form: PreparedForm
  ) throws -> (key: String, choice: ConflictChoice) {
    guard let sign = word.firstIndex(of: "="), sign > word.startIndex else {
      throw UsageError(
        "\"\(word.shortened)\" is no decision; write KEY=mine, KEY=theirs or KEY:=JSON", path)
    }
    let value = String(word[word.index(after: sign)...])
    let beforeSign = word.index(before: sign)
    if word[beforeSign] == ":" {
      let key = String(word[..<beforeSign])
      let json = try JSONValue(parsing: value)
      let type = form.field(key)?.dataType ?? .json
      do {
        return (key, .value(try FieldValue(json: json, as: type)))
      } catch {
        throw CommandFailure(
          status: .data, code: "wrongType", message: "\(key): expected \(type.expectation)",
          key: key)
      }
    }
    switch value {
    case "mine": return (String(word[..<sign]), .mine)
    case "theirs": return (String(word[..<sign]), .theirs)
    default:
      throw UsageError("a conflict is decided as mine, theirs or KEY:=JSON, not so", path)
    }
  }
}

extension Conflict {
  fileprivate var record: JSONValue {
    [
      "draft": .string(draft.description), "serviceKey": .string(serviceKey),
      "base": .optional(base), "mine": .optional(mine), "theirs": .optional(theirs),
    ]
  }
}
