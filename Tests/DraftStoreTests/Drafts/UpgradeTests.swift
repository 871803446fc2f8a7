import DraftStore
import FormModel
import FormSamples
import Testing

@Suite struct UpgradeTests {
  private func upgraded(
    _ values: [String: FieldValue], from old: Form, to new: Form, focus: String? = nil
  ) throws -> (upgrade: DraftUpgrade, draft: Draft, test: TestStore) {
    let test = try TestStore(old)
    let id = try test.store.newDraft(of: old.id, isWritten: true).id
    try test.store.edit(id) { edit in
      for (key, value) in values { edit.set(value, for: key) }
      edit.focus = focus
    }
    try test.store.add(new)
    let upgrade = try test.store.upgrade(id)
    return (upgrade, try test.store.draft(id), test)
  }

  @Test func unchangedKeysCarryOverAlsoFromOneSectionToAnother() throws {
    let old = SampleForms.form("f", SampleForms.input("a"), SampleForms.input("b"))
    let new = Form(
      id: "f",
      sections: [
        Section(title: "1", rows: [SampleForms.input("b")]),
        Section(title: "2", rows: [SampleForms.input("new"), SampleForms.input("a")]),
      ])
    let (upgrade, draft, test) = try upgraded(
      ["a": .string("1"), "b": .string("2")], from: old, to: new)
    #expect((upgrade.from, upgrade.to) == (1, 2))
    #expect(upgrade.renamed.isEmpty && upgrade.converted.isEmpty && upgrade.needsAttention.isEmpty)
    #expect(draft.values == ["a": .string("1"), "b": .string("2")] && draft.version == 2)
    // Once more is nothing, and writes nothing but what was there.
    #expect(try test.store.upgrade(draft.id).from == 2)
    #expect(try test.store.draft(draft.id) == draft)
  }

  @Test func renamedRowsTakeTheirValuesAndTheFocusAlong() throws {
    let old = SampleForms.form(
      "f", SampleForms.input("a"), SampleForms.tags("t", ["x", 1]),
      Row(key: "memo", kind: .input(InputContent())))
    let new = SampleForms.form(
      "f", SampleForms.input("b", formerKeys: ["older", "a"]),
      Row(
        key: "", serviceKey: "u", kind: .tags(TagsContent([Tag("x", "X"), Tag(1, "1")])),
        formerKeys: ["t"]), SampleForms.input("note", formerKeys: ["memo"]))
    let (upgrade, draft, test) = try upgraded(
      ["a": .string("1"), "t": .tags([1, "x"]), "memo": .string("m")], from: old, to: new,
      focus: "a")
    #expect(upgrade.renamed.map { "\($0.from) \($0.to)" } == ["a b", "t u", "memo note"])
    #expect(
      draft.values == ["b": .string("1"), "u": .tags([1, "x"]), "note": .string("m")])
    #expect(draft.focus == "b")
    #expect(try test.store.find(DraftQuery([.init("note", .exists)])).matches.count == 1)
    #expect(try test.store.find(DraftQuery([.init("t", .equals("x"))])).matches.isEmpty)
    #expect(try test.store.check().isEmpty)
  }

  @Test func aRowThatGetsAServiceKeyOfTheSameNameIsFoundByIt() throws {
    let local = SampleForms.form("f", Row(key: "memo", kind: .input(InputContent())))
    let submitted = SampleForms.form("f", SampleForms.input("memo"))
    let query = DraftQuery([.init("memo", .exists)])
    let up = try upgraded(["memo": .string("m")], from: local, to: submitted).test
    #expect(try up.store.find(query).matches.count == 1)
    let down = try upgraded(["memo": .string("m")], from: submitted, to: local).test
    #expect(try down.store.find(query).matches.isEmpty)
  }

  @Test func valuesOfRowsThatAreGoneAreKeptListedAndNotSubmitted() throws {
    let old = SampleForms.form("f", SampleForms.input("a"), SampleForms.input("gone"))
    let new = SampleForms.form("f", SampleForms.input("a"))
    let (upgrade, draft, test) = try upgraded(
      ["a": .string("1"), "gone": .string("2")], from: old, to: new)
    #expect(upgrade.needsAttention.map(\.key) == ["gone"])
    #expect(upgrade.needsAttention.map(\.reason) == [.orphan])
    #expect(draft["gone"] == .string("2"))
    #expect(try test.store.submit(draft.id).param.keys == ["a"])
    // They come back with their row.
    try test.store.add(old)
    #expect(try test.store.upgrade(draft.id).needsAttention.isEmpty)
    #expect(try test.store.param(of: draft.id).param.keys == ["a", "gone"])
  }

  @Test func optionsAndTagsThatAreGoneAreFlaggedNotDropped() throws {
    let old = SampleForms.form(
      "f", SampleForms.option("o", ["x", "y"]), SampleForms.tags("t", ["x", "y", 1]))
    let new = SampleForms.form(
      "f", SampleForms.option("o", ["y", "z"]), SampleForms.tags("t", ["x", "z"], least: 2))
    let (upgrade, draft, test) = try upgraded(
      ["o": .option("x"), "t": .tags([1, "x"])], from: old, to: new)
    #expect(upgrade.needsAttention.map(\.key) == ["o", "t"])
    #expect(upgrade.needsAttention.allSatisfy { $0.reason == .unknownOption })
    #expect(draft.values == ["o": .option("x"), "t": .tags([1, "x"])])
    let tags = try #require(try test.store.form("f").field("t")?.tagsContent)
    let selection = tags.selection(of: draft["t"])
    #expect(selection.selected.map(\.id) == ["x"] && selection.unknown == [1])
    #expect(!selection.isEnough)
    #expect(try !test.store.param(of: draft.id).isValid)
    // What is gone can be taken away by its name.
    let after = try test.store.selectTags(adding: ["z"], removing: ["1"], of: "t", in: draft.id)
    #expect(after.selected.map(\.id) == ["x", "z"] && after.unknown.isEmpty && after.isEnough)
  }

  @Test func anOptionThatOnlyBecameANumberIsStillMeant() throws {
    let old = SampleForms.form("f", SampleForms.option("o", ["1", "é"]))
    let new = SampleForms.form("f", SampleForms.option("o", [1, "e\u{301}"]))
    let (upgrade, draft, _) = try upgraded(["o": .option("1")], from: old, to: new)
    #expect(draft["o"] == .option(1) && upgrade.converted == ["o"])
    // Not one that looks the same and has other bytes.
    let kept = try upgraded(["o": .option("é")], from: old, to: new)
    #expect(kept.draft["o"] == .option("é") && kept.upgrade.needsAttention.count == 1)
  }

  @Test func anUntouchedDraftIsUpgradedWithoutBeingWritten() throws {
    let test = try TestStore(SampleForms.form("f", SampleForms.input("a")))
    let id = try test.store.newDraft(of: "f").id
    try test.store.add(SampleForms.form("f", SampleForms.input("b")))
    #expect(try test.store.upgrade(id).to == 2)
    #expect(try test.count("draft") == 0)
    #expect(storeError { try test.store.set(.null, for: "a", in: id) }?.code == "unknownField")
    try test.store.set(.string("x"), for: "b", in: id)
    #expect(try test.store.draft(id).version == 2)
  }

  @Test func aSubmittedDraftAsksForAnotherSubmissionOfTheNewVersion() throws {
    let old = SampleForms.form("f", SampleForms.input("a"))
    let test = try TestStore(old)
    let id = try test.store.newDraft(of: "f").id
    try test.store.set(.string("x"), for: "a", in: id)
    try test.store.submit(id)
    try test.store.add(SampleForms.form("f", SampleForms.input("a"), SampleForms.input("b")))
    try test.store.upgrade(id)
    let second = try test.store.submit(id)
    #expect(second.number == 2 && second.version == 2 && second.follows == 1)
    #expect(try test.store.submission(1, of: id).version == 1)
    #expect(storeError { try test.store.upgrade(id, to: 3) }?.code == "unknownVersion")
  }

  /// Whatever the forms, every value is afterwards where it was, moved or converted.
  @Test func nothingIsDropped() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<40 {
      let old = RandomForm.form(using: &random)
      var new = RandomForm.form(using: &random)
      new.id = old.id
      // Rows of the old form stay, go, or are renamed.
      for row in old.rows where random.oneIn(2) { Self.take(row, into: &new, using: &random) }
      guard (try? new.check()) != nil else { continue }
      let values = RandomForm.values(for: old, using: &random)
      let before = try upgraded(values, from: old, to: old).draft
      let (upgrade, draft, test) = try upgraded(values, from: old, to: new)
      #expect(draft.fields.count == before.fields.count)
      let renamed = Dictionary(uniqueKeysWithValues: upgrade.renamed.map { ($0.from, $0.to) })
      for field in before.fields {
        let key = renamed[field.key] ?? field.key
        let saved = try #require(draft[key])
        if saved != field.value {
          #expect(upgrade.converted.contains(key))
          #expect(saved.json.isEquivalent(to: field.value.json) || Self.texts(saved, field.value))
        }
      }
      #expect(try test.store.check().isEmpty)
    }
  }

  /// Whether both have the same text, a list of one tag that of its tag.
  private static func texts(_ a: FieldValue, _ b: FieldValue) -> Bool {
    func text(_ value: FieldValue) -> String {
      if case .tags(let ids) = value, ids.count == 1 { ids[0].description } else { value.text }
    }
    return text(a).hasSameBytes(as: text(b))
  }

  private static func take(_ row: Row, into form: inout Form, using random: inout SeededGenerator) {
    var row = row
    (row.visibleWhen, row.requiredWhen, row.enabledWhen) = (nil, nil, nil)
    row.formerKeys = []
    if let key = row.serviceKey, random.oneIn(2) {
      row.serviceKey = "new-" + key
      row.formerKeys = [key]
    }
    form.sections.append(Section(rows: [row]))
  }

  /// There and back again: what was typed last under either name is what a draft has.
  @Test func aRenamedFieldComesBackUnderItsEarlierName() throws {
    let test = try TestStore(SampleForms.form("r", SampleForms.input("name")))
    var renamed = SampleForms.form("r", SampleForms.input("fullName"))
    renamed.sections[0].rows[0].formerKeys = ["name"]
    try test.store.add(renamed)
    let id = try test.store.newDraft(of: "r", version: 1).id
    try test.store.set(.string("Li"), for: "name", in: id)
    try test.store.upgrade(id)
    #expect(try test.store.draft(id).values == ["fullName": .string("Li")])
    let back = try test.store.upgrade(id, to: 1)
    #expect(back.renamed.map(\.from) == ["fullName"] && back.renamed.map(\.to) == ["name"])
    try test.store.set(.string("Wang"), for: "name", in: id)
    try test.store.upgrade(id)
    #expect(try test.store.draft(id).values == ["fullName": .string("Wang")])
  }

  /// A value whose row is gone can be taken away by hand, and by nothing else.
  @Test func anOrphanCanBeTakenAway() throws {
    let test = try TestStore(
      SampleForms.form("o", SampleForms.input("a"), SampleForms.input("gone")))
    let id = try test.store.newDraft(of: "o").id
    try test.store.edit(id) {
      $0.set(.string("x"), for: "a")
      $0.set(.string("y"), for: "gone")
    }
    try test.store.add(SampleForms.form("o", SampleForms.input("a")))
    try test.store.upgrade(id)
    #expect(throws: StoreError.self) { try test.store.set(.string("z"), for: "gone", in: id) }
    #expect(try test.store.draft(id)["gone"] == .string("y"))
    #expect(try test.store.set(nil, for: "gone", in: id).changedKeys == ["gone"])
    #expect(try test.store.draft(id).values == ["a": .string("x")])
    #expect(throws: StoreError.self) { try test.store.set(nil, for: "gone", in: id) }
  }
}
