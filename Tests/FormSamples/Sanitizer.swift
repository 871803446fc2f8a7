#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The sanitizer that the tests run under, if they do: `scripts/sanitize` names it in `SANITIZER`.
public enum Sanitizer {
  /// `address` or `thread`, or nil.
  public static let name = getenv("SANITIZER").map { String(cString: $0) }

  public static var isOn: Bool { name != nil }

  /// Whether a program starts under `ulimit -f`: the thread sanitizer's own start writes a file.
  public static var allowsFileLimits: Bool { name != "thread" }

  /// How often something is tried that is tried `count` times else. A sanitizer looks at every
  /// access to memory, for which it takes several times as long, and needs to see each way through
  /// the code rather than each way that data may be.
  public static func fewer(_ count: Int) -> Int { isOn ? max(1, count / 4) : count }
}
