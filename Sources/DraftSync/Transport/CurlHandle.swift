import CCurl

/// An easy handle of libcurl with the connections that it keeps.
struct CurlHandle: ~Copyable {
  private let easy: UnsafeMutableRawPointer?

  init() {
    easy = Self.isReady ? curl_easy_init() : nil
  }

  deinit {
    if let easy { ccurl_cleanup(easy) }
  }

  private static let isReady = ccurl_global_init() == CURLE_OK

  /// Sends a request and waits for its response.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - options: what the transport keeps to.
  ///   - isCancelled: asked about once a second, and whenever something arrives.
  mutating func perform(
    _ request: HTTPRequest, _ options: CurlTransport.Options,
    isCancelled: @escaping @Sendable () -> Bool
  ) -> Result<HTTPResponse, TransportError> {
    guard let easy else {
      return .failure(.notSent(.other, detail: "\(request): libcurl can't be started"))
    }
    // libcurl keeps its connections, and forgets all pointers into this call.
    defer { curl_easy_reset(easy) }
    do throws(TransportError) {
      let address = try Self.check(request)
      let reception = Reception(options, isCancelled)
      return .success(try Self.perform(request, to: address, with: easy, options, reception))
    } catch {
      return .failure(error)
    }
  }

  private static func check(_ request: HTTPRequest) throws(TransportError) -> WebAddress {
    guard let address = WebAddress(request.url) else {
      throw .notSent(.invalidRequest, detail: "the address is not one of http or https")
    }
    guard !address.hasCredentials else {
      throw .notSent(.invalidRequest, detail: "\(request): the address holds credentials")
    }
    guard request.method.isHTTPToken else {
      throw .notSent(.invalidRequest, detail: "\(request): the method is no token")
    }
    for (index, field) in request.headers.fields.enumerated() {
      guard field.name.isHTTPToken, field.value.isHeaderValue else {
        throw .notSent(.invalidRequest, detail: "\(request): header \(index + 1) can't be sent")
      }
    }
    return address
  }

  private static func perform(
    _ request: HTTPRequest, to address: WebAddress, with easy: UnsafeMutableRawPointer,
    _ options: CurlTransport.Options, _ reception: Reception
  ) throws(TransportError) -> HTTPResponse {
    let headers = HeaderList()
    guard headers.append(request) else {
      throw .notSent(.other, detail: "\(request): there is no memory left")
    }
    var errorText = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    let code = request.body.withUnsafeBytes { body in
      errorText.withUnsafeMutableBufferPointer { errorText in
        withExtendedLifetime((reception, headers)) {
          var setup = Setup(easy)
          setup.prepare(request, to: address, options)
          setup.setBody(request, body)
          setup.apply(ccurl_set_headers(easy, headers.list))
          setup.apply(ccurl_set_data(easy, CURLOPT_ERRORBUFFER, errorText.baseAddress))
          setup.apply(reception.register(with: easy))
          return setup.result == CURLE_OK ? ccurl_perform(easy) : setup.result
        }
      }
    }
    // To libcurl a connection that ends within the headers is the end of a response.
    let isCut = code == CURLE_OK && !reception.isHeadComplete
    if code == CURLE_OK && !isCut || reception.isBodyCut {
      return HTTPResponse(
        status: ccurl_response_code(easy), headers: reception.headers, body: reception.body,
        isBodyTruncated: reception.isBodyCut)
    }
    let message = errorText.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.flatMap { String(validatingCString: $0) } ?? ""
    }
    throw reception.error(for: isCut ? CURLE_GOT_NOTHING : code, of: request, message)
  }
}

/// Sets options and keeps the first failure.
private struct Setup {
  let easy: UnsafeMutableRawPointer
  private(set) var result = CURLE_OK

  init(_ easy: UnsafeMutableRawPointer) {
    self.easy = easy
  }

  mutating func apply(_ code: CURLcode) {
    if result == CURLE_OK { result = code }
  }

  mutating func set(_ option: CURLoption, _ value: Int) {
    apply(ccurl_set_number(easy, option, value))
  }

  mutating func set(_ option: CURLoption, _ value: String) {
    apply(ccurl_set_text(easy, option, value))
  }

  mutating func prepare(
    _ request: HTTPRequest, to address: WebAddress, _ options: CurlTransport.Options
  ) {
    set(CURLOPT_URL, request.url)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_FOLLOWLOCATION, 0)
    // HTTP/2 has more ways to send again what a server has refused.
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    set(CURLOPT_NOSIGNAL, 1)
    apply(ccurl_abandon_lookups(easy))
    set(CURLOPT_FRESH_CONNECT, request.isMutation ? 1 : 0)
    set(CURLOPT_FORBID_REUSE, request.isMutation ? 1 : 0)
    set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout.curlMilliseconds)
    set(CURLOPT_TIMEOUT_MS, options.totalTimeout.curlMilliseconds)
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let file = options.certificateAuthorityFile { set(CURLOPT_CAINFO, file) }
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_ACCEPT_ENCODING, "gzip")
    set(CURLOPT_USERAGENT, options.userAgent)
    if address.isLoopback { set(CURLOPT_PROXY, "") }
  }

  mutating func setBody(_ request: HTTPRequest, _ body: UnsafeRawBufferPointer) {
    switch request.method {
    case "GET" where body.isEmpty:
      set(CURLOPT_HTTPGET, 1)
    case "HEAD":
      set(CURLOPT_NOBODY, 1)
    case "POST", "PUT", "PATCH",
      _ where !body.isEmpty:
      // Also for no body, so that Content-Length: 0 is sent (RFC 9110, section 8.6).
      apply(ccurl_set_body(easy, body.baseAddress, curl_off_t(body.count)))
      set(CURLOPT_CUSTOMREQUEST, request.method)
    default:
      set(CURLOPT_CUSTOMREQUEST, request.method)
    }
  }
}

extension Duration {
  /// In milliseconds; at least one, for none is no limit to libcurl.
  fileprivate var curlMilliseconds: Int {
    let (seconds, attoseconds) = components
    let milliseconds = min(max(seconds, 0), 1_000_000) * 1000 + attoseconds / 1_000_000_000_000_000
    return max(1, Int(milliseconds))
  }
}
