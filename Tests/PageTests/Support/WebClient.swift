import FormModel
import Foundation

#if canImport(Glibc)
  import Glibc
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#elseif canImport(Darwin)
  import Darwin
  private let streamSocket = SOCK_STREAM
#endif

/// A connection to the page's server that sends exactly the bytes it is told to.
final class Connection {
  struct Failure: Error {
    let what: String
  }

  private let descriptor: Int32
  private var received: [UInt8] = []

  init(port: Int) throws {
    descriptor = socket(AF_INET, streamSocket, 0)
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(what: "connect: \(errno)") }
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      // The server may answer and close before it has read everything.
      guard count > 0 else { return }
      sent += count
    }
  }

  /// What comes up to and with a mark; without one, up to the end.
  func receive(through mark: String?) throws -> String {
    let mark = mark.map { Array($0.utf8) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      if let mark, let range = received.firstRange(of: mark) {
        let text = String(decoding: received[..<range.upperBound], as: UTF8.self)
        received.removeSubrange(..<range.upperBound)
        return text
      }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else {
        guard mark == nil, count == 0 else { throw Failure(what: "receive: \(count) \(errno)") }
        return String(decoding: received, as: UTF8.self)
      }
      received += buffer[..<count]
    }
  }

  /// The next event of a stream that is about something.
  func event(where isMeant: (JSONValue) -> Bool) throws -> JSONValue {
    let end = ContinuousClock.now + .seconds(120)
    while ContinuousClock.now < end {
      // A chunk's head ends in CR LF, which is one Character.
      let lines = try receive(through: "\n\n").split(whereSeparator: \.isNewline)
      guard let data = lines.first(where: { $0.hasPrefix("data: ") }) else { continue }
      let event = try JSONValue(parsing: String(data.dropFirst(6)))
      if isMeant(event) { return event }
    }
    throw Failure(what: "no such event in time")
  }
}

/// What the server answered.
struct Answer {
  let status: Int
  let headers: [String: String]
  let body: String

  init(_ text: String) throws {
    guard let end = text.range(of: "\r\n\r\n") else {
      throw Connection.Failure(what: "no answer: \(text)")
    }
    var lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    status = Int(lines.removeFirst().split(separator: " ")[1]) ?? 0
    headers = Dictionary(
      lines.map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
      }, uniquingKeysWith: { first, _ in first })
    body = String(text[end.upperBound...])
  }

  var json: JSONValue { get throws { try JSONValue(parsing: body) } }
}
