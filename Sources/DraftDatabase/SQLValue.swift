/// A value in one of SQLite's storage classes.
///
/// `==` compares text by its bytes, as SQLite does.
public enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// Text, or NULL for nil.
  public static func optional(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }

  /// An integer, or NULL for nil.
  public static func optional(_ number: Int64?) -> SQLValue {
    number.map(SQLValue.integer) ?? .null
  }

  /// A whole number.
  public static func integer(_ number: Int) -> SQLValue { .integer(Int64(number)) }
}

extension SQLValue: Equatable {
  public static func == (lhs: SQLValue, rhs: SQLValue) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    case (.blob(let a), .blob(let b)): a == b
    default: false
    }
  }
}

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
  public init(nilLiteral: ()) { self = .null }
}
