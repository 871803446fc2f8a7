/// The rules and conversions that an app registers by name.
public struct RuleRegistry: Sendable {
  /// A rule: whether a value, which is not blank, is right; `values` holds the form's visible
  /// values by field key.
  public typealias NamedRule =
    @Sendable (_ value: FieldValue, _ values: [String: FieldValue]) -> Bool
  /// A conversion of a filtered row's value.
  public typealias NamedTransform = @Sendable (_ value: FieldValue) -> FieldValue

  private var rules: [String: NamedRule] = [:]
  private var transforms: [String: NamedTransform] = [:]

  public init() {}

  /// Registers a rule, which ``Rule/named(_:)`` then finds.
  public mutating func register(rule name: String, _ rule: @escaping NamedRule) {
    rules[name] = rule
  }

  /// Registers a conversion, which ``Transform/named(_:)`` then finds.
  public mutating func register(transform name: String, _ transform: @escaping NamedTransform) {
    transforms[name] = transform
  }

  func rule(_ name: String) -> NamedRule? { rules[name] }
  func transform(_ name: String) -> NamedTransform? { transforms[name] }
}

/// What a rule may look at besides the value.
struct RuleContext {
  var values: [String: FieldValue]
  var registry: RuleRegistry
}

extension Rule {
  /// Whether a value, which is there, satisfies the rule.
  func holds(for value: FieldValue, in context: RuleContext) -> Bool {
    switch self {
    case .required: !value.isBlank
    case .regex(let pattern): pattern.matchesWhole(value.text)
    case .length(let min, let max): Self.isWithin(value.text.count, min, max)
    case .number(let min, let max, let decimals):
      Self.isNumber(value.text, min: min, max: max, decimals: decimals)
    case .integer:
      DecimalNumber(value.text).map { $0.text.utf8.allSatisfy(Self.isDigitOrMinus) } ?? false
    case .email: EmailAddress.isValid(value.text)
    case .url: WebURL.isValid(value.text)
    case .mobileCN: MobileNumberCN.isValid(value.text)
    case .residentID: ResidentID.isValid(value.text)
    case .socialCreditCode: SocialCreditCode.isValid(value.text)
    case .bankCard: BankCard.isValid(value.text)
    case .date(let min, let max): Self.isDate(value, min: min, max: max)
    case .oneOf(let choices): choices.contains { value.matches($0) }
    case .equalTo(let key): context.values[key].map { value.isEquivalent(to: $0) } ?? false
    case .all(let rules): rules.allSatisfy { $0.holds(for: value, in: context) }
    case .any(let rules): rules.contains { $0.holds(for: value, in: context) }
    case .not(let rule): !rule.holds(for: value, in: context)
    // A name that nobody registered is refused when the form is saved; here it never holds.
    case .named(let name): context.registry.rule(name)?(value, context.values) ?? false
    }
  }

  private static func isWithin(_ count: Int, _ min: Int?, _ max: Int?) -> Bool {
    count >= min ?? 0 && count <= max ?? .max
  }

  private static func isDigitOrMinus(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isNumber(
    _ text: String, min: DecimalNumber?, max: DecimalNumber?, decimals: Int?
  ) -> Bool {
    guard let number = DecimalNumber(text) else { return false }
    if let min, number.precedes(min) { return false }
    if let max, max.precedes(number) { return false }
    return number.fractionDigits <= decimals ?? .max
  }

  private static func isDate(_ value: FieldValue, min: CalendarDate?, max: CalendarDate?) -> Bool {
    let date: CalendarDate? =
      switch value {
      case .date(let date): date
      case .dateTime(let instant): instant.date
      default: CalendarDate(value.text)
      }
    guard let date else { return false }
    return (min.map { $0 <= date } ?? true) && (max.map { date <= $0 } ?? true)
  }

  /// The names of registered rules that it uses, and the keys of other fields.
  var namedRules: [String] {
    switch self {
    case .named(let name): [name]
    case .all(let rules), .any(let rules): rules.flatMap(\.namedRules)
    case .not(let rule): rule.namedRules
    default: []
    }
  }

  var keys: [String] {
    switch self {
    case .equalTo(let key): [key]
    case .all(let rules), .any(let rules): rules.flatMap(\.keys)
    case .not(let rule): rule.keys
    default: []
    }
  }
}

extension FieldValue {
  /// Whether the value is the one that a definition's JSON denotes; numbers compare by value, also
  /// with digits in quotes, and a selection of one tag also by its id alone.
  func matches(_ json: JSONValue) -> Bool {
    switch (self, json) {
    case (.decimal(let number), .string(let text)):
      DecimalNumber(text).map(number.isEquivalent) ?? false
    case (.integer(let number), .string(let text)):
      DecimalNumber(text).map(DecimalNumber(number).isEquivalent) ?? false
    case (.tags(let ids), .string), (.tags(let ids), .number):
      ids.count == 1 && ids[0].json.isEquivalent(to: json)
    default: self.json.isEquivalent(to: json)
    }
  }
}

extension Condition {
  /// Whether it holds for the values that are there.
  func holds(in context: RuleContext) -> Bool {
    switch self {
    case .test(let key, let test): test.holds(for: context.values[key], in: context)
    case .all(let conditions): conditions.allSatisfy { $0.holds(in: context) }
    case .any(let conditions): conditions.contains { $0.holds(in: context) }
    case .not(let condition): !condition.holds(in: context)
    }
  }

  /// The names of registered rules that it uses.
  var namedRules: [String] {
    switch self {
    case .test(_, .rule(let rule)): rule.namedRules
    case .test: []
    case .all(let conditions), .any(let conditions): conditions.flatMap(\.namedRules)
    case .not(let condition): condition.namedRules
    }
  }
}

extension ConditionTest {
  func holds(for value: FieldValue?, in context: RuleContext) -> Bool {
    switch self {
    case .equals(let json): value?.matches(json) ?? (json == .null)
    case .notEquals(let json): !(value?.matches(json) ?? (json == .null))
    case .oneOf(let choices): value.map { value in choices.contains { value.matches($0) } } ?? false
    case .contains(let json): value.map { Self.contains($0, json) } ?? false
    case .isEmpty(let wanted): (value?.isBlank ?? true) == wanted
    case .rule(let rule):
      value.map { !$0.isBlank && rule.holds(for: $0, in: context) } ?? false
    }
  }

  private static func contains(_ value: FieldValue, _ part: JSONValue) -> Bool {
    switch value {
    case .tags(let ids): return ids.contains { $0.json.isEquivalent(to: part) }
    case .json(.array(let elements)): return elements.contains { $0.isEquivalent(to: part) }
    default:
      guard let text = part.stringValue else { return false }
      let (haystack, needle) = (Array(value.text.utf8), Array(text.utf8))
      guard needle.count <= haystack.count else { return false }
      return (0...haystack.count - needle.count).contains {
        haystack[$0...].starts(with: needle)
      }
    }
  }
}
