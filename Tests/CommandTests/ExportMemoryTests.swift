import DraftStore
import FormModel
import FormSamples
import Foundation
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Memory does not grow with what is exported.
@Suite struct ExportMemoryTests {
  private static let draftCount = 50_000
  private static let fieldCount = 20

  @Test(.enabled(if: !Sanitizer.isOn, "a sanitizer takes memory of its own"))
  func aMillionValuesStayUnder64Megabytes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("million.store")
    try Self.makeStore(path)
    let output = folder.path("export")
    let (status, peak) = try Self.run(
      ["--store", path, "export", "--in", "drafts", "--format", "csv", "--output", output])
    #expect(status == 0)
    let lines = try Data(contentsOf: URL(fileURLWithPath: output)).count { $0 == 0x0A }
    #expect(lines == Self.draftCount + 1)
    #expect(peak < 64_000_000, "\(peak) bytes")
  }

  /// A store of a million values, made within SQLite.
  private static func makeStore(_ path: String) throws {
    let store = try DraftStore(path: path, options: .init(synchronous: .normal))
    try store.add(
      Form(
        id: "big",
        sections: [
          Section(
            rows: (0..<fieldCount).map {
              Row(key: "\($0)", serviceKey: "field\($0)", kind: .input(InputContent()))
            })
        ]))
    try store.database.write { connection in
      try connection.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(draftCount))
        INSERT INTO draft (id, form, version, revision, created_at, updated_at)
        SELECT printf('%08x-0000-4000-8000-000000000000', i), 'big', 1, 1, i, i FROM n;
        WITH RECURSIVE f(j) AS (SELECT 0 UNION ALL SELECT j + 1 FROM f WHERE j < \(fieldCount - 1))
        INSERT INTO draft_value (draft, field, type, value, revision)
        SELECT number, 'field' || j, 'string', 'value ' || number || ' of ' || j, 1
        FROM draft CROSS JOIN f;
        """)
    }
    try store.close()
  }

  /// Runs the command. Its exit status and the most memory that it held, in bytes.
  private static func run(_ arguments: [String]) throws -> (status: Int32, peak: Int) {
    var words: [UnsafeMutablePointer<CChar>?] = ([Formdraft.path] + arguments).map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process = pid_t()
    try #require(posix_spawn(&process, Formdraft.path, nil, nil, words, environ) == 0)
    var status: Int32 = 0
    var usage = rusage()
    #if canImport(Darwin)
      try #require(wait4(process, &status, 0, &usage) == process)
      let peak = usage.ru_maxrss
    #else
      // Linux counts this process's memory at the spawn into ru_maxrss, so the kernel's high-water
      // mark of the command itself is read for as long as it runs.
      var peak = 0
      while true {
        let ended = wait4(process, &status, WNOHANG, &usage)
        try #require(ended >= 0)
        if ended == process { break }
        peak = max(peak, highWaterMark(of: process))
        usleep(2000)
      }
      try #require(peak > 0)
    #endif
    try #require(status & 0x7F == 0, "ended by a signal")
    return (status >> 8 & 0xFF, peak)
  }

  /// The most memory that a running process held so far, in bytes; 0 when it has ended.
  private static func highWaterMark(of process: pid_t) -> Int {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
  }
}
