#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A moment, in whole milliseconds of UTC since 1970.
public struct Timestamp: Hashable, Sendable, Comparable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The present moment of the system's clock.
  public static var now: Timestamp {
    Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  }

  public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
    lhs.milliseconds < rhs.milliseconds
  }

  /// The moment some time later.
  public static func + (lhs: Timestamp, rhs: Duration) -> Timestamp { lhs - (.zero - rhs) }

  /// The moment some time earlier.
  public static func - (lhs: Timestamp, rhs: Duration) -> Timestamp {
    let (seconds, attoseconds) = rhs.components
    return Timestamp(
      milliseconds: lhs.milliseconds - seconds * 1000 - attoseconds / 1_000_000_000_000_000)
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC with milliseconds: `2024-01-31T09:30:00.000Z`.
  public var description: String {
    let dayLength: Int64 = 86_400_000
    let rest = (milliseconds % dayLength + dayLength) % dayLength
    let day = (milliseconds - rest) / dayLength
    let (year, month, dayOfMonth) = Self.civilDate(daysSince1970: day)
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return """
      \(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T\
      \(padded(rest / 3_600_000, 2)):\(padded(rest / 60_000 % 60, 2)):\
      \(padded(rest / 1000 % 60, 2)).\(padded(rest % 1000, 3))Z
      """
  }

  /// Days to a date of the Gregorian calendar, counted in eras of 400 years that start in March.
  private static func civilDate(daysSince1970: Int64) -> (Int64, Int64, Int64) {
    let days = daysSince1970 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}
