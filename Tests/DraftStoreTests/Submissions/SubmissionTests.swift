import DraftDatabase
import DraftStore
import FormModel
import FormSamples
import Testing

@Suite struct SubmissionTests {
  let test: TestStore
  let id: DraftID
  var store: DraftStore { test.store }

  init() throws {
    test = try TestStore(
      SampleForms.form(
        "f", SampleForms.input("name", required: true),
        SampleForms.input("amount", .decimal, rule: .number(min: 0, max: 9, decimals: nil)),
        SampleForms.tags("tags", ["x", "y", 1]), SampleForms.json("json")))
    id = try test.store.newDraft(of: "f").id
  }

  private func fill() throws {
    try store.edit(id) {
      $0.set(.string("e\u{301}"), for: "name")
      $0.set(.typed("1.50", as: .decimal), for: "amount")
      $0.set(.tags([1, "x"]), for: "tags")
      $0.set(.json(["b": 1, "a": [nil]]), for: "json")
    }
  }

  @Test func aSubmissionHoldsTheFormParamWithItsDigest() throws {
    try fill()
    let submission = try store.submit(id)
    let text = #"{"name":"é","amount":1.50,"tags":["x",1],"json":{"b":1,"a":[null]}}"#
      .replacing("é", with: "e\u{301}")
    #expect(JSONValue.object(submission.param).jsonText.hasSameBytes(as: text))
    #expect(submission.digest == SHA256.hexDigest(Array(text.utf8)))
    #expect(submission.number == 1 && submission.follows == nil && submission.draftRevision == 1)
    #expect(submission.createdAt == test.clock.now)
    #expect(try test.reopened().submission(of: id) == submission)
  }

  @Test func aSubmissionIsNeverChanged() throws {
    try fill()
    let submission = try store.submit(id)
    for sql in [
      "UPDATE submission SET digest = upper(digest)", "UPDATE submission_value SET value = 'x'",
      "UPDATE submission SET created_at = 0", "UPDATE submission_value SET position = 99",
    ] {
      #expect(throws: DatabaseError.self) { try store.database.write { try $0.execute(sql) } }
    }
    try store.set(.string("other"), for: "name", in: id)
    #expect(try store.submission(of: id) == submission)
  }

  @Test func submittingWhatWasSubmittedMakesNoOtherOne() throws {
    try fill()
    let first = try store.submit(id)
    #expect(try store.submit(id) == first)
    try store.set(.string("other"), for: "name", in: id)
    try store.set(.string("e\u{301}"), for: "name", in: id)
    #expect(try store.draft(id).status == .editing)
    #expect(try store.submit(id) == first)
    #expect(try store.draft(id).status == .submitted)
    try store.set(.string("é"), for: "name", in: id)
    let second = try store.submit(id)
    #expect(second.number == 2 && second.follows == 1)
    #expect(try store.submission(1, of: id) == first)
    #expect(try test.count("submission") == 2)
    #expect(storeError { _ = try store.submission(3, of: id) }?.code == "unknownSubmission")
  }

  @Test func aDraftThatIsNotValidIsRefusedWithEveryError() throws {
    try store.edit(id) {
      $0.set(.string("　"), for: "name")
      $0.set(.typed("10", as: .decimal), for: "amount")
      $0.set(.tags(["z"]), for: "tags")
    }
    let error = storeError { try store.submit(id) }
    guard case .notValid(_, let param)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(param.errors.map(\.key) == ["name", "amount", "tags"])
    #expect(param.errors.map(\.reason) == [.required, .rule, .unknownOption])
    #expect(param.entries.isEmpty)
    #expect(try test.count("submission") == 0 && store.draft(id).status == .editing)
    #expect(storeError { _ = try store.submission(of: id) }?.code == "unknownSubmission")
    // An untouched draft is refused as well, and still leaves nothing.
    let untouched = try store.newDraft(of: "f").id
    #expect(storeError { try store.submit(untouched) }?.code == "notValid")
    #expect(try test.count("draft") == 1)
  }

  @Test func filteredKeysAreRememberedUnlessTheAppAddsThem() throws {
    try fill()
    let options = FormParam.Options(filterServiceKeys: ["amount", "tags"])
    let first = try store.submit(id, options: options)
    #expect(first.param.keys == ["name", "json"] && first.filteredKeys == ["amount", "tags"])
    let added = [
      FormParam.Entry(serviceKey: "amount", value: .string("1.5 yuan")),
      FormParam.Entry(serviceKey: "token", value: .json([1, nil])),
    ]
    let second = try store.submit(id, options: options, adding: added)
    #expect(second.param.keys == ["name", "json", "amount", "token"])
    #expect(second.filteredKeys == ["tags"])
    #expect(try test.reopened().submission(of: id) == second)
  }

  @Test func aKeyCanNotBeAddedTwice() throws {
    try fill()
    for keys in [["name"], ["x", "x"]] {
      let added = keys.map { FormParam.Entry(serviceKey: $0, value: .null) }
      #expect(storeError { try store.submit(id, adding: added) }?.code == "duplicateKey")
    }
    #expect(try test.count("submission") == 0)
  }

  @Test func defaultsAreSubmittedAndNotSaved() throws {
    let form = SampleForms.form("d", SampleForms.option("unit", ["a", "b"], selectedIndex: 1))
    try store.add(form)
    let draft = try store.newDraft(of: "d").id
    #expect(try store.submit(draft).param == ["unit": "b"])
    #expect(try store.draft(draft).fields.isEmpty)
    #expect(try store.draft(draft).status == .submitted)
  }

  @Test func everyKindOfValueComesBackFromASubmission() throws {
    try store.add(SampleForms.everything)
    let all = try store.newDraft(of: "everything").id
    try store.edit(all, EditTests.oneOfEach)
    let submission = try store.submit(all)
    #expect(try test.reopened().submission(of: all) == submission)
    #expect(submission.entries.map(\.serviceKey).contains("memo") == false)
    #expect(submission.entries.count == 10)
  }

  @Test func randomDraftsAreFrozenAsTheirFormParam() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<25 {
      let form = RandomForm.form(using: &random, isLenient: true)
      let test = try TestStore(form)
      let id = try test.store.newDraft(of: form.id).id
      let values = RandomForm.values(for: form, using: &random, isValid: true)
      try test.store.edit(id) { edit in
        for (key, value) in values { edit.set(value, for: key) }
      }
      let param = try test.store.param(of: id)
      #expect(param.isValid)
      let submission = try test.store.submit(id)
      let stored = try test.reopened().submission(of: id)
      #expect(stored == submission && stored.param == param.param)
    }
  }

  @Test func theSameValuesWithOtherKeysFilteredAreAnotherSubmission() throws {
    try store.set(.string("x"), for: "name", in: id)
    let first = try store.submit(id)
    let second = try store.submit(id, options: FormParam.Options(filterServiceKeys: ["amount"]))
    #expect(first.digest == second.digest && second.number == 2)
    #expect(second.filteredKeys == ["amount"])
  }
}
