import DraftStore
import DraftSync
import FormModel
import ServerSupport
import Testing

/// What is not sent for a while, for ever, or once more: pauses, missing records, dropped and
/// discarded submissions.
@Suite struct LeftAloneTests {
  // MARK: Pauses

  /// A server that wants to be left alone is, by what is queued later, too, and by other processes;
  /// other servers are not.
  @Test(
    arguments: [
      .answer(429, headers: ["Retry-After: 600"]), .answer(503, headers: ["Retry-After: 600"]),
      .answer(500, headers: ["Backoff: 600"]), .answer(403, headers: ["Backoff: 600"]),
      .answer(201, headers: ["ETag: \"1\"", "Backoff: 600"]),
    ] as [Proxy.Action])
  func aPauseHoldsForWhatIsQueuedLater(_ answer: Proxy.Action) async throws {
    let rig = try Rig()
    let device = rig.device
    var ids = try (0..<2).map { try device.submitted(["name": .string("\($0)")]) }
    rig.proxy.next(answer)
    let first = try await rig.push()
    #expect(first.requests == 1)
    guard case .busy = first.stop else {
      Issue.record("\(first)")
      return
    }
    ids.append(try device.submitted(["name": "new"]))
    try device.submit(ids[1], ["city": "Rome"])
    let other = try device.reopened()
    for store in [device.store, other] {
      device.clock.move(by: .seconds(290))
      let summary = try await rig.uploader(nil, store).push()
      #expect(summary.requests == 0)
      #expect(summary.stop?.message.contains("left alone") == true)
      #expect(try #require(summary.resumesAt) > device.clock.now)
    }
    // Nobody asked for it there.
    let elsewhere = Proxy(to: rig.kinto.port)
    let moved = try await rig.uploader(rig.settings(port: elsewhere.port)).push([ids[1]])
    #expect(moved.completed == 1)
    device.clock.move(by: .seconds(21))
    #expect(try await rig.push().completed >= 1)
    try rig.expectUploaded(ids[1])
    try rig.expectUploaded(ids[2])
    #expect(rig.proxy.requests.count > 1)
  }

  /// Nothing is waited for where nothing is due, and a person may end a pause.
  @Test func aPauseEndsWhenAPersonSaysSo() async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    rig.proxy.next(.answer(201, headers: ["ETag: \"1\"", "Backoff: 600"]))
    #expect(try await rig.push().stop == nil)
    #expect(try await rig.push().stop == nil)
    let other = try rig.device.submitted(["name": "Bea"])
    #expect(try await rig.push([other]).stop != nil)
    try rig.device.store.retryOutbox()
    #expect(try await rig.push().completed == 1)
    #expect(try rig.device.store.outbox(of: id).isEmpty)
  }

  // MARK: Missing records

  /// A wrong address has no record; the right one still has, and what it held is still known.
  @Test(arguments: [false, true]) func aWrongAddressForgetsNothing(_ isLost: Bool) async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada", "city": "Paris"])
    try await rig.push()
    let acknowledged = try rig.acknowledged(id)
    try rig.device.submit(id, ["name": "Bea"])
    if isLost {
      rig.proxy.next(.loseAnswer)
      try await rig.push()
      try rig.device.store.retryOutbox()
      try rig.device.submit(id, ["name": "Cy"])
    }
    let wrong = try rig.settings(place: "typo-{id}")
    for _ in 0..<2 {
      #expect(try await rig.push(wrong).parked == 1)
      #expect(try rig.item(of: id).lastError?.contains("retry to make it anew") == true)
      #expect(try rig.acknowledged(id) == acknowledged)
    }
    rig.kinto.change(id.description, ["city": "Rome"])
    try rig.device.store.retryOutbox()
    #expect(try await rig.push().conflicts == 0)
    #expect(try rig.device.store.outbox().isEmpty)
    #expect(try rig.device.value("city", of: id) == "Rome")
    #expect(rig.kinto.record("typo-\(id)") == nil)
    try rig.expectUploaded(id)
  }

  /// A server that refuses the change by 404 and has the record is not one without it.
  @Test(arguments: [404, 410]) func aRecordThatCanBeReadIsNotGone(_ status: Int) async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    try await rig.push()
    let acknowledged = try rig.acknowledged(id)
    try rig.device.submit(id, ["name": "Bea"])
    rig.proxy.reset()
    rig.proxy.next(.answer(status, body: "no PATCH here"))
    #expect(try await rig.push().parked == 1)
    #expect(rig.proxy.requests.map(\.method) == ["PATCH", "GET"])
    #expect(try rig.item(of: id).lastError?.contains("anew") == false)
    #expect(try rig.acknowledged(id) == acknowledged)
    try rig.device.store.retryOutbox()
    #expect(try await rig.push().completed == 1)
    #expect(rig.proxy.requests.last?.method == "PATCH")
    try rig.expectUploaded(id)
  }

  /// A record that is made anew holds all of the draft and no more, also when others are faster or
  /// the answer gets lost.
  @Test(arguments: ["alone", "lost", "parts", "others"])
  func aRecordIsMadeAnewWhole(_ course: String) async throws {
    let rig = try Rig()
    let settings = try rig.settings(course == "parts" ? ["maximumFieldsPerRequest": 1] : [:])
    let id = try rig.device.submitted(["name": "Ada", "city": "Paris", "phone": "1"])
    try await rig.push(settings)
    rig.kinto.delete(id.description)
    try rig.device.submit(id, ["city": nil, "note": "n"])
    #expect(try await rig.push(settings).parked == 1)
    try rig.device.store.retryOutbox()
    switch course {
    case "lost": rig.proxy.next(.pass, .loseAnswer)
    case "others":
      rig.kinto.request(
        "PUT", "\(Kinto.collection)/records/\(id)",
        #"{"data": {"name": "Ada", "city": "Paris", "phone": "9"}}"#)
    default: break
    }
    try await rig.pushAll(settings)
    #expect(try rig.device.store.conflicts().isEmpty)
    #expect(try rig.device.value("phone", of: id) == (course == "others" ? "9" : "1"))
    try rig.expectUploaded(id)
    let held = try #require(rig.kinto.record(id.description))
    #expect(try JSONValue.object(rig.acknowledged(id)).isEquivalent(to: .object(held)))
  }

  // MARK: Dropped and discarded

  @Test func whatWasDroppedIsQueuedAgainWithoutAnEdit() async throws {
    let rig = try Rig()
    let store = rig.device.store
    let id = try rig.device.submitted(["name": "Ada"])
    try store.dropFromOutbox([rig.item(of: id).id])
    #expect(try await rig.push() == PushSummary())
    for _ in 0..<2 { #expect(try store.submit(id).number == 1) }
    #expect(try store.outbox().map(\.submission) == [1])
    #expect(try await rig.push().completed == 1)
    // The server has it.
    try store.submit(id)
    #expect(try store.outbox().isEmpty)

    // A conflict that is decided after its item was dropped.
    rig.kinto.change(id.description, ["name": "Cy"])
    try rig.device.submit(id, ["name": "Bea"])
    #expect(try await rig.push().conflicts == 1)
    try store.dropFromOutbox([rig.item(of: id).id])
    try store.resolveConflicts(of: id, ["name": .mine])
    try store.submit(id)
    #expect(try await rig.push().completed == 1)
    #expect(rig.kinto.record(id.description)?["name"] == "Bea")
  }

  @Test func onlyWhatCouldBeSentIsWaiting() async throws {
    let rig = try Rig()
    let store = rig.device.store
    let ids = try (0..<3).map { try rig.device.submitted(["name": .string("\($0)")]) }
    try store.discard(ids[0])
    // One has an unknown outcome and another behind it; then the first is refused.
    rig.proxy.always { request in
      request.target.hasSuffix(ids[1].description) ? .closeAfterReading : .pass
    }
    var summary = try await rig.push()
    #expect(summary.completed == 1)
    #expect(summary.waiting == 1)
    try rig.device.submit(ids[1], ["city": "Rome"])
    rig.proxy.always { _ in .answer(403) }
    rig.device.clock.move(by: .seconds(7200))
    summary = try await rig.push()
    #expect((summary.parked, summary.waiting) == (1, 0))
    #expect(try await rig.push([ids[1]]).waiting == 0)
    #expect(try await rig.push([ids[0]]) == PushSummary())
    rig.proxy.always(nil)
    try store.restore(ids[0])
    try store.retryOutbox()
    #expect(try await rig.push().completed == 3)
    for id in ids { try rig.expectUploaded(id) }
  }
}

extension Rig {
  /// One pass over some drafts.
  fileprivate func push(_ drafts: Set<DraftID>) async throws -> PushSummary {
    try await uploader().push(drafts)
  }
}
