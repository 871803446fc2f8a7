import DraftStore
import FaultSupport
import FormModel
import FormSamples
import Foundation
import Testing

@Suite struct ManyProcessesTests {
  private static let writerCount = 5
  private static let editCount = Sanitizer.fewer(500)

  private func counters() throws -> Form {
    let rows = (0..<Self.writerCount).map { "w\($0)" } + ["sum"]
    let text = rows.map {
      #"{"kind":"input","key":"\#($0)","serviceKey":"\#($0)","dataType":"integer"}"#
    }.joined(separator: ",")
    return try Form(
      definition: #"{"id":"counters","title":"t","sections":[{"rows":[\#(text)]}]}"#)
  }

  /// Five that write and three that read: none loses an edit, gives up or starves, and each state
  /// that is read is one that was saved. Whoever waits for five seconds (the busy timeout) fails with
  /// an error, so that all come to their end only when none starves.
  @Test func eightProcessesUseOneFile() throws {
    let scratch = try Scratch()
    let store = try DraftStore(path: scratch.file())
    try store.add(counters())
    let draft = try store.newDraft(of: "counters", isWritten: true).id
    let total = Self.writerCount * Self.editCount
    let program = ChildProcess.program("fault-helper")
    let readers = try (0..<3).map { _ in
      try ChildProcess(
        program, ["read", scratch.file(), draft.description, String(total)], errorsToo: true)
    }
    for reader in readers { reader.wait(forLines: 1) }
    let writers = try (0..<Self.writerCount).map {
      try ChildProcess(
        program, ["write", scratch.file(), draft.description, "w\($0)", String(Self.editCount)],
        errorsToo: true)
    }
    for writer in writers {
      let (lines, status) = writer.finish()
      #expect(status == 0)
      #expect(lines == ["wrote \(Self.editCount)"])
    }
    // They go on for ever when an edit is lost.
    let sum = try store.draft(draft)["sum"]
    if sum != .integer(Int64(total)) { for reader in readers { reader.kill() } }
    for reader in readers {
      let (lines, status) = reader.finish()
      #expect(status == 0)
      let words = lines.last?.split(separator: " ") ?? []
      #expect(lines.count == 2 && words.count == 3 && words.first == "read", "\(lines)")
      // The state before all edits, and the last one at least.
      #expect(words.dropFirst().first.flatMap { Int($0) } ?? 0 >= 2)
    }
    let saved = try store.draft(draft)
    #expect(saved.revision == total)
    #expect(saved["sum"] == .integer(Int64(total)))
    for writer in 0..<Self.writerCount {
      #expect(saved["w\(writer)"] == .integer(Int64(Self.editCount)))
    }
    #expect(try store.check() == [])
  }

  /// One that writes without a pause leaves room for another: whoever waits asks often enough to come
  /// in between. How many edits it makes meanwhile tells that, whatever the machine's speed.
  @Test func oneThatNeverPausesLetsAnotherWrite() throws {
    let scratch = try Scratch()
    let store = try DraftStore(path: scratch.file())
    try store.add(counters())
    let draft = try store.newDraft(of: "counters", isWritten: true).id
    let program = ChildProcess.program("fault-helper")
    func writer(_ field: String, _ count: Int) throws -> ChildProcess {
      try ChildProcess(
        program, ["write", scratch.file(), draft.description, field, String(count)],
        errorsToo: true)
    }
    let busy = try writer("w0", 10_000_000)
    while try store.draft(draft)["w0"] == nil { usleep(1000) }
    let start = try store.draft(draft).revision
    #expect(try writer("w1", 100).finish().lines == ["wrote 100"])
    let count = try store.draft(draft).revision - start - 100
    busy.kill()
    #expect(busy.finish().status == -SIGKILL)
    #expect(count > 0 && count < 100 * 100, "\(count) edits by the other")
    #expect(try store.check() == [])
  }

  /// An editor that saw an older revision of a field is refused, and told both values.
  @Test func aStaleEditorIsRefusedWithBothValues() throws {
    let scratch = try Scratch()
    let sample = try SampleStore(at: scratch.file())
    let (mine, theirs) = (
      try DraftStore(path: scratch.file()), try DraftStore(path: scratch.file())
    )
    let seen = try #require(try mine.draft(sample.plain).field("remark"))
    try theirs.set(.string("theirs"), for: "remark", in: sample.plain)
    let error = #expect(throws: StoreError.self) {
      try mine.edit(sample.plain) {
        $0.set(.string("mine"), for: "remark", seenRevision: seen.revision)
        $0.set(.string("13900000000"), for: "mobile")
      }
    }
    guard case .staleField("remark", let given, let saved, let revision, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(given == .string("mine"))
    #expect(saved == .string("theirs"))
    #expect(revision == 2)
    // Nothing else of the edit was saved either.
    #expect(try mine.draft(sample.plain)["mobile"] == nil)
    // Another field's edit does not make it stale, nor does one that saved the same.
    try theirs.set(.string("13900000000"), for: "mobile", in: sample.plain)
    try theirs.set(.string("theirs"), for: "remark", in: sample.plain)
    try mine.edit(sample.plain) { $0.set(.string("mine"), for: "remark", seenRevision: revision) }
    #expect(try theirs.draft(sample.plain)["remark"] == .string("mine"))
  }
}
