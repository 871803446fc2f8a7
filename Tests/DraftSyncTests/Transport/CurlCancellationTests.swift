import DraftSync
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#endif

@Suite("Cancelling requests", .serialized, .timeLimit(.minutes(20)))
struct CurlCancellationTests {
  private func patch(_ url: String) -> HTTPRequest {
    HTTPRequest(method: "PATCH", url: url, body: Array("{}".utf8))
  }

  private func outcome(
    of request: HTTPRequest, _ transport: CurlTransport
  ) -> Task<TransportError?, Never> {
    Task {
      do throws(TransportError) {
        _ = try await transport.send(request)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func aTransferUnderWayEndsSoon() async throws {
    let server = RawServer { connection, note in
      guard let request = connection.readRequest() else { return }
      note(request)
      _ = connection.readRequest()
    }
    defer { server.stop() }
    // Nothing but the cancelling can end it, however slow the machine is.
    let transport = CurlTransport(options: .init(totalTimeout: .seconds(3600)))
    let task = outcome(of: patch(server.url()), transport)
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    let error = await task.value
    #expect(error?.reason == .cancelled)
    #expect(error?.isOutcomeUnknown == true)
  }

  @Test func oneThatWaitsForItsTurnEndsAtOnceAndIsNotSent() async throws {
    let server = RawServer { connection, note in
      guard let request = connection.readRequest() else { return }
      note(request)
      _ = connection.readRequest()
    }
    defer { server.stop() }
    let transport = CurlTransport()
    let first = outcome(of: patch(server.url("/first")), transport)
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    let second = outcome(of: patch(server.url("/second")), transport)
    try await Task.sleep(for: .milliseconds(20))
    second.cancel()
    let error = await second.value
    #expect(error?.reason == .cancelled)
    #expect(error?.isOutcomeUnknown == false)
    first.cancel()
    #expect(await first.value?.isOutcomeUnknown == true)
    #expect(server.requests.count == 1)
  }

  @Test func aTaskThatIsCancelledBeforeSendsNothing() async throws {
    let server = RawServer.answering("HTTP/1.1 204 No Content\r\n\r\n")
    defer { server.stop() }
    let transport = CurlTransport()
    let request = patch(server.url())
    let task = Task { () -> TransportError? in
      while !Task.isCancelled { await Task.yield() }
      do throws(TransportError) {
        _ = try await transport.send(request)
        return nil
      } catch {
        return error
      }
    }
    task.cancel()
    #expect(await task.value?.isOutcomeUnknown == false)
    #expect(server.connectionCount == 0)
  }

  // A client that deadlocks now and then does so here within a few hundred rounds.
  @Test func cancellingAtAnyMomentNeverHangs() async throws {
    let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
    defer { server.stop() }
    let transport = CurlTransport()
    for round in 0..<300 {
      let task = outcome(of: patch(server.url()), transport)
      if round % 3 > 0 { try await Task.sleep(for: .microseconds(round * 7)) }
      task.cancel()
      let error = await task.value
      #expect(error == nil || error?.reason == .cancelled)
    }
    #expect(try await transport.send(patch(server.url())).status == 200)
  }

  @Test func manyRequestsLeakNoDescriptors() async throws {
    let server = RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
    defer { server.stop() }
    let transport = CurlTransport()
    for _ in 0..<500 { _ = try await transport.send(patch(server.url())) }
    #expect(server.connectionCount == 500)
    // The server sees each connection end: the client holds none of them open.
    for _ in 0..<400 where server.closedCount < 500 {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(server.closedCount == 500)
  }
}
