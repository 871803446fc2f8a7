import DraftStore
import DraftSync
import FormModel
import ServerSupport
import Testing

/// Requests that the server may have carried out: they are neither made anew nor given up.
@Suite struct UncertaintyTests {
  /// A success without a record that can be read makes no second record, however the reading ends.
  @Test(
    arguments: [
      .answer(404), .answer(410), .answer(403), .answer(401), .answer(500), .answer(503),
      .answer(200), .answer(302, headers: ["Location: ftp://x/"]), .closeAfterReading,
      .answer(307, headers: ["Location: http://127.0.0.1:1/"]),
      .answer(200, headers: ["Content-Type: application/json"], body: #"{"name": "x"}"#),
    ] as [Proxy.Action])
  func aSuccessIsNotMadeAnew(_ reading: Proxy.Action) async throws {
    let rig = try Rig()
    let server = KeyedServer(showsRecords: false, created: 200)
    server.serve(rig.proxy)
    server.fail { $0.method == "GET" ? reading : nil }
    let id = try rig.device.submitted(["name": "Ada"])
    for _ in 0..<4 {
      try await rig.push(rig.keyedSettings())
      rig.device.clock.move(by: .seconds(7200))
      try rig.device.store.retryOutbox()
    }
    #expect(rig.proxy.mutations.count == 1, "a server need not mind the key")
    #expect(try rig.device.store.outbox(of: id).count == 1)
  }

  /// A record that is found where the settings say by then is not made once more.
  @Test func aSuccessIsFoundAtTheMendedAddress() async throws {
    let rig = try Rig()
    KeyedServer(created: 200).serve(rig.proxy)
    let settings = try rig.keyedSettings()
    let wrong = try rig.keyedSettings([
      "url": .string("http://127.0.0.1:\(rig.proxy.port)/typo/{id}")
    ])
    let id = try rig.device.submitted(["name": "Ada"])
    #expect(try await rig.push(wrong).parked == 1)
    try rig.device.submit(id, ["city": "Rome"])
    #expect(try await rig.push(settings).completed == 2)
    #expect(rig.proxy.mutations.map(\.method) == ["POST", "PATCH"])
    #expect(rig.proxy.mutations.last?.json == ["city": "Rome"])
  }

  /// What stands between answers a repeated request, whose first delivery was carried out.
  @Test(
    arguments: [300, 302, 400, 401, 403, 404, 405, 407, 410, 413, 415, 451, 511], [false, true])
  func aRepeatThatIsRefusedStaysTheSame(_ status: Int, _ isEdited: Bool) async throws {
    let rig = try Rig()
    let settings = try rig.keyedSettings()
    let server = KeyedServer()
    server.serve(rig.proxy)
    server.fail { request in
      server.make(request)
      return .closeAfterReading
    }
    let id = try rig.device.submitted(["name": "Ada"])
    try await rig.push(settings)
    server.fail { _ in .answer(status, headers: ["Location: http://127.0.0.1:1/"]) }
    rig.device.clock.move(by: .seconds(7200))
    try await rig.push(settings)
    if isEdited { try rig.device.submit(id, ["name": "Bea", "city": "Rome"]) }
    server.fail(nil)
    try rig.device.store.retryOutbox()
    try await rig.pushAll(settings)
    let creates = rig.proxy.mutations.filter { $0.method == "POST" }
    #expect(creates.count == 3)
    #expect(Set(creates.map(\.text)).count == 1)
    #expect(Set(creates.map(\.key)).count == 1)
    #expect(server.madeCount == 1)
    #expect(try rig.device.store.conflicts().isEmpty)
    let held = try #require(server.record(id.description))
    #expect(held["name"] == (isEdited ? "Bea" : "Ada"))
  }

  /// With an address of its own, a record that was made is not taken for one of others.
  @Test(arguments: [302, 400, 403, 404, 503])
  func noConflictWithWhatWasSent(_ status: Int) async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    rig.proxy.next(.loseAnswer)
    try await rig.push()
    rig.proxy.always { _ in .answer(status) }
    try rig.device.store.retryOutbox()
    try await rig.push()
    try rig.device.submit(id, ["name": "Bea"])
    rig.proxy.always(nil)
    try rig.device.store.retryOutbox()
    try await rig.pushAll()
    try rig.expectUploaded(id)
    #expect(try rig.device.store.conflicts().isEmpty)
  }

  /// What was kept may be dropped: the next submission finds out what the server has.
  @Test func aKeptRequestCanBeDropped() async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    rig.proxy.next(.loseAnswer, .answer(403), .answer(403))
    try await rig.push()
    try rig.device.store.retryOutbox()
    #expect(try await rig.push().parked == 1)
    try rig.device.store.dropFromOutbox([try rig.item(of: id).id])
    try rig.device.submit(id, ["city": "Rome"])
    #expect(try await rig.push().completed == 1)
    try rig.expectUploaded(id)
  }

  /// Refused for certain: a newer submission takes its place at once, and no key is used twice.
  @Test(
    arguments: [
      // The server says so itself.
      [.closeAfterReading, .answer(422)],
      // The record is still not there, or has still the version that the change starts from.
      [.closeAfterReading, .answer(400), .pass], [.answer(500), .answer(403), .pass],
    ] as [[Proxy.Action]], [false, true])
  func aNewerSubmissionTakesTheRefusedOnesPlace(
    _ actions: [Proxy.Action], _ isChange: Bool
  ) async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    if isChange {
      try await rig.push()
      try rig.device.submit(id, ["name": "Bea"])
    }
    rig.proxy.reset()
    rig.proxy.next(actions[0])
    try await rig.push()
    try rig.device.submit(id, ["name": "Cy"])
    #expect(try rig.device.store.outbox().count == 2)
    rig.device.clock.move(by: .seconds(7200))
    switch actions.count {
    case 2: rig.proxy.next(actions[1])
    default: rig.proxy.next(actions[1], actions[2])
    }
    let summary = try await rig.push()
    #expect(summary.completed == 1)
    #expect(summary.parked == 0)
    #expect(try rig.device.store.outbox().isEmpty)
    try rig.expectUploaded(id)
    let sent = rig.proxy.mutations
    #expect(sent.count == 3)
    #expect(sent[0].key == sent[1].key)
    #expect(sent[1].key != sent[2].key)
  }

  /// A submission that comes while the one before it is being refused is not held up by it.
  @Test func aSubmissionDuringARefusalIsSent() async throws {
    let rig = try Rig()
    let device = rig.device
    let id = try device.submitted(["name": "Ada"])
    rig.proxy.next(.answerAfter(403) { try? device.submit(id, ["name": "Bea"]) })
    let summary = try await rig.push()
    #expect(summary.completed == 1)
    #expect(summary.parked == 0)
    try rig.expectUploaded(id)
  }

  /// What was refused before anything was carried out is not kept.
  @Test(arguments: [302, 401, 407]) func aFirstDeliveryThatIsTurnedAwayIsFolded(
    _ status: Int
  ) async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    rig.proxy.next(.answer(status))
    #expect(try await rig.push().stop != nil)
    try rig.device.submit(id, ["city": "Rome"])
    #expect(try rig.device.store.outbox().count == 1)
    #expect(try await rig.push().completed == 1)
    #expect(rig.proxy.requests.count == 2)
    try rig.expectUploaded(id)
  }

  /// The bytes that were kept go to the address that the settings have by now.
  @Test func aKeptRequestGoesToTheMendedAddress() async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    rig.proxy.next(.closeAfterReading)
    try await rig.push(rig.settings(place: "typo-{id}"))
    try rig.device.store.retryOutbox()
    #expect(try await rig.push().completed == 1)
    #expect(Set(rig.proxy.mutations.map(\.key)).count == 1)
    #expect(Set(rig.proxy.mutations.map(\.target)).count == 2)
    try rig.expectUploaded(id)
  }
}
