/// A JSON value (RFC 8259) that keeps what other decoders lose: the order of an object's members
/// and the digits of a number.
///
/// `==` is exact: text by its bytes, numbers by their digits, members in order. Use
/// ``isEquivalent(to:)`` to compare as JSON does.
public indirect enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(DecimalNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// An ordered JSON object. A key stands once; keys are compared by their bytes.
public struct JSONObject: Sendable {
  /// One member of an object.
  public struct Member: Sendable {
    public var key: String
    public var value: JSONValue

    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members in their order.
  public private(set) var members: [Member]

  public init() {
    members = []
  }

  /// An object of these members; a later member replaces an earlier one of the same key.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    self.init()
    for (key, value) in members { self[key] = value }
  }

  /// Takes members whose keys are known to differ.
  init(distinctMembers members: [Member]) {
    self.members = members
  }

  public var isEmpty: Bool { members.isEmpty }
  public var count: Int { members.count }
  public var keys: [String] { members.map(\.key) }

  /// The value at a key; setting `nil` removes the member, a new key goes to the end.
  public subscript(key: String) -> JSONValue? {
    get { index(of: key).map { members[$0].value } }
    set {
      switch (index(of: key), newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Adds a member that is known to be new.
  mutating func append(_ key: String, _ value: JSONValue) {
    members.append(Member(key: key, value: value))
  }

  private func index(of key: String) -> Int? {
    members.firstIndex { $0.key.hasSameBytes(as: key) }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements)
  }
}

extension JSONValue {
  /// The text of a string, or nil.
  public var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The whole number that a number denotes, when it fits 64 bits.
  public var integerValue: Int64? {
    if case .number(let number) = self { number.integerValue } else { nil }
  }

  public var boolValue: Bool? {
    if case .bool(let flag) = self { flag } else { nil }
  }

  public var arrayValue: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  public var objectValue: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The value of an object's member, or nil.
  public subscript(key: String) -> JSONValue? {
    objectValue?[key]
  }

  /// The kind of value in words, for messages.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .number(DecimalNumber(value)) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements))
  }
  public init(nilLiteral: ()) { self = .null }
}

extension JSONObject.Member: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.key.hasSameBytes(as: rhs.key) && lhs.value == rhs.value
  }

  public func hash(into hasher: inout Hasher) {
    key.hashBytes(into: &hasher)
    hasher.combine(value)
  }
}

extension JSONObject: Hashable {}

extension JSONValue: Hashable {
  public static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let flag): hasher.combine(flag)
    case .number(let number): hasher.combine(number)
    case .string(let text): text.hashBytes(into: &hasher)
    case .array(let elements): hasher.combine(elements)
    case .object(let object): hasher.combine(object)
    }
  }

  /// Compares as JSON does (RFC 6902, section 4.6): numbers by value, members in any order, text
  /// by its bytes.
  public func isEquivalent(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number(let a), .number(let b)):
      return a.isEquivalent(to: b)
    case (.array(let a), .array(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { $0.isEquivalent(to: $1) }
    case (.object(let a), .object(let b)):
      return a.count == b.count
        && a.members.allSatisfy { member in
          b[member.key].map { member.value.isEquivalent(to: $0) } ?? false
        }
    default:
      return self == other
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The compact JSON text.
  public var description: String { jsonText }
}
