import FormModel
import Testing

@testable import DraftSync

@Suite("What an answer means")
struct AnswerClassificationTests {
  private func answer(
    _ status: Int, _ headers: HTTPHeaders = [:], _ body: String = "",
    kind: AnswerClassification.Kind = .change, method: String = "PATCH", envelope: String? = nil,
    isCut: Bool = false
  ) -> Answer {
    AnswerClassification(kind, method: method, envelope: envelope).answer(
      to: HTTPResponse(
        status: status, headers: headers, body: Array(body.utf8), isBodyTruncated: isCut),
      now: 0)
  }

  private static let json = "application/json"

  @Test(arguments: [200, 201, 204], [AnswerClassification.Kind.create, .change])
  func successWithAnEntityTag(_ status: Int, _ kind: AnswerClassification.Kind) {
    let answer = answer(status, ["ETag": #""v1""#], kind: kind)
    guard case .done(let acknowledgement) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(acknowledgement.entityTag?.description == #""v1""#)
    #expect(!acknowledgement.needsFetch)
  }

  @Test(arguments: [200, 201, 202, 203, 204, 205])
  func successWithoutAnEntityTag(_ status: Int) {
    // The tag of a 202 or 203 is not one of the new version for sure.
    let headers: HTTPHeaders = [202, 203].contains(status) ? ["ETag": #""v1""#] : [:]
    guard case .done(let acknowledgement) = answer(status, headers) else {
      Issue.record("not done")
      return
    }
    #expect(acknowledgement.needsFetch)
  }

  @Test func theRecordIsTakenOutOfItsEnvelope() {
    let body = #"{"data":{"age":31},"permissions":{}}"#
    let headers: HTTPHeaders = ["Content-Type": Self.json, "ETag": #"W/"1""#]
    for kind in [AnswerClassification.Kind.change, .fetch] {
      guard case .done(let done) = answer(200, headers, body, kind: kind, envelope: "data") else {
        Issue.record("not done")
        return
      }
      #expect(done.record == ["age": 31])
      #expect(done.entityTag?.isWeak == true)
    }
    guard case .done(let done) = answer(200, headers, body, envelope: "other") else {
      Issue.record("not done")
      return
    }
    #expect(done.record == nil)
  }

  @Test func whatWasDoneBefore() {
    let replayed = answer(200, ["ETag": #""1""#, "Idempotent-Replayed": "true"])
    guard case .alreadyDone = replayed else {
      Issue.record("\(replayed)")
      return
    }
    // Kinto: the second POST with the client's own id is answered 200 with the old record.
    let old = answer(200, ["ETag": #""1""#], kind: .create, method: "POST")
    guard case .alreadyDone = old else {
      Issue.record("\(old)")
      return
    }
    guard case .done = answer(201, ["ETag": #""1""#], kind: .create, method: "POST"),
      case .done = answer(200, ["ETag": #""1""#], kind: .create, method: "PUT")
    else {
      Issue.record("not done")
      return
    }
  }

  @Test(arguments: [
    (200, "application/json", #"{"a":"#), (200, "application/json", "<html>"),
    (200, "text/html; charset=utf-8", "<p>Log in to the hotel's network</p>"),
    (200, "text/plain", "  <!DOCTYPE html><title>x</title>"), (200, "", "not json"),
    (200, "application/problem+json", "nope"), (206, "application/json", "{}"),
    (207, "application/json", "{}"), (226, "", ""), (0, "", ""), (100, "", ""), (999, "", ""),
  ])
  func anOutcomeThatIsNotKnown(_ status: Int, _ type: String, _ body: String) {
    let answer = answer(status, ["Content-Type": type, "ETag": #""1""#], body)
    guard case .outcomeUnknown = answer else {
      Issue.record("\(answer)")
      return
    }
  }

  @Test func aCutBodyIsAnOutcomeThatIsNotKnown() {
    guard case .outcomeUnknown = answer(200, ["ETag": #""1""#], "{}", isCut: true) else {
      Issue.record("taken for whole")
      return
    }
  }

  @Test func otherTypesOfBodiesSayNothing() {
    guard case .done(let done) = answer(200, ["Content-Type": "text/plain"], "OK") else {
      Issue.record("not done")
      return
    }
    #expect(done.record == nil)
    guard case .outcomeUnknown = answer(200, ["Content-Type": "text/plain"], "OK", kind: .fetch)
    else {
      Issue.record("a fetch without a record")
      return
    }
  }

  @Test func unchangedIsOnlyOfAFetch() {
    #expect(answer(304, kind: .fetch, method: "GET") == .unchanged)
    guard case .misdirected = answer(304) else {
      Issue.record("a change can't be unchanged")
      return
    }
  }

  @Test(arguments: [300, 301, 302, 303, 307, 308])
  func redirectsAreFaultsOfTheSettings(_ status: Int) {
    let answer = answer(status, ["Location": "https://b.example/path?token=hunter2"])
    guard case .misdirected(let problem) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(problem.description.contains("https://b.example;"))
    #expect(!problem.description.contains("hunter2"))
  }

  @Test(arguments: ["create", "change"])
  func conflicts(_ kind: String) throws {
    let kind = try #require(AnswerClassification.Kind(rawValue: kind))
    for status in [409, 412] {
      guard case .conflict = answer(status, kind: kind) else {
        Issue.record("\(status)")
        return
      }
    }
    guard case .preconditionRequired = answer(428, kind: kind) else {
      Issue.record("428")
      return
    }
  }

  @Test func aConflictOfIdempotencyKeysIsNone() {
    let body = #"{"type":"https://example.org/idempotency","title":"A request is outstanding"}"#
    let headers: HTTPHeaders = ["Content-Type": "application/problem+json", "Retry-After": "2"]
    guard case .retry(let retry) = answer(409, headers, body) else {
      Issue.record("409")
      return
    }
    #expect(retry.cause == .inFlight)
    #expect(retry.wait == .seconds(2))
    guard case .park = answer(422, headers, body) else {
      Issue.record("422")
      return
    }
  }

  @Test(arguments: [
    400, 402, 403, 404, 405, 406, 410, 411, 413, 414, 415, 416, 417, 418, 422, 423, 424, 426, 431,
    451, 499,
  ])
  func parked(_ status: Int) {
    let body = #"{"title":"Not valid","detail":"age must be a number"}"#
    let answer = answer(status, ["Content-Type": "application/problem+json"], body)
    guard case .park(let problem) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(problem.description == "status \(status): Not valid: age must be a number")
  }

  @Test(arguments: [401, 407])
  func unauthorized(_ status: Int) {
    guard case .unauthorized = answer(status, ["WWW-Authenticate": "Basic"]) else {
      Issue.record("\(status)")
      return
    }
  }

  @Test func aMisdirectedRequestGetsAFreshConnection() {
    guard case .freshConnection = answer(421) else {
      Issue.record("421")
      return
    }
  }

  @Test(arguments: [
    (408, Answer.Retry.Cause.failure), (425, .failure), (429, .busy), (500, .failure),
    (501, .failure), (502, .failure), (503, .busy), (504, .failure), (507, .failure),
    (599, .failure),
  ])
  func retried(_ status: Int, _ cause: Answer.Retry.Cause) {
    for headers in [[:], ["Retry-After": "30"]] as [HTTPHeaders] {
      guard case .retry(let retry) = answer(status, headers) else {
        Issue.record("\(status)")
        return
      }
      #expect(retry.cause == cause)
      #expect(retry.wait == (headers.fields.isEmpty ? nil : .seconds(30)))
    }
  }

  @Test func aFetchHasNoConflict() {
    for status in [409, 412, 428, 404, 410] {
      guard case .park(let problem) = answer(status, kind: .fetch, method: "GET") else {
        Issue.record("\(status)")
        return
      }
      #expect(problem.status == status)
    }
  }
}

@Suite("What a server says")
struct ProblemTests {
  private func problem(_ type: String, _ body: String) -> Problem {
    Problem(
      HTTPResponse(status: 400, headers: ["Content-Type": type], body: Array(body.utf8)))
  }

  @Test(arguments: [
    ("application/problem+json", #"{"title":"T","detail":"D"}"#, "status 400: T: D"),
    ("application/problem+json", #"{"title":"T","detail":"T"}"#, "status 400: T"),
    ("application/problem+json", #"{"title":1,"detail":["x"],"status":"a"}"#, "status 400"),
    ("application/problem+json", #"["x"]"#, "status 400"),
    ("application/json", #"{"code":400,"error":"Bad","message":"No"}"#, "status 400: Bad: No"),
    ("", #"{"title":"T"}"#, "status 400: T"),
    (
      "text/html", "<html><head><TITLE>502 Bad\n Gateway</TITLE></head>",
      "status 400: 502 Bad Gateway"
    ),
    ("text/html", "<html><body><h1>Oh</h1><p>no</p></body>", "status 400: Oh no"),
    ("text/html", "<", "status 400"), ("text/html", "<title", "status 400"),
    ("text/plain", "just\r\n\ttext", "status 400: just text"),
    ("text/plain", "<!doctype html><title>Page</title>", "status 400: Page"),
    ("image/png", "\u{1}\u{2}binary", "status 400"), ("text/plain", "", "status 400"),
  ])
  func texts(_ type: String, _ body: String, _ expected: String) {
    #expect(problem(type, body).description == expected)
  }

  @Test func textIsBoundedAndPlain() {
    let hostile =
      "a\u{1B}[31mb\u{202E}c\u{0}d\u{9B}e\u{200B}f" + String(repeating: "x", count: 9000)
    let text = problem("text/plain", hostile).description
    #expect(text.hasPrefix("status 400: a [31mbc d ef"))
    #expect(text.count < 600)
    // One character of very many scalars is no way around the bound.
    let marks = problem("text/plain", "a" + String(repeating: "\u{301}", count: 9000)).description
    #expect(marks.unicodeScalars.count < 600)
  }
}
