extension Rule {
  /// What a value that satisfies the rule looks like, for the messages of rows that state none; nil
  /// where the rule does not tell a person much.
  var expectation: String? {
    switch self {
    case .required: "a value"
    case .length(let min, let max):
      Self.range(min.map(String.init), max.map(String.init), "characters")
    case .number(let min, let max, let decimals):
      Self.number(Self.range(min?.text, max?.text, nil), decimals)
    case .integer: "a whole number"
    case .email: "an e-mail address, such as name@example.com"
    case .url: "a web address, such as https://example.com"
    case .mobileCN: "a mobile number of 11 digits"
    case .residentID: "a resident identity number of 18 characters"
    case .socialCreditCode: "a unified social credit code of 18 characters"
    case .bankCard: "a bank card number without spaces"
    case .date(let min, let max):
      "a date " + (Self.range(min?.description, max?.description, nil) ?? "as YYYY-MM-DD")
    case .oneOf(let choices) where choices.count <= 12:
      "one of " + choices.map { $0.stringValue ?? $0.jsonText }.joined(separator: ", ")
    case .equalTo(let key): "the same as in \(key)"
    case .regex, .oneOf, .all, .any, .not, .named: nil
    }
  }

  private static func range(_ min: String?, _ max: String?, _ unit: String?) -> String? {
    let words: String? =
      switch (min, max) {
      case (let min?, let max?): "from \(min) to \(max)"
      case (let min?, nil): "of at least \(min)"
      case (nil, let max?): "of at most \(max)"
      case (nil, nil): nil
      }
    guard let unit else { return words }
    return words.map { "\($0) \(unit)" }
  }

  private static func number(_ range: String?, _ decimals: Int?) -> String {
    "a number" + (range.map { " \($0)" } ?? "")
      + (decimals.map { " with at most \($0) decimals" } ?? "")
  }
}
