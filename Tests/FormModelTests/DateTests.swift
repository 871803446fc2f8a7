import FormModel
import Testing

@Suite struct DateTests {
  @Test(arguments: [
    ("2024-02-29", true), ("2023-02-29", false), ("1900-02-29", false), ("2000-02-29", true),
    ("1582-10-10", true), ("0001-01-01", true), ("0000-01-01", false), ("9999-12-31", true),
    ("2024-04-31", false), ("2024-00-10", false), ("2024-01-00", false), ("2024-1-1", false),
    ("2024-01-01 ", false), ("+024-01-01", false), ("２024-01-01", false),
  ])
  func days(text: String, exists: Bool) {
    #expect(CalendarDate(text)?.description == (exists ? text : nil))
  }

  @Test func daysHaveTheirOrder() throws {
    let days = ["0001-01-01", "1582-10-10", "1999-12-31", "2000-01-01", "2000-01-02", "2000-02-01"]
      .compactMap(CalendarDate.init)
    #expect(days == days.shuffled().sorted() && days.count == 6)
    #expect(CalendarDate(year: 2024, month: 2, day: 30) == nil)
    #expect(CalendarDate(year: 2024, month: 2, day: 29)?.description == "2024-02-29")
  }

  @Test(arguments: [
    ("00:00", true), ("23:59:59", true), ("23:59:59.000", true), ("24:00", false), ("12:60", false),
    ("1:05", false), ("12:00:60", false), ("12:00:00.", false), ("08:56:00.000Z", true),
    ("08:56+08:00", true), ("08:56+0800", false), ("08:56 ", false), ("", false),
  ])
  func times(text: String, exists: Bool) {
    #expect(TimeOfDay(text)?.description == (exists ? text : nil))
  }

  @Test(arguments: [
    ("2024-02-29T23:30:00-08:00", "02024-03-01T07:30:00"),
    ("2024-03-01T07:30:00Z", "02024-03-01T07:30:00"),
    ("2024-01-01T00:00:00+08:00", "02023-12-31T16:00:00"),
    ("2024-03-01T00:30:00+01:00", "02024-02-29T23:30:00"),
    ("2023-12-31T23:59:59.1200-00:01", "02024-01-01T00:00:59.12"),
    ("0001-01-01T00:00:00+14:00", "00000-12-31T10:00:00"),
    ("9999-12-31T23:00:00-12:00", "10000-01-01T11:00:00"),
    ("2024-02-29T12:00:00.000Z", "02024-02-29T12:00:00"),
  ])
  func instantsInUTC(text: String, key: String) throws {
    let instant = try #require(OffsetDateTime(text))
    #expect(instant.utcSortKey == key)
    #expect(instant.description == text)
    #expect(instant.date?.description == String(text.prefix(10)))
  }

  @Test(arguments: [
    "2024-02-30T00:00:00Z", "2024-02-29T24:00:00Z", "2024-02-29T12:00Z", "2024-02-29T12:00:00",
    "2024-02-29 12:00:00Z", "2024-02-29T12:00:00+0800", "2024-02-29T12:00:00+24:00",
    "2016-12-31T23:59:60Z", "2024-02-29T12:00:00z", "2024-02-29T12:00:00.Z", "",
  ])
  func instantsThatAreNone(text: String) {
    #expect(OffsetDateTime(text) == nil)
  }
}
