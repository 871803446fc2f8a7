extension Command {
  /// The program: every command, with the options that all of them take.
  static let formdraft: Command = Command(
    name: "formdraft",
    abstract: "Keeps drafts of forms, submits them, and tells what changed since.",
    discussion: """
      DRAFT is a draft's id, the beginning of one when no other begins so, or @ for the draft that
      was edited last. Exit status: 0 done; 1 the answer is no (not valid, differs, nothing found);
      2 wrong use; 3 bad data or file; 4 the server refused; 5 the server could not be reached.
      """,
    examples: [
      "--store visits.store form add visit.json",
      "--store visits.store draft new visit --title 张三",
      "--store visits.store draft set @ name=张三 rooms:=3",
    ],
    options: [
      OptionDescription(
        name: "--store", value: "FILE",
        abstract: "the store's file; else the one that FORMDRAFT_STORE names",
        completion: .files),
      OptionDescription(name: "--json", abstract: "results and errors as JSON, one a line"),
      OptionDescription(name: "--help", abstract: "tells about the program or a command"),
      OptionDescription(name: "--version", abstract: "tells the program's version"),
    ],
    subcommands: [
      form, draft, fill, serve, validate, param, diff, submit, push, outbox, conflicts, query,
      export, store, completion,
    ])
}
