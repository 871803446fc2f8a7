/// A day in the proleptic Gregorian calendar, without a zone: three numbers that no clock shifts.
public struct CalendarDate: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// 1…9999
  public var year: Int { Int(storedYear) }
  /// 1…12
  public var month: Int { Int(storedMonth) }
  /// 1…31
  public var day: Int { Int(storedDay) }

  // Four bytes, so that a value in a draft stays small.
  private let storedYear: Int16
  private let storedMonth: Int8
  private let storedDay: Int8

  /// A day, or nil when there is no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.dayCount(ofMonth: month, year: year)
    else { return nil }
    storedYear = Int16(year)
    storedMonth = Int8(month)
    storedDay = Int8(day)
  }

  /// A day from `YYYY-MM-DD` (RFC 3339 full-date), or nil when it is not spelled so or is no day.
  public init?(_ text: String) {
    let utf8 = Array(text.utf8)
    guard utf8.count == 10, utf8[4] == UInt8(ascii: "-"), utf8[7] == UInt8(ascii: "-"),
      let year = number(utf8[0..<4]), let month = number(utf8[5..<7]),
      let day = number(utf8[8..<10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// `YYYY-MM-DD`
  public var description: String {
    padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
  }

  public static func < (lhs: CalendarDate, rhs: CalendarDate) -> Bool {
    (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day)
  }

  static func dayCount(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// A time of day without a day: `HH:MM`, seconds and their fraction where written, and a zone
/// where a source writes one. It keeps its spelling.
public struct TimeOfDay: Hashable, Sendable, CustomStringConvertible {
  /// The time as it was written.
  public let description: String

  /// A time from its text, or nil when it is not spelled so or is no time of day.
  public init?(_ text: String) {
    guard ClockText(text.utf8, secondsAreOptional: true) != nil else { return nil }
    description = text
  }
}

/// An instant, with the offset from UTC that it was entered in (RFC 3339 date-time):
/// `2024-03-10T02:30:00-05:00`. It keeps its spelling; two spellings of one instant differ.
public struct OffsetDateTime: Hashable, Sendable, CustomStringConvertible {
  /// The instant as it was written.
  public let description: String

  /// An instant from its text, or nil when it is not spelled so or does not exist.
  public init?(_ text: String) {
    guard Self.parts(text) != nil else { return nil }
    description = text
  }

  /// The day as it was written, in the instant's own offset.
  public var date: CalendarDate? { Self.parts(description)?.0 }

  /// The instant in UTC as text whose order is that of the instants.
  public var utcSortKey: String {
    guard let (date, clock, offset) = Self.parts(description) else { return description }
    return Self.utc(date, minutes: clock.hour * 60 + clock.minute - offset, clock: clock)
  }

  private static func parts(_ text: String) -> (CalendarDate, clock: ClockText, offset: Int)? {
    let utf8 = Array(text.utf8)
    guard utf8.count > 11, utf8[10] == UInt8(ascii: "T"),
      let date = CalendarDate(String(decoding: utf8[..<10], as: UTF8.self)),
      let clock = ClockText(utf8[11...], secondsAreOptional: false), let offset = clock.offset
    else { return nil }
    return (date, clock, offset)
  }

  private static func utc(_ date: CalendarDate, minutes: Int, clock: ClockText) -> String {
    var (year, month, day, minutes) = (date.year, date.month, date.day, minutes)
    if minutes < 0 {
      minutes += 1440
      day -= 1
      if day == 0 {
        month -= 1
        if month == 0 { (year, month) = (year - 1, 12) }
        day = CalendarDate.dayCount(ofMonth: month, year: year)
      }
    } else if minutes >= 1440 {
      minutes -= 1440
      day += 1
      if day > CalendarDate.dayCount(ofMonth: month, year: year) {
        (month, day) = (month + 1, 1)
        if month == 13 { (year, month) = (year + 1, 1) }
      }
    }
    // Five digits hold the year before 0001 and the one after 9999 that an offset can reach.
    let day5 = padded(year, 5) + "-" + padded(month, 2) + "-" + padded(day, 2)
    let time = padded(minutes / 60, 2) + ":" + padded(minutes % 60, 2)
    return day5 + "T" + time + ":" + padded(clock.second, 2) + clock.fraction
  }
}

/// The parts of `HH:MM[:SS[.f…]][Z|±HH:MM]`.
private struct ClockText {
  var hour: Int
  var minute: Int
  var second = 0
  /// With its point and without trailing zeros, or empty.
  var fraction = ""
  /// Minutes east of UTC, or nil where no zone is written.
  var offset: Int?

  init?(_ utf8: some Sequence<UInt8>, secondsAreOptional: Bool) {
    let utf8 = Array(utf8)
    guard utf8.count >= 5, utf8[2] == UInt8(ascii: ":"), let hour = number(utf8[0..<2]),
      let minute = number(utf8[3..<5]), hour < 24, minute < 60
    else { return nil }
    (self.hour, self.minute) = (hour, minute)
    var rest = utf8[5...]
    if rest.first == UInt8(ascii: ":") {
      guard rest.count >= 3, let second = number(rest.dropFirst().prefix(2)), second < 60 else {
        return nil
      }
      self.second = second
      rest = rest.dropFirst(3)
      if rest.first == UInt8(ascii: ".") {
        let digits = rest.dropFirst().prefix {
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
        guard !digits.isEmpty else { return nil }
        rest = rest[digits.endIndex...]
        var significant = digits
        while significant.last == UInt8(ascii: "0") { significant.removeLast() }
        if !significant.isEmpty { fraction = "." + String(decoding: significant, as: UTF8.self) }
      }
    } else if !secondsAreOptional {
      return nil
    }
    if rest.elementsEqual([UInt8(ascii: "Z")]) {
      offset = 0
    } else if let sign = rest.first {
      rest = rest.dropFirst()
      guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), rest.count == 5,
        rest[rest.startIndex + 2] == UInt8(ascii: ":"), let hours = number(rest.prefix(2)),
        let minutes = number(rest.suffix(2)), hours < 24, minutes < 60
      else { return nil }
      offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
  }
}

private func number(_ digits: ArraySlice<UInt8>) -> Int? {
  var value = 0
  for byte in digits {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
    value = value * 10 + Int(byte - UInt8(ascii: "0"))
  }
  return value
}

private func padded(_ value: Int, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
