import FormModel
import Foundation
import Testing

@Suite struct EditCommandTests {
  @Test func valuesAreSavedTogetherAsTyped() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let result = try store.run(
      "draft", "set", id, "amount=120000.00", "term=30", "利率(%)=3.10", "remark=a=b:=c",
      "--focus", "利率(%)", "--title", "t")
    #expect(result.output == "changed amount, term, rate, remark (revision 1)\n")
    #expect(result.errors.isEmpty)
    let shown = try store.run("draft", "show", id, "--json")
    #expect(shown.output.contains(#""amount":120000.00,"amountUnit":"wan","term":30,"#))
    #expect(shown.output.contains(#""rate":3.10,"remark":"a=b:=c""#))
    #expect(try shown.record()["focus"] == "rate")
    #expect(try shown.record()["title"] == "t")
    #expect(
      try store.run("draft", "set", id, "term=30", "--json").output
        == #"{"draft":"\#(id)","revision":1,"changed":[]}"# + "\n")
  }

  @Test func textThatIsNoValueIsKeptWithAWarning() throws {
    let store = try TestStore("calculator", "interests")
    let id = try store.newDraft("calculator")
    let result = try store.run(
      "draft", "set", id, "amount=1e", "loanType=none", "firstPayment=2023-02-29", "--json")
    #expect(result.status == 0)
    let warnings = try result.complaints()
    #expect(
      warnings.map { $0["warning"]?["key"] } == ["amount", "loanType", "firstPayment"])
    #expect(warnings.first?["warning"]?.keys == ["code", "message", "key"])
    #expect(try store.values(of: id)["firstPayment"] == "2023-02-29")
    let strict = try store.run("draft", "set", id, "remark=new", "amount=x", "--strict")
    #expect(strict.status == 3)
    #expect(strict.errors.hasPrefix("formdraft: amount: expected a decimal number"))
    #expect(try store.values(of: id)["remark"] == nil)
    let tags = try store.newDraft("interests")
    #expect(try store.run("draft", "set", tags, "interests=swim").errors.contains("warning"))
    try store.done("draft", "set", tags, "interests=")
    #expect(try store.values(of: tags)["interests"] == [])
  }

  @Test func jsonIsTakenStrictly() throws {
    let store = try TestStore("calculator", "interests")
    let id = try store.newDraft("calculator")
    try store.done("draft", "set", id, "amount:=0.10", #"loanType:="fund""#, "remark:=null")
    let shown = try store.run("draft", "show", id, "--json").output
    #expect(shown.contains(#""values":{"loanType":"fund","amount":0.10,"#))
    #expect(shown.contains(#""remark":null"#))
    for (bad, code) in [
      ("amount:=true", "badValue"), ("amount:=", "badJSON"), ("amount:={", "badJSON"),
      (#"loanType:="none""#, "badValue"), (#"firstPayment:="2023-02-29""#, "badValue"),
      ("amount:=[1]", "badValue"),
    ] {
      let result = try store.run("draft", "set", id, "remark=never", bad, "--json")
      #expect(result.status == 3, "\(bad)")
      let error = try result.error()
      #expect(error["code"] == .string(code), "\(bad)")
      #expect(error["key"] == .string(String(bad.prefix { $0 != ":" })))
    }
    #expect(try store.values(of: id)["remark"] == .null)
    let tags = try store.newDraft("interests")
    try store.done("draft", "set", tags, #"interests:=["run","music"]"#, "language=zh")
    #expect(try store.values(of: tags)["interests"] == ["music", "run"])
  }

  @Test func valuesComeFromFiles() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let text = "第一行\r\n\ttwo\u{0}e\u{301}é 👩‍👩‍👧 \u{FEFF}\n"
    try store.folder.write(text, to: "remark.txt")
    try store.done("draft", "set", id, "remark=@remark.txt")
    #expect(try store.values(of: id)["remark"] == .string(text))
    _ = try store.run(["draft", "set", id, "remark=@-"], input: "from 输入")
    #expect(try store.values(of: id)["remark"] == "from 输入")
    try store.done("draft", "set", id, "remark=@@home")
    #expect(try store.values(of: id)["remark"] == "@home")
    try Data([0x66, 0xFF]).write(to: URL(fileURLWithPath: store.folder.path("latin.txt")))
    #expect(try store.run("draft", "set", id, "remark=@latin.txt").errors.contains("not UTF-8"))
    #expect(try store.run("draft", "set", id, "remark=@nothing.txt").status == 3)
    #expect(try store.run("draft", "set", id, "remark=@.").status == 3)
    #expect(try store.run("draft", "set", id, "remark=@").status == 2)
    #expect(try store.run("draft", "set", id, "remark=@-", "rate=@-").status == 2)
    let huge = String(repeating: "字", count: 1_000_000)
    try store.folder.write(huge, to: "huge.txt")
    try store.done("draft", "set", id, "remark=@huge.txt")
    #expect(try store.values(of: id)["remark"] == .string(huge))
    #expect(try store.run("draft", "show", id).output.utf8.count < 10_000)
  }

  @Test func hostileTextComesBackAsItWas() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    for text in [
      "", " ", "--", "-x", "'; DROP TABLE draft; --", "\u{1B}[31mred", "a\nb", "%s%n", "$(id)",
      "\u{202E}abc", "٣", "null", "[]", "{", String(repeating: "x", count: 100_000),
    ] {
      try store.done("draft", "set", id, "remark=\(text)")
      #expect(try store.values(of: id)["remark"] == .string(text))
      let table = try store.run("draft", "show", id).output
      #expect(!table.contains("\u{1B}") && !table.contains("\u{202E}"))
    }
  }

  @Test func unknownFieldsAreRefusedWithWhatWasMeant() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    for arguments in [["set", id, "rate=1", "amuont=3"], ["unset", id, "amuont"]] {
      let result = try store.run(["draft"] + arguments + ["--json"])
      #expect(result.status == 3)
      let error = try result.error()
      #expect(error["code"] == "unknownField")
      #expect(error["key"] == "amuont")
      #expect(error["message"]?.stringValue?.contains("did you mean \"amount\"?") == true)
    }
    #expect(try store.run("draft", "set", id, "--focus", "nothing").status == 3)
    #expect(try store.values(of: id)["rate"] == nil)
    for arguments in [["=x"], [":=1"], ["rate"], [], [""]] {
      #expect(try store.run(["draft", "set", id] + arguments).status == 2, "\(arguments)")
    }
  }

  @Test func anEditThatCameFirstIsNotOverwritten() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    try store.done("draft", "set", id, "rate=3.1", "--seen-revision", "0")
    let late = try store.run("draft", "set", id, "rate=3.2", "--seen-revision", "0", "--json")
    #expect(late.status == 3)
    #expect(try late.error()["code"] == "staleField")
    let early = try store.run("draft", "set", id, "rate=3.2", "--seen-revision", "9")
    #expect(early.status == 3)
    #expect(early.errors.contains("rate: the draft has no revision 9 yet, its newest is 1"))
    try store.done("draft", "set", id, "rate=3.2", "--seen-revision", "1")
    #expect(
      try store.run("draft", "set", id, "rate=1", "term=5", "--seen-revision", "1").status == 2)
  }

  @Test func unsetTakesValuesAway() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    try store.done("draft", "set", id, "amountUnit=yuan", "remark=x")
    let result = try store.run("draft", "unset", id, "amountUnit", "备注", "rate")
    #expect(result.output == "changed amountUnit, remark (revision 2)\n")
    #expect(try store.values(of: id) == ["amountUnit": "wan", "termUnit": "year"])
  }

  @Test func tagsAreChosenAndUnchosen() throws {
    let store = try TestStore("interests")
    let id = try store.newDraft("interests")
    let few = try store.run("draft", "tag", id, "interests", "+photo", "+music", "-run")
    #expect(few.output == "音乐 (music), 摄影 (photo)\nnot enough\n")
    let enough = try store.run("draft", "tag", id, "兴趣", "+电影", "--json")
    #expect(
      enough.output
        == #"{"draft":"\#(id)","key":"interests","selected":["music","film","photo"],"#
        + #""unknown":[],"isEnough":true,"isTooMany":false}"# + "\n")
    try store.done("draft", "tag", "--", id, "interests", "-film")
    try store.done("draft", "tag", id, "language", "+zh")
    #expect(try store.run("draft", "tag", id, "language", "+en").output == "English (en)\nenough\n")
    #expect(try store.run("draft", "tag", id, "interests", "+swim").status == 3)
    for bad in ["music", "+", "-"] {
      #expect(try store.run("draft", "tag", id, "interests", bad).status == 2, "\(bad)")
    }
    #expect(try store.run("draft", "tag", id, "nothing", "+a").status == 3)
    #expect(try store.values(of: id)["interests"] == ["music", "photo"])
  }

  @Test func keysMayHoldTheSignsOfAnAssignment() throws {
    let store = try TestStore()
    try store.folder.write(
      """
      {"id": "f", "sections": [{"rows": [
        {"kind": "input", "key": "A", "serviceKey": "a"},
        {"kind": "input", "key": "B", "serviceKey": "a=b"}]}]}
      """, to: "form.json")
    try store.done("form", "add", store.folder.path("form.json"))
    let id = try store.newDraft("f")
    try store.done("draft", "set", id, "a=1", "a=b=2")
    #expect(try store.values(of: id) == ["a": "1", "a=b": "2"])
  }

  @Test func anOptionMayBeNamedByItsLabel() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let result = try store.done("draft", "set", id, "loanType=商业")
    #expect(result.errors.isEmpty)
    #expect(try store.values(of: id)["loanType"] == "commercial")
  }
}
