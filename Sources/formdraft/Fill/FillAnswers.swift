import DraftStore
import FormEditing
import FormModel

extension FillDialogue {
  /// Takes an answer to a field. Whether it is complete and the next row is asked.
  mutating func answer(_ text: String, _ index: Int, _ page: inout FillPage) throws -> Bool {
    let field = form.fields[index]
    // Asked before its editing begins, which may hide it.
    let wasWrong = problem(index) != nil
    session.handle(.begin(key: field.key))
    switch field.content {
    case .input where rows.isMultiline(index):
      // Another window may have hidden it; what follows must not be taken for another row's.
      guard canBegin(index) else {
        page.add(.error, "not taken: \(sentence(.hidden, index))", lead: "! ")
        return false
      }
      collected = FillLines(waiting: [text])
      return false
    case .input:
      return enter(text, isWrongAlready: wasWrong, index, &page)
    case .options(let options):
      return pick(text, from: FillChoices(options), index, &page)
    case .tags(let tags):
      return toggle(text, of: tags, index, &page)
    case .custom:
      return finish(session.handle(.set(key: field.key, field.typed(text))), index, &page)
    case .text:
      return true
    }
  }

  /// Takes the value of a field away.
  mutating func clear(_ index: Int, _ page: inout FillPage) throws -> Bool {
    let field = form.fields[index]
    session.handle(.begin(key: field.key))
    switch field.content {
    case .input: session.handle(.enter(key: field.key, text: ""))
    case .options: session.handle(.select(key: field.key, nil))
    case .tags:
      if case .tags(let ids) = session.editor.value(of: field.key) {
        for id in ids { session.handle(.toggle(key: field.key, tag: id)) }
      }
    case .custom: session.handle(.set(key: field.key, nil))
    case .text: break
    }
    session.handle(.end(key: field.key))
    page.add(.hint, "cleared", lead: "  ")
    return field.tagsContent == nil
  }

  // MARK: Text

  private func enter(
    _ text: String, isWrongAlready: Bool, _ index: Int, _ page: inout FillPage
  ) -> Bool {
    let key = form.fields[index].key
    if isWrongAlready, text.hasSameBytes(as: session.editor.text(of: key)) {
      // The person insists on what was said to be wrong.
      session.handle(.end(key: key))
      return true
    }
    let outcome = session.handle(.enter(key: key, text: text))
    let goesOn = finish(outcome, index, &page)
    guard outcome.isAccepted else { return false }
    if outcome.isCut {
      page.add(
        .error, "the end was cut off: at most \(limit(index)) characters are taken", lead: "! ")
      showValue(index, &page)
      return false
    }
    if goesOn, let shown = outcome.text, !shown.hasSameBytes(as: text) { showValue(index, &page) }
    return goesOn
  }

  func limit(_ index: Int) -> Int { form.fields[index].inputContent?.typingLimit ?? 0 }

  /// Ends the editing of a field and tells what is wrong with it. Whether nothing is.
  func finish(_ outcome: EditingOutcome, _ index: Int, _ page: inout FillPage) -> Bool {
    if let refusal = outcome.refusal {
      page.add(.error, "not taken: \(sentence(refusal, index))", lead: "! ")
      return false
    }
    session.handle(.end(key: form.fields[index].key))
    guard let problem = problem(index) else {
      // A row that asks only at the end holds nobody up, nor takes the next line of a pipe.
      if let problem = brokenRule(index) {
        page.add(.error, problem, lead: "! ")
        page.add(.hint, "It is kept as typed; < goes back to it.", lead: "  ")
      }
      return true
    }
    page.add(.error, problem, lead: "! ")
    page.add(.hint, "It is kept as typed. An empty line goes on; or type it anew.", lead: "  ")
    return false
  }

  func sentence(_ refusal: EditingRefusal, _ index: Int) -> String {
    let field = form.fields[index]
    return switch refusal {
    case .rule: field.verify.errorMsg ?? "the value is not valid"
    case .maxLength: "at most \(limit(index)) characters"
    case .consecutiveSpaces: "two spaces in a row"
    case .tooManyTags: "at most \(field.tagsContent?.limit ?? 1) can be chosen"
    case .unknownOption: "the form has no such option"
    case .wrongKind: "expected \(field.dataType.expectation)"
    case .hidden, .disabled, .unknownField: "the row can't be filled now"
    }
  }

  // MARK: Choices

  private func pick(
    _ text: String, from choices: FillChoices, _ index: Int, _ page: inout FillPage
  ) -> Bool {
    let picked = choices.pick(text)
    guard case .one(let id) = picked else {
      tell(unclear: text, picked, choices, &page)
      return false
    }
    let goesOn = finish(
      session.handle(.select(key: form.fields[index].key, id)), index, &page)
    if goesOn { showValue(index, &page) }
    return goesOn
  }

  /// Toggles tags. A single choice is complete at once; else an empty line ends it.
  private func toggle(
    _ text: String, of content: TagsContent, _ index: Int, _ page: inout FillPage
  ) -> Bool {
    let choices = FillChoices(content.tags)
    let ids: [OptionID]
    switch choices.pickSeveral(text) {
    case .success(let picked): ids = picked
    case .failure(let unclear):
      tell(unclear: unclear.text, unclear.picked, choices, &page)
      return false
    }
    guard content.selection == .multiple || ids.count == 1 else {
      page.add(.error, "one can be chosen", lead: "! ")
      return false
    }
    let key = form.fields[index].key
    for id in ids {
      let outcome = session.handle(.toggle(key: key, tag: id))
      guard let refusal = outcome.refusal else { continue }
      let label = quoted(content.tags.first { $0.id == id }?.labelName ?? "\(id)")
      page.add(.error, "\(label) not taken: \(sentence(refusal, index))", lead: "! ")
    }
    showValue(index, &page)
    guard let selection = session.editor.tagSelection(of: key) else { return false }
    if let problem = problem(index) { page.add(.error, problem, lead: "! ") }
    if content.selection == .single, selection.isEnough { return true }
    if let missing = missingTags(index), missing > 0 {
      page.add(.hint, Self.tells(missing: missing), lead: "  ")
    } else {
      page.add(.hint, "Enough. An empty line goes on.", lead: "  ")
    }
    return false
  }

  private func tell(
    unclear text: String, _ picked: FillChoices.Picked, _ choices: FillChoices,
    _ page: inout FillPage
  ) {
    guard case .several(let places) = picked else {
      page.add(
        .error, "nothing is called \(quoted(text)): type a number, or a part of the name",
        lead: "! ")
      return
    }
    page.add(
      .error, "\(quoted(text)) may be several; type #NUMBER, or =NAME:", lead: "! ")
    // Which they are tells what was typed.
    guard !hidesAnswer else { return }
    for place in places.prefix(FillChoices.shortList) {
      page.add(choices.all[place].label, lead: "  \(place + 1)  ")
    }
  }
}
