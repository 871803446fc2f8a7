import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What stands between a client and a server, and fails as a test says.
public final class Proxy: Sendable {
  /// What is done with one request.
  public enum Action: Sendable {
    case pass
    /// The server gets it and answers; the client does not hear of it.
    case loseAnswer
    /// The server gets it after a while.
    case delay(milliseconds: Int)
    /// This runs, then the server gets it.
    case hold(@Sendable () -> Void)
    /// Half of the answer's body reaches the client.
    case cutBody
    /// The server never gets it; the client's connection is closed.
    case closeAfterReading
    /// The server never gets it; this is the answer.
    case answer(Int, headers: [String] = [], body: String = "")
    /// The server never gets it; this runs, then a status is the answer.
    case answerAfter(Int, @Sendable () -> Void)
    /// The server gets it and answers; after that this runs, then the client hears of it.
    case passAfter(@Sendable () -> Void)
  }

  /// A request that came through, with what became of it.
  public struct Record: Sendable {
    public let request: WireMessage
    /// The server's answer, or the proxy's own; nil when there was none, or none yet.
    public let answer: WireMessage?
  }

  private struct State {
    var records: [Record] = []
    var actions: [Action] = []
    var choose: (@Sendable (WireMessage) -> Action)?
  }

  public let port: Int
  private let upstream: Int
  private let listener: Int32
  private let state = Mutex(State())

  /// - Parameter upstream: the server's port.
  public init(to upstream: Int) {
    self.upstream = upstream
    (listener, port) = Socket.listening()
    let listener = listener
    startThread { [weak self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { break }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let socket = Socket(descriptor: descriptor)
        guard let self else {
          socket.end()
          break
        }
        startThread { self.serve(socket) }
      }
      close(listener)
    }
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// The requests so far, in the order in which they came.
  public var records: [Record] { state.withLock { $0.records } }

  public var requests: [WireMessage] { records.map(\.request) }

  /// Requests that change something.
  public var mutations: [WireMessage] { requests.filter { $0.method != "GET" } }

  /// Forgets the requests so far.
  public func reset() { state.withLock { $0.records = [] } }

  /// What is done with the next requests, in order; those after them pass.
  public func next(_ actions: Action...) {
    state.withLock { $0.actions = actions }
  }

  /// What is done with every request for which no action is set.
  public func always(_ choose: (@Sendable (WireMessage) -> Action)?) {
    state.withLock { $0.choose = choose }
  }

  private func serve(_ socket: Socket) {
    defer { socket.end() }
    while let request = socket.read() {
      let (action, index) = state.withLock { state in
        let action = state.actions.isEmpty ? nil : state.actions.removeFirst()
        state.records.append(Record(request: request, answer: nil))
        return (action ?? state.choose?(request) ?? .pass, state.records.count - 1)
      }
      let (answer, isLast) = perform(action, request)
      if let answer {
        state.withLock { state in
          guard index < state.records.count else { return }
          state.records[index] = Record(request: request, answer: answer)
        }
      }
      switch action {
      case .loseAnswer, .closeAfterReading: return
      case .cutBody:
        guard let answer else { return }
        socket.write(Array(answer.bytes.dropLast(answer.body.count / 2 + 1)))
        return
      default:
        guard let answer, socket.write(answer.bytes), !isLast else { return }
      }
    }
  }

  private func perform(_ action: Action, _ request: WireMessage) -> (WireMessage?, Bool) {
    switch action {
    case .closeAfterReading: return (nil, true)
    case .answer(let status, let headers, let body):
      let lines =
        ["HTTP/1.1 \(status) Made-Up"] + headers + ["Content-Length: \(body.utf8.count)"]
      let head = Array(lines.joined(separator: "\r\n").utf8)
      return (WireMessage(head: head, body: Array(body.utf8)), false)
    case .answerAfter(let status, let run):
      run()
      return perform(.answer(status), request)
    case .hold(let run): run()
    case .delay(let milliseconds): usleep(UInt32(milliseconds) * 1000)
    default: break
    }
    let answer = exchange(request.closing, port: upstream)
    if case .passAfter(let run) = action { run() }
    return (answer, true)
  }
}

extension WireMessage {
  /// The request, for a connection of its own.
  fileprivate var closing: [UInt8] {
    let kept = headers.filter { $0.name.lowercased() != "connection" }
    let lines = [line] + kept.map { "\($0.name): \($0.value)" } + ["Connection: close", "", ""]
    return Array(lines.joined(separator: "\r\n").utf8) + body
  }
}
