import DraftStore
import FormModel
import Testing

// The limit is for one that waits for ever.
@Suite(.timeLimit(.minutes(20))) struct ObservationTests {
  private static let form = SampleForms.form("f", SampleForms.input("a"), SampleForms.input("b"))

  @Test func statesBeginWithThePresentOneAndFollowEachChange() async throws {
    let test = try TestStore(Self.form)
    let id = try test.store.newDraft(of: "f").id
    var states = test.store.states(of: id).makeAsyncIterator()
    // A draft that is not written yet has a state too.
    #expect(try await states.next()?.revision == 0)
    try test.store.set(.string("1"), for: "a", in: id)
    #expect(try await states.next()?["a"] == .string("1"))
    try test.store.edit(id) { $0.title = "t" }
    #expect(try await states.next()?.title == "t")
    try test.store.submit(id)
    #expect(try await states.next()?.status == .submitted)
    try test.store.discard(id)
    #expect(try await states.next()?.status == .discarded)
  }

  @Test func changesOfAnotherStoreOnTheFileAreSeen() async throws {
    let test = try TestStore(Self.form)
    let id = try test.store.newDraft(of: "f", isWritten: true).id
    var states = test.store.states(of: id).makeAsyncIterator()
    _ = try await states.next()
    let other = try test.other()
    for number in 1...3 {
      try other.set(.string("\(number)"), for: "b", in: id)
      #expect(try await states.next()?["b"] == .string("\(number)"))
    }
  }

  @Test func aSlowReaderGetsTheNewestState() async throws {
    let test = try TestStore(Self.form)
    let id = try test.store.newDraft(of: "f", isWritten: true).id
    let states = test.store.states(of: id)
    for number in 1...50 { try test.store.set(.string("\(number)"), for: "a", in: id) }
    var seen = 0
    for try await draft in states {
      seen += 1
      if draft["a"] == .string("50") { break }
    }
    #expect(seen <= 50)
  }

  @Test func changesOfOtherDraftsAreNoStates() async throws {
    let test = try TestStore(Self.form)
    let id = try test.store.newDraft(of: "f", isWritten: true).id
    let other = try test.store.newDraft(of: "f", isWritten: true).id
    var states = test.store.states(of: id).makeAsyncIterator()
    _ = try await states.next()
    for number in 1...5 { try test.store.set(.string("\(number)"), for: "a", in: other) }
    try test.store.set(.string("mine"), for: "a", in: id)
    let next = try await states.next()
    #expect(next?["a"] == .string("mine") && next?.revision == 1)
  }

  @Test func theStatesEndWhenTheDraftIsPurged() async throws {
    let test = try TestStore(Self.form)
    let id = try test.store.newDraft(of: "f", isWritten: true).id
    let unknown = DraftID()
    for try await _ in test.store.states(of: unknown) { Issue.record("there is no such draft") }

    var states = test.store.states(of: id).makeAsyncIterator()
    _ = try await states.next()
    try test.store.discard(id)
    _ = try await states.next()
    let other = try test.other()
    try other.purge()
    #expect(try await states.next() == nil)

    // One that was only begun ends as soon as it is discarded.
    let begun = try test.store.newDraft(of: "f").id
    var itsStates = test.store.states(of: begun).makeAsyncIterator()
    _ = try await itsStates.next()
    try test.store.discard(begun)
    #expect(try await itsStates.next() == nil)
  }

  @Test func cancellingEndsThem() async throws {
    let test = try TestStore(Self.form)
    let id = try test.store.newDraft(of: "f", isWritten: true).id
    let states = test.store.states(of: id)
    let task = Task {
      var count = 0
      for try await _ in states { count += 1 }
      return count
    }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    #expect(try await task.value <= 1)
  }

  @Test func theyEndWithTheStore() async throws {
    let test = try TestStore(Self.form)
    let id = try test.store.newDraft(of: "f", isWritten: true).id
    var other: DraftStore? = try test.other()
    var states = try #require(other?.states(of: id)).makeAsyncIterator()
    _ = try await states.next()
    other = nil
    #expect(try await states.next() == nil)

    // A store that was closed tells so.
    let closed = try test.other()
    var itsStates = closed.states(of: id).makeAsyncIterator()
    _ = try await itsStates.next()
    try closed.close()
    await #expect(throws: (any Error).self) { while try await itsStates.next() != nil {} }
  }
}
