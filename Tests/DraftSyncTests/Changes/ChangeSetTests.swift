import DraftStore
import DraftSync
import FormModel
import Testing

@Suite struct ChangeSetTests {
  private static func entries(_ values: [(String, FieldValue)]) -> [FormParam.Entry] {
    values.map { FormParam.Entry(serviceKey: $0.0, value: $0.1) }
  }

  private static func decimal(_ text: String) -> FieldValue { .typed(text, as: .decimal) }

  @Test func fieldsAreAddedChangedAndRemoved() {
    let old = Self.entries([("a", .string("1")), ("b", .integer(2)), ("c", .boolean(true))])
    let new = Self.entries([("d", .tags(["x"])), ("b", .integer(3)), ("a", .string("1"))])
    let set = ChangeSet(base: 4, from: old, to: new)
    #expect(
      set.changes == [
        .added("d", .tags(["x"])), .changed("b", from: .integer(2), to: .integer(3)),
        .removed("c", .boolean(true)),
      ])
    #expect(set.changes.map(\.kind) == [.added, .changed, .removed])
    #expect(set.base == 4 && !set.isEmpty)
    #expect(set.applied(to: old).map(\.serviceKey) == ["a", "b", "d"])
    #expect(set.applied(to: old).isEquivalent(to: new))
  }

  /// Pairs that a server can't tell apart.
  @Test func theSameValueInOtherDigitsIsNoChange() {
    let pairs: [(FieldValue, FieldValue)] = [
      (Self.decimal("1.50"), Self.decimal("1.5")), (Self.decimal("-0"), Self.decimal("0")),
      (Self.decimal("1E+2"), .integer(100)), (Self.decimal("100"), Self.decimal("1e2")),
      (.json(["a": 1, "b": 2]), .json(["b": 2, "a": 1])), (.option("x"), .string("x")),
    ]
    for (a, b) in pairs {
      let set = ChangeSet(from: Self.entries([("k", a)]), to: Self.entries([("k", b)]))
      #expect(set.isEmpty, "\(a) \(b)")
    }
  }

  @Test func whatLooksAlikeAndIsNotIsAChange() {
    let values: [FieldValue?] = [
      nil, .null, .string(""), .string(" "), .string("1"), .integer(1), Self.decimal("1.01"),
      .boolean(true), .string("true"), .string("é"), .string("e\u{301}"), .tags([]),
      .tags(["1"]), .tags([1]), .tags([1, "1"]), .tags(["1", 1]), .json([:]),
      Self.decimal("0.1"), Self.decimal("0.10000000000000000001"),
      .typed("2024-01-01T00:00:00Z", as: .dateTime),
      .typed("2024-01-01T08:00:00+08:00", as: .dateTime),
    ]
    for (i, a) in values.enumerated() {
      for (j, b) in values.enumerated() {
        let old = Self.entries(a.map { [("k", $0)] } ?? [])
        let new = Self.entries(b.map { [("k", $0)] } ?? [])
        let set = ChangeSet(from: old, to: new)
        #expect(set.isEmpty == (i == j), "\(String(describing: a)) \(String(describing: b))")
        #expect(set.applied(to: old).isEquivalent(to: new))
      }
    }
  }

  @Test func keysThatDifferInTheirBytesAreTwoKeys() {
    let old = Self.entries([("é", .integer(1))])
    let new = Self.entries([("e\u{301}", .integer(1))])
    let set = ChangeSet(from: old, to: new)
    #expect(set.changes.map(\.kind) == [.added, .removed])
    #expect(set.applied(to: old).isEquivalent(to: new))
    #expect(ChangeSet(from: old, to: [], keeping: ["e\u{301}"]).changes.count == 1)
    #expect(ChangeSet(from: old, to: [], keeping: ["é"]).isEmpty)
  }

  @Test func aMergePatchSaysWhatItCan() throws {
    let old = Self.entries([("a", .string("1")), ("gone", .integer(2)), ("same", .integer(3))])
    let new = Self.entries([("a", Self.decimal("1.50")), ("same", .integer(3)), ("t", .tags([]))])
    let patch = try ChangeSet(from: old, to: new).mergePatch()
    #expect(patch.json.jsonText == #"{"a":1.50,"t":[],"gone":null}"#)
    #expect(try ChangeSet(from: new, to: new).mergePatch().json == [:])
  }

  @Test func aMergePatchOfNullIsRefusedWithItsReason() throws {
    let nulls: [FieldValue] = [
      .null, .json(nil), .json(["a": nil]), .json(["a": ["b": ["c": nil]]]),
    ]
    for value in nulls {
      let set = ChangeSet(from: [], to: Self.entries([("key", value)]))
      let error = #expect(throws: MergePatchError.self) { try set.mergePatch() }
      #expect(error?.key == "key")
      #expect(error?.description.contains("use a JSON patch") == true)
      #expect(set.jsonPatch.operations == [.add(path: JSONPointer(key: "key"), value: value.json)])
    }
    // Null in a list is plain data, and a null that is there already needs no saying.
    let list = Self.entries([("key", .json([nil, ["a": 1]]))])
    #expect(throws: Never.self) { try ChangeSet(from: [], to: list).mergePatch() }
    let old = Self.entries([("key", .json(["a": nil, "b": 1]))])
    let new = Self.entries([("key", .json(["a": nil, "b": 2]))])
    let patch = try ChangeSet(from: old, to: new).mergePatch()
    #expect(patch.json == ["key": ["b": 2]])
  }

  @Test func nestedObjectsAreMergedMemberByMember() throws {
    let old = Self.entries([("k", .json(["a": ["x": 1, "y": 2], "b": [1], "c": "t"]))])
    let new = Self.entries([("k", .json(["a": ["x": 1, "z": ["n": 1]], "b": [2], "d": [:]]))])
    let set = ChangeSet(from: old, to: new)
    let patch = try set.mergePatch()
    #expect(
      patch.json == ["k": ["c": nil, "a": ["y": nil, "z": ["n": 1]], "b": [2], "d": [:]]])
    let document = JSONValue.object(old.param)
    #expect(patch.applied(to: document).isEquivalent(to: .object(new.param)))
    #expect(try set.jsonPatch.applied(to: document).isEquivalent(to: .object(new.param)))
    // An object that becomes a text, and the other way round.
    for (a, b) in [(old, Self.entries([("k", .string("t"))]))] {
      for (from, to) in [(a, b), (b, a)] {
        let patch = try ChangeSet(from: from, to: to).mergePatch()
        #expect(patch.applied(to: .object(from.param)).isEquivalent(to: .object(to.param)))
      }
    }
  }

  @Test func pathsOfAJSONPatchAreEscaped() throws {
    let old = Self.entries([("a/b", .integer(1)), ("m~n", .integer(1)), ("", .integer(1))])
    let new = Self.entries([("a/b", .integer(2)), ("~1", .integer(3))])
    let set = ChangeSet(from: old, to: new)
    let text = set.jsonPatch.json.jsonText
    #expect(text.contains("\"/a~1b\"") && text.contains("\"/~01\"") && text.contains("\"/m~0n\""))
    let patched = try set.jsonPatch.applied(to: .object(old.param))
    #expect(patched.isEquivalent(to: .object(new.param)))
  }
}
