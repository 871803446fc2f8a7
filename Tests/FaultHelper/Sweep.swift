import CFaultVFS
import FaultSupport

/// Tries every place at which every fault can happen in an action.
func sweep(folder: String, action: String) throws {
  guard let action = Action(rawValue: action) else { throw UnknownAction(name: action) }
  let trials = try Trials(action, folder: folder)
  for fault in Fault.all where action != .unsafeEdit || fault.kind == FAULT_WRITE {
    var nth = 1
    while try trials.run(fault, nth: nth) {
      // Allocations are many; beyond the first ones, some of them.
      nth += fault.kind == FAULT_MEMORY ? 1 + nth / (action == .read ? 64 : 16) : 1
      guard nth < 100_000 else { throw UnknownAction(name: "endless \(fault)") }
    }
  }
  trials.summary()
}

struct UnknownAction: Error {
  let name: String
}
