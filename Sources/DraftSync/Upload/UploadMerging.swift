import DraftStore
import FormModel

/// Reading the server's record, to merge it or to find out what became of a request.
extension UploadAttempt {
  /// Reads the server's record and merges it.
  ///
  /// - Parameters:
  ///   - problem: what the server refused a request with, if it did.
  ///   - frozen: that request.
  func mergeWithServer(
    after problem: Problem? = nil, to frozen: FrozenRequest? = nil
  ) async throws -> [PushEvent] {
    let request: HTTPRequest
    let response: HTTPResponse
    do {
      request = try plan.builder.fetch(task.submission.entries)
      response = try await uploader.transport.send(
        request.authorized(by: uploader.credentials), followingRedirectsBy: uploader.settings)
    } catch let error as TransportError {
      return try await handle(error)
    }
    try await heed(response, to: request)
    switch answer(to: response, .fetch, "GET") {
    case .done(let acknowledgement), .alreadyDone(let acknowledgement):
      guard let record = acknowledgement.record else {
        return try await wait("the response to GET holds no record")
      }
      let tag = acknowledgement.entityTag
      if let problem {
        // The version is the one that the change starts from: it is not what the server minds, and
        // nothing has been carried out.
        if let tag, tag == task.record?.etag.flatMap(EntityTag.init) {
          return try await park("\(problem)", isRefused: !tag.isWeak)
        }
        // Without versions there is nothing that could have gone on.
        guard !problem.isRefusal || mayBeDone || tag != nil else {
          return try await park("\(problem)", isRefused: true)
        }
      }
      return try await merge(record, tag)
    case .park(let gone) where [404, 410].contains(gone.status):
      return try await handleMissingRecord(gone, after: problem, to: frozen)
    case .park(let other): return try await park(uncertain(problem ?? other))
    case let answer: return try await handleFailure(answer)
    }
  }

  private func handleMissingRecord(
    _ gone: Problem, after problem: Problem?, to frozen: FrozenRequest?
  ) async throws -> [PushEvent] {
    switch task.record?.presence {
    // What others deleted is not made anew without a person.
    case .there: return try await parkGone("\(gone)")
    // A person has asked for it since, and it is really gone.
    case .missing:
      try await finish(.recordGone(error: "\(gone)", isMadeAnew: true))
      return []
    case .madeAnew, nil: break
    }
    // There is nothing to merge with: the server minds something else.
    if let problem, problem.isRefusal || problem.status == 409 {
      // One who has no record where the request would have made it, and says so in another way than
      // to the request, is the server.
      let isCertain =
        frozen?.request.method == "PUT" && frozen?.request.headers["If-None-Match"] != nil
        && problem.status != gone.status
      return try await park(
        isCertain ? "\(problem)" : uncertain(problem), isRefused: isCertain)
    }
    guard !mayBeDone else {
      return try await park(
        "the server may have carried out the request, and has no record at the settings' address "
          + "(\(gone)): see what it made and where, then retry, or drop it")
    }
    guard merges < Uploader.maximumMerges else { return try await park("\(gone)") }
    try await finish(.recordGone(error: "\(gone)", isMadeAnew: true))
    return [.merged(draft, taken: [])]
  }

  private func uncertain(_ problem: Problem) -> String {
    guard mayBeDone else { return "\(problem)" }
    return "\(problem); it may have been carried out before, so a retry sends the same once more"
  }

  private func merge(_ record: JSONObject, _ tag: EntityTag?) async throws -> [PushEvent] {
    guard merges < Uploader.maximumMerges else {
      return try await wait("others keep changing the record", keepsRequest: mayBeDone)
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
}

extension Problem {
  /// Whether it says that the request can't be carried out, whatever the version of the record.
  fileprivate var isRefusal: Bool { ![409, 412, 428].contains(status) }
}
