import DraftStore
import FormEditing
import FormModel

/// An answer of several lines while it is given.
struct FillLines {
  /// The lines so far that the session has; nil when it has none of them.
  var text: String?
  /// The lines since: a paste is saved as a whole, and not anew with each of its lines.
  var waiting: [String]
  /// Whether nothing more is taken: what follows is passed over until the answer's end, so that the
  /// rest of a paste becomes no other answer.
  var isFull = false

  /// Whether the row is no more that the lines were for.
  var isLost = false

  /// The lines so far with further ones.
  func text(with lines: ArraySlice<String>) -> String {
    ((text.map { [$0] } ?? []) + lines).joined(separator: "\n")
  }
}

extension FillDialogue {
  /// Whether lines were taken that are not on the disk; ``pause()`` sees to that.
  var holdsLines: Bool { collected?.waiting.isEmpty == false }

  /// Saves the lines so far, so that a closed terminal costs none.
  ///
  /// - Throws: `StoreError` when the draft can't be edited any more.
  mutating func pause() throws -> FillPage {
    var page = FillPage()
    try saveLines(isWhole: false, &page)
    return page
  }

  /// Takes a further line of an answer of several lines; `.` ends it.
  mutating func collect(_ line: String, _ index: Int, _ page: inout FillPage) throws {
    guard line == "." else {
      if collected?.isFull == false { collected?.waiting.append(FillInput.unescaped(line)) }
      return
    }
    try saveLines(isWhole: true, &page)
    guard collected?.isLost == false, case .field(let index) = place else {
      // Their row is no more; where the person was taken is asked again.
      collected = nil
      if case .field(let index) = place { show(index, &page) }
      return
    }
    collected = nil
    try settle(index, goesOn: finish(EditingOutcome(), index, &page), &page)
  }

  /// - Parameter isWhole: whether the answer ends, so that what others did is told even if no line
  ///   waits.
  private mutating func saveLines(isWhole: Bool, _ page: inout FillPage) throws {
    guard var lines = collected, !lines.isLost, isWhole || !lines.waiting.isEmpty else { return }
    let waiting = lines.waiting
    lines.waiting = []
    let wasFull = lines.isFull
    if try absorb(waiting, &page), case .field(let index) = place {
      enter(waiting[...], &lines, index, &page)
    } else {
      lines.isLost = true
      lines.isFull = true
    }
    if lines.isFull, !wasFull, !isWhole {
      page.add(
        .hint, "What follows is passed over, until a line with a single . alone.", lead: "  ")
    }
    collected = lines
    try save(&page)
  }

  /// Takes over what others did meanwhile, and tells when it was done to the very row.
  ///
  /// - Returns: whether the row can still hold the lines.
  private mutating func absorb(_ waiting: [String], _ page: inout FillPage) throws -> Bool {
    guard case .field(let before) = place else { return false }
    let version = session.formVersion
    let text = session.editor.text(of: form.fields[before].key)
    var answer = waiting.joined(separator: "\n")
    // As an answer, whatever the lines look like.
    if case .answer = FillInput(answer) {} else { answer = "\\" + answer }
    guard try catchUp(before: answer, &page), case .field(let index) = place else { return false }
    guard session.formVersion == version else {
      guard !rows.isMultiline(index) else { return true }
      tell(lost: waiting.joined(separator: "\n"), of: form.fields[index], &page)
      return false
    }
    if !session.editor.text(of: form.fields[index].key).hasSameBytes(as: text) {
      page.add(
        .error,
        waiting.isEmpty
          ? "Another program changed this row meanwhile; now it is:"
          : "Another program changed this row meanwhile; the lines typed here replace this:",
        lead: "! ")
      showValue(index, &page)
    }
    return true
  }

  /// Enters further lines; those that can't be taken are found and told.
  private func enter(
    _ waiting: ArraySlice<String>, _ lines: inout FillLines, _ index: Int, _ page: inout FillPage
  ) {
    guard !lines.isFull, !waiting.isEmpty else { return }
    var text = lines.text(with: waiting)
    let isCut = text.utf8.count > limit(index) && text.count > limit(index)
    // Cut here: the session cuts what differs from the text before, which may be its middle.
    if isCut { text = String(text.prefix(limit(index))) }
    let outcome = session.handle(.enter(key: form.fields[index].key, text: text))
    switch outcome.refusal {
    case nil:
      lines.text = text
      lines.isFull = isCut
      guard isCut else { return }
      page.add(
        .error, "the end was cut off: at most \(limit(index)) characters are taken", lead: "! ")
      showValue(index, &page)
    case .rule, .consecutiveSpaces, .maxLength:
      guard waiting.count == 1 else {
        let middle = waiting.startIndex + waiting.count / 2
        enter(waiting[..<middle], &lines, index, &page)
        enter(waiting[middle...], &lines, index, &page)
        return
      }
      page.add(
        .error,
        "\(quoted(waiting[waiting.startIndex])) was not taken: "
          + sentence(outcome.refusal ?? .rule, index), lead: "! ")
      return
    case let refusal?:
      lines.isFull = true
      page.add(.error, "the lines were not taken: \(sentence(refusal, index))", lead: "! ")
    }
  }
}
