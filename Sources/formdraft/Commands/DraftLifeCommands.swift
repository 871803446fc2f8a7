import DraftStore
import FormModel

extension Command {
  static let draftDiscard = Command(
    name: "discard", abstract: "puts drafts away; they can be restored until they are purged",
    usage: "DRAFT…", examples: ["--store visits.store draft discard 3f2a"],
    arguments: .atLeast(1, .drafts)
  ) { invocation in
    try changeEach(invocation) { try $0.discard($1) }
  }

  static let draftRestore = Command(
    name: "restore", abstract: "takes discarded drafts back", usage: "DRAFT…",
    examples: ["--store visits.store draft restore 3f2a"], arguments: .atLeast(1, .drafts)
  ) { invocation in
    try changeEach(invocation) { try $0.restore($1) }
  }

  /// Finds all drafts before the first is changed, so that a wrong name changes none.
  private static func changeEach(
    _ invocation: Invocation, _ change: (DraftStore, DraftID) throws -> Void
  ) throws -> ExitStatus {
    let store = try invocation.openStore()
    for id in try invocation.arguments.map(store.draftID(named:)) {
      try change(store, id)
      let status = try store.draft(id).status.rawValue
      if invocation.isJSON {
        try Console.print(["draft": .string(id.description), "status": .string(status)])
      } else {
        try Console.print("\(id) \(status)\n")
      }
    }
    return .done
  }

  static let draftPurge = Command(
    name: "purge", abstract: "removes discarded drafts for good and prints their ids",
    discussion: "Their values and submissions go with them. --dry-run shows what would go.",
    examples: ["--store visits.store draft purge --older-than 30d --dry-run"],
    options: [
      OptionDescription(
        name: "--older-than", value: "D", abstract: "only those discarded so long ago: 30d"),
      OptionDescription(
        name: "--unsent", abstract: "also those whose submissions still wait for the server"),
      OptionDescription(name: "--dry-run", abstract: "removes nothing"),
    ]
  ) { invocation in
    let age = try invocation.duration("--older-than") ?? .zero
    let isDry = invocation.has("--dry-run")
    let store = try invocation.openStore(isDry ? .reading : .writing)
    let unsent = invocation.has("--unsent")
    let candidates = try store.purgeableDrafts(olderThan: age, includingUnsent: true).count
    let ids =
      isDry
      ? try store.purgeableDrafts(olderThan: age, includingUnsent: unsent).map(\.id)
      : try store.purge(olderThan: age, includingUnsent: unsent)
    if candidates > ids.count {
      Console.warn(
        "\(candidates - ids.count) stay, for their submissions still wait for the server: push "
          + "them, or give --unsent", code: "unsent", key: nil, isJSON: invocation.isJSON)
    }
    if invocation.isJSON {
      try Console.print(
        ids.map { ["draft": .string($0.description), "isPurged": .bool(!isDry)] })
    } else {
      try Console.print(ids.map { "\($0)\n" }.joined())
    }
    return .done
  }

  static let draftUpgrade = Command(
    name: "upgrade", abstract: "brings a draft to its form's newest version, losing nothing",
    usage: "DRAFT", examples: ["--store visits.store draft upgrade @"],
    arguments: .exactly(.drafts),
    options: [
      OptionDescription(name: "--to", value: "N", abstract: "the version; else the newest")
    ]
  ) { invocation in
    let version = try invocation.integer("--to", atLeast: 1)
    let store = try invocation.openStore()
    let id = try store.draftID(named: invocation.arguments[0])
    let upgrade = try store.upgrade(id, to: version)
    if invocation.isJSON {
      try Console.print([
        "draft": .string(id.description), "from": .count(upgrade.from), "to": .count(upgrade.to),
        "renamed": .array(
          upgrade.renamed.map { ["from": .string($0.from), "to": .string($0.to)] }),
        "converted": .array(upgrade.converted.map(JSONValue.string)),
        "needsAttention": .array(upgrade.needsAttention.map(\.record)),
      ])
    } else {
      var lines = ["version \(upgrade.from) to \(upgrade.to)"]
      lines += upgrade.renamed.map { "renamed: \($0.from) is now \($0.to)" }
      lines += upgrade.converted.map { "converted: \($0)" }
      lines += upgrade.needsAttention.map { "needs attention: \($0.key): \($0.words)" }
      try Console.print(lines.map { $0.printable + "\n" }.joined())
    }
    return .done
  }
}
