import DraftStore
import FormModel

/// Sends what is queued, and nothing twice: requests are kept before they are sent, carry the
/// version that they start from and a key, and are repeated byte for byte when their outcome is not
/// known.
///
/// Any number of uploaders, in any number of processes, may work on one store.
///
/// ```swift
/// let uploader = Uploader(store: store, settings: settings, transport: CurlTransport())
/// let summary = try await uploader.push()
/// ```
public struct Uploader: Sendable {
  let store: DraftStore
  let settings: SyncSettings
  let transport: any Transport
  let credentials: HTTPHeaders.Field?
  /// How long an item is leased: longer than the requests for it can take.
  let leaseDuration: Duration

  /// How often one submission is merged anew within a run, before it has to wait.
  static let maximumMerges = 5

  /// An uploader.
  ///
  /// - Parameters:
  ///   - store: the store whose outbox is sent.
  ///   - settings: where and how drafts are uploaded.
  ///   - transport: what sends requests.
  ///   - credentials: the header that carries the credentials, or nil for none.
  public init(
    store: DraftStore, settings: SyncSettings, transport: any Transport,
    credentials: HTTPHeaders.Field? = nil
  ) {
    self.store = store
    self.settings = settings
    self.transport = transport
    self.credentials = credentials
    leaseDuration = settings.totalTimeout * 3 + .seconds(30)
  }

  /// Sends all that is due, once.
  ///
  /// When the task is cancelled, the request that is under way ends and everything is kept.
  ///
  /// - Parameters:
  ///   - drafts: only these drafts, or nil for all.
  ///   - report: told what happens.
  /// - Returns: what the run did.
  /// - Throws: `DatabaseError`; `CancellationError`.
  @discardableResult
  public func push(
    _ drafts: Set<DraftID>? = nil, report: @Sendable (PushEvent) -> Void = { _ in }
  ) async throws -> PushSummary {
    var summary = PushSummary()
    var merges: [DraftID: Int] = [:]
    while summary.stop == nil {
      try Task.checkCancellation()
      let duration = leaseDuration
      let leased = try await store.perform {
        try $0.leaseFromOutbox(for: duration, drafts: drafts)
      }
      guard let task = leased else { break }
      let attempt = UploadAttempt(
        uploader: self, task: task, merges: merges[task.item.draft, default: 0])
      for event in try await attempt.run() {
        if case .merged = event { merges[task.item.draft, default: 0] += 1 }
        summary.count(event)
        report(event)
      }
    }
    summary.waiting = try await store.perform { try $0.outboxCount(of: drafts) }
    return summary
  }

  /// The request that would be sent next for a queued submission, without credentials; nil when the
  /// server has all of it. Where the record has to be read first, it is the request that reads it.
  ///
  /// - Parameters:
  ///   - task: the submission.
  ///   - settings: where and how drafts are uploaded.
  /// - Throws: ``RequestRefusal``.
  public static func nextRequest(
    of task: OutboxTask, settings: SyncSettings
  ) throws(RequestRefusal) -> HTTPRequest? {
    let plan = UploadPlan(task: task, settings: settings)
    switch try plan.step() {
    case .nothing: return nil
    case .fetch: return try plan.builder.fetch(task.submission.entries)
    case .send(let frozen): return frozen.request
    }
  }

  /// Sends what is due, and what becomes due, until the sequence's reader stops or its task is
  /// cancelled.
  ///
  /// - Parameters:
  ///   - drafts: only these drafts, or nil for all.
  ///   - interval: how often the outbox is looked at while nothing is due.
  /// - Returns: what happens.
  public func events(
    for drafts: Set<DraftID>? = nil, every interval: Duration = .seconds(1)
  ) -> AsyncThrowingStream<PushEvent, any Error> {
    AsyncThrowingStream { continuation in
      let running = Task {
        do {
          while !Task.isCancelled {
            let summary = try await push(drafts) { continuation.yield($0) }
            try await Task.sleep(for: summary.stop == nil ? interval : max(interval, .seconds(10)))
          }
          continuation.finish()
        } catch is CancellationError {
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in running.cancel() }
    }
  }
}
