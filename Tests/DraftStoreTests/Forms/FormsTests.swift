import DraftStore
import FormModel
import FormSamples
import Testing

@Suite struct FormsTests {
  @Test(arguments: ["profile", "calculator", "interests"])
  func theSameDefinitionMakesNoSecondVersion(name: String) throws {
    let test = try TestStore()
    let text = try Cases.text("forms/\(name).json")
    let first = try test.store.add(try Form(definition: text))
    #expect(first.id == name && first.version == 1 && first.isNew)

    // The same once more; from its own JSON; and with other spaces between the JSON's parts.
    let form = try Form(definition: text)
    let spaced = text.replacing("\n", with: "\n\t \n").replacing("{ \"", with: "{\r\n  \"")
    for same in [
      form, try Form(definition: form.definition.jsonText), try Form(definition: spaced),
    ] {
      let addition = try test.store.add(same)
      #expect(addition.id == name && addition.version == 1 && !addition.isNew)
    }
    #expect(try test.count("form_version") == 1)
    #expect(try test.store.form(name).form.fingerprint == form.fingerprint)
  }

  @Test func anotherDefinitionIsANewVersionAndTheOldOneStays() throws {
    let test = try TestStore(SampleForms.form("f", SampleForms.input("a")))
    let draft = try test.store.newDraft(of: "f", isWritten: true)
    test.clock.advance(60)
    let second = try test.store.add(SampleForms.form("f", SampleForms.input("b")))
    #expect(second.version == 2 && second.isNew)
    #expect(try test.store.form("f").fields.map(\.key) == ["b"])
    #expect(try test.store.form("f").form.version == 2)
    #expect(try test.store.form("f", version: 1).fields.map(\.key) == ["a"])
    #expect(try test.store.draft(draft.id).version == 1)

    let reopened = try test.reopened()
    #expect(try reopened.form("f", version: 1).fields.map(\.key) == ["a"])
    let summary = try #require(try reopened.formSummaries().first)
    #expect((summary.id, summary.version, summary.draftCount) == ("f", 2, 1))
    #expect(summary.addedAt == test.clock.now)
  }

  @Test func aBadDefinitionIsRefusedWithEveryFaultAndNothingIsWritten() throws {
    let test = try TestStore()
    let twice = SampleForms.form("f", SampleForms.input("a"), SampleForms.input("a"))
    let unregistered = SampleForms.form("g", SampleForms.input("a", rule: .named("nobody")))
    let normalized = SampleForms.form("h", SampleForms.input("é"), SampleForms.input("e\u{301}"))
    for form in [twice, unregistered, normalized, Form(id: "", sections: [])] {
      let isWritten = try test.writes {
        #expect(throws: DefinitionError.self) { try test.store.add(form) }
      }
      #expect(!isWritten)
    }
    #expect(try test.count("form") == 0)
    #expect(try test.store.formSummaries().isEmpty)
  }

  @Test func unknownFormsAndVersionsAreNamedWithWhatIsKnown() throws {
    let test = try TestStore()
    let none = storeError { _ = try test.store.form("x") }
    #expect(none?.description.contains("no forms yet") == true)

    try test.store.add(SampleForms.form("apple", SampleForms.input("a")))
    try test.store.add(SampleForms.form("pear", SampleForms.input("a")))
    let unknown = storeError { _ = try test.store.newDraft(of: "aple") }
    #expect(unknown?.code == "unknownForm")
    #expect(unknown?.description.contains("apple, pear") == true)
    for version in [0, 2, -1, Int.max] {
      let error = storeError { _ = try test.store.form("apple", version: version) }
      #expect(error?.description.contains("its newest is 1") == true)
    }
  }

  @Test func randomFormsComeBackAsTheyWere() throws {
    let test = try TestStore()
    var random = SeededGenerator(seed: 1)
    for index in 0..<40 {
      var form = RandomForm.form(using: &random)
      form.id += "\(index)"
      try test.store.add(form)
      let stored = try DraftStore(path: test.path).form(form.id).form
      #expect(stored.fingerprint == form.fingerprint)
      #expect(try test.store.add(stored).isNew == false)
    }
  }
}
