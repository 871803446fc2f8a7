import CFaultVFS
import FaultSupport
import FormSamples

/// Tries every place at which every fault can happen in an action; under a sanitizer, some of them.
func sweep(folder: String, action: String) throws {
  guard let action = Action(rawValue: action) else { throw UnknownAction(name: action) }
  let trials = try Trials(action, folder: folder)
  for fault in Fault.all where action != .unsafeEdit || fault.kind == FAULT_WRITE {
    var nth = 1
    while try trials.run(fault, nth: nth) {
      // Where there are many, beyond the first ones, some of them.
      let share =
        Sanitizer.isOn ? 4 : fault.kind != FAULT_MEMORY ? nil : action == .read ? 64 : 16
      nth += 1 + (share.map { nth / $0 } ?? 0)
      guard nth < 100_000 else { throw UnknownAction(name: "endless \(fault)") }
    }
  }
  trials.summary()
}

struct UnknownAction: Error {
  let name: String
}
