import CFaultVFS
import FaultSupport
import Foundation

// The process in which things go wrong. `fault-helper sweep FOLDER ACTION` and so on; what it
// prints is read by the tests.

guard fault_install() == 0 else { fatalError("the faulty VFS can't be installed") }
let arguments = CommandLine.arguments

do {
  switch arguments.count > 1 ? arguments[1] : "" {
  case "sweep": try sweep(folder: arguments[2], action: arguments[3])
  case "power": try power(folder: arguments[2], action: arguments[3], mode: arguments[4])
  case "save":
    try save(
      path: arguments[2], draft: arguments[3], powerSeed: UInt64(arguments[4]),
      synchronous: arguments[5])
  case "write":
    try writeFields(
      path: arguments[2], draft: arguments[3], field: arguments[4], count: Int(arguments[5]) ?? 1)
  case "read":
    try readFields(path: arguments[2], draft: arguments[3], total: Int(arguments[4]) ?? 1)
  default:
    print("usage: fault-helper sweep …")
    exit(2)
  }
} catch {
  print("wrong: \(error)")
  exit(1)
}
