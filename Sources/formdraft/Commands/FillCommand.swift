import DraftStore
import FormEditing

extension Command {
  static let fill = Command(
    name: "fill", abstract: "fills a form at a terminal, row by row, saving each answer",
    usage: "DRAFT",
    discussion: """
      Goes on where the person was. An empty line keeps what is there and goes on, - takes it away,
      < goes back, ? tells what else can be typed. Options and tags are picked by number, id, label
      or a part of the label. Text that is not valid is kept when one goes on. At the end the errors
      are shown, or the draft is submitted if one wishes.
      Lines of a pipe are taken as answers too; exit status 1 when they end and the draft is not
      valid.
      """,
    examples: ["--store visits.store fill @", "--store visits.store fill --form visit"],
    arguments: .optional(.drafts),
    options: [
      OptionDescription(
        name: "--form", value: "F",
        abstract: "begins a draft of this form; an untouched one leaves nothing behind",
        completion: .forms),
      OptionDescription(name: "--title", value: "T", abstract: "what the new draft is known by"),
      OptionDescription(name: "--subject", value: "S", abstract: "what the new draft is about"),
    ]
  ) { invocation in
    guard !invocation.isJSON else {
      throw UsageError(
        "fill talks with a person; with --json use draft set, draft tag and submit",
        invocation.path)
    }
    let form = invocation.value("--form")
    guard (form == nil) != invocation.arguments.isEmpty else {
      throw UsageError("give a draft, or --form to begin one", invocation.path)
    }
    guard form != nil || !(invocation.has("--title") || invocation.has("--subject")) else {
      throw UsageError("--title and --subject go with --form", invocation.path)
    }
    let store = try invocation.openStore()
    let draft =
      if let form {
        try store.newDraft(
          of: form, title: invocation.value("--title") ?? "",
          subject: invocation.value("--subject"))
      } else {
        try store.draft(store.draftID(named: invocation.arguments[0]))
      }
    guard draft.status != .discarded else { throw StoreError.isDiscarded(draft.id) }
    let dialogue = try FillDialogue(EditingSession(store, draft: draft.id))
    var run = FillRun(
      dialogue: dialogue, terminal: try FillTerminal(editsLines: dialogue.hasSecrets),
      isNew: form != nil, storeOption: invocation.value("--store"))
    return try run.run()
  }
}

/// The filling of a form from its beginning to its end, at a terminal or from a pipe.
private struct FillRun {
  var dialogue: FillDialogue
  let terminal: FillTerminal
  /// Whether the draft is there only once something was typed.
  let isNew: Bool
  let storeOption: String?

  mutating func run() throws -> ExitStatus {
    defer { terminal.restore() }
    do {
      try terminal.show(dialogue.begin())
      return try end(by: talk())
    } catch {
      // The window may be gone, or the disk full: whatever can be saved is.
      try? dialogue.leave()
      throw error
    }
  }

  /// Why the talk ended.
  private enum Reason {
    case over, endOfInput
    case signal(Int32)
  }

  private mutating func talk() throws -> Reason {
    while !dialogue.isOver {
      // Before the prompt, which tells a person that what stands above is saved.
      if dialogue.holdsLines, try !terminal.hasInput() { try terminal.show(dialogue.pause()) }
      let prompt = dialogue.prompt
      try terminal.ask(
        prompt, hidesAnswer: dialogue.hidesAnswer, editsLines: dialogue.hasSecrets)
      switch try terminal.next(after: prompt, pauses: dialogue.holdsLines) {
      case .line(let line): try terminal.show(dialogue.take(line))
      case .notText(let message):
        var page = FillPage()
        page.add(.error, message, lead: "! ")
        try terminal.show(page)
      case .end: return .endOfInput
      case .signal(let number): return .signal(number)
      case .pause: try terminal.show(dialogue.pause())
      case .continued: break
      }
    }
    return .over
  }

  /// Saves, tells how to go on, and gives the exit status.
  private mutating func end(by reason: Reason) throws -> ExitStatus {
    var page = try dialogue.pause()
    let isValid = dialogue.session.editor.formParam().isValid
    try dialogue.leave()
    page.append(try farewell())
    switch reason {
    case .signal(let number):
      // Nobody may see it: the window may be gone.
      try? terminal.show(FillPage.afterBreak(page))
      throw System.Interrupted(signal: number)
    case .endOfInput where terminal.isInteractive:
      try terminal.show(FillPage.afterBreak(page))
      return .done
    case .endOfInput:
      try terminal.show(page)
      return isValid ? .done : .no
    case .over:
      try terminal.show(page)
      return .done
    }
  }

  private func farewell() throws -> FillPage {
    var page = FillPage()
    if case .over(.submitted) = dialogue.place { return page }
    let store = dialogue.session.store
    let draft = try store.draft(dialogue.session.draft)
    guard !isNew || draft.revision > 0 else {
      page.add("Nothing was typed; no draft is left behind.")
      return page
    }
    // As short as it names the draft, so that it can be copied from a narrow window.
    let short = String(draft.id.description.prefix(8))
    let isUnique = (try? store.draftID(named: short)) == draft.id
    let name = isUnique ? short : draft.id.description
    let option = storeOption.map { "--store \($0.quotedForShell) " } ?? ""
    page.add("The draft is saved. To go on:")
    page.addUnbroken("formdraft \(option)fill \(name)")
    return page
  }
}

extension FillPage {
  /// A page that begins on a line of its own, after a line that was not ended.
  fileprivate static func afterBreak(_ page: FillPage) -> FillPage {
    var whole = FillPage()
    whole.add("")
    whole.append(page)
    return whole
  }
}

extension String {
  /// The text as one word of a shell.
  fileprivate var quotedForShell: String {
    let isPlain = utf8.allSatisfy {
      (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 >= 128
        || Array("_-./,:@%+=".utf8).contains($0)
    }
    return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}
