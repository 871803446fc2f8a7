import DraftStore
import FormModel

extension Command {
  static let query = Command(
    name: "query", abstract: "finds values by their service key",
    usage: "KEY[=V | ^=V | *=V | <V | >V | <=V | >=V]…",
    discussion: """
      All conditions must hold of a draft or submission; the values of the first KEY are printed.
        KEY      is there            KEY:missing  is not there
        KEY=V    equals              KEY^=V       begins with      KEY*=V   contains
        KEY<V    KEY<=V   KEY>V   KEY>=V          numbers as numbers, dates as dates
      When there is more, the standard error tells the cursor with which --after goes on. Exit
      status 1 when nothing was found.
      """,
    examples: ["--store visits.store query 'amount>=100000' loanType=fund --form calculator"],
    arguments: .atLeast(1, .none),
    options: [
      OptionDescription(
        name: "--form", value: "F", abstract: "only of this form", completion: .forms),
      OptionDescription(
        name: "--in", value: "WHERE", abstract: "drafts (default) or submissions",
        completion: .words(RecordScope.allCases.map(\.rawValue))),
      OptionDescription(
        name: "--status", value: "S", abstract: "only editing, submitted or discarded drafts",
        isRepeatable: true, completion: .words(DraftStatus.allCases.map(\.rawValue))),
      OptionDescription(
        name: "--newer-than", value: "D", abstract: "only those edited within so long: 30d"),
      OptionDescription(
        name: "--older-than", value: "D", abstract: "only those not edited for so long: 30d"),
      OptionDescription(
        name: "--limit", value: "N", abstract: "at most so many; 100 if not given"),
      OptionDescription(
        name: "--after", value: "CURSOR", abstract: "goes on where the last answer ended"),
      .reveal,
    ]
  ) { invocation in
    let query = try invocation.query()
    let store = try invocation.openStore(.reading)
    if let form = query.form { _ = try store.form(form) }
    let page = try store.find(query)
    if invocation.isJSON {
      try Console.print(page.matches.map(\.record))
    } else if !page.matches.isEmpty {
      try Console.print(
        MatchTable(store: store, isRevealed: invocation.has("--reveal")).text(page.matches))
    }
    if let cursor = page.nextCursor {
      Console.note(
        invocation.isJSON
          ? JSONValue.object(["next": .string(cursor)]).jsonText + "\n"
          : "formdraft: there is more: --after \(cursor)\n")
    }
    return page.matches.isEmpty ? .no : .done
  }
}

extension Invocation {
  fileprivate func query() throws -> DraftQuery {
    var query = DraftQuery(
      try arguments.map { text in
        do {
          return try DraftQuery.Condition(parsing: text)
        } catch {
          throw UsageError("\(error)", path)
        }
      })
    query.form = value("--form")
    if let scope = try choice("--in", of: RecordScope.self) { query.scope = scope }
    let statuses = try choices("--status", of: DraftStatus.self)
    if !statuses.isEmpty { query.statuses = Set(statuses) }
    query.updatedSince = try duration("--newer-than").map { .now - $0 }
    query.updatedBefore = try duration("--older-than").map { .now - $0 }
    if let limit = try integer("--limit", atLeast: 1) { query.limit = limit }
    query.cursor = value("--after")
    return query
  }
}

extension Match {
  /// What `query --json` tells of a match.
  fileprivate var record: JSONValue {
    [
      "draft": .string(draft.description), "form": .string(form), "in": .string(scope.rawValue),
      "submission": .optional(submission), "serviceKey": .string(serviceKey),
      "value": .optional(value), "updatedAt": .moment(updatedAt),
    ]
  }
}

private struct MatchTable {
  let store: DraftStore
  let isRevealed: Bool

  func text(_ matches: [Match]) throws -> String {
    var table = Table(header: ["DRAFT", "FORM", "SUBMISSION", "KEY", "VALUE", "EDITED"])
    var forms: [String: (PreparedForm, Disclosure)] = [:]
    for match in matches {
      let (form, disclosure) =
        try forms[match.form]
        ?? (store.form(match.form), Disclosure(store, form: match.form, isRevealed: isRevealed))
      forms[match.form] = (form, disclosure)
      let value = disclosure.shown(
        match.value, of: match.serviceKey, form.field(match.serviceKey))
      table.add(
        match.draft.description, match.form, match.submission.map(String.init) ?? "",
        match.serviceKey, value, match.updatedAt.shortText)
    }
    return table.text
  }
}
