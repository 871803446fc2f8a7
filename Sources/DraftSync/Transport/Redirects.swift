import FormModel

extension Transport {
  /// Sends a request and, where it only reads, follows redirects. Credentials and other headers of
  /// the settings go nowhere but to the request's own origin.
  ///
  /// A redirect that can't be followed is the response: one of a mutation, to an address that the
  /// settings do not allow, from https to http, or one too many.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - settings: say where plain http is allowed.
  ///   - limit: how many redirects are followed.
  /// - Throws: ``TransportError``.
  public func send(
    _ request: HTTPRequest, followingRedirectsBy settings: SyncSettings, limit: Int = 5
  ) async throws(TransportError) -> HTTPResponse {
    var request = request
    var response = try await send(request)
    for _ in 0..<limit {
      guard [301, 302, 303, 307, 308].contains(response.status), request.method == "GET",
        let here = WebAddress(request.url), let location = response.headers["Location"],
        !location.isEmpty,
        let place = here.resolving(location), settings.allows(place),
        here.scheme == "http" || place.scheme == "https"
      else { break }
      if !place.origin.hasSameBytes(as: here.origin) {
        // Not a list of what is secret, for the settings may name any header for that.
        request.headers = HTTPHeaders(
          request.headers.fields.filter { field in
            ["Accept", "Accept-Encoding", "If-None-Match"].contains {
              $0.isSameHeader(as: field.name)
            }
          })
      }
      request.url = place.text
      response = try await send(request)
    }
    return response
  }
}
