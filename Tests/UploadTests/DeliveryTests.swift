import DraftSync
import FormModel
import Foundation
import ServerSupport
import Synchronization
import Testing

@testable import DraftStore

/// Lost answers, parts, leases and cancellation: nothing is lost and nothing is done twice.
@Suite struct DeliveryTests {
  @Test(arguments: [1, 2, 3]) func aLostAnswerIsFoundDone(_ times: Int) async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    func lose() {
      let left = Mutex(times)
      rig.proxy.always { request in
        guard request.method != "GET" else { return .pass }
        return left.withLock {
          $0 -= 1
          return $0 >= 0 ? .loseAnswer : .pass
        }
      }
    }
    lose()
    try await rig.pushAll()
    try rig.expectUploaded(id)
    let creates = rig.proxy.mutations
    #expect(creates.count == times + 1)
    #expect(Set(creates.map(\.body)).count == 1)
    #expect(Set(creates.map(\.key)).count == 1)
    rig.proxy.reset()
    lose()
    try rig.device.submit(id, ["city": "Paris"])
    try await rig.pushAll()
    try rig.expectUploaded(id)
    let changes = rig.proxy.mutations
    #expect(changes.count == times + 1)
    #expect(Set(changes.map(\.body)).count == 1)
    #expect(Set(changes.map { $0["If-Match"] }).count == 1)
    #expect(try rig.device.store.conflicts().isEmpty)
  }

  /// A server that tells records apart by the client's own id, and leaves one that is there as it is.
  @Test func aRepeatedPOSTMakesNoSecondRecord() async throws {
    let rig = try Rig(
      Form(
        id: "f",
        sections: [
          Section(
            rows: ["id", "name"].map {
              Row(key: "", serviceKey: $0, kind: .input(InputContent()))
            })
        ]))
    let create: JSONValue = [
      "url": .string("http://127.0.0.1:\(rig.proxy.port)\(Kinto.collection)/records"),
      "method": "POST", "ifNoneMatch": false,
    ]
    let settings = try rig.settings(["create": create])
    let id = try rig.device.store.newDraft(of: "f", isWritten: true).id
    try rig.device.submit(id, ["id": .string(id.description), "name": "Ada"])
    rig.proxy.next(.loseAnswer)
    try await rig.pushAll(settings)
    #expect(rig.proxy.requests.map(\.method) == ["POST", "POST"])
    #expect(rig.proxy.records.last?.answer?.status == 200)
    #expect(rig.kinto.record(id.description) == ["name": "Ada"])
    try rig.device.submit(id, ["name": "Bea"])
    try await rig.pushAll(settings)
    #expect(rig.kinto.record(id.description) == ["name": "Bea"])

    // A record that somebody else made first is merged, not taken for ours.
    let second = try rig.device.store.newDraft(of: "f", isWritten: true).id
    try rig.device.submit(second, ["id": .string(second.description), "name": "Cy"])
    rig.kinto.request(
      "PUT", "\(Kinto.collection)/records/\(second)", #"{"data": {"name": "theirs"}}"#)
    #expect(try await rig.push(settings).conflicts == 1)
    #expect(rig.kinto.record(second.description) == ["name": "theirs"])
  }

  @Test func anUploadInPartsGoesOnWhereItWas() async throws {
    let rig = try Rig(Forms.wide(35))
    let settings = try rig.settings(["maximumFieldsPerRequest": 10])
    let id = try rig.device.submitted(Forms.wideValues(35))
    rig.proxy.next(.pass, .pass, .closeAfterReading)
    try await rig.push(settings)
    #expect(try rig.acknowledged(id).count == 20)
    rig.device.clock.move(by: .seconds(7200))
    let reopened = try rig.device.reopened()
    #expect(try await rig.uploader(settings, reopened).push().completed == 1)
    let sent = rig.proxy.mutations.compactMap { $0.json?["data"]?.objectValue?.count }
    #expect(sent == [10, 10, 10, 10, 5])
    let bodies = rig.proxy.mutations.map(\.body)
    #expect(bodies[2] == bodies[3])
    try rig.expectUploaded(id)
  }

  /// Each part has the base that the one before it made, though its answer was lost.
  @Test func aPartWhoseAnswerIsLostIsNotSentAnew() async throws {
    let rig = try Rig(Forms.wide(12))
    let settings = try rig.settings(["maximumFieldsPerRequest": 4])
    let id = try rig.device.submitted(Forms.wideValues(12))
    rig.proxy.next(.loseAnswer, .pass, .pass, .loseAnswer)
    try await rig.pushAll(settings)
    try rig.expectUploaded(id)
    #expect(try rig.device.store.conflicts().isEmpty)
  }

  @Test func noRequestIsLargerThanAllowed() async throws {
    let rig = try Rig(Forms.wide(60))
    let settings = try rig.settings(["maximumBytesPerRequest": 900])
    var values = Forms.wideValues(60)
    let id = try rig.device.submitted(values)
    #expect(try await rig.push(settings).completed == 1)
    for index in 0..<60 { values[Forms.key(index)] = .string("another text of field \(index)") }
    try rig.device.submit(id, values)
    #expect(try await rig.push(settings).completed == 1)
    #expect(rig.proxy.mutations.count > 4)
    #expect(rig.proxy.mutations.allSatisfy { $0.body.count <= 900 })
    try rig.expectUploaded(id)
    try rig.device.submit(id, ["f007": .string(String(repeating: "x", count: 1000))])
    #expect(try await rig.push(settings).parked == 1)
    #expect(try rig.item(of: id).lastError?.contains("f007") == true)
  }

  /// What only a merge patch can't say does not keep a record from being made.
  @Test func aRecordWithNullsIsMadeThoughAChangeCouldNotSayIt() async throws {
    let rig = try Rig()
    let settings = try rig.settings(["change": ["jsonPatchWhereNeeded": false]])
    let id = try rig.device.submitted(["name": "Ada", "extra": .json(.null)])
    #expect(try await rig.push(settings).completed == 1)
    try rig.expectUploaded(id)
  }

  @Test func eachItemIsSentByOneOfManyUploaders() async throws {
    let rig = try Rig()
    let ids = try (0..<30).map { try rig.device.submitted(["name": .string("n\($0)")]) }
    let completed = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<4 {
        let store = try index % 2 == 0 ? rig.device.store : rig.device.reopened()
        let uploader = try rig.uploader(nil, store)
        group.addTask { try await uploader.push().completed }
      }
      return try await group.reduce(0, +)
    }
    #expect(completed == 30)
    #expect(rig.proxy.mutations.count == 30)
    for id in ids { try rig.expectUploaded(id) }
  }

  @Test func aDeadSendersLeaseRunsOut() async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    let store = rig.device.store
    let dead = try #require(try store.leaseFromOutbox(for: .seconds(60)))
    #expect(try rig.item(of: id).state == .sending)
    var summary = try await rig.push()
    #expect(summary.requests == 0)
    #expect(summary.waiting == 1)
    rig.device.clock.move(by: .seconds(61))
    let next = try #require(try store.leaseFromOutbox(for: .seconds(60)))
    // Whoever lost the lease neither ends the other's, nor makes anything wait.
    try store.finish(dead, .released)
    try store.finish(
      dead, .retry(at: rig.device.clock.now + .seconds(999), error: "late", keepsRequest: true))
    try store.finish(dead, .parked(error: "late", keepsRequest: false))
    #expect(try rig.item(of: id).state == .sending)
    try store.finish(next, .released)
    summary = try await rig.push()
    #expect(summary.completed == 1)
    try rig.expectUploaded(id)
  }

  /// A submission that is replaced while its sender is at it does not wait for the lease to end.
  @Test func aReplacedSubmissionIsSentAtOnce() async throws {
    let rig = try Rig()
    let id = try rig.device.submitted(["name": "Ada"])
    let store = rig.device.store
    let task = try #require(try store.leaseFromOutbox(for: .seconds(600)))
    try rig.device.submit(id, ["name": "Bea"])
    #expect(try store.freeze(request: "{}", of: task) == false)
    try store.finish(task, .released)
    #expect(try await rig.push().completed == 1)
    try rig.expectUploaded(id)
  }

  @Test func aCancelledPushLosesAndDoublesNothing() async throws {
    for isCommitted in [false, true] {
      let rig = try Rig()
      let id = try rig.device.submitted(["name": "Ada"])
      // The server has it, or not yet, when the push is cancelled.
      let isAt = AsyncStream<Void>.makeStream()
      let goOn = DispatchSemaphore(value: 0)
      let hold: @Sendable () -> Void = {
        isAt.continuation.yield()
        goOn.wait()
      }
      if isCommitted {
        rig.proxy.next(.passAfter(hold))
      } else {
        rig.proxy.next(.hold(hold))
      }
      let uploader = try rig.uploader()
      let push = Task { try await uploader.push() }
      for await _ in isAt.stream { break }
      push.cancel()
      await #expect(throws: CancellationError.self) { try await push.value }
      goOn.signal()
      let item = try rig.item(of: id)
      #expect(item.state == .queued)
      #expect(item.attempts == 0)
      #expect(try await rig.push().completed == 1)
      #expect(Set(rig.proxy.mutations.map(\.body)).count == 1)
      #expect(Set(rig.proxy.mutations.map(\.key)).count == 1)
      try rig.expectUploaded(id)
    }
  }

  @Test func eventsGoOnUntilTheirReaderStops() async throws {
    let rig = try Rig()
    let ids = try (0..<2).map { try rig.device.submitted(["name": .string("\($0)")]) }
    var completed: [DraftID] = []
    for try await event in try rig.uploader().events(every: .milliseconds(20)) {
      guard case .completed(let id, _) = event else { continue }
      completed.append(id)
      // Submitted while it runs.
      if completed.count == 2 { try rig.device.submit(ids[0], ["city": "Rome"]) }
      if completed.count == 3 { break }
    }
    #expect(completed == [ids[0], ids[1], ids[0]])
    for id in ids { try rig.expectUploaded(id) }
  }

  /// The next item is found by an index, however many wait.
  @Test func theNextItemIsFoundByAnIndex() throws {
    let device = try Device()
    let first = try device.submitted(["name": "Ada"])
    try device.store.database.write { connection in
      try connection.run(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
        INSERT INTO draft (id, form, version, status, created_at, updated_at)
        SELECT printf('00000000-0000-4000-8000-%012d', i), 'person', 1, 'submitted', 0, 0 FROM n
        """)
      try connection.run(
        """
        INSERT INTO submission (draft, ordinal, form, version, draft_revision, param, digest,
          created_at)
        SELECT number, 1, form, version, 0, '{}', printf('%064d', number), 0 FROM draft
        WHERE id LIKE '00000000%'
        """)
      try connection.run(
        """
        INSERT INTO outbox (draft, submission, idempotency_key, next_attempt_at, created_at)
        SELECT number, 1, id, number, 0 FROM draft WHERE id LIKE '00000000%'
        """)
    }
    #expect(try device.store.outboxCounts() == [.queued: 10_001])
    for sql in [DraftStore.dueSQL, DraftStore.misdatedSQL] {
      let plan = try device.store.database.read { connection in
        try connection.all(composed: "EXPLAIN QUERY PLAN \(sql)", [.integer(0)]) { $0.text(3) }
      }
      #expect(plan.contains { $0.hasPrefix("SEARCH o USING INDEX outbox_ready") }, "\(plan)")
      #expect(plan.allSatisfy { !$0.contains("TEMP B-TREE") && !$0.hasPrefix("SCAN") }, "\(plan)")
    }
    #expect(try device.store.leaseFromOutbox(for: .seconds(1))?.item.draft == first)
  }
}
