import FormModel

/// Random text, numbers and JSON with what breaks stores among them.
public enum RandomJSON {
  private static let pieces = [
    "a", "Z", "7", "0", " ", "　", "\u{200B}", "-", "\"", "\\", "/", "\t", "\n", "\r\n", "\u{0}",
    "\u{1F}", "\u{7F}", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "é", "e\u{301}",
    "中", "𠮷", "👨‍👩‍👧‍👦", "🇨🇳", "م", "\u{202E}", "=1+1", "'; --", "&k=v", "%41", "豈",
  ]

  /// Text of up to so many pieces; it may be empty.
  public static func text(upTo count: Int = 8, using random: inout SeededGenerator) -> String {
    var text = ""
    for _ in 0..<random.int(0...count) { text += random.pick(pieces) }
    return text
  }

  /// A word of letters.
  public static func word(using random: inout SeededGenerator) -> String {
    var word = ""
    for _ in 0..<random.int(1...6) { word += random.pick(["a", "b", "c", "X", "y", "贷", "款"]) }
    return word
  }

  /// The text of a JSON number, with zeros and an exponent in any place.
  public static func numberText(using random: inout SeededGenerator) -> String {
    func digits(_ range: ClosedRange<Int>) -> String {
      var text = ""
      for _ in 0..<random.int(range) { text += String(random.pick([0, 0, 1, 5, 9, 9, 4])) }
      return text
    }
    var text = random.oneIn(2) ? "-" : ""
    text += random.oneIn(3) ? "0" : String(random.int(1...9)) + digits(0...22)
    if random.oneIn(2) { text += "." + digits(1...22) }
    if random.oneIn(3) {
      text += random.pick(["e", "E"]) + random.pick(["", "+", "-"]) + String(random.int(0...250))
    }
    return text
  }

  /// A number of any size below 1e309, with its digits.
  public static func number(using random: inout SeededGenerator) -> DecimalNumber {
    DecimalNumber(numberText(using: &random)) ?? .zero
  }

  /// A JSON value, at most so deep.
  public static func value(depth: Int = 3, using random: inout SeededGenerator) -> JSONValue {
    switch random.int(0...(depth > 0 ? 6 : 4)) {
    case 0: return .null
    case 1: return .bool(random.oneIn(2))
    case 2: return .number(number(using: &random))
    case 3: return .string(text(using: &random))
    case 4: return .number(DecimalNumber(Int64(random.int(-100...100))))
    case 5:
      return .array((0..<random.int(0...4)).map { _ in value(depth: depth - 1, using: &random) })
    default:
      var object = JSONObject()
      for index in 0..<random.int(0...4) {
        // The number keeps keys apart that are equal after normalisation.
        object["\(index)" + text(upTo: 3, using: &random)] = value(depth: depth - 1, using: &random)
      }
      return .object(object)
    }
  }
}
