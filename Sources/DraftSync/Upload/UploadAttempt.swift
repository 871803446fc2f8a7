import DraftStore
import FormModel

/// One attempt to bring a leased submission forward.
struct UploadAttempt {
  let uploader: Uploader
  let task: OutboxTask
  /// How often it was merged in this run.
  let merges: Int
  /// Whether the server may have carried out the request that is kept: by an earlier delivery, whose
  /// outcome is not known, or by this attempt's. It is not given up then but for an answer that
  /// tells; the same bytes go again, under the same key.
  var mayBeDone: Bool

  var draft: DraftID { task.item.draft }
  var plan: UploadPlan { UploadPlan(task: task, settings: uploader.settings) }

  init(uploader: Uploader, task: OutboxTask, merges: Int) {
    (self.uploader, self.task, self.merges) = (uploader, task, merges)
    mayBeDone = UploadPlan(task: task, settings: uploader.settings).frozen != nil
  }

  /// What happened. The lease is over afterwards, however it ended.
  mutating func run() async throws -> [PushEvent] {
    do {
      switch try plan.step() {
      case .nothing:
        try await finish(
          .acknowledged([], etag: task.record?.etag, isComplete: true))
        return [.completed(draft, submission: task.item.submission)]
      case .fetch: return try await mergeWithServer()
      case .send(let frozen): return try await send(frozen)
      }
    } catch let refusal as RequestRefusal {
      return try await park("\(refusal)")
    } catch let error as StoreError {
      // It is this draft's alone: the others go on.
      return try await park("\(error)")
    }
  }

  private mutating func send(_ frozen: FrozenRequest) async throws -> [PushEvent] {
    if plan.frozen == nil, try await !keep(frozen) { return [] }
    let sending = PushEvent.sending(
      draft, submission: task.item.submission, method: frozen.request.method,
      bytes: frozen.request.body.count)
    let response: HTTPResponse
    do throws(TransportError) {
      response = try await uploader.transport.send(
        frozen.request.authorized(by: uploader.credentials))
    } catch {
      return [sending] + (try await handle(error))
    }
    try await heed(response, to: frozen.request)
    let answer = answer(to: response, frozen.kind, frozen.request.method)
    return [sending] + (try await handle(answer, to: frozen))
  }

  /// Keeps a request's bytes, unless another submission took this one's place, or another sender the
  /// lease.
  private func keep(_ frozen: FrozenRequest) async throws -> Bool {
    let task = task
    let isMine = try await uploader.store.perform {
      try $0.freeze(request: frozen.text, of: task)
    }
    if !isMine { try await finish(.released) }
    return isMine
  }

  /// Notes that a server asks to be left alone: that is asked of the client, not of this one request,
  /// and outlasts this process.
  func heed(_ response: HTTPResponse, to request: HTTPRequest) async throws {
    let now = uploader.store.options.now()
    let wait =
      [429, 503].contains(response.status)
      ? RetryAfter.wait(in: response.headers, now: now.milliseconds / 1000)
      : RetryAfter.backoff(in: response.headers)
    guard let wait, wait > .zero, let origin = WebAddress(request.url)?.origin else { return }
    try await uploader.store.perform { try $0.pause(origin, until: now + wait) }
  }

  func answer(
    to response: HTTPResponse, _ kind: AnswerClassification.Kind, _ method: String
  ) -> Answer {
    var classification = AnswerClassification(
      kind, method: method, envelope: uploader.settings.envelope)
    classification.redaction = Redaction(credentials: uploader.credentials, task)
    return classification.answer(
      to: response, now: uploader.store.options.now().milliseconds / 1000)
  }

  private mutating func handle(_ answer: Answer, to frozen: FrozenRequest) async throws
    -> [PushEvent]
  {
    switch answer {
    case .done(let acknowledgement): return try await acknowledge(acknowledgement, frozen)
    case .alreadyDone(let acknowledgement):
      mayBeDone = true
      // It may be an earlier record that the server left as it was.
      guard let record = acknowledgement.record, plan.holds(record, frozen.keys) else {
        var accepted = frozen
        accepted.isAccepted = true
        return try await keep(accepted) ? mergeWithServer() : []
      }
      return try await acknowledge(acknowledgement, frozen)
    case .conflict(let problem): return try await mergeWithServer(after: problem, to: frozen)
    case .preconditionRequired(let problem):
      guard uploader.settings.isConditional else {
        return try await park("\(problem); set \"conditional\" to true in the settings")
      }
      return try await mergeWithServer(after: problem, to: frozen)
    case .park(let problem):
      let mayBeGone = frozen.kind == .change && [404, 410].contains(problem.status)
      // Who refuses what an earlier delivery may have done need not be the server: its record tells.
      guard mayBeGone || mayBeDone && problem.status != 422 else {
        return try await park("\(problem)", isRefused: true)
      }
      return try await mergeWithServer(after: problem, to: frozen)
    default: return try await handleFailure(answer)
    }
  }

  /// What follows from an answer that says nothing of what the server holds.
  func handleFailure(_ answer: Answer) async throws -> [PushEvent] {
    switch answer {
    case .retry(let retry):
      // A server that is busy is no fault of the submission's.
      let events = try await wait(
        "\(retry.problem)", atLeast: retry.wait, parks: retry.cause != .busy)
      return retry.cause == .busy ? events + [.stopped(.busy("\(retry.problem)"))] : events
    case .freshConnection(let problem), .outcomeUnknown(let problem):
      return try await wait("\(problem)")
    case .unchanged: return try await wait("the server answered 304 to a change")
    case .unauthorized(let problem):
      try await finish(mayBeDone ? .released : .withdrawn)
      return [.stopped(.unauthorized("\(problem)"))]
    case .misdirected(let problem):
      try await finish(mayBeDone ? .released : .withdrawn)
      return [.stopped(.misdirected("\(problem)"))]
    case .park(let problem), .conflict(let problem), .preconditionRequired(let problem):
      return try await park("\(problem)")
    case .done, .alreadyDone: return try await wait("the response can't be understood")
    }
  }

  func handle(_ error: TransportError) async throws -> [PushEvent] {
    switch error {
    case .notSent(.cancelled, _), .outcomeUnknown(.cancelled, _):
      try await finish(.released)
      throw CancellationError()
    case .notSent(.invalidRequest, _): return try await park("\(error)")
    case .notSent:
      // Bytes that never left need not be kept: a newer submission may take their place. However
      // long the network is away, the submission is not to blame.
      return try await wait(
        "\(error)", keepsRequest: mayBeDone, parks: false, isAttempt: false)
        + [.stopped(.unreachable("\(error)"))]
    case .outcomeUnknown: return try await wait("\(error)")
    }
  }

  private func acknowledge(
    _ acknowledgement: Answer.Acknowledgement, _ frozen: FrozenRequest
  ) async throws -> [PushEvent] {
    let isComplete = plan.isComplete(with: frozen.keys)
    try await finish(
      .acknowledged(
        plan.fields(of: frozen.keys), etag: acknowledgement.entityTag?.description,
        isComplete: isComplete))
    let event = PushEvent.acknowledged(
      draft, submission: task.item.submission, fields: frozen.keys.count)
    return isComplete ? [event, .completed(draft, submission: task.item.submission)] : [event]
  }

  // MARK: Ends

  func wait(
    _ error: String, atLeast minimum: Duration? = nil, keepsRequest: Bool = true,
    parks: Bool = true, isAttempt: Bool = true
  ) async throws -> [PushEvent] {
    let attempts = task.item.attempts + 1
    if parks, attempts >= uploader.settings.maximumAttempts {
      return try await park(
        "\(error), after \(attempts) attempts", isRefused: !keepsRequest, keepsRequest: keepsRequest
      )
    }
    var generator = SystemRandomNumberGenerator()
    let pause = uploader.settings.backoff.wait(
      afterAttempts: attempts, atLeast: minimum, using: &generator)
    let time = uploader.store.options.now() + pause
    try await finish(
      .retry(at: time, error: error, keepsRequest: keepsRequest, isAttempt: isAttempt))
    return [.waiting(draft, until: time, error: error)]
  }

  /// Puts the submission aside; a newer one takes its place where nothing is kept.
  ///
  /// - Parameters:
  ///   - error: what a person is told.
  ///   - isRefused: whether no delivery has been carried out for certain.
  ///   - keepsRequest: whether the same bytes are to go again in any case.
  func park(
    _ error: String, isRefused: Bool = false, keepsRequest: Bool = false
  ) async throws -> [PushEvent] {
    let isReplaced = try await finish(
      .parked(error: error, keepsRequest: keepsRequest || mayBeDone && !isRefused))
    guard isReplaced else { return [.parked(draft, error: error)] }
    return [
      .waiting(
        draft, until: uploader.store.options.now(),
        error: "\(error); the newer submission takes its place")
    ]
  }

  func parkGone(_ error: String) async throws -> [PushEvent] {
    let error = "\(error); the record is gone: retry to make it anew"
    try await finish(
      .recordGone(error: error, isMadeAnew: false, keepsRequest: mayBeDone))
    return [.parked(draft, error: error)]
  }

  @discardableResult
  func finish(_ outcome: OutboxOutcome) async throws -> Bool {
    let task = task
    return try await uploader.store.perform { try $0.finish(task, outcome) }
  }
}
