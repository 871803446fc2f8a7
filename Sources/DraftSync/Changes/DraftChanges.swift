import DraftStore
import FormModel

/// What a draft is compared with.
public enum ChangeBase: String, Sendable, CaseIterable {
  /// The last submitted `FormParam`.
  case submitted
  /// What the server has acknowledged, field by field.
  case acknowledged
}

extension DraftStore {
  /// What differs between a draft's `FormParam` and its last submission, or what the server has
  /// acknowledged.
  ///
  /// A field that was filtered out for the app and not added back is no removal, nor is one of a
  /// hidden row that says so (`keepsValueWhenHidden`).
  ///
  /// - Throws: `StoreError.notValid` when the draft is not valid, for an invalid `FormParam` is empty
  ///   and would look like everything removed; other `StoreError`s; `DatabaseError`.
  public func changes(
    of id: DraftID, against base: ChangeBase = .submitted,
    options: FormParam.Options = FormParam.Options()
  ) throws -> ChangeSet {
    let state = try draftWithBase(id, options: options)
    guard state.param.isValid else { throw StoreError.notValid(id, state.param) }
    let kept = state.param.filteredKeys + state.keptHiddenKeys(self.options.registry)
    switch base {
    case .submitted:
      return ChangeSet(
        base: state.base?.number, from: state.base?.entries ?? [], to: state.param.entries,
        keeping: kept)
    case .acknowledged:
      return ChangeSet(from: state.acknowledged, to: state.param.entries, keeping: kept)
    }
  }
}

extension DraftWithBase {
  /// The service keys of rows whose value the server keeps while they are hidden.
  fileprivate func keptHiddenKeys(_ registry: RuleRegistry) -> [String] {
    guard form.rows.contains(where: \.keepsValueWhenHidden) else { return [] }
    let status = FormStatus(form, values: draft.fieldValues(in: form), registry: registry)
    return form.fields
      .filter { form.rows[$0.rowIndex].keepsValueWhenHidden && !status.isVisible[$0.rowIndex] }
      .map(\.key)
  }
}
