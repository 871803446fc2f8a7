import DraftStore
import FormEditing
import FormModel
import FormSamples
import Testing

/// What holds for any form and whatever a person does.
@Suite struct PropertyTests {
  private func event(
    in editor: FormEditor, using random: inout SeededGenerator
  ) -> EditingEvent {
    let field = random.pick(editor.form.fields)
    let key = field.key
    if random.oneIn(12) { return .validate(random.pick(ErrorType.allCases)) }
    if random.oneIn(6) { return random.oneIn(2) ? .begin(key: key) : .end(key: key) }
    switch field.content {
    case .input:
      let text = RandomJSON.text(upTo: random.oneIn(9) ? 400 : 3, using: &random)
      switch random.int(0...9) {
      case 0: return .returnKey(key: key)
      case 1: return .enter(key: key, text: text, isComposing: random.oneIn(4))
      case 2: return .endComposition(key: key)
      default:
        let length = editor.text(of: key).utf16.count
        let start = random.int(-1...length + 1)
        let end = random.oneIn(3) ? random.int(start...max(start, length)) : start
        return .change(
          key: key,
          TextChange(
            start..<end, random.oneIn(4) ? "" : text, isComposing: random.oneIn(5),
            deletesForward: random.oneIn(2)))
      }
    case .options(let options):
      return .select(key: key, random.oneIn(4) ? nil : random.pick(options).id)
    case .tags(let tags): return .toggle(key: key, tag: random.pick(tags.tags).id)
    case .custom, .text:
      return .set(
        key: key, random.oneIn(3) ? nil : RandomForm.value(for: field, using: &random))
    }
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  func whatIsAnsweredIsSaved(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let form = RandomForm.form(using: &random)
    let test = try TestStore(form)
    let initial = RandomForm.values(for: form, using: &random)
    let draft = try test.newDraft(form, initial)
    let before = try test.store.draft(draft).values
    let session = try test.session(draft)
    for _ in 0..<60 {
      let old = session.editor
      let event = event(in: old, using: &random)
      let outcome = session.handle(event)
      let new = session.editor
      check(event, outcome, old, new)
      if random.oneIn(8) { try session.flush() }
    }
    try session.leave()
    let after = session.editor.savedValues
    #expect(try test.store.draft(draft).values == after)
    let resumed = try test.session(draft)
    #expect(resumed.editor.savedValues == after)
    #expect(resumed.editor.formParam().errors == session.editor.formParam().errors)

    let isSensitive = form.fields().contains(where: \.isSensitive)
    while try resumed.undo() != nil {}
    if !isSensitive { #expect(try test.store.draft(draft).values == before) }
    #expect(try test.store.draft(draft).values == resumed.editor.savedValues)
    while try resumed.redo() != nil {}
    #expect(try test.store.draft(draft).values == after)
    #expect(try test.store.check() == [])
  }

  private func check(
    _ event: EditingEvent, _ outcome: EditingOutcome, _ old: FormEditor, _ new: FormEditor
  ) {
    let changed = new.form.fields.map(\.key).filter {
      old.savedValues[$0] != new.savedValues[$0]
    }
    #expect(Set(changed) == Set(outcome.changes.map(\.key)))
    #expect(outcome.errors == new.errors)
    #expect(outcome.focus == new.focus)
    for text in outcome.texts {
      #expect(text.text.hasSameBytes(as: new.text(of: text.key)))
      if let selection = text.selection {
        #expect(selection.upperBound <= text.text.utf16.count)
      }
    }
    for row in outcome.rows { #expect(row == new.state(ofRow: row.row)) }
    for error in outcome.errors {
      #expect(new.form.field(error.key).map { new.state(ofRow: $0.rowIndex).isVisible } == true)
    }
    // Deleting is never refused.
    if case .change(let key, let change) = event, change.replacement.isEmpty, !change.isComposing,
      old.canBegin(key), old.text(of: key) == old.text(of: key, committed: true)
    {
      #expect(outcome.isAccepted)
    }
    // Nothing gets longer than the input allows.
    if outcome.isAccepted, let key = event.key, let field = new.form.field(key),
      let input = field.inputContent, let text = new.savedValues[key].map(field.submitted)?.text
    {
      let oldText = old.savedValues[key].map(field.submitted)?.text ?? ""
      // Taking a joiner out of an emoji makes several Characters of one.
      if text.utf8.count > oldText.utf8.count {
        #expect(text.count <= max(input.typingLimit, oldText.count))
      }
    }
  }

  /// A bank card's groups, as a person sees them who counts digits.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func theDisplayFormatKeepsTheCursor(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let format = InputFormat(
      groupsOf: random.int(1...5), separator: random.pick([" ", "-", " - ", "··"]))
    let form = Form(
      id: "f",
      sections: [
        Section(rows: [
          Row(key: "k", serviceKey: "k", kind: .input(InputContent(format: format)))
        ])
      ])
    var editor = FormEditor(PreparedForm(form))
    // The model: digits, and how many stand before the cursor.
    var (model, place) = ([Character](), 0)
    var cursor = 0
    for _ in 0..<80 {
      if random.oneIn(3), cursor > 0 {
        let outcome = editor.handle(.change(key: "k", TextChange(cursor - 1..<cursor, "")))
        cursor = outcome.selection?.lowerBound ?? -1
        place -= 1
        model.remove(at: place)
      } else if random.oneIn(4) {
        // The person moves the cursor anywhere behind a digit.
        place = random.int(0...model.count)
        cursor = format.display(String(model[..<place])).utf16.count
      } else {
        let digit = Character("\(random.int(0...9))")
        let outcome = editor.handle(
          .change(key: "k", TextChange(cursor..<cursor, String(digit))))
        cursor = outcome.selection?.lowerBound ?? -1
        model.insert(digit, at: place)
        place += 1
      }
      let text = editor.text(of: "k")
      #expect(text == format.display(String(model)))
      // As many digits stand before the cursor as the person knows of.
      let before = String(text.utf16.prefix(cursor)) ?? ""
      #expect(before.filter(\.isNumber).count == place)
    }
  }
}

extension FormEditor {
  /// A field's text without what an input method is composing.
  fileprivate func text(of key: String, committed: Bool) -> String {
    FormEditor(form, values: savedValues, registry: registry).text(of: key)
  }
}
