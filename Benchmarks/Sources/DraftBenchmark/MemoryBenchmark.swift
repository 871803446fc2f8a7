import CFloor
import DraftStore
import FormModel
import Foundation

extension Benchmark {
  /// What a resumed draft of 1,000 fields holds in memory: a fresh process for each way.
  func memory() throws {
    let path = newFile("memory")
    let store = try DraftStore(path: path)
    try store.add(form("memory", fields: 1000))
    let id = try store.addDrafts(of: "memory", values: [values(1, fields: 1000)])[0]
    try store.close()
    var grown: [String] = []
    for way in ["floor", "ours"] {
      let process = Process()
      process.executableURL = URL(filePath: CommandLine.arguments[0])
      process.arguments = [folder.path(), "0", "resume-\(way)", path, id.description]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      try check(process.terminationStatus == 0, "the process that resumes by \(way) failed")
      grown.append(String(decoding: data, as: UTF8.self))
    }
    print(
      "memory of a resumed draft of 1,000 fields, its store open: C \(grown[0]), ours \(grown[1])")
  }

  /// Resumes a draft and prints what that added to this process's memory.
  static func resumeOnce(_ way: String, _ path: String, _ id: String) throws {
    let before = currentMemory
    switch way {
    case "resume-floor":
      guard let floor = floor_open(path, 1) else {
        throw BenchmarkError(description: "the floor can't open \(path)")
      }
      try check(floor_resume(floor, id) == 1000, "the floor read other fields")
      print(growth(from: before), terminator: "")
      floor_close(floor)
    default:
      guard let id = DraftID(id) else { throw BenchmarkError(description: "no id: \(id)") }
      let store = try DraftStore(path: path)
      let draft = try store.draft(id)
      try check(draft.fields.count == 1000, "the store read other fields")
      print(growth(from: before), terminator: "")
      try store.close()
    }
  }

  private static func growth(from before: Int) -> String {
    "\(Comparison.rounded(Double(currentMemory - before) / 1e6)) MB"
  }

  /// The memory that the process holds now, in bytes.
  private static var currentMemory: Int {
    #if os(Linux)
      let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
      return (Int(pages.split(separator: " ").dropFirst().first ?? "") ?? 0) * Int(getpagesize())
    #else
      return peakMemory
    #endif
  }

  /// The most memory that the process held so far, in bytes.
  static var peakMemory: Int {
    var usage = rusage()
    #if os(Linux)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return Int(usage.ru_maxrss) * 1024
    #else
      getrusage(RUSAGE_SELF, &usage)
      return Int(usage.ru_maxrss)
    #endif
  }
}
