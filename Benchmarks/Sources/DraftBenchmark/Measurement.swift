/// Two ways of doing the same, timed in turn in one run.
struct Comparison {
  let name: String
  /// The ratio that is promised, or nil when none is.
  let limit: Double?
  private(set) var floorTimes: [Duration] = []
  private(set) var ourTimes: [Duration] = []

  init(_ name: String, limit: Double? = nil) {
    self.name = name
    self.limit = limit
  }

  /// Times both once; one unit of work is `count` operations.
  mutating func measure(
    count: Int = 1, floor: () throws -> Void, ours: () throws -> Void
  ) rethrows {
    let clock = ContinuousClock()
    floorTimes.append(try clock.measure(floor) / count)
    ourTimes.append(try clock.measure(ours) / count)
  }

  /// Name, medians in microseconds, ratio, and whether the promise is kept.
  var line: String {
    let (floor, ours) = (Self.median(floorTimes), Self.median(ourTimes))
    let ratio = ours / floor
    let verdict = limit.map { ratio <= $0 ? "≤ \($0)" : "MISSED: \($0)" } ?? ""
    return [
      name.padded(44), Self.text(floor).padded(12, left: true),
      Self.text(ours).padded(12, left: true), Self.rounded(ratio).padded(8, left: true),
      "  " + verdict,
    ].joined()
  }

  static let header =
    "operation".padded(44) + "C, µs".padded(12, left: true) + "ours, µs".padded(12, left: true)
    + "ratio".padded(8, left: true) + "  promise"

  private static func median(_ times: [Duration]) -> Double {
    let sorted = times.sorted()
    return sorted.isEmpty ? 0 : microseconds(sorted[sorted.count / 2])
  }

  static func microseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) * 1e6 + Double(attoseconds) / 1e12
  }

  private static func text(_ number: Double) -> String { rounded(number) }

  static func rounded(_ number: Double) -> String {
    String((number * 100).rounded() / 100)
  }
}

extension String {
  fileprivate func padded(_ width: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - count))
    return left ? space + self : self + space
  }
}
