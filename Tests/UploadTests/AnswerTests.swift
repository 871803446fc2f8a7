import DraftStore
import DraftSync
import FormModel
import ServerSupport
import Testing

/// What becomes of a change and of the others behind it after each kind of answer.
@Suite struct AnswerTests {
  enum Fate: Sendable {
    /// Put aside for a person; others go on.
    case parked
    /// Tried again later; others go on.
    case waits
    /// The run ends, for the whole server.
    case stops(attempts: Int)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let action: Proxy.Action
    let fate: Fate
    var testDescription: String { name }

    init(_ name: String, _ action: Proxy.Action, _ fate: Fate) {
      (self.name, self.action, self.fate) = (name, action, fate)
    }

    init(_ status: Int, _ fate: Fate, headers: [String] = [], body: String = "") {
      self.init("\(status)", .answer(status, headers: headers, body: body), fate)
    }
  }

  static let rows: [Row] =
    [400, 403, 405, 406, 413, 415, 422, 451].map { Row($0, .parked) }
    + [408, 421, 425, 500, 502, 504, 507].map { Row($0, .waits) }
    + [429, 503].map { Row($0, .stops(attempts: 1)) }
    + [401, 407].map { Row($0, .stops(attempts: 0), headers: ["WWW-Authenticate: Basic"]) }
    + [300, 301, 302, 303, 307, 308].map {
      Row($0, .stops(attempts: 0), headers: ["Location: http://127.0.0.1:1/elsewhere"])
    }
    + [
      Row("lost answer", .loseAnswer, .waits), Row("closed", .closeAfterReading, .waits),
      Row("cut short", .cutBody, .waits),
      Row(
        "HTML", .answer(200, headers: ["Content-Type: text/html"], body: "<html>hi</html>"), .waits),
      Row(
        "no JSON", .answer(200, headers: ["Content-Type: application/json"], body: "{\"a"), .waits),
      Row("no content at all", .answer(206), .waits),
      Row(
        "in flight",
        .answer(
          409, headers: ["Content-Type: application/problem+json"],
          body: #"{"type": "https://example.org/idempotency-key-in-use", "title": "in flight"}"#),
        .waits),
    ]

  @Test(arguments: rows) func aChangeIsNeverLost(_ row: Row) async throws {
    let rig = try Rig()
    let store = rig.device.store
    let ids = try ["a", "b"].map { try rig.device.submitted(["name": .string($0), "city": "x"]) }
    try await rig.push()
    let before = try rig.acknowledged(ids[0])
    for id in ids { try rig.device.submit(id, ["city": "y"]) }
    rig.proxy.reset()
    rig.proxy.next(row.action)
    let summary = try await rig.push()

    let item = try rig.item(of: ids[0])
    #expect(try rig.acknowledged(ids[0]) == before, "the base does not move")
    #expect(item.state == (row.isParked ? .parked : .queued))
    switch row.fate {
    case .parked:
      #expect(summary.parked == 1)
      #expect(summary.stop == nil)
      #expect(item.lastError != nil)
    case .waits:
      #expect(summary.waiting == 1)
      #expect(item.attempts == 1)
      #expect(item.lastError != nil)
      #expect(item.nextAttemptAt >= rig.device.clock.now)
    case .stops(let attempts):
      #expect(summary.stop != nil)
      #expect(item.attempts == attempts)
      #expect(summary.waiting == 2)
      #expect(rig.proxy.requests.count == 1, "the others are not sent")
    }
    if case .stops = row.fate {} else { #expect(try store.outbox(of: ids[1]).isEmpty) }

    if row.isParked { #expect(try store.retryOutbox() == 1) }
    try await rig.pushAll()
    for id in ids { try rig.expectUploaded(id) }
    #expect(try store.conflicts().isEmpty)
    let sent = rig.proxy.mutations.filter { $0.target.hasSuffix(ids[0].description) }
    if case .waits = row.fate {
      #expect(Set(sent.map(\.text)).count == 1)
      #expect(Set(sent.map(\.key)).count == 1, "the same key for the same bytes")
    }
  }

  @Test(arguments: [404, 410]) func aDeletedRecordIsMadeAnewOnlyWhenAsked(
    _ status: Int
  ) async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada", "city": "Paris"])
    try await rig.push()
    rig.kinto.delete(id.description)
    try rig.device.submit(id, ["city": "Rome"])
    rig.proxy.reset()
    if status != 404 { rig.proxy.next(.answer(status)) }
    let summary = try await rig.push()
    #expect(summary.parked == 1)
    let item = try rig.item(of: id)
    #expect(item.lastError?.contains("retry to make it anew") == true)
    #expect(try await rig.push().requests == 0)
    #expect(rig.kinto.record(id.description) == nil)
    try rig.device.store.retryOutbox([item.id])
    #expect(try await rig.push().completed == 1)
    #expect(rig.proxy.requests.last?.method == "PUT")
    try rig.expectUploaded(id)
  }

  /// The server says 412, and then that there is no record.
  @Test func aRecordThatIsDeletedDuringAMergeIsNotMadeAnew() async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    try await rig.push()
    try rig.device.submit(id, ["name": "Bea"])
    rig.kinto.delete(id.description)
    rig.proxy.next(.answer(412))
    #expect(try await rig.push().parked == 1)
    #expect(rig.kinto.record(id.description) == nil)
  }

  /// A 409 that is about something else than the version is told, and not sent for ever.
  @Test func aConflictWithoutAnotherVersionIsParked() async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    let taken = Proxy.Action.answer(
      409, headers: ["Content-Type: application/problem+json"],
      body: #"{"title": "this name is taken"}"#)
    rig.proxy.next(taken)
    #expect(try await rig.push().parked == 1)
    #expect(try rig.item(of: id).lastError?.contains("this name is taken") == true)
    try rig.device.store.retryOutbox()
    try await rig.push()
    try rig.device.submit(id, ["name": "Bea"])
    rig.proxy.reset()
    rig.proxy.next(taken)
    #expect(try await rig.push().parked == 1)
    #expect(rig.proxy.requests.map(\.method) == ["PATCH", "GET"])
    #expect(try rig.item(of: id).lastError?.contains("this name is taken") == true)
  }

  @Test(
    arguments: [
      ["Retry-After: 120"], ["Retry-After: Thu, 01 Jan 2026 00:02:00 GMT"],
      [
        "Retry-After: Thu, 01 Jan 2026 10:02:00 GMT", "Date: Thu, 01 Jan 2026 10:00:00 GMT",
      ],
    ], [429, 503])
  func retryAfterIsKept(_ headers: [String], _ status: Int) async throws {
    let rig = try Rig()
    let ids = try (0..<3).map { try rig.device.submitted(["name": .string("\($0)")]) }
    rig.proxy.next(.answer(status, headers: headers))
    try await rig.push()
    let due = try rig.item(of: ids[0]).nextAttemptAt
    #expect(due >= rig.device.clock.now + .seconds(120))
    #expect(due <= rig.device.clock.now + .seconds(200))
    // Not even by another process, nor for another draft.
    rig.device.clock.move(by: .seconds(119))
    let other = try rig.device.reopened()
    #expect(try await rig.uploader(nil, other).push().requests == 0)
    #expect(try other.outbox(of: ids[0]).first?.nextAttemptAt == due)
    rig.device.clock.move(by: .seconds(81))
    #expect(try await rig.uploader(nil, other).push().completed == 3)
  }

  @Test func aBusyServerNeverPutsAnythingAside() async throws {
    let rig = try Rig()
    let settings = try rig.settings(["retry": ["first": 1, "limit": 100, "attempts": 3]])
    let id = try rig.device.submitted(["name": "Ada"])
    rig.proxy.always { _ in .answer(503) }
    for attempt in 1...8 {
      try await rig.push(settings)
      #expect(try rig.item(of: id).attempts == attempt)
      rig.device.clock.move(by: .seconds(200))
    }
    // Others do, after as many attempts as the settings say.
    rig.proxy.always { _ in .answer(500) }
    #expect(try await rig.push(settings).parked == 1)
    rig.proxy.always(nil)
    try rig.device.store.retryOutbox()
    #expect(try await rig.push(settings).completed == 1)
  }

  @Test func aServerThatIsAwayNeverPutsAnythingAside() async throws {
    let rig = try Rig()
    let settings = try rig.settings(
      ["retry": ["attempts": 2], "timeouts": ["connect": 1, "total": 2]], port: 1)
    let ids = try (0..<2).map { try rig.device.submitted(["name": .string("\($0)")]) }
    for _ in 0..<5 {
      let summary = try await rig.push(settings)
      guard case .unreachable = summary.stop else {
        Issue.record("\(summary)")
        return
      }
      #expect(summary.requests == 1)
      rig.device.clock.move(by: .seconds(7200))
    }
    #expect(try rig.device.store.outbox().map(\.attempts) == [0, 0])
    // What never left may be folded.
    try rig.device.submit(ids[0], ["city": "Paris"])
    #expect(try rig.device.store.outbox().count == 2)
    // One failure is the first of two.
    rig.proxy.next(.answer(502), .answer(502))
    #expect(try await rig.push(rig.settings(["retry": ["attempts": 2]])).waiting == 2)
    try await rig.pushAll()
    for id in ids { try rig.expectUploaded(id) }
  }

  /// After so many attempts a change is put aside; as its outcome is not known, the very bytes are
  /// what is sent when a person retries.
  @Test func anUnknownOutcomeKeepsItsBytesWhenParked() async throws {
    let rig = try Rig()
    let settings = try rig.settings(["retry": ["attempts": 2]])
    let id = try rig.device.submitted(["name": "Ada"])
    rig.proxy.next(.loseAnswer, .loseAnswer)
    try await rig.push(settings)
    rig.device.clock.move(by: .seconds(7200))
    #expect(try await rig.push(settings).parked == 1)
    try rig.device.submit(id, ["city": "Paris"])
    #expect(try rig.device.store.outbox().map(\.state) == [.queued, .queued])
    try await rig.pushAll(settings)
    let creates = rig.proxy.mutations.filter { $0.method == "PUT" }
    #expect(creates.count == 3)
    #expect(Set(creates.map(\.key)).count == 1)
    try rig.expectUploaded(id)
  }

  @Test func aRedirectedAddressIsMendedInTheSettings() async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    let elsewhere = Proxy(to: rig.kinto.port)
    let wrong = try rig.settings(port: elsewhere.port)
    elsewhere.always { _ in .answer(308, headers: ["Location: /right"]) }
    #expect(try await rig.push(wrong).stop != nil)
    #expect(elsewhere.requests.count == 1)
    #expect(try await rig.push().completed == 1)
    try rig.expectUploaded(id)
  }

  /// Credentials of one server are never sent to another.
  @Test func keptBytesDoNotCarryCredentialsToAnotherServer() async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    let first = Proxy(to: rig.kinto.port)
    first.always { _ in .closeAfterReading }
    try await rig.push(rig.settings(port: first.port))
    #expect(first.requests.count == 1)
    try await rig.pushAll()
    #expect(first.requests.count == 1)
    try rig.expectUploaded(id)
  }

  @Test func aClockThatIsSetBackHoldsNothingUpForLong() async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    rig.proxy.next(.answer(503, headers: ["Retry-After: 60"]))
    try await rig.push()
    rig.device.clock.move(by: .seconds(-3600))
    #expect(try await rig.push().requests == 0)
    rig.device.clock.move(by: .seconds(-2 * 86_400))
    #expect(try await rig.push().completed == 1)
    try rig.expectUploaded(id)
  }
}

extension AnswerTests.Row {
  fileprivate var isParked: Bool {
    if case .parked = fate { true } else { false }
  }
}
