import DraftDatabase
import DraftStore
import FaultSupport
import FormModel
import Foundation
import Synchronization
import Testing

/// The write-ahead log and its file, together and apart.
@Suite struct LogTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func open(_ name: String = "test.store", createsFile: Bool = true) throws -> DraftStore {
    var options = SampleStore.options()
    options.createsFile = createsFile
    return try DraftStore(path: scratch.file(name), options: options)
  }

  private func size(_ name: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: scratch.file(name))[.size] as? Int) ?? 0
  }

  private func copy(_ name: String, to other: String) throws {
    try scratch.write(scratch.bytes(name), to: other)
  }

  /// A store whose last edits are in the log alone, as a copy that nobody has open.
  private func makeStoreWithLog() throws -> SampleStore {
    let sample = try SampleStore(at: scratch.file("live.store"))
    let store = try open("live.store")
    try store.set(.string("in the log"), for: "remark", in: sample.edited)
    try copy("live.store", to: "test.store")
    try copy("live.store-wal", to: "test.store-wal")
    try store.close()
    return sample
  }

  @Test func theLogBringsTheLastEdits() throws {
    let sample = try makeStoreWithLog()
    #expect(try open().draft(sample.edited)["remark"] == .string("in the log"))
  }

  @Test func aFileWithoutItsLogIsAsBefore() throws {
    let sample = try makeStoreWithLog()
    unlink(scratch.file("test.store-wal"))
    let store = try open()
    #expect(try store.draft(sample.edited)["remark"] == .string("后来"))
    #expect(try store.check() == [])
  }

  /// The log alone holds edits that a new file of that name would destroy.
  @Test func aLogWithoutItsFileIsNotDestroyed() throws {
    let sample = try makeStoreWithLog()
    let file = try scratch.bytes()
    let log = try scratch.bytes("test.store-wal")
    unlink(scratch.file())
    for createsFile in [true, false] {
      let error = #expect(throws: DatabaseError.self) { try open(createsFile: createsFile) }
      #expect(error?.code == .cannotOpen)
      if createsFile { #expect(error?.message.contains("log") == true) }
    }
    #expect(try scratch.bytes("test.store-wal") == log)
    #expect(try !scratch.names.contains("test.store"))
    try scratch.write(file)
    #expect(try open().draft(sample.edited)["remark"] == .string("in the log"))
  }

  /// Another store's log beside a file: what was in the file is there, and recovery finds it.
  @Test func anotherStoresLogSpoilsNothingThatRecoveryNeeds() throws {
    let sample = try makeStoreWithLog()
    _ = try SampleStore(at: scratch.file("other.store"))
    try copy("other.store", to: "test.store")
    let other = try StoreContent(of: scratch.file("other.store"))
    let recovery = try DraftStore.recover(scratch.file(), to: scratch.file("new.store"))
    let content = try StoreContent(of: scratch.file("new.store"))
    #expect(recovery.tables.first { $0.name == "draft" }?.savedCount == 4)
    #expect(content == other || content.lines.contains { $0.contains(sample.edited.description) })
  }

  @Test func aFileThatIsReplacedWhileOpenIsToldAndKept() throws {
    let sample = try SampleStore(at: scratch.file())
    _ = try SampleStore(at: scratch.file("other.store"))
    let store = try open()
    try store.set(.string("before"), for: "remark", in: sample.plain)
    try #require(rename(scratch.file("other.store"), scratch.file()) == 0)
    let other = try scratch.bytes()
    for _ in 0..<2 {
      let error = #expect(throws: DatabaseError.self) {
        try store.set(.string("after"), for: "remark", in: sample.plain)
      }
      #expect(error?.code == .cannotOpen)
    }
    #expect(try scratch.bytes() == other)
  }

  /// A long reader keeps the log from being used anew, so that it holds what is written meanwhile and
  /// no more; it shrinks once the reader has ended.
  @Test func theLogIsBoundedOnceALongReaderEnds() throws {
    let sample = try SampleStore(at: scratch.file())
    let (store, reading) = (try open(), try open())
    let limit = 4 << 20
    let value = String(repeating: "长", count: 160)
    func edit(_ count: Int) throws {
      for number in 0..<count {
        try store.set(.string("\(number)\(value)"), for: "remark", in: sample.edited)
      }
    }
    func waitAndEdit() throws -> Int {
      try reading.database.read { connection in
        let before = try connection.first("SELECT count(*) FROM draft") { $0.integer(0) }
        try edit(900)
        #expect(try connection.first("SELECT count(*) FROM draft") { $0.integer(0) } == before)
        return size("test.store-wal")
      }
    }
    let held = try waitAndEdit()
    #expect(held > limit)
    try edit(20)
    #expect(size("test.store-wal") <= limit + (1 << 20), "\(size("test.store-wal"))")
    // Without a reader it never grows beyond what a checkpoint takes.
    try edit(900)
    #expect(size("test.store-wal") <= limit + (1 << 20))
    try store.database.checkpoint()
    #expect(size("test.store-wal") == 0)
  }

  /// Short reads that overlap, so that there is always one, don't keep the log from beginning anew.
  @Test func theLogIsBoundedWhileReadersOverlap() throws {
    let sample = try SampleStore(at: scratch.file())
    let (store, reading) = (try open(), try open())
    let value = String(repeating: "长", count: 160)
    func edit(_ count: Int) throws {
      for number in 0..<count {
        try store.set(.string("\(number)\(value)"), for: "remark", in: sample.edited)
      }
    }
    // What so many edits write when the log can't begin anew.
    let held = try reading.database.read { connection in
      _ = try connection.first("SELECT count(*) FROM draft") { $0.integer(0) }
      try edit(900)
      return size("test.store-wal")
    }
    let isDone = Mutex(false)
    let readers = (0..<3).map { _ in
      let thread = Thread {
        while !isDone.withLock({ $0 }) { _ = try? reading.draft(sample.edited) }
      }
      thread.start()
      return thread
    }
    var largest = 0
    for _ in 0..<5 {
      try edit(900)
      largest = max(largest, size("test.store-wal"))
    }
    isDone.withLock { $0 = true }
    while !readers.allSatisfy(\.isFinished) { usleep(1000) }
    #expect(largest < held * 5 / 2, "\(largest) bytes, \(held) for a fifth of the edits")
    #expect(try store.draft(sample.edited)["remark"] == .string("899\(value)"))
  }
}
