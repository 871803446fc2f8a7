/// A mobile number of mainland China, as it is dialled within the country.
enum MobileNumberCN {
  /// Whether the text is 11 ASCII digits, of which the first is 1 and the second 3 to 9. Which of
  /// these are given out changes too often to be checked.
  static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return bytes.count == 11 && bytes.allSatisfy(digits.contains)
      && bytes[0] == UInt8(ascii: "1") && bytes[1] >= UInt8(ascii: "3")
  }
}
