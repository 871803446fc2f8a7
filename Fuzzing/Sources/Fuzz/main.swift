import CFuzzer
import Foundation

// Fuzz TARGET [OPTIONS OF libFuzzer] CORPUS…    looks for what breaks a target
// Fuzz seeds PACKAGE FOLDER                     writes the corpora to begin with

let arguments = CommandLine.arguments
guard arguments.count > 1 else {
  print("usage: Fuzz TARGET [OPTIONS] CORPUS…\ntargets: \(Target.names)")
  exit(2)
}

if arguments[1] == "seeds", arguments.count == 4 {
  try Seeds(package: arguments[2], folder: arguments[3]).write()
  exit(0)
}

// A global, for libFuzzer calls a C function, which captures nothing.
let test = Target.all[arguments[1]]
guard test != nil else {
  print("no target \(arguments[1]); there are \(Target.names)")
  exit(2)
}
// libFuzzer sees the arguments without the target's name.
var words = ([arguments[0]] + arguments.dropFirst(2)).map { strdup($0) } + [nil]
var count = Int32(words.count - 1)
let status = words.withUnsafeMutableBufferPointer { buffer in
  var start = buffer.baseAddress
  return withUnsafeMutablePointer(to: &start) { pointer in
    pointer.withMemoryRebound(
      to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?.self, capacity: 1
    ) {
      LLVMFuzzerRunDriver(&count, $0) { data, size in
        test?(Array(UnsafeBufferPointer(start: data, count: size)))
        return 0
      }
    }
  }
}
exit(status)
