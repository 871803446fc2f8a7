import DraftStore
import FormModel

/// A form that is being filled, without a screen, a clock or a store: it takes what a person does
/// and answers with what to show.
///
/// ```swift
/// var editor = FormEditor(form, values: draft.values)
/// editor.handle(.begin(key: "cardNo"))
/// let outcome = editor.handle(.change(key: "cardNo", TextChange(0..<0, "62220")))
/// outcome.text       // "6222 0"
/// outcome.selection  // 6..<6
/// ```
///
/// Errors are those of the values at hand: they are computed anew when an editor is made.
public struct FormEditor: Sendable {
  public let form: PreparedForm
  public let registry: RuleRegistry
  /// The key of the field where the person is.
  public internal(set) var focus: String?
  /// The values by their fields' places, defaults not among them.
  var values: [FieldValue?]
  var status: FormStatus
  /// The errors by their fields' places, also those that are drawn in no way.
  var shown: [Int: FieldError] = [:]
  var composition: Composition?

  /// Takes up a form where it was left.
  ///
  /// - Parameters:
  ///   - form: the form.
  ///   - values: the saved values by field key.
  ///   - registry: the rules that the form may name.
  public init(
    _ form: PreparedForm, values: [String: FieldValue] = [:],
    registry: RuleRegistry = RuleRegistry()
  ) {
    self.form = form
    self.registry = registry
    self.values = form.fields.map { values[$0.key] }
    status = FormStatus(form, values: FieldValues(self.values), registry: registry)
    for index in form.fields.indices { showErrorOfLongStanding(index) }
  }

  /// The answer to opening the form: all errors, and what is chosen in all tags fields.
  public var opening: EditingOutcome {
    var outcome = EditingOutcome()
    outcome.errors = errors
    outcome.focus = focus
    outcome.tags = form.fields.indices.compactMap(tagAnswer)
    return outcome
  }
}

// MARK: - What is there

extension FormEditor {
  /// A field's value, a default included.
  public func value(of key: String) -> FieldValue? { form.index(of: key).flatMap(value) }

  /// The values by field key that are, or are to be, saved; defaults are not among them.
  public var savedValues: [String: FieldValue] {
    var saved: [String: FieldValue] = [:]
    for (field, value) in zip(form.fields, values) { saved[field.key] = value }
    return saved
  }

  /// What an input or a text row shows: with separators, and with an input method's text.
  public func text(of key: String) -> String { form.index(of: key).map(text) ?? "" }

  /// What is chosen in a tags field, and whether that is enough; nil for another field.
  public func tagSelection(of key: String) -> TagSelection? {
    form.index(of: key).flatMap(tagAnswer)?.selection
  }

  /// All errors that are to be seen now, in form order.
  public var errors: [FieldError] {
    shown.filter { $0.value.errorType != .none }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// What the conditions say about a row, which is counted from 0.
  public func state(ofRow row: Int) -> RowState { Self.state(row, status) }

  /// What the form would submit now.
  public func formParam(_ options: FormParam.Options? = nil) -> FormParam {
    FormParam(
      form, values: FieldValues(values), options: options ?? FormParam.Options(registry: registry))
  }

  /// Whether a field can have the focus: it is shown, enabled, and not for showing only.
  public func canBegin(_ key: String) -> Bool { refusal(of: .begin(key: key)) == nil }

  static func state(_ row: Int, _ status: FormStatus) -> RowState {
    RowState(
      row: row, isVisible: status.isVisible[row], isRequired: status.isRequired[row],
      isEnabled: status.isEnabled[row])
  }

  func value(_ index: Int) -> FieldValue? { values[index] ?? form.fields[index].defaultValue }

  func text(_ index: Int) -> String {
    if let composition, composition.field == index { return composition.text }
    return shownText(index).shown
  }

  func shownText(_ index: Int) -> ShownText {
    ShownText(value(index)?.text ?? "", form.fields[index].inputContent?.format)
  }

  func tagAnswer(_ index: Int) -> TagAnswer? {
    form.fields[index].tagsContent.map {
      TagAnswer(key: form.fields[index].key, selection: $0.selection(of: value(index)))
    }
  }
}

// MARK: - Errors and conditions

extension FormEditor {
  /// Shows what a person who filled the field earlier was told, and must be told again.
  mutating func showErrorOfLongStanding(_ index: Int) {
    let field = form.fields[index]
    switch field.verify.type {
    case .editing, .endEdit:
      shown[index] = isVisible(index) ? status.error(in: value(index), of: field) : nil
    case .none, .stopEditing: break
    }
  }

  func isVisible(_ index: Int) -> Bool { status.isVisible[form.fields[index].rowIndex] }

  func isEnabled(_ index: Int) -> Bool { status.isEnabled[form.fields[index].rowIndex] }

  /// Shows what is wrong with the field now. An empty field shows nothing, unless it was said
  /// already that it must be filled.
  mutating func verify(_ index: Int) {
    if let error = status.error(in: value(index), of: form.fields[index]) {
      shown[index] = error
    } else {
      dropSettledError(index)
    }
  }

  /// Takes away an error that is true no longer; new ones show when the field's `verify` says.
  mutating func dropSettledError(_ index: Int) {
    guard let error = shown[index] else { return }
    let row = form.fields[index].rowIndex
    let now = status.error(
      in: value(index), of: form.fields[index],
      isRequired: status.isRequired[row] && status.isEnabled[row])
    if now?.reason != error.reason { shown[index] = nil }
  }

  /// Gives a field a value, or takes it away. Whether it has another one now.
  @discardableResult
  mutating func setValue(
    _ value: FieldValue?, _ index: Int, _ outcome: inout EditingOutcome
  ) -> Bool {
    guard values[index] != value else { return false }
    values[index] = value
    let key = form.fields[index].key
    outcome.changes.removeAll { $0.key.hasSameBytes(as: key) }
    outcome.changes.append(ValueChange(key: key, value: value))
    let old = status
    status = FormStatus(form, values: FieldValues(values), registry: registry)
    followConditions(since: old)
    return true
  }

  /// Brings errors and focus in line with what is visible and enabled now.
  private mutating func followConditions(since old: FormStatus) {
    for index in form.fields.indices {
      let row = form.fields[index].rowIndex
      if old.isVisible[row] != status.isVisible[row] {
        shown[index] = nil
        showErrorOfLongStanding(index)
      }
    }
    for index in shown.keys { dropSettledError(index) }
    if let composition, !isVisible(composition.field) { self.composition = nil }
    if let focus, let index = form.index(of: focus), !isVisible(index) || !isEnabled(index) {
      self.focus = nil
    }
  }
}
