import Testing

@testable import DraftSync

@Suite("The header lines of a response")
struct ResponseHeadTests {
  private func headers(_ lines: String..., limit: Int = 1000) -> HTTPHeaders {
    var head = ResponseHead(limit: limit)
    for line in lines { Array("\(line)\r\n".utf8).withUnsafeBytes { _ = head.receive($0) } }
    return head.headers
  }

  @Test func aFoldedLineGoesOnWithTheOneBefore() {
    let headers = headers("HTTP/1.1 200 OK", "A: b", " c: d", "\te", "")
    #expect(headers == ["A": "b c: d e"])
  }

  /// In Swift's characters, a space before a combining mark is no space.
  @Test func aFoldedLineMayBeginWithAnyMark() {
    #expect(headers("HTTP/1.1 200 OK", "A: b", " \u{301}ETag: \"1\"")["\u{301}ETag"] == nil)
  }

  @Test func interimResponsesAndTrailersAreNoHeaders() {
    let headers = headers(
      "HTTP/1.1 103 Early Hints", "A: 1", "", "HTTP/1.1 200 OK", "B: 2", "", "ETag: \"1\"",
      "HTTP/1.1: 500", "ETag: \"2\"", "")
    #expect(headers == ["B": "2"])
  }

  @Test func linesBeyondTheLimitAreRefused() {
    var head = ResponseHead(limit: 6)
    #expect(Array("A: b\r\n".utf8).withUnsafeBytes { head.receive($0) })
    #expect(!head.isTooLarge)
    #expect(!Array("\r\n".utf8).withUnsafeBytes { head.receive($0) })
    #expect(head.isTooLarge)
  }
}
