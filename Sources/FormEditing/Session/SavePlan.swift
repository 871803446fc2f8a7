import DraftStore
import FormModel

/// A value that waits to be saved.
struct PendingEdit {
  let key: String
  var value: FieldValue?
  /// Whether it goes on with the step before it, for undo.
  var continuesStep: Bool
}

/// What of a session is not saved yet, in order.
struct SavePlan {
  private(set) var edits: [PendingEdit] = []
  /// What is being written at the moment.
  private(set) var inFlight: [PendingEdit] = []
  /// The key of the field where the person was last, when that is not saved.
  var focus: String?
  private var focusInFlight: String?

  var isEmpty: Bool { edits.isEmpty && inFlight.isEmpty && focus == nil && focusInFlight == nil }

  /// Adds a value. Typing that goes on replaces what waits already.
  mutating func add(_ edit: PendingEdit) {
    if edit.continuesStep, let last = edits.last, last.key.hasSameBytes(as: edit.key) {
      edits[edits.count - 1].value = edit.value
    } else {
      edits.append(edit)
    }
  }

  /// Takes what one transaction is to save, or nil when there is nothing.
  ///
  /// - Parameter isStep: whether it shall be one step to undo.
  mutating func take(isStep: Bool) -> (edits: [PendingEdit], focus: String?)? {
    guard !edits.isEmpty || focus != nil else { return nil }
    inFlight = isStep ? Array(edits.prefix(1)) : edits
    edits.removeFirst(inFlight.count)
    (focusInFlight, focus) = (focus, nil)
    return (inFlight, focusInFlight)
  }

  /// What was taken is saved.
  mutating func settle() {
    (inFlight, focusInFlight) = ([], nil)
  }

  /// What was taken could not be saved, and waits again.
  mutating func putBack() {
    if let last = inFlight.last, let first = edits.first, first.continuesStep,
      first.key.hasSameBytes(as: last.key)
    {
      edits[0].continuesStep = last.continuesStep
      inFlight.removeLast()
    }
    edits = inFlight + edits
    focus = focus ?? focusInFlight
    settle()
  }

  /// Whether a field has a value that is not saved.
  func holds(_ key: String) -> Bool {
    (edits + inFlight).contains { $0.key.hasSameBytes(as: key) }
  }
}
