import FormModel
import FormSamples
import Testing

@testable import DraftSync

@Suite("Waits between attempts")
struct WaitTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT
  private static let then: Int64 = 784_111_777

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func datesInAllFormats(_ text: String) {
    #expect(RetryAfter.seconds(atHTTPDate: text) == Self.then)
    #expect(
      RetryAfter.wait(in: ["Retry-After": text], now: Self.then - 90) == .seconds(90))
    #expect(RetryAfter.wait(in: ["Retry-After": text], now: Self.then) == nil)
    #expect(RetryAfter.wait(in: ["Retry-After": text], now: Self.then + 1) == nil)
  }

  @Test(arguments: [
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0 as Int64), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
    ("Fri, 31 Dec 1999 23:59:60 GMT", 946_684_800),
    ("Tue, 01 Dec 2026 15:00:00 GMT", 1_796_137_200),
    ("Sunday, 01-Mar-26 00:00:00 GMT", 1_772_323_200),
  ])
  func dates(_ text: String, _ seconds: Int64) {
    #expect(RetryAfter.seconds(atHTTPDate: text) == seconds)
  }

  @Test(arguments: [
    ("0", Duration.seconds(0)), ("120", .seconds(120)), (" 5 ", .seconds(5)),
    ("3600", .seconds(3600)), ("999999", .seconds(3600)),
    ("99999999999999999999999999", .seconds(3600)),
  ])
  func seconds(_ text: String, _ wait: Duration) {
    #expect(RetryAfter.wait(in: ["retry-after": text], now: 0) == wait)
  }

  @Test(arguments: [
    "", " ", "-1", "1.5", "soon", "٣", "Sun, 06 Nov 1994 08:49:37 PST",
    "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49 GMT", "Sun, 06 Nov 1994", ", , , , , ,",
    "Sun, 06 Nov 0000 25:00:00 GMT", "a b c d e f g h",
  ])
  func noWaits(_ text: String) {
    #expect(RetryAfter.wait(in: ["Retry-After": text], now: 0) == nil)
  }

  @Test func theServersOwnClockCounts() {
    let headers: HTTPHeaders = [
      "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:49:57 GMT",
    ]
    #expect(RetryAfter.wait(in: headers, now: 0) == .seconds(20))
    #expect(RetryAfter.wait(in: headers, now: .max) == .seconds(20))
    #expect(RetryAfter.wait(in: ["Backoff": "7", "Retry-After": "3"], now: 0) == .seconds(7))
  }

  @Test func boundsGrowAndEnd() {
    let backoff = Backoff(first: .seconds(1), limit: .seconds(60))
    let bounds = (1...9).map { backoff.bound(afterAttempts: $0) }
    #expect(bounds == [1, 2, 4, 8, 16, 32, 60, 60, 60].map(Duration.seconds))
    #expect(backoff.bound(afterAttempts: .max) == .seconds(60))
    #expect(backoff.bound(afterAttempts: 0) == .seconds(1))
    #expect(Backoff(first: .seconds(9), limit: .seconds(1)).bound(afterAttempts: 3) == .seconds(9))
  }

  @Test func jitterIsFull() {
    let backoff = Backoff(first: .seconds(1), limit: .seconds(60))
    var generator = SeededGenerator(seed: 7)
    let waits = (0..<2000).map { _ in backoff.wait(afterAttempts: 4, using: &generator) }
    #expect(waits.allSatisfy { (.zero ... .seconds(8)).contains($0) })
    #expect(waits.contains { $0 < .seconds(1) })
    #expect(waits.contains { $0 > .seconds(7) })
  }

  /// With none, the pass that has just failed would send the same again at once.
  @Test func thereIsAlwaysAWait() {
    var generator = SeededGenerator(seed: 9)
    let none = Backoff(first: .zero, limit: .zero)
    let least = Backoff(first: .milliseconds(2), limit: .milliseconds(2))
    #expect(none.wait(afterAttempts: 1, using: &generator) == .milliseconds(1))
    #expect(none.wait(afterAttempts: 1, atLeast: .zero, using: &generator) == .milliseconds(1))
    let waits = (0..<100).map { _ in least.wait(afterAttempts: 1, using: &generator) }
    #expect(Set(waits) == [.milliseconds(1), .milliseconds(2)])
  }

  @Test func theServersWaitIsAMinimum() {
    let backoff = Backoff()
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<100 {
      let wait = backoff.wait(afterAttempts: 3, atLeast: .seconds(30), using: &generator)
      #expect((.seconds(30) ... .seconds(34)).contains(wait))
      let long = backoff.wait(afterAttempts: 60, atLeast: .seconds(99_999), using: &generator)
      #expect((.seconds(3600) ... .seconds(3660)).contains(long))
    }
  }

  @Test(arguments: [#""v1""#, #"W/"v1""#, #""""#, #""é!#$%&'()*""#])
  func entityTagsAreKept(_ text: String) throws {
    let tag = try #require(EntityTag(text))
    #expect(Array(tag.description.utf8) == Array(text.utf8))
    #expect(tag.isWeak == text.hasPrefix("W/"))
  }

  @Test(arguments: [
    "", "v1", "\"", "W/", "W/\"", "w/\"a\"", #""a"b""#, "\"a b\"", "\"a\u{FFFD}\"", "*", "\"a\n\"",
  ])
  func whatIsNoEntityTag(_ text: String) {
    #expect(EntityTag(text) == nil)
  }

  @Test func entityTagsCompareByBytes() {
    #expect(EntityTag("\"\u{E9}\"") != EntityTag("\"e\u{301}\""))
    #expect(EntityTag(#""1""#) != EntityTag(#"W/"1""#))
  }
}
