import CCurl
import Dispatch
import Synchronization

/// Sends requests by libcurl over HTTP/1.1, one after the other on a thread of its own.
///
/// Certificates are always verified. Redirects are never followed. The environment's proxies are
/// used as curl uses them, but not for this machine itself. A request that asks for a change gets a
/// new connection: on one that the server has just closed, libcurl sends again by itself, and the
/// change could be made twice.
///
/// A task that is cancelled gets its error at once while it waits for its turn, and within about a
/// second while its request is under way.
public final class CurlTransport: Transport {
  /// What a transport keeps to.
  public struct Options: Hashable, Sendable {
    /// The longest time for making a connection, TLS included.
    public var connectTimeout: Duration
    /// The longest time for a request and its response together.
    public var totalTimeout: Duration
    /// How much of a response's body is taken, decompressed; the rest is cut off.
    public var maximumBodyBytes: Int
    /// How many bytes of header lines are taken; a response with more is an error.
    public var maximumHeaderBytes: Int
    /// A file of certificates in PEM form to trust instead of the system's.
    public var certificateAuthorityFile: String?
    /// What is sent as User-Agent.
    public var userAgent: String

    /// Options, of which each has a default.
    ///
    /// - Parameters:
    ///   - connectTimeout: the longest time for making a connection.
    ///   - totalTimeout: the longest time for a request and its response together.
    ///   - maximumBodyBytes: how much of a response's body is taken.
    ///   - maximumHeaderBytes: how many bytes of header lines are taken.
    ///   - certificateAuthorityFile: a file of certificates to trust instead of the system's.
    ///   - userAgent: what is sent as User-Agent.
    public init(
      connectTimeout: Duration = .seconds(10), totalTimeout: Duration = .seconds(60),
      maximumBodyBytes: Int = 8 * 1024 * 1024, maximumHeaderBytes: Int = 64 * 1024,
      certificateAuthorityFile: String? = nil, userAgent: String = "formdraft/1.0.0"
    ) {
      self.connectTimeout = connectTimeout
      self.totalTimeout = totalTimeout
      self.maximumBodyBytes = maximumBodyBytes
      self.maximumHeaderBytes = maximumHeaderBytes
      self.certificateAuthorityFile = certificateAuthorityFile
      self.userAgent = userAgent
    }
  }

  private let options: Options
  private let worker = Worker()
  // libcurl blocks its thread, of which Swift's own pool has only as many as there are cores.
  private let queue = DispatchQueue(label: "formdraft.transport")

  /// A transport with these options.
  public init(options: Options = Options()) {
    self.options = options
  }

  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let turn = Turn(request)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard turn.wait(continuation) else { return }
        queue.async { [worker, options] in
          guard let continuation = turn.begin() else { return }
          let result = worker.handle.withLock {
            $0.perform(request, options) { turn.isCancelled }
          }
          continuation.resume(returning: result)
        }
      }
    } onCancel: {
      turn.cancel()
    }
    return try result.get()
  }
}

/// Holds the handle, which only the transport's queue uses: nobody ever waits for the lock.
private final class Worker: Sendable {
  let handle = Mutex(CurlHandle())
}

/// A request's turn: it waits, then runs, and may be cancelled at any time.
private final class Turn: Sendable {
  typealias Continuation = CheckedContinuation<Result<HTTPResponse, TransportError>, Never>

  private let request: HTTPRequest
  private let waiting = Mutex<Continuation?>(nil)
  private let cancelled = Atomic(false)

  init(_ request: HTTPRequest) {
    self.request = request
  }

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Whether it waits now; when it was cancelled already, its task goes on.
  func wait(_ continuation: Continuation) -> Bool {
    let isWaiting = waiting.withLock { waiting in
      guard !isCancelled else { return false }
      waiting = continuation
      return true
    }
    if !isWaiting { refuse(continuation) }
    return isWaiting
  }

  /// Who waits for the result, or nil when it was cancelled.
  func begin() -> Continuation? {
    waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
  }

  func cancel() {
    // Within the lock, so that `wait` sees it or is seen.
    let continuation = waiting.withLock { waiting in
      cancelled.store(true, ordering: .relaxed)
      defer { waiting = nil }
      return waiting
    }
    if let continuation { refuse(continuation) }
  }

  private func refuse(_ continuation: Continuation) {
    continuation.resume(
      returning: .failure(.notSent(.cancelled, detail: "\(request): cancelled")))
  }
}
