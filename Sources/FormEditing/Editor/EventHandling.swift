import FormModel

extension FormEditor {
  /// Takes an event in and answers it. A refused event changes nothing.
  @discardableResult
  public mutating func handle(_ event: EditingEvent) -> EditingOutcome {
    var outcome = EditingOutcome(key: event.key)
    let old = status
    if !continuesComposition(event) { commitComposition(&outcome, for: event) }
    if let refusal = outcome.refusal ?? refusal(of: event) {
      outcome.refusal = refusal
    } else {
      perform(event, &outcome)
    }
    finish(&outcome, since: old)
    return outcome
  }

  /// Takes values that came from elsewhere: another window, the server, an undo. They are not to be
  /// saved again.
  ///
  /// - Parameters:
  ///   - newValues: the values by field key; nil where there is none any more.
  ///   - movesFocus: whether the person is to be where the first of them is.
  @discardableResult
  public mutating func take(
    _ newValues: [(key: String, value: FieldValue?)], movesFocus: Bool = false
  ) -> EditingOutcome {
    var outcome = EditingOutcome(key: newValues.count == 1 ? newValues[0].key : nil)
    let old = status
    for (key, value) in newValues {
      guard let index = form.index(of: key) else { continue }
      if composition?.field == index { composition = nil }
      guard setValue(value, index, &outcome) else { continue }
      showErrorOfLongStanding(index)
      outcome.show(self, index)
      if let answer = tagAnswer(index) { outcome.tags.append(answer) }
    }
    if movesFocus, let key = newValues.first?.key, canBegin(key), focus != key {
      endFocus()
      focus = key
    }
    finish(&outcome, since: old)
    return outcome
  }

  /// Takes an input method's text as it stands, if there is any.
  @discardableResult
  public mutating func endComposition() -> EditingOutcome {
    guard let composition else { return EditingOutcome() }
    return handle(.endComposition(key: form.fields[composition.field].key))
  }

  /// Leaves the form: an input method's text is taken as it stands, the field is left.
  @discardableResult
  public mutating func leave() -> EditingOutcome {
    let key = composition.map { form.fields[$0.field].key } ?? focus
    var outcome = EditingOutcome(key: key)
    let old = status
    if let key { commitComposition(&outcome, for: .end(key: key)) }
    endFocus()
    finish(&outcome, since: old)
    return outcome
  }

  private func finish(_ outcome: inout EditingOutcome, since old: FormStatus) {
    outcome.errors = errors
    outcome.focus = focus
    outcome.rows = form.rows.indices.compactMap { row in
      let state = Self.state(row, status)
      return state == Self.state(row, old) ? nil : state
    }
  }

  /// Whether an event can't be meant, by its field's kind and state.
  func refusal(of event: EditingEvent) -> EditingRefusal? {
    guard let key = event.key else { return nil }
    guard let index = form.index(of: key) else { return .unknownField }
    let isOfKind =
      switch (event, form.fields[index].content) {
      case (.begin, .text), (.set, .input), (.set, .options), (.set, .tags), (.set, .text): false
      case (.begin, _), (.end, _), (.set, .custom): true
      case (.change, .input), (.enter, .input), (.endComposition, .input), (.returnKey, .input):
        true
      case (.select, .options), (.toggle, .tags): true
      default: false
      }
    guard isOfKind else { return .wrongKind }
    // A field that is left may just have been hidden.
    if case .end = event { return nil }
    guard isVisible(index) else { return .hidden }
    return isEnabled(index) ? nil : .disabled
  }

  private mutating func perform(_ event: EditingEvent, _ outcome: inout EditingOutcome) {
    if case .validate(let errorType) = event {
      validate(errorType, &outcome)
      return
    }
    guard let key = event.key, let index = form.index(of: key) else { return }
    switch event {
    case .begin: begin(index, &outcome)
    case .change(_, let change): self.change(index, change, &outcome)
    case .enter(_, let text, let isComposing):
      enter(text, isComposing: isComposing, index, &outcome)
    case .endComposition: if outcome.text == nil { outcome.show(self, index) }
    case .end: if focus?.hasSameBytes(as: key) == true { endFocus() }
    case .returnKey: returnKey(index, &outcome)
    case .select(_, let id): select(id, index, &outcome)
    case .toggle(_, let tag): toggle(tag, index, &outcome)
    case .set(_, let value): set(value, index, &outcome)
    case .validate: break
    }
  }

  // MARK: Focus

  private mutating func begin(_ index: Int, _ outcome: inout EditingOutcome) {
    let key = form.fields[index].key
    if focus?.hasSameBytes(as: key) != true {
      endFocus()
      focus = key
    }
    let verify = form.fields[index].verify
    if verify.isBeginEditingHiddenError { shown[index] = nil }
    if verify.type == .editing { self.verify(index) }
    outcome.show(self, index)
  }

  /// Leaves the field where the person is.
  private mutating func endFocus() {
    guard let key = focus else { return }
    focus = nil
    guard let index = form.index(of: key), isVisible(index) else { return }
    switch form.fields[index].verify.type {
    case .endEdit, .editing: verify(index)
    case .none, .stopEditing: dropSettledError(index)
    }
  }

  private mutating func returnKey(_ index: Int, _ outcome: inout EditingOutcome) {
    let field = form.fields[index]
    switch field.inputContent?.returnDoneType ?? .none {
    case .none:
      switch form.rows[field.rowIndex].cellStyle {
      case .textView1, .textView2: outcome.returnResult = .newline
      default: outcome.returnResult = .nothing
      }
    case .hiddenKeyboard:
      endFocus()
      outcome.returnResult = .hidesKeyboard
    case .next:
      endFocus()
      let next = form.fields.indices.dropFirst(index + 1).first {
        form.fields[$0].inputContent != nil && isVisible($0) && isEnabled($0)
      }
      outcome.returnResult = next == nil ? .hidesKeyboard : .next
      if let next { begin(next, &outcome) }
    }
  }

  // MARK: Choices

  private mutating func select(
    _ id: OptionID?, _ index: Int, _ outcome: inout EditingOutcome
  ) {
    let field = form.fields[index]
    guard let id else {
      // Without a value, the default would come back.
      choose(field.defaultValue == nil ? nil : .null, index, &outcome)
      return
    }
    guard case .options(let options) = field.content, options.contains(where: { $0.id == id })
    else {
      outcome.refusal = .unknownOption
      return
    }
    choose(.option(id), index, &outcome)
  }

  private mutating func toggle(_ tag: OptionID, _ index: Int, _ outcome: inout EditingOutcome) {
    guard let content = form.fields[index].tagsContent else { return }
    var ids: [OptionID] = []
    if case .tags(let chosen) = value(index) { ids = chosen }
    if ids.contains(tag) {
      ids.removeAll { $0 == tag }
    } else if !content.tags.contains(where: { $0.id == tag }) {
      outcome.refusal = .unknownOption
    } else if content.selection == .single {
      ids = [tag]
    } else if let limit = content.limit, content.ordered(ids).count >= limit {
      outcome.refusal = .tooManyTags
    } else {
      ids.append(tag)
    }
    if outcome.isAccepted { choose(.tags(ids), index, &outcome, isDeletion: ids.isEmpty) }
    if let answer = tagAnswer(index) { outcome.tags = [answer] }
  }

  /// Gives a field the value that one tap chose.
  private mutating func choose(
    _ value: FieldValue?, _ index: Int, _ outcome: inout EditingOutcome, isDeletion: Bool = false
  ) {
    let field = form.fields[index]
    if field.verify.type == .stopEditing, let value, !isDeletion,
      !status.ruleHolds(for: value, of: field)
    {
      outcome.refusal = .rule
      return
    }
    if focus?.hasSameBytes(as: field.key) != true {
      endFocus()
      focus = field.key
    }
    setValue(value, index, &outcome)
    // A choice is complete at once: its editing begins and ends with it.
    switch field.verify.type {
    case .editing, .endEdit: verify(index)
    case .none, .stopEditing: dropSettledError(index)
    }
  }

  private mutating func set(
    _ value: FieldValue?, _ index: Int, _ outcome: inout EditingOutcome
  ) {
    let field = form.fields[index]
    let kept = value.flatMap { field.kept($0.typed(for: field)) }
    switch kept {
    case .string?, nil: choose(kept, index, &outcome)
    case let kept? where kept.isOf(field.dataType): choose(kept, index, &outcome)
    default: outcome.refusal = .wrongKind
    }
  }

  private mutating func validate(_ errorType: ErrorType, _ outcome: inout EditingOutcome) {
    let param = formParam(FormParam.Options(errorType: errorType, registry: registry))
    shown = [:]
    for error in param.errors {
      if let index = form.index(of: error.key) { shown[index] = error }
    }
    outcome.validation = Validation(isValid: param.isValid, firstErrorMsg: param.firstErrorMsg)
  }
}

extension FieldValue {
  /// JSON as a value of the field's type: a front end that speaks JSON can't tell a date from text.
  fileprivate func typed(for field: FormField) -> FieldValue {
    guard case .json(let json) = self, field.dataType != .json else { return self }
    return (try? FieldValue(json: json, as: field.dataType)) ?? self
  }
}

extension EditingOutcome {
  /// Tells what an input shows; nothing for other fields.
  mutating func show(_ editor: FormEditor, _ index: Int, selection: Range<Int>? = nil) {
    let field = editor.form.fields[index]
    guard field.inputContent != nil else { return }
    texts.removeAll { $0.key.hasSameBytes(as: field.key) }
    texts.append(FieldText(key: field.key, text: editor.text(index), selection: selection))
  }
}
