import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A TCP server on this machine that answers each connection as a test says.
final class RawServer: Sendable {
  /// A connection that a client has made.
  struct Connection {
    let descriptor: Int32

    /// The next request: its head and its body as far as Content-Length says, or nil when the
    /// client has closed the connection.
    func readRequest() -> String? {
      var bytes: [UInt8] = []
      var expected: Int?
      while true {
        if let expected, bytes.count >= expected { return String(decoding: bytes, as: UTF8.self) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        bytes += buffer[..<count]
        if expected == nil, let start = bytes.bodyStart {
          expected = start + Self.contentLength(String(decoding: bytes[..<start], as: UTF8.self))
        }
      }
    }

    private static func contentLength(_ head: String) -> Int {
      for line in head.split(whereSeparator: \.isNewline) {
        if line.lowercased().hasPrefix("content-length:") {
          return Int(line.dropFirst(15).drop { $0 == " " }) ?? 0
        }
      }
      return 0
    }

    /// Whether all could be written.
    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
      #if canImport(Darwin)
        let flags: Int32 = 0
      #else
        let flags = Int32(truncatingIfNeeded: MSG_NOSIGNAL)
      #endif
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    /// Writes a whole response.
    func answer(_ status: String, _ headers: [String] = [], body: String = "") {
      let lines =
        ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"] + headers + ["", body]
      write(lines.joined(separator: "\r\n"))
    }

    func pause(milliseconds: Int) { usleep(UInt32(milliseconds) * 1000) }
  }

  let port: Int
  private let listener: Int32
  private let log = Mutex<[String]>([])
  private let accepted = Atomic(0)
  private let closed = Atomic(0)

  /// - Parameter handle: answers one connection, which is closed afterwards. It is given what
  ///   notes a request.
  init(_ handle: @escaping @Sendable (Connection, (String) -> Void) -> Void) {
    #if canImport(Darwin)
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = self.listener
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    precondition(bound, "a port of this machine can be listened on")
    port = Int(UInt16(bigEndian: address.sin_port))
    Self.startThread { [self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { break }
        accepted.add(1, ordering: .relaxed)
        Self.startThread { [self] in
          handle(Connection(descriptor: descriptor)) { text in log.withLock { $0.append(text) } }
          shutdown(descriptor, Int32(SHUT_RDWR))
          close(descriptor)
          closed.add(1, ordering: .relaxed)
        }
      }
      close(listener)
    }
  }

  /// The requests that were noted.
  var requests: [String] { log.withLock { $0 } }

  /// How many connections were made.
  var connectionCount: Int { accepted.load(ordering: .relaxed) }

  /// How many connections have been closed again.
  var closedCount: Int { closed.load(ordering: .relaxed) }

  func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Lets the listening thread end.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// A server that answers every request of a connection with one response.
  static func answering(_ response: String) -> RawServer {
    RawServer { connection, note in
      while let request = connection.readRequest() {
        note(request)
        connection.write(response)
      }
    }
  }

  /// Threads of its own, for Dispatch would not start enough of them for tests that block.
  private static func startThread(_ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let result = pthread_create(
        &thread, nil,
        { context in
          Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body()
          return nil
        }, context)
      if let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let result = pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body() }
          return nil
        }, context)
      pthread_detach(thread)
    #endif
    precondition(result == 0, "a thread can be started")
  }
}

private final class ThreadBody {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}

extension [UInt8] {
  /// Where the body begins: after the first empty line, or nil when there is none yet.
  fileprivate var bodyStart: Int? {
    indices.first { $0 + 4 <= count && self[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }
      .map { $0 + 4 }
  }
}
