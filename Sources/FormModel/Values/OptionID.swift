/// What identifies an option or a tag and is submitted for it: a string or a number. The number 1
/// and the string "1" are two ids.
public enum OptionID: Sendable {
  case string(String)
  case number(Int64)

  /// The id as JSON.
  public var json: JSONValue {
    switch self {
    case .string(let text): .string(text)
    case .number(let number): .number(DecimalNumber(number))
    }
  }

  /// An id from JSON, or nil when it is neither a string nor a whole number of 64 bits.
  public init?(json: JSONValue) {
    switch json {
    case .string(let text): self = .string(text)
    case .number(let number):
      guard let value = number.integerValue else { return nil }
      self = .number(value)
    default: return nil
    }
  }
}

extension OptionID: Hashable {
  public static func == (lhs: OptionID, rhs: OptionID) -> Bool {
    switch (lhs, rhs) {
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.number(let a), .number(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let text): text.hashBytes(into: &hasher)
    case .number(let number): hasher.combine(number)
    }
  }
}

extension OptionID: CustomStringConvertible {
  /// The id's text without quotes.
  public var description: String {
    switch self {
    case .string(let text): text
    case .number(let number): String(number)
    }
  }
}

extension OptionID: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .number(value) }
}
