import Testing

@testable import FormModel

/// The cases that are kept with the tests: identity.json, and the forms' patterns.
@Suite struct IdentityCasesTests {
  @Test func everyVerdictOfIdentityIsGiven() throws {
    let cases = try #require(try readCases("values/identity.json")["values"]?.arrayValue)
    let validators: [String: (String) -> Bool] = [
      "cn-resident-id": ResidentID.isValid, "cn-mobile": MobileNumberCN.isValid,
      "cn-uscc": SocialCreditCode.isValid, "bank-card-luhn": BankCard.isValid,
      "email": EmailAddress.isValid,
    ]
    var verdicts = 0
    for entry in cases {
      let value = try #require(entry["value"]?.stringValue)
      let kind = try #require(entry["kind"]?.stringValue)
      // Null is for a policy to decide, and "other" has no rule.
      guard let expected = entry["valid"]?.boolValue, let isValid = validators[kind] else {
        continue
      }
      #expect(isValid(value) == expected, "\(kind) \(value): \(entry["note"]?.stringValue ?? "")")
      verdicts += 1
    }
    #expect(verdicts > 40)
  }

  /// What identity.json leaves to a policy: one spelling is accepted, others are refused as typed.
  @Test func policiesAreDecided() throws {
    let cases = try #require(try readCases("values/identity.json")["values"]?.arrayValue)
    let accepted: Set = ["11010519491231002x"]
    for entry in cases where entry["valid"] == .null {
      let value = try #require(entry["value"]?.stringValue)
      switch entry["kind"]?.stringValue {
      case "cn-resident-id": #expect(ResidentID.isValid(value) == accepted.contains(value))
      case "cn-mobile": #expect(!MobileNumberCN.isValid(value))
      case "email": #expect(!EmailAddress.isValid(value))
      default: break
      }
    }
  }

  @Test(arguments: ["forms/profile.json", "forms/calculator.json", "forms/interests.json"])
  func everyPatternOfTheFormsCompiles(_ path: String) throws {
    var found = 0
    func visit(_ value: JSONValue) throws {
      for member in value.objectValue?.members ?? [] {
        if member.key == "regex", let source = member.value.stringValue {
          _ = try Pattern(source)
          found += 1
        }
        try visit(member.value)
      }
      for element in value.arrayValue ?? [] { try visit(element) }
    }
    try visit(readCases(path))
    #expect(found > 0 || path == "forms/interests.json")
  }
}
