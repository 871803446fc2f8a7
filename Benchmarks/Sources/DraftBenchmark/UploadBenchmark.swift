import CFloor
import DraftStore
import DraftSync
import FormModel
import Foundation

extension Benchmark {
  /// What a request costs beyond libcurl's own time, and what picking the next item costs while many
  /// wait. The server is a thread of this process that answers 200 to anything.
  func upload() async throws {
    let server = try EchoServer()
    defer { server.stop() }
    var comparison = Comparison("upload of one changed field")
    let settings = try SyncSettings(
      parsing: Array(#"{"url": "http://127.0.0.1:\#(server.port)/{id}"}"#.utf8))
    for queued in [100, 10_000] {
      let path = newFile("upload")
      let store = try DraftStore(path: path, options: .init(synchronous: .normal))
      try store.add(form("upload", fields: 20))
      let ids = try store.addDrafts(
        of: "upload", values: (0..<queued).map { values($0, fields: 20) })
      let uploader = Uploader(store: store, settings: settings, transport: CurlTransport())
      for id in ids { try store.submit(id) }
      let measured = Array(ids.prefix(100))
      try await uploader.push(Set(measured))
      var picking: [Duration] = []
      for id in measured {
        try store.set(.string("changed"), for: "field1", in: id)
        try store.submit(id)
        let clock = ContinuousClock()
        let start = clock.now
        _ = try store.leaseFromOutbox(for: .zero)
        picking.append(clock.now - start)
        guard queued == 100 else { continue }
        try comparison.measure {
          let sent = floor_upload(
            "http://127.0.0.1:\(server.port)/\(id)", "\"1\"", #"{"field1":"changed"}"#, 1)
          try check(sent == 1, "the floor was not answered")
        } ours: {
          let semaphore = DispatchSemaphore(value: 0)
          Task {
            _ = try? await uploader.push([id])
            semaphore.signal()
          }
          semaphore.wait()
        }
      }
      let median = picking.sorted()[picking.count / 2]
      print(
        "next of \(queued) queued submissions: "
          + "\(Comparison.rounded(Comparison.microseconds(median))) µs")
      try store.close()
    }
    print(comparison.line)
  }
}

/// Answers every request with 200 and an entity tag, each on its own connection.
private final class EchoServer: Sendable {
  let port: Int
  private let listener: Int32

  init() throws {
    #if os(Linux)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isReady = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isReady else { throw BenchmarkError(description: "no server could be started") }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let answer = Array(
        "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        // The requests here fit into one segment each.
        _ = recv(connection, &buffer, buffer.count, 0)
        _ = send(connection, answer, answer.count, 0)
        close(connection)
      }
    }
  }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }
}
