import FormModel

/// What a request says before its body.
struct RequestHead: Sendable {
  let method: String
  /// The path, percent-encoding resolved.
  let path: String
  /// The headers that matter here, by names in lower case; of one that is repeated, the first.
  let headers: [String: String]
  /// The cookie of this server.
  let cookie: String?
  /// The parameters that matter here, of those after the path.
  let query: [String: String]

  /// The parts of the path between its slashes.
  var parts: [Substring] { path.split(separator: "/") }

  var isReading: Bool { method == "GET" || method == "HEAD" }
}

/// What is answered.
struct Response: Sendable {
  enum Content: Sendable {
    case bytes([UInt8])
    /// Events that go on until either side ends them.
    case events(EventStream)
  }

  var status: Int
  var headers: [(name: String, value: String)]
  var content: Content

  init(status: Int = 200, type: String, _ content: Content) {
    self.status = status
    headers = [("Content-Type", type), ("Cache-Control", "no-store")]
    self.content = content
  }

  static func json(_ value: JSONValue, status: Int = 200) -> Response {
    Response(status: status, type: "application/json", .bytes(Array(value.jsonText.utf8)))
  }

  static func text(_ text: String, status: Int) -> Response {
    Response(status: status, type: "text/plain; charset=utf-8", .bytes(Array((text + "\n").utf8)))
  }

  /// Why something was not done, for the page's script.
  static func error(_ status: Int, _ code: String, _ message: String) -> Response {
    json(["error": ["code": .string(code), "message": .string(message)]], status: status)
  }
}

/// Answers requests. It is called by several threads, and may hold them for a while.
protocol RequestHandler: Sendable {
  /// Why a request is not taken, before its body is read; nil when it is.
  func refusal(of head: RequestHead) -> Response?
  func response(to head: RequestHead, body: [UInt8]) -> Response
}
