import DraftStore
import FormModel

/// The merge of a submission with what others wrote to the server's record, field by field.
///
/// What only one side changed is taken; what both changed to the same value is settled; what both
/// changed to different values is a conflict, decided by the policy.
struct ThreeWayMerge {
  let draft: DraftID
  /// What the server was known to hold.
  let base: [FormParam.Entry]
  let mine: [FormParam.Entry]
  /// What the server holds now, for the fields of the form.
  let theirs: [FormParam.Entry]
  /// Keys that are no removal when they are missing in `mine`.
  let keptKeys: [String]
  let policy: SyncSettings.ConflictPolicy

  var result: MergeResult {
    var result = MergeResult(
      merged: mine, taken: [], acknowledged: [], conflicts: [],
      policy: policy.forNewerEdits)
    for key in keys {
      let (base, theirs) = (base.value(key), theirs.value(key))
      let mine =
        mine.value(key) ?? (keptKeys.contains { $0.hasSameBytes(as: key) } ? base : nil)
      if theirs.isSameOnTheWire(as: base) || theirs.isSameOnTheWire(as: mine) {
        result.acknowledged.append((key, theirs))
      } else if mine.isSameOnTheWire(as: base) {
        result.take(theirs, for: key)
      } else {
        switch policy {
        case .mine: result.acknowledged.append((key, theirs))
        case .theirs: result.take(theirs, for: key)
        case .ask:
          result.conflicts.append(
            Conflict(draft: draft, serviceKey: key, base: base, mine: mine, theirs: theirs))
        }
      }
    }
    return result
  }

  /// The keys of all sides, each once: the submission's order, then the others'.
  private var keys: [String] {
    OrderedKeys((mine + theirs + base).map(\.serviceKey)).keys
  }
}

extension SyncSettings.ConflictPolicy {
  fileprivate var forNewerEdits: MergeResult.Policy {
    switch self {
    case .ask: .ask
    case .mine: .mine
    case .theirs: .theirs
    }
  }
}

extension MergeResult {
  fileprivate mutating func take(_ value: FieldValue?, for key: String) {
    taken.append((key, value))
    acknowledged.append((key, value))
    merged = merged.replacing(key, with: value)
  }
}
