import FormModel
import Foundation
import ServerSupport
import Testing

/// `push`, `outbox` and `conflicts` as a person or a script uses them.
@Suite struct PushCommandTests {
  @Test func aRunTellsWhatItDid() throws {
    let desk = try PushDesk()
    let id = try desk.submitted("name=Ada")
    let result = try desk.push("--json")
    #expect(result.status == 0, "\(result.errors)")
    let record = try result.record()
    #expect(
      record.keys == [
        "requests", "bytes", "completed", "conflicts", "parked", "waiting", "stopped",
      ])
    #expect(record["requests"] == 1)
    #expect(record["completed"] == 1)
    #expect(record["stopped"] == .null)
    #expect(record["bytes"]?.integerValue == Int64(desk.proxy.requests[0].body.count))
    #expect(desk.kinto.record(id) == ["name": "Ada"])
    let again = try desk.push()
    #expect(again.status == 0)
    #expect(again.output == "0 sent in 0 requests of 0 bytes\n")
    #expect(try desk.outbox().isEmpty)
  }

  @Test func onlyTheNamedDraftsAreSent() throws {
    let desk = try PushDesk()
    let ids = try ["a", "b"].map { try desk.submitted("name=\($0)") }
    #expect(try desk.push(ids[1]).status == 0)
    #expect(try desk.outbox().map { $0["draft"] } == [.string(ids[0])])
    #expect(try desk.push("no-such-draft").status == 3)
  }

  @Test func exitStatusesTellWhatIsLeft() throws {
    let desk = try PushDesk()
    let id = try desk.submitted("name=Ada")
    #expect(try desk.store.run("push").status == 2)
    #expect(try desk.store.run("push", "--to", "nowhere.json").status == 3)
    #expect(try desk.push(account: "").status == 3)
    try desk.store.folder.write(#"{"url": "http://intake.example.org/{id}"}"#, to: "bad.json")
    #expect(
      try desk.store.run("push", "--to", "bad.json", "--json").error()["code"] == "badSettings")

    #expect(try desk.push(account: "nobody:wrong").status == 4)
    desk.proxy.next(.answer(308, headers: ["Location: /x"]))
    #expect(try desk.push().status == 4)
    desk.proxy.next(.answer(503))
    #expect(try desk.push().status == 5)
    try desk.write(port: 1)
    try desk.store.done("outbox", "retry")
    #expect(try desk.push().status == 5)
    try desk.write(port: desk.proxy.port)
    try desk.store.done("outbox", "retry")
    let problem = #"{"title": "no", "detail": "not today"}"#
    desk.proxy.next(
      .answer(403, headers: ["Content-Type: application/problem+json"], body: problem))
    let refused = try desk.push("--json")
    #expect(refused.status == 4)
    #expect(try refused.record()["parked"] == 1)
    #expect(refused.errors.contains("not today"))
    // It is not sent again by itself, and is not forgotten.
    #expect(try desk.push().status == 4)
    let item = try #require(try desk.outbox().first)
    #expect(
      item.keys == [
        "id", "draft", "submission", "state", "attempts", "nextAttemptAt", "lastError",
      ])
    #expect(item["state"] == "parked")
    #expect(item["lastError"]?.stringValue?.contains("not today") == true)
    let number = try #require(item["id"]?.integerValue)
    #expect(try desk.store.run("outbox", "retry", "\(number)").output == "retried 1\n")
    #expect(try desk.push().status == 0)
    #expect(desk.kinto.record(id) == ["name": "Ada"])
  }

  @Test func whatIsDroppedGoesWithTheNextSubmission() throws {
    let desk = try PushDesk()
    let id = try desk.submitted("name=Ada")
    let number = try #require(try desk.outbox().first?["id"]?.integerValue)
    #expect(try desk.store.run("outbox", "drop", "\(number)").output == "dropped 1\n")
    #expect(try desk.store.run("outbox", "drop", "\(number)").status == 1)
    #expect(try desk.store.run("outbox", "drop", "x").status == 2)
    #expect(try desk.push().status == 0)
    #expect(desk.kinto.record(id) == nil)
    try desk.submit(id, ["city=Paris"])
    #expect(try desk.push().status == 0)
    #expect(desk.kinto.record(id) == ["name": "Ada", "city": "Paris"])
  }

  @Test func aDryRunPrintsTheVeryRequests() throws {
    let desk = try PushDesk()
    let id = try desk.submitted("name=Ada \"é\"", "city=\u{1F600}")
    for changes in [nil, ["city=Rome"]] as [[String]?] {
      if let changes { try desk.submit(id, changes) }
      desk.proxy.reset()
      let dry = try desk.push("--dry-run", "--json")
      #expect(dry.status == 0)
      #expect(desk.proxy.requests.isEmpty)
      let plain = try desk.push("--dry-run").output
      #expect(try desk.push().status == 0)
      let sent = try #require(desk.proxy.requests.first)
      let told = try dry.record()
      #expect(told["method"] == .string(sent.method))
      #expect(told["url"]?.stringValue?.hasSuffix(sent.target) == true)
      #expect(told["body"]?.stringValue.map { Array($0.utf8) } == sent.body)
      #expect(plain.contains(sent.text))
      for header in try #require(told["headers"]?.objectValue).members {
        #expect(sent[header.key] == header.value.stringValue, "\(header.key)")
        #expect(plain.contains("\(header.key): \(sent[header.key] ?? "")\n"))
      }
      let added = Set(sent.headers.map(\.name)).subtracting(told["headers"]?.keys ?? [])
      #expect(
        added.isSubset(of: ["Host", "User-Agent", "Authorization", "Content-Length"]), "\(added)")
    }
    #expect(try desk.push("--dry-run").output.isEmpty)
  }

  @Test func conflictsAreListedAndDecided() throws {
    let desk = try PushDesk()
    let id = try desk.submitted("name=Ada", "city=Paris", "note=x")
    #expect(try desk.push().status == 0)
    #expect(try desk.store.run("conflicts", "list").status == 1)
    desk.kinto.change(id, ["name": "Cy", "city": "Rome", "note": "y"])
    try desk.submit(id, ["name=Bea", "city=Oslo", "note=z"])
    let push = try desk.push()
    #expect(push.status == 1)
    #expect(push.errors.contains("both sides changed"))
    let list = try desk.store.run("conflicts", "list", "--json")
    #expect(list.status == 0)
    #expect(
      list.output.hasPrefix(
        #"{"draft":"\#(id)","serviceKey":"city","base":"Paris","mine":"Oslo","theirs":"Rome"}"#))
    #expect(try list.records().count == 3)
    // An open conflict is told at each run.
    #expect(try desk.push().status == 1)
    #expect(try desk.store.run("conflicts", "resolve", id, "name=both").status == 2)
    #expect(try desk.store.run("conflicts", "resolve", id, "nothing=mine").status == 3)
    let some = try desk.store.run("conflicts", "resolve", id, "name=mine", "city=theirs", "--json")
    #expect(some.status == 1)
    #expect(try some.record()["left"] == ["note"])
    #expect(try desk.store.run("conflicts", "resolve", id, #"note:="w""#).status == 0)
    #expect(try desk.push().status == 0)
    #expect(desk.kinto.record(id) == ["name": "Bea", "city": "Rome", "note": "w"])
    #expect(
      try desk.store.values(of: id).members.map { "\($0.key)=\($0.value.stringValue ?? "")" }
        .sorted() == ["city=Rome", "name=Bea", "note=w"])
  }

  /// Sends what is submitted while it runs, and ends in order when it is asked to.
  @Test func watchingSendsWhatBecomesDue() throws {
    let desk = try PushDesk()
    let first = try desk.submitted("name=Ada")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Formdraft.path)
    process.arguments = [
      "--store", desk.store.folder.path("test.store"), "push", "--to",
      desk.store.folder.path("kinto.json"), "--watch",
    ]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["KINTO_ACCOUNT": Kinto.account]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    /// Waits, for some minutes at most.
    func wait(_ isDone: () throws -> Bool) throws {
      for _ in 0..<4800 {
        if try isDone() { return }
        usleep(50_000)
      }
      Issue.record("nothing happened")
    }
    try wait { desk.kinto.record(first) != nil }
    desk.proxy.next(.answer(500))
    let second = try desk.submitted("name=Bea")
    try wait { desk.kinto.record(second) != nil }
    // It is interrupted within a request: the item is free at once for the next run.
    desk.proxy.next(.delay(milliseconds: 3000))
    let third = try desk.submitted("name=Cy")
    try wait { desk.proxy.requests.contains { $0.target.hasSuffix(third) } }
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(try desk.push().status == 0)
    #expect(desk.kinto.record(third) == ["name": "Cy"])
    #expect(try desk.outbox().isEmpty)
  }
}
