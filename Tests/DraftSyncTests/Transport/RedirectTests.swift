import DraftSync
import Synchronization
import Testing

/// Answers by address and keeps what was asked.
private final class StubTransport: Transport {
  private let locations: [String: String]
  private let log = Mutex<[HTTPRequest]>([])

  init(_ locations: [String: String]) {
    self.locations = locations
  }

  var requests: [HTTPRequest] { log.withLock { $0 } }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    log.withLock { $0.append(request) }
    guard let location = locations[request.url] else { return HTTPResponse(status: 200) }
    return HTTPResponse(status: 307, headers: ["Location": location])
  }
}

@Suite("Redirects")
struct RedirectTests {
  private func urls(
    of method: String = "GET", _ locations: [String: String]
  ) async throws -> (status: Int, requests: [HTTPRequest]) {
    let settings = try SyncSettings(
      parsing: Array(#"{"url": "https://a.example/{id}", "allowPlainHTTP": ["plain.lan"]}"#.utf8))
    let transport = StubTransport(locations)
    let request = HTTPRequest(
      method: method, url: "https://a.example/x",
      headers: ["Authorization": "Bearer secret", "X-Api-Key": "secret", "Accept": "a/b"])
    let response = try await transport.send(request, followingRedirectsBy: settings)
    return (response.status, transport.requests)
  }

  @Test func withinTheOriginCredentialsAreSent() async throws {
    let (status, requests) = try await urls(["https://a.example/x": "y?z=1"])
    #expect(status == 200)
    #expect(requests.map(\.url) == ["https://a.example/x", "https://a.example/y?z=1"])
    #expect(requests.last?.headers["Authorization"] == "Bearer secret")
  }

  @Test(arguments: [
    "https://b.example/x", "//b.example/x", "https://a.example:8443/x", "https://a.example.evil/x",
  ])
  func toAnotherOriginTheyAreNot(_ location: String) async throws {
    let (status, requests) = try await urls(["https://a.example/x": location])
    #expect(status == 200)
    #expect(requests.count == 2)
    #expect(requests.last?.headers == ["Accept": "a/b"])
  }

  @Test(arguments: [
    "http://a.example/x", "http://plain.lan/x", "http://127.0.0.1/x", "file:///etc/passwd",
    "https://user:password@a.example/x", "",
  ])
  func whereItDoesNotLead(_ location: String) async throws {
    let (status, requests) = try await urls(["https://a.example/x": location])
    #expect(status == 307)
    #expect(requests.count == 1)
  }

  @Test(arguments: ["PATCH", "PUT", "POST", "DELETE"])
  func mutationsAreNotRedirected(_ method: String) async throws {
    let (status, requests) = try await urls(of: method, ["https://a.example/x": "y"])
    #expect(status == 307)
    #expect(requests.count == 1)
  }

  @Test func loopsEnd() async throws {
    let (status, requests) = try await urls(["https://a.example/x": "/x"])
    #expect(status == 307)
    #expect(requests.count == 6)
  }
}
