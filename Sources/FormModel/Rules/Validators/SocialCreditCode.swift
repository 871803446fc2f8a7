/// The unified social credit code of organisations in China (GB 32100-2015).
enum SocialCreditCode {
  /// Whether the text is such a code: 18 characters of its alphabet, upper case, and the last one
  /// checks the others.
  static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 18 else { return false }
    var sum = 0
    var weight = 1
    for byte in bytes.dropLast() {
      guard let value = alphabet.firstIndex(of: byte) else { return false }
      sum += value * weight
      weight = weight * 3 % 31
    }
    guard let check = alphabet.firstIndex(of: bytes[17]) else { return false }
    return (sum + check) % 31 == 0
  }

  /// The digits and letters without I, O, S, V and Z; a character's place is its value.
  private static let alphabet = Array("0123456789ABCDEFGHJKLMNPQRTUWXY".utf8)
}
