import DraftStore
import DraftSync
import FormModel
import ServerSupport
import Testing

/// Two devices on one record.
@Suite struct MergeTests {
  /// Two devices that hold what the server holds.
  private func pair(_ values: [String: FieldValue]) async throws -> (Rig, Device, DraftID) {
    let rig = try Rig()
    let id = try rig.device.submitted(values)
    try await rig.push()
    return (rig, try Device(copying: rig.device), id)
  }

  private static let base: [String: FieldValue] = [
    "name": "Ada", "city": "Paris", "phone": "1", "note": "old", "age": .integer(36),
  ]

  @Test func whatOnlyOneSideChangedIsTaken() async throws {
    let (rig, other, id) = try await pair(Self.base)
    try other.submit(id, ["city": "Rome", "note": nil, "extra": .json([1])])
    try await rig.push(nil, other)
    try rig.device.submit(id, ["name": "Bea", "age": .integer(37)])
    let summary = try await rig.push()
    #expect(summary.completed == 1)
    #expect(summary.conflicts == 0)
    for device in [rig.device, other] {
      if device === other {
        try device.submit(id, ["phone": "2"])
        try await rig.push(nil, device)
      }
      #expect(try device.value("name", of: id) == "Bea")
      #expect(try device.value("city", of: id) == "Rome")
      #expect(try device.value("note", of: id) == nil)
      #expect(try device.value("age", of: id) == .integer(37))
      #expect(try device.value("extra", of: id) == .json([1]))
      try rig.expectUploaded(id, device)
    }
    let sent = rig.proxy.mutations.compactMap(\.json)
    #expect(sent.filter { $0["data"]?["city"] != nil }.count == 2, "taken, and not sent back")
  }

  @Test(arguments: ["mine", "theirs", "value"])
  func whatBothChangedIsForAPerson(_ choice: String) async throws {
    let (rig, other, id) = try await pair(Self.base)
    let store = rig.device.store
    try other.submit(id, ["city": "Rome", "note": "theirs"])
    try await rig.push(nil, other)
    try rig.device.submit(id, ["city": "Oslo", "name": "Bea"])
    let summary = try await rig.push()
    #expect(summary.conflicts == 1)
    #expect(
      try store.conflicts(of: id) == [
        Conflict(draft: id, serviceKey: "city", base: "Paris", mine: "Oslo", theirs: "Rome")
      ])
    #expect(try rig.item(of: id).state == .conflict)
    #expect(rig.kinto.record(id.description)?["city"] == "Rome", "nothing is overwritten")
    #expect(try rig.device.value("city", of: id) == "Oslo")
    #expect(try rig.device.value("note", of: id) == "theirs")
    #expect(try await rig.push().requests == 0)
    let (decision, result): (ConflictChoice, FieldValue) =
      switch choice {
      case "mine": (.mine, "Oslo")
      case "theirs": (.theirs, "Rome")
      default: (.value("Bonn"), "Bonn")
      }
    #expect(throws: StoreError.self) {
      try store.resolveConflicts(of: id, ["name": .mine])
    }
    #expect(try store.resolveConflicts(of: id, ["city": decision]).isEmpty)
    #expect(try await rig.push().completed == 1)
    #expect(rig.kinto.record(id.description)?["city"] == result.json)
    #expect(rig.kinto.record(id.description)?["name"] == "Bea")
    #expect(try rig.device.value("city", of: id) == result)
    try rig.expectUploaded(id)
  }

  @Test(arguments: ["mine", "theirs"]) func thePolicyDecides(_ policy: String) async throws {
    let (rig, other, id) = try await pair(Self.base)
    try other.submit(id, ["city": "Rome", "phone": "9"])
    try await rig.push(nil, other)
    try rig.device.submit(id, ["city": "Oslo", "name": "Bea"])
    let settings = try rig.settings(["conflictPolicy": .string(policy)])
    #expect(try await rig.push(settings).completed == 1)
    #expect(try rig.device.value("city", of: id) == (policy == "mine" ? "Oslo" : "Rome"))
    #expect(try rig.device.value("phone", of: id) == "9")
    try rig.expectUploaded(id)
  }

  @Test func bothChangedToTheSameIsSettled() async throws {
    let (rig, other, id) = try await pair(Self.base)
    for device in [other, rig.device] { try device.submit(id, ["city": "Rome", "note": nil]) }
    try await rig.push(nil, other)
    rig.proxy.reset()
    #expect(try await rig.push().completed == 1)
    #expect(rig.proxy.mutations.count == 1)
    try rig.expectUploaded(id)
  }

  /// A removal against a change is a conflict, either way; so are null, "" and absence.
  @Test(
    arguments: [
      (nil, "new"), ("new", nil), (.json(.null), nil), (.json(""), .json(.null)), (.json(""), nil),
    ] as [(FieldValue?, FieldValue?)])
  func removalsConflictWithChanges(_ mine: FieldValue?, _ theirs: FieldValue?) async throws {
    let (rig, other, id) = try await pair(["name": "Ada", "extra": .json("base")])
    try other.submit(id, ["extra": theirs])
    try await rig.push(nil, other)
    try rig.device.submit(id, ["extra": mine])
    #expect(try await rig.push().conflicts == 1)
    let conflict = try #require(try rig.device.store.conflicts().first)
    #expect(conflict.base?.json == "base")
    #expect(conflict.mine?.json == mine?.json)
    #expect(conflict.theirs?.json == theirs?.json)
    try rig.device.store.resolveConflicts(of: id, ["extra": .theirs])
    #expect(try await rig.push().completed == 1)
    #expect(try rig.device.value("extra", of: id)?.json == theirs?.json)
    try rig.expectUploaded(id)
  }

  /// What a person typed since the submission is not overwritten by what only the server changed.
  @Test func aDraftThatWasEditedSinceIsAsked() async throws {
    let (rig, other, id) = try await pair(Self.base)
    try other.submit(id, ["city": "Rome", "phone": "9"])
    try await rig.push(nil, other)
    try rig.device.submit(id, ["name": "Bea"])
    try rig.device.edit(id, ["city": "Oslo"])
    #expect(try await rig.push().conflicts == 1)
    #expect(
      try rig.device.store.conflicts() == [
        Conflict(draft: id, serviceKey: "city", base: "Paris", mine: "Oslo", theirs: "Rome")
      ])
    #expect(try rig.device.value("city", of: id) == "Oslo")
    #expect(try rig.device.value("phone", of: id) == "9")
    try rig.device.store.resolveConflicts(of: id, ["city": .mine])
    #expect(try await rig.push().completed == 1)
    // Not submitted yet, so not sent yet.
    #expect(rig.kinto.record(id.description)?["city"] == "Rome")
    try rig.device.submit(id, [:])
    #expect(try await rig.push().completed == 1)
    try rig.expectUploaded(id)
    #expect(rig.kinto.record(id.description)?["city"] == "Oslo")
  }

  @Test func theirsIsTakenButNotOverALaterEdit() async throws {
    let (rig, other, id) = try await pair(Self.base)
    try other.submit(id, ["city": "Rome"])
    try await rig.push(nil, other)
    try rig.device.submit(id, ["city": "Oslo"])
    try await rig.push()
    try rig.device.edit(id, ["city": "Bonn"])
    try rig.device.store.resolveConflicts(of: id, ["city": .theirs])
    #expect(try await rig.push().completed == 1)
    #expect(rig.kinto.record(id.description)?["city"] == "Rome")
    #expect(try rig.device.value("city", of: id) == "Bonn", "typed last, for the next submission")
  }

  /// A submission that is queued behind the one that is merged does not revert what was taken.
  @Test(arguments: [false, true])
  func whatIsQueuedBehindAMergeIsMergedToo(_ isBothChanged: Bool) async throws {
    let (rig, other, id) = try await pair(Self.base)
    try other.submit(id, ["city": "Rome", "phone": "9"])
    try await rig.push(nil, other)
    try rig.device.submit(id, ["name": "Bea"])
    // The first is tried, without an outcome; the second comes while it waits.
    rig.proxy.next(.closeAfterReading)
    try await rig.push()
    try rig.device.submit(id, isBothChanged ? ["city": "Oslo"] : ["note": "new"])
    #expect(try rig.device.store.outbox().count == 2)
    rig.device.clock.move(by: .seconds(7200))
    let summary = try await rig.push()
    #expect(summary.conflicts == (isBothChanged ? 1 : 0))
    if isBothChanged {
      let conflict = Conflict(
        draft: id, serviceKey: "city", base: "Paris", mine: "Oslo", theirs: "Rome")
      #expect(try rig.device.store.conflicts() == [conflict])
      try rig.device.store.resolveConflicts(of: id, ["city": .mine])
      #expect(try await rig.push().completed == 2)
    }
    let record = try #require(rig.kinto.record(id.description))
    #expect(record["city"] == (isBothChanged ? "Oslo" : "Rome"))
    #expect(record["phone"] == "9")
    #expect(record["name"] == "Bea")
    try rig.expectUploaded(id)
  }

  /// A conflict is about what was submitted last; dropping its item does not forget it.
  @Test func aNewSubmissionDuringAConflictWaitsForTheDecision() async throws {
    let (rig, other, id) = try await pair(Self.base)
    let store = rig.device.store
    try other.submit(id, ["city": "Rome"])
    try await rig.push(nil, other)
    try rig.device.submit(id, ["city": "Oslo"])
    try await rig.push()
    try rig.device.submit(id, ["city": "Bonn"])
    #expect(try store.conflicts().map(\.mine) == ["Bonn"])
    try store.dropFromOutbox(store.outbox().map(\.id))
    try rig.device.submit(id, ["name": "Bea"])
    #expect(try store.outbox().map(\.state) == [.conflict])
    #expect(try await rig.push().conflicts == 1)
    try store.resolveConflicts(of: id, ["city": .mine])
    #expect(try await rig.push().completed == 1)
    #expect(rig.kinto.record(id.description)?["city"] == "Bonn")
    try rig.expectUploaded(id)
  }

  /// Two devices that each begin a draft of one record, whose address is a submitted value.
  @Test func twoDraftsOfOneRecordAreMerged() async throws {
    let rig = try Rig()
    let other = try Device()
    let settings = try rig.settings(place: "{code}")
    let code = DraftID().description
    let mine = try rig.device.submitted(["code": .string(code), "name": "Ada", "city": "Oslo"])
    let theirs = try other.submitted(["code": .string(code), "name": "Ada", "phone": "1"])
    try await rig.push(settings)
    #expect(try await rig.push(settings, other).completed == 1)
    #expect(rig.proxy.mutations.map(\.method) == ["PUT", "PUT", "PATCH"])
    #expect(try other.value("city", of: theirs) == "Oslo")
    try rig.expectUploaded(theirs, other, at: code)
    try rig.device.submit(mine, ["note": "x"])
    try await rig.push(settings)
    #expect(try rig.device.value("phone", of: mine) == "1")
    try rig.expectUploaded(mine, at: code)
  }

  /// What is empty in a record of others took nothing away.
  @Test func emptyFieldsOfAFirstMeetingAreTaken() async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    rig.kinto.request(
      "PUT", "\(Kinto.collection)/records/\(id)", #"{"data": {"city": "", "extra": null}}"#)
    #expect(try await rig.push().completed == 1)
    #expect(try rig.device.store.conflicts().isEmpty)
    #expect(try rig.device.value("city", of: id) == "")
    try rig.expectUploaded(id)
  }

  /// Fields that no form knows stay on the server.
  @Test func fieldsOfOthersStay() async throws {
    let (rig, _, id) = try await pair(Self.base)
    rig.kinto.change(id.description, ["reviewedBy": "Cy", "phone": "9"])
    try rig.device.submit(id, ["name": "Bea"])
    #expect(try await rig.push().completed == 1)
    let record = try #require(rig.kinto.record(id.description))
    #expect(record["reviewedBy"] == "Cy")
    #expect(record["name"] == "Bea")
    #expect(try rig.device.value("phone", of: id) == "9")
  }
}
