import DraftStore
import FormModel

extension Command {
  static let store = Command(
    name: "store", abstract: "Checks, copies and measures the store's file.",
    examples: ["--store visits.store store check"],
    subcommands: [storeCheck, storeRecover, storeBackup, storeStats])

  private static let storeCheck = Command(
    name: "check", abstract: "looks for damage: pages, indexes, rows without their parents",
    discussion: "Exit status 3 when something is wrong.",
    examples: ["--store visits.store store check"]
  ) { invocation in
    let problems = try invocation.openStore(.reading).check()
    if invocation.isJSON {
      try Console.print([
        "isSound": .bool(problems.isEmpty),
        "problems": .array(problems.map(JSONValue.string)),
      ])
    } else {
      try Console.print(
        problems.isEmpty ? "no fault found\n" : problems.map { $0.printable + "\n" }.joined())
    }
    return problems.isEmpty ? .done : .data
  }

  private static let storeRecover = Command(
    name: "recover", abstract: "saves what can be read of a damaged store in a new file",
    usage: "FILE",
    discussion: """
      The damaged file is only read, and a file that is there is not replaced. Tells what was saved
      and what could not be; exit status 1 when something was lost.
      """,
    examples: ["--store visits.store store recover visits-recovered.store"],
    arguments: .exactly(.files)
  ) { invocation in
    let file = invocation.arguments[0]
    let recovery = try DraftStore.recover(try invocation.storePath(), to: file)
    if invocation.isJSON {
      try Console.print([
        "file": .string(file), "isComplete": .bool(recovery.isComplete),
        "tables": .array(
          recovery.tables.map {
            [
              "table": .string($0.name), "saved": .count($0.savedCount),
              "lost": .count($0.lostCount), "isDamaged": .bool($0.isDamaged),
            ]
          }),
        "losses": .array(recovery.losses.map(JSONValue.string)),
      ])
    } else {
      var table = Table(header: ["TABLE", "SAVED", "LOST"])
      for part in recovery.tables {
        let lost = part.isDamaged ? "\(part.lostCount) or more" : "\(part.lostCount)"
        table.add(part.name, "\(part.savedCount)", lost)
      }
      let losses = recovery.losses.map { $0.printable + "\n" }.joined()
      try Console.print(table.text + losses)
    }
    return recovery.isComplete ? .done : .no
  }

  private static let storeBackup = Command(
    name: "backup", abstract: "copies the store as it is now, while others may go on writing",
    usage: "FILE", discussion: "A file that is there is not replaced unless --replace says so.",
    examples: ["--store visits.store store backup visits-backup.store"],
    arguments: .exactly(.files),
    options: [OptionDescription(name: "--replace", abstract: "replaces a file that is there")]
  ) { invocation in
    let store = try invocation.openStore(.reading)
    let file = invocation.arguments[0]
    guard !System.isSameFile(file, store.path) else {
      throw CommandFailure(
        status: .data, code: "file", message: "\(file) is the store itself; choose another name")
    }
    try store.database.backup(to: file, replacesFile: invocation.has("--replace"))
    if invocation.isJSON {
      try Console.print(["file": .string(file)])
    } else {
      try Console.print("\(file.printable)\n")
    }
    return .done
  }

  private static let storeStats = Command(
    name: "stats", abstract: "tells how much the store holds",
    examples: ["--store visits.store store stats"]
  ) { invocation in
    let statistics = try invocation.openStore(.reading).statistics()
    let drafts = DraftStatus.allCases.map { ($0.rawValue, statistics.drafts[$0] ?? 0) }
    if invocation.isJSON {
      try Console.print([
        "forms": .count(statistics.forms), "formVersions": .count(statistics.formVersions),
        "drafts": .object(JSONObject(drafts.map { ($0.0, JSONValue.count($0.1)) })),
        "values": .count(statistics.values), "submissions": .count(statistics.submissions),
        "fileSize": .count(statistics.fileSize), "freeSize": .count(statistics.freeSize),
      ])
    } else {
      var table = Table()
      table.add("forms", "\(statistics.forms) in \(statistics.formVersions) versions")
      for (status, count) in drafts { table.add("drafts \(status)", "\(count)") }
      table.add("values", "\(statistics.values)")
      table.add("submissions", "\(statistics.submissions)")
      table.add("file", "\(statistics.fileSize) bytes, \(statistics.freeSize) of them free")
      try Console.print(table.text)
    }
    return .done
  }
}
