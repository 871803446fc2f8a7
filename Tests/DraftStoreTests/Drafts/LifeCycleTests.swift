import DraftStore
import FormModel
import Testing

@Suite struct LifeCycleTests {
  let test: TestStore
  var store: DraftStore { test.store }

  init() throws {
    test = try TestStore(
      SampleForms.form("a", SampleForms.input("name")),
      SampleForms.form("b", SampleForms.input("name")))
  }

  private func draft(
    _ form: String, _ name: String, subject: String? = nil
  ) throws -> DraftID {
    test.clock.advance(1)
    let id = try store.newDraft(of: form, title: name, subject: subject).id
    try store.set(.string(name), for: "name", in: id)
    return id
  }

  @Test func manyDraftsSideBySide() throws {
    let ids = try (0..<30).map { try draft($0 % 2 == 0 ? "a" : "b", "n\($0)") }
    #expect(try store.drafts().map(\.id) == ids.reversed())
    #expect(try store.drafts(DraftFilter(form: "a")).count == 15)
    #expect(try store.drafts(DraftFilter(form: "b", limit: 2)).map(\.title) == ["n29", "n27"])
    for (index, id) in ids.enumerated() {
      #expect(try store.draft(id)["name"] == .string("n\(index)"))
    }
    test.clock.advance(1)
    try store.set(.string("again"), for: "name", in: ids[3])
    #expect(try store.drafts().first?.id == ids[3])
    #expect(try store.lastEditedDraft() == ids[3])
    #expect(try store.lastEditedDraft(of: "a") == ids[28])
  }

  /// A submission that the server does not have yet is not lost with its draft.
  @Test func whatWaitsForTheServerIsNotPurged() throws {
    let id = try draft("a", "x")
    try store.submit(id)
    try store.discard(id)
    #expect(try store.purgeableDrafts().isEmpty)
    #expect(try store.purge().isEmpty)
    #expect(try store.draft(id).status == .discarded && store.outbox(of: id).count == 1)
    #expect(try store.purgeableDrafts(includingUnsent: true).map(\.id) == [id])
    #expect(try store.purge(includingUnsent: true) == [id])
  }

  @Test func twoSubjectsNeverMeet() throws {
    let b = try draft("a", "for b", subject: "person-b")
    let c = try draft("a", "for c", subject: "person-c")
    let other = try draft("b", "other form", subject: "person-b")
    #expect(try store.draft(of: "a", about: "person-b")?.id == b)
    #expect(try store.draft(of: "a", about: "person-c")?.id == c)
    #expect(try store.draft(of: "b", about: "person-b")?.id == other)
    for subject in ["person", "person-", "PERSON-B", "person-b ", ""] {
      #expect(try store.draft(of: "a", about: subject) == nil)
    }
    // The subject is compared by bytes; of several drafts, the one edited last is meant.
    let composed = try draft("a", "composed", subject: "é")
    #expect(try store.draft(of: "a", about: "e\u{301}") == nil)
    #expect(try store.draft(of: "a", about: "é")?.id == composed)
    let newer = try draft("a", "newer", subject: "person-b")
    #expect(try store.draft(of: "a", about: "person-b")?.id == newer)
    try store.discard(newer)
    #expect(try store.draft(of: "a", about: "person-b")?.id == b)
    #expect(try store.drafts(DraftFilter(subject: "person-b")).count == 2)
  }

  @Test func draftsAreNamedByIdByPrefixAndByAt() throws {
    #expect(storeError { _ = try store.draftID(named: "@") }?.description.contains("yet") == true)
    let ids = try (0..<40).map { try draft("a", "\($0)") }
    #expect(try store.draftID(named: "@") == ids[39])
    for id in ids {
      #expect(try store.draftID(named: id.description) == id)
      #expect(try store.draftID(named: id.description.uppercased()) == id)
      // The shortest prefix that no other id has.
      let text = id.description
      let length = (1...36).first { length in
        ids.filter { $0.description.hasPrefix(text.prefix(length)) }.count == 1
      }
      #expect(try store.draftID(named: String(text.prefix(length ?? 36))) == id)
    }
    // More ids than hexadecimal digits: two begin alike.
    let digits = ids.map { $0.description.prefix(1) }
    let shared = try #require(digits.first { digit in digits.filter { $0 == digit }.count > 1 })
    #expect(storeError { _ = try store.draftID(named: String(shared)) }?.code == "ambiguousDraft")
    for name in ["", "zz", "%", "_", "'", "\0", ids[0].description + "0", "é"] {
      #expect(storeError { _ = try store.draftID(named: name) }?.code == "unknownDraft")
    }
    try store.discard(ids[39])
    #expect(try store.draftID(named: "@") == ids[38])
  }

  @Test func discardRestoreAndPurge() throws {
    let id = try draft("a", "x")
    #expect(storeError { try store.restore(id) }?.code == "isNotDiscarded")
    try store.discard(id)
    #expect(try store.draft(id).status == .discarded)
    #expect(try store.drafts().isEmpty)
    #expect(try store.drafts(DraftFilter(statuses: [.discarded])).map(\.id) == [id])
    #expect(try store.drafts(DraftFilter(statuses: [])).isEmpty)
    try store.restore(id)
    #expect(try store.draft(id).status == .editing)
    #expect(try store.draft(id)["name"] == .string("x"))

    let kept = try draft("a", "kept")
    try store.submit(id)
    try store.discard(id)
    #expect(try store.purge(includingUnsent: true) == [id])
    #expect(storeError { _ = try store.draft(id) }?.code == "unknownDraft")
    #expect(storeError { try store.restore(id) }?.code == "unknownDraft")
    #expect(try store.draft(kept)["name"] == .string("kept"))
    for table in ["submission", "submission_value"] { #expect(try test.count(table) == 0) }
    #expect(try test.count("draft_value") == 1)
    #expect(try store.check().isEmpty)
  }

  @Test func whatAPurgeWouldRemoveIsListedBefore() throws {
    let old = try draft("a", "old")
    let young = try draft("a", "young")
    let kept = try draft("a", "kept")
    try store.discard(old)
    test.clock.advance(3600)
    try store.discard(young)
    // Discarding once more makes no draft younger.
    try store.discard(old)
    for (age, expected) in [
      (Duration.zero, [young, old]), (.seconds(3600), [old]), (.seconds(3601), []),
    ] {
      #expect(try store.purgeableDrafts(olderThan: age).map(\.id) == expected)
    }
    #expect(try store.purge(olderThan: .seconds(3600)) == [old])
    #expect(try store.draft(young).status == .discarded)
    // Those that are in use expire by age only when the app says so.
    test.clock.advance(86_400)
    let day = DraftFilter(updatedBefore: test.clock.now - .seconds(86_400) + 1)
    #expect(try store.drafts(day).map(\.id) == [kept])
    #expect(try store.drafts(DraftFilter(updatedBefore: test.clock.now - .seconds(90_001))).isEmpty)
  }

  @Test func theStatusFollowsSubmissionsAndEdits() throws {
    let id = try draft("a", "x")
    try store.submit(id)
    #expect(try store.draft(id).status == .submitted)
    try store.discard(id)
    try store.restore(id)
    #expect(try store.draft(id).status == .submitted)
    try store.set(.string("y"), for: "name", in: id)
    #expect(try store.draft(id).status == .editing)
    try store.discard(id)
    try store.restore(id)
    #expect(try store.draft(id).status == .editing)
    #expect(try store.submit(id).follows == 1)
    #expect(try store.draft(id).status == .submitted)
    #expect(try store.statistics().drafts == [.submitted: 1])
  }

  @Test func draftsFromElsewhereAreAddedTogetherOrNotAtAll() throws {
    let rows: [[(key: String, value: FieldValue)]] = [
      [("name", .string("1"))], [("name", .string("2"))], [],
    ]
    let ids = try store.addDrafts(of: "a", values: rows)
    #expect(try ids.map { try store.draft($0)["name"]?.text } == ["1", "2", nil])
    let bad: [[(key: String, value: FieldValue)]] = [[("name", .string("3"))], [("nme", .null)]]
    #expect(storeError { try store.addDrafts(of: "a", values: bad) }?.code == "unknownField")
    #expect(try test.count("draft") == 3)
  }
}

private func + (lhs: Timestamp, rhs: Int64) -> Timestamp {
  Timestamp(milliseconds: lhs.milliseconds + rhs)
}
