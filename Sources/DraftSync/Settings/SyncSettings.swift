/// Where and how drafts are uploaded: one small JSON file.
///
/// Secrets never stand in it; see ``CredentialSource``. Read it with ``init(parsing:)``.
public struct SyncSettings: Hashable, Sendable {
  /// The address of a record.
  public var url: URLTemplate
  /// How a record is made.
  public var create: Create
  /// How a record is changed.
  public var change: Change
  /// Headers of every request, in their order.
  public var headers: HTTPHeaders
  /// The member of bodies that holds the record, such as `data`, if there is one.
  public var envelope: String?
  /// Whether requests carry `If-Match` and `If-None-Match`.
  public var isConditional: Bool
  /// The header for the idempotency key, or nil to send none.
  public var idempotencyKeyHeader: String?
  /// Where the credentials come from, if any are sent.
  public var credentials: CredentialSource?
  /// The hosts that may be sent to without TLS; this machine always may.
  public var plainHTTPHosts: [String]
  /// A file of certificates in PEM form to trust instead of the system's.
  public var certificateAuthorityFile: String?
  /// The longest time for making a connection.
  public var connectTimeout: Duration
  /// The longest time for a request and its response together.
  public var totalTimeout: Duration
  /// How many fields one request may change at most, if that is limited.
  public var maximumFieldsPerRequest: Int?
  /// How many bytes the body of one request may have at most.
  public var maximumBytesPerRequest: Int
  /// The waits between attempts.
  public var backoff: Backoff
  /// How often a request is tried before it is put aside.
  public var maximumAttempts: Int
  /// Whose value stands when both sides have changed a field.
  public var conflictPolicy: ConflictPolicy

  /// How a record is made.
  public struct Create: Hashable, Sendable {
    /// The address, where it is another than the record's.
    public var url: URLTemplate?
    public var method: CreateMethod
    public var form: CreateForm
    /// Whether `If-None-Match: *` keeps the request from replacing a record (RFC 9110, section
    /// 13.1.2).
    public var ifNoneMatch: Bool
  }

  /// How a record is changed.
  public struct Change: Hashable, Sendable {
    public var method: ChangeMethod
    public var form: ChangeForm
    /// Whether a change that a merge patch can't say is sent as a JSON Patch.
    public var usesJSONPatchWhereNeeded: Bool
  }

  public enum CreateMethod: String, Hashable, Sendable, CaseIterable {
    case put = "PUT"
    case post = "POST"
  }

  public enum CreateForm: String, Hashable, Sendable, CaseIterable {
    case json
    case urlEncoded = "urlencoded"
  }

  public enum ChangeMethod: String, Hashable, Sendable, CaseIterable {
    case patch = "PATCH"
    case put = "PUT"
    case post = "POST"
  }

  /// What the body of a change holds.
  public enum ChangeForm: String, Hashable, Sendable, CaseIterable {
    /// A JSON Merge Patch (RFC 7396).
    case mergePatch = "merge-patch"
    /// A JSON Patch (RFC 6902).
    case jsonPatch = "json-patch"
    /// An object of the changed fields, in which null is a value.
    case json
    /// An object of all fields.
    case full
    /// A web form: of all fields with PUT, else of the changed ones.
    case urlEncoded = "urlencoded"
  }

  public enum ConflictPolicy: String, Hashable, Sendable, CaseIterable {
    /// The conflict is kept and listed.
    case ask
    /// The draft's value.
    case mine
    /// The server's value.
    case theirs
  }
}

extension SyncSettings {
  /// Options for a transport that keeps to these settings.
  public var transportOptions: CurlTransport.Options {
    CurlTransport.Options(
      connectTimeout: connectTimeout, totalTimeout: totalTimeout,
      certificateAuthorityFile: certificateAuthorityFile)
  }

  /// Whether an address may be sent to: it has no credentials in it, and TLS or a host that may do
  /// without.
  ///
  /// - Parameter url: the address.
  public func allows(_ url: String) -> Bool {
    WebAddress(url).map(allows) ?? false
  }

  func allows(_ address: WebAddress) -> Bool {
    !address.hasCredentials
      && (address.scheme == "https" || address.isLoopback
        || plainHTTPHosts.contains { $0.lowercased() == address.host })
  }
}

/// What is wrong with settings, all at once.
public struct SyncSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One fault.
  public struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// The path of the member, such as `change.form`; empty for the whole file.
    public let member: String
    /// What is wrong and what to do.
    public let message: String

    public var description: String { member.isEmpty ? message : "\(member): \(message)" }
  }

  /// The faults, at least one.
  public let problems: [Problem]

  public var description: String { problems.map(\.description).joined(separator: "\n") }
}
