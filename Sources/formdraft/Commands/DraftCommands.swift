import DraftStore
import FormModel

extension Command {
  static let draft = Command(
    name: "draft", abstract: "Begins, edits, shows and puts away drafts.",
    examples: ["--store visits.store draft list"],
    subcommands: [
      draftNew, draftList, draftSet, draftUnset, draftTag, draftShow, draftResume, draftDiscard,
      draftRestore, draftPurge, draftUpgrade,
    ])

  private static let draftNew = Command(
    name: "new", abstract: "begins a draft and prints its id", usage: "FORM",
    examples: ["--store visits.store draft new visit --title 张三 --subject customer-17"],
    arguments: .exactly(.forms),
    options: [
      OptionDescription(name: "--title", value: "T", abstract: "what a person knows it by"),
      OptionDescription(name: "--subject", value: "S", abstract: "whom or what it is about"),
      OptionDescription(
        name: "--version", value: "N", abstract: "the form's version; else the newest"),
    ]
  ) { invocation in
    let version = try invocation.integer("--version", atLeast: 1)
    let draft = try invocation.openStore().newDraft(
      of: invocation.arguments[0], version: version, title: invocation.value("--title") ?? "",
      subject: invocation.value("--subject"), isWritten: true)
    try Console.print("\(draft.id)\n")
    return .done
  }

  private static let draftList = Command(
    name: "list", abstract: "lists drafts, those edited last first",
    discussion: "Discarded drafts are listed only when --status asks for them.",
    examples: ["--store visits.store draft list --form visit --older-than 30d"],
    options: [
      OptionDescription(
        name: "--form", value: "F", abstract: "only drafts of this form", completion: .forms),
      OptionDescription(
        name: "--status", value: "S", abstract: "only editing, submitted or discarded ones",
        isRepeatable: true, completion: .words(DraftStatus.allCases.map(\.rawValue))),
      OptionDescription(name: "--subject", value: "S", abstract: "only drafts about this"),
      OptionDescription(
        name: "--older-than", value: "D", abstract: "only those not edited for so long: 30d"),
      OptionDescription(name: "--limit", value: "N", abstract: "at most so many"),
      OptionDescription(name: "--ids", abstract: "prints the ids alone"),
    ]
  ) { invocation in
    let statuses = try invocation.choices("--status", of: DraftStatus.self)
    let age = try invocation.duration("--older-than")
    let limit = try invocation.integer("--limit", atLeast: 1)
    let store = try invocation.openStore(.reading)
    if let form = invocation.value("--form") { _ = try store.form(form) }
    let drafts = try store.drafts(
      DraftFilter(
        form: invocation.value("--form"), statuses: statuses.isEmpty ? nil : Set(statuses),
        subject: invocation.value("--subject"), updatedBefore: age.map { .now - $0 },
        limit: limit))
    if invocation.has("--ids") {
      try Console.print(ids: drafts.map(\.id.description), invocation)
    } else if invocation.isJSON {
      try Console.print(drafts.map(\.record))
    } else if !drafts.isEmpty {
      var table = Table(header: ["DRAFT", "FORM", "STATUS", "EDITED", "TITLE", "SUBJECT"])
      for draft in drafts {
        table.add(
          draft.id.description, draft.form, draft.status.rawValue, draft.updatedAt.shortText,
          draft.title, draft.subject ?? "")
      }
      try Console.print(table.text)
    }
    return .done
  }

  private static let draftShow = Command(
    name: "show", abstract: "prints a draft with its values", usage: "DRAFT",
    discussion: legend, examples: ["--store visits.store draft show @"],
    arguments: .exactly(.drafts), options: [.reveal]
  ) { invocation in
    let store = try invocation.openStore(.reading)
    let id = try store.draftID(named: invocation.arguments[0])
    try printDraft(id, of: store, invocation)
    return .done
  }

  private static let draftResume = Command(
    name: "resume", abstract: "prints the draft that was edited last, with where the person was",
    usage: "[DRAFT]", discussion: "Nothing is written. \(legend)",
    examples: ["--store visits.store draft resume --form visit"],
    arguments: .optional(.drafts),
    options: [
      OptionDescription(
        name: "--form", value: "F", abstract: "the draft of this form that was edited last",
        completion: .forms), .reveal,
    ]
  ) { invocation in
    guard invocation.arguments.isEmpty || !invocation.has("--form") else {
      throw UsageError("give a draft or --form, not both", invocation.path)
    }
    let store = try invocation.openStore(.reading)
    let id: DraftID
    if let form = invocation.value("--form") {
      _ = try store.form(form)
      guard let last = try store.lastEditedDraft(of: form) else {
        throw CommandFailure(
          status: .data, code: "unknownDraft",
          message: "form \"\(form)\" has no draft to resume; start one first")
      }
      id = last
    } else {
      id = try store.draftID(named: invocation.arguments.first ?? "@")
    }
    guard try store.draft(id).status != .discarded else { throw StoreError.isDiscarded(id) }
    try printDraft(id, of: store, invocation)
    return .done
  }

  private static let legend = """
    Marks: → where the person was, ! needs attention, * required. A sensitive value is hidden in
    the table, and not in --json.
    """

  private static func printDraft(
    _ id: DraftID, of store: DraftStore, _ invocation: Invocation
  ) throws {
    let draft = try store.draft(id)
    let form = try store.form(draft.form, version: draft.version)
    if invocation.isJSON {
      try Console.print(draft.record(in: form))
    } else {
      let page = DraftTable(
        draft: draft, form: form, registry: store.options.registry,
        disclosure: try Disclosure(
          store, form: draft.form, isRevealed: invocation.has("--reveal")))
      try Console.print(page.text)
    }
  }
}

extension OptionDescription {
  static let reveal = OptionDescription(
    name: "--reveal", abstract: "shows sensitive values in the table")
}
