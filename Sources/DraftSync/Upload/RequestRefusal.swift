/// Why no request can be made of a change.
public struct RequestRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of fault, to act upon.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// There is nothing to send: an empty change set never is.
    case nothingChanged
    /// The address needs a value that is missing, or leads where it may not.
    case noAddress
    /// The settings' form of body has no way to say the change.
    case notExpressible
    /// A single field is larger than a request may be.
    case tooLarge
    /// `If-Match` needs an entity tag: fetch the record first.
    case noEntityTag
    /// The server only gives weak entity tags, which `If-Match` never matches.
    case weakEntityTag
    /// The idempotency key can't stand in a header.
    case badKey
  }

  /// The kind of fault, to act upon.
  public let reason: Reason
  /// What is wrong and what to do.
  public let message: String

  init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  public var description: String { message }
}
