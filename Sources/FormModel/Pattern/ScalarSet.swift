/// A set of ASCII characters, as 128 bits.
struct ASCIISet: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// `\w`
  static let word = ASCIISet(where: { value in
    ScalarItems.word.ranges.contains { $0.contains(value) }
  })

  init(where isMember: (UInt32) -> Bool) {
    for value in UInt32(0)..<64 where isMember(value) { low |= 1 << UInt64(value) }
    for value in UInt32(64)..<128 where isMember(value) { high |= 1 << UInt64(value - 64) }
  }

  /// Whether an ASCII character is in the set.
  func contains(_ value: UInt32) -> Bool {
    (value < 64 ? low : high) & (1 << UInt64(value & 63)) != 0
  }
}

/// What a class of a pattern lists.
struct ScalarItems {
  var ranges: [ClosedRange<UInt32>] = []
  var properties: Set<PropertyTest> = []

  static let digit = ScalarItems(ranges: [0x30...0x39])
  static let word = ScalarItems(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  /// ECMA-262's WhiteSpace and LineTerminator.
  static let space = ScalarItems(ranges: [
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])
  /// What `.` does not match.
  static let lineEnd = ScalarItems(ranges: [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])

  /// All other scalars. Only for ranges that ascend without touching each other.
  var complement: ScalarItems {
    var others: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { others.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    others.append(next...0x10FFFF)
    return ScalarItems(ranges: others)
  }

  mutating func formUnion(_ other: ScalarItems) {
    ranges += other.ranges
    properties.formUnion(other.properties)
  }
}

/// A class of a pattern, ready to look scalars up.
struct ScalarSet: Hashable, Sendable {
  /// The members in ASCII.
  let ascii: ASCIISet
  /// Ascending, without touching each other.
  private let ranges: [ClosedRange<UInt32>]
  private let properties: [PropertyTest]
  private let isNegated: Bool
  private let ignoresCase: Bool

  init(_ items: ScalarItems, isNegated: Bool, ignoresCase: Bool) {
    let ranges = Self.merged(items.ranges)
    let properties = items.properties.sorted { $0.order < $1.order }
    self.ranges = ranges
    self.properties = properties
    self.isNegated = isNegated
    self.ignoresCase = ignoresCase
    ascii = ASCIISet { value in
      let isListed =
        Self.lists(value, ranges, properties)
        || ignoresCase && Self.lists(CaseFolding.otherASCIICase(value), ranges, properties)
      return isListed != isNegated
    }
  }

  /// Whether a scalar, which is not ASCII, is in the set.
  func contains(_ value: UInt32) -> Bool {
    var isListed = Self.lists(value, ranges, properties)
    if !isListed && ignoresCase {
      isListed = CaseFolding.variants(value).contains { Self.lists($0, ranges, properties) }
    }
    return isListed != isNegated
  }

  private static func lists(
    _ value: UInt32, _ ranges: [ClosedRange<UInt32>], _ properties: [PropertyTest]
  ) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    if low < ranges.count && ranges[low].lowerBound <= value { return true }
    return properties.contains { $0.holds(for: value) }
  }

  private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var result: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound + 1 {
        let upper = max(last.upperBound, range.upperBound)
        result[result.count - 1] = last.lowerBound...upper
      } else {
        result.append(range)
      }
    }
    return result
  }
}

/// Simple case mappings, one scalar to one scalar, that never lead from outside ASCII into it:
/// the Kelvin sign is not `k` and the long s not `s` (as ECMA-262 has it without its flag `u`).
enum CaseFolding {
  /// The one spelling that stands for all cases of a letter.
  static func fold(_ value: UInt32) -> UInt32 {
    if value < 128 { return (0x41...0x5A).contains(value) ? value | 0x20 : value }
    guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseMapped else {
      return value
    }
    // By way of the capital, since small letters can differ in form only: σ and ς.
    let upper = simple(scalar.properties.uppercaseMapping) ?? scalar
    return (simple(upper.properties.lowercaseMapping) ?? upper).value
  }

  /// The other cases of a letter outside ASCII.
  static func variants(_ value: UInt32) -> [UInt32] {
    guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseMapped else {
      return []
    }
    let properties = scalar.properties
    let mappings = [
      properties.lowercaseMapping, properties.uppercaseMapping, properties.titlecaseMapping,
    ]
    return [fold(value)] + mappings.compactMap { simple($0)?.value }
  }

  static func otherASCIICase(_ value: UInt32) -> UInt32 {
    (0x41...0x5A).contains(value) || (0x61...0x7A).contains(value) ? value ^ 0x20 : value
  }

  private static func simple(_ mapping: String) -> Unicode.Scalar? {
    let scalars = mapping.unicodeScalars
    guard let first = scalars.first, scalars.dropFirst().isEmpty, !first.isASCII else { return nil }
    return first
  }
}
