/// The citizen identity number of the People's Republic of China (GB 11643-1999).
enum ResidentID {
  /// Whether the text is such a number: 18 characters in ASCII, the last of which may be `X`, also
  /// written `x`. The old form of 15 digits, which has no check digit, is refused.
  static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 18 else { return false }
    var digits: [Int] = []
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(Int(byte - UInt8(ascii: "0")))
      case UInt8(ascii: "X"), UInt8(ascii: "x"):
        guard index == 17 else { return false }
        digits.append(10)
      default: return false
      }
    }
    return regions.contains(digits[0] * 10 + digits[1]) && hasBirthDate(digits)
      && hasCheckDigit(digits)
  }

  private static func hasBirthDate(_ digits: [Int]) -> Bool {
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    let date = CalendarDate(year: number(6..<10), month: number(10..<12), day: number(12..<14))
    return date.map { $0.year >= 1800 } ?? false
  }

  /// ISO/IEC 7064, MOD 11-2: the sum of the digits times 2 to the power of their place is 1.
  private static func hasCheckDigit(_ digits: [Int]) -> Bool {
    digits.reduce(0) { ($0 * 2 + $1) % 11 } == 1
  }

  /// The provinces of GB/T 2260, by their first two digits; those below them change every year.
  /// 71 is Taiwan there; 81, 82 and 83 are in the residence permits of people from Hong Kong, Macau
  /// and Taiwan (State Council, 2018), and 91 is in use for people from abroad.
  private static let regions: Set<Int> = [
    11, 12, 13, 14, 15, 21, 22, 23, 31, 32, 33, 34, 35, 36, 37, 41, 42, 43, 44, 45, 46,
    50, 51, 52, 53, 54, 61, 62, 63, 64, 65, 71, 81, 82, 83, 91,
  ]
}
