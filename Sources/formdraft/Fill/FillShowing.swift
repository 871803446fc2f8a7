import FormEditing
import FormModel

extension FillDialogue {
  // MARK: A row

  /// Shows a field as it is asked: its label, what can be picked, what is saved, what is wrong.
  mutating func show(_ index: Int, _ page: inout FillPage) {
    let field = form.fields[index]
    showSection(of: index, &page)
    page.addSpace()
    page.add(.label, rows.label(index) + star(index))
    let placeholder = rows.placeholder(index)
    if !placeholder.isEmpty { page.add(.hint, placeholder, lead: "  ") }
    switch field.content {
    case .options(let options):
      list(FillChoices(options), chosen: nil, isWhole: false, &page)
    case .tags(let tags):
      list(FillChoices(tags.tags), chosen: shownTags(index), isWhole: false, &page)
      page.add(.hint, Self.asks(tags), lead: "  ")
    default:
      if ![.string, .option, .tags].contains(field.dataType) {
        page.add(.hint, field.dataType.expectation, lead: "  ")
      }
      if rows.isMultiline(index) {
        page.add(.hint, "several lines; a line with a single . ends them", lead: "  ")
      }
    }
    if field.isSensitive { page.add(.hint, "what is typed is not shown", lead: "  ") }
    if let value = session.editor.value(of: field.key), !value.isBlank {
      showValue(index, &page)
      if let problem = problem(index) { page.add(.error, problem, lead: "! ") }
    } else if let error = shownError(index) {
      page.add(.error, Self.reason(error), lead: "! ")
    }
  }

  /// Shows what a field holds; of a long text the beginning, so that it leaves something to see.
  func showValue(_ index: Int, _ page: inout FillPage) {
    let text = shownValue(index)
    let part = text.prefix(500)
    page.add(part.endIndex == text.endIndex ? text : part + "…", lead: "  = ")
  }

  /// A field's value as text, with a mark when it is the form's and not the person's.
  private func shownValue(_ index: Int) -> String {
    let field = form.fields[index]
    guard var value = session.editor.value(of: field.key), !value.isBlank else { return "(none)" }
    guard !field.isSensitive else { return "••••" + mark(index) }
    if case .tags(let ids) = value, let tags = field.tagsContent {
      value = .tags(tags.ordered(ids))
    }
    if case .options(let options) = field.content, case .option(let id) = value {
      let label = options.first { $0.id == id }?.label ?? ""
      return (label.isEmpty ? "\(id)" : label) + mark(index)
    }
    return field.shown(value) + mark(index)
  }

  /// The tags that are chosen; nil when nobody must see which.
  private func shownTags(_ index: Int) -> [OptionID]? {
    let field = form.fields[index]
    guard !field.isSensitive else { return nil }
    return session.editor.tagSelection(of: field.key)?.selected.map(\.id) ?? []
  }

  private func mark(_ index: Int) -> String {
    let field = form.fields[index]
    let isDefault = field.content != .text && session.editor.savedValues[field.key] == nil
    return isDefault ? " (default)" : ""
  }

  private func star(_ index: Int) -> String {
    session.editor.state(ofRow: form.fields[index].rowIndex).isRequired ? " *" : ""
  }

  /// Shows the rows that are passed because they can't be filled: those that are shown only, and
  /// those that are disabled now.
  mutating func showPassed(_ range: Range<Int>, _ page: inout FillPage) {
    for index in range {
      let state = session.editor.state(ofRow: form.fields[index].rowIndex)
      guard state.isVisible else { continue }
      showSection(of: index, &page)
      page.addSpace()
      page.add(.label, rows.label(index))
      if !state.isEnabled { page.add(.hint, "not to be filled now", lead: "  ") }
      showValue(index, &page)
    }
  }

  // MARK: Choices

  private func list(
    _ choices: FillChoices, chosen: [OptionID]?, isWhole: Bool, _ page: inout FillPage
  ) {
    let count = isWhole ? choices.all.count : FillChoices.shortList
    let width = "\(min(count, choices.all.count))".count
    for (place, choice) in choices.all.prefix(count).enumerated() {
      let number = String(repeating: " ", count: width - "\(place + 1)".count) + "\(place + 1)"
      let box = chosen.map { $0.contains(choice.id) ? "[x] " : "[ ] " } ?? ""
      page.add(choice.label, lead: "  \(number)  \(box)")
    }
    if choices.all.count > count {
      page.add(
        .hint, "and \(choices.all.count - count) more: type a part of the name, or ? for all",
        lead: "  ")
    }
  }

  /// How many tags a field asks for.
  private static func asks(_ tags: TagsContent) -> String {
    guard tags.selection == .multiple else { return "choose one" }
    let least = max(0, tags.leastChoiceCount)
    return switch tags.mostChoiceCount {
    case let most? where least == most: "choose \(least)"
    case let most? where least > 0: "choose \(least) to \(most)"
    case let most?: "choose at most \(most)"
    case nil: "choose at least \(least)"
    }
  }

  /// How many more tags must be chosen; nil when the field has none, or may stay as it is.
  func missingTags(_ index: Int) -> Int? {
    let field = form.fields[index]
    guard let tags = field.tagsContent,
      let selection = session.editor.tagSelection(of: field.key), !selection.isEnough
    else { return nil }
    let isRequired = session.editor.state(ofRow: field.rowIndex).isRequired
    guard isRequired || !selection.selected.isEmpty else { return nil }
    return tags.leastChoiceCount - selection.selected.count
  }

  static func tells(missing count: Int) -> String {
    count == 1 ? "1 more is missing." : "\(count) more are missing."
  }

  // MARK: Errors

  /// The error that the row's `verify` shows now.
  private func shownError(_ index: Int) -> FieldError? {
    session.editor.errors.first { $0.key.hasSameBytes(as: form.fields[index].key) }
  }

  /// What is wrong with a value that is there, as the row asks; and always when it is no value of
  /// the field's type, which nobody would find out at the end.
  func problem(_ index: Int) -> String? {
    if let error = shownError(index) {
      // A row may ask for its line to be marked alone; the mark stands before the text.
      return error.errorType.showsLabel ? Self.reason(error) : rows.label(index)
    }
    guard let error = error(index) else { return nil }
    switch error.reason {
    case .type:
      let field = form.fields[index]
      let expectation = "expected \(field.dataType.expectation)"
      return field.verify.errorMsg.map { "\($0) (\(expectation))" } ?? expectation
    case .unknownOption: return Self.reason(error)
    default: return nil
    }
  }

  /// The rule that a value breaks, though its row asks only at the end.
  func brokenRule(_ index: Int) -> String? {
    guard let error = error(index), error.reason == .rule else { return nil }
    return Self.reason(error)
  }

  /// The error that a field's value has, whether it is shown now or not.
  private func error(_ index: Int) -> FieldError? {
    let (editor, field) = (session.editor, form.fields[index])
    let status = FormStatus(form, values: editor.savedValues, registry: editor.registry)
    return status.error(in: editor.value(of: field.key), of: field)
  }

  /// An error's message without the label that stands above it.
  private static func reason(_ error: FieldError) -> String {
    let label = "\(error.label): "
    return error.message.hasPrefix(label)
      ? String(error.message.dropFirst(label.count)) : error.message
  }

  static func message(of error: FieldError, label: String) -> String {
    "\(label): \(reason(error))"
  }

  // MARK: Rows that come and go

  static func visibleRows(_ editor: FormEditor) -> [Bool] {
    editor.form.rows.indices.map { editor.state(ofRow: $0).isVisible }
  }

  /// Tells of rows above that an answer made visible: those below are asked anyway.
  mutating func tellEarlierRows(_ index: Int, _ page: inout FillPage) {
    let (before, now) = (visibleRows, Self.visibleRows(session.editor))
    visibleRows = now
    for row in 0..<form.fields[index].rowIndex where now[row] && !before[row] {
      guard let field = form.fields.firstIndex(where: { $0.rowIndex == row }) else { continue }
      page.add(.hint, "\(rows.label(field)) is asked too now, above.", lead: "  ")
    }
  }

  // MARK: The whole

  /// Every row with its value, and what is missing.
  var overview: FillPage {
    var page = FillPage()
    let errors = session.editor.formParam().errors
    var section: Int?
    for index in form.fields.indices
    where session.editor.state(ofRow: form.fields[index].rowIndex).isVisible {
      if rows.section(of: index) != section {
        section = rows.section(of: index)
        let title = rows.sectionTitle(rows.section(of: index))
        if !title.isEmpty { page.add(.heading, "[\(title)]") }
      }
      let error = errors.first { $0.key.hasSameBytes(as: form.fields[index].key) }
      let lead = (place == .field(index) ? ">" : " ") + (error == nil ? "  " : "! ")
      let label = rows.label(index) + star(index)
      let value = shownValue(index).printable.truncated(to: 60)
      switch error?.reason {
      case nil: page.add("\(label) = \(value)", lead: lead)
      case .required?: page.add(.error, "\(label): missing", lead: lead)
      case _?:
        let reason = error.map(Self.reason) ?? ""
        page.add(.error, "\(label) = \(value): \(reason)", lead: lead)
      }
    }
    return page
  }

  /// What can be typed where the person is.
  var help: FillPage {
    var page = FillPage()
    if case .field(let index) = place {
      switch form.fields[index].content {
      case .options(let options):
        list(FillChoices(options), chosen: nil, isWhole: true, &page)
        page.add("Type a number of the list, an id, a label, or a part of one.")
        page.add("#3 is the number 3, =3 the id or label 3.")
      case .tags(let tags):
        list(FillChoices(tags.tags), chosen: shownTags(index), isWhole: true, &page)
        page.add(
          "Type numbers or names, with spaces or commas between; each is chosen, or no more.")
        page.add("#3 is the number 3, =3 the id or name 3.")
      case .input(let input):
        page.add("Type \(form.fields[index].dataType.expectation).")
        page.add("At most \(input.typingLimit) characters.")
      case .custom: page.add("Type \(form.fields[index].dataType.expectation).")
      case .text: break
      }
      page.addSpace()
    }
    for (word, meaning) in [
      ("empty line", "keeps what is there, and goes on"), ("-", "takes it away"),
      ("<", "the row before (or the key up)"), (">", "the next row (or the key down)"),
      (":list", "all rows, and what is missing"), (":go KEY", "a row, by its key or label"),
      (":undo", "takes the last change back"), (":redo", "makes it again"),
      (":quit", "leaves; everything is saved"),
      ("\\", "before an answer that begins like one of these"),
    ] {
      page.add(meaning, lead: word.padded(to: 10) + "  ")
    }
    return page
  }
}
