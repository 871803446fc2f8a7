import DraftStore
import FormEditing
import FormModel

/// The filling of a form as a dialogue: it takes a line and answers with what to show. It knows no
/// terminal; how a value is checked and saved is the session's.
struct FillDialogue {
  /// Where the person is.
  enum Place: Equatable {
    /// At a field, by its place in the form.
    case field(Int)
    /// Behind the last field, with errors.
    case review
    /// Behind the last field, without errors: submit?
    case question
    case over(Ending)
  }

  enum Ending: Equatable {
    /// The draft stays a draft.
    case left
    case submitted(Int)
  }

  private(set) var session: EditingSession
  private(set) var rows: FillRows
  var place: Place
  /// The lines of an answer of several lines so far; nil when none is being given.
  var collected: FillLines?
  /// Why something could not be saved; it is kept, and tried again with the next answer.
  var saveError: (any Error)?
  /// Which rows were visible after the last answer.
  var visibleRows: [Bool]
  /// The section whose title stands above.
  private var section: Int?

  var form: PreparedForm { rows.form }

  init(_ session: EditingSession) throws {
    self.session = session
    rows = FillRows(session.editor.form)
    // A row where the person was may be hidden now; then the next one.
    let focus = try session.store.draft(session.draft).focus.flatMap { [rows] in
      rows.form.index(of: $0)
    }
    place = .review
    visibleRows = Self.visibleRows(session.editor)
    if let index = next(from: focus ?? 0) ?? next(from: 0) { place = .field(index) }
  }

  /// Opens the draft anew, as another version of its form.
  ///
  /// - Throws: `StoreError`, `DatabaseError`
  mutating func reopen() throws {
    session = try EditingSession(session.store, draft: session.draft, options: session.options)
    rows = FillRows(session.editor.form)
    visibleRows = Self.visibleRows(session.editor)
    section = nil
  }

  var isOver: Bool {
    if case .over = place { true } else { false }
  }

  /// Whether what is typed next must not be seen.
  var hidesAnswer: Bool {
    if case .field(let index) = place { form.fields[index].isSensitive } else { false }
  }

  /// Whether there are rows whose answers must not be seen.
  var hasSecrets: Bool { form.fields.contains(where: \.isSensitive) }

  /// What was typed, for a message; not what must not be seen.
  func quoted(_ text: String) -> String { hidesAnswer ? "that" : "\"\(text.shortened)\"" }

  private var isAtMultiline: Bool {
    if case .field(let index) = place { rows.isMultiline(index) } else { false }
  }

  /// What stands before the line that is typed next.
  var prompt: String {
    if case .over = place { return "" }
    return collected == nil ? "> " : "| "
  }

  // MARK: Beginning and end

  /// What is shown first. Nothing is written.
  mutating func begin() throws -> FillPage {
    var page = FillPage()
    let title = form.form.title.isEmpty ? form.form.id : form.form.title
    page.add(.heading, title)
    page.add(.hint, "? tells what can be typed. Each answer is saved at once.")
    if case .field(let index) = place {
      // Rows above the first that can be filled are passed by no going on.
      if previous(before: index) == nil { showPassed(0..<index, &page) }
      show(index, &page)
    } else {
      try arriveAtEnd(&page)
    }
    return page
  }

  /// Leaves the form with everything saved.
  ///
  /// - Throws: `DatabaseError`, `StoreError` when it could not be.
  mutating func leave() throws {
    // Whoever can still be told was, by ``pause()``.
    _ = try pause()
    if !isOver { place = .over(.left) }
    collected = nil
    try session.leave()
  }

  // MARK: A line

  /// Takes a line in.
  ///
  /// - Throws: `StoreError` when the draft can't be edited any more; `DatabaseError` when it can't
  ///   be read.
  mutating func take(_ line: String) throws -> FillPage {
    var page = FillPage()
    if collected != nil, case .field(let index) = place {
      try collect(line, index, &page)
      return page
    }
    guard try catchUp(before: line, &page) else { return page }
    switch FillInput(line) {
    // The end of an answer of several lines, before the first.
    case .answer where line == "." && isAtMultiline: try keep(&page)
    case .keep: try keep(&page)
    case .back: try goBack(&page)
    case .forward: try goOn(&page)
    case .help: page.append(help)
    case .list: page.append(overview)
    case .undo: try move(session.undo(), "nothing to undo", "undone", &page)
    case .redo: try move(session.redo(), "nothing to redo", "done again", &page)
    case .go(let name): try go(to: name, &page)
    case .quit: place = .over(.left)
    case .unknown(let word):
      page.add(
        .error,
        hidesAnswer
          ? "that is no command; ? tells which there are. As text it begins with \\"
          : "\(word) is no command; ? tells which there are. As text it is \\\(word)",
        lead: "! ")
    case .clear: try answer(nil, &page)
    case .answer(let text): try answer(text, &page)
    }
    return page
  }

  private mutating func answer(_ text: String?, _ page: inout FillPage) throws {
    switch place {
    case .field(let index):
      let goesOn = try text.map { try answer($0, index, &page) } ?? clear(index, &page)
      try settle(index, goesOn: goesOn, &page)
    case .question:
      switch text?.lowercased() {
      case "y", "yes": try submit(&page)
      case "n", "no": place = .over(.left)
      default: page.add(.error, "type y or n", lead: "! ")
      }
    case .review:
      page.add(.error, "an empty line goes to the first error, :quit leaves", lead: "! ")
    case .over: break
    }
  }

  /// Saves an answer, and goes on when it is complete.
  mutating func settle(_ index: Int, goesOn: Bool, _ page: inout FillPage) throws {
    try save(&page)
    tellEarlierRows(index, &page)
    if goesOn || !canBegin(index) { try goOn(&page) }
  }

  /// Sees to it that everything is on the disk; when it can't be, the person is told.
  mutating func save(_ page: inout FillPage) throws {
    do {
      try session.flush()
      saveError = nil
    } catch let error as StoreError {
      // The draft is gone or put away: trying again does not help.
      throw error
    } catch {
      saveError = error
      let failures = CommandFailure.failures(of: error).map(\.message)
      page.add(
        .error,
        "not saved: \(failures.joined(separator: "; ")). "
          + "It is kept here and saved with the next answer, once that can be.", lead: "! ")
    }
  }

  private mutating func submit(_ page: inout FillPage) throws {
    do {
      try session.leave()
      let submission = try session.store.submit(session.draft)
      place = .over(.submitted(submission.number))
      page.add("Submitted: number \(submission.number).")
    } catch StoreError.notValid {
      // Another window changed it meanwhile.
      try arriveAtEnd(&page)
    }
  }

  // MARK: Moving

  func canBegin(_ index: Int) -> Bool { session.editor.canBegin(form.fields[index].key) }

  /// The first field from a place on that can be filled.
  func next(from index: Int) -> Int? {
    let editor = session.editor
    return form.fields.indices.dropFirst(index).first { editor.canBegin(form.fields[$0].key) }
  }

  private func previous(before index: Int) -> Int? {
    let editor = session.editor
    return form.fields.indices.prefix(index).last { editor.canBegin(form.fields[$0].key) }
  }

  private mutating func keep(_ page: inout FillPage) throws {
    switch place {
    case .field: try goOn(&page)
    case .review:
      let errors = session.editor.formParam().errors
      if let index = errors.compactMap({ form.index(of: $0.key) }).first(where: canBegin) {
        try go(to: index, &page)
      } else {
        try arriveAtEnd(&page)
      }
    case .question: page.add(.error, "type y or n", lead: "! ")
    case .over: break
    }
  }

  private mutating func goOn(_ page: inout FillPage) throws {
    guard case .field(let index) = place else {
      page.add(.hint, "That was the last row.")
      return
    }
    if let missing = missingTags(index), missing > 0 {
      page.add(.hint, Self.tells(missing: missing), lead: "  ")
    }
    let next = next(from: index + 1)
    showPassed(index + 1..<(next ?? form.fields.count), &page)
    if let next { try go(to: next, &page) } else { try arriveAtEnd(&page) }
  }

  private mutating func goBack(_ page: inout FillPage) throws {
    let index = if case .field(let index) = place { index } else { form.fields.count }
    if let previous = previous(before: index) {
      try go(to: previous, &page)
    } else {
      page.add(.hint, "This is the first row.")
    }
  }

  private mutating func go(to name: String, _ page: inout FillPage) throws {
    let found = rows.fields(named: name)
    guard let index = found.first, found.count == 1 else {
      page.add(
        .error,
        found.isEmpty
          ? "no row is called \(quoted(name)); :list shows them"
          : "several rows may be meant: "
            + found.map(rows.label).joined(separator: ", "), lead: "! ")
      return
    }
    guard canBegin(index) else {
      page.add(.error, "\(rows.label(index)) can't be filled now", lead: "! ")
      return
    }
    try go(to: index, &page)
  }

  /// Goes to a field, and saves that the person is there.
  mutating func go(to index: Int, _ page: inout FillPage) throws {
    place = .field(index)
    // Before its editing begins, which may hide its error.
    show(index, &page)
    session.handle(.begin(key: form.fields[index].key))
    try save(&page)
  }

  private mutating func move(
    _ outcome: EditingOutcome?, _ nothing: String, _ done: String, _ page: inout FillPage
  ) throws {
    guard let outcome else {
      page.add(.hint, nothing)
      return
    }
    page.add(.hint, done)
    if let index = outcome.focus.flatMap({ form.index(of: $0) }), canBegin(index) {
      try go(to: index, &page)
    } else if case .field(let index) = place, canBegin(index) {
      show(index, &page)
    } else {
      try goOn(&page)
    }
  }

  /// Behind the last row: the errors, or whether to submit.
  mutating func arriveAtEnd(_ page: inout FillPage) throws {
    let validation = session.handle(.validate(.lineAndLabel))
    try save(&page)
    section = nil
    page.addSpace()
    if validation.validation?.isValid == true {
      place = .question
      page.add(.heading, "Every row is right. Submit? (y/n)")
      return
    }
    place = .review
    page.add(.heading, "Not right yet:")
    for error in validation.errors {
      let label = form.index(of: error.key).map(rows.label) ?? error.label
      page.add(.error, Self.message(of: error, label: label), lead: "! ")
    }
    page.add(.hint, "An empty line goes to the first of them, < back, :quit leaves it so.")
  }

  /// Begins a section's title where another section was.
  mutating func showSection(of index: Int, _ page: inout FillPage) {
    let section = rows.section(of: index)
    guard self.section != section else { return }
    self.section = section
    let title = rows.sectionTitle(section)
    guard !title.isEmpty else { return }
    page.addSpace()
    page.add(.heading, "[\(title)]")
  }
}
