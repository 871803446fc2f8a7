import CMicroHTTPD
import Synchronization

/// Serves HTTP at one socket, by libmicrohttpd.
final class WebServer: Sendable {
  /// The most bytes of a request's body.
  static let bodyLimit = 1 << 20
  private static let headerNames = [
    "host", "origin", "sec-fetch-site", "sec-fetch-mode", "content-type", "content-length",
    "accept-language",
  ]
  private static let queryNames = ["token", "client", "limit"]

  private let handler: any RequestHandler
  private let cookieName: String
  /// The address of the daemon, until it is stopped.
  private let daemon = Mutex<UInt?>(nil)

  /// Begins to serve.
  ///
  /// - Parameters:
  ///   - listener: the socket; it is closed when the server stops.
  ///   - cookieName: the cookie that requests are looked through for.
  ///   - handler: answers.
  /// - Returns: nil when the library could not start.
  init?(_ listener: cmhd_listener, cookieName: String, handler: any RequestHandler) {
    self.handler = handler
    self.cookieName = cookieName
    // The daemon keeps the server until it is stopped.
    let context = Unmanaged.passRetained(self)
    guard
      let daemon = cmhd_start(listener.descriptor, onRequest, onCompletion, context.toOpaque())
    else {
      context.release()
      return nil
    }
    self.daemon.withLock { $0 = UInt(bitPattern: daemon) }
  }

  /// Stops, after the requests that are being answered. Event streams must have been ended.
  func stop() {
    guard let daemon = daemon.withLock({ $0.take() }) else { return }
    MHD_stop_daemon(OpaquePointer(bitPattern: daemon))
    Unmanaged.passUnretained(self).release()
  }

  fileprivate func begin(
    _ connection: OpaquePointer, url: String, method: String,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> MHD_Result {
    let head = RequestHead(
      method: method, path: url,
      headers: Self.values(Self.headerNames) { cmhd_header(connection, $0) },
      cookie: cmhd_cookie(connection, cookieName).map { String(cString: $0) },
      query: Self.values(Self.queryNames) { cmhd_query(connection, $0) })
    if let refusal = handler.refusal(of: head) { return send(refusal, connection) }
    if let length = head.headers["content-length"], (Int(length) ?? .max) > Self.bodyLimit {
      return send(.tooLarge, connection)
    }
    state.pointee = Unmanaged.passRetained(Exchange(head)).toOpaque()
    return cmhd_result(true)
  }

  fileprivate func answer(_ exchange: Exchange, _ connection: OpaquePointer) -> MHD_Result {
    guard !exchange.isTooLarge else { return send(.tooLarge, connection) }
    return send(handler.response(to: exchange.head, body: exchange.body), connection)
  }

  private func send(_ answer: Response, _ connection: OpaquePointer) -> MHD_Result {
    let response: OpaquePointer?
    switch answer.content {
    case .bytes(let bytes):
      response = bytes.withUnsafeBytes { cmhd_response($0.baseAddress, $0.count) }
    case .events(let stream):
      stream.attach(connection)
      let context = Unmanaged.passRetained(stream)
      response = MHD_create_response_from_callback(
        .max, 4096, onRead, context.toOpaque(), onFree)
      if response == nil { context.release() }
    }
    guard let response else { return cmhd_result(false) }
    defer { MHD_destroy_response(response) }
    for (name, value) in answer.headers + SecurityHeaders.all {
      MHD_add_response_header(response, name, value)
    }
    return MHD_queue_response(connection, UInt32(answer.status), response)
  }

  private static func values(
    _ names: [String], _ lookUp: (String) -> UnsafePointer<CChar>?
  ) -> [String: String] {
    var values: [String: String] = [:]
    for name in names { values[name] = lookUp(name).map { String(cString: $0) } }
    return values
  }
}

/// A request whose body is being read. One thread after another has it, never two.
private final class Exchange {
  let head: RequestHead
  var body: [UInt8] = []
  var isTooLarge = false

  init(_ head: RequestHead) {
    self.head = head
  }

  /// Takes a part of the body; false when the other side does not stop sending.
  func take(_ bytes: UnsafePointer<CChar>, _ count: Int, limit: Int) -> Bool {
    if body.count + count > limit { isTooLarge = true }
    guard !isTooLarge else { return false }
    body += UnsafeRawBufferPointer(start: bytes, count: count)
    return true
  }
}

private let onRequest: MHD_AccessHandlerCallback = {
  context, connection, url, method, _, data, size, state in
  guard let context, let connection, let url, let method, let size, let state else {
    return cmhd_result(false)
  }
  let server = Unmanaged<WebServer>.fromOpaque(context).takeUnretainedValue()
  guard let begun = state.pointee else {
    guard let url = String(validatingCString: url), let method = String(validatingCString: method)
    else { return cmhd_result(false) }
    return server.begin(connection, url: url, method: method, state)
  }
  let exchange = Unmanaged<Exchange>.fromOpaque(begun).takeUnretainedValue()
  guard size.pointee > 0, let data else { return server.answer(exchange, connection) }
  let isTaken = exchange.take(data, size.pointee, limit: WebServer.bodyLimit)
  size.pointee = 0
  return cmhd_result(isTaken)
}

private let onCompletion: MHD_RequestCompletedCallback = { _, _, state, _ in
  guard let state, let begun = state.pointee else { return }
  state.pointee = nil
  Unmanaged<Exchange>.fromOpaque(begun).release()
}

private let onRead: MHD_ContentReaderCallback = { context, _, buffer, capacity in
  guard let context, let buffer else { return -1 }
  return Unmanaged<EventStream>.fromOpaque(context).takeUnretainedValue()
    .read(into: buffer, capacity)
}

private let onFree: MHD_ContentReaderFreeCallback = { context in
  guard let context else { return }
  Unmanaged<EventStream>.fromOpaque(context).takeRetainedValue().close()
}

extension Response {
  fileprivate static let tooLarge = Response.error(
    413, "tooLarge", "the request is larger than \(WebServer.bodyLimit) bytes")
}
