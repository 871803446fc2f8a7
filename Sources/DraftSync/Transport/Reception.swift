import CCurl

/// What libcurl tells of one transfer while it runs.
///
/// libcurl holds a plain pointer to it, so it has to live until the transfer has ended.
final class Reception {
  var headers: HTTPHeaders { head.headers }
  var isHeadComplete: Bool { head.isComplete }
  private(set) var body: [UInt8] = []
  private(set) var isBodyCut = false
  private let options: CurlTransport.Options
  private let isCancelled: @Sendable () -> Bool
  private var head: ResponseHead
  private var mayHaveBeenSent = false

  init(_ options: CurlTransport.Options, _ isCancelled: @escaping @Sendable () -> Bool) {
    self.options = options
    head = ResponseHead(limit: options.maximumHeaderBytes)
    self.isCancelled = isCancelled
  }

  func register(with easy: UnsafeMutableRawPointer) -> CURLcode {
    ccurl_set_callbacks(
      easy, Unmanaged.passUnretained(self).toOpaque(),
      { bytes, size, count, context in
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return Reception.at(context).head.receive(line) ? size * count : 0
      },
      { bytes, size, count, context in
        let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return Reception.at(context).receiveBody(part) ? size * count : 0
      },
      { context, _, _, _, _ in Reception.at(context).isCancelled() ? 1 : 0 },
      { context, _, _, _, _ in
        Reception.at(context).beginSending() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      })
  }

  private static func at(_ context: UnsafeMutableRawPointer?) -> Reception {
    guard let context else { preconditionFailure("libcurl gives back the context it was given") }
    return Unmanaged<Reception>.fromOpaque(context).takeUnretainedValue()
  }

  /// The connection is made, and the request is about to be written to it.
  private func beginSending() -> Bool {
    guard !isCancelled() else { return false }
    mayHaveBeenSent = true
    return true
  }

  private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let room = options.maximumBodyBytes - body.count
    body.append(contentsOf: bytes.prefix(max(0, room)))
    isBodyCut = bytes.count > room
    return !isBodyCut
  }

  /// What a failure means.
  ///
  /// - Parameters:
  ///   - code: libcurl's result.
  ///   - request: what was sent.
  ///   - message: libcurl's own text.
  func error(for code: CURLcode, of request: HTTPRequest, _ message: String) -> TransportError {
    let reason = head.isTooLarge ? .headersTooLarge : Self.reason(for: code)
    var detail = "\(request): \(Self.text(for: reason, code))"
    // Other texts of libcurl may quote the proxy's address, which may hold a password.
    if reason == .notTrusted || code == CURLE_COULDNT_CONNECT, !message.isEmpty {
      detail += " (\(message))"
    }
    return mayHaveBeenSent
      ? .outcomeUnknown(reason, detail: detail) : .notSent(reason, detail: detail)
  }

  private static func reason(for code: CURLcode) -> TransportError.Reason {
    switch code {
    case CURLE_URL_MALFORMAT: .invalidRequest
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameNotResolved
    case CURLE_COULDNT_CONNECT, CURLE_PROXY: .notConnected
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
      .notTrusted
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_ABORTED_BY_CALLBACK: .cancelled
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE:
      .connectionLost
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      .malformedResponse
    default: .other
    }
  }

  private static func text(for reason: TransportError.Reason, _ code: CURLcode) -> String {
    switch reason {
    case .invalidRequest: "the address can't be used"
    case .nameNotResolved: "the name has no address; is the network there?"
    case .notConnected: "no connection could be made"
    case .notTrusted: "TLS failed"
    case .timedOut: "it took longer than the time limit"
    case .cancelled: "cancelled"
    case .connectionLost: "the connection ended before the response did"
    case .malformedResponse: "what came is no HTTP response"
    case .headersTooLarge: "the response's headers are too long"
    case .other: String(cString: curl_easy_strerror(code))
    }
  }
}

/// The header lines of a request in libcurl's form.
final class HeaderList {
  private(set) var list: UnsafeMutablePointer<curl_slist>?

  deinit {
    curl_slist_free_all(list)
  }

  /// Whether all lines could be added.
  func append(_ request: HTTPRequest) -> Bool {
    // A server that does not know 100-continue would make each large request wait a second.
    var lines = ["Expect:"]
    // libcurl would call every body a web form.
    if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
    // "Name:" would have libcurl leave the header out, "Name;" has it sent without a value.
    lines += request.headers.fields.map { field in
      field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
    }
    for line in lines {
      guard let longer = curl_slist_append(list, line) else { return false }
      list = longer
    }
    return true
  }
}
