import DraftStore
import FormModel
import Testing

@Suite struct TagTests {
  let test: TestStore
  let id: DraftID
  var store: DraftStore { test.store }

  private static let ids: [OptionID] = ["b", "a,b", "a b", "[\"a\"]", 1, "1", "\n", "🏷️"]
    .map { $0 == "\n" ? "x\ny" : $0 }

  init() throws {
    test = try TestStore(
      SampleForms.form(
        "f", SampleForms.tags("many", Self.ids, least: 3),
        SampleForms.tags("one", ["zh", "en", 7], .single, least: 1), SampleForms.input("name")))
    id = try test.store.newDraft(of: "f").id
  }

  @Test func aTapTogglesAndTheTagsOrderIsReported() throws {
    #expect(try store.toggle(1, of: "many", in: id).selected.map(\.id) == [1])
    #expect(try store.toggle("b", of: "many", in: id).selected.map(\.id) == ["b", 1])
    #expect(try store.toggle(1, of: "many", in: id).selected.map(\.id) == ["b"])
    #expect(try store.toggle("b", of: "many", in: id).selected.isEmpty)
    #expect(try store.draft(id)["many"] == .tags([]))
  }

  @Test func idsAreKeptWholeWhateverTheyHold() throws {
    for tag in Self.ids.reversed() { try store.toggle(tag, of: "many", in: id) }
    let draft = try test.reopened().draft(id)
    #expect(draft["many"] == .tags(Self.ids.reversed()))
    let form = try test.other().form("f")
    let shown = draft.currentValues(in: form).first { $0.field.key == "many" }?.value
    #expect(shown == .tags(Self.ids))
  }

  @Test func aNumberAndItsTextAreTwoTags() throws {
    try store.toggle("1", of: "many", in: id)
    #expect(try store.draft(id)["many"] == .tags(["1"]))
    try store.toggle(1, of: "many", in: id)
    #expect(try store.draft(id)["many"] == .tags(["1", 1]))
    try store.toggle("1", of: "many", in: id)
    #expect(try store.draft(id)["many"] == .tags([1]))
    try store.set(.tags(["1"]), for: "many", in: id)
    #expect(try store.draft(id)["many"] == .tags(["1"]))
  }

  @Test func aSingleChoiceTakesThePlaceOfTheOneBefore() throws {
    #expect(try store.toggle("zh", of: "one", in: id).selected.map(\.id) == ["zh"])
    #expect(try store.toggle(7, of: "one", in: id).selected.map(\.id) == [7])
    #expect(try store.selectTags(adding: ["en"], of: "one", in: id).selected.map(\.id) == ["en"])
    #expect(try store.toggle("en", of: "one", in: id).selected.isEmpty)
  }

  @Test func whetherEnoughAreChosenIsKnownAfterEachTapAndAfterReopening() throws {
    for (tag, isEnough) in [("b", false), ("a b", false), ("a,b", true)] {
      #expect(try store.toggle(.string(tag), of: "many", in: id).isEnough == isEnough)
    }
    let reopened = try test.reopened()
    let content = try #require(try reopened.form("f").field("many")?.tagsContent)
    let selection = content.selection(of: try reopened.draft(id)["many"])
    #expect(selection.isEnough && selection.selected.map(\.id) == ["b", "a,b", "a b"])
    #expect(try !reopened.toggle("b", of: "many", in: id).isEnough)
    #expect(!content.selection(of: nil).isEnough)
  }

  @Test func unknownTagsAreNamedWithTheKnownAndChangeNothing() throws {
    try store.toggle("b", of: "many", in: id)
    let before = try store.draft(id)
    let toggled = storeError { try store.toggle("nine", of: "many", in: id) }
    #expect(toggled?.code == "unknownTag")
    #expect(toggled?.description.contains("a,b") == true)
    #expect(
      storeError { try store.selectTags(adding: ["a b", "nine"], of: "many", in: id) }?.code
        == "unknownTag")
    #expect(
      storeError { try store.selectTags(removing: ["nine"], of: "many", in: id) }?.code
        == "unknownTag")
    #expect(storeError { try store.toggle("b", of: "name", in: id) }?.code == "notTags")
    #expect(try store.draft(id) == before)
  }

  @Test func tagsAreChosenByIdOrName() throws {
    let selection = try store.selectTags(adding: ["name of b", "x\ny"], of: "many", in: id)
    #expect(selection.selected.map(\.id) == ["b", "x\ny"])
    // Once more writes nothing.
    let revision = try store.draft(id).revision
    try store.selectTags(adding: ["b"], of: "many", in: id)
    #expect(try store.draft(id).revision == revision)
  }

  @Test func nullAndTextTakeThePlaceOfTags() throws {
    for value in [FieldValue.null, .string(""), nil] {
      try store.set(.tags(["b", 1]), for: "many", in: id)
      try store.set(value, for: "many", in: id)
      // Emptied text of a field that is not text is no value.
      #expect(try store.draft(id)["many"] == (value == .string("") ? nil : value))
      #expect(try store.find(DraftQuery([.init("many", .equals("b"))])).matches.isEmpty)
      #expect(try test.count("tag_selection") == 0)
      #expect(try store.check().isEmpty)
    }
  }

  @Test func tagsThatAreNamedTwiceAreChosenOnce() throws {
    try store.set(.tags(["b", 1, "b", 1]), for: "many", in: id)
    #expect(try store.draft(id)["many"] == .tags(["b", 1]))
  }
}
