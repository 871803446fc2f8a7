/// Tells a person at a terminal how far long work is; says nothing where it is quick or nobody
/// looks.
struct ProgressLine {
  private let isTerminal = System.isTerminal(System.standardError)
  private let clock = ContinuousClock()
  private let start = ContinuousClock.now
  private var lastShown: ContinuousClock.Instant?

  /// - Parameters:
  ///   - done: the records that are done.
  ///   - total: those there are, or 0 when that is not known.
  mutating func show(_ done: Int, of total: Int) {
    guard isTerminal else { return }
    let now = clock.now
    guard now - start > .seconds(1), lastShown.map({ now - $0 > .milliseconds(100) }) ?? true
    else { return }
    lastShown = now
    let share = total > 0 ? " of \(total) (\(done * 100 / total)%)" : ""
    Console.note("\r\(done)\(share)\u{1B}[K")
  }

  /// Takes the line away.
  mutating func end() {
    guard lastShown != nil else { return }
    Console.note("\r\u{1B}[K")
    lastShown = nil
  }
}
