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
  /// hidden row that says so (`keepsValueWhenHidden`), nor a value of the app's own that no row of
  /// the form has.
  ///
  /// - Parameter added: values that the app made itself, as `submit` takes them.
  /// - Throws: `StoreError.notValid` when the draft is not valid, for an invalid `FormParam` is empty
  ///   and would look like everything removed; other `StoreError`s; `DatabaseError`.
  public func changes(
    of id: DraftID, against base: ChangeBase = .submitted,
    options: FormParam.Options = FormParam.Options(), adding added: [FormParam.Entry] = []
  ) throws -> ChangeSet {
    let state = try draftWithBase(id, options: options)
    guard state.param.isValid else { throw StoreError.notValid(id, state.param) }
    if !added.isEmpty {
      let present = OrderedKeys(state.param.entries.map(\.serviceKey))
      for entry in added where present.contains(entry.serviceKey) {
        throw StoreError.duplicateKey(entry.serviceKey)
      }
    }
    let old = base == .submitted ? state.base?.entries ?? [] : state.acknowledged
    let kept =
      state.param.filteredKeys + state.draft.keptHiddenKeys(in: state.form, self.options.registry)
    return ChangeSet(
      base: base == .submitted ? state.base?.number : nil, from: old,
      to: state.param.entries + added, keeping: kept + (try foreignKeys(in: old, of: state)))
  }

  /// The keys of a base that are no fields, neither of the draft's version of the form nor of the
  /// one that was submitted: the app added them itself.
  private func foreignKeys(
    in entries: [FormParam.Entry], of state: DraftWithBase
  ) throws -> [String] {
    let unknown = entries.map(\.serviceKey).filter { state.form.field($0)?.isSubmitted != true }
    guard !unknown.isEmpty, let base = state.base, base.version != state.draft.version else {
      return unknown
    }
    let submitted = try form(base.form, version: base.version)
    return unknown.filter { submitted.field($0)?.isSubmitted != true }
  }
}
