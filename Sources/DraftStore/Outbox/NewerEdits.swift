import FormModel

/// A submission with the outbox's item that holds it.
struct QueuedSubmission {
  let item: Int64
  let submission: Submission
}

/// What the person did after a submission that is merged: the submission that is queued next, and
/// edits that are not submitted yet. Nothing of it may be lost to what the server holds.
struct NewerEdits {
  let task: OutboxTask
  let draft: Draft
  /// The entries of the submission that is queued next, with what was taken; nil for none.
  private(set) var next: [FormParam.Entry]?
  let policy: MergeResult.Policy

  /// What goes into the draft.
  private(set) var untouched: [(key: String, value: FieldValue?)] = []
  private(set) var conflicts: [Conflict] = []

  init(
    task: OutboxTask, draft: Draft, next: [FormParam.Entry]?, policy: MergeResult.Policy
  ) {
    self.task = task
    self.draft = draft
    self.next = next
    self.policy = policy
  }

  /// Takes a value that only the server changed since the base.
  mutating func take(_ value: FieldValue?, for key: String) {
    let submitted = task.submission.entries.value(key)
    let queued = next.map { $0.value(key) } ?? submitted
    let current = draft.current(key, in: task.form)
    if !queued.isSameOnTheWire(as: submitted), !queued.isSameOnTheWire(as: value) {
      switch policy {
      case .ask: return conflict(key, mine: queued, theirs: value)
      case .mine: return
      case .theirs: break
      }
    }
    next = next?.replacing(key, with: value)
    if current.isSubmitted(as: queued) {
      untouched.append((key, value))
    } else if policy == .ask, !current.isSubmitted(as: value) {
      conflict(key, mine: current, theirs: value)
    }
  }

  /// Makes conflicts of what the draft can't hold: it may have gone on to a version of the form that
  /// has another type for a field.
  mutating func checkUntouched(in form: PreparedForm) {
    for (key, value) in untouched where !form.canHold(value, for: key) {
      conflict(key, mine: draft.current(key, in: form), theirs: value)
    }
    untouched.removeAll { !form.canHold($0.value, for: $0.key) }
  }

  /// A conflict with the person's newest submitted value.
  func updated(_ conflict: Conflict) -> Conflict {
    guard let next else { return conflict }
    return Conflict(
      draft: conflict.draft, serviceKey: conflict.serviceKey, base: conflict.base,
      mine: next.value(conflict.serviceKey), theirs: conflict.theirs)
  }

  private mutating func conflict(_ key: String, mine: FieldValue?, theirs: FieldValue?) {
    conflicts.append(
      Conflict(
        draft: draft.id, serviceKey: key, base: task.acknowledged.value(key), mine: mine,
        theirs: theirs))
  }
}

extension Draft {
  /// What a field would be submitted as; its visibility and the form's choice for empty ones aside.
  func current(_ key: String, in form: PreparedForm) -> FieldValue? {
    form.field(key).flatMap { field in (self[key] ?? field.defaultValue).map(field.submitted) }
  }
}

extension FieldValue? {
  /// Whether a draft's value is what was submitted. A form may submit null or "" for what a draft
  /// does not hold.
  func isSubmitted(as other: FieldValue?) -> Bool {
    isSameOnTheWire(as: other) || isEmpty && other.isEmpty
  }

  private var isEmpty: Bool {
    switch self {
    case nil, .null, .string(""), .json(.null), .tags([]): true
    default: false
    }
  }
}
