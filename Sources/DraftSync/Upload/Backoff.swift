/// How long to wait before the next attempt: exponential, with full jitter, so that many devices
/// whose requests failed together do not all come back together.
public struct Backoff: Hashable, Sendable {
  /// The upper bound of the first wait.
  public let first: Duration
  /// The upper bound of any wait of its own; a server may ask for a longer one.
  public let limit: Duration

  /// A backoff.
  ///
  /// - Parameters:
  ///   - first: the upper bound of the first wait.
  ///   - limit: the upper bound of any wait.
  public init(first: Duration = .seconds(1), limit: Duration = .seconds(300)) {
    self.first = max(first, .milliseconds(1))
    self.limit = max(limit, self.first)
  }

  /// The longest wait after so many failed attempts.
  ///
  /// - Parameter attempts: how many attempts have failed, at least 1.
  public func bound(afterAttempts attempts: Int) -> Duration {
    var bound = first
    for _ in 1..<max(2, min(attempts, 64)) where attempts > 1 {
      guard bound < limit else { return limit }
      bound *= 2
    }
    return min(bound, limit)
  }

  /// A wait before the next attempt.
  ///
  /// - Parameters:
  ///   - attempts: how many attempts have failed, at least 1.
  ///   - minimum: what the server asks for at least; jitter comes on top of it.
  ///   - generator: where the jitter comes from.
  public func wait(
    afterAttempts attempts: Int, atLeast minimum: Duration? = nil,
    using generator: inout some RandomNumberGenerator
  ) -> Duration {
    let jitter = Self.random(upTo: bound(afterAttempts: attempts), using: &generator)
    guard let minimum else { return jitter }
    return min(minimum, RetryAfter.limit) + min(jitter, .seconds(60))
  }

  private static func random(
    upTo bound: Duration, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    let (seconds, attoseconds) = bound.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    // No wait at all would have the same pass try again at once.
    return .milliseconds(Int64.random(in: 1...max(1, milliseconds), using: &generator))
  }
}
