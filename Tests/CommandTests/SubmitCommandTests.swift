import FormModel
import Testing

@Suite struct SubmitCommandTests {
  private static let param = """
    {"loanType":"fund","repayment":"interest","amount":120000.00,"amountUnit":"wan","term":30,\
    "termUnit":"year","rate":3.10,"firstPayment":"2024-02-01","idCard":"11010519491231002X",\
    "mobile":"13800138000"}
    """

  private func validDraft(_ store: TestStore) throws -> String {
    let id = try store.newDraft("calculator")
    #expect(try store.run(["draft", "set", id] + validCalculator).status == 0)
    return id
  }

  @Test func validateTellsEveryError() throws {
    let store = try TestStore("calculator")
    let id = try validDraft(store)
    #expect(try store.run("validate", id).status == 0)
    #expect(try store.run("validate", id).output.isEmpty)
    try store.done("draft", "set", id, "rate=99", "term=")
    let plain = try store.run("validate", id)
    #expect(plain.status == 1)
    #expect(plain.output == "term: 期限: please fill this in\nrate: 利率应在 0 到 24 之间\n")
    let json = try store.run("validate", id, "--json")
    #expect(json.status == 1)
    #expect(
      json.output == """
        {"isValid":false,"firstErrorMsg":"期限: please fill this in","errors":[\
        {"serviceKey":"term","message":"期限: please fill this in"},\
        {"serviceKey":"rate","message":"利率应在 0 到 24 之间"}],"param":{},"filtered":[]}

        """)
    try store.done("draft", "set", id, "term=30")
    #expect(try store.run("validate", id, "--compatible").status == 0)
  }

  @Test func paramIsWhatWouldBeSubmitted() throws {
    let store = try TestStore("calculator")
    let id = try validDraft(store)
    #expect(
      try store.run("param", id, "--json").output == """
        {"isValid":true,"firstErrorMsg":null,"errors":[],"param":\(Self.param),"filtered":[]}

        """)
    #expect(
      try JSONValue(parsing: store.run("param", id).output) == JSONValue(parsing: Self.param))
    let filtered = try store.run(
      "param", id, "--json", "--filter-service-key=rate", "--filter-service-key", "idCard")
    #expect(try filtered.record()["filtered"] == ["rate", "idCard"])
    #expect(try filtered.record()["param"]?["rate"] == nil)
    let byType = try store.run("param", id, "--json", "--filter-value-type", "0")
    #expect(try byType.record()["param"] == [:])
    #expect(try store.run("param", id, "--filter-value-type", "x").status == 2)
    try store.done("draft", "unset", id, "mobile")
    let bad = try store.run("param", id)
    #expect(bad.status == 1)
    #expect(bad.output.isEmpty)
    #expect(bad.errors == "formdraft: mobile: 手机号不正确\n")
  }

  @Test func submissionsAreNumbered() throws {
    let store = try TestStore("calculator")
    let id = try validDraft(store)
    #expect(try store.run("submit", id).output == "1\n")
    #expect(try store.run("submit", id).output == "1\n")
    try store.done("draft", "set", id, "rate=3.2")
    let record = try store.run("submit", id, "--json").record()
    #expect(record.keys == ["draft", "submission", "follows", "digest", "createdAt", "param"])
    #expect(record["submission"] == 2)
    #expect(record["follows"] == 1)
    #expect(record["digest"]?.stringValue?.utf8.count == 64)
    #expect(try store.run("draft", "show", id, "--json").record()["status"] == "submitted")
    try store.done("draft", "set", id, "rate=x", "mobile=1")
    let bad = try store.run("submit", id, "--json")
    #expect(bad.status == 1)
    #expect(try bad.complaints().map { $0["error"]?["key"] } == ["rate", "mobile"])
    #expect(try bad.error()["code"] == "notValid")
  }

  @Test func theAppAddsWhatItConverted() throws {
    let store = try TestStore("calculator")
    let id = try validDraft(store)
    let result = try store.run(
      "submit", id, "--json", "--filter-service-key", "rate", "--add", "rate:=0.0310",
      "--add", #"extra:={"b":1,"a":[null]}"#)
    #expect(result.status == 0)
    #expect(result.output.contains(#""rate":0.0310,"extra":{"b":1,"a":[null]}}}"#))
    let twice = try store.run("submit", id, "--add", "rate:=1")
    #expect(twice.status == 3)
    #expect(twice.errors.contains("filter it out first"))
    #expect(try store.run("submit", id, "--add", "rate=1").status == 2)
    #expect(try store.run("submit", id, "--add", "rate:=").status == 3)
  }

  @Test func diffTellsWhatChanged() throws {
    let store = try TestStore("calculator")
    let id = try validDraft(store)
    let before = try store.run("diff", id, "--json")
    #expect(before.status == 1)
    #expect(try before.record()["base"] == .null)
    try store.done("submit", id)
    let same = try store.run("diff", id)
    #expect(same.status == 0)
    #expect(same.output.isEmpty)
    #expect(try store.run("diff", id, "--json").output == #"{"base":1,"changes":[]}"# + "\n")
    try store.done(
      "draft", "set", id, "rate=3.2", "remark=好", "amount=120000.0", "loanType=mixed",
      "coBorrower=李四")
    let changed = try store.run("diff", id, "--json")
    #expect(changed.status == 1)
    #expect(
      changed.output == """
        {"base":1,"changes":[{"serviceKey":"loanType","change":"changed","old":"fund",\
        "new":"mixed"},{"serviceKey":"rate","change":"changed","old":3.10,"new":3.2},\
        {"serviceKey":"coBorrower","change":"added","old":null,"new":"李四"},\
        {"serviceKey":"remark","change":"added","old":null,"new":"好"}]}

        """)
    let merge = try store.run("diff", id, "--format", "merge-patch", "--json")
    #expect(
      merge.output
        == #"{"loanType":"mixed","rate":3.2,"coBorrower":"李四","remark":"好"}"# + "\n")
    let patch = try store.run("diff", id, "--format=json-patch").output
    #expect(try JSONValue(parsing: patch).arrayValue?.count == 4)
    #expect(try store.run("diff", id).output.contains("rate        changed  3.10"))
    #expect(
      try store.run("diff", id, "--against", "acknowledged", "--json").record()["changes"]?
        .arrayValue?.count == 12)
    #expect(try store.run("diff", id, "--format", "xml").status == 2)
    try store.done("draft", "set", id, "rate=x")
    let bad = try store.run("diff", id)
    #expect(bad.status == 1)
    #expect(bad.errors == "formdraft: rate: 利率应在 0 到 24 之间\n")
  }

  @Test func aMergePatchThatCannotSayItIsRefused() throws {
    let store = try TestStore("calculator")
    let id = try validDraft(store)
    try store.done("submit", id)
    try store.done("draft", "set", id, "remark:=null")
    let merge = try store.run("diff", id, "--format", "merge-patch", "--json")
    #expect(merge.status == 3)
    #expect(try merge.error()["key"] == "remark")
    #expect(try store.run("diff", id, "--format", "json-patch").status == 1)
  }
}
