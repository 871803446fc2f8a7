import FormModel

@testable import DraftStore
@testable import DraftSync

/// A server's answer, whatever it is, is understood as something, within bounds; and the record in
/// it merges without a loss.
///
/// The input's first byte says what was asked; then comes the response as on the wire, in whose
/// `X-Base` and `X-Mine` headers stand the other sides of the merge.
func testAnswers(_ bytes: [UInt8]) {
  guard let first = bytes.first else { return }
  let kinds = AnswerClassification.Kind.allCases
  let kind = kinds[Int(first) % kinds.count]
  let (method, envelope) = (
    kind == .fetch ? "GET" : first & 4 == 0 ? "POST" : "PATCH", first & 8 == 0 ? nil : "data"
  )
  let response = response(bytes.dropFirst(), isTruncated: first & 16 != 0)
  let answer = AnswerClassification(kind, method: method, envelope: envelope)
    .answer(to: response, now: 1_767_225_600)
  testTexts(answer)
  testHeaders(response)
  switch answer {
  case .done(let acknowledgement), .alreadyDone(let acknowledgement):
    law((200..<300).contains(response.status), "done without a success")
    law(!response.isBodyTruncated, "done with a part of a body")
    guard let record = acknowledgement.record else {
      return law(kind != .fetch, "a record is read and not there")
    }
    testMerge(record, response.headers, acknowledgement.entityTag)
  case .retry(let retry):
    law(retry.wait.map { $0 >= .zero && $0 <= RetryAfter.limit } ?? true, "a wait beyond the limit")
  default:
    law(!(200..<300).contains(response.status) || answer.isUnknown, "a success that is none")
  }
}

/// A response in the bytes of the wire: a status line, fields, an empty line, the body.
private func response(_ bytes: ArraySlice<UInt8>, isTruncated: Bool) -> HTTPResponse {
  var head = ResponseHead(limit: 2048)
  var rest = bytes
  var status = 0
  while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
    let line = rest[...end]
    rest = rest[(end + 1)...]
    guard line.withUnsafeBytes({ head.receive($0) }) else { break }
    if line.starts(with: "HTTP/".utf8) {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      status = words.count > 1 ? Int(words[1].prefix(3)) ?? 0 : 0
    }
    if line.count <= 2, line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) { break }
  }
  return HTTPResponse(
    status: status, headers: head.headers, body: Array(rest), isBodyTruncated: isTruncated)
}

extension Answer {
  fileprivate var isUnknown: Bool { if case .outcomeUnknown = self { true } else { false } }

  fileprivate var problem: Problem? {
    switch self {
    case .conflict(let problem), .preconditionRequired(let problem), .freshConnection(let problem),
      .unauthorized(let problem), .misdirected(let problem), .outcomeUnknown(let problem),
      .park(let problem):
      problem
    case .retry(let retry): retry.problem
    case .done, .alreadyDone, .unchanged: nil
    }
  }
}

/// What a server says is shown in terminals and lists.
private func testTexts(_ answer: Answer) {
  guard let problem = answer.problem else { return }
  for text in [problem.type, problem.title, problem.detail].compactMap({ $0 }) {
    law(text.unicodeScalars.count <= Problem.maximumLength + 1, "a problem's text is too long")
    law(
      text.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
      }, "a problem's text holds control characters")
  }
}

private func testHeaders(_ response: HTTPResponse) {
  let headers = response.headers
  law(headers.fields.allSatisfy { !$0.value.contains("\r\n") }, "a header of several lines")
  if let wait = RetryAfter.wait(in: headers, now: .max) {
    law(wait >= .zero && wait <= RetryAfter.limit, "a wait beyond the limit")
  }
  if let tag = headers.entityTag {
    law(EntityTag(tag.description) == tag, "an entity tag is none when read again")
    law(tag.description.isHeaderValue, "an entity tag that can't be sent back")
  }
  if let location = headers["Location"], let here = WebAddress("https://host/a/b?c"),
    let place = here.resolving(location)
  {
    law(WebAddress(place.text)?.origin == place.origin, "an address is another when read again")
  }
}
