import DraftDatabase
import DraftStore
import DraftSync
import FormModel
import Testing

@Suite struct DraftChangesTests {
  @Test func theFirstSubmissionIsAllAddedAndTheNextCarriesOnlyTheChanges() throws {
    let test = try ChangeStore(
      ChangeForms.form(ChangeForms.input("a"), ChangeForms.input("b", .decimal)))
    try test.set("a", .string("1"))
    try test.set("b", .typed("1.50", as: .decimal))
    #expect(try test.changes() == ["a added", "b added"])
    try test.store.submit(test.id)
    #expect(try test.changes().isEmpty)
    try test.set("b", .typed("1.5", as: .decimal))
    #expect(try test.changes().isEmpty)
    try test.set("a", .string("2"))
    let set = try test.store.changes(of: test.id)
    #expect(
      set == ChangeSet(base: 1, changes: [.changed("a", from: .string("1"), to: .string("2"))]))
    try test.set("a", .string("1"))
    #expect(try test.changes().isEmpty)
  }

  @Test func absentNullAndEmptyAreThreeThings() throws {
    let test = try ChangeStore(ChangeForms.form(ChangeForms.input("a"), ChangeForms.input("b")))
    try test.set("a", .string("x"))
    try test.set("b", .string("y"))
    try test.store.submit(test.id)
    for (value, expected) in [
      (FieldValue.null, ["a changed"]), (.string(""), ["a changed"]), (nil, ["a removed"]),
      (.string("x"), []),
    ] {
      try test.set("a", value)
      #expect(try test.changes() == expected)
    }
  }

  @Test func aClearedFieldIsSaidAsTheFormSubmitsIt() throws {
    for (empty, expected) in [
      (EmptyValues.omit, FieldChange.removed("a", .string("x"))),
      (.null, .changed("a", from: .string("x"), to: .null)),
      (.emptyString, .changed("a", from: .string("x"), to: .string(""))),
    ] {
      let test = try ChangeStore(
        ChangeForms.form(ChangeForms.input("a"), ChangeForms.input("b"), emptyValues: empty))
      try test.set("a", .string("x"))
      try test.store.submit(test.id)
      try test.set("a", nil)
      #expect(try test.store.changes(of: test.id).changes == [expected])
    }
  }

  @Test func ofADraftThatIsNotValidNoChangesAreMade() throws {
    let test = try ChangeStore(ChangeForms.form(ChangeForms.input("n", .integer)))
    try test.set("n", .integer(1))
    try test.store.submit(test.id)
    try test.set("n", .string("one"))
    for base in ChangeBase.allCases {
      let error = #expect(throws: StoreError.self) {
        try test.store.changes(of: test.id, against: base)
      }
      #expect(error?.code == "notValid")
    }
    #expect(throws: StoreError.self) { try test.store.changes(of: DraftID()) }
  }

  @Test func aFieldThatBecameHiddenIsRemovedUnlessItsRowKeepsIt() throws {
    let whenShown = Condition.test(key: "show", .equals(true))
    let test = try ChangeStore(
      ChangeForms.form(
        ChangeForms.input("show", .boolean), ChangeForms.input("goes", visibleWhen: whenShown),
        ChangeForms.input("stays", visibleWhen: whenShown, keeps: true)))
    try test.set("show", .boolean(true))
    try test.set("goes", .string("1"))
    try test.set("stays", .string("2"))
    try test.store.submit(test.id)
    try test.set("show", .boolean(false))
    #expect(try test.changes() == ["show changed", "goes removed"])
    // The draft keeps both; shown again, nothing differs.
    #expect(try test.store.draft(test.id).fields.count == 3)
    try test.set("show", .boolean(true))
    #expect(try test.changes().isEmpty)
    // Taken away while it is shown, it is a removal.
    try test.set("stays", nil)
    #expect(try test.changes() == ["stays removed"])
  }

  @Test func aFilteredKeyIsNoRemoval() throws {
    let test = try ChangeStore(ChangeForms.form(ChangeForms.input("a"), ChangeForms.input("b")))
    try test.set("a", .string("1"))
    try test.set("b", .string("2"))
    let options = FormParam.Options(filterServiceKeys: ["b"])
    let converted = [FormParam.Entry(serviceKey: "b", value: .integer(2))]
    try test.store.submit(test.id, options: options, adding: converted)
    #expect(try test.changes(options).isEmpty)
    #expect(try test.changes(options, adding: converted).isEmpty)
    try test.set("b", .string("3"))
    #expect(try test.changes(options).isEmpty)
    let changed = [FormParam.Entry(serviceKey: "b", value: .integer(3))]
    #expect(try test.changes(options, adding: changed) == ["b changed"])
  }

  @Test func whatTheAppAddedItselfIsNoRemoval() throws {
    let test = try ChangeStore(ChangeForms.form(ChangeForms.input("a")))
    try test.set("a", .string("1"))
    let token = FormParam.Entry(serviceKey: "token", value: .string("t"))
    try test.store.submit(test.id, adding: [token])
    #expect(try test.changes().isEmpty)
    let other = FormParam.Entry(serviceKey: "token", value: .string("u"))
    #expect(try test.changes(adding: [other]) == ["token changed"])
    #expect(throws: StoreError.self) {
      try test.changes(adding: [FormParam.Entry(serviceKey: "a", value: .null)])
    }
  }

  @Test func aRowThatANewVersionHasNoMoreIsARemoval() throws {
    let test = try ChangeStore(ChangeForms.form(ChangeForms.input("a"), ChangeForms.input("old")))
    try test.set("a", .string("1"))
    try test.set("old", .string("2"))
    let token = FormParam.Entry(serviceKey: "token", value: .string("t"))
    try test.store.submit(test.id, adding: [token])
    let renamed = Row(
      key: "", serviceKey: "new", kind: .input(InputContent()), formerKeys: ["old"])
    try test.store.add(ChangeForms.form(ChangeForms.input("a"), renamed))
    try test.store.upgrade(test.id)
    #expect(try test.changes() == ["new added", "old removed"])
  }

  @Test func untouchedDefaultsAreNoChangesAfterASubmission() throws {
    let option = Row(
      key: "", serviceKey: "unit",
      kind: .option(OptionContent([Option("a", "A"), Option("b", "B")], selectedIndex: 0)))
    let test = try ChangeStore(ChangeForms.form(option))
    try test.store.submit(test.id)
    #expect(try test.changes().isEmpty)
    try test.set("unit", .option("a"))
    #expect(try test.changes().isEmpty)
    try test.set("unit", .option("b"))
    #expect(try test.changes() == ["unit changed"])
  }

  @Test func whatTheServerAcknowledgedIsABaseOfItsOwn() throws {
    let test = try ChangeStore(ChangeForms.form(ChangeForms.input("a"), ChangeForms.input("b")))
    try test.set("a", .string("1"))
    try test.set("b", .string("2"))
    try test.store.submit(test.id)
    let all = try test.store.changes(of: test.id, against: .acknowledged)
    #expect(all.base == nil && all.changes.map(\.kind) == [.added, .added])
    #expect(try test.store.changes(of: test.id, against: .submitted).isEmpty)
  }

  @Test func theAcknowledgedValuesAreComparedAsValues() throws {
    let test = try ChangeStore(
      ChangeForms.form(
        ChangeForms.input("a"), ChangeForms.input("n", .decimal), ChangeForms.input("gone")))
    try test.store.database.write { connection in
      for (key, type, value) in [
        ("a", "string", "old"), ("n", "decimal", "1.50"), ("gone", "string", "x"),
        ("id", "string", "the server's own"),
      ] {
        try connection.run(
          """
          INSERT INTO acknowledged_value (draft, service_key, type, value)
          SELECT number, ?, ?, ? FROM draft
          """, .text(key), .text(type), .text(value))
      }
    }
    try test.set("a", .string("new"))
    try test.set("n", .typed("1.5", as: .decimal))
    #expect(
      try test.store.changes(of: test.id, against: .acknowledged).changes == [
        .changed("a", from: .string("old"), to: .string("new")), .removed("gone", .string("x")),
      ])
  }
}
