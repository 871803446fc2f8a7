import FormModel
import FormSamples
import Foundation
import Testing

/// Beginnings, ends and what goes wrong.
extension FillCommandTests {
  @Test func anUntouchedDraftLeavesNothing() throws {
    let store = try TestStore("calculator")
    let result = try fill(["--form", "calculator"], [">", ":list", "x", ":quit"], in: store)
    #expect(result.status == 0)
    #expect(result.output.hasSuffix("Nothing was typed; no draft is left behind.\n"))
    #expect(try store.run("draft", "list", "--ids").output.isEmpty)
    _ = try fill(["--form", "calculator", "--title", "张三", "--subject", "c1"], ["1"], in: store)
    let drafts = try store.run("draft", "list", "--json").records()
    #expect(drafts.count == 1)
    #expect(drafts.first?["title"] == "张三")
    #expect(drafts.first?["subject"] == "c1")
  }

  @Test func wrongUseIsTold() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let json = try fill([id, "--json"], [], in: store)
    #expect(json.status == 2)
    #expect(try json.error()["message"]?.stringValue?.contains("talks with a person") == true)
    #expect(try fill([], [], in: store).status == 2)
    #expect(try fill([id, "--form", "calculator"], [], in: store).status == 2)
    #expect(try fill([id, "--title", "t"], [], in: store).status == 2)
    #expect(try fill(["--form", "nothing"], [], in: store).status == 3)
    try store.done("draft", "discard", id)
    #expect(try fill([id], [], in: store).errors.contains("discarded"))
  }

  @Test func whatAFormHoldsIsNotObeyed() throws {
    let store = try TestStore()
    try store.folder.write(
      #"""
      {"id":"f","title":"t\u001b[2J","sections":[{"title":"s\u001b]0;x\u0007","rows":[
        {"kind":"input","key":"a\u001b[31m","serviceKey":"a","sensitive":true},
        {"kind":"custom","key":"c","serviceKey":"c","customIdentifier":"map"}]}]}
      """#, to: "f.json")
    try store.done("form", "add", store.folder.path("f.json"))
    let result = try fill(["--form", "f"], ["geheim", "{\"x\":1}", "<", "no json"], in: store)
    #expect(!result.output.contains("\u{1B}"))
    // A transcript does not tell what a terminal would not show.
    #expect(!result.output.contains("geheim"))
    #expect(result.output.contains("  = {\"x\":1}\n"))
    #expect(try store.values(of: "@")["a"] == "geheim")
    #expect(try store.values(of: "@")["c"] == "no json")
  }

  @Test func whatIsSensitiveIsToldByNoMessage() throws {
    let store = try TestStore()
    try store.folder.write(
      #"""
      {"id":"f","title":"t","sections":[{"title":"","rows":[
        {"kind":"option","key":"o","serviceKey":"o","sensitive":true,
         "options":[{"id":"p","label":"HIV positive"},{"id":"n","label":"HIV negative"}]},
        {"kind":"tags","key":"t","serviceKey":"t","sensitive":true,"leastChoiceCount":1,
         "tags":[{"id":"a","labelName":"Alcohol"},{"id":"b","labelName":"Drugs"}]},
        {"kind":"input","key":"pin","serviceKey":"pin","sensitive":true}]}]}
      """#, to: "f.json")
    try store.done("form", "add", store.folder.path("f.json"))
    let result = try fill(
      ["--form", "f"],
      [
        "geheim", "HIV", "HIV pos", "2", "geheim,1", "?", "", ":geheim", ":go geheim", ":list",
        ":go o", "", "", ":quit",
      ], in: store)
    let output = result.output
    #expect(!output.contains("geheim"))
    #expect(!output.contains("= HIV"))
    #expect(!output.contains("[x]") && !output.contains("= Drugs"), "\(output)")
    #expect(output.contains("! nothing is called that: type a number, or a part of the name\n"))
    #expect(output.contains("! that may be several; type #NUMBER, or =NAME:\n> ••••\n  = ••••\n"))
    #expect(output.contains("! that is no command;"))
    #expect(output.contains("! no row is called that;"))
    #expect(output.contains("   o = ••••\n   t = ••••\n"))
    let values = try store.values(of: "@")
    #expect(values["o"] == "p")
    #expect(values["t"] == ["b"])
  }

  @Test func twoWindowsLoseNothing() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let result = try store.shell(
      """
      mkfifo pipe
      formdraft fill \(id) < pipe > out 2> err & filler=$!
      exec 3> pipe
      echo 1 >&3
      for i in $(seq 200); do grep -q 还款方式 out && break; sleep 0.1; done
      formdraft draft set \(id) amount=7 > /dev/null
      printf '2\\n\\n' >&3
      exec 3>&-
      wait $filler; cat out err
      """)
    #expect(
      result.output.contains(
        "贷款金额 *\n  a decimal number without leading zeros, such as 120.50\n  = 7\n"))
    #expect(try store.values(of: id)["amount"] == 7)
  }

  @Test func anotherProgramsTextIsNotReplacedUnseen() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let result = try store.shell(
      """
      mkfifo pipe
      formdraft fill \(id) < pipe > out 2> err & filler=$!
      exec 3> pipe
      printf ':go remark\\nmine\\n' >&3
      for i in $(seq 200); do
        formdraft draft show \(id) --json | grep -q mine && break; sleep 0.1
      done
      formdraft draft set \(id) remark=theirs > /dev/null
      printf 'too\\n.\\n' >&3
      exec 3>&-
      wait $filler; cat out err
      """)
    #expect(
      result.output.contains(
        "the lines typed here replace this:\n  = theirs\n"), "\(result.output)")
    #expect(try store.values(of: id)["remark"] == "mine\ntoo")
  }

  @Test func aRuleOfARowThatAsksAtTheEndIsToldToo() throws {
    let store = try TestStore()
    try store.folder.write(
      #"""
      {"id":"f","title":"t","sections":[{"title":"","rows":[
        {"kind":"input","key":"Phone","serviceKey":"p",
         "verify":{"rule":{"mobileCN":true},"errorMsg":"Please check the number"}},
        {"kind":"input","key":"Rooms","serviceKey":"r","dataType":"integer",
         "verify":{"rule":{"number":{"min":"1","max":"20"}}}},
        {"kind":"input","key":"End","serviceKey":"e"}]}]}
      """#, to: "f.json")
    try store.done("form", "add", store.folder.path("f.json"))
    let result = try fill(["--form", "f"], ["123", "99", "end"], in: store)
    #expect(
      result.output.contains(
        """
        > 123
        ! Please check the number
          It is kept as typed; < goes back to it.

        Rooms
        """), "\(result.output)")
    #expect(result.output.ranges(of: "It is kept as typed; <").count == 2)
    let values = try store.values(of: "@")
    #expect(values["p"] == "123")
    #expect(values["r"] == 99)
    #expect(values["e"] == "end")
  }

  @Test(.enabled(if: Sanitizer.allowsFileLimits, "the thread sanitizer starts with a file"))
  func whatCannotBeSavedIsTold() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    _ = try fill([id], ["1", "本金"], in: store)
    let answers = (0..<60).flatMap {
      [":go remark", String(repeating: "\($0)长", count: 150), "."]
    }
    try store.folder.write(answers.joined(separator: "\n") + "\n", to: "answers")
    // A limit on the size of files stands for a full disk: writes fail in the same place.
    let size = try store.folder.bytes(of: "test.store").count / 1024 + 8
    let result = try store.shell(
      """
      trap '' XFSZ
      (ulimit -f \(size); formdraft fill \(id) < answers 2>&1) | cat; echo ${PIPESTATUS[0]}
      """)
    #expect(result.output.contains("! not saved: "), "\(result.output)")
    #expect(result.output.hasSuffix("\n3\n"))
    let values = try store.values(of: id)
    #expect(values["repayment"] == "principal")
    #expect(values["remark"]?.stringValue?.isEmpty == false)
    #expect(try store.run("store", "check").status == 0)
  }
}

/// A form that gets another version while it is filled.
extension FillCommandTests {
  private static func version(_ rows: String) -> String {
    """
    {"id":"u","title":"U","sections":[{"title":"","rows":[
      {"kind":"input","key":"A","serviceKey":"a"},\(rows)
      {"kind":"input","key":"C","serviceKey":"c"}]}]}
    """
  }

  private static let note = #""kind":"input","cellStyle":"textView2""#

  @Test(arguments: [
    // A row that is called otherwise takes the answer.
    (
      #"{"kind":"input","key":"B","serviceKey":"b"},"#,
      #"{"kind":"input","key":"B2","serviceKey":"b2","formerKeys":["b"]},"#, "beta", "b2", "beta"
    ),
    // One that is gone gives it back.
    (#"{"kind":"input","key":"B","serviceKey":"b"},"#, "", "beta", "c", "gamma"),
    // A number may be another option's now.
    (
      #"{"kind":"option","key":"B","serviceKey":"b","options":[{"id":"x","label":"X"},{"id":"y","label":"Y"}]},"#,
      #"{"kind":"option","key":"B","serviceKey":"b","options":[{"id":"y","label":"Y"},{"id":"x","label":"X"}]},"#,
      "1", "b", nil
    ),
    // Lines go on where they began.
    (
      "{\(note),\"key\":\"B\",\"serviceKey\":\"b\"},",
      "{\(note),\"key\":\"B\",\"serviceKey\":\"b2\",\"formerKeys\":[\"b\"]},",
      "one\ntwo\n.", "b2", "one\ntwo"
    ),
  ])
  func anotherVersionOfTheFormLosesNoAnswer(
    old: String, new: String, answer: String, key: String, value: String?
  ) throws {
    let store = try TestStore()
    try store.folder.write(Self.version(old), to: "u1.json")
    try store.folder.write(Self.version(new), to: "u2.json")
    try store.folder.write(answer + "\n", to: "answer")
    try store.done("form", "add", store.folder.path("u1.json"))
    let id = try store.newDraft("u")
    let result = try store.shell(
      """
      mkfifo pipe
      formdraft fill \(id) < pipe > out 2> err & filler=$!
      exec 3> pipe
      echo alpha >&3
      for i in $(seq 200); do grep -q '^B' out && break; sleep 0.1; done
      formdraft form add u2.json > /dev/null
      formdraft draft upgrade \(id) > /dev/null
      cat answer >&3
      printf 'gamma\\n' >&3
      exec 3>&-
      wait $filler; echo $?; cat out err
      """)
    #expect(result.output.contains("! The draft was brought to version 2 of its form meanwhile.\n"))
    let values = try store.values(of: id)
    #expect(values["a"] == "alpha")
    #expect(values[key] == value.map { .string($0) }, "\(result.output)")
    if new.isEmpty { #expect(result.output.contains("! \"beta\" was not taken.\n")) }
  }

  @Test(arguments: [
    (
      #"{"kind":"input","cellStyle":"textView2","key":"B","serviceKey":"b2","formerKeys":["b"]},"#,
      "b2", "one\ntwo\nthree"
    ),
    // The lines behind are no other row's answer.
    ("", "b", nil),
  ])
  func anotherVersionComesAmongLines(new: String, key: String, value: String?) throws {
    let store = try TestStore()
    try store.folder.write(
      Self.version("{\(Self.note),\"key\":\"B\",\"serviceKey\":\"b\"},"), to: "u1.json")
    try store.folder.write(Self.version(new), to: "u2.json")
    try store.done("form", "add", store.folder.path("u1.json"))
    let id = try store.newDraft("u")
    let result = try store.shell(
      """
      mkfifo pipe
      formdraft fill \(id) < pipe > out 2> err & filler=$!
      exec 3> pipe
      printf 'alpha\\none\\n' >&3
      for i in $(seq 200); do
        formdraft draft show \(id) --json | grep -q one && break; sleep 0.1
      done
      formdraft form add u2.json > /dev/null
      formdraft draft upgrade \(id) > /dev/null
      printf 'two\\n' >&3
      for i in $(seq 200); do grep -q 'version 2' out && break; sleep 0.1; done
      printf 'three\\n.\\ngamma\\n' >&3
      exec 3>&-
      wait $filler; echo $?; cat out err
      """)
    let values = try store.values(of: id)
    #expect(values["a"] == "alpha")
    #expect(values["c"] == "gamma", "\(result.output)")
    if new.isEmpty {
      #expect(result.output.contains("! \"two\" was not taken.\n"))
    } else {
      #expect(values[key] == value.map { .string($0) }, "\(result.output)")
    }
  }
}
