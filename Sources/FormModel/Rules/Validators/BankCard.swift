/// A bank card's number (ISO/IEC 7812-1).
enum BankCard {
  /// Whether the text is 12 to 19 ASCII digits, without separators, and the last one is right by
  /// Luhn's formula.
  static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (12...19).contains(bytes.count) else { return false }
    var sum = 0
    for (index, byte) in bytes.reversed().enumerated() {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return false }
      let digit = Int(byte - UInt8(ascii: "0"))
      let doubled = digit * 2
      sum += index % 2 == 0 ? digit : doubled > 9 ? doubled - 9 : doubled
    }
    return sum % 10 == 0
  }
}
