import CFloor
import DraftStore
import DraftSync
import FormModel
import Foundation

// Measures the store through its public API against plain C over the same SQLite with the same SQL,
// in turn in one run, and prints medians and ratios. Usage:
// DraftBenchmark FOLDER [DRAFTS [autosave|resume|memory|editing|changes|upload|queries]]

struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
}

func check(_ condition: Bool, _ message: String) throws {
  if !condition { throw BenchmarkError(description: message) }
}

let arguments = CommandLine.arguments
guard arguments.count >= 2 else {
  FileHandle.standardError.write(Data("usage: DraftBenchmark FOLDER [DRAFTS [PART]]\n".utf8))
  exit(2)
}
let draftCount = arguments.count > 2 ? Int(arguments[2]) ?? 100_000 : 100_000
let folder = URL(filePath: arguments[1])

do {
  // A process of its own for ``Benchmark/memory()``.
  if arguments.count == 6 {
    try Benchmark.resumeOnce(arguments[3], arguments[4], arguments[5])
    exit(0)
  }
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let benchmark = Benchmark(folder: folder, draftCount: draftCount)
  print(Comparison.header)
  let part = arguments.count > 3 ? arguments[3] : nil
  if part == nil || part == "autosave" { try benchmark.autosave() }
  if part == nil || part == "resume" { try benchmark.resume() }
  if part == nil || part == "memory" { try benchmark.memory() }
  if part == nil || part == "editing" { try await benchmark.editing() }
  if part == nil || part == "changes" { try benchmark.changes() }
  if part == nil || part == "upload" { try await benchmark.upload() }
  if part == nil || part == "queries" { try benchmark.bulkAndQueries() }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
