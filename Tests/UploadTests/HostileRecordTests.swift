import DraftSync
import FormModel
import ServerSupport
import Testing

@testable import DraftStore

/// Records that hold what the form has no place for, or lack what it needs.
@Suite struct HostileRecordTests {
  private static let base: [String: FieldValue] = [
    "name": "Ada", "city": "Paris", "age": .integer(36), "extra": .json("x"),
  ]

  /// JSON of so many levels.
  private static func nested(_ depth: Int) -> JSONValue {
    (0..<depth).reduce(JSONValue.null) { value, _ in .array([value]) }
  }

  private static let unfit: [(key: String, value: JSONValue)] =
    [#"{"a": 1}"#, "[1, 2]", "true", #""many""#, "1.5", "1e300"].map { text in
      ("age", (try? JSONValue(parsing: text)) ?? "no JSON")
    } + [
      ("name", 5), ("name", ["a"]), ("extra", nested(FieldValue.maximumDepth + 1)),
    ]

  @Test(arguments: ["ask", "theirs", "mine"], [false, true])
  func whatAFieldCannotHoldIsNeverTaken(_ policy: String, _ isChangedHere: Bool) async throws {
    for (key, value) in Self.unfit {
      let rig = try Rig()
      let settings = try rig.settings(["conflictPolicy": .string(policy)])
      let ids = try (0..<2).map { _ in try rig.device.submitted(Self.base) }
      try await rig.push(settings)
      rig.kinto.change(ids[0].description, .object([key: value]))
      let own = ["age": .integer(40), "name": "Bea", "extra": .json("y")] as [String: FieldValue]
      for id in ids {
        try rig.device.submit(id, ["city": "Rome", key: isChangedHere ? own[key] : Self.base[key]])
      }
      let held = try rig.device.value(key, of: ids[0])
      let summary = try await rig.push(settings)
      try rig.expectUploaded(ids[1])
      #expect(try rig.device.value(key, of: ids[0]) == held)
      if policy != "mine" {
        #expect(summary.conflicts == 1)
        let conflict = try #require(try rig.device.store.conflicts(of: ids[0]).first)
        #expect(conflict.serviceKey == key)
        #expect(conflict.theirs?.json.isEquivalent(to: value) == true)
        #expect(throws: StoreError.self) {
          try rig.device.store.resolveConflicts(of: ids[0], [key: .theirs])
        }
        #expect(try rig.device.store.conflicts(of: ids[0]).count == 1)
        try rig.device.store.resolveConflicts(of: ids[0], [key: .mine])
        #expect(try await rig.push(settings).completed == 1)
      }
      try rig.expectUploaded(ids[0])
    }
  }

  /// The draft may have gone on to a version of the form that can't hold what the submission's could.
  @Test(arguments: ["ask", "theirs", "mine"])
  func whatANewerVersionCannotHoldIsNotTaken(_ policy: String) async throws {
    func form(_ type: DataType) -> Form {
      let kind: Row.Kind =
        type == .json
        ? .custom(CustomContent("any", dataType: .json)) : .input(InputContent(dataType: type))
      return Form(
        id: "f",
        sections: [
          Section(
            rows: [
              Row(key: "", serviceKey: "extra", kind: kind),
              Row(key: "", serviceKey: "city", kind: .input(InputContent())),
            ])
        ])
    }
    let rig = try Rig(form(.json))
    let settings = try rig.settings(["conflictPolicy": .string(policy)])
    let store = rig.device.store
    let id = try rig.device.submitted(["extra": .json("x"), "city": "Paris"])
    try await rig.push(settings)
    try rig.device.submit(id, ["city": "Rome"])
    try store.add(form(.string))
    try store.upgrade(id)
    rig.kinto.change(id.description, ["extra": ["a": 1]])
    #expect(try await rig.push(settings).conflicts == 1)
    #expect(try rig.device.value("extra", of: id) == "x")
    #expect(throws: StoreError.self) {
      try store.resolveConflicts(of: id, ["extra": .theirs])
    }
    try store.resolveConflicts(of: id, ["extra": .mine])
    try store.submit(id)
    try await rig.push(settings)
    #expect(try store.outbox().isEmpty)
    try rig.expectUploaded(id)
  }

  /// What is wrong with one draft is told there, and holds no other up.
  @Test func aDraftThatCannotBeReadIsPutAside() async throws {
    let rig = try Rig()
    let ids = try (0..<2).map { _ in try rig.device.submitted(Self.base) }
    try await rig.push()
    rig.kinto.change(ids[0].description, ["city": "Oslo"])
    for id in ids { try rig.device.submit(id, ["name": "Bea"]) }
    try rig.device.damage(ids[0])
    let summary = try await rig.push()
    #expect(summary.parked == 1)
    #expect(summary.completed == 1)
    #expect(try rig.item(of: ids[0]).lastError?.contains("check the store") == true)
    try rig.expectUploaded(ids[1])
  }

  enum Answer: String, CaseIterable {
    case wrapped, error, empty
  }

  /// A GET that is answered with anything but the record takes nothing away.
  @Test(arguments: Answer.allCases, ["ask", "theirs", "mine"])
  func whatIsNoRecordIsNotMerged(_ answer: Answer, _ policy: String) async throws {
    let rig = try Rig()
    let settings = try rig.settings(["conflictPolicy": .string(policy)])
    let id = try rig.device.submitted(Self.base)
    try await rig.push(settings)
    try rig.device.submit(id, ["city": "Rome"])
    let body =
      switch answer {
      case .wrapped: #"{"data": {"item": {"name": "Ada", "city": "Paris", "age": 36}}}"#
      case .error: #"{"data": {"status": "error", "message": "maintenance"}}"#
      case .empty: #"{"data": {}}"#
      }
    rig.proxy.next(
      .answer(412),
      .answer(200, headers: ["Content-Type: application/json", "ETag: \"9\""], body: body))
    let before = try rig.device.store.draft(id)
    let acknowledged = try rig.acknowledged(id)
    #expect(try await rig.push(settings).parked == 1)
    #expect(try rig.item(of: id).lastError?.contains("envelope") == true)
    #expect(try rig.device.store.draft(id).revision == before.revision)
    #expect(try rig.acknowledged(id) == acknowledged)
    try rig.device.store.retryOutbox()
    #expect(try await rig.push(settings).completed == 1)
    try rig.expectUploaded(id)
  }

  /// A record that others made is told from one within a member that the settings do not name.
  @Test func aRecordOfOthersIsMergedUnlessItIsWrapped() async throws {
    let rig = try Rig()
    let ids = try (0..<2).map { _ in try rig.device.submitted(Self.base) }
    for (id, json) in zip(ids, [#"{"data": {"stub": 1}}"#, #"{"data": {"of": {"name": "Cy"}}}"#]) {
      rig.kinto.request("PUT", "\(Kinto.collection)/records/\(id)", json)
    }
    let summary = try await rig.push()
    #expect(summary.completed == 1)
    #expect(summary.parked == 1)
    #expect(rig.kinto.record(ids[0].description)?["stub"] == 1)
    #expect(rig.kinto.record(ids[0].description)?["name"] == "Ada")
    #expect(rig.kinto.record(ids[1].description)?.count == 1)
  }

  private static var conditional: Form {
    Form(
      id: "conditional",
      sections: [
        Section(
          rows: [
            Row(key: "Kind", serviceKey: "kind", kind: .input(InputContent())),
            Row(
              key: "Name", serviceKey: "name", kind: .input(InputContent()),
              requiredType: .required),
            Row(
              key: "Detail", serviceKey: "detail", kind: .input(InputContent()),
              requiredType: .required, visibleWhen: .test(key: "kind", .equals("long"))),
            Row(key: "Note", serviceKey: "note", kind: .input(InputContent())),
          ])
      ])
  }

  /// A required field that is gone on the server is for a person, whatever the policy; one that is
  /// not required, or that others hid, is taken.
  @Test(arguments: ["ask", "theirs", "mine"], [nil, ""])
  func aRequiredFieldIsNotTakenAway(_ policy: String, _ emptied: String?) async throws {
    let rig = try Rig(Self.conditional)
    let settings = try rig.settings(["conflictPolicy": .string(policy)])
    let id = try rig.device.submitted(
      ["kind": "long", "name": "Ada", "detail": "d", "note": "n"])
    try await rig.push(settings)
    let gone: JSONValue = emptied.map(JSONValue.string) ?? .null
    rig.kinto.mergePatch(id.description, ["name": gone, "note": .null])
    try rig.device.submit(id, ["kind": "longer", "detail": nil])
    let summary = try await rig.push(settings)
    #expect(try rig.device.value("name", of: id) == "Ada")
    #expect(try rig.device.value("note", of: id) == nil)
    if policy != "mine" {
      #expect(summary.conflicts == 1)
      #expect(try rig.device.store.conflicts(of: id).map(\.serviceKey) == ["name"])
      try rig.device.store.resolveConflicts(of: id, ["name": .mine])
      #expect(try await rig.push(settings).completed == 1)
    }
    try rig.expectUploaded(id)
  }

  @Test func whatOthersHidIsTakenAway() async throws {
    let rig = try Rig(Self.conditional)
    let id = try rig.device.submitted(
      ["kind": "long", "name": "Ada", "detail": "d", "note": "n"])
    try await rig.push()
    rig.kinto.mergePatch(id.description, ["kind": "short", "detail": .null])
    try rig.device.submit(id, ["note": "m"])
    #expect(try await rig.push().completed == 1)
    #expect(try rig.device.value("kind", of: id) == "short")
    try rig.expectUploaded(id)
  }
}

extension Device {
  /// Makes a draft's numbers unreadable.
  fileprivate func damage(_ id: DraftID) throws {
    try store.database.write {
      try $0.run(
        """
        UPDATE draft_value SET value = 'x' WHERE type = 'integer' AND draft = (
          SELECT number FROM draft WHERE id = ?)
        """, .text(id.description))
    }
  }
}
