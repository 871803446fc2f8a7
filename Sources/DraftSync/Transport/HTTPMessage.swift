/// A request, complete but for what the transport adds (Host, Content-Length, User-Agent).
public struct HTTPRequest: Hashable, Sendable {
  /// The method, such as `PATCH`.
  public var method: String
  /// The absolute address.
  public var url: String
  public var headers: HTTPHeaders
  public var body: [UInt8]

  /// A request.
  ///
  /// - Parameters:
  ///   - method: the method, such as `PATCH`.
  ///   - url: the absolute address.
  ///   - headers: the header fields in their order.
  ///   - body: the body's bytes.
  public init(
    method: String, url: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// Whether it asks for a change, so that sending it twice may matter: all but the safe methods
  /// (RFC 9110, section 9.2.1).
  public var isMutation: Bool { !["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }
}

// Neither headers nor the address in full, for both may hold credentials.
extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method, where it goes to, and the body's size.
  public var description: String {
    "\(method) \(WebAddress(url)?.origin ?? "?") (\(body.count) bytes)"
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// A response to a request.
public struct HTTPResponse: Hashable, Sendable {
  /// The status code.
  public var status: Int
  public var headers: HTTPHeaders
  /// The body, decompressed.
  public var body: [UInt8]
  /// Whether the body was longer than the transport takes, and is cut.
  public var isBodyTruncated: Bool

  /// A response.
  ///
  /// - Parameters:
  ///   - status: the status code.
  ///   - headers: the header fields in their order.
  ///   - body: the body's bytes.
  ///   - isBodyTruncated: whether the body was cut.
  public init(
    status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [],
    isBodyTruncated: Bool = false
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.isBodyTruncated = isBodyTruncated
  }
}

/// Sends requests.
public protocol Transport: Sendable {
  /// Sends a request once and gives the response, whatever its status. Redirects are not followed.
  ///
  /// - Throws: ``TransportError`` when there is no complete response; it tells whether the request
  ///   may have reached the server.
  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// Why there is no response.
///
/// The texts name where the request went to, and never headers, paths or credentials.
public enum TransportError: Error, Hashable, Sendable {
  /// The request has not been sent for certain: it can be sent again as a new one.
  case notSent(Reason, detail: String)
  /// The request may have reached the server and may have had its effect.
  case outcomeUnknown(Reason, detail: String)

  /// What went wrong.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The request can't be sent as it is: an address that is none, a header with a line break.
    case invalidRequest
    /// The server's or the proxy's name has no address.
    case nameNotResolved
    /// No connection could be made.
    case notConnected
    /// TLS failed: the certificate is not trusted, or not for this server.
    case notTrusted
    case timedOut
    case cancelled
    /// The connection ended before the response did.
    case connectionLost
    /// What came is no HTTP response.
    case malformedResponse
    /// The response's headers are longer than the transport takes.
    case headersTooLarge
    /// Anything else, such as no memory.
    case other
  }

  /// What went wrong.
  public var reason: Reason {
    switch self {
    case .notSent(let reason, _), .outcomeUnknown(let reason, _): reason
    }
  }

  /// Whether the request may have reached the server.
  public var isOutcomeUnknown: Bool {
    if case .outcomeUnknown = self { true } else { false }
  }
}

extension TransportError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notSent(_, let detail): "not sent: \(detail)"
    case .outcomeUnknown(_, let detail): "no answer: \(detail)"
    }
  }
}
