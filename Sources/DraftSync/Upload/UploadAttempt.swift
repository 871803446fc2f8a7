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
    } catch let error as StoreError {
      // It is this draft's alone: the others go on.
      return try await park("\(error)", keepsRequest: plan.frozen != nil)
    }
  }

  private func send(_ frozen: FrozenRequest) async throws -> [PushEvent] {
    if plan.frozen == nil {
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
    let answer = answer(to: response, frozen.kind, frozen.request.method)
    return [sending] + (try await handle(answer, to: frozen))
  }

  private func answer(
    to response: HTTPResponse, _ kind: AnswerClassification.Kind, _ method: String
  ) -> Answer {
    AnswerClassification(kind, method: method, envelope: uploader.settings.envelope)
      .answer(to: response, now: uploader.store.options.now().milliseconds / 1000)
  }

  private func handle(_ answer: Answer, to frozen: FrozenRequest) async throws -> [PushEvent] {
    switch answer {
    case .done(let acknowledgement): return try await acknowledge(acknowledgement, frozen)
    case .alreadyDone(let acknowledgement):
      // It may be an earlier record that the server left as it was.
      guard let record = acknowledgement.record, plan.holds(record, frozen.keys) else {
        return try await mergeWithServer()
      }
      return try await acknowledge(acknowledgement, frozen)
    case .conflict(let problem): return try await mergeWithServer(after: problem)
    case .preconditionRequired(let problem):
      guard uploader.settings.isConditional else {
        return try await park("\(problem); set \"conditional\" to true in the settings")
      }
      return try await mergeWithServer(after: problem)
    case .retry(let retry):
      // A server that is busy is no fault of the submission's.
      let events = try await wait(
        "\(retry.problem)", atLeast: retry.wait, parks: retry.cause != .busy)
      return retry.cause == .busy ? events + [.stopped(.busy("\(retry.problem)"))] : events
    case .freshConnection(let problem), .outcomeUnknown(let problem):
      return try await wait("\(problem)")
    case .unchanged: return try await wait("the server answered 304 to a change")
    case .unauthorized(let problem):
      try await finish(.released)
      return [.stopped(.unauthorized(redacted("\(problem)")))]
    case .misdirected(let problem):
      // What is kept leads to the wrong address.
      try await finish(.withdrawn)
      return [.stopped(.misdirected(redacted("\(problem)")))]
    case .park(let problem):
      guard frozen.kind == .change, [404, 410].contains(problem.status) else {
        return try await park("\(problem)")
      }
      return try await parkGone("\(problem)")
    }
  }

  private func handle(_ error: TransportError) async throws -> [PushEvent] {
    switch error {
    case .notSent(.cancelled, _), .outcomeUnknown(.cancelled, _):
      try await finish(.released)
      throw CancellationError()
    case .notSent(.invalidRequest, _): return try await park("\(error)")
    case .notSent:
      // Bytes that never left need not be kept: a newer submission may take their place. However
      // long the network is away, the submission is not to blame.
      let keepsRequest = plan.frozen != nil
      return try await wait("\(error)", keepsRequest: keepsRequest, parks: false)
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
  ///
  /// - Parameter problem: what the server refused a request with, if it did.
  private func mergeWithServer(after problem: Problem? = nil) async throws -> [PushEvent] {
    let response: HTTPResponse
    do {
      let request = try plan.builder.fetch(task.submission.entries)
      response = try await uploader.transport.send(
        request.authorized(by: uploader.credentials), followingRedirectsBy: uploader.settings)
    } catch let error as TransportError {
      return try await handle(error)
    }
    let answer = answer(to: response, .fetch, "GET")
    switch answer {
    case .done(let acknowledgement), .alreadyDone(let acknowledgement):
      guard let record = acknowledgement.record else {
        return try await wait("the response to GET holds no record")
      }
      // The version is the one that the change starts from: it is not what the server minds.
      if let problem, let tag = acknowledgement.entityTag, let etag = task.record?.etag,
        tag == EntityTag(etag)
      {
        return try await park("\(problem)")
      }
      return try await merge(record, acknowledgement.entityTag)
    case .park(let gone) where [404, 410].contains(gone.status):
      // What others deleted is not made anew without a person.
      guard task.record == nil else { return try await parkGone("\(gone)") }
      // There is nothing to merge with: the server minds something else.
      if let problem, problem.status == 409 { return try await park("\(problem)") }
      guard merges < Uploader.maximumMerges else { return try await park("\(gone)") }
      try await finish(.recordGone(error: redacted("\(gone)"), isMadeAnew: true))
      return [.merged(draft, taken: [])]
    default:
      let frozen = FrozenRequest(.fetch, HTTPRequest(method: "GET", url: ""), keys: [])
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
    guard plan.isRecord(record) else {
      return try await park(
        "the answer to GET holds no field of the record; where records are wrapped, name the member "
          + "that holds them in the settings (envelope)")
    }
    let (task, result) = (task, plan.merge(with: record, uploader.store.options.registry))
    let isMerged = try await uploader.store.perform {
      try $0.merge(result, etag: tag?.description, into: task)
    }
    guard isMerged else { return [] }
    let merged = PushEvent.merged(draft, taken: result.taken.map(\.key))
    let open = try await uploader.store.perform { try $0.conflicts(of: task.item.draft) }
    return open.isEmpty ? [merged] : [merged, .conflict(draft, fields: open.map(\.serviceKey))]
  }

  // MARK: Ends

  private func wait(
    _ error: String, atLeast minimum: Duration? = nil, keepsRequest: Bool = true,
    parks: Bool = true
  ) async throws -> [PushEvent] {
    let attempts = task.item.attempts + 1
    if parks, attempts >= uploader.settings.maximumAttempts {
      return try await park("\(error), after \(attempts) attempts", keepsRequest: keepsRequest)
    }
    var generator = SystemRandomNumberGenerator()
    let pause = uploader.settings.backoff.wait(
      afterAttempts: attempts, atLeast: minimum, using: &generator)
    let (time, error) = (uploader.store.options.now() + pause, redacted(error))
    try await finish(.retry(at: time, error: error, keepsRequest: keepsRequest))
    if let minimum {
      // Asked of the client, not of this one request; and to outlast this process.
      let time = uploader.store.options.now() + minimum
      if !parks { try await uploader.store.perform { try $0.pauseOutbox(until: time) } }
    }
    return [.waiting(draft, until: time, error: error)]
  }

  private func park(_ error: String, keepsRequest: Bool = false) async throws -> [PushEvent] {
    let error = redacted(error)
    try await finish(.parked(error: error, keepsRequest: keepsRequest))
    return [.parked(draft, error: error)]
  }

  private func parkGone(_ error: String) async throws -> [PushEvent] {
    let error = redacted("\(error); the record is gone: retry to make it anew")
    try await finish(.recordGone(error: error, isMadeAnew: false))
    return [.parked(draft, error: error)]
  }

  private func finish(_ outcome: OutboxOutcome) async throws {
    let task = task
    try await uploader.store.perform { try $0.finish(task, outcome) }
  }

  /// A server's text without the credentials, which it may quote.
  private func redacted(_ text: String) -> String {
    guard let value = uploader.credentials?.value else { return text }
    let secrets = [value, value.split(separator: " ").last.map(String.init) ?? value]
    return secrets.reduce(text) { $0.replacingOccurrences(of: $1, with: "[…]") }
  }
}

extension String {
  /// The text with every occurrence of another one, by its bytes, replaced.
  fileprivate func replacingOccurrences(of secret: String, with word: String) -> String {
    let (needle, hay) = (Array(secret.utf8), Array(utf8))
    guard !needle.isEmpty, hay.count >= needle.count else { return self }
    var (result, index): ([UInt8], Int) = ([], 0)
    while index < hay.count {
      if hay[index...].starts(with: needle) {
        result += word.utf8
        index += needle.count
      } else {
        result.append(hay[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
