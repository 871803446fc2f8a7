/// Who may use the page: whoever has the token, by the names under which the server is known, from
/// the page itself.
struct Access: Sendable {
  /// 128 random bits in hexadecimal.
  let token: String
  /// Cookies know no ports: servers at several must not take each other's.
  let cookieName: String
  /// The values of the Host header that are taken. A name of another's that leads here would let
  /// that other's pages read what is served.
  private let hosts: Set<String>

  init(port: Int, host: String, allowedHosts: [String]) {
    token = Self.randomToken()
    cookieName = "formdraft-\(port)"
    let names =
      ["127.0.0.1", "localhost", "[::1]"]
      + ([host] + allowedHosts).map { Self.urlHost($0).lowercased() }
    hosts = Set(names.flatMap { port == 80 ? [$0, "\($0):80"] : ["\($0):\(port)"] })
  }

  /// A host as it stands in an address.
  static func urlHost(_ host: String) -> String {
    host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
  }

  private static func randomToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  enum Refusal: Sendable {
    /// The Host header is not the server's.
    case host
    /// Another page sent it.
    case origin
    case token
  }

  func refusal(of head: RequestHead) -> Refusal? {
    guard let host = head.headers["host"]?.lowercased(), hosts.contains(host) else { return .host }
    guard isFromHere(head, host) else { return .origin }
    return isToken(head.cookie) || hasTokenInAddress(head) ? nil : .token
  }

  /// Whether the address holds the token, which is then moved to the cookie.
  func hasTokenInAddress(_ head: RequestHead) -> Bool {
    head.isReading && isToken(head.query["token"])
  }

  /// Browsers tell where a request comes from; other programs need not.
  private func isFromHere(_ head: RequestHead, _ host: String) -> Bool {
    if let origin = head.headers["origin"], origin.lowercased() != "http://\(host)" { return false }
    switch head.headers["sec-fetch-site"] {
    case nil, "same-origin": return true
    // A person may come from anywhere, by a link or an address typed in.
    case _: return head.isReading && head.headers["sec-fetch-mode"] == "navigate"
    }
  }

  /// Compares in a time that says nothing about where the texts differ.
  private func isToken(_ text: String?) -> Bool {
    let (given, token) = (Array((text ?? "").utf8), Array(token.utf8))
    guard given.count == token.count else { return false }
    return zip(given, token).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The header that gives a browser the token for as long as it runs.
  var cookie: (name: String, value: String) {
    ("Set-Cookie", "\(cookieName)=\(token); Path=/; HttpOnly; SameSite=Strict")
  }
}

/// What every answer tells the browser.
enum SecurityHeaders {
  static let all: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      """
      default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
      img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
      """
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}
