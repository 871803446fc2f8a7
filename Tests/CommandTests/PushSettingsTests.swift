import FormModel
import Foundation
import ServerSupport
import Testing

/// What `push` says of settings and of what it would send.
@Suite struct PushSettingsTests {
  private func refused(_ settings: String, _ words: String) throws {
    let desk = try PushDesk()
    try desk.store.folder.write(settings, to: "kinto.json")
    let result = try desk.push()
    #expect(result.status == 3)
    #expect(result.errors.contains("kinto.json") || result.errors.contains("missing.pem"))
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  /// All drafts would be sent to one record.
  @Test(arguments: ["https://host/records", "https://host/{form}"])
  func anAddressOfNoRecordIsRefused(_ url: String) throws {
    try refused(#"{"url": "\#(url)"}"#, "say which record")
  }

  @Test func settingsThatAreTooLongAreToldAsSuch() throws {
    try refused(
      #"{"url": "https://host/{id}", "envelope": "\#(String(repeating: "x", count: 1 << 20))"}"#,
      "1 MiB")
  }

  @Test func missingAuthoritiesAreNoServerThatIsAway() throws {
    try refused(
      #"{"url": "https://host/{id}", "certificateAuthorities": "missing.pem"}"#, "missing.pem")
  }

  @Test func anAddressWithAQueryNeedsAPlace() throws {
    let desk = try PushDesk()
    let result = try desk.store.run("push", "--to", "https://host/records?a=b")
    #expect(result.status == 2)
    #expect(result.errors.contains("{id}"))
  }

  @Test func credentialsThatAreMissingAreToldAsSuch() throws {
    let desk = try PushDesk()
    for (contents, words) in [
      (nil, "token.txt can't be read"), ("", "token.txt holds no secret"),
      (String(repeating: "x", count: 1 << 17), "token.txt can't be read, or holds far too much"),
    ] {
      if let contents { try desk.store.folder.write(contents, to: "token.txt") }
      try desk.store.folder.write(
        #"{"url": "https://host.invalid/{id}", "credentials": {"bearerFromFile": "token.txt"}}"#,
        to: "kinto.json")
      let result = try desk.push()
      #expect(result.status == 3)
      #expect(result.errors.contains(words), "\(result.errors)")
    }
  }

  /// What a run would hold back is not told as what it would send.
  @Test func aDryRunTellsWhatWouldBeSent() throws {
    let desk = try PushDesk()
    // One is put aside with a newer submission behind it: its outcome is not known.
    let parked = try desk.submitted("name=Ada")
    desk.proxy.next(.loseAnswer, .loseAnswer)
    #expect(try desk.push().status == 5)
    try desk.submit(parked, ["city=Paris"])
    try desk.store.done("outbox", "retry")
    try desk.write(#", "retry": {"attempts": 1}"#)
    #expect(try desk.push().status == 4)
    #expect(try desk.outbox().map { $0["state"]?.stringValue } == ["parked", "queued"])
    let discarded = try desk.submitted("name=Bea")
    try desk.store.done("draft", "discard", discarded)
    let plain = try desk.submitted("name=Cy")
    let told = try desk.push("--dry-run", "--json").records().map { $0["draft"]?.stringValue }
    #expect(told == [plain])
    desk.proxy.reset()
    _ = try desk.push()
    #expect(desk.proxy.mutations.map { $0.target.hasSuffix(plain) } == [true])
  }

  /// A value that the form does not take is not sent by a decision either.
  @Test(arguments: ["name:=\"\"", "name:=null"]) func aDecisionIsChecked(_ decision: String) throws
  {
    let desk = try PushDesk(#", "requiredType": "required""#)
    let id = try desk.submitted("name=Ada")
    #expect(try desk.push().status == 0)
    desk.kinto.change(id, ["name": "Eve"])
    try desk.submit(id, ["name=Bea"])
    #expect(try desk.push().status == 1)
    let result = try desk.store.run("conflicts", "resolve", id, decision)
    #expect(result.status == 1)
    #expect(result.errors.contains("name"), "\(result.errors)")
    #expect(try desk.store.run("conflicts", "list").status == 0)
    #expect(try desk.store.run("conflicts", "resolve", id, #"name:="Di""#).status == 0)
    #expect(try desk.push().status == 0)
    #expect(desk.kinto.record(id) == ["name": "Di"])
  }
}
