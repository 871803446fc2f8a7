/// A value in a draft, as it was entered.
///
/// `==` is exact: text by bytes, numbers by their digits. ``isEquivalent(to:)`` compares as a
/// change set does. Absence is `nil` of `FieldValue?`; ``null`` is a value of its own, and so is
/// the empty string. A `string` in a field of another type is text as it was typed which is not
/// (yet) a value of that type: a draft keeps it, validation refuses it.
public enum FieldValue: Sendable {
  case null
  case string(String)
  case integer(Int64)
  case decimal(DecimalNumber)
  case boolean(Bool)
  case date(CalendarDate)
  case time(TimeOfDay)
  case dateTime(OffsetDateTime)
  case option(OptionID)
  case tags([OptionID])
  case json(JSONValue)
}

/// The type of value that a field takes.
public enum DataType: String, Sendable, Hashable, CaseIterable {
  case string, integer, decimal, boolean, date, time, dateTime, option, tags, json

  /// What a value of this type looks like, for messages.
  public var expectation: String {
    switch self {
    case .string: "text"
    case .integer: "a whole number of 64 bits, such as 42"
    case .decimal: "a decimal number without leading zeros, such as 120.50"
    case .boolean: "true or false"
    case .date: "a date that exists, as YYYY-MM-DD"
    case .time: "a time, as HH:MM or HH:MM:SS"
    case .dateTime: "a date and time with its offset, such as 2024-01-31T09:30:00+08:00"
    case .option: "the id of an option: a string or a whole number"
    case .tags: "a list of tag ids"
    case .json: "a JSON value"
    }
  }
}

extension FieldValue: Hashable {
  public static func == (lhs: FieldValue, rhs: FieldValue) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.integer(let a), .integer(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a == b
    case (.boolean(let a), .boolean(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.time(let a), .time(let b)): a == b
    case (.dateTime(let a), .dateTime(let b)): a == b
    case (.option(let a), .option(let b)): a == b
    case (.tags(let a), .tags(let b)): a == b
    case (.json(let a), .json(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(json)
  }

  /// Whether a change set calls the two the same: numbers by value (`1.50` and `1.5`, `-0` and
  /// `0`), JSON as JSON compares, all else exactly. Dates and times compare by their text, so the
  /// same instant in another offset is a change.
  public func isEquivalent(to other: FieldValue) -> Bool {
    switch (self, other) {
    case (.decimal(let a), .decimal(let b)): a.isEquivalent(to: b)
    case (.decimal(let a), .integer(let b)): a.isEquivalent(to: DecimalNumber(b))
    case (.integer(let a), .decimal(let b)): b.isEquivalent(to: DecimalNumber(a))
    case (.json(let a), .json(let b)): a.isEquivalent(to: b)
    default: self == other
    }
  }

  /// Whether a server that holds one of them need not be told the other.
  package func isSameOnTheWire(as other: FieldValue) -> Bool {
    isEquivalent(to: other) || json.isEquivalent(to: other.json)
  }
}

extension FieldValue? {
  /// Whether both are absent, or the same on the wire.
  package func isSameOnTheWire(as other: FieldValue?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let a?, let b?): a.isSameOnTheWire(as: b)
    default: false
    }
  }
}

extension FieldValue {
  /// The value as it is submitted and exported.
  public var json: JSONValue {
    switch self {
    case .null: .null
    case .string(let text): .string(text)
    case .integer(let number): .number(DecimalNumber(number))
    case .decimal(let number): .number(number)
    case .boolean(let flag): .bool(flag)
    case .date(let date): .string(date.description)
    case .time(let time): .string(time.description)
    case .dateTime(let instant): .string(instant.description)
    case .option(let id): id.json
    case .tags(let ids): .array(ids.map(\.json))
    case .json(let value): value
    }
  }

  /// The value as plain text: what rules look at and what a table shows.
  public var text: String {
    switch self {
    case .null: ""
    case .string(let text): text
    case .tags(let ids): JSONValue.array(ids.map(\.json)).jsonText
    case .json(let value): value.jsonText
    case .option(let id): id.description
    default: json.stringValue ?? json.jsonText
    }
  }

  /// Whether a required field holding this value counts as not filled: null, no tags, or text with
  /// nothing but white space (also U+3000, U+200B and U+FEFF). What is stored is never trimmed.
  public var isBlank: Bool {
    switch self {
    case .null: true
    case .string(let text), .option(.string(let text)): text.isBlank
    case .tags(let ids): ids.isEmpty
    case .json(.null), .json(.string("")), .json(.array([])): true
    case .json(.object(let object)): object.isEmpty
    default: false
    }
  }

  /// Whether it is a value of a type, rather than text that was typed and is none.
  public func isOf(_ type: DataType) -> Bool {
    switch (self, type) {
    case (.null, _), (_, .json): true
    case (.string, .string), (.integer, .integer), (.decimal, .decimal), (.boolean, .boolean),
      (.date, .date), (.time, .time), (.dateTime, .dateTime), (.option, .option), (.tags, .tags):
      true
    default: false
    }
  }
}

extension String {
  /// Whether it holds nothing but white space.
  fileprivate var isBlank: Bool {
    // Most text begins with a visible ASCII character, which is cheaper to see.
    if let first = utf8.first, (0x21...0x7E).contains(first) { return false }
    return unicodeScalars.allSatisfy {
      $0.properties.isWhitespace || $0.value == 0x200B || $0.value == 0xFEFF
    }
  }
}

/// A text or JSON value that is not a value of a field's type.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The type that was asked for.
  public let type: DataType
  /// What was given, shortened.
  public let given: String

  init(_ given: String, isNot type: DataType) {
    self.type = type
    self.given = given.count > 60 ? given.prefix(60) + "…" : given
  }

  public var description: String { "\"\(given)\" is not \(type.expectation)" }
}

extension FieldValue {
  /// The value that a text denotes in a field of a type.
  ///
  /// - Throws: ``ValueError`` when the text denotes none, such as `1,5` for a decimal or
  ///   `2023-02-29` for a date.
  public init(parsing text: String, as type: DataType) throws(ValueError) {
    func checked(_ value: FieldValue?) throws(ValueError) -> FieldValue {
      guard let value else { throw ValueError(text, isNot: type) }
      return value
    }
    switch type {
    case .string: self = .string(text)
    case .integer:
      // Only the canonical spelling, so that no digit that was typed is lost.
      self = try checked(Int64(text).flatMap { String($0) == text ? .integer($0) : nil })
    case .decimal:
      self = try checked(DecimalNumber(text).flatMap { $0.isInRange ? .decimal($0) : nil })
    case .boolean:
      self = try checked(text == "true" || text == "false" ? .boolean(text == "true") : nil)
    case .date: self = try checked(CalendarDate(text).map(FieldValue.date))
    case .time: self = try checked(TimeOfDay(text).map(FieldValue.time))
    case .dateTime: self = try checked(OffsetDateTime(text).map(FieldValue.dateTime))
    case .option: self = .option(.string(text))
    case .tags:
      let elements = (try? JSONValue(parsing: text))?.arrayValue
      self = try checked(elements.flatMap(Self.tags(from:)))
    case .json: self = try checked((try? JSONValue(parsing: text)).map(FieldValue.json))
    }
  }

  /// The value that a JSON value denotes in a field of a type; numbers may be JSON numbers or
  /// strings of digits.
  ///
  /// - Throws: ``ValueError`` when it denotes none.
  public init(json value: JSONValue, as type: DataType) throws(ValueError) {
    switch (value, type) {
    case (_, .json): self = .json(value)
    case (.null, _): self = .null
    case (.bool(let flag), .boolean): self = .boolean(flag)
    case (.number(let number), .integer):
      guard let integer = number.integerValue, !number.text.contains(where: ".eE".contains) else {
        throw ValueError(number.text, isNot: type)
      }
      self = .integer(integer)
    case (.number(let number), .decimal) where number.isInRange: self = .decimal(number)
    case (.string(let text), .string), (.string(let text), .integer), (.string(let text), .decimal),
      (.string(let text), .date), (.string(let text), .time), (.string(let text), .dateTime):
      try self.init(parsing: text, as: type)
    case (_, .option):
      guard let id = OptionID(json: value) else { throw ValueError(value.jsonText, isNot: type) }
      self = .option(id)
    case (.array(let elements), .tags):
      guard let tags = Self.tags(from: elements) else {
        throw ValueError(value.jsonText, isNot: type)
      }
      self = tags
    case (.string, .tags), (.number, .tags):
      // A single choice is submitted as its id alone, and comes back so.
      guard let tags = Self.tags(from: [value]) else {
        throw ValueError(value.jsonText, isNot: type)
      }
      self = tags
    default: throw ValueError(value.jsonText, isNot: type)
    }
  }

  /// The value that was typed into a field of a type; text that denotes no such value is kept as
  /// the `string` it is.
  public static func typed(_ text: String, as type: DataType) -> FieldValue {
    (try? FieldValue(parsing: text, as: type)) ?? .string(text)
  }

  private static func tags(from elements: [JSONValue]) -> FieldValue? {
    var ids: [OptionID] = []
    for element in elements {
      guard let id = OptionID(json: element) else { return nil }
      if !ids.contains(id) { ids.append(id) }
    }
    return .tags(ids)
  }
}
