import FormModel

/// How long a server asks to wait before the next request.
public enum RetryAfter {
  /// The longest wait that a server can ask for: one hour.
  public static let limit = Duration.seconds(3600)

  /// The wait that a response asks for, at most ``limit``, or nil when it asks for none: the longer
  /// of `Retry-After` (RFC 9110, section 10.2.3) and Kinto's `Backoff`.
  ///
  /// It counts from when the response came; a wait that is measured on a clock that can't be set
  /// does not depend on the wall clock. Dates in the past and text that is no wait are ignored.
  ///
  /// - Parameters:
  ///   - headers: the response's headers.
  ///   - now: the time in seconds since 1970, for dates when the response has no `Date` of its own.
  public static func wait(in headers: HTTPHeaders, now: Int64) -> Duration? {
    // A date is compared with the server's own clock where it says what that shows.
    let now = headers["Date"].flatMap(seconds(atHTTPDate:)) ?? now
    let waits = [
      headers["Retry-After"].flatMap { seconds(in: $0, now: now) },
      headers["Backoff"].flatMap(wholeSeconds),
    ]
    return waits.compactMap { $0 }.max().map { min(.seconds($0), limit) }
  }

  /// The wait that Kinto's `Backoff` asks for, with any response, at most ``limit``; or nil.
  ///
  /// - Parameter headers: the response's headers.
  public static func backoff(in headers: HTTPHeaders) -> Duration? {
    headers["Backoff"].flatMap(wholeSeconds).map { min(.seconds($0), limit) }
  }

  private static func seconds(in text: String, now: Int64) -> Int64? {
    if let seconds = wholeSeconds(text) { return seconds }
    guard let date = seconds(atHTTPDate: text), date > now else { return nil }
    return date - now
  }

  private static func wholeSeconds(_ text: String) -> Int64? {
    let text = text.trimmedSpace
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int64(text) ?? .max / 2
  }

  /// The time in seconds since 1970 that an HTTP date denotes, in any of its three formats (RFC
  /// 9110, section 5.6.7), or nil.
  static func seconds(atHTTPDate text: String) -> Int64? {
    let words = text.trimmedSpace.split(separator: " ").map(String.init)
    guard let weekday = words.first else { return nil }
    switch words.count {
    // Sun, 06 Nov 1994 08:49:37 GMT
    case 6 where weekday.hasSuffix(",") && words[5] == "GMT" && words[3].utf8.count == 4:
      return seconds(day: words[1], month: words[2], year: number(words[3]), time: words[4])
    // Sunday, 06-Nov-94 08:49:37 GMT
    case 4 where weekday.hasSuffix(",") && words[3] == "GMT":
      let date = words[1].split(separator: "-").map(String.init)
      guard date.count == 3, date[2].utf8.count == 2, let year = number(date[2]) else { return nil }
      // Two digits are a year of the last decades or the next (the RFC draws the line 50 years
      // from now; a server that waits that long is not one to wait for).
      return seconds(
        day: date[0], month: date[1], year: year < 70 ? 2000 + year : 1900 + year, time: words[2])
    // Sun Nov  6 08:49:37 1994
    case 5 where !weekday.hasSuffix(",") && words[4].utf8.count == 4:
      return seconds(day: words[2], month: words[1], year: number(words[4]), time: words[3])
    default:
      return nil
    }
  }

  private static func number(_ text: String) -> Int64? {
    text.utf8.allSatisfy(\.isASCIIDigit) ? Int64(text) : nil
  }

  private static func seconds(
    day: String, month: String, year: Int64?, time: String
  ) -> Int64? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let clock = time.split(separator: ":", omittingEmptySubsequences: false)
      .map { number(String($0)) }
    guard let day = number(day), let index = months.firstIndex(of: month), let year,
      clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    // Days from the civil calendar, with years that begin in March.
    let monthNumber = Int64(index) + 1
    let shifted = monthNumber > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted % 400
    let dayOfYear = (153 * (monthNumber + (monthNumber > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    return days * 86_400 + hour * 3600 + minute * 60 + second
  }
}
