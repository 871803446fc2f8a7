import Foundation
import Testing

/// Every call by which a disk can fail, in every action, at every place.
@Suite struct DiskFaultTests {
  static let actions = [
    "addForm", "newDraft", "set", "tag", "undo", "submit", "discard", "restore", "upgrade",
    "purge", "freeze", "acknowledge", "migrateReleased", "migrate", "backup",
  ]

  @Test(arguments: actions + ["read"]) func everyFaultIsToldAndHarmless(action: String) throws {
    let scratch = try Scratch()
    let lines = try ChildProcess.helper("sweep", scratch.path, action)
    #expect(lines.last?.hasPrefix("done: ") == true, "\(lines.suffix(3))")
    #expect(lines.filter { $0.hasPrefix("wrong") } == [])
  }

  /// The control: what is written without a journal must be caught being done in part.
  @Test func aFaultThatHarmsIsSeen() throws {
    let scratch = try Scratch()
    let lines = try ChildProcess.helper("sweep", scratch.path, "unsafeEdit")
    #expect(lines.contains { $0.hasPrefix("wrong") && $0.contains("done in part") })
  }

  @Test(arguments: actions) func lostPowerLosesNothingThatWasSaved(action: String) throws {
    let scratch = try Scratch()
    let lines = try ChildProcess.helper("power", scratch.path, action, "full")
    #expect(lines.last?.hasPrefix("done: ") == true, "\(lines.suffix(3))")
    #expect(lines.filter { $0.hasPrefix("wrong") } == [])
  }

  /// Controls: without syncs, what was acknowledged is lost; synchronous NORMAL promises no more
  /// than that it stays whole.
  @Test(arguments: ["normal", "pretend"]) func lostPowerIsSeen(mode: String) throws {
    let scratch = try Scratch()
    let lines = try ChildProcess.helper("power", scratch.path, "set", mode)
    #expect(lines.contains { $0.hasPrefix("wrong") && $0.contains("acknowledged and lost") })
    if mode == "normal" {
      #expect(lines.filter { $0.hasPrefix("wrong") && !$0.contains("acknowledged") } == [])
    }
  }
}
