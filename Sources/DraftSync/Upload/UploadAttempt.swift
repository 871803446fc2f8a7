import DraftStore
import FormModel

/// One attempt to bring a leased submission forward.
struct UploadAttempt {
  let uploader: Uploader
  let task: OutboxTask
  /// How often it was merged in this run.
  let merges: Int

  private var draft: DraftID { task.item.draft }
  private var plan: UploadPlan { UploadPlan(task: task, settings: uploader.settings) }

  /// What happened. The lease is over afterwards, however it ended.
  func run() async throws -> [PushEvent] {
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
    }
  }

  private func send(_ frozen: FrozenRequest) async throws -> [PushEvent] {
    if task.frozenRequest == nil {
      let task = task
      let isMine = try await uploader.store.perform {
        try $0.freeze(request: frozen.text, of: task)
      }
      // Another submission took this one's place, or another sender the lease.
      guard isMine else {
        try await finish(.released)
        return []
      }
    }
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
    let answer = AnswerClassification(
      frozen.kind, method: frozen.request.method, envelope: uploader.settings.envelope
    ).answer(to: response, now: uploader.store.options.now().milliseconds)
    return [sending] + (try await handle(answer, to: frozen))
  }

  private func handle(_ answer: Answer, to frozen: FrozenRequest) async throws -> [PushEvent] {
    switch answer {
    case .done(let acknowledgement): return try await acknowledge(acknowledgement, frozen)
    case .alreadyDone(let acknowledgement):
      // It may be an earlier record that the server left as it was.
      guard let record = acknowledgement.record else { return try await mergeWithServer() }
      return try await merge(record, acknowledgement.entityTag)
    case .conflict, .preconditionRequired: return try await mergeWithServer()
    case .retry(let retry):
      let events = try await wait(
        "\(retry.problem)", atLeast: retry.wait, countsAttempt: retry.cause != .busy)
      return retry.cause == .busy ? events + [.stopped(.busy("\(retry.problem)"))] : events
    case .freshConnection(let problem), .outcomeUnknown(let problem):
      return try await wait("\(problem)")
    case .unchanged: return try await wait("the server answered 304 to a change")
    case .unauthorized(let problem):
      try await finish(.released)
      return [.stopped(.unauthorized("\(problem)"))]
    case .misdirected(let problem):
      try await finish(.released)
      return [.stopped(.misdirected("\(problem)"))]
    case .park(let problem):
      guard frozen.kind == .change, [404, 410].contains(problem.status) else {
        return try await park("\(problem)")
      }
      let error = "\(problem); the record is gone: retry to make it anew"
      try await finish(.recordGone(error: error, isMadeAnew: false))
      return [.parked(draft, error: error)]
    }
  }

  private func handle(_ error: TransportError) async throws -> [PushEvent] {
    switch error {
    case .notSent(.cancelled, _), .outcomeUnknown(.cancelled, _):
      try await finish(.released)
      throw CancellationError()
    case .notSent(.invalidRequest, _): return try await park("\(error)")
    case .notSent:
      // Bytes that never left need not be kept: a newer submission may take their place.
      let keepsRequest = task.frozenRequest != nil
      return try await wait("\(error)", keepsRequest: keepsRequest)
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

  // MARK: Merging

  /// Reads the server's record and merges it.
  private func mergeWithServer() async throws -> [PushEvent] {
    let response: HTTPResponse
    do {
      let request = try plan.builder.fetch(task.submission.entries)
      response = try await uploader.transport.send(
        request.authorized(by: uploader.credentials), followingRedirectsBy: uploader.settings)
    } catch let error as TransportError {
      return try await handle(error)
    }
    let answer = AnswerClassification(
      .fetch, method: "GET", envelope: uploader.settings.envelope
    ).answer(to: response, now: uploader.store.options.now().milliseconds)
    switch answer {
    case .done(let acknowledgement), .alreadyDone(let acknowledgement):
      guard let record = acknowledgement.record else {
        return try await wait("the response to GET holds no record")
      }
      return try await merge(record, acknowledgement.entityTag)
    case .park(let problem) where [404, 410].contains(problem.status):
      let isMadeAnew = merges < Uploader.maximumMerges
      try await finish(.recordGone(error: "\(problem)", isMadeAnew: isMadeAnew))
      return isMadeAnew ? [.merged(draft, taken: [])] : [.parked(draft, error: "\(problem)")]
    default:
      let frozen = FrozenRequest(
        .fetch, HTTPRequest(method: "GET", url: ""), keys: [])
      return try await handle(answer, to: frozen)
    }
  }

  private func merge(_ record: JSONObject, _ tag: EntityTag?) async throws -> [PushEvent] {
    guard merges < Uploader.maximumMerges else {
      return try await wait("others keep changing the record", keepsRequest: false)
    }
    if uploader.settings.isConditional, tag == nil || tag?.isWeak == true {
      return try await park(
        "the server gives no strong entity tag: set \"conditional\" to false in the settings")
    }
    let (task, result) = (task, plan.merge(with: record))
    try await uploader.store.perform {
      try $0.merge(result, etag: tag?.description, into: task)
    }
    let merged = PushEvent.merged(draft, taken: result.taken.map(\.key))
    let open = try await uploader.store.perform { try $0.conflicts(of: task.item.draft) }
    return open.isEmpty ? [merged] : [merged, .conflict(draft, fields: open.map(\.serviceKey))]
  }

  // MARK: Ends

  private func wait(
    _ error: String, atLeast minimum: Duration? = nil, keepsRequest: Bool = true,
    countsAttempt: Bool = true
  ) async throws -> [PushEvent] {
    let attempts = task.item.attempts + 1
    if countsAttempt, attempts >= uploader.settings.maximumAttempts {
      return try await park("\(error), after \(attempts) attempts")
    }
    var generator = SystemRandomNumberGenerator()
    let pause = uploader.settings.backoff.wait(
      afterAttempts: attempts, atLeast: minimum, using: &generator)
    let time = uploader.store.options.now() + pause
    try await finish(
      .retry(at: time, error: error, keepsRequest: keepsRequest, countsAttempt: countsAttempt))
    return [.waiting(draft, until: time, error: error)]
  }

  private func park(_ error: String) async throws -> [PushEvent] {
    try await finish(.parked(error: error))
    return [.parked(draft, error: error)]
  }

  private func finish(_ outcome: OutboxOutcome) async throws {
    let task = task
    try await uploader.store.perform { try $0.finish(task, outcome) }
  }
}
