/// One line of a form written in Swift, with the settings that every kind of row has.
public protocol RowElement: Sendable {
  /// The row that it stands for.
  var row: Row { get set }
}

extension RowElement {
  fileprivate func with<Value>(_ path: WritableKeyPath<Row, Value>, _ value: Value) -> Self {
    var copy = self
    copy.row[keyPath: path] = value
    return copy
  }

  /// The row must be filled; with a star, its label shows so.
  public func required(star: Bool = false) -> Self {
    with(\.requiredType, star ? .requiredAndStar : .required)
  }

  /// The row must be filled when a condition holds.
  public func required(when condition: Condition) -> Self { with(\.requiredWhen, condition) }

  /// The row is shown, checked and submitted only when a condition holds.
  public func visible(when condition: Condition) -> Self { with(\.visibleWhen, condition) }

  /// The row can be edited only when a condition holds.
  public func enabled(when condition: Condition) -> Self { with(\.enabledWhen, condition) }

  /// How the row is drawn.
  public func cellStyle(_ style: CellStyle) -> Self { with(\.cellStyle, style) }

  /// The app's own mark, by which rows are filtered out of a ``FormParam``.
  public func valueType(_ type: Int) -> Self { with(\.valueType, type) }

  /// Anything that the app wants carried along.
  public func param(_ value: JSONValue) -> Self { with(\.param, value) }

  /// How the cell looks.
  public func ui(_ ui: FormUI) -> Self { with(\.ui, ui) }

  /// Changes how the cell looks: `.ui { $0.isShowArrow = true }`.
  public func ui(_ change: (inout FormUI) -> Void) -> Self {
    var ui = row.ui
    change(&ui)
    return with(\.ui, ui)
  }

  /// Earlier keys of the field, by which a draft of an older version finds its value.
  public func formerKeys(_ keys: String...) -> Self { with(\.formerKeys, keys) }

  /// How the value is converted when the row is filtered.
  public func transform(_ transform: Transform) -> Self { with(\.transform, transform) }

  /// The server keeps the value when the row becomes hidden after a submission.
  public func keepsValueWhenHidden(_ keeps: Bool = true) -> Self {
    with(\.keepsValueWhenHidden, keeps)
  }

  /// The value must not appear in messages, logs or tables of changes.
  public func sensitive(_ isSensitive: Bool = true) -> Self { with(\.isSensitive, isSensitive) }
}

/// A field whose value is verified.
public protocol VerifiedElement {
  /// When and how the value is checked.
  var verification: Verify { get set }
}

extension VerifiedElement {
  /// The rule that a value must satisfy, and how its failing shows.
  ///
  /// - Parameters:
  ///   - rule: the rule.
  ///   - type: when the rule runs while a person fills the form.
  ///   - errorMsg: what a person reads when it fails, or nil for a sentence made with the label.
  ///   - errorType: how the row draws the error.
  ///   - isBeginEditingHiddenError: whether beginning to edit hides the error.
  public func verify(
    _ rule: Rule, on type: VerifyType = .none, errorMsg: String? = nil,
    errorType: ErrorType = .none, isBeginEditingHiddenError: Bool = true
  ) -> Self {
    var copy = self
    copy.verification = Verify(
      type, rule: rule, errorMsg: errorMsg, errorType: errorType,
      isBeginEditingHiddenError: isBeginEditingHiddenError)
    return copy
  }

  /// How an empty required value, or one that the form refuses without a rule, shows.
  public func verify(
    on type: VerifyType = .none, errorMsg: String?, errorType: ErrorType = .none,
    isBeginEditingHiddenError: Bool = true
  ) -> Self {
    var copy = self
    copy.verification = Verify(
      type, errorMsg: errorMsg, errorType: errorType,
      isBeginEditingHiddenError: isBeginEditingHiddenError)
    return copy
  }
}

/// A field that is typed: an ``Input`` or the left of a ``Pair``.
public protocol InputElement: VerifiedElement {
  /// What is typed, and how.
  var input: InputContent { get set }
}

extension InputElement {
  public var verification: Verify {
    get { input.verify }
    set { input.verify = newValue }
  }

  private func with<Value>(
    _ path: WritableKeyPath<InputContent, Value>, _ value: Value
  ) -> Self {
    var copy = self
    copy.input[keyPath: path] = value
    return copy
  }

  /// What shows while nothing is typed.
  public func placeholder(_ text: String) -> Self { with(\.placeholder, text) }

  /// The most Characters, as a person counts them; checked at validation too.
  public func maxLength(_ count: Int) -> Self { with(\.maxLength, count) }

  /// The keyboard that suits the field.
  public func keyboard(_ type: KeyboardType) -> Self { with(\.keyboardType, type) }

  /// The return key's face, and what it does.
  public func returnKey(_ type: ReturnKeyType = .default, done: ReturnDoneType) -> Self {
    with(\.returnKeyType, type).with(\.returnDoneType, done)
  }

  /// The return key's face.
  public func returnKey(_ type: ReturnKeyType) -> Self { with(\.returnKeyType, type) }

  /// Long text scrolls inside the cell.
  public func scrollEnabled(_ isEnabled: Bool = true) -> Self {
    with(\.isScrollEnabled, isEnabled)
  }

  /// Two spaces in a row may be typed.
  public func consecutiveSpaces(_ isAllowed: Bool = true) -> Self {
    with(\.isConsecutiveSpaces, isAllowed)
  }

  /// Groups of characters that are shown apart, with a separator that is not submitted.
  public func grouped(by count: Int, separator: String = " ") -> Self {
    with(\.format, InputFormat(groupsOf: count, separator: separator))
  }
}

/// A field with one choice from a list: a ``Choice`` or the left of a ``Pair``.
public protocol ChoiceElement: VerifiedElement {
  /// The options and what holds of them.
  var choice: OptionContent { get set }
}

extension ChoiceElement {
  public var verification: Verify {
    get { choice.verify }
    set { choice.verify = newValue }
  }

  /// What shows while nothing is chosen.
  public func placeholder(_ text: String) -> Self {
    var copy = self
    copy.choice.placeholder = text
    return copy
  }

  /// The option, counted from 0, that holds until another is chosen.
  public func selectedIndex(_ index: Int) -> Self {
    var copy = self
    copy.choice.selectedIndex = index
    return copy
  }
}
