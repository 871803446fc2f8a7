import DraftStore
import FormEditing
import FormModel

/// What others do to the draft meanwhile.
extension FillDialogue {
  /// Takes over what others saved, and goes on with the version of the form that the draft has now.
  ///
  /// - Parameter line: what was typed.
  /// - Returns: whether the line is still to be taken.
  mutating func catchUp(before line: String, _ page: inout FillPage) throws -> Bool {
    let saved = try session.store.draft(session.draft)
    guard saved.version != session.formVersion else {
      // What another window saved meanwhile is shown, and not overwritten.
      _ = session.absorb(saved)
      return true
    }
    return try moveOn(line, &page)
  }

  /// Opens the draft anew, with another version of its form, where the person was.
  ///
  /// - Parameter line: what was typed for the version before.
  /// - Returns: whether it means the same in the other version.
  mutating func moveOn(_ line: String, _ page: inout FillPage) throws -> Bool {
    let (old, oldRows) = (session, rows)
    try reopen()
    page.add(
      .error, "The draft was brought to version \(session.formVersion) of its form meanwhile.",
      lead: "! ")
    // What could not be saved before: its rows may be gone.
    if (try? old.flush()) == nil {
      page.add(.error, "What was not saved before could not be saved in it.", lead: "! ")
    }
    saveError = nil
    let (isAnswer, isCommand) =
      switch FillInput(line) {
      case .answer, .clear: (true, false)
      case .keep, .back, .forward: (false, false)
      default: (false, true)
      }
    guard case .field(let oldIndex) = place else {
      try arriveAtEnd(&page)
      return isCommand
    }
    let field = oldRows.form.fields[oldIndex]
    let index = Self.place(of: field, in: form)
    guard let index, canBegin(index) else {
      page.add(.error, "\(oldRows.label(oldIndex)) is asked no more.", lead: "! ")
      if isAnswer { tell(lost: line, of: field, &page) }
      place = .field(oldIndex)
      guard let next = next(from: min(oldIndex, form.fields.count)) else {
        try arriveAtEnd(&page)
        return isCommand
      }
      try go(to: next, &page)
      return isCommand
    }
    place = .field(index)
    session.handle(.begin(key: form.fields[index].key))
    guard isAnswer, !form.fields[index].takes(answersTo: field) else { return true }
    // The same number may mean something else now.
    tell(lost: line, of: field, &page)
    try go(to: index, &page)
    return false
  }

  func tell(lost answer: String, of field: FormField, _ page: inout FillPage) {
    let shown =
      field.isSensitive ? "what was typed" : "\"\(FillInput.unescaped(answer))\""
    page.add(.error, "\(shown) was not taken.", lead: "! ")
  }

  /// The place of a field in another version of its form: by its key, else by a former one.
  private static func place(of field: FormField, in form: PreparedForm) -> Int? {
    form.index(of: field.key)
      ?? form.fields.firstIndex { other in
        other.formerKeys.contains { $0.hasSameBytes(as: field.key) }
          // On the way back to an earlier version.
          || field.formerKeys.contains { $0.hasSameBytes(as: other.key) }
      }
  }
}

extension FormField {
  /// Whether what answers another version of the field answers this one too.
  fileprivate func takes(answersTo other: FormField) -> Bool {
    switch (content, other.content) {
    case (.input, .input): isSensitive || !other.isSensitive
    default: content == other.content && isSensitive == other.isSensitive
    }
  }
}
