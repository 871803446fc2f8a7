import DraftDatabase
import FormModel

/// A value as the tables keep it: its type's name, its text, and the key that orders it where its
/// text does not.
struct StoredValue {
  let type: StaticString
  let text: String?
  /// Orders numbers and instants by value.
  let sortKey: [UInt8]?

  init(_ value: FieldValue) {
    switch value {
    case .null: self.init("null", nil)
    case .string(let text): self.init("string", text)
    case .integer(let number):
      self.init("integer", String(number), sortKey: DecimalNumber(number).sortKey)
    case .decimal(let number): self.init("decimal", number.text, sortKey: number.sortKey)
    case .boolean(let flag): self.init("boolean", flag ? "true" : "false")
    case .date(let date): self.init("date", date.description)
    case .time(let time): self.init("time", time.description)
    case .dateTime(let instant):
      self.init("dateTime", instant.description, sortKey: Array(instant.utcSortKey.utf8))
    case .option(.string(let id)): self.init("option", id)
    case .option(.number(let id)):
      self.init("optionNumber", String(id), sortKey: DecimalNumber(id).sortKey)
    case .tags(let ids): self.init("tags", JSONValue.array(ids.map(\.json)).jsonText)
    case .json(let value): self.init("json", value.jsonText)
    }
  }

  private init(_ type: StaticString, _ text: String?, sortKey: [UInt8]? = nil) {
    self.type = type
    self.text = text
    self.sortKey = sortKey
  }

  /// Binds type, text and sort key to three parameters from an index on.
  func bind(to statement: Statement, from index: Int32) throws {
    try statement.bind(type.description, at: index)
    if let text {
      try statement.bind(text, at: index + 1)
    } else {
      try statement.bind(.null, at: index + 1)
    }
    if let sortKey {
      try statement.bind(sortKey, at: index + 2)
    } else {
      try statement.bind(.null, at: index + 2)
    }
  }
}

extension Statement {
  /// The value that stands in two columns, type and text. Tags that are kept in a table of their
  /// own come out empty.
  func fieldValue(type: Int32, text: Int32) throws -> FieldValue {
    let value: FieldValue? = withText(type) { name in
      guard let first = name.first else { return nil }
      switch (first, name.count) {
      case (UInt8(ascii: "s"), _): return .string(self.text(text))
      case (UInt8(ascii: "i"), _): return Int64(self.text(text)).map(FieldValue.integer)
      case (UInt8(ascii: "d"), 7): return DecimalNumber(self.text(text)).map(FieldValue.decimal)
      case (UInt8(ascii: "d"), 4): return CalendarDate(self.text(text)).map(FieldValue.date)
      case (UInt8(ascii: "d"), _): return OffsetDateTime(self.text(text)).map(FieldValue.dateTime)
      case (UInt8(ascii: "b"), _): return .boolean(self.text(text) == "true")
      case (UInt8(ascii: "o"), 6): return .option(.string(self.text(text)))
      case (UInt8(ascii: "o"), _): return Int64(self.text(text)).map { .option(.number($0)) }
      case (UInt8(ascii: "t"), 4) where name[1] == UInt8(ascii: "i"):
        return TimeOfDay(self.text(text)).map(FieldValue.time)
      case (UInt8(ascii: "t"), _):
        return isNull(text) ? .tags([]) : try? FieldValue(parsing: self.text(text), as: .tags)
      case (UInt8(ascii: "n"), _): return .null
      case (UInt8(ascii: "j"), _):
        return (try? JSONValue(parsing: self.text(text))).map(FieldValue.json)
      default: return nil
      }
    }
    guard let value else {
      // The value itself may be sensitive.
      throw StoreError.badContent("a value of type \(self.text(type))")
    }
    return value
  }
}
