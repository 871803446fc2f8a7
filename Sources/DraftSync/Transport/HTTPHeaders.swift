import FormModel

/// Header fields in their order. Names are looked up without regard to case (RFC 9110, section
/// 5.1).
public struct HTTPHeaders: Hashable, Sendable {
  /// One header field.
  public struct Field: Hashable, Sendable {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }

    public static func == (lhs: Field, rhs: Field) -> Bool {
      lhs.name.hasSameBytes(as: rhs.name) && lhs.value.hasSameBytes(as: rhs.value)
    }

    public func hash(into hasher: inout Hasher) {
      name.hashBytes(into: &hasher)
      value.hashBytes(into: &hasher)
    }
  }

  /// The fields in their order.
  public private(set) var fields: [Field]

  public init(_ fields: [Field] = []) {
    self.fields = fields
  }

  /// The first value of a field; setting replaces all of them, and nil removes them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.name.isSameHeader(as: name) }?.value }
    set {
      let place = fields.firstIndex { $0.name.isSameHeader(as: name) } ?? fields.endIndex
      fields.removeAll { $0.name.isSameHeader(as: name) }
      if let newValue { fields.insert(Field(name: name, value: newValue), at: place) }
    }
  }

  /// Adds a field after the others.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Adds a continuation line to the last value (obs-fold; RFC 9112, section 5.2).
  mutating func extendLast(_ text: String) {
    guard let last = fields.popLast() else { return }
    append(last.name, last.value.isEmpty ? text : "\(last.value) \(text)")
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Field(name: $0, value: $1) })
  }
}

extension String {
  /// Whether both are the same field name: ASCII letters compare without regard to case.
  func isSameHeader(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }

  /// Whether it is a token, as field names are (RFC 9110, section 5.6.2).
  var isHTTPToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        byte.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }

  /// Whether it can stand as a field's value: no control character but the tab.
  var isHeaderValue: Bool {
    utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  /// Without spaces and tabs at its ends.
  var trimmedSpace: String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let start = utf8.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(Substring(start[...last]))
  }
}

extension UInt8 {
  var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

  var isASCIIDigit: Bool { (0x30...0x39).contains(self) }

  var isASCIILetterOrDigit: Bool {
    isASCIIDigit || (0x61...0x7A).contains(asciiLowercased)
  }
}
