/// An address of the Web: an `http` or `https` URI (RFC 3986; RFC 9110, 4.2) in which letters
/// outside ASCII may stand as they are (RFC 3987).
enum WebURL {
  /// Whether the text is such an address, absolute and with a host. User names and passwords in it
  /// are refused, as RFC 9110, 4.2.4, advises.
  static func isValid(_ text: String) -> Bool {
    guard let separator = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    switch text[..<separator].lowercased() {
    case "http", "https": break
    default: return false
    }
    let hierarchy = text[text.utf8.index(after: separator)...].utf8
    guard hierarchy.starts(with: "//".utf8) else { return false }
    let rest = hierarchy.dropFirst(2)
    let authorityEnd = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    return isAuthority(rest[..<authorityEnd]) && isRest(Substring(rest[authorityEnd...]))
  }

  private static func isAuthority(_ authority: Substring.UTF8View) -> Bool {
    if authority.first == UInt8(ascii: "[") {
      guard let close = authority.firstIndex(of: UInt8(ascii: "]")) else { return false }
      return HostName.isIPv6(authority[..<close].dropFirst())
        && isPort(authority[close...].dropFirst())
    }
    let end = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
    guard isPort(authority[end...]) else { return false }
    var host = authority[..<end]
    if HostName.isIPv4(host) { return true }
    // The root's point, as in "example.com."
    if host.last == UInt8(ascii: ".") { host = host.dropLast() }
    return HostName.isDomain(Substring(host), minimumLabels: 1)
  }

  /// Nothing, or ":" and a number of 0 to 65535, which may also be left out (RFC 3986, 3.2.3).
  private static func isPort(_ text: Substring.UTF8View) -> Bool {
    guard let colon = text.first else { return true }
    let digits = text.dropFirst()
    return colon == UInt8(ascii: ":") && digits.count <= 5 && digits.allSatisfy(HostName.isDigit)
      && digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 65535
  }

  /// The path, the query and the fragment (RFC 3986, 3.3 to 3.5).
  private static func isRest(_ text: Substring) -> Bool {
    var hexadecimalDue = 0
    var isInFragment = false
    for scalar in text.unicodeScalars {
      guard scalar.isASCII else {
        guard hexadecimalDue == 0, isVisible(scalar) else { return false }
        continue
      }
      let byte = UInt8(scalar.value)
      if hexadecimalDue > 0 {
        guard HostName.isHexadecimal(byte) else { return false }
        hexadecimalDue -= 1
      } else if byte == UInt8(ascii: "%") {
        hexadecimalDue = 2
      } else if byte == UInt8(ascii: "#") {
        guard !isInFragment else { return false }
        isInFragment = true
      } else {
        guard HostName.isDigit(byte) || HostName.isLetter(byte) || marks.contains(byte) else {
          return false
        }
      }
    }
    return hexadecimalDue == 0
  }

  /// No space, control or format character and nothing unassigned.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .privateUse, .surrogate, .unassigned, .spaceSeparator, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }

  /// Unreserved and sub-delims besides letters and digits, ":", "@", "/" and "?".
  private static let marks = Set("-._~!$&'()*+,;=:@/?".utf8)
}
