import DraftDatabase
import DraftStore
import FaultSupport
import FormModel
import FormSamples
import Foundation
import Testing

/// Files that have gone bad: what is wrong is named, what can be read is saved, nothing gets worse.
@Suite struct DamageTests {
  private static let pageSize = 4096
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A closed store with many drafts; their values by draft.
  private func makeStore(drafts: Int = 60) throws -> [DraftID: [SavedField]] {
    let sample = try SampleStore(at: scratch.file())
    let store = try DraftStore(path: scratch.file(), options: SampleStore.options())
    let ids = try store.addDrafts(
      of: "calculator",
      values: (0..<drafts).map { number in
        SampleStore.validValues.map { (key: $0.0, value: $0.1) }
          + [("note", .string(String(repeating: "备注\(number)", count: 30)))]
      })
    for id in ids.prefix(20) { try store.submit(id) }
    var saved: [DraftID: [SavedField]] = [:]
    for id in ids + [sample.edited, sample.tagged, sample.discarded, sample.plain] {
      saved[id] = try store.draft(id).fields
    }
    try store.close()
    return saved
  }

  /// Recovers the store. Nil when that is refused with a clear error.
  private func recover(_ name: String = "test.store") throws -> Recovery? {
    let before = try state()
    defer { #expect((try? state()) == before, "recovery changed the damaged file") }
    let new = scratch.file("new.store")
    unlink(new)
    do {
      let recovery = try DraftStore.recover(scratch.file(name), to: new)
      let mode = try FileManager.default.attributesOfItem(atPath: new)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      return recovery
    } catch let error as StoreError {
      #expect(error.code == "notRecoverable")
      #expect(!FileManager.default.fileExists(atPath: new))
      return nil
    }
  }

  private func state() throws -> [String: [UInt8]] {
    var state: [String: [UInt8]] = [:]
    for name in try scratch.names where !name.hasPrefix("new.store") {
      state[name] = try scratch.bytes(name)
    }
    return state
  }

  /// Every draft of the recovered store can be read, and holds nothing that was not there.
  private func verify(_ saved: [DraftID: [SavedField]], isExact: Bool = true) throws -> Int {
    let store = try DraftStore(path: scratch.file("new.store"))
    #expect(try store.check() == [])
    var count = 0
    for summary in try store.drafts(DraftFilter(statuses: Set(DraftStatus.allCases))) {
      let draft = try store.draft(summary.id)
      let fields = saved[summary.id]
      if isExact { #expect(fields != nil) }
      for field in draft.fields {
        count += 1
        // Tags stand in another table, which may have lost them.
        if case .tags = field.value { continue }
        guard isExact else { continue }
        if fields?.contains(field) != true {
          // The rest of a long value stands in pages of its own, about which SQLite knows nothing.
          let isSame = fields?.contains { saved in
            saved.key == field.key && saved.value.text.utf8.count > 1000
              && saved.value.text.prefix(100) == field.value.text.prefix(100)
          }
          #expect(isSame == true, "\(field.key)")
        }
      }
    }
    try store.close()
    return count
  }

  /// What `store check` says, or the error in opening; nil when it finds nothing.
  private func complaint() throws -> String? {
    do {
      let store = try DraftStore(
        path: scratch.file(), options: DraftStore.Options(createsFile: false))
      let problems = try store.check()
      try store.close()
      return problems.isEmpty ? nil : problems.joined(separator: "\n")
    } catch let error as DatabaseError {
      #expect(error.code != .misuse && error.code != .other, "\(error)")
      return error.description
    }
  }

  @Test func aSoundStoreIsRecoveredWhole() throws {
    let saved = try makeStore()
    let recovery = try #require(try recover())
    #expect(recovery.isComplete)
    #expect(recovery.tables.allSatisfy { $0.lostCount == 0 && !$0.isDamaged })
    _ = try verify(saved)
    #expect(
      try StoreContent(of: scratch.file("new.store")) == StoreContent(of: scratch.file()))
  }

  @Test(arguments: [UInt64(1), 2, 3, 4]) func overwrittenPagesCostNoMoreThanThey(
    seed: UInt64
  ) throws {
    let saved = try makeStore()
    let sound = try scratch.bytes()
    let pages = sound.count / Self.pageSize
    var random = SeededGenerator(seed: seed)
    var savedInAll = 0
    for round in 0..<12 {
      var bytes = sound
      let damaged = (0..<random.int(1...3)).map { _ in random.int(0...pages - 1) }
      for page in damaged {
        for place in page * Self.pageSize..<(page + 1) * Self.pageSize {
          bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
      }
      try scratch.write(bytes)
      let complaint = try complaint()
      try scratch.write(bytes)
      guard let recovery = try recover() else {
        Issue.record("nothing is saved without pages \(damaged)")
        continue
      }
      savedInAll += try verify(saved)
      #expect(recovery.isComplete || complaint != nil, "round \(round): \(recovery.losses)")
      for loss in recovery.losses {
        #expect(!loss.contains("备注") && !loss.contains("11010519491231002X"))
      }
    }
    #expect(savedInAll > 12 * 100)
  }

  @Test(arguments: [UInt64(5), 6]) func scatteredDamageIsToldAndCrashesNothing(
    seed: UInt64
  ) throws {
    let saved = try makeStore(drafts: 20)
    let sound = try scratch.bytes()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<15 {
      var bytes = sound
      for _ in 0..<random.int(1...40) {
        bytes[random.int(0...bytes.count - 1)] = UInt8.random(in: 0...255, using: &random)
      }
      try scratch.write(bytes)
      _ = try complaint()
      try scratch.write(bytes)
      if try recover() != nil { _ = try verify(saved, isExact: false) }
    }
  }

  @Test func aTruncatedFileIsToldAndRecovered() throws {
    let saved = try makeStore()
    let sound = try scratch.bytes()
    var random = SeededGenerator(seed: 9)
    let lengths = [2, 99, 100, 512, 4095, 4096, sound.count - 1, sound.count - 4096]
    for length in lengths + (0..<8).map({ _ in random.int(0...sound.count - 1) }) {
      try scratch.write(sound.prefix(length))
      #expect(try complaint() != nil, "\(length)")
      try scratch.write(sound.prefix(length))
      guard try recover() != nil else {
        #expect(length < sound.count / 2, "nothing is saved of \(length) bytes")
        continue
      }
      _ = try verify(saved)
    }
  }

  @Test func aDamagedFirstPageIsReplaced() throws {
    let saved = try makeStore()
    var bytes = try scratch.bytes()
    for place in 0..<Self.pageSize { bytes[place] = 0xA5 }
    try scratch.write(bytes)
    #expect(try complaint()?.contains("not an SQLite database") == true)
    let recovery = try #require(try recover())
    #expect(recovery.isComplete, "\(recovery.losses)")
    #expect(try verify(saved) == saved.values.reduce(0) { $0 + $1.count })
  }

  @Test func theCommandTellsAndRecovers() throws {
    _ = try makeStore()
    let sound = try scratch.bytes()
    try scratch.write(sound.prefix(sound.count - 5 * Self.pageSize))
    let (store, new) = (scratch.file(), scratch.file("new.store"))
    let check = try ChildProcess.formdraft("--store", store, "store", "check")
    #expect(check.status == 3)
    #expect(check.output.contains("store recover"), "\(check.output)")
    let recovered = try ChildProcess.formdraft("--store", store, "store", "recover", new, "--json")
    #expect([0, 1].contains(recovered.status))
    let record = try JSONValue(parsing: recovered.output)
    #expect(record["file"] == .string(new))
    #expect((record["losses"]?.arrayValue?.isEmpty == true) == (recovered.status == 0))
    #expect(try ChildProcess.formdraft("--store", new, "store", "check").status == 0)
    // Nothing is replaced, and what is no store is told.
    let again = try ChildProcess.formdraft("--store", store, "store", "recover", new)
    #expect(again.status == 3)
    #expect(again.output.contains("already"), "\(again.output)")
    try scratch.write(Array("no store\n".utf8), to: "text")
    let text = try ChildProcess.formdraft(
      "--store", scratch.file("text"), "store", "recover", scratch.file("other"))
    #expect(text.status == 3)
    #expect(text.output.contains("can't be recovered"), "\(text.output)")
    #expect(try scratch.names.sorted() == ["new.store", "test.store", "text"])
  }

  @Test func otherFilesAreRefused() throws {
    let raw = try RawDatabase(scratch.file("other.db"))
    try raw.execute("CREATE TABLE draft (a); INSERT INTO draft VALUES (1)")
    #expect(try recover("other.db") == nil)
    let later = try RawDatabase(scratch.file("later.db"))
    try later.execute(
      "CREATE TABLE draft (a); PRAGMA application_id = \(0x4644_5331); PRAGMA user_version = 999")
    #expect(try recover("later.db") == nil)
    #expect(throws: DatabaseError.self) {
      try DraftStore.recover(scratch.file("missing"), to: scratch.file("new.store"))
    }
    #expect(throws: DatabaseError.self) {
      try DraftStore.recover(scratch.path, to: scratch.file("new.store"))
    }
  }
}
