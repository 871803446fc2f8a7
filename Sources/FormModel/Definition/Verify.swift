/// When and how an input is checked (`ZJJFormVerify`).
public struct Verify: Hashable, Sendable {
  /// When the rule runs while a person fills the form. At validation it runs whatever its timing.
  public var type: VerifyType
  public var rule: Rule?
  /// What a person reads when the field is empty though required, or its rule fails.
  public var errorMsg: String?
  public var errorType: ErrorType
  /// Whether beginning to edit hides the error.
  public var isBeginEditingHiddenError: Bool

  public init(
    _ type: VerifyType = .none, rule: Rule? = nil, errorMsg: String? = nil,
    errorType: ErrorType = .none, isBeginEditingHiddenError: Bool = true
  ) {
    self.type = type
    self.rule = rule
    self.errorMsg = errorMsg
    self.errorType = errorType
    self.isBeginEditingHiddenError = isBeginEditingHiddenError
  }
}

/// When a rule runs (`ZJJFormInputVerifyType`).
public enum VerifyType: String, Hashable, Sendable, CaseIterable {
  /// Only at validation.
  case none
  /// At begin and at each change; the error shows and typing goes on.
  case editing
  /// On what the value would become; a change that fails is refused.
  case stopEditing
  /// At the end of editing.
  case endEdit
}

/// How an error is drawn (`ZJJFormInputErrorType`).
public enum ErrorType: String, Hashable, Sendable, CaseIterable {
  case none
  /// The separator line changes its colour.
  case line
  /// The message is shown.
  case label
  case lineAndLabel
}

/// A check of a value, as data, so that it can be kept with the form.
public indirect enum Rule: Hashable, Sendable {
  /// The value is not blank.
  case required
  /// The whole text matches.
  case regex(Pattern)
  /// The count of Characters.
  case length(min: Int?, max: Int?)
  /// The value as a number; `decimals` is the most digits after the point.
  case number(min: DecimalNumber?, max: DecimalNumber?, decimals: Int?)
  /// A whole number of any length.
  case integer
  case email
  case url
  /// A mobile number of mainland China.
  case mobileCN
  /// A resident identity number (GB 11643-1999) with its check digit.
  case residentID
  /// A unified social credit code (GB 32100-2015).
  case socialCreditCode
  /// A bank card number (ISO/IEC 7812, Luhn).
  case bankCard
  /// A date from `min` to `max`, both included.
  case date(min: CalendarDate?, max: CalendarDate?)
  case oneOf([JSONValue])
  /// The value equals that of the field with this key.
  case equalTo(key: String)
  case all([Rule])
  case any([Rule])
  case not(Rule)
  /// A rule that the app registers under this name.
  case named(String)
}

/// When a row is visible, required or enabled: tests of other fields' values. A hidden field
/// counts as having no value.
public indirect enum Condition: Hashable, Sendable {
  case test(key: String, ConditionTest)
  case all([Condition])
  case any([Condition])
  case not(Condition)

  /// The field keys that it looks at.
  public var keys: [String] {
    switch self {
    case .test(let key, .rule(let rule)): [key] + rule.keys
    case .test(let key, _): [key]
    case .all(let conditions), .any(let conditions): conditions.flatMap(\.keys)
    case .not(let condition): condition.keys
    }
  }
}

/// What a condition asks of one field.
public enum ConditionTest: Hashable, Sendable {
  case equals(JSONValue)
  case notEquals(JSONValue)
  case oneOf([JSONValue])
  /// The tag selection holds this tag, or the text holds this part.
  case contains(JSONValue)
  /// Whether the field is blank.
  case isEmpty(Bool)
  /// A rule holds for the value, which is there.
  case rule(Rule)
}
