import FormModel
import Testing

@Suite struct DraftCommandTests {
  @Test func aNewDraftIsItsIDAloneAndIsWritten() throws {
    let store = try TestStore("calculator")
    let plain = try store.newDraft("calculator", "--title", "张三", "--subject", "c-17")
    #expect(plain.utf8.count == 36)
    let json = try store.newDraft("calculator", "--json", "--version=1")
    #expect(json.utf8.count == 36)
    let list = try store.run("draft", "list", "--ids").output.split(separator: "\n").map(
      String.init)
    #expect(Set(list) == [plain, json])
    // For machines each is an object, as all that is listed.
    let ids = try store.run("draft", "list", "--ids", "--json").records()
    #expect(ids.map(\.keys) == [["id"], ["id"]])
    #expect(ids.map { $0["id"]?.stringValue } == list)
    #expect(try store.run("draft", "new", "nothing").status == 3)
  }

  @Test func showHasItsKeysInOrder() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator", "--title", "张三")
    try store.done(
      "draft", "set", id, "amount=abc", "loanType=gone", "客户经理备注（不上传）=hi", "term:=30",
      "--focus", "amount")
    let record = try store.run("draft", "show", id, "--json").record()
    #expect(
      record.keys == [
        "id", "form", "version", "title", "status", "revision", "focus", "createdAt", "updatedAt",
        "values", "needsAttention", "local",
      ])
    #expect(record["title"] == "张三")
    #expect(record["focus"] == "amount")
    #expect(record["revision"] == 1)
    #expect(record["values"]?.keys == ["loanType", "amount", "amountUnit", "term", "termUnit"])
    #expect(record["values"]?["amountUnit"] == "wan")
    #expect(
      record["needsAttention"] == [
        ["key": "loanType", "reason": "unknownOption", "value": "gone"],
        ["key": "amount", "reason": "type", "value": "abc"],
      ])
    #expect(record["local"] == ["客户经理备注（不上传）": "hi"])
    let table = try store.run("draft", "show", id).output
    #expect(table.contains("→!  贷款金额 *"))
    #expect(table.contains("万元 (wan)"))
    #expect(table.contains("(not a value of the field's type)"))
  }

  @Test func resumeFindsTheDraftThatWasEditedLast() throws {
    let store = try TestStore("calculator", "interests")
    #expect(try store.run("draft", "resume").status == 3)
    let first = try store.newDraft("calculator")
    let second = try store.newDraft("interests")
    #expect(try store.run("draft", "resume", "--json").record()["id"] == .string(second))
    try store.done("draft", "set", first, "remark=x")
    #expect(try store.run("draft", "resume", "--json").record()["id"] == .string(first))
    #expect(
      try store.run("draft", "resume", "--form", "interests", "--json").record()["id"]
        == .string(second))
    #expect(try store.run("draft", "resume", "--form", "nothing").status == 3)
    #expect(try store.run("draft", "resume", first, "--form", "interests").status == 2)
    let shown = try store.run("draft", "show", first, "--json").output
    #expect(try store.run("draft", "resume", first, "--json").output == shown)
    try store.done("draft", "discard", second)
    #expect(try store.run("draft", "resume", "--form", "interests").status == 3)
    #expect(try store.run("draft", "resume", second).errors.contains("was discarded"))
  }

  @Test func aDraftIsNamedByAnyUniquePrefix() throws {
    let store = try TestStore("interests")
    let ids = try (0..<17).map { _ in try store.newDraft("interests") }
    let prefix = try #require(
      ids.map { String($0.prefix(1)) }.first { letter in
        ids.count(where: { $0.hasPrefix(letter) }) > 1
      })
    let ambiguous = try store.run("--json", "draft", "show", prefix)
    #expect(ambiguous.status == 3)
    #expect(try ambiguous.error()["code"] == "ambiguousDraft")
    let unique = String(ids[0].prefix(13)).uppercased()
    #expect(
      try store.run("draft", "show", unique, "--json").record()["id"] == .string(ids[0]))
    for name in ["zzz", "", "%", "ffffffff-ffff"] {
      #expect(try store.run("draft", "show", name).status == 3, "\(name)")
    }
  }

  @Test func listsByFormStatusSubjectAndAge() throws {
    let store = try TestStore("calculator", "interests")
    let a = try store.newDraft("calculator", "--subject", "x")
    let b = try store.newDraft("interests")
    try store.done("draft", "discard", b)
    let records = try store.run("draft", "list", "--json").records()
    try #require(records.count == 1)
    #expect(
      records[0].keys == [
        "id", "form", "version", "title", "subject", "status", "revision", "createdAt",
        "updatedAt",
      ])
    func ids(_ options: String...) throws -> [String] {
      try store.run(["draft", "list", "--ids"] + options).output.split(separator: "\n")
        .map(String.init)
    }
    #expect(try ids("--status", "discarded") == [b])
    #expect(try ids("--status", "discarded", "--status", "editing", "--limit", "5").count == 2)
    #expect(try ids("--subject", "x") == [a])
    #expect(try ids("--form", "interests").isEmpty)
    #expect(try ids("--older-than", "1d").isEmpty)
    #expect(try store.run("draft", "list", "--form", "nothing").status == 3)
    #expect(try store.run("draft", "list", "--status", "done").status == 2)
    for age in ["", "d", "5x", "-3d", "1.5d", "99999999999999999999d", "9223372036854775807s"] {
      #expect(try store.run("draft", "list", "--older-than=\(age)").status == 2, "\(age)")
    }
  }

  @Test func discardRestoreAndPurge() throws {
    let store = try TestStore("interests")
    let a = try store.newDraft("interests")
    let b = try store.newDraft("interests")
    #expect(try store.run("draft", "discard", a, "nobody").status == 3)
    #expect(try store.run("draft", "list", "--ids").output.split(separator: "\n").count == 2)
    #expect(
      try store.run("draft", "discard", a, b, "--json").output
        == "{\"draft\":\"\(a)\",\"status\":\"discarded\"}\n"
        + "{\"draft\":\"\(b)\",\"status\":\"discarded\"}\n")
    #expect(try store.run("draft", "set", a, "interests=run").errors.contains("restore it first"))
    #expect(try store.run("draft", "restore", b).output == "\(b) editing\n")
    #expect(try store.run("draft", "restore", b).status == 3)
    #expect(try store.run("draft", "purge", "--older-than", "1d").output.isEmpty)
    #expect(try store.run("draft", "purge", "--dry-run").output == "\(a)\n")
    #expect(
      try store.run("draft", "purge", "--older-than", "0s", "--json").output
        == "{\"draft\":\"\(a)\",\"isPurged\":true}\n")
    #expect(try store.run("draft", "show", a).status == 3)
    #expect(try store.run("draft", "show", b).status == 0)
  }

  @Test func upgradeTellsWhatBecameOfTheValues() throws {
    let store = try TestStore()
    func add(_ rows: String) throws {
      try store.folder.write(
        #"{"id":"v","title":"t","sections":[{"title":"","rows":[\#(rows)]}]}"#, to: "v.json")
      try store.done("form", "add", "v.json")
    }
    try add(
      """
      {"kind":"input","key":"n","serviceKey":"name"},{"kind":"input","key":"a","serviceKey":"age"},
      {"kind":"input","key":"g","serviceKey":"gone"}
      """)
    let id = try store.newDraft("v")
    try store.done("draft", "set", id, "name=张三", "age=42", "gone=x")
    try add(
      """
      {"kind":"input","key":"n","serviceKey":"fullName","formerKeys":["name"]},
      {"kind":"input","key":"a","serviceKey":"age","dataType":"integer"}
      """)
    let result = try store.run("draft", "upgrade", id, "--json")
    #expect(
      result.output == """
        {"draft":"\(id)","from":1,"to":2,"renamed":[{"from":"name","to":"fullName"}],\
        "converted":["age"],"needsAttention":[{"key":"gone","reason":"orphan","value":"x"}]}

        """)
    #expect(try store.values(of: id) == ["fullName": "张三", "age": 42])
    #expect(try store.run("draft", "show", id).output.contains("kept from another version"))
    #expect(try store.run("draft", "upgrade", id, "--to", "9").status == 3)
    let plain = try store.run("draft", "upgrade", id)
    #expect(plain.output.hasPrefix("version 2 to 2\n"))
  }

  @Test func sensitiveValuesAreHiddenInTablesAlone() throws {
    let store = try TestStore()
    try store.folder.write(
      """
      {"id":"s","title":"t","sections":[{"title":"","rows":[
        {"kind":"input","key":"PIN","serviceKey":"pin","sensitive":true}]}]}
      """, to: "s.json")
    try store.done("form", "add", "s.json")
    let id = try store.newDraft("s")
    try store.done("draft", "set", id, "pin=7421")
    #expect(try !store.run("draft", "show", id).output.contains("7421"))
    #expect(try store.run("draft", "show", id).output.contains("••••"))
    #expect(try store.run("draft", "show", id, "--reveal").output.contains("7421"))
    #expect(try store.values(of: id)["pin"] == "7421")
    #expect(try store.run("diff", id).output.contains("••••"))
    #expect(try store.run("diff", id, "--reveal").output.contains("7421"))
    #expect(try !store.run("query", "pin=7421").output.contains("7421"))
    let stale = try store.run("draft", "set", id, "pin=1", "--seen-revision", "0")
    #expect(stale.status == 3)
    #expect(!stale.errors.contains("7421"))
  }
}
