import DraftStore
import FormModel

extension Command {
  static let form = Command(
    name: "form", abstract: "Adds, checks and shows the definitions of forms.",
    examples: ["--store visits.store form list"],
    subcommands: [formAdd, formCheck, formList, formShow])

  private static let formAdd = Command(
    name: "add", abstract: "adds forms, or new versions of them; makes the store's file if needed",
    usage: "FILE…",
    discussion: """
      FILE holds a form's definition in JSON; - is the standard input. All files are checked before
      the first is added: when one is bad, none is. The same definition again makes no new version.
      """,
    examples: ["--store visits.store form add visit.json"],
    arguments: .atLeast(1, .files)
  ) { invocation in
    let forms = try DefinitionFile.readAll(invocation.arguments)
    let store = try invocation.openStore(.creating)
    for (file, form) in forms {
      let addition = try store.add(form)
      if invocation.isJSON {
        try Console.print([
          "file": .string(file), "id": .string(addition.id), "version": .count(addition.version),
          "isNew": .bool(addition.isNew),
        ])
      } else {
        let isKnown = addition.isNew ? "" : " (as before)"
        try Console.print(
          "\(addition.id.printable) version \(addition.version)\(isKnown)\n")
      }
    }
    return .done
  }

  private static let formCheck = Command(
    name: "check", abstract: "tells every fault of definitions; adds nothing", usage: "FILE…",
    examples: ["form check visit.json"], arguments: .atLeast(1, .files)
  ) { invocation in
    for (file, form) in try DefinitionFile.readAll(invocation.arguments) {
      if invocation.isJSON {
        try Console.print([
          "file": .string(file), "id": .string(form.id),
          "fields": .count(form.fields().count),
        ])
      } else {
        try Console.print("\(file.printable): \(form.id.printable), no fault\n")
      }
    }
    return .done
  }

  private static let formList = Command(
    name: "list", abstract: "lists the forms, each with its newest version",
    examples: ["--store visits.store form list"],
    options: [OptionDescription(name: "--ids", abstract: "prints the ids alone")]
  ) { invocation in
    let summaries = try invocation.openStore(.reading).formSummaries()
    if invocation.has("--ids") {
      try Console.print(ids: summaries.map(\.id), invocation)
    } else if invocation.isJSON {
      try Console.print(
        summaries.map {
          [
            "id": .string($0.id), "title": .string($0.title), "version": .count($0.version),
            "addedAt": .moment($0.addedAt), "drafts": .count($0.draftCount),
          ]
        })
    } else if !summaries.isEmpty {
      var table = Table(header: ["FORM", "TITLE", "VERSION", "DRAFTS", "ADDED"])
      for form in summaries {
        table.add(
          form.id, form.title, "\(form.version)", "\(form.draftCount)", form.addedAt.shortText)
      }
      try Console.print(table.text)
    }
    return .done
  }

  private static let formShow = Command(
    name: "show", abstract: "prints a form's definition", usage: "ID",
    discussion: "With --json the definition stands on one line.",
    examples: ["--store visits.store form show visit --version 1"],
    arguments: .exactly(.forms),
    options: [
      OptionDescription(
        name: "--version", value: "N", abstract: "the version; else the newest")
    ]
  ) { invocation in
    let version = try invocation.integer("--version", atLeast: 1)
    let store = try invocation.openStore(.reading)
    let definition = try store.form(invocation.arguments[0], version: version).form.definition
    try Console.print((invocation.isJSON ? definition.jsonText : definition.prettyText) + "\n")
    return .done
  }
}

/// A file with a form's definition.
enum DefinitionFile {
  /// Reads and checks all files.
  ///
  /// - Throws: ``CommandFailures`` with every fault of each file.
  static func readAll(_ files: [String]) throws -> [(file: String, form: Form)] {
    guard files.count(where: { $0 == "-" }) <= 1 else {
      throw UsageError("the standard input (-) can be read once", ["form"])
    }
    var forms: [(String, Form)] = []
    var failures: [CommandFailure] = []
    for file in files {
      let name = file == "-" ? "standard input" : file
      do {
        // One byte more than is read, so that a definition that is too large is told as such.
        let bytes = try System.contents(of: file, limit: Form.maximumDefinitionSize)
        forms.append((file, try Form(definition: bytes)))
      } catch let failure as System.Failure {
        failures += CommandFailure.failures(of: failure)
      } catch {
        failures += CommandFailure.failures(of: error).map { $0.of(file: name) }
      }
    }
    guard failures.isEmpty else { throw CommandFailures(all: failures) }
    return forms
  }
}
