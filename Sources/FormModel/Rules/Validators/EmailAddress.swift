/// A mailbox as RFC 5321, 4.1.2, and RFC 6531, 3.3, have it, without comments.
enum EmailAddress {
  /// Whether the text is `local@domain`: at most 64 octets before the "@", 254 in all. Before it
  /// stands a dot-atom or a quoted string; after it a domain of at least two labels, or an address
  /// literal: `[192.0.2.1]`, `[IPv6:2001:db8::1]`. Letters outside ASCII are allowed.
  static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= 254, let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else {
      return false
    }
    let local = text[..<at]
    let domain = text[text.utf8.index(after: at)...]
    guard (1...64).contains(local.utf8.count) else { return false }
    guard local.utf8.first == UInt8(ascii: "\"") ? isQuoted(local) : isDotAtom(local) else {
      return false
    }
    return HostName.isDomain(domain, minimumLabels: 2) || isAddressLiteral(domain.utf8)
  }

  private static func isDotAtom(_ local: Substring) -> Bool {
    let point = UInt8(ascii: ".")
    let atoms = local.utf8.split(separator: point, omittingEmptySubsequences: false)
    return atoms.allSatisfy { atom in
      !atom.isEmpty
        && Substring(atom).unicodeScalars.allSatisfy { scalar in
          guard scalar.isASCII else { return HostName.isForeign(scalar) }
          let byte = UInt8(scalar.value)
          return HostName.isDigit(byte) || HostName.isLetter(byte) || marks.contains(byte)
        }
    }
  }

  private static func isQuoted(_ local: Substring) -> Bool {
    guard local.utf8.count >= 2, local.utf8.last == UInt8(ascii: "\"") else { return false }
    let inner = local.unicodeScalars.dropFirst().dropLast()
    var isEscaped = false
    for scalar in inner {
      if isEscaped {
        guard (0x20...0x7E).contains(scalar.value) else { return false }
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        guard scalar != "\"" else { return false }
        guard (0x20...0x7E).contains(scalar.value) || HostName.isForeign(scalar) else {
          return false
        }
      }
    }
    return !isEscaped
  }

  private static func isAddressLiteral(_ domain: Substring.UTF8View) -> Bool {
    guard domain.count > 2, domain.first == UInt8(ascii: "["), domain.last == UInt8(ascii: "]")
    else { return false }
    let address = domain.dropFirst().dropLast()
    // Its letters may be in either case (RFC 5321, 4.1.3, and RFC 5234, 2.3).
    let tag = address.prefix(5).map { HostName.isLetter($0) ? $0 | 0x20 : $0 }
    return tag.elementsEqual("ipv6:".utf8)
      ? HostName.isIPv6(address.dropFirst(5)) : HostName.isIPv4(address)
  }

  /// The characters of an atom besides letters and digits (RFC 5322, 3.2.3).
  private static let marks = Set("!#$%&'*+-/=?^_`{|}~".utf8)
}
