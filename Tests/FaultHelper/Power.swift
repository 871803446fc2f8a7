import CFaultVFS
import DraftDatabase
import DraftStore
import FaultSupport
import FormModel
import FormSamples
import Foundation

/// Cuts the power at every moment of an action, and loses all, the last or any of what was not
/// synced.
///
/// - Parameter mode: `full`; for the controls `normal` (synchronous NORMAL) or `pretend` (syncs that
///   do nothing).
func power(folder: String, action: String, mode: String) throws {
  guard let action = Action(rawValue: action) else { throw UnknownAction(name: action) }
  let trials = try Trials(
    action, folder: folder, synchronous: mode == "normal" ? .normal : .full)
  fault_pretend_syncs(mode == "pretend" ? 1 : 0)
  var random = SeededGenerator(seed: 2024)
  for loss in [LOSS_ALL, LOSS_TAIL, LOSS_ANY] {
    for _ in 0..<(loss == LOSS_ALL ? 1 : 3) {
      var nth = 1
      while try trials.runWithoutPower(nth, loss, seed: random.next()) {
        // The controls have few places at which they fail.
        nth += Sanitizer.isOn && mode == "full" ? 1 + nth / 4 : 1
      }
    }
  }
  trials.summary()
}

extension Trials {
  /// Makes the action's attempt and loses power at a moment. Whether the moment came.
  func runWithoutPower(_ nth: Int, _ loss: fault_loss, seed: UInt64) throws -> Bool {
    try renew()
    let session = Session(action, path, sample, task, reading, synchronous: synchronous)
    fault_arm_power(Int32(nth), 0, loss, seed)
    var isDone = false
    do {
      try session.attempt()
      isDone = true
    } catch {}
    session.close()
    let happened = fault_disarm() != 0
    // Without power there was nobody to close anything: only the files are left.
    fault_apply_loss()
    unlink(path + "-shm")
    // What a copy had not got its name for is left, as it would be.
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.contains("partial") {
      try FileManager.default.removeItem(atPath: folder + "/" + name)
    }
    counted(happened)
    verify("power lost at \(nth) (\(loss.rawValue), seed \(seed))", mustBeDone: isDone)
    return happened
  }
}

/// Saves edits as fast as it can and tells each when it is saved, until it is killed or has lost
/// power. Begins by telling what it found.
///
/// - Parameter powerSeed: a seed for the moment at which power is lost, or nil for never.
func save(path: String, draft: String, powerSeed: UInt64?, synchronous: String) throws {
  guard let id = DraftID(draft) else { throw UnknownAction(name: draft) }
  let store = try DraftStore(
    path: path,
    options: SampleStore.options(synchronous: synchronous == "normal" ? .normal : .full))
  let problems = try store.check()
  guard problems.isEmpty else { throw UnknownAction(name: "\(problems)") }
  let draft = try store.draft(id)
  print("found \(draft["remark"]?.text ?? "0") \(draft["note"]?.text ?? "")")
  var number = Int(draft["remark"]?.text ?? "") ?? 0
  if let powerSeed {
    var random = SeededGenerator(seed: powerSeed)
    let loss = random.pick([LOSS_ALL, LOSS_TAIL, LOSS_ANY])
    fault_arm_power(Int32(random.int(1...400)), 1, loss, random.next())
  }
  while true {
    number += 1
    try store.set(.string(String(number)), for: "remark", in: id)
    // In whole lines of its own: what is in a buffer would be lost with the process.
    let line = Array("saved \(number)\n".utf8)
    guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(0) }
  }
}
