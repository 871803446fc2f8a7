import DraftStore
import FormEditing
import FormModel
import Foundation

extension Benchmark {
  /// How fast a form of 300 fields answers a key, when the key is on the disk, and whether 1,000
  /// events a second are kept up with.
  func editing() async throws {
    let path = newFile("editing")
    let store = try DraftStore(path: path)
    try store.add(form("editing", fields: 300))
    let id = try store.addDrafts(of: "editing", values: [values(1, fields: 300)])[0]

    // Each key waited for, as an app does that saves each.
    let eager = try EditingSession(store, draft: id)
    var durable: [Duration] = []
    for key in 0..<300 {
      durable.append(
        try ContinuousClock().measure {
          eager.handle(.enter(key: "field0", text: "key \(key)"))
          try eager.flush() as Void
        })
    }
    print("a key to the disk: \(Self.spread(durable))")

    let session = try EditingSession(store, draft: id)
    let clock = ContinuousClock()
    let rate = 1000
    var answers: [Duration] = []
    var late = 0
    let start = clock.now
    for event in 0..<(5 * rate) {
      let due = start + .microseconds(event * 1_000_000 / rate)
      if clock.now < due { try await clock.sleep(until: due) } else { late += 1 }
      let field = "field\(event / 40 % 75 * 4)"
      answers.append(clock.measure { session.handle(.enter(key: field, text: "text \(event)")) })
    }
    let typed = clock.now - start
    let rest = try await clock.measure { try await session.flush() }
    let saved = try store.draft(id)
    try check(
      session.editor.savedValues.allSatisfy { saved[$0.key] == $0.value },
      "what is saved is not what was typed")
    print(
      """
      \(rate) events a second, 5 s: took \(Comparison.rounded(Comparison.microseconds(typed) / 1e6)) s; \
      an answer \(Self.spread(answers)); all on the disk \
      \(Comparison.rounded(Comparison.microseconds(rest) / 1000)) ms after the last
      """)

    let storm = clock.now
    for event in 0..<20_000 {
      session.handle(.enter(key: "field\(event / 40 % 75 * 4)", text: "more \(event)"))
    }
    try await session.flush()
    let seconds = Comparison.microseconds(clock.now - storm) / 1e6
    print("as fast as they come: \(Int(20_000 / seconds)) events a second, saved")
    try store.close()
  }

  private static func spread(_ times: [Duration]) -> String {
    let sorted = times.sorted().map(Comparison.microseconds)
    func part(_ share: Double) -> String {
      Comparison.rounded(sorted[Int(Double(sorted.count - 1) * share)])
    }
    return "\(part(0.5)) µs (median), \(part(0.99)) µs (99 of 100), \(part(1)) µs (longest)"
  }
}
