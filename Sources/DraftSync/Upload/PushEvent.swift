import DraftStore

/// What happens while drafts are uploaded.
public enum PushEvent: Hashable, Sendable {
  /// A request is sent.
  case sending(DraftID, submission: Int, method: String, bytes: Int)
  /// The server has these fields.
  case acknowledged(DraftID, submission: Int, fields: Int)
  /// The server has the whole submission.
  case completed(DraftID, submission: Int)
  /// What others wrote was merged; the fields that were taken from the server.
  case merged(DraftID, taken: [String])
  /// Both sides changed these fields; a person has to decide.
  case conflict(DraftID, fields: [String])
  /// It is tried again at a time.
  case waiting(DraftID, until: Timestamp, error: String)
  /// The server refused it; a person has to look at it.
  case parked(DraftID, error: String)
  /// The run ends early; everything is kept.
  case stopped(PushStop)
}

/// Why a run ended before all that was due was tried.
public enum PushStop: Hashable, Sendable {
  /// The credentials were not accepted.
  case unauthorized(String)
  /// The server redirects, or the settings do not fit it.
  case misdirected(String)
  /// The server could not be reached.
  case unreachable(String)
  /// The server asks to be left alone for a while.
  case busy(String)

  /// What the server or the network said.
  public var message: String {
    switch self {
    case .unauthorized(let text), .misdirected(let text), .unreachable(let text), .busy(let text):
      text
    }
  }
}

/// What a run did.
public struct PushSummary: Hashable, Sendable {
  /// Requests that changed something, or tried to.
  public var requests = 0
  /// Bytes of their bodies.
  public var bytes = 0
  /// Submissions that the server has wholly.
  public var completed = 0
  /// Submissions that wait for a person to decide conflicts, earlier runs' included.
  public var conflicts = 0
  /// Submissions that the server refused, earlier runs' included.
  public var parked = 0
  /// Submissions that are left for later, those that another process is sending included.
  public var waiting = 0
  /// Why the run ended early, or nil.
  public var stop: PushStop?
  /// When the server may be asked again, if the run ended early for that.
  public var resumesAt: Timestamp?

  public init() {}

  mutating func count(_ event: PushEvent) {
    switch event {
    case .sending(_, _, _, let bytes):
      requests += 1
      self.bytes += bytes
    case .completed: completed += 1
    case .stopped(let reason): stop = reason
    case .waiting(_, let time, _): resumesAt = time
    case .acknowledged, .merged, .conflict, .parked: break
    }
  }

  /// Takes in what is left in the outbox.
  mutating func count(_ left: [OutboxItem.State: Int]) {
    waiting = left[.queued, default: 0]
    conflicts = left[.conflict, default: 0]
    parked = left[.parked, default: 0]
    if stop == nil { resumesAt = nil }
  }
}
