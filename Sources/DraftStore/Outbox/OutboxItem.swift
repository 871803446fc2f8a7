import FormModel

/// A submission that waits for the server.
public struct OutboxItem: Hashable, Sendable, Identifiable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// It waits for its next attempt.
    case queued
    /// A process is sending it now.
    case sending
    /// The draft and the server changed the same field; see ``DraftStore/conflicts(of:)``.
    case conflict
    /// The server refused it; it waits for a person.
    case parked
  }

  /// Counts up in the order of queueing.
  public let id: Int64
  public let draft: DraftID
  /// The number of the submission.
  public let submission: Int
  public let state: State
  /// How often it was sent without success.
  public let attempts: Int
  /// When it is due; in the past when it is due now.
  public let nextAttemptAt: Timestamp
  /// What went wrong last, or nil.
  public let lastError: String?
  public let createdAt: Timestamp
}

/// An item that is leased to one sender, with what is needed to send it.
public struct OutboxTask: Sendable {
  public let item: OutboxItem
  /// Marks the lease and the attempt; the same as long as the same bytes are sent.
  public let idempotencyKey: String
  public let submission: Submission
  public let form: PreparedForm
  /// The form of the submission that the server has wholly, or nil when there is none.
  public let acknowledgedForm: PreparedForm?
  /// What the server is known to hold, by service key.
  public let acknowledged: [FormParam.Entry]
  /// The server's record, or nil when there is none yet.
  public let record: ServerRecord?
  /// The request that may have been sent already, as it was frozen.
  public let frozenRequest: String?
  let lease: String
}

/// What is known of a draft's record on the server.
public struct ServerRecord: Hashable, Sendable {
  /// The version, byte for byte as the server gave it (RFC 9110, section 8.8.3).
  public let etag: String?
  /// The number of the last submission that the server has wholly, or nil.
  public let submission: Int?
  public let presence: Presence

  /// Whether the server has the record still.
  public enum Presence: Hashable, Sendable {
    case there
    /// The server said that it has it no more. It is looked for once more when a person asks to go
    /// on, for the address may have been a wrong one.
    case missing
    /// A person asked to go on and it was still missing: it is made anew.
    case madeAnew
  }

  public init(etag: String?, submission: Int? = nil, presence: Presence = .there) {
    self.etag = etag
    self.submission = submission
    self.presence = presence
  }
}

/// A field that a draft and the server changed to different values.
public struct Conflict: Hashable, Sendable {
  public let draft: DraftID
  public let serviceKey: String
  /// The value that both started from; nil for none.
  public let base: FieldValue?
  /// The submitted value; nil for none.
  public let mine: FieldValue?
  /// The server's value; nil for none.
  public let theirs: FieldValue?

  public init(
    draft: DraftID, serviceKey: String, base: FieldValue?, mine: FieldValue?, theirs: FieldValue?
  ) {
    self.draft = draft
    self.serviceKey = serviceKey
    self.base = base
    self.mine = mine
    self.theirs = theirs
  }
}

/// How a conflict is decided.
public enum ConflictChoice: Hashable, Sendable {
  /// The submitted value is sent.
  case mine
  /// The server's value goes into the draft.
  case theirs
  /// Another value goes into the draft and is sent.
  case value(FieldValue?)
}
