import ServerSupport
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
    let socket: Socket

    /// The next request: its head and its body as far as Content-Length says, or nil when the
    /// client has closed the connection.
    func readRequest() -> String? {
      socket.read().map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// Whether all could be written.
    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool { socket.write(bytes) }

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
    let listener: Int32
    (listener, port) = Socket.listening()
    self.listener = listener
    startThread { [self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { break }
        accepted.add(1, ordering: .relaxed)
        startThread { [self] in
          let socket = Socket(descriptor: descriptor)
          handle(Connection(socket: socket)) { text in log.withLock { $0.append(text) } }
          socket.end()
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
}
