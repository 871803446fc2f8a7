import DraftStore
import FormEditing
import FormModel
import Testing

/// Undo and redo in the store.
@Suite struct HistoryTests {
  let form: Form
  let test: TestStore
  let draft: DraftID
  var store: DraftStore { test.store }

  init() throws {
    form = try Form(
      definition: """
        {"id": "f", "sections": [{"rows": [
          {"kind": "input", "key": "Name", "serviceKey": "name"},
          {"kind": "input", "key": "Note", "serviceKey": "note"},
          {"kind": "input", "key": "Secret", "serviceKey": "secret", "sensitive": true},
          {"kind": "tags", "key": "Tags", "serviceKey": "tags", "tags": [
            {"id": "a,b", "labelName": "a"}, {"id": 1, "labelName": "1"}]}
        ]}]}
        """)
    test = try TestStore(form)
    draft = try test.newDraft(form, ["note": "x"])
  }

  private func set(
    _ value: FieldValue?, _ key: String, continuesStep: Bool = false, limit: Int = 500
  ) throws {
    try store.edit(draft) {
      $0.set(value, for: key)
      $0.history = HistoryOptions(continuesStep: continuesStep, limit: limit)
    }
  }

  private var values: [String: FieldValue] { get throws { try store.draft(draft).values } }

  /// How many steps can be undone and redone.
  private var steps: [Int] {
    get throws {
      let history = try store.history(of: draft)
      return [history.undoCount, history.redoCount]
    }
  }

  @Test func onlyWhereItIsAskedFor() throws {
    try store.set("y", for: "note", in: draft)
    #expect(try steps == [0, 0])
    #expect(try store.undo(draft) == nil)
    #expect(try values["note"] == "y")
  }

  @Test func severalFieldsOfOneEditAreOneStep() throws {
    try store.edit(draft) {
      $0.set("a", for: "name")
      $0.set("b", for: "note")
      $0.set(.tags(["a,b", 1]), for: "tags")
      $0.set("c", for: "note")
      $0.history = HistoryOptions()
    }
    let step = try #require(try store.undo(draft))
    #expect(step.values == ["name": nil, "note": "x", "tags": nil])
    #expect(try values == ["note": "x"])
    try store.redo(draft)
    #expect(try values == ["name": "a", "note": "c", "tags": .tags(["a,b", 1])])
    #expect(try store.draft(draft).revision == 4)
  }

  @Test func nullEmptyAndNothingAreTold() throws {
    try set(.null, "note")
    try set("", "note")
    try set(nil, "note")
    try store.undo(draft)
    #expect(try values["note"] == "")
    try store.undo(draft)
    #expect(try values["note"] == .null)
    try store.undo(draft)
    #expect(try values["note"] == "x")
  }

  @Test func anUndoTakesNothingBackThatOthersWrote() throws {
    try set("a", "name")
    try set("y", "note")
    try set("b", "name")
    try store.set("other", for: "name", in: draft)
    // The steps of `name` are no longer this history's to take back.
    #expect(try store.undo(draft)?.values == ["note": "x"])
    #expect(try store.undo(draft) == nil)
    #expect(try values == ["name": "other", "note": "x"])
    try store.set("other", for: "note", in: draft)
    #expect(try store.redo(draft) == nil)
    #expect(try steps == [0, 0])
  }

  @Test func typingThatComesBackLeavesNoStep() throws {
    try set("xy", "note")
    try set("x", "note", continuesStep: true)
    #expect(try store.history(of: draft).undoCount == 0)
    try set("a", "name")
    try set("ab", "name", continuesStep: true)
    try set("z", "note", continuesStep: true)
    #expect(try store.history(of: draft).undoCount == 2)
  }

  @Test func theHistoryIsBounded() throws {
    for number in 0..<20 { try set(.string("\(number)"), "name", limit: 5) }
    #expect(try store.history(of: draft).undoCount == 5)
    while try store.undo(draft) != nil {}
    #expect(try values["name"] == "14")
    #expect(try store.history(of: draft).redoCount == 5)
    try set("new", "name")
    #expect(try steps == [1, 0])
  }

  @Test func sensitiveValuesAreNotKept() throws {
    try set("a", "name")
    try set("1234", "secret")
    try set(nil, "secret")
    #expect(try store.history(of: draft).undoCount == 1)
    #expect(try store.undo(draft)?.values == ["name": nil])
  }

  @Test func aNewVersionOfTheForm() throws {
    try set("a", "name")
    try set("y", "note")
    var next = form
    next.sections[0].rows[1].serviceKey = "remark"
    next.sections[0].rows[1].formerKeys = ["note"]
    try store.add(next)
    try store.upgrade(draft)
    #expect(try store.undo(draft)?.values == ["name": nil])
    #expect(try values == ["remark": "y"])
  }

  @Test func discardedAndUnknownDrafts() throws {
    try set("a", "name")
    #expect(throws: StoreError.self) { try store.undo(DraftID()) }
    #expect(try store.undo(store.newDraft(of: "f").id) == nil)
    try store.discard(draft)
    #expect(throws: StoreError.self) { try store.undo(draft) }
    try store.purge()
    #expect(try store.check() == [])
  }
}
