import DraftStore
import FaultSupport
import FormModel
import Foundation
import Testing

/// What a killed backup, export or recovery leaves beside the file that it was to make.
@Suite struct LeftoverTests {
  let scratch: Scratch
  init() throws {
    scratch = try Scratch()
    _ = try SampleStore(at: scratch.file())
    // Large enough to be caught in the middle of.
    let store = try DraftStore(path: scratch.file(), options: SampleStore.options())
    let draft = try store.newDraft(of: "calculator", title: "large").id
    try store.edit(draft) { edit in
      for (key, value) in SampleStore.validValues { edit.set(value, for: key) }
    }
    for number in 0..<40 {
      let text = "\(number)" + String(repeating: "长", count: 100_000)
      try store.set(.string(text), for: "客户经理备注（不上传）", in: draft)
      try store.submit(draft)
    }
    try store.close()
  }

  enum Work: CaseIterable {
    case backup, replacing, export, recover

    func words(_ target: String) -> [String] {
      switch self {
      case .backup: ["store", "backup", target]
      case .replacing: ["store", "backup", target, "--replace"]
      case .export: ["export", "--format", "json", "--output", target]
      case .recover: ["store", "recover", target]
      }
    }
  }

  private var folders: [String] {
    get throws { try scratch.names.filter { $0.hasPrefix("target.partial-") } }
  }

  private func start(_ work: Work) throws -> ChildProcess {
    // A mask that keeps nothing from anybody shows what the command asks for itself.
    try ChildProcess(
      "/bin/sh",
      ["-c", #"umask 0; exec "$0" "$@""#, ChildProcess.program("formdraft"), "--store"]
        + [scratch.file()] + work.words(scratch.file("target")), errorsToo: true)
  }

  /// Starts the work and stops it once it has a file in its folder; how it is caught in time is a
  /// matter of luck, and it is tried until it is.
  private func startAndStop(_ work: Work) throws -> ChildProcess {
    let others = Set(try folders)
    for _ in 0..<200 {
      let process = try start(work)
      // One that fails makes neither; that is not waited for without end.
      let end = Date(timeIntervalSinceNow: 60)
      while Date() < end {
        let mine = try folders.first { !others.contains($0) }
        if let mine,
          let files = try? FileManager.default.contentsOfDirectory(
            atPath: scratch.file(mine)), !files.isEmpty
        {
          Foundation.kill(process.id, SIGSTOP)
          break
        }
        if try scratch.names.contains("target") { break }
      }
      // It may have come to its end before it was stopped.
      usleep(2000)
      if try Set(folders).subtracting(others).count == 1, try !scratch.names.contains("target") {
        return process
      }
      Foundation.kill(process.id, SIGCONT)
      _ = process.finish()
      unlink(scratch.file("target"))
    }
    struct NeverCaught: Error {}
    throw NeverCaught()
  }

  @Test(arguments: Work.allCases) func isRemovedByTheNext(work: Work) throws {
    let process = try startAndStop(work)
    process.kill()
    #expect(process.finish().status == -SIGKILL)
    #expect(try folders.count == 1)
    // Nothing of it is under the final name, and nobody else can read it.
    #expect(try !scratch.names.contains("target"))
    let folder = try folders[0]
    #expect(try mode(folder) == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: scratch.file(folder)) {
      #expect(try mode("\(folder)/\(name)") == 0o600, "\(name)")
    }
    // Another file's work leaves it alone.
    #expect(
      try ChildProcess.formdraft(
        "--store", scratch.file(), "store", "backup", scratch.file("other")
      ).status == 0)
    #expect(try folders.count == 1)
    #expect(try start(work).finish().status == 0)
    #expect(try folders == [])
    #expect(try scratch.names == ["other", "target", "test.store"])
    #expect(try mode("target") == 0o600)
  }

  private func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: scratch.file(name))[.posixPermissions] as? Int
  }

  @Test(arguments: [Work.replacing, .export]) func isKeptWhileItsProcessLives(work: Work) throws {
    let first = try startAndStop(work)
    let folder = try #require(try folders.first)
    #expect(try start(work).finish().status == 0)
    #expect(try folders == [folder])
    let content = try scratch.bytes("target")
    Foundation.kill(first.id, SIGCONT)
    let (lines, status) = first.finish()
    #expect(status == 0, "\(lines)")
    #expect(try scratch.bytes("target") == content)
    #expect(try scratch.names == ["target", "test.store"])
  }

  /// Only a folder that is named and protected as a work folder is ever removed.
  @Test func whatOnlyLooksAlikeStays() throws {
    func make(_ name: String, mode: Int) throws {
      try FileManager.default.createDirectory(
        atPath: scratch.file(name), withIntermediateDirectories: false,
        attributes: [.posixPermissions: mode])
      try scratch.write([1], to: "\(name)/mine")
    }
    let digits = "0123456789abcdef"
    let kept = [
      "target.partial-1", "target.partial-\(digits)0", "target.partial-\(digits.uppercased())",
      "target.partial", "other.partial-\(digits)", "xtarget.partial-\(digits)",
    ]
    for name in kept { try make(name, mode: 0o700) }
    try make("target.partial-\(String(digits.reversed()))", mode: 0o755)
    try make("target.partial-\(digits)", mode: 0o700)
    try scratch.write([1], to: "target.partial-aaaaaaaaaaaaaaaa")
    let link = scratch.file("target.partial-bbbbbbbbbbbbbbbb")
    symlink(scratch.file("target.partial-1"), link)
    let before = Set(try scratch.names)
    #expect(try start(.backup).finish().status == 0)
    #expect(
      try Set(scratch.names)
        == before.subtracting(["target.partial-\(digits)"]).union(["target"]))
    for name in kept { #expect(try scratch.bytes("\(name)/mine") == [1]) }
  }
}
