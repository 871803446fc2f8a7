import DraftStore
import FormModel

/// What a search promises, said as plainly as can be.
enum SearchReference {
  private enum Class: Int {
    case none, text, instant, number
  }

  private static func kind(_ value: FieldValue) -> Class {
    switch value {
    case .null, .tags: .none
    case .integer, .decimal, .option(.number): .number
    case .dateTime: .instant
    default: .text
    }
  }

  static func holds(_ test: DraftQuery.Test, for value: FieldValue?) -> Bool {
    guard let value else { return test == .missing }
    if case .tags(let ids) = value { return holds(test, for: ids) }
    if value == .null { return test == .exists }
    return switch test {
    case .exists: true
    case .missing: false
    case .equals(let text): compare(value, text) == 0
    case .hasPrefix(let text): value.text.utf8.starts(with: text.utf8)
    case .contains(let text): contains(value.text, text)
    case .lessThan(let text): compareBound(value, text).map { $0 < 0 } ?? false
    case .atMost(let text): compareBound(value, text).map { $0 <= 0 } ?? false
    case .greaterThan(let text): compareBound(value, text).map { $0 > 0 } ?? false
    case .atLeast(let text): compareBound(value, text).map { $0 >= 0 } ?? false
    }
  }

  private static func holds(_ test: DraftQuery.Test, for ids: [OptionID]) -> Bool {
    switch test {
    case .exists: true
    case .equals(let text): ids.contains { $0.description.hasSameBytes(as: text) }
    case .hasPrefix(let text): ids.contains { $0.description.utf8.starts(with: text.utf8) }
    case .contains(let text): ids.contains { contains($0.description, text) }
    default: false
    }
  }

  private static func contains(_ text: String, _ part: String) -> Bool {
    let (text, part) = (Array(text.utf8), Array(part.utf8))
    return part.count <= text.count
      && (0...text.count - part.count).contains { text[$0...].starts(with: part) }
  }

  /// Text that is a number or an instant is a bound of those alone.
  private static func compareBound(_ value: FieldValue, _ text: String) -> Int? {
    let isText = DecimalNumber(text) == nil && OffsetDateTime(text) == nil
    return isText || kind(value) != .text ? compare(value, text) : nil
  }

  /// Below, at or above 0; nil where the two don't compare.
  private static func compare(_ value: FieldValue, _ text: String) -> Int? {
    switch kind(value) {
    case .none: return nil
    case .number:
      guard let number = DecimalNumber(value.text), let other = DecimalNumber(text) else {
        return nil
      }
      return number.precedes(other) ? -1 : other.precedes(number) ? 1 : 0
    case .instant:
      guard let other = OffsetDateTime(text), let instant = OffsetDateTime(value.text) else {
        return nil
      }
      let (a, b) = (instant.utcSortKey, other.utcSortKey)
      return a < b ? -1 : a > b ? 1 : 0
    case .text:
      return value.text.bytesPrecede(text) ? -1 : text.bytesPrecede(value.text) ? 1 : 0
    }
  }

  /// Whether values come as a search orders them, those without a key aside.
  static func isOrdered(_ values: [FieldValue?]) -> Bool {
    let keyed = values.compactMap { $0 }.filter { kind($0) != .none }
    return zip(keyed, keyed.dropFirst()).allSatisfy { a, b in
      if kind(a) != kind(b) { return kind(a).rawValue < kind(b).rawValue }
      return compare(a, b.text).map { $0 <= 0 } ?? false
    }
  }
}
