import DraftSync
import FormModel
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

@Suite("Requests by libcurl", .serialized, .timeLimit(.minutes(20)))
struct CurlTransportTests {
  private func transport(
    total: Duration = .seconds(20), maximumBodyBytes: Int = 1024 * 1024
  ) -> CurlTransport {
    CurlTransport(
      options: CurlTransport.Options(totalTimeout: total, maximumBodyBytes: maximumBodyBytes))
  }

  private func patch(_ url: String, _ body: String = "{}") -> HTTPRequest {
    HTTPRequest(
      method: "PATCH", url: url,
      headers: [
        "Content-Type": "application/merge-patch+json", "If-Match": #""v1""#, "X-Empty": "",
      ],
      body: Array(body.utf8))
  }

  /// The error of a request that must fail.
  private func failure(
    of request: HTTPRequest, _ transport: CurlTransport
  ) async -> TransportError? {
    do throws(TransportError) {
      let response = try await transport.send(request)
      Issue.record("a response came: \(response.status)")
      return nil
    } catch {
      return error
    }
  }

  @Test func sendsExactlyWhatIsAskedFor() async throws {
    let server = RawServer.answering(
      "HTTP/1.1 200 OK\r\nETag: W/\"a b\"\r\netag: \"second\"\r\nContent-Length: 2\r\n\r\n{}")
    defer { server.stop() }
    let response = try await transport().send(patch(server.url("/records/1?a=b"), #"{"a":1}"#))
    #expect(response.status == 200)
    #expect(response.headers["etag"] == #"W/"a b""#)
    #expect(response.body == Array("{}".utf8))
    let request = try #require(server.requests.first)
    let lines = request.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.first == "PATCH /records/1?a=b HTTP/1.1")
    for line in [
      "Content-Type: application/merge-patch+json", #"If-Match: "v1""#, "X-Empty:",
      "Content-Length: 7", "Accept-Encoding: gzip", "User-Agent: formdraft/1.0.0",
    ] {
      #expect(lines.contains { $0 == line }, "\(line)")
    }
    #expect(!request.contains("Expect"))
    #expect(lines.last == #"{"a":1}"#)
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "GET"])
  func bodilessRequests(_ method: String) async throws {
    let server = RawServer.answering("HTTP/1.1 204 No Content\r\n\r\n")
    defer { server.stop() }
    let response = try await transport().send(HTTPRequest(method: method, url: server.url()))
    #expect(response.status == 204)
    #expect(server.requests.first?.hasPrefix("\(method) / HTTP/1.1\r\n") == true)
    #expect(server.requests.first?.contains("Content-Type") == false)
  }

  @Test func aLargeBodyDoesNotWait() async throws {
    let server = RawServer.answering("HTTP/1.1 204 No Content\r\n\r\n")
    defer { server.stop() }
    let body = String(repeating: "x", count: 1_500_000)
    _ = try await transport().send(patch(server.url(), body))
    // A server that does not know of Expect would answer a second late.
    #expect(server.requests.first?.contains("Expect:") == false)
    #expect(server.requests.first?.hasSuffix(body) == true)
  }

  // curl/curl#18417: libcurl sends again on a reused connection that the server has closed.
  @Test func aMutationArrivesOnceWhenTheServerClosesAKeptConnection() async throws {
    let server = RawServer { connection, note in
      guard let first = connection.readRequest() else { return }
      note(first)
      if first.hasPrefix("GET") { connection.answer("200 OK") } else { return }
      if let second = connection.readRequest() { note(second) }
    }
    defer { server.stop() }
    let transport = transport()
    _ = try await transport.send(HTTPRequest(method: "GET", url: server.url()))
    let error = await failure(of: patch(server.url()), transport)
    #expect(error?.isOutcomeUnknown == true)
    #expect(error?.reason == .connectionLost)
    #expect(server.requests.count { $0.hasPrefix("PATCH") } == 1)
  }

  @Test func readingReusesAConnectionAndMutationsDoNot() async throws {
    let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    let transport = transport()
    for _ in 0..<3 { _ = try await transport.send(HTTPRequest(method: "GET", url: server.url())) }
    #expect(server.connectionCount == 1)
    for _ in 0..<3 { _ = try await transport.send(patch(server.url())) }
    #expect(server.connectionCount == 4)
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":", TransportError.Reason.connectionLost),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a", .connectionLost),
    ("SSH-2.0-OpenSSH_9.2\r\n", .malformedResponse),
    ("\u{0}\u{1}\u{2}garbage\r\n\r\n", .malformedResponse),
    ("", .connectionLost),
    (
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
      .malformedResponse
    ),
  ])
  func brokenAnswers(_ answer: String, _ reason: TransportError.Reason) async throws {
    let server = RawServer { connection, note in
      if let request = connection.readRequest() { note(request) }
      connection.write(answer)
    }
    defer { server.stop() }
    let error = await failure(of: patch(server.url()), transport())
    #expect(error?.isOutcomeUnknown == true)
    #expect(error?.reason == reason)
    #expect(server.requests.count == 1)
  }

  @Test func aSlowDripEndsAtTheTotalTimeLimit() async throws {
    let server = RawServer { connection, note in
      guard connection.readRequest() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
      while connection.write(" ") { connection.pause(milliseconds: 50) }
    }
    defer { server.stop() }
    let error = await failure(of: patch(server.url()), transport(total: .milliseconds(700)))
    #expect(error?.isOutcomeUnknown == true)
    #expect(error?.reason == .timedOut)
  }

  @Test func aHugeBodyIsCutAndFlagged() async throws {
    let server = RawServer { connection, _ in
      guard connection.readRequest() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\nETag: \"1\"\r\n\r\n")
      let chunk = [UInt8](repeating: 0x61, count: 65_536)
      while connection.write(chunk) {}
    }
    defer { server.stop() }
    let transport = transport(maximumBodyBytes: 100_000)
    let response = try await transport.send(HTTPRequest(method: "GET", url: server.url()))
    #expect(response.isBodyTruncated)
    #expect(response.body.count == 100_000)
    #expect(response.status == 200)
  }

  @Test func aBodyOfTheVeryLimitIsNotCut() async throws {
    let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde")
    defer { server.stop() }
    let response = try await transport(maximumBodyBytes: 5)
      .send(HTTPRequest(method: "GET", url: server.url()))
    #expect(!response.isBodyTruncated)
    #expect(response.body.count == 5)
  }

  @Test func hugeHeadersAreRefused() async throws {
    let server = RawServer { connection, _ in
      guard connection.readRequest() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\n")
      let line = "X-Filler: \(String(repeating: "x", count: 4000))\r\n"
      for _ in 0..<1000 where !connection.write(line) { return }
      connection.write("\r\n")
    }
    defer { server.stop() }
    let error = await failure(of: patch(server.url()), transport())
    #expect(error?.reason == .headersTooLarge)
    #expect(error?.isOutcomeUnknown == true)
  }

  @Test func redirectsAreNotFollowed() async throws {
    let server = RawServer.answering(
      "HTTP/1.1 307 Temporary Redirect\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
    defer { server.stop() }
    let transport = transport()
    for request in [patch(server.url()), HTTPRequest(method: "GET", url: server.url())] {
      #expect(try await transport.send(request).status == 307)
    }
    #expect(server.requests.count == 2)
  }

  @Test func anAuthenticationChallengeReturnsAtOnce() async throws {
    let server = RawServer.answering(
      "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n"
    )
    defer { server.stop() }
    let response = try await transport().send(patch(server.url()))
    #expect(response.status == 401)
    #expect(server.requests.count == 1)
  }

  @Test func interimResponsesAndTrailersAreNoHeaders() async throws {
    let server = RawServer.answering(
      "HTTP/1.1 103 Early Hints\r\nETag: \"early\"\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Long: a\r\n  b\r\n\r\n"
        + "2\r\n{}\r\n0\r\nETag: \"late\"\r\nHTTP/1.1: 500\r\nETag: \"later\"\r\n\r\n")
    defer { server.stop() }
    let response = try await transport().send(patch(server.url()))
    #expect(response.status == 200)
    #expect(response.headers["ETag"] == nil)
    #expect(response.headers["Transfer-Encoding"] == "chunked")
    #expect(response.headers["X-Long"] == "a b")
    #expect(response.body == Array("{}".utf8))
  }

  /// A response that ends before its last byte is none, wherever it ends.
  @Test(arguments: ["", "HTTP/1.1 100 Continue\r\n\r\n"], [0, 2])
  func aResponseThatIsCutShortIsNone(_ interim: String, _ length: Int) async throws {
    let whole = Array(
      (interim + "HTTP/1.1 201 Created\r\nETag: \"v1\"\r\nContent-Length: \(length)\r\n\r\n"
        + String(repeating: "1", count: length)).utf8)
    let count = Atomic(0)
    let server = RawServer { connection, note in
      if let request = connection.readRequest() { note(request) }
      connection.write(Array(whole.prefix(count.load(ordering: .relaxed))))
    }
    defer { server.stop() }
    let transport = transport()
    for cut in 0..<whole.count {
      count.store(cut, ordering: .relaxed)
      let error = await failure(of: patch(server.url()), transport)
      #expect(error?.isOutcomeUnknown == true, "cut after \(cut) bytes")
    }
    count.store(whole.count, ordering: .relaxed)
    #expect(try await transport.send(patch(server.url())).status == 201)
  }

  @Test func aRefusedConnectionIsNotSent() async throws {
    let server = RawServer.answering("")
    let url = server.url()
    server.stop()
    usleep(100_000)
    let error = await failure(of: patch(url), transport())
    #expect(error?.isOutcomeUnknown == false)
    #expect(error?.reason == .notConnected)
  }

  @Test func anUntrustedServerIsNotSentTo() async throws {
    let server = RawServer { connection, note in
      if let request = connection.readRequest() { note(request) }
      connection.write("this is no TLS\r\n\r\n")
    }
    defer { server.stop() }
    var request = patch("https://127.0.0.1:\(server.port)/")
    let transport = transport(total: .seconds(2))
    let error = await failure(of: request, transport)
    #expect(error?.isOutcomeUnknown == false)
    #expect(server.requests.isEmpty)
    request.url = "https://no-such-host.invalid/"
    #expect(await failure(of: request, transport)?.isOutcomeUnknown == false)
  }

  @Test(arguments: [
    "ftp://127.0.0.1/", "file:///etc/passwd", "http:", "http://a b/", "http://127.0.0.1/\n", "x",
    "http://user:secret@127.0.0.1/",
  ])
  func addressesThatAreRefused(_ url: String) async throws {
    let error = await failure(of: patch(url), transport())
    #expect(error?.reason == .invalidRequest)
    #expect(error?.isOutcomeUnknown == false)
    #expect("\(String(describing: error))".contains("secret") == false)
  }

  @Test func headersCannotSmuggleOthersIn() async throws {
    for field in [("X", "a\r\nEvil: 1"), ("X", "a\u{0}b"), ("X: Y", "a"), ("", "a")] {
      var request = patch("http://127.0.0.1:9/")
      request.headers.append(field.0, field.1)
      #expect(await failure(of: request, transport())?.reason == .invalidRequest)
    }
  }

  @Test func nothingSecretIsDescribed() async throws {
    var request = patch("http://127.0.0.1:9/token-in-path?key=token-in-query", "token-in-body")
    request.headers.append("Authorization", "Bearer token-in-header")
    let error = await failure(of: request, transport())
    var texts = ["\(request)", String(reflecting: request), "\(String(reflecting: error))"]
    var dumped = ""
    dump(request, to: &dumped)
    texts.append(dumped)
    for text in texts { #expect(!text.contains("token"), "\(text)") }
  }
}
