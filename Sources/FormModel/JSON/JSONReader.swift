/// What is wrong with a JSON text, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in words.
  public let message: String
  /// The line, counted from 1.
  public let line: Int
  /// The byte in the line, counted from 1.
  public let column: Int

  public var description: String { "line \(line), column \(column): \(message)" }
}

extension JSONValue {
  /// The deepest nesting that is read. More is refused, so that no input can exhaust the stack.
  public static let maximumDepth = 128

  /// Reads one JSON text (RFC 8259), strictly.
  ///
  /// Refused with the place: a key that stands twice in an object (also two keys that differ only
  /// in their Unicode normalisation), a lone surrogate, invalid UTF-8, nesting deeper than
  /// ``maximumDepth``, anything after the value. A byte-order mark at the start is skipped.
  public init(parsing text: String) throws(JSONError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// Reads one JSON text from UTF-8 bytes; see ``init(parsing:)-(String)``.
  public init(parsing bytes: [UInt8]) throws(JSONError) {
    let result = bytes.withUnsafeBufferPointer { buffer -> Result<JSONValue, JSONError> in
      var reader = JSONReader(buffer)
      do throws(JSONError) {
        return .success(try reader.readDocument())
      } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }
}

private struct JSONReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var depth = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  mutating func readDocument() throws(JSONError) -> JSONValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    let value = try readValue()
    skipSpace()
    guard position == bytes.count else { throw error("there is text after the value") }
    return value
  }

  private mutating func readValue() throws(JSONError) -> JSONValue {
    skipSpace()
    guard let byte = peek() else { throw error("the text ends where a value should stand") }
    switch byte {
    case UInt8(ascii: "{"): return try readObject()
    case UInt8(ascii: "["): return try readArray()
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
    case UInt8(ascii: "t") where take("true"): return .bool(true)
    case UInt8(ascii: "f") where take("false"): return .bool(false)
    case UInt8(ascii: "n") where take("null"): return .null
    default: throw error("expected a JSON value")
    }
  }

  private mutating func readObject() throws(JSONError) -> JSONValue {
    try descend()
    var members: [JSONObject.Member] = []
    // Swift's String equality is canonical equivalence, which is just what must be refused here.
    var seen: Set<String> = []
    skipSpace()
    if take("}") { return ascend(.object(JSONObject())) }
    while true {
      skipSpace()
      guard peek() == UInt8(ascii: "\"") else { throw error("expected a key in quotes") }
      let keyPosition = position
      let key = try readString()
      guard seen.insert(key).inserted else {
        position = keyPosition
        throw error(
          "the key \"\(key)\" stands twice in this object (keys that differ only in Unicode "
            + "normalisation count as one); keep one of them")
      }
      skipSpace()
      guard take(":") else { throw error("expected a colon after the key \"\(key)\"") }
      members.append(.init(key: key, value: try readValue()))
      skipSpace()
      if take("}") { return ascend(.object(JSONObject(distinctMembers: members))) }
      guard take(",") else { throw error("expected a comma or the object's end") }
    }
  }

  private mutating func readArray() throws(JSONError) -> JSONValue {
    try descend()
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return ascend(.array([])) }
    while true {
      elements.append(try readValue())
      skipSpace()
      if take("]") { return ascend(.array(elements)) }
      guard take(",") else { throw error("expected a comma or the array's end") }
    }
  }

  private mutating func descend() throws(JSONError) {
    guard depth < JSONValue.maximumDepth else {
      throw error("nested deeper than \(JSONValue.maximumDepth) levels")
    }
    depth += 1
    position += 1
  }

  private mutating func ascend(_ value: JSONValue) -> JSONValue {
    depth -= 1
    return value
  }

  private mutating func readNumber() throws(JSONError) -> JSONValue {
    let start = position
    while let byte = peek(), Self.isNumberByte(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let number = DecimalNumber(text) else {
      position = start
      throw error("\"\(text.prefix(40))\" is not a JSON number")
    }
    return .number(number)
  }

  private static func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func readString() throws(JSONError) -> String {
    position += 1
    let start = position
    while let byte = peek(), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      position += 1
    }
    if peek() == UInt8(ascii: "\"") {
      let text = try decode(bytes[start..<position], at: start)
      position += 1
      return text
    }
    var buffer = Array(bytes[start..<position])
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return try decode(buffer, at: start)
      case UInt8(ascii: "\\"):
        try readEscape(into: &buffer)
      case 0..<0x20:
        throw error("a control character in a string must be written as an escape")
      default:
        buffer.append(byte)
        position += 1
      }
    }
    throw error("the text ends inside a string")
  }

  private func decode(_ utf8: some Collection<UInt8>, at start: Int) throws(JSONError) -> String {
    guard let text = String(validating: utf8, as: UTF8.self) else {
      throw error("the string is not valid UTF-8", at: start)
    }
    return text
  }

  private mutating func readEscape(into buffer: inout [UInt8]) throws(JSONError) {
    let start = position
    position += 1
    guard let byte = peek() else { throw error("the text ends inside a string") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
    case UInt8(ascii: "b"): buffer.append(0x08)
    case UInt8(ascii: "f"): buffer.append(0x0C)
    case UInt8(ascii: "n"): buffer.append(0x0A)
    case UInt8(ascii: "r"): buffer.append(0x0D)
    case UInt8(ascii: "t"): buffer.append(0x09)
    case UInt8(ascii: "u"):
      var code = try readHex()
      if (0xD800..<0xDC00).contains(code) {
        guard take("\\u") else { throw error("a lone surrogate is not text", at: start) }
        let low = try readHex()
        guard (0xDC00..<0xE000).contains(low) else {
          throw error("a lone surrogate is not text", at: start)
        }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else {
        throw error("a lone surrogate is not text", at: start)
      }
      buffer.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    default:
      throw error("an unknown escape", at: start)
    }
  }

  private mutating func readHex() throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("expected four hexadecimal digits")
      }
      code = code << 4 + UInt32(digit)
      position += 1
    }
    return code
  }

  private func peek() -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let matches = word.withUTF8Buffer { word in
      position + word.count <= bytes.count
        && bytes[position..<position + word.count].elementsEqual(word)
    }
    if matches { position += word.utf8CodeUnitCount }
    return matches
  }

  private mutating func skipSpace() {
    while let byte = peek(), byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D {
      position += 1
    }
  }

  private func error(_ message: String, at offset: Int? = nil) -> JSONError {
    let before = bytes[..<(offset ?? position)]
    let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return JSONError(message: message, line: line, column: before.endIndex - lineStart + 1)
  }
}
