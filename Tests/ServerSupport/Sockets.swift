import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An HTTP/1.1 request or response as it was read from a socket.
public struct WireMessage: Sendable {
  /// The request line or the status line.
  public let line: String
  public let headers: [(name: String, value: String)]
  public let body: [UInt8]
  /// All bytes, the head included.
  public let bytes: [UInt8]

  public subscript(name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  public var text: String { String(decoding: body, as: UTF8.self) }

  /// A request's method.
  public var method: String { word(0) }

  /// A request's target.
  public var target: String { word(1) }

  /// A response's status.
  public var status: Int { Int(word(1)) ?? 0 }

  private func word(_ index: Int) -> String {
    let words = line.split(separator: " ")
    return index < words.count ? String(words[index]) : ""
  }

  init?(head: [UInt8], body: [UInt8]) {
    var lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    guard !lines.isEmpty else { return nil }
    line = lines.removeFirst()
    headers = lines.compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (String(line[..<colon]), String(value))
    }
    self.body = body
    bytes = head + Array("\r\n\r\n".utf8) + body
  }
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [String] {
    var result: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      result.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return result + [String(rest)]
  }
}

/// A connected socket.
package struct Socket: Sendable {
  package let descriptor: Int32

  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// A connection to a port of this machine, or nil when nobody listens.
  static func connected(to port: Int) -> Socket? {
    let descriptor = tcpSocket()
    var address = loopback(port)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    return Socket(descriptor: descriptor)
  }

  static func tcpSocket() -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    // A process that a test starts must not keep it open.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    return address
  }

  /// A listening socket on a free port.
  package static func listening() -> (descriptor: Int32, port: Int) {
    let listener = tcpSocket()
    var address = loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 256) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    precondition(isBound, "a port of this machine can be listened on")
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// The next message: its body is as long as Content-Length says, or up to the end of the
  /// connection for a response that does not say. Nil when the connection ends first.
  package func read(isResponse: Bool = false) -> WireMessage? {
    var bytes: [UInt8] = []
    var head: Int?
    var length: Int?
    var buffer = [UInt8](repeating: 0, count: 65_536)
    func message(_ head: Int, _ end: Int) -> WireMessage? {
      WireMessage(head: Array(bytes[..<head]), body: Array(bytes[(head + 4)..<end]))
    }
    while true {
      if let head, let length, bytes.count >= head + 4 + length {
        return message(head, head + 4 + length)
      }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else {
        guard isResponse, length == nil, let head else { return nil }
        return message(head, bytes.count)
      }
      let start = max(0, bytes.count - 3)
      bytes += buffer[..<count]
      guard head == nil else { continue }
      head = (start..<max(start, bytes.count - 3)).first {
        bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
      }
      if let head {
        let parsed = WireMessage(head: Array(bytes[..<head]), body: [])
        length = parsed?["Content-Length"].flatMap(Int.init)
        if !isResponse || [204, 304].contains(parsed?.status) { length = length ?? 0 }
      }
    }
  }

  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
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

  package func end() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }
}

/// Starts a thread of its own, for Dispatch would not start enough of them for what blocks.
package func startThread(_ body: @escaping @Sendable () -> Void) {
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

private final class ThreadBody {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}

/// Sends one request to a port of this machine and reads the response.
func exchange(_ request: [UInt8], port: Int) -> WireMessage? {
  guard let socket = Socket.connected(to: port) else { return nil }
  defer { socket.end() }
  guard socket.write(request) else { return nil }
  return socket.read(isResponse: true)
}
