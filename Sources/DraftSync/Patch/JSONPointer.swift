import FormModel

/// A text that is no JSON Pointer.
public struct JSONPointerError: Error, Sendable, CustomStringConvertible {
  /// The text that was given.
  public let text: String
  /// What is wrong, in words.
  public let message: String

  public var description: String { "\"\(text.prefix(80))\" is not a JSON Pointer: \(message)" }
}

/// A place in a JSON document (RFC 6901), such as `/rows/0/name`.
///
/// `==` compares the tokens by their bytes: pointers to a composed and to a decomposed key differ.
public struct JSONPointer: Sendable {
  /// The keys and indices from the root on, unescaped. The empty list is the whole document.
  public let tokens: [String]

  /// A pointer of unescaped tokens.
  public init(tokens: [String] = []) {
    self.tokens = tokens
  }

  /// A pointer to the member of the root object with an unescaped key.
  public init(key: String) {
    tokens = [key]
  }

  /// Reads a pointer in its string form (RFC 6901, section 3).
  ///
  /// - Throws: ``JSONPointerError`` when the text is not empty and does not start with `/`, or when
  ///   a `~` is not followed by `0` or `1`.
  public init(parsing text: String) throws(JSONPointerError) {
    // By bytes: a slash with a combining mark after it is one Character, and still a slash here.
    let pieces = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard text.isEmpty || pieces.first?.isEmpty == true else {
      throw JSONPointerError(text: text, message: "it must be empty or start with \"/\"")
    }
    var tokens: [String] = []
    for piece in pieces.dropFirst() {
      guard let token = Self.unescape(piece) else {
        throw JSONPointerError(
          text: text, message: "\"~\" must be followed by 0 (for ~) or 1 (for /)")
      }
      tokens.append(token)
    }
    self.tokens = tokens
  }

  /// A token as it stands in a pointer: `~` as `~0`, `/` as `~1`.
  public static func escape(_ token: String) -> String {
    var bytes: [UInt8] = []
    for byte in token.utf8 {
      switch byte {
      case UInt8(ascii: "~"): bytes.append(contentsOf: "~0".utf8)
      case UInt8(ascii: "/"): bytes.append(contentsOf: "~1".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// One pass from the left, so that `~01` is `~1` and not `/`.
  private static func unescape(_ piece: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = piece.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "~") else {
        bytes.append(byte)
        continue
      }
      switch rest.next() {
      case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The pointer to a member or element of the value that this points to.
  public func appending(_ token: String) -> JSONPointer {
    JSONPointer(tokens: tokens + [token])
  }

  /// Whether the other points into the value that this points to, and not to that value itself.
  public func isProperPrefix(of other: JSONPointer) -> Bool {
    tokens.count < other.tokens.count
      && zip(tokens, other.tokens).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  /// The value at this place, or nil when the document has no such place (RFC 6901, section 4).
  public func value(in document: JSONValue) -> JSONValue? {
    var value = document
    for token in tokens {
      switch value {
      case .object(let object):
        guard let member = object[token] else { return nil }
        value = member
      case .array(let elements):
        guard let index = Self.arrayIndex(token), index < elements.count else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }

  /// The array index that a token spells: digits without a leading zero (RFC 6901, section 4), or
  /// nil.
  static func arrayIndex(_ token: String) -> Int? {
    let digits = token.utf8
    guard digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
      digits.first != UInt8(ascii: "0") || digits.count == 1
    else { return nil }
    return Int(token)
  }
}

extension JSONPointer: Hashable {
  public static func == (lhs: JSONPointer, rhs: JSONPointer) -> Bool {
    lhs.tokens.count == rhs.tokens.count
      && zip(lhs.tokens, rhs.tokens).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(tokens.count)
    for token in tokens { token.hashBytes(into: &hasher) }
  }
}

extension JSONPointer: CustomStringConvertible {
  /// The string form (RFC 6901, section 3), which ``init(parsing:)`` reads.
  public var description: String {
    tokens.map { "/" + Self.escape($0) }.joined()
  }
}
