import DraftStore
import FormModel
import Testing

@Suite struct EditTests {
  let test: TestStore
  var store: DraftStore { test.store }

  init() throws {
    test = try TestStore(SampleForms.everything)
  }

  @Test func anUntouchedDraftLeavesNothing() throws {
    let isWritten = try test.writes {
      let draft = try store.newDraft(of: "everything", title: "T", subject: "S")
      #expect(try store.draft(draft.id) == draft)
      try store.focus(on: "date", in: draft.id)
      #expect(try store.draft(draft.id).focus == "date")
      #expect(try store.set(nil, for: "string", in: draft.id).changedKeys.isEmpty)
      #expect(try store.upgrade(draft.id).renamed.isEmpty)
    }
    // Focus takes the write lock, but no page changes.
    #expect(!isWritten)
    #expect(try test.count("draft") == 0)
    #expect(try store.drafts().isEmpty)
    #expect(try store.lastEditedDraft() == nil)
    #expect(try store.draft(of: "everything", about: "S") == nil)
  }

  @Test func theFirstEditWritesTheDraftWithAllThatItWasBegunWith() throws {
    let draft = try store.newDraft(of: "everything", title: "T", subject: "S")
    try store.focus(on: "date", in: draft.id)
    try store.set(.string("x"), for: "string", in: draft.id)
    let saved = try test.reopened().draft(draft.id)
    #expect(saved.title == "T" && saved.subject == "S" && saved.focus == "date")
    #expect(saved.revision == 1 && saved.status == .editing)
    let field = try #require(saved.fields.first)
    #expect(saved.fields.count == 1 && field.key == "string" && field.value == .string("x"))
    #expect(field.revision == 1)
  }

  @Test func discardingAnUntouchedDraftForgetsIt() throws {
    let draft = try store.newDraft(of: "everything")
    try store.discard(draft.id)
    #expect(storeError { _ = try store.draft(draft.id) }?.code == "unknownDraft")
    #expect(
      storeError { try store.set(.null, for: "string", in: draft.id) }?.code == "unknownDraft")
  }

  @Test func settingUnsettingAndSettingOnceMore() throws {
    let id = try store.newDraft(of: "everything").id
    #expect(try store.set(.integer(1), for: "integer", in: id).changedKeys == ["integer"])
    #expect(try store.set(nil, for: "integer", in: id).revision == 2)
    #expect(try store.draft(id)["integer"] == nil)
    #expect(try store.set(nil, for: "integer", in: id).revision == 2)
    #expect(try store.set(.integer(2), for: "integer", in: id).revision == 3)
    #expect(try store.draft(id).field("integer")?.revision == 3)
  }

  @Test func anEqualValueWritesNothing() throws {
    let id = try store.newDraft(of: "everything").id
    let edit = EditTests.oneOfEach
    try store.edit(id, edit)
    try store.submit(id)
    let before = try store.draft(id)
    test.clock.advance(60)
    let isWritten = try test.writes {
      let all = try store.edit(id, edit)
      let one = try store.set(.string("e\u{301}"), for: "string", in: id)
      #expect(all.changedKeys.isEmpty && one.changedKeys.isEmpty)
    }
    #expect(!isWritten)
    #expect(try store.draft(id) == before)
    #expect(before.status == .submitted)

    // The same in other bytes, other digits or another order is another value.
    try store.set(.string("é"), for: "string", in: id)
    try store.set(.typed("1.5", as: .decimal), for: "decimal", in: id)
    try store.set(.tags([1, "a"]), for: "tags", in: id)
    let after = try store.draft(id)
    #expect(after.revision == before.revision + 3 && after.updatedAt > before.updatedAt)
    #expect(after.status == .editing)
  }

  static var oneOfEach: DraftEdit {
    var edit = DraftEdit()
    edit.set(.string("e\u{301}"), for: "string")
    edit.set(.integer(.min), for: "integer")
    edit.set(.typed("1.50", as: .decimal), for: "decimal")
    edit.set(.boolean(true), for: "boolean")
    edit.set(.typed("1582-10-10", as: .date), for: "date")
    edit.set(.typed("23:59", as: .time), for: "time")
    edit.set(.typed("2024-03-10T02:30:00-05:00", as: .dateTime), for: "dateTime")
    edit.set(.option("b"), for: "option")
    edit.set(.tags(["a", 1]), for: "tags")
    edit.set(.json(["b": 1, "a": nil]), for: "json")
    edit.set(.string("for me"), for: "memo")
    return edit
  }

  @Test func anEditIsAllOrNothing() throws {
    let id = try store.newDraft(of: "everything").id
    try store.set(.string("before"), for: "string", in: id)
    let before = try store.draft(id)
    let isWritten = try test.writes {
      let error = storeError {
        try store.edit(id) {
          $0.set(.string("after"), for: "string")
          $0.set(.tags(["a"]), for: "tags")
          $0.title = "after"
          $0.focus = "tags"
          $0.set(.boolean(true), for: "integer")
        }
      }
      #expect(error?.code == "wrongType")
      #expect(error?.description.contains("integer: expected a whole number") == true)
      let unknown = storeError {
        try store.edit(id) {
          $0.set(.string("after"), for: "string")
          $0.set(.string("x"), for: "sting")
        }
      }
      #expect(unknown?.description.contains("did you mean \"string\"?") == true)
    }
    #expect(!isWritten)
    #expect(try store.draft(id) == before)
  }

  @Test func theFirstEditOfABegunDraftIsAllOrNothingToo() throws {
    let id = try store.newDraft(of: "everything").id
    #expect(storeError { try store.set(.boolean(true), for: "integer", in: id) } != nil)
    #expect(try test.count("draft") == 0)
    try store.set(.integer(1), for: "integer", in: id)
    #expect(try store.draft(id).revision == 1)
  }

  @Test func anEditOfAFieldThatWasSeenBeforeAnotherEditIsRefusedWithBothValues() throws {
    let id = try store.newDraft(of: "everything").id
    try store.set(.string("a"), for: "string", in: id)
    try store.edit(id) { $0.set(.string("b"), for: "string", seenRevision: 1) }
    let error = storeError {
      try store.edit(id) {
        $0.set(.integer(5), for: "integer", seenRevision: 0)
        $0.set(.string("c"), for: "string", seenRevision: 1)
      }
    }
    guard case .staleField("string", let given?, let saved?, 2, isSensitive: false) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(given == .string("c") && saved == .string("b"))
    #expect(try store.draft(id)["integer"] == nil)

    // A value that came, or went, since it was seen.
    try store.set(.tags(["a"]), for: "tags", in: id)
    let came = storeError {
      try store.edit(id) { $0.set(.tags(["b,c"]), for: "tags", seenRevision: 0) }
    }
    #expect(came?.description.contains("[\"a\"]") == true)
    try store.set(nil, for: "tags", in: id)
    let went = storeError {
      try store.edit(id) { $0.set(.tags([]), for: "tags", seenRevision: 3) }
    }
    #expect(went?.description.contains("took the value away") == true)
  }

  /// The draft's own revision says as much as the field's; one that is not there yet says nothing.
  @Test func aRevisionThatIsNotThereYetIsRefusedAsSuch() throws {
    let id = try store.newDraft(of: "everything").id
    try store.set(.string("a"), for: "string", in: id)
    try store.set(.integer(1), for: "integer", in: id)
    try store.edit(id) { $0.set(.string("b"), for: "string", seenRevision: 2) }
    for (key, seen) in [("string", 4), ("string", Int.max), ("tags", 4)] {
      let error = storeError {
        try store.edit(id) {
          $0.set(
            key == "tags" ? .tags(["a"]) : .string("c"), for: key,
            seenRevision: seen)
        }
      }
      #expect(error?.code == "unknownRevision" && error?.key == key)
      #expect(error?.description.contains("no revision \(seen) yet, its newest is 3") == true)
    }
    #expect(try store.draft(id)["string"] == .string("b"))
    #expect(try store.draft(id).revision == 3)
  }

  @Test func anUpdateStartsFromWhatIsSaved() throws {
    let id = try store.newDraft(of: "everything").id
    for _ in 0..<3 {
      try store.edit(id) { edit in
        edit.update("integer") { saved in
          if case .integer(let number)? = saved { .integer(number + 1) } else { .integer(1) }
        }
      }
    }
    #expect(try store.draft(id)["integer"] == .integer(3))
  }

  @Test func textBecomesAValueOfTheFieldsTypeWhereItIsOne() throws {
    let id = try store.newDraft(of: "everything").id
    let typed: [(String, String, FieldValue?)] = [
      ("integer", "42", .integer(42)), ("integer", "007", .string("007")),
      ("decimal", "1,5", .string("1,5")), ("boolean", "yes", .string("yes")),
      ("date", "2023-02-29", .string("2023-02-29")), ("option", "b", .option("b")),
      ("option", "1", .option(1)), ("tags", "[\"a\"]", .tags(["a"])), ("tags", "", nil),
      ("json", "{}", .json("{}")), ("integer", "", nil),
    ]
    for (key, text, value) in typed {
      try store.set(.string(text), for: key, in: id)
      #expect(try store.draft(id)[key] == value, "\(key) \(text)")
    }
  }

  @Test func titleAndFocusAloneAreNoEdit() throws {
    let id = try store.newDraft(of: "everything").id
    try store.set(.string("x"), for: "string", in: id)
    try store.submit(id)
    test.clock.advance(60)
    try store.focus(on: "date", in: id)
    try store.edit(id) { $0.title = "e\u{301}" }
    try store.edit(id) { $0.title = "é" }
    let draft = try store.draft(id)
    #expect(draft.revision == 1 && draft.status == .submitted && draft.focus == "date")
    #expect(Array(draft.title.utf8) == Array("é".utf8))
    let isWritten = try test.writes { try store.focus(on: "date", in: id) }
    #expect(!isWritten)

    let titled = try store.newDraft(of: "everything").id
    try store.edit(titled) { $0.title = "kept" }
    #expect(try test.other().draft(titled).title == "kept")
  }

  @Test func aDiscardedDraftTakesNoEdit() throws {
    let id = try store.newDraft(of: "everything", isWritten: true).id
    try store.discard(id)
    let edits: [() throws -> Void] = [
      { try store.set(.null, for: "string", in: id) }, { try store.focus(on: "string", in: id) },
      { try store.edit(id) { $0.title = "x" } }, { try store.submit(id) },
      { try store.upgrade(id) }, { try store.toggle("a", of: "tags", in: id) },
    ]
    for edit in edits { #expect(storeError(edit)?.code == "isDiscarded") }
    let unknown = DraftID()
    #expect(storeError { try store.set(.null, for: "string", in: unknown) }?.code == "unknownDraft")
    #expect(storeError { try store.focus(on: "string", in: unknown) }?.code == "unknownDraft")
  }

  @Test func jsonThatCouldNotBeReadBackIsRefused() throws {
    let id = try store.newDraft(of: "everything").id
    func nested(_ depth: Int) -> JSONValue {
      (0..<depth).reduce(.null) { value, _ in .array([value]) }
    }
    try store.set(.json(nested(120)), for: "json", in: id)
    #expect(storeError { try store.set(.json(nested(121)), for: "json", in: id) } != nil)
    #expect(storeError { try store.set(.json(nested(2000)), for: "json", in: id) } != nil)
    #expect(try store.draft(id)["json"] == .json(nested(120)))
    try store.submit(id)
    var bytes: [UInt8] = []
    try store.export(ExportOptions(format: .json)) { bytes += $0 }
    #expect(throws: Never.self) { try JSONValue(parsing: bytes) }
  }

  /// Emptying a field that is not text leaves no value, so that the form's choice for empty fields
  /// holds; "" in a text field is a value.
  @Test func emptiedFieldsThatAreNotTextHaveNoValue() throws {
    let test = try TestStore(
      SampleForms.form(
        "e", SampleForms.input("text"), SampleForms.input("n", .decimal),
        SampleForms.input("day", .date)))
    let id = try test.store.newDraft(of: "e").id
    try test.store.edit(id) {
      $0.set(.string(""), for: "text")
      $0.set(.string("1.5"), for: "n")
    }
    try test.store.edit(id) {
      $0.set(.string(""), for: "n")
      $0.set(.string(""), for: "day")
    }
    #expect(try test.store.draft(id).values == ["text": .string("")])
    #expect(try test.store.param(of: id).param == ["text": ""])
  }
}
