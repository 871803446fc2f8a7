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
  /// How long an item is leased: longer than the two requests for it can take. Two senders do no
  /// harm, for they send the same bytes; a sender that dies holds its item up for so long.
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
    leaseDuration = settings.totalTimeout * 2 + .seconds(5)
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
      let (duration, origins) = (leaseDuration, settings.origins)
      let (leased, pauseEnd) = try await store.perform { store in
        guard let end = try store.pauseEnd(of: origins) else {
          return (try store.leaseFromOutbox(for: duration, drafts: drafts), nil as Timestamp?)
        }
        return (nil, try store.hasDueItem(of: drafts) ? end : nil)
      }
      if let pauseEnd {
        let stop = PushStop.busy("the server asked to be left alone until \(pauseEnd)")
        summary.count(.stopped(stop))
        summary.resumesAt = pauseEnd
        report(.stopped(stop))
      }
      guard let task = leased else { break }
      var attempt = UploadAttempt(
        uploader: self, task: task, merges: merges[task.item.draft, default: 0])
      for event in try await attempt.run() {
        if case .merged = event { merges[task.item.draft, default: 0] += 1 }
        summary.count(event)
        report(event)
      }
    }
    summary.count(try await store.perform { try $0.outboxCounts(of: drafts) })
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

  /// Sends what is due, and what becomes due, until its task is cancelled. It returns when the
  /// request that is under way has ended and everything is kept.
  ///
  /// - Parameters:
  ///   - drafts: only these drafts, or nil for all.
  ///   - interval: how often the outbox is looked at while nothing is due.
  ///   - report: told what happens.
  /// - Throws: `DatabaseError`.
  public func run(
    _ drafts: Set<DraftID>? = nil, every interval: Duration = .seconds(1),
    report: @Sendable (PushEvent) -> Void = { _ in }
  ) async throws {
    do {
      var failures = 0
      while true {
        let summary = try await push(drafts, report: report)
        var pause = interval
        // No attempt counts while the server can't be reached, and yet it is asked less and less.
        if case .unreachable = summary.stop { failures += 1 } else { failures = 0 }
        if failures > 0 {
          var generator = SystemRandomNumberGenerator()
          pause += settings.backoff.wait(afterAttempts: failures, using: &generator)
        }
        if summary.stop != nil {
          let wait = summary.resumesAt.map { $0.milliseconds - store.options.now().milliseconds }
          pause = max(pause, min(wait.map { .milliseconds($0) } ?? .seconds(10), .seconds(3600)))
        }
        try await Task.sleep(for: pause)
      }
    } catch is CancellationError {}
  }

  /// What happens while all that is due, and what becomes due, is sent, until the sequence's reader
  /// stops or its task is cancelled.
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
          try await run(drafts, every: interval) { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in running.cancel() }
    }
  }
}
