import DraftDatabase
import DraftStore
import FormEditing
import FormModel
import Foundation
import Testing

/// Saving: when, how often, and what becomes of failures.
@Suite struct SessionTests {
  let form: Form
  let test: TestStore

  init() throws {
    form = try Form(
      definition: """
        {"id": "f", "sections": [{"rows": [
          {"kind": "input", "key": "Name", "serviceKey": "name",
           "verify": {"type": "endEdit", "errorType": "label", "rule": {"regex": "[a-z]*"}}},
          {"kind": "input", "key": "Note", "serviceKey": "note"},
          {"kind": "option", "key": "Kind", "serviceKey": "kind",
           "options": [{"id": 1, "label": "one"}, {"id": 2, "label": "two"}]}
        ]}]}
        """)
    test = try TestStore(form, busyTimeout: .milliseconds(10))
  }

  private func type(_ text: String, into session: EditingSession, key: String = "name") {
    for character in text {
      let end = session.editor.text(of: key).utf16.count
      session.handle(.change(key: key, TextChange(end..<end, String(character))))
    }
  }

  private func waitUntilSaved(_ session: EditingSession) async {
    for await state in session.saveStates {
      if case .saved = state { return }
    }
  }

  @Test func openingWritesNothingAndLeavesNoGhost() async throws {
    let draft = try test.newDraft(form)
    let session = try test.session(draft)
    session.handle(.begin(key: "name"))
    session.handle(.end(key: "name"))
    try await session.leave()
    #expect(try test.store.drafts() == [])
    #expect(try test.store.draft(draft).revision == 0)
  }

  @Test func eachScreenHasItsOwnFocus() async throws {
    let draft = try test.newDraft(form)
    let session = try test.session(draft)
    session.handle(.begin(key: "name"), on: "a")
    session.handle(.enter(key: "name", text: "Ada"), on: "a")
    // Somebody else begins elsewhere: the name is not left by that, so nothing is wrong yet.
    #expect(session.handle(.begin(key: "note"), on: "b").errors == [])
    #expect(session.handle(.enter(key: "note", text: "x"), on: "b").focus == "note")
    #expect(session.handle(.enter(key: "name", text: "Adam"), on: "a").errors == [])
    #expect(session.handle(.end(key: "name"), on: "b").errors == [])
    let left = session.handle(.begin(key: "kind"), on: "a")
    #expect(left.focus == "kind")
    #expect(left.errors.map(\.key) == ["name"])
    #expect(session.handle(.enter(key: "note", text: "xy"), on: "b").focus == "note")
    // A step back takes the one who makes it there.
    #expect(try session.undo(on: "a")?.focus == "note")
    session.close(screen: "b")
    #expect(session.handle(.enter(key: "note", text: ""), on: "b").focus == nil)
    try await session.leave()
  }

  @Test func resumingWritesNothing() async throws {
    let draft = try test.newDraft(form, ["name": "ada"])
    try test.store.focus(on: "note", in: draft)
    let before = try test.store.draft(draft)
    let session = try test.session(draft)
    #expect(session.opening.focus == "note")
    session.handle(.begin(key: "note"))
    try await session.leave()
    #expect(try test.store.draft(draft) == before)
  }

  @Test func fastTypingIsSavedTogetherWithinTheBound() async throws {
    let draft = try test.newDraft(form)
    let session = try test.session(draft)
    type("abc", into: session)
    await test.clock.waitForSleepers()
    test.clock.advance(by: .milliseconds(299))
    type("def", into: session)
    #expect(test.clock.sleeperCount == 1)
    #expect(try test.store.draft(draft).revision == 0)
    guard case .saving = session.saveState else {
      Issue.record("\(session.saveState)")
      return
    }
    // The bound counts from the first key, not from the last.
    test.clock.advance(by: .milliseconds(1))
    await waitUntilSaved(session)
    #expect(try test.store.draft(draft)["name"] == "abcdef")
    #expect(try test.store.draft(draft).revision == 1)
  }

  @Test func aChoiceIsSavedAtOnce() async throws {
    let draft = try test.newDraft(form)
    let session = try test.session(draft)
    session.handle(.select(key: "kind", 2))
    await waitUntilSaved(session)
    #expect(try test.store.draft(draft)["kind"] == .option(2))
    #expect(try test.store.draft(draft).focus == "kind")
  }

  @Test func withoutABoundEachKeyIsSaved() async throws {
    let draft = try test.newDraft(form)
    let session = try test.session(draft, coalescing: .zero)
    type("a", into: session)
    await waitUntilSaved(session)
    #expect(try test.store.draft(draft)["name"] == "a")
    #expect(test.clock.sleeperCount == 0)
  }

  @Test func flushReturnsWhenAllIsSaved() async throws {
    let draft = try test.newDraft(form)
    let session = try test.session(draft, historyLimit: nil)
    session.handle(.begin(key: "name"))
    type("ab", into: session)
    type("x", into: session, key: "note")
    try await session.flush()
    let other = try DraftStore(path: test.path)
    #expect(try other.draft(draft).values == ["name": "ab", "note": "x"])
    #expect(try other.draft(draft).focus == "name")
    // Without a history, what waits is one write.
    #expect(try other.draft(draft).revision == 1)
    guard case .saved = session.saveState else {
      Issue.record("\(session.saveState)")
      return
    }
  }

  @Test func leavingSavesAndTellsErrors() throws {
    let draft = try test.newDraft(form)
    let session = try test.session(draft)
    session.handle(.begin(key: "name"))
    session.handle(.change(key: "name", TextChange(0..<0, "ni", isComposing: true)))
    #expect(try session.leave().errors == [])
    type("7", into: session)
    session.handle(.begin(key: "name"))
    #expect(try session.leave().errors.map(\.key) == ["name"])
    #expect(try test.store.draft(draft)["name"] == "ni7")
    #expect(try test.session(draft).opening.errors.map(\.key) == ["name"])
  }

  @Test func whatCouldNotBeSavedIsKeptAndTriedAgain() throws {
    let draft = try test.newDraft(form, ["note": "x"])
    let session = try test.session(draft)
    let other = try DraftStore(path: test.path)
    try other.database.write { connection in
      // Another writer has the lock.
      try connection.run("UPDATE draft SET title = 'held'")
      type("ab", into: session)
      #expect(throws: DatabaseError.self) { try session.flush() }
      guard case .failed = session.saveState else {
        Issue.record("\(session.saveState)")
        return
      }
      type("c", into: session)
      #expect(throws: DatabaseError.self) { try session.flush() }
    }
    try session.flush()
    #expect(try test.store.draft(draft)["name"] == "abc")
    #expect(try session.history().undoCount == 1)
  }

  @Test func aFailureInTheBackgroundIsTriedAgainByItself() async throws {
    let draft = try test.newDraft(form, ["note": "x"])
    let session = try test.session(draft)
    let other = try DraftStore(path: test.path)
    let lock = Task.detached {
      try await other.database.write { connection in
        try connection.run("UPDATE draft SET title = 'held'")
        session.handle(.select(key: "kind", 1))
        while case .saving = session.saveState {}
      }
    }
    try await lock.value
    guard case .failed = session.saveState else {
      Issue.record("\(session.saveState)")
      return
    }
    await test.clock.waitForSleepers()
    test.clock.advance(by: .seconds(1))
    await waitUntilSaved(session)
    #expect(try test.store.draft(draft)["kind"] == .option(1))
  }

  @Test func aDiscardedDraftIsAnError() throws {
    let draft = try test.newDraft(form, ["note": "x"])
    let session = try test.session(draft)
    try test.store.discard(draft)
    type("a", into: session)
    #expect(throws: StoreError.self) { try session.flush() }
    try test.store.restore(draft)
    try session.flush()
    #expect(try test.store.draft(draft)["name"] == "a")
  }

  @Test func twoSessionsSeeEachOther() throws {
    let draft = try test.newDraft(form, ["note": "x"])
    let (one, two) = (try test.session(draft), try test.session(draft))
    type("abc", into: one)
    two.handle(.select(key: "kind", 2))
    type("7", into: two, key: "note")
    try one.flush()
    let outcome = try #require(two.absorb(try test.store.draft(draft)))
    #expect(outcome.text == "abc")
    #expect(outcome.changes.map(\.key) == ["name"])
    // What is not saved yet stays.
    #expect(two.editor.value(of: "note") == "x7")
    #expect(two.absorb(try test.store.draft(draft)) == nil)
    try two.flush()
    #expect(try #require(one.absorb(try test.store.draft(draft))).changes.count == 2)
    #expect(one.editor.savedValues == two.editor.savedValues)
    #expect(one.editor.savedValues == (try test.store.draft(draft).values))
  }

  @Test func anOlderStateIsNotAbsorbed() throws {
    let draft = try test.newDraft(form, ["note": "x"])
    let session = try test.session(draft)
    let old = try test.store.draft(draft)
    type("abc", into: session)
    try session.flush()
    #expect(session.absorb(old) == nil)
    #expect(session.editor.value(of: "name") == "abc")
  }

  @Test func whatWasFlushedSurvivesKillNineAndCanBeUndone() async throws {
    let draft = try test.newDraft(form, ["note": "x"])
    let (path, id) = (test.path, draft.description)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, id = id as String] in
      let store = try DraftStore(path: path)
      let session = try EditingSession(store, draft: try store.draftID(named: id))
      session.handle(.change(key: "name", TextChange(0..<0, "ada")))
      session.handle(.select(key: "kind", 2))
      try await session.flush()
      kill(getpid(), SIGKILL)
    }
    let session = try test.session(draft)
    #expect(session.editor.savedValues == ["note": "x", "name": "ada", "kind": .option(2)])
    #expect(session.opening.focus == "kind")
    try session.undo()
    try session.undo()
    #expect(try session.undo() == nil)
    #expect(try test.store.draft(draft).values == ["note": "x"])
  }

  @Test func typingAfterAPauseIsAnotherStep() throws {
    let draft = try test.newDraft(form)
    let session = try test.session(draft, coalescing: .seconds(60))
    type("ab", into: session)
    test.clock.advance(by: .milliseconds(1999))
    type("c", into: session)
    test.clock.advance(by: .seconds(2))
    type("de", into: session)
    #expect(try session.undo()?.text == "abc")
    #expect(try session.undo()?.text == "")
    #expect(try session.redo()?.text == "abc")
    #expect(try session.redo()?.text == "abcde")
  }

  @Test func typingThatWasSavedInPiecesIsOneStep() throws {
    let draft = try test.newDraft(form)
    let session = try test.session(draft)
    for character in "abcdef" {
      type(String(character), into: session)
      try session.flush()
    }
    #expect(try test.store.draft(draft).revision == 6)
    #expect(try session.history().undoCount == 1)
    #expect(try session.undo()?.text == "")
  }

  @Test func manyThreads() async throws {
    let draft = try test.newDraft(form)
    let session = try test.session(draft)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for turn in 0..<40 {
            switch turn % 4 {
            case 0: session.handle(.select(key: "kind", .number(Int64(task % 2 + 1))))
            case 1: try? await session.flush()
            default: session.handle(.change(key: "note", TextChange(0..<0, "\(task)")))
            }
          }
        }
      }
    }
    try await session.leave()
    #expect(try test.store.draft(draft).values == session.editor.savedValues)
    #expect(session.editor.text(of: "note").count == 160)
    while try session.undo() != nil {}
    #expect(session.editor.savedValues == [:])
  }
}

extension FieldValue: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
}
