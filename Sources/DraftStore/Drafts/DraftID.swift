/// What names a draft: a random UUID (RFC 9562, version 4) in lower case.
public struct DraftID: Hashable, Sendable, CustomStringConvertible {
  /// The 36 characters of the UUID.
  public let description: String

  /// A new id.
  public init() {
    var bytes: [UInt8] = []
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2 {
      withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
    }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0xF)])
    }
    description = String(decoding: text, as: UTF8.self)
  }

  /// An id from its text, in either case, or nil when the text is no UUID.
  public init?(_ text: String) {
    let lower = text.lowercased()
    let parts = lower.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12],
      parts.allSatisfy({ $0.utf8.allSatisfy(Self.isHexDigit) })
    else { return nil }
    description = lower
  }

  /// An id that was read from a store.
  init(stored text: String) {
    description = text
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}
