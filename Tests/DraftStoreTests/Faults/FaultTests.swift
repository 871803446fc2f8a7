import DraftDatabase
import DraftStore
import FormModel
import Foundation
import Testing

@Suite struct FaultTests {
  private static let form = SampleForms.form(
    "f", SampleForms.input("text"), SampleForms.input("number", .integer))

  private static func code(_ body: () throws -> Void) -> DatabaseError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? DatabaseError)?.code
    }
  }

  @Test func aStoreOfALaterVersionIsRefusedAndNotTouched() throws {
    let test = try TestStore(Self.form)
    try test.store.database.write { try $0.execute("PRAGMA user_version = 99") }
    try test.store.database.checkpoint()
    try test.store.close()
    let before = FileManager.default.contents(atPath: test.path)
    #expect(Self.code { _ = try test.other() } == .fromTheFuture)
    #expect(FileManager.default.contents(atPath: test.path) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: test.folder)
        .filter { $0.contains("before") } == [])
  }

  @Test func aFileThatIsNoStoreIsRefusedAndNotTouched() throws {
    let test = try TestStore()
    let foreign = test.folder + "/foreign"
    _ = try Database(
      path: foreign, configuration: Database.Configuration(applicationID: 7, newestVersion: 1))
    let text = test.folder + "/text"
    let letter = Data(String(repeating: "Dear store, ", count: 100).utf8)
    _ = FileManager.default.createFile(atPath: text, contents: letter)
    for (path, code) in [(foreign, DatabaseError.Code.notOurs), (text, .notADatabase)] {
      let before = FileManager.default.contents(atPath: path)
      #expect(Self.code { _ = try DraftStore(path: path) } == code)
      #expect(FileManager.default.contents(atPath: path) == before)
    }
    let absent = DraftStore.Options(createsFile: false)
    #expect(
      Self.code { _ = try DraftStore(path: test.folder + "/none", options: absent) } == .cannotOpen)
  }

  @Test func aStoreForReadingReadsAndWritesNothing() throws {
    let test = try TestStore(Self.form)
    let id = try test.store.newDraft(of: "f").id
    try test.store.set(.string("x"), for: "text", in: id)
    let reader = try DraftStore(path: test.path, options: DraftStore.Options(isReadOnly: true))
    #expect(try reader.draft(id)["text"] == .string("x"))
    #expect(Self.code { try reader.set(.null, for: "text", in: id) } == .readOnly)
    #expect(Self.code { try reader.discard(id) } == .readOnly)
    #expect(try reader.find(DraftQuery([.init("text", .exists)])).matches.count == 1)
  }

  /// Edits without end in another process, which notes each one that returned, until it is killed.
  @Test(arguments: [0.05, 0.15, 0.4])
  func whatAnEditSavedSurvivesKill(seconds: Double) async throws {
    let test = try TestStore(Self.form)
    let ids = try (0..<3).map { _ in try test.store.newDraft(of: "f", isWritten: true).id }
    let (path, notes) = (test.path, test.folder + "/notes")
    _ = FileManager.default.createFile(atPath: notes, contents: nil)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, notes = notes as String, seconds = seconds as Double] in
      let store = try DraftStore(path: path)
      let ids = try store.drafts().map(\.id).sorted { $0.description < $1.description }
      let file = try #require(FileHandle(forWritingAtPath: notes))
      var number: Int64 = 0
      while true {
        number += 1
        try store.edit(ids[Int(number % 3)]) {
          $0.set(.integer(number), for: "number")
          $0.set(.string("number \(number)"), for: "text")
        }
        file.write(Data("\(number)\n".utf8))
        // From the first one on, for a slow machine may take longer to get there.
        guard number == 1 else { continue }
        Thread.detachNewThread {
          Thread.sleep(forTimeInterval: seconds)
          kill(getpid(), SIGKILL)
        }
      }
    }
    let noted = String(
      decoding: FileManager.default.contents(atPath: notes) ?? Data(), as: UTF8.self)
    let last = noted.split(separator: "\n").compactMap { Int64($0) }.last ?? 0
    let store = try test.other()
    var saved: [Int64] = []
    for id in ids.sorted(by: { $0.description < $1.description }) {
      let draft = try store.draft(id)
      guard case .integer(let number)? = draft["number"] else { continue }
      saved.append(number)
      // Both fields of an edit, or neither.
      #expect(draft["text"] == .string("number \(number)"))
    }
    #expect(last > 0 && saved.max() ?? 0 >= last && saved.max() ?? 0 <= last + 1)
    for number in max(1, last - 2)...last { #expect(saved.contains { $0 >= number }) }
    #expect(try store.check().isEmpty)
  }

  @Test func aFullStoreSaysSoAndKeepsWhatWasSaved() throws {
    let test = try TestStore(Self.form)
    let id = try test.store.newDraft(of: "f").id
    try test.store.set(.integer(1), for: "number", in: id)
    try test.store.database.write { connection in
      let pages = try connection.all(composed: "PRAGMA page_count", []) { $0.integer(0) }[0]
      try connection.execute("PRAGMA max_page_count = \(pages + 4)")
    }
    let before = try test.store.draft(id)
    let long = String(repeating: "long ", count: 100_000)
    #expect(Self.code { try test.store.set(.string(long), for: "text", in: id) } == .full)
    #expect(try test.store.draft(id) == before)

    // Small edits go on until it is full; each one that returned is there.
    var saved: [DraftID] = []
    var code: DatabaseError.Code?
    while code == nil, saved.count < 1000 {
      code = Self.code {
        let draft = try test.store.newDraft(of: "f").id
        try test.store.set(.string(String(repeating: "x", count: 300)), for: "text", in: draft)
        saved.append(draft)
      }
    }
    #expect(code == .full && !saved.isEmpty)
    let store = try test.reopened()
    for draft in saved { #expect(try store.draft(draft)["text"]?.text.count == 300) }
    #expect(try store.draft(id) == before)
    #expect(try test.count("draft", in: store) == saved.count + 1)
    #expect(try store.check().isEmpty)
    // With space again, work goes on.
    try store.set(.string(long), for: "text", in: id)
  }

  @Test func aLockThatIsHeldTooLongIsAnErrorThatSaysSo() throws {
    let test = try TestStore(Self.form)
    let id = try test.store.newDraft(of: "f").id
    try test.store.set(.integer(1), for: "number", in: id)
    let impatient = try DraftStore(
      path: test.path, options: DraftStore.Options(busyTimeout: .milliseconds(30)))
    try test.store.database.write { _ in
      #expect(Self.code { try impatient.set(.integer(2), for: "number", in: id) } == .busy)
      // Readers wait for nobody.
      let read = try impatient.draft(id)
      #expect(read["number"] == .integer(1))
    }
    try impatient.set(.integer(2), for: "number", in: id)
    #expect(try test.store.draft(id)["number"] == .integer(2))
  }
}

extension TestStore {
  fileprivate func count(_ table: String, in store: DraftStore) throws -> Int {
    try store.database.read { connection in
      try connection.all(composed: "SELECT count(*) FROM \(table)", []) { Int($0.integer(0)) }[0]
    }
  }
}
