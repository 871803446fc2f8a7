/// What `\p{…}` can ask for.
enum UnicodeProperty: Int, Sendable {
  case letter, uppercaseLetter, lowercaseLetter, number, decimalNumber, punctuation, han

  init?(name: String) {
    switch name {
    case "L": self = .letter
    case "Lu": self = .uppercaseLetter
    case "Ll": self = .lowercaseLetter
    case "N": self = .number
    case "Nd": self = .decimalNumber
    case "P": self = .punctuation
    case "Han", "Script=Han": self = .han
    default: return nil
    }
  }

  func holds(for scalar: Unicode.Scalar) -> Bool {
    let category = scalar.properties.generalCategory
    switch self {
    case .letter:
      switch category {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
        return true
      default: return false
      }
    case .uppercaseLetter: return category == .uppercaseLetter
    case .lowercaseLetter: return category == .lowercaseLetter
    case .number:
      return category == .decimalNumber || category == .letterNumber || category == .otherNumber
    case .decimalNumber: return category == .decimalNumber
    case .punctuation:
      switch category {
      case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
        .initialPunctuation, .finalPunctuation, .otherPunctuation:
        return true
      default: return false
      }
    case .han: return Self.hanRanges.contains { $0.contains(scalar.value) }
    }
  }

  /// Script=Han of Unicode 17 (Scripts.txt); Swift's own properties have no scripts. The most
  /// usual come first.
  private static let hanRanges: [ClosedRange<UInt32>] = [
    0x4E00...0x9FFF, 0x3400...0x4DBF, 0x2E80...0x2E99, 0x2E9B...0x2EF3, 0x2F00...0x2FD5,
    0x3005...0x3005, 0x3007...0x3007, 0x3021...0x3029, 0x3038...0x303B, 0xF900...0xFA6D,
    0xFA70...0xFAD9, 0x16FE2...0x16FE3, 0x16FF0...0x16FF6, 0x20000...0x2A6DF, 0x2A700...0x2B81E,
    0x2B820...0x2CEAD, 0x2CEB0...0x2EBE0, 0x2EBF0...0x2EE5D, 0x2F800...0x2FA1D, 0x30000...0x3134A,
    0x31350...0x33479,
  ]
}

/// `\p{…}`, or `\P{…}` when it is negated.
struct PropertyTest: Hashable, Sendable {
  var property: UnicodeProperty
  var isNegated: Bool

  /// Puts the tests of equal classes into the same order.
  var order: Int { property.rawValue * 2 + (isNegated ? 1 : 0) }

  func holds(for value: UInt32) -> Bool {
    (Unicode.Scalar(value).map(property.holds) ?? false) != isNegated
  }
}
