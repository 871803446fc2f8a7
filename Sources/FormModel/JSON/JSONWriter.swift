/// Writes JSON text into a growing buffer of UTF-8 bytes.
///
/// Control characters, quotes and backslashes are escaped (RFC 8259, section 7); all else stands
/// as it is. Numbers are written with their own digits.
public struct JSONWriter: Sendable {
  public private(set) var bytes: [UInt8] = []
  private let indentation: Int?
  private var level = 0

  /// - Parameter indentation: spaces for each level, or nil for compact text.
  public init(indentation: Int? = nil) {
    self.indentation = indentation
  }

  /// The text so far.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Forgets the text and keeps the buffer, for writing many values one after the other.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  public mutating func write(_ value: JSONValue) {
    switch value {
    case .null: append("null")
    case .bool(let flag): append(flag ? "true" : "false")
    case .number(let number): append(number.text)
    case .string(let text): writeString(text)
    case .array(let elements):
      writeContainer(open: "[", close: "]", elements) { $0.write($1) }
    case .object(let object):
      writeContainer(open: "{", close: "}", object.members) { writer, member in
        writer.writeString(member.key)
        writer.append(writer.indentation == nil ? ":" : ": ")
        writer.write(member.value)
      }
    }
  }

  private mutating func writeContainer<Element>(
    open: StaticString, close: StaticString, _ elements: [Element],
    _ writeElement: (inout JSONWriter, Element) -> Void
  ) {
    append(open)
    level += 1
    for (index, element) in elements.enumerated() {
      if index > 0 { append(",") }
      startLine()
      writeElement(&self, element)
    }
    level -= 1
    if !elements.isEmpty { startLine() }
    append(close)
  }

  private mutating func startLine() {
    guard let indentation else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation * level))
  }

  /// Writes a JSON string with its quotes.
  public mutating func writeString(_ text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var start = 0
      for (index, byte) in utf8.enumerated()
      where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(contentsOf: utf8[start..<index])
        writeEscape(byte)
        start = index + 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func writeEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x08: append("\\b")
    case 0x09: append("\\t")
    case 0x0A: append("\\n")
    case 0x0C: append("\\f")
    case 0x0D: append("\\r")
    default:
      append("\\u00")
      for digit in [byte >> 4, byte & 0xF] {
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }
}

extension JSONValue {
  /// The compact JSON text.
  public var jsonText: String {
    var writer = JSONWriter()
    writer.write(self)
    return writer.text
  }

  /// The JSON text with two spaces for each level.
  public var prettyText: String {
    var writer = JSONWriter(indentation: 2)
    writer.write(self)
    return writer.text
  }
}
