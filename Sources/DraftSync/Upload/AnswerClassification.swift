import FormModel

/// What an upload does after a response.
public enum Answer: Hashable, Sendable {
  /// Done, or read. What was sent is what the server holds now.
  case done(Acknowledgement)
  /// Done before, by an earlier delivery or from elsewhere: what the server holds has to be looked
  /// at, for what was sent just now may have been ignored.
  case alreadyDone(Acknowledgement)
  /// Nothing has changed since the entity tag that was asked with (304).
  case unchanged
  /// The server's version is another than the one that the change starts from (409, 412): it has
  /// to be fetched and, if it is not what was sent, merged.
  case conflict(Problem)
  /// The server demands `If-Match` (428; RFC 6585): its version has to be fetched, then as for
  /// ``conflict(_:)``.
  case preconditionRequired(Problem)
  /// To be sent again unchanged, with the same key, after a wait.
  case retry(Retry)
  /// To be sent again unchanged, on another connection (421; RFC 9110, section 15.5.20). It was
  /// not carried out.
  case freshConnection(Problem)
  /// The credentials are missing or not accepted (401, 407): everything for this server stops
  /// until they are replaced; it is no attempt that counts.
  case unauthorized(Problem)
  /// The settings name a wrong address (3xx): everything stops until they are mended.
  case misdirected(Problem)
  /// Whether it was carried out is not known: the same is sent again, or the server's version is
  /// fetched first.
  case outcomeUnknown(Problem)
  /// It can't be carried out and is put aside for a person; others go on.
  case park(Problem)

  /// What a server says with a success.
  public struct Acknowledgement: Hashable, Sendable {
    /// The version that the server holds now; nil when it does not say, and has to be asked.
    public let entityTag: EntityTag?
    /// The JSON object in the response's body, taken out of its envelope, if there is one. Whether
    /// it is the whole record is for the server to say.
    public let record: JSONObject?

    public var needsFetch: Bool { entityTag == nil }
  }

  /// A failure that may pass.
  public struct Retry: Hashable, Sendable {
    /// Why.
    public enum Cause: Hashable, Sendable {
      /// An earlier delivery with the same idempotency key is still under way.
      case inFlight
      /// The server is busy or asks to slow down (429, 503): its other requests wait as well.
      case busy
      /// Anything else of the server's; others go on.
      case failure
    }

    public let cause: Cause
    /// What the server asks to wait at least, measured from the response on.
    public let wait: Duration?
    public let problem: Problem
  }
}

/// Tells what to do after a response; a pure function of the request's kind and the response.
public struct AnswerClassification: Hashable, Sendable {
  /// What the request was for.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Makes the record.
    case create
    /// Changes the record.
    case change
    /// Reads the record.
    case fetch
  }

  /// What the request was for.
  public let kind: Kind
  /// The request's method.
  public let method: String
  /// The member of a response's body that holds the record, if it has one.
  public let envelope: String?
  /// What messages must not hold.
  var redaction = Redaction()

  /// A classification of the responses to one request.
  ///
  /// - Parameters:
  ///   - kind: what the request was for.
  ///   - method: the request's method.
  ///   - envelope: the member of a response's body that holds the record, if it has one.
  public init(_ kind: Kind, method: String, envelope: String? = nil) {
    self.kind = kind
    self.method = method
    self.envelope = envelope
  }

  /// What to do after a response.
  ///
  /// - Parameters:
  ///   - response: the response.
  ///   - now: the time in seconds since 1970, for a `Retry-After` with a date.
  public func answer(to response: HTTPResponse, now: Int64) -> Answer {
    let status = response.status
    switch status {
    case 200..<300: return success(response)
    case 304 where kind == .fetch: return .unchanged
    case 300..<400: return .misdirected(Self.redirect(response))
    default: break
    }
    let problem = Problem(response, redaction)
    let wait = RetryAfter.wait(in: response.headers, now: now)
    func retry(_ cause: Answer.Retry.Cause) -> Answer {
      .retry(Answer.Retry(cause: cause, wait: wait, problem: problem))
    }
    switch status {
    case 401, 407: return .unauthorized(problem)
    case 409 where problem.isAboutIdempotency: return retry(.inFlight)
    case 409 where kind != .fetch, 412 where kind != .fetch: return .conflict(problem)
    case 428 where kind != .fetch: return .preconditionRequired(problem)
    case 421: return .freshConnection(problem)
    case 429, 503: return retry(.busy)
    case 408, 425, 500..<600: return retry(.failure)
    case 400..<500: return .park(problem)
    // An interim response, or no status at all.
    default: return .outcomeUnknown(problem)
    }
  }

  private func success(_ response: HTTPResponse) -> Answer {
    func unknown(_ title: String) -> Answer {
      .outcomeUnknown(Problem(status: response.status, title: title))
    }
    guard !response.isBodyTruncated else { return unknown("the response is too long") }
    var tag = response.headers.entityTag
    switch response.status {
    case 200, 201, 204, 205: break
    // Accepted, or changed by a proxy: the tag need not be that of the new version.
    case 202 where kind != .fetch, 203: tag = nil
    default: return unknown("a success that does not say whether all was carried out")
    }
    let body: JSONValue?
    switch Self.body(of: response) {
    case .none: body = nil
    case .json(let json): body = json
    case .broken(let reason): return unknown(reason)
    }
    let record = body.flatMap { envelope == nil ? $0 : envelope.flatMap($0.member) }?.objectValue
    if kind == .fetch, record == nil { return unknown("the response holds no record") }
    let acknowledgement = Answer.Acknowledgement(entityTag: tag, record: record)
    return isRepeated(response) ? .alreadyDone(acknowledgement) : .done(acknowledgement)
  }

  /// Whether a success was one before this request.
  private func isRepeated(_ response: HTTPResponse) -> Bool {
    let replayed = response.headers["Idempotent-Replayed"]?.lowercased() == "true"
    // A server that is sent the client's own id answers 200 where it has that record, and may
    // leave it as it is; what it makes anew it calls 201.
    return replayed || kind == .create && method == "POST" && response.status == 200
  }

  private enum Body {
    case none
    case json(JSONValue)
    case broken(String)
  }

  private static func body(of response: HTTPResponse) -> Body {
    guard !response.body.isEmpty, ![204, 205].contains(response.status) else { return .none }
    let type = MediaType(response.headers["Content-Type"])
    if type.isHTML || type.isText && String(decoding: response.body, as: UTF8.self).looksLikeHTML {
      // As of a hotel's network, which answers in the server's name.
      return .broken("the response is a web page")
    }
    guard type.isJSON || type.name.isEmpty else { return .none }
    do throws(JSONError) {
      return .json(try JSONValue(parsing: response.body))
    } catch {
      return .broken("the response is no JSON")
    }
  }

  private static func redirect(_ response: HTTPResponse) -> Problem {
    // Without its path, which may hold a token.
    let place = response.headers["Location"].map { location in
      " to \(WebAddress(location)?.origin ?? "another path")"
    }
    return Problem(
      status: response.status,
      title: "the server redirects\(place ?? ""); put the right address into the settings")
  }
}

extension JSONValue {
  fileprivate func member(_ key: String) -> JSONValue? { self[key] }
}
