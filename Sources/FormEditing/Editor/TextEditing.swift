import FormModel

/// Text of an input method that is not committed yet. Until it is, it may hold what no rule allows,
/// and cutting it would break the input method.
struct Composition: Sendable {
  /// The field's place.
  let field: Int
  /// What was shown before.
  let base: String
  /// What is shown now.
  var text: String
  /// Where the part that differs starts.
  var lower: Int
  /// How much after that part is as before.
  var suffix: Int

  /// The part that differs, as one change of ``base``.
  var change: TextChange {
    let end = max(lower, text.utf16.count - suffix)
    return TextChange(
      lower..<max(lower, base.utf16.count - suffix), String(text.part(lower..<end)))
  }
}

extension FormEditor {
  func continuesComposition(_ event: EditingEvent) -> Bool {
    guard let composition, let key = event.key else { return false }
    switch event {
    case .change, .enter: return form.index(of: key) == composition.field
    default: return false
    }
  }

  /// Takes the input method's text as it stands, before an event that does not go on with it.
  mutating func commitComposition(_ outcome: inout EditingOutcome, for event: EditingEvent) {
    guard let composition else { return }
    self.composition = nil
    apply(composition.change, composition.field, &outcome)
    // Whether the text was refused is no answer to another event; it shows in the text.
    if case .endComposition(let key) = event, form.index(of: key) == composition.field { return }
    outcome.refusal = nil
  }

  mutating func change(
    _ index: Int, _ change: TextChange, _ outcome: inout EditingOutcome
  ) {
    let shown = text(index)
    var change = change
    change.range = shown.scalarRange(change.range)
    guard change.isComposing || composition != nil else {
      apply(change, index, &outcome)
      return
    }
    let suffix = shown.utf16.count - change.range.upperBound
    var composition =
      composition
      ?? Composition(
        field: index, base: shown, text: shown, lower: change.range.lowerBound, suffix: suffix)
    composition.lower = min(composition.lower, change.range.lowerBound)
    composition.suffix = min(composition.suffix, suffix)
    composition.text = shown.replacing(change.range, with: change.replacement)
    if change.isComposing {
      self.composition = composition
      let cursor = change.range.lowerBound + change.replacement.utf16.count
      outcome.show(self, index, selection: cursor..<cursor)
      outcome.isComposing = true
    } else {
      self.composition = nil
      apply(composition.change, index, &outcome)
    }
  }

  mutating func enter(
    _ text: String, isComposing: Bool, _ index: Int, _ outcome: inout EditingOutcome
  ) {
    if isComposing {
      let shown = self.text(index)
      var change = shown.change(to: text) ?? TextChange(shown.utf16.count..<shown.utf16.count, "")
      change.isComposing = true
      self.change(index, change, &outcome)
      return
    }
    // What an input method showed meanwhile does not count: only what comes of it.
    composition = nil
    let shown = shownText(index)
    let wanted = ShownText(text, form.fields[index].inputContent?.format)
    guard let change = shown.shown.change(to: wanted.shown) else {
      outcome.show(self, index)
      return
    }
    apply(change, index, &outcome, isWhole: true)
  }

  /// Makes a change of a field's text that is complete.
  private mutating func apply(
    _ change: TextChange, _ index: Int, _ outcome: inout EditingOutcome, isWhole: Bool = false
  ) {
    let field = form.fields[index]
    guard let input = field.inputContent else { return }
    let shown = shownText(index)
    do {
      let edit = try InputEdit(change, in: shown, input, isWhole: isWhole) {
        status.ruleHolds(for: field.typed($0), of: field)
      }
      // An input that was emptied is as one that was never filled: the form says what is submitted.
      let isSame = edit.text.hasSameBytes(as: shown.raw)
      if !isSame { setValue(edit.text.isEmpty ? nil : field.typed(edit.text), index, &outcome) }
      outcome.isCut = edit.isCut
      outcome.show(self, index, selection: edit.cursor..<edit.cursor)
      verifyChange(index)
    } catch {
      outcome.refusal = error.reason
      outcome.show(self, index, selection: change.range)
    }
  }

  private mutating func verifyChange(_ index: Int) {
    let field = form.fields[index]
    let isFocused = focus?.hasSameBytes(as: field.key) == true
    switch field.verify.type {
    case .editing: verify(index)
    // A change without a focus, as by autofill, is followed by no end.
    case .endEdit where !isFocused: verify(index)
    default: dropSettledError(index)
    }
  }
}
