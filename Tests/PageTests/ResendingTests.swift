import FormModel
import FormSamples
import Foundation
import Testing

/// What a page sends again, late, or by another version of the form.
@Suite struct ResendingTests {
  private func tap(_ isSelected: Bool, _ number: Int? = nil) -> String {
    let serial = number.map { #","page":"a","number":\#($0)"# } ?? ""
    return #"{"toggle":"interests","tag":"film","selected":\#(isSelected)\#(serial)}"#
  }

  @Test func tapsThatTravelTogetherAreMadeOneAfterAnother() throws {
    let server = try PageServer()
    let draft = try server.newDraft("interests")
    try server.send(tap(true), tap(false), to: draft)
    #expect(try server.values(of: draft)?["interests"] != ["film"])
    try server.send(tap(true), to: draft)
    try server.send(tap(false), tap(true), to: draft)
    #expect(try server.values(of: draft)?["interests"] == ["film"])
    try server.send(tap(false, 1), tap(true, 2), to: draft)
    try server.send(tap(false, 1), tap(true, 2), to: draft)
    #expect(try server.values(of: draft)?["interests"] == ["film"])
  }

  @Test func whatWasTakenOverwritesNothingLater() throws {
    let server = try PageServer()
    let draft = try server.newDraft("profile")
    let events = [
      #"{"enter":"cardNo","text":"62220","page":"a","number":7}"#,
      #"{"title":"First","page":"a","number":8}"#,
    ]
    try server.send(events[0], events[1], to: draft)
    let stream = try server.changes(of: draft, for: "b")
    try server.run("draft", "set", draft, "cardNo=4000", "--title", "Second")
    _ = try stream.event { $0["fields"]?["cardNo"]?["text"] == "4000" }
    // From a page that was loaded anew, and has the events of the one before it.
    let answer = try server.send(events[0], events[1], to: draft, from: "c")
    #expect(answer["outcomes"]?.arrayValue?.first?["text"] == "6222 0")
    #expect(answer["fields"]?["cardNo"]?["text"] == "4000")
    #expect(answer["save"]?["state"] == "saved")
    #expect(try server.values(of: draft)?["cardNo"] == "4000")
    try server.send(#"{"enter":"cardNo","text":"5","page":"a","number":9}"#, to: draft)
    #expect(try server.values(of: draft)?["cardNo"] == "5")
    let shown = try JSONValue(parsing: server.run("draft", "show", draft, "--json"))
    #expect(shown["title"] == "Second")
  }

  private func add(_ keys: [String], to server: PageServer) throws {
    let rows = keys.map { #"{"kind":"input","key":"Row","serviceKey":\#($0)}"# }
    let path = "\(server.folder)/renamed.json"
    try
      #"{"id":"renamed","title":"R","sections":[{"title":"","rows":[\#(rows.joined(separator: ","))]}]}"#
      .write(toFile: path, atomically: true, encoding: .utf8)
    try server.run("form", "add", path)
  }

  @Test func aPageOfAnotherVersionIsTakenNothingOf() throws {
    let server = try PageServer()
    try add([#""old""#], to: server)
    let draft = try server.newDraft("renamed")
    func send(_ key: String, version: Int) throws -> Answer {
      try server.ask(
        "POST", "/drafts/\(draft)/events",
        #"{"client":"a","version":\#(version),"events":[{"enter":"\#(key)","text":"x"}]}"#)
    }
    #expect(try send("old", version: 1).status == 200)
    let stream = try server.changes(of: draft, for: "b")
    try add([#""new","formerKeys":["old"]"#], to: server)
    try server.run("draft", "upgrade", draft)
    _ = try stream.event { $0["reload"] != nil }
    // No stream of a version that is gone goes on.
    _ = try stream.receive(through: "\r\n0\r\n\r\n")
    let refused = try send("old", version: 1)
    #expect(refused.status == 409)
    #expect(try refused.json["error"]?["code"] == "otherVersion")
    let state = try server.ask("GET", "/drafts/\(draft)/state").json
    let row = state["form"]?["sections"]?.arrayValue?.first?["rows"]?.arrayValue?.first
    #expect(row?["fields"]?.arrayValue?.first?["formerKeys"] == ["old"])
    #expect(try send("new", version: 2).status == 200)
    #expect(server.end() == 0)
  }

  @Test func theServerEndsWithAStreamOfAnOlderVersion() throws {
    let server = try PageServer()
    try add([#""old""#], to: server)
    let draft = try server.newDraft("renamed")
    try server.send(#"{"enter":"old","text":"x"}"#, to: draft)
    let stream = try server.changes(of: draft, for: "b")
    try add([#""new","formerKeys":["old"]"#], to: server)
    try server.run("draft", "upgrade", draft)
    _ = try stream.event { $0["reload"] != nil }
    _ = try server.ask("GET", "/drafts/\(draft)/state")
    #expect(server.end() == 0)
  }

  @Test func whatIsSensitiveIsNotShownAfterItsSubmission() throws {
    let server = try PageServer()
    try add([#""pin","sensitive":true"#, #""name""#], to: server)
    let draft = try server.newDraft("renamed")
    try server.send(#"{"enter":"pin","text":"4711"}"#, to: draft)
    try server.send(#"{"enter":"name","text":"Ada"}"#, to: draft)
    let done = try server.ask("POST", "/drafts/\(draft)/submit", "{}").json["submission"]
    let param = try JSONValue(parsing: #require(done?["param"]?.stringValue))
    #expect(param["pin"] == "••••")
    #expect(param["name"] == "Ada")
    #expect(done?["changes"]?.jsonText.contains("4711") == false)
  }

  @Test func othersLearnThatThereIsSomethingToUndo() throws {
    let server = try PageServer()
    let draft = try server.newDraft("profile")
    let stream = try server.changes(of: draft, for: "b")
    try server.send(#"{"enter":"name","text":"Ada"}"#, to: draft)
    _ = try stream.event { $0["history"]?["undo"] == 1 }
  }

  @Test func theListTellsThatThereIsMore() throws {
    let server = try PageServer()
    for _ in 0..<3 {
      try server.send(
        #"{"enter":"name","text":"Ada"}"#, to: try server.newDraft("profile"))
    }
    let some = try server.ask("GET", "/state?limit=2").json
    #expect(some["drafts"]?.arrayValue?.count == 2)
    #expect(some["hasMore"] == true)
    let all = try server.ask("GET", "/state?limit=3").json
    #expect(all["drafts"]?.arrayValue?.count == 3)
    #expect(all["hasMore"] == false)
  }
}
