import CCurl

/// An http or https address, taken apart by libcurl, so that what is checked is what is sent to.
struct WebAddress {
  /// `http` or `https`.
  let scheme: String
  /// In lower case; an IPv6 address in brackets; IPv4 addresses in their usual form.
  let host: String
  let port: String
  let hasCredentials: Bool
  /// The whole address, normalized.
  let text: String

  /// An absolute address, or nil when the text is none, or of another scheme.
  init?(_ text: String) {
    self.init(text, relativeTo: nil)
  }

  /// The address that a reference, such as a Location header, denotes at this address (RFC 3986,
  /// section 5).
  func resolving(_ reference: String) -> WebAddress? {
    WebAddress(reference, relativeTo: text)
  }

  /// Scheme, host and port (RFC 6454).
  var origin: String {
    let isDefault = port == (scheme == "https" ? "443" : "80")
    return "\(scheme)://\(host)\(isDefault ? "" : ":\(port)")"
  }

  /// Whether it is this machine: nobody else can read along, and a proxy would look elsewhere.
  var isLoopback: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
      || host.hasPrefix("127.") && host.utf8.allSatisfy { $0.isASCIIDigit || $0 == 0x2E }
  }

  private init?(_ text: String, relativeTo base: String?) {
    // libcurl would take spaces, and Swift would cut the text at a NUL.
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let handle = curl_url() else {
      return nil
    }
    defer { curl_url_cleanup(handle) }
    if let base, curl_url_set(handle, CURLUPART_URL, base, 0) != CURLUE_OK { return nil }
    guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK,
      let scheme = Self.part(CURLUPART_SCHEME, of: handle), scheme == "http" || scheme == "https",
      let host = Self.part(CURLUPART_HOST, of: handle), !host.isEmpty,
      let port = Self.part(CURLUPART_PORT, of: handle, flags: UInt32(CURLU_DEFAULT_PORT)),
      let whole = Self.part(CURLUPART_URL, of: handle)
    else { return nil }
    self.scheme = scheme
    self.host = host.lowercased()
    self.port = port
    hasCredentials =
      Self.part(CURLUPART_USER, of: handle) != nil
      || Self.part(CURLUPART_PASSWORD, of: handle) != nil
    self.text = whole
  }

  private static func part(
    _ part: CURLUPart, of handle: OpaquePointer, flags: UInt32 = 0
  ) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(validatingCString: text)
  }
}
