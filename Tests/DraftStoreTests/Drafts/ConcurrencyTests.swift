import Dispatch
import DraftStore
import FormModel
import Synchronization
import Testing

@Suite struct ConcurrencyTests {
  private static let keys = (0..<4).map { "field\($0)" }

  private static let form = Form(
    id: "f", sections: [Section(rows: keys.map { SampleForms.input($0, .integer) })])

  /// Counts a field up, as one window does. The highest number that was saved.
  private static func countUp(_ key: String, to last: Int64, _ store: DraftStore, _ id: DraftID)
    throws
  {
    for number in 1...last { try store.set(.integer(number), for: key, in: id) }
  }

  @Test func windowsThatEditDifferentFieldsLoseNothing() throws {
    let test = try TestStore(Self.form)
    let id = try test.store.newDraft(of: "f").id
    try test.store.set(.integer(0), for: "field0", in: id)
    let stores = [test.store, test.store, try test.other(), try test.other()]
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      do {
        try Self.countUp(Self.keys[index], to: 60, stores[index], id)
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let draft = try test.reopened().draft(id)
    #expect(Self.keys.map { draft[$0] } == Self.keys.map { _ in .integer(60) })
    // Each edit counted once, none on top of another.
    #expect(draft.revision == 241)
    #expect(Set(draft.fields.map(\.revision)).count == 4)
  }

  @Test func anotherProcessEditsTheSameDraft() async throws {
    let test = try TestStore(Self.form)
    let id = try test.store.newDraft(of: "f", isWritten: true).id
    let (path, name) = (test.path, id.description)
    async let child = #expect(processExitsWith: .success) {
      [path = path as String, name = name as String] in
      let store = try DraftStore(path: path)
      try ConcurrencyTests.countUp("field1", to: 100, store, try store.draftID(named: name))
      try store.close()
    }
    try Self.countUp("field0", to: 100, test.store, id)
    _ = await child
    let draft = try test.store.draft(id)
    #expect(draft["field0"] == .integer(100) && draft["field1"] == .integer(100))
    #expect(draft.revision == 200)
  }

  /// Whether drafts are found while their first edit is being saved.
  @Test func aDraftIsThereWhileItsFirstEditIsSaved() throws {
    let test = try TestStore(Self.form)
    let failures = Mutex<[String]>([])
    for _ in 0..<150 {
      let id = try test.store.newDraft(of: "f").id
      DispatchQueue.concurrentPerform(iterations: 4) { index in
        do {
          switch index {
          case 0: try test.store.set(.integer(1), for: "field0", in: id)
          case 1: try test.store.edit(id) { $0.title = "t" }
          case 2: _ = try test.store.draft(id)
          default: try test.store.focus(on: "field1", in: id)
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
      let draft = try test.store.draft(id)
      #expect(draft.title == "t" && draft.focus == "field1" && draft["field0"] == .integer(1))
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try test.count("draft") == 150)
  }

  @Test func workCanBeDoneOffTheCallersThread() async throws {
    let test = try TestStore(Self.form)
    let id = try await test.store.perform { store in
      let id = try store.newDraft(of: "f").id
      try store.set(.integer(3), for: "field2", in: id)
      return id
    }
    #expect(try test.store.draft(id)["field2"] == .integer(3))
    await #expect(throws: StoreError.self) {
      try await test.store.perform { try $0.set(.null, for: "none", in: id) }
    }
  }
}
