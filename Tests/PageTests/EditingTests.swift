import FormModel
import FormSamples
import Foundation
import Testing

@Suite struct EditingTests {
  @Test func anAnsweredEditSurvivesKill() throws {
    let server = try PageServer()
    let draft = try server.newDraft("profile")
    let answer = try server.send(
      #"{"begin":"cardNo"}"#, #"{"enter":"cardNo","text":"62220"}"#, to: draft)
    #expect(answer["save"]?["state"] == "saved")
    #expect(answer["outcomes"]?.arrayValue?.last?["text"] == "6222 0")
    server.kill()
    #expect(try server.values(of: draft)?["cardNo"] == "62220")
    try server.start()
    let state = try server.ask("GET", "/drafts/\(draft)/state").json
    #expect(state["fields"]?["cardNo"]?["text"] == "6222 0")
    #expect(state["focus"] == "cardNo")
  }

  @Test func anEventThatIsSentTwiceCountsOnce() throws {
    let server = try PageServer()
    let draft = try server.newDraft("interests")
    let tap = #"{"toggle":"interests","tag":"film","selected":true}"#
    for _ in 0..<3 { try server.send(tap, to: draft) }
    #expect(try server.values(of: draft)?["interests"] == ["film"])
    try server.send(#"{"toggle":"interests","tag":"film"}"#, to: draft)
    #expect(try server.values(of: draft)?["interests"] == [])
  }

  @Test func pagesSeeEachOthersEdits() throws {
    let server = try PageServer()
    let draft = try server.newDraft("profile")
    let stream = try server.changes(of: draft, for: "b")
    try server.send(#"{"enter":"name","text":"Ada"}"#, to: draft, from: "a")
    let edit = try stream.event { $0["fields"]?["name"] != nil }
    #expect(edit["fields"]?["name"]?["text"] == "Ada")
    #expect(edit["client"] == "a")
    // What a page did itself it is not told; the next it hears is of somebody else.
    try server.send(#"{"enter":"email","text":"b@example.org"}"#, to: draft, from: "b")
    try server.run("draft", "set", draft, "address=Elsewhere")
    let other = try stream.event { $0["fields"] != nil }
    #expect(other["fields"]?["address"]?["text"] == "Elsewhere")
    let values = try server.values(of: draft)
    #expect(values?["name"] == "Ada")
    #expect(values?["email"] == "b@example.org")
  }

  @Test func aTitleIsSavedAndSeenByOthers() throws {
    let server = try PageServer()
    let draft = try server.newDraft("profile")
    let stream = try server.changes(of: draft, for: "b")
    let answer = try server.send(
      #"{"title":"Adas <b>"}"#, #"{"enter":"name","text":"Ada"}"#, to: draft)
    #expect(answer["save"]?["state"] == "saved")
    #expect(answer["outcomes"]?.arrayValue?.count == 2)
    let told = try stream.event { $0["draft"]?["title"] == "Adas <b>" }
    #expect(told["draft"]?["status"] == "editing")
    server.kill()
    let shown = try JSONValue(parsing: server.run("draft", "show", draft, "--json"))
    #expect(shown["title"] == "Adas <b>")
    #expect(shown["values"]?["name"] == "Ada")
  }

  @Test func aDraftThatWasPutAwayTakesNoTitle() throws {
    let server = try PageServer()
    let draft = try server.newDraft("profile")
    try server.send(#"{"enter":"name","text":"Ada"}"#, to: draft)
    try server.run("draft", "discard", draft)
    let answer = try server.send(#"{"title":"Ada"}"#, to: draft)
    #expect(answer["save"]?["state"] == "failed")
    #expect(answer["save"]?["code"] == "isDiscarded")
  }

  @Test func whatIsWrongIsShownThenWhatWasSubmitted() throws {
    let server = try PageServer()
    let draft = try server.newDraft("interests")
    let refused = try server.ask("POST", "/drafts/\(draft)/submit", "{}").json
    #expect(refused["invalid"]?["firstErrorMsg"] == "请至少选择3个")
    #expect(refused["errors"]?.arrayValue?.count == 2)
    #expect(refused["submission"] == nil)
    for tag in ["read", "code", "photo"] {
      try server.send(#"{"toggle":"interests","tag":"\#(tag)","selected":true}"#, to: draft)
    }
    try server.send(#"{"toggle":"language","tag":"zh","selected":true}"#, to: draft)
    let done = try server.ask("POST", "/drafts/\(draft)/submit", "{}").json
    #expect(done["submission"]?["number"] == 1)
    #expect(done["submission"]?["changes"]?.arrayValue?.first?["new"] == "阅读, 编程, 摄影")
    let param = try JSONValue(parsing: #require(done["submission"]?["param"]?.stringValue))
    #expect(param["language"] == "zh")
    let again = try server.ask("POST", "/drafts/\(draft)/submit", "{}").json
    #expect(again["submission"]?["isNew"] == false)
  }

  @Test func undoIsForAll() throws {
    let server = try PageServer()
    let draft = try server.newDraft("profile")
    try server.send(#"{"enter":"name","text":"Ada"}"#, to: draft)
    let undone = try server.ask("POST", "/drafts/\(draft)/undo", "{}").json
    #expect(undone["fields"]?["name"]?["text"] == "")
    #expect(undone["history"]?["redo"] == 1)
    #expect(try server.values(of: draft)?["name"] == nil)
  }

  @Test func naughtyStringsComeBackAsTheyAre() throws {
    let server = try PageServer()
    let draft = try server.newDraft("profile")
    let all = try JSONValue(parsing: Cases.text("values/naughty-strings.json"))
    for text in try #require(all.arrayValue).compactMap(\.stringValue)
    where !text.contains("  ") && text.count <= 100 && !text.isEmpty {
      let json = JSONValue.string(text).jsonText
      let answer = try server.send(
        #"{"enter":"address","text":""}"#, #"{"enter":"address","text":\#(json)}"#, to: draft)
      #expect(answer["fields"]?["address"]?["text"] == .string(text))
    }
    let page = try server.ask("GET", "/drafts/\(draft)")
    #expect(page.headers["content-type"] == "text/html; charset=utf-8")
    #expect(!page.body.contains(draft))
  }

  @Test func theEndSavesEverything() throws {
    let server = try PageServer()
    let draft = try server.newDraft("profile")
    let stream = try server.changes(of: draft, for: "b")
    try server.send(#"{"enter":"name","text":"Ada"}"#, to: draft)
    #expect(server.end() == 0)
    // The pages are told that there is nothing more to come.
    _ = try stream.receive(through: nil)
    #expect(try server.values(of: draft)?["name"] == "Ada")
  }

  @Test func thePageSpeaksTheReadersLanguage() throws {
    let server = try PageServer()
    func language(_ accepted: String) throws -> Bool {
      let page = try server.ask("GET", "/", nil, ["Accept-Language": accepted])
      return page.body.contains(#"<html lang="zh-CN">"#)
    }
    #expect(try language("zh-CN,zh;q=0.9,en;q=0.8"))
    #expect(try language("fr, zh;q=0.5, en;q=0.4"))
    #expect(try !language("en-GB,en;q=0.9,zh;q=0.8"))
    #expect(try !language("fr"))
  }
}
