/// The hosts that addresses of mail and of the Web name.
enum HostName {
  /// Whether the text is a domain name of LDH labels (RFC 1123, 2.1) or of labels with letters,
  /// marks and digits outside ASCII (RFC 5890), at most 63 octets each and 253 in all, and cannot
  /// be taken for an IPv4 address.
  static func isDomain(_ text: Substring, minimumLabels: Int) -> Bool {
    guard text.utf8.count <= 253 else { return false }
    // By bytes, since a mark after a point makes another Character of it.
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.count >= minimumLabels, labels.allSatisfy({ isLabel(Substring($0)) }) else {
      return false
    }
    return !(labels.last?.allSatisfy(isDigit) ?? true)
  }

  private static func isLabel(_ label: Substring) -> Bool {
    let hyphen = UInt8(ascii: "-")
    guard (1...63).contains(label.utf8.count), label.utf8.first != hyphen,
      label.utf8.last != hyphen
    else { return false }
    return label.unicodeScalars.allSatisfy { scalar in
      guard scalar.isASCII else { return isForeign(scalar) }
      let value = UInt8(scalar.value)
      return value == hyphen || isDigit(value) || isLetter(value)
    }
  }

  /// A letter, mark or digit outside ASCII.
  static func isForeign(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return false }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber:
      return true
    default: return false
    }
  }

  /// Whether the text is four numbers of 0 to 255 without leading zeros (RFC 3986, 3.2.2).
  static func isIPv4(_ text: Substring.UTF8View) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy(isDigit)
          && (part.count == 1 || part.first != UInt8(ascii: "0"))
          && part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 255
      }
  }

  /// Whether the text is an IPv6 address (RFC 4291, 2.2), without a zone.
  static func isIPv6(_ text: Substring.UTF8View) -> Bool {
    let colon = UInt8(ascii: ":")
    var parts = text.split(separator: colon, omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return false }
    // A "::" at an end leaves one empty part more than one in the middle; a lone ":" is none.
    if parts[0].isEmpty {
      guard parts[1].isEmpty else { return false }
      parts.removeFirst()
    }
    if parts[parts.count - 1].isEmpty {
      guard parts[parts.count - 2].isEmpty else { return false }
      parts.removeLast()
    }
    var count = 0
    var gaps = 0
    for (index, part) in parts.enumerated() {
      if part.isEmpty {
        gaps += 1
      } else if index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
        guard isIPv4(Substring(part).utf8) else { return false }
        count += 2
      } else {
        guard part.count <= 4, part.allSatisfy(isHexadecimal) else { return false }
        count += 1
      }
    }
    return gaps == 0 ? count == 8 : gaps == 1 && count <= 7
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }
}
