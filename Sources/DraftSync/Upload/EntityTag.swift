import FormModel

/// An entity tag (RFC 9110, section 8.8.3), kept byte for byte as the server sent it.
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
  /// The tag with its quotes and, where it is weak, `W/`.
  public let description: String

  /// A tag from the value of an `ETag` header, or nil when the value is none.
  ///
  /// - Parameter text: the value, such as `"v1"` or `W/"v1"`, with its quotes.
  public init?(_ text: String) {
    let opaque = text.utf8.starts(with: "W/".utf8) ? text.utf8.dropFirst(2) : text.utf8[...]
    let quote = UInt8(ascii: "\"")
    // U+FFFD stands for bytes that could not be kept.
    guard opaque.count >= 2, opaque.first == quote, opaque.last == quote,
      opaque.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 != quote && $0 != 0x7F }),
      !text.unicodeScalars.contains("\u{FFFD}")
    else { return nil }
    description = text
  }

  /// Whether it may stay the same when the content changes a little. `If-Match` compares strongly,
  /// so that a weak tag never matches (RFC 9110, section 13.1.1).
  public var isWeak: Bool { description.utf8.first == UInt8(ascii: "W") }

  public static func == (lhs: EntityTag, rhs: EntityTag) -> Bool {
    lhs.description.hasSameBytes(as: rhs.description)
  }

  public func hash(into hasher: inout Hasher) {
    description.hashBytes(into: &hasher)
  }
}

extension HTTPHeaders {
  /// The entity tag of a response, if it has a valid one.
  public var entityTag: EntityTag? { self["ETag"].flatMap(EntityTag.init) }
}
