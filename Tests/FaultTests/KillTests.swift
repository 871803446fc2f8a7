import DraftStore
import FaultSupport
import FormModel
import FormSamples
import Foundation
import Testing

/// Processes that are killed, or lose power, while they save as fast as they can.
@Suite struct KillTests {
  /// `FAULT_KILLS` in the environment has it done so many times; `scripts/kill-test` does.
  static let count =
    ProcessInfo.processInfo.environment["FAULT_KILLS"].flatMap { Int($0) } ?? Sanitizer.fewer(120)

  /// What came of a number of killed processes.
  struct Outcome {
    var saved = 0
    var missing = 0
    var problems: [String] = []
  }

  @Test func whatWasAcknowledgedSurvivesKills() throws {
    let outcome = try rounds(Self.count) { child, random in
      // By what it has told rather than by time, which may be too short for anything; one in four
      // while it starts.
      child.wait(forLines: random.oneIn(4) ? 0 : random.int(1...60))
      usleep(UInt32(random.int(0...20_000)))
      child.kill()
    }
    #expect(outcome.problems == [])
    #expect(outcome.missing == 0)
    #expect(outcome.saved > 0)
  }

  @Test func whatWasAcknowledgedSurvivesPowerLoss() throws {
    let outcome = try rounds(Self.count, losesPower: true) { _, _ in }
    #expect(outcome.problems == [])
    #expect(outcome.missing == 0)
    #expect(outcome.saved > 0)
  }

  /// The control: synchronous NORMAL does not outlive power.
  @Test func missingEditsAreSeen() throws {
    let outcome = try rounds(20, losesPower: true, synchronous: "normal") { _, _ in }
    #expect(outcome.problems == [])
    #expect(outcome.missing > 0)
  }

  /// Starts the saving process again and again, each time on what the one before left.
  private func rounds(
    _ count: Int, losesPower: Bool = false, synchronous: String = "full",
    end: (ChildProcess, inout SeededGenerator) -> Void
  ) throws -> Outcome {
    let scratch = try Scratch()
    let path = scratch.file()
    let draft = try SampleStore(at: path).edited
    try DraftStore(path: path).set(.string("0"), for: "remark", in: draft)
    var random = SeededGenerator(seed: 7)
    var outcome = Outcome()
    var last = 0
    for _ in 0..<count {
      let child = try ChildProcess(
        ChildProcess.program("fault-helper"),
        [
          "save", path, draft.description, losesPower ? String(random.next()) : "never",
          synchronous,
        ])
      end(child, &random)
      let (lines, status) = child.finish()
      if status != -SIGKILL { outcome.problems.append("status \(status): \(lines.suffix(2))") }
      for line in lines {
        let words = line.split(separator: " ")
        guard words.count >= 2, let number = Int(words[1]) else {
          outcome.problems.append(line)
          continue
        }
        if words[0] == "found" {
          if number < last { outcome.missing += last - number }
        } else {
          outcome.saved += 1
        }
        last = number
      }
    }
    let store = try DraftStore(path: path)
    let found = Int(try store.draft(draft)["remark"]?.text ?? "") ?? -1
    if found < last { outcome.missing += last - found }
    outcome.problems += try store.check()
    return outcome
  }
}
