import DraftStore
import FormModel

/// The merge of a submission with what others wrote to the server's record, field by field.
///
/// What only one side changed is taken; what both changed to the same value is settled; what both
/// changed to different values is a conflict, decided by the policy. What a draft could not hold or submit is
/// never taken.
struct ThreeWayMerge {
  let draft: DraftID
  let form: PreparedForm
  /// The rules that the form's conditions may name.
  let registry: RuleRegistry
  /// What the server was known to hold.
  let base: [FormParam.Entry]
  let mine: [FormParam.Entry]
  /// What the server holds now, for the fields of the form.
  let theirs: [FormParam.Entry]
  /// Keys that are no removal when they are missing in `mine`.
  let keptKeys: [String]
  let policy: SyncSettings.ConflictPolicy

  var result: MergeResult {
    let result = result(keeping: [])
    let kept = keysToKeep(result)
    return kept.isEmpty ? result : self.result(keeping: kept)
  }

  /// - Parameter kept: the fields that are not taken from the server.
  private func result(keeping kept: [String]) -> MergeResult {
    var result = MergeResult(
      merged: mine, taken: [], acknowledged: [], conflicts: [],
      policy: policy.forNewerEdits)
    for key in keys {
      let (base, theirs) = (base.value(key), theirs.value(key))
      let mine =
        mine.value(key) ?? (keptKeys.contains { $0.hasSameBytes(as: key) } ? base : nil)
      if theirs.isSameOnTheWire(as: base) || theirs.isSameOnTheWire(as: mine) {
        result.acknowledged.append((key, theirs))
      } else {
        let isFit = form.canHold(theirs, for: key) && !kept.contains { $0.hasSameBytes(as: key) }
        switch policy {
        case _ where isFit && mine.isSameOnTheWire(as: base), .theirs where isFit:
          result.take(theirs, for: key)
        case .mine: result.acknowledged.append((key, theirs))
        case .theirs, .ask:
          result.conflicts.append(
            Conflict(draft: draft, serviceKey: key, base: base, mine: mine, theirs: theirs))
        }
      }
    }
    return result
  }

  /// The fields that the server emptied though the form requires them, or along with all else that
  /// it was known to hold: whether that is meant is for a person to say.
  private func keysToKeep(_ result: MergeResult) -> [String] {
    let emptied = result.taken.filter { key, value in
      (value?.isBlank ?? true) && !(base.value(key)?.isBlank ?? true)
    }.map(\.key)
    guard !emptied.isEmpty else { return [] }
    guard base.contains(where: { theirs.value($0.serviceKey) != nil }) else { return emptied }
    let (before, after) = (status(mine), status(result.merged))
    return emptied.filter { key in
      guard let row = form.field(key)?.rowIndex else { return false }
      // What others hid is not required any more.
      let isHidden = before.isVisible[row] && !after.isVisible[row]
      return after.isRequired[row] && after.isEnabled[row] && !isHidden
    }
  }

  private func status(_ entries: [FormParam.Entry]) -> FormStatus {
    let values = form.fields.map { field in
      entries.value(field.key).map { (try? FieldValue(json: $0.json, as: field.dataType)) ?? $0 }
    }
    return FormStatus(form, values: FieldValues(values), registry: registry)
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
