import DraftStore
import FormModel

/// Makes the requests that upload one draft. The same input gives the same bytes.
///
/// Requests carry no credentials, so that they can be kept; ``HTTPRequest/authorized(by:)`` adds
/// them when one is sent.
public struct RequestBuilder: Sendable {
  private let settings: SyncSettings
  private let id: DraftID
  private let form: String

  /// A builder for one draft.
  ///
  /// - Parameters:
  ///   - settings: where and how drafts are uploaded.
  ///   - id: the draft's id.
  ///   - form: the form's id.
  public init(settings: SyncSettings, id: DraftID, form: String) {
    self.settings = settings
    self.id = id
    self.form = form
  }

  /// The request that makes the record.
  ///
  /// - Parameters:
  ///   - entries: all its values.
  ///   - idempotencyKey: the key of this and every repeated delivery.
  /// - Throws: ``RequestRefusal``.
  public func create(
    _ entries: [FormParam.Entry], idempotencyKey: String
  ) throws(RequestRefusal) -> HTTPRequest {
    let body = try RequestBody.full(
      entries, asForm: settings.create.form == .urlEncoded, settings)
    guard body.bytes.count <= settings.maximumBytesPerRequest else { throw tooLarge(nil) }
    var request = try request(
      settings.create.method.rawValue, settings.create.url ?? settings.url, entries)
    try fill(&request, with: body, idempotencyKey)
    if settings.create.ifNoneMatch { request.headers["If-None-Match"] = "*" }
    return request
  }

  /// The request that changes the record.
  ///
  /// - Parameters:
  ///   - changes: what changes, small enough for one request; see ``parts(of:to:)``.
  ///   - entries: all values after the change.
  ///   - entityTag: the version that the change starts from.
  ///   - idempotencyKey: the key of this and every repeated delivery.
  /// - Throws: ``RequestRefusal``.
  public func change(
    _ changes: ChangeSet, to entries: [FormParam.Entry], from entityTag: EntityTag?,
    idempotencyKey: String
  ) throws(RequestRefusal) -> HTTPRequest {
    guard !changes.isEmpty else {
      throw RequestRefusal(.nothingChanged, "nothing has changed, and nothing is sent")
    }
    let body = try RequestBody.change(changes, to: entries, settings)
    guard body.bytes.count <= settings.maximumBytesPerRequest else {
      throw tooLarge(changes.changes.count == 1 ? changes.changes.first?.serviceKey : nil)
    }
    var request = try request(settings.change.method.rawValue, settings.url, entries)
    try fill(&request, with: body, idempotencyKey)
    if settings.isConditional {
      guard let entityTag else {
        throw RequestRefusal(
          .noEntityTag,
          "the record's entity tag is not known: fetch it; where the server has none, set "
            + "\"conditional\" to false")
      }
      guard !entityTag.isWeak else {
        throw RequestRefusal(
          .weakEntityTag,
          "the server only gives weak entity tags, which If-Match never matches: "
            + "set \"conditional\" to false")
      }
      request.headers["If-Match"] = entityTag.description
    }
    return request
  }

  /// The request that reads the record.
  ///
  /// - Parameters:
  ///   - entries: the values that stand in the address, if any do.
  ///   - entityTag: the version that is known and need not be sent again.
  /// - Throws: ``RequestRefusal``.
  public func fetch(
    _ entries: [FormParam.Entry] = [], unless entityTag: EntityTag? = nil
  ) throws(RequestRefusal) -> HTTPRequest {
    var request = try request("GET", settings.url, entries)
    if let entityTag { request.headers["If-None-Match"] = entityTag.description }
    return request
  }

  /// Splits a change set into as many as the settings' limits need, in order; each starts from
  /// what the one before has made.
  ///
  /// Where the body holds the whole record there is nothing to split.
  ///
  /// - Parameters:
  ///   - changes: the change set.
  ///   - entries: all values after it.
  /// - Throws: ``RequestRefusal`` when a single field is too large or can't be said.
  public func parts(
    of changes: ChangeSet, to entries: [FormParam.Entry]
  ) throws(RequestRefusal) -> [ChangeSet] {
    guard !changes.isEmpty else { return [] }
    guard !settings.change.sendsWholeRecord else { return [changes] }
    let all = changes.changes
    let limit = settings.maximumFieldsPerRequest ?? all.count
    var parts: [ChangeSet] = []
    for start in stride(from: 0, to: all.count, by: limit) {
      let part = Array(all[start..<min(start + limit, all.count)])
      try split(ChangeSet(base: changes.base, changes: part), entries, into: &parts)
    }
    return parts
  }

  private func split(
    _ changes: ChangeSet, _ entries: [FormParam.Entry], into parts: inout [ChangeSet]
  ) throws(RequestRefusal) {
    let body = try RequestBody.change(changes, to: entries, settings)
    if body.bytes.count <= settings.maximumBytesPerRequest {
      parts.append(changes)
      return
    }
    let all = changes.changes
    guard all.count > 1 else { throw tooLarge(all.first?.serviceKey) }
    let middle = all.count / 2
    try split(ChangeSet(base: changes.base, changes: Array(all[..<middle])), entries, into: &parts)
    try split(ChangeSet(base: changes.base, changes: Array(all[middle...])), entries, into: &parts)
  }

  /// The address of the requests of a kind.
  func address(
    for kind: AnswerClassification.Kind, _ entries: [FormParam.Entry]
  ) throws(RequestRefusal) -> String {
    try address(kind == .create ? settings.create.url ?? settings.url : settings.url, entries)
  }

  private func address(
    _ template: URLTemplate, _ entries: [FormParam.Entry]
  ) throws(RequestRefusal) -> String {
    let url = try template.filled { name in
      switch name {
      case "id": id.description
      case "form": form
      default: entries.first { $0.serviceKey.hasSameBytes(as: name) }?.value.text
      }
    }
    guard settings.allows(url) else {
      throw RequestRefusal(.noAddress, "the settings do not allow to send to this address")
    }
    return url
  }

  private func request(
    _ method: String, _ template: URLTemplate, _ entries: [FormParam.Entry]
  ) throws(RequestRefusal) -> HTTPRequest {
    let url = try address(template, entries)
    var headers = HTTPHeaders()
    if settings.headers["Accept"] == nil { headers.append("Accept", "application/json, */*;q=0.1") }
    // Servers that compress give the compressed form another tag, or a weak one, which does not
    // match when the change comes.
    if settings.isConditional { headers.append("Accept-Encoding", "identity") }
    for field in settings.headers.fields { headers.append(field.name, field.value) }
    return HTTPRequest(method: method, url: url, headers: headers)
  }

  private func fill(
    _ request: inout HTTPRequest, with body: RequestBody, _ key: String
  ) throws(RequestRefusal) {
    request.body = body.bytes
    request.headers["Content-Type"] = body.mediaType
    guard let name = settings.idempotencyKeyHeader else { return }
    guard !key.isEmpty, key.utf8.count <= 255,
      key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C })
    else {
      throw RequestRefusal(.badKey, "the idempotency key is no short visible ASCII text")
    }
    // A String of structured fields (RFC 9651, section 3.3.3); headers of other names are not.
    request.headers[name] = name.isSameHeader(as: "Idempotency-Key") ? "\"\(key)\"" : key
  }

  private func tooLarge(_ key: String?) -> RequestRefusal {
    RequestRefusal(
      .tooLarge,
      "\(key.map { "\($0): " } ?? "")the request would have more than "
        + "\(settings.maximumBytesPerRequest) bytes (maximumBytesPerRequest)")
  }
}

extension SyncSettings.Change {
  /// Whether the body of a change holds the whole record.
  public var sendsWholeRecord: Bool { form == .full || form == .urlEncoded && method == .put }
}

extension HTTPRequest {
  /// The request with the credentials' header.
  ///
  /// - Parameter credentials: the header, or nil for none.
  public func authorized(by credentials: HTTPHeaders.Field?) -> HTTPRequest {
    guard let credentials else { return self }
    var request = self
    request.headers[credentials.name] = credentials.value
    return request
  }
}
