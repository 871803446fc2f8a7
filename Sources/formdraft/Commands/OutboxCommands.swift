import DraftStore
import FormModel

extension Command {
  static let outbox = Command(
    name: "outbox", abstract: "looks after what waits for the server",
    examples: ["--store visits.store outbox list"],
    subcommands: [outboxList, outboxRetry, outboxDrop])

  private static let outboxList = Command(
    name: "list", abstract: "lists what waits for the server, oldest first", usage: "[DRAFT]",
    examples: ["--store visits.store outbox list"], arguments: .optional(.drafts)
  ) { invocation in
    let store = try invocation.openStore(.reading)
    let draft = try invocation.arguments.first.map(store.draftID(named:))
    let items = try store.outbox(of: draft)
    if invocation.isJSON {
      try Console.print(items.map(\.record))
      return .done
    }
    guard !items.isEmpty else { return .done }
    var table = Table(header: ["ID", "DRAFT", "SUBMISSION", "STATE", "ATTEMPTS", "LAST ERROR"])
    for item in items {
      table.add(
        "\(item.id)", item.draft.description, "\(item.submission)", item.state.rawValue,
        "\(item.attempts)", item.lastError ?? "")
    }
    try Console.print(table.text)
    return .done
  }

  private static let outboxRetry = Command(
    name: "retry", abstract: "makes items due now, those that the server refused included",
    usage: "[ID…]", discussion: "Without an ID all items are meant, but for conflicts.",
    examples: ["--store visits.store outbox retry 17"], arguments: .atLeast(0, .none)
  ) { invocation in
    let ids = try invocation.itemIDs()
    let store = try invocation.openStore()
    let count = try store.retryOutbox(ids.isEmpty ? nil : ids)
    return try invocation.tell("retried", count)
  }

  private static let outboxDrop = Command(
    name: "drop", abstract: "takes items out; the draft's next submission carries their changes",
    usage: "ID…", examples: ["--store visits.store outbox drop 17"],
    arguments: .atLeast(1, .none)
  ) { invocation in
    let ids = try invocation.itemIDs()
    let store = try invocation.openStore()
    return try invocation.tell("dropped", try store.dropFromOutbox(ids))
  }
}

extension Invocation {
  fileprivate func itemIDs() throws -> [Int64] {
    try arguments.map { text in
      guard let id = Int64(text), id > 0 else {
        throw UsageError(
          "an item's ID is a number, as \"outbox list\" shows it, not \"\(text.shortened)\"", path)
      }
      return id
    }
  }

  fileprivate func tell(_ verb: String, _ count: Int) throws -> ExitStatus {
    if isJSON {
      try Console.print(.object(JSONObject([(verb, .count(count))])))
    } else {
      try Console.print("\(verb) \(count)\n")
    }
    return count > 0 || arguments.isEmpty ? .done : .no
  }
}

extension OutboxItem {
  fileprivate var record: JSONValue {
    [
      "id": .number(DecimalNumber(id)), "draft": .string(draft.description),
      "submission": .count(submission), "state": .string(state.rawValue),
      "attempts": .count(attempts), "nextAttemptAt": .moment(nextAttemptAt),
      "lastError": .optional(lastError),
    ]
  }
}
