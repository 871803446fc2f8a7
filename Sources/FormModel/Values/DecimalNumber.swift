/// A decimal number that keeps its digits as they were written: `3.1000` stays `3.1000`.
///
/// The spelling is that of a JSON number (RFC 8259, section 6), so that it can go on the wire
/// unchanged. `==` compares the spelling; ``isEquivalent(to:)`` and ``precedes(_:)`` compare the
/// exact values, of any length, never through `Double`.
public struct DecimalNumber: Sendable, Hashable, CustomStringConvertible {
  /// The digits as they were written.
  public let text: String

  /// A number from its text, or nil when the text is no JSON number.
  public init?(_ text: String) {
    guard Self.isNumber(text.utf8) else { return nil }
    self.text = text
  }

  public init(_ value: Int64) {
    text = String(value)
  }

  /// A number from text that is known to be one.
  init(literal text: StaticString) {
    self.text = text.description
  }

  public var description: String { text }

  /// The value as a 64-bit integer, when it is whole and fits.
  public var integerValue: Int64? {
    if let plain = Int64(text) { return plain }
    let parts = Parts(text)
    guard parts.exponent <= 19, parts.exponent >= parts.digits.count || parts.digits.isEmpty else {
      return nil
    }
    var value: Int64 = 0
    for index in 0..<max(parts.exponent, 0) {
      let digit = Int64(index < parts.digits.count ? parts.digits[index] : 0)
      let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
      let (next, overflowed) =
        parts.isNegative
        ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
      if overflow || overflowed { return nil }
      value = next
    }
    return value
  }

  /// The number of digits after the decimal point as written, an exponent counted in.
  public var fractionDigits: Int {
    let mantissa = text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    let exponent = text.utf8.dropFirst(mantissa.count + 1)
    let power = exponent.isEmpty ? 0 : Self.power(exponent)
    let fraction = mantissa.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let written = fraction.count > 1 ? fraction[1].count : 0
    return max(0, written - min(max(power, -1_000_000), 1_000_000))
  }

  /// Whether the value's size is one that ordinary number types can hold (below 1e309). Servers
  /// read larger ones as infinity.
  public var isInRange: Bool { Parts(text).exponent <= 309 }

  /// Whether both denote the same value: `1E+2` and `100`, `-0` and `0`.
  public func isEquivalent(to other: DecimalNumber) -> Bool {
    text == other.text || Parts(text) == Parts(other.text)
  }

  /// Whether this value is less than another, exactly.
  public func precedes(_ other: DecimalNumber) -> Bool {
    sortKey.lexicographicallyPrecedes(other.sortKey)
  }

  /// Bytes whose order is the order of the values, and which are equal for equal values.
  ///
  /// One byte for the sign, two for the exponent (ten where two are too few), one for each two
  /// digits, and an end mark; all complemented for negative values. It lets a database index
  /// compare numbers exactly.
  public var sortKey: [UInt8] {
    let parts = Parts(text)
    guard !parts.digits.isEmpty else { return [0x80] }
    let biased = UInt16(clamping: parts.exponent + 0x8000)
    var key: [UInt8] = [0x81, UInt8(biased >> 8), UInt8(biased & 0xFF)]
    if biased == 0 || biased == .max {
      let wide = UInt64(bitPattern: Int64(parts.exponent)) ^ 1 << 63
      for shift in stride(from: 56, through: 0, by: -8) {
        key.append(UInt8(truncatingIfNeeded: wide >> UInt64(shift)))
      }
    }
    for index in stride(from: 0, to: parts.digits.count, by: 2) {
      let low = index + 1 < parts.digits.count ? parts.digits[index + 1] : 0
      key.append(parts.digits[index] * 10 + low + 1)
    }
    key.append(0)
    return parts.isNegative ? key.map { ~$0 } : key
  }

  /// An exponent from its text. One too long for Int is far out of any range; the bound keeps sums
  /// in range.
  private static func power(_ utf8: Substring.UTF8View) -> Int {
    let written = String(utf8) ?? ""
    let bound = 1_000_000_000_000_000
    let power = Int(written) ?? (written.hasPrefix("-") ? -bound : bound)
    return min(max(power, -bound), bound)
  }

  /// `JSON number = -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
  private static func isNumber(_ utf8: String.UTF8View) -> Bool {
    if let isNumber = utf8.withContiguousStorageIfAvailable(isNumber) { return isNumber }
    return Array(utf8).withUnsafeBufferPointer(isNumber)
  }

  private static func isNumber(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = utf8[...]
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    func takeDigits() -> Int {
      let digits = rest.prefix(while: isDigit)
      rest = rest[digits.endIndex...]
      return digits.count
    }
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let leadsWithZero = rest.first == UInt8(ascii: "0")
    let whole = takeDigits()
    guard whole > 0, !leadsWithZero || whole == 1 else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard takeDigits() > 0 else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard takeDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }

  /// The value as ±0.d₁d₂…dₙ × 10^exponent with neither leading nor trailing zeros.
  private struct Parts: Equatable {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0

    init(_ text: String) {
      var seenPoint = false
      var utf8 = text.utf8[...]
      if utf8.first == UInt8(ascii: "-") {
        isNegative = true
        utf8.removeFirst()
      }
      while let byte = utf8.first {
        utf8.removeFirst()
        if byte == UInt8(ascii: ".") {
          seenPoint = true
        } else if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
          exponent += DecimalNumber.power(utf8)
          break
        } else {
          let digit = byte - UInt8(ascii: "0")
          if !seenPoint, !(digits.isEmpty && digit == 0) { exponent += 1 }
          if seenPoint, digits.isEmpty, digit == 0 { exponent -= 1 }
          if !(digits.isEmpty && digit == 0) { digits.append(digit) }
        }
      }
      while digits.last == 0 { digits.removeLast() }
      if digits.isEmpty {
        isNegative = false
        exponent = 0
      }
    }
  }
}

extension DecimalNumber: ExpressibleByIntegerLiteral {
  public static let zero = DecimalNumber(0 as Int64)

  public init(integerLiteral value: Int64) {
    self.init(value)
  }
}
