import FormModel
import Testing

@Suite struct SearchCommandTests {
  private func filledStore() throws -> (TestStore, [String]) {
    let store = try TestStore("calculator")
    let ids = try ["9", "10", "100.50"].map { rate in
      let id = try store.newDraft("calculator")
      _ = try store.run(["draft", "set", id] + validCalculator)
      try store.done("draft", "set", id, "amount=\(rate)", "remark=贷款\(rate)")
      return id
    }
    return (store, ids)
  }

  @Test func findsByValue() throws {
    let (store, ids) = try filledStore()
    let result = try store.run("query", "amount>9", "loanType=fund", "--json")
    #expect(result.status == 0)
    let records = try result.records()
    #expect(
      records.first?.keys == [
        "draft", "form", "in", "submission", "serviceKey", "value", "updatedAt",
      ])
    #expect(result.output.contains(#""in":"drafts","submission":null,"serviceKey":"amount""#))
    #expect(records.map { $0["draft"] } == [.string(ids[1]), .string(ids[2])])
    for (condition, count) in [
      ("amount", 3), ("amount=10.0", 1), ("amount<=10", 2), ("remark^=贷", 3), ("remark*=款1", 2),
      ("coBorrower:missing", 3), ("amount<9", 0), ("nothing", 0),
    ] {
      let found = try store.run("query", condition, "--json")
      #expect(try found.records().count == count, "\(condition)")
      #expect(found.status == (count == 0 ? 1 : 0), "\(condition)")
    }
    #expect(try store.run("query", "amount>9").output.contains("100.50"))
  }

  @Test func pagesByCursor() throws {
    let (store, _) = try filledStore()
    let all = try store.run("query", "amount", "--json").output
    var pages = ""
    var cursor: String?
    for _ in 0..<3 {
      let page = try store.run(
        ["query", "amount", "--json", "--limit", "1"] + (cursor.map { ["--after", $0] } ?? []))
      pages += page.output
      cursor = try page.complaints().first?["next"]?.stringValue
    }
    #expect(pages == all)
    #expect(cursor == nil)
    #expect(
      try store.run("query", "amount", "--limit", "2").errors.hasPrefix(
        "formdraft: there is more: --after "))
    #expect(try store.run("query", "amount", "--after", "nonsense").status == 3)
    let first = try store.run("query", "amount", "--json", "--limit", "1")
    let next = try #require(try first.complaints().first?["next"]?.stringValue)
    let other = try store.run("query", "rate", "--after", next)
    #expect(other.status == 3 && other.errors.contains("is no cursor of this query"))
    for limit in ["0", "-1", "x", "99999999999999999999"] {
      #expect(try store.run("query", "amount", "--limit=\(limit)").status == 2)
    }
  }

  @Test func narrowsByFormStatusAndPlace() throws {
    let (store, ids) = try filledStore()
    try store.done("submit", ids[0])
    let submitted = try store.run("query", "amount", "--in", "submissions", "--json")
    #expect(try submitted.record()["submission"] == 1)
    #expect(
      try store.run("query", "amount", "--status", "submitted", "--json").records().count == 1)
    #expect(try store.run("query", "amount", "--form", "nothing").status == 3)
    #expect(try store.run("query", "amount", "--older-than", "1d").status == 1)
    #expect(try store.run("query", "amount", "--newer-than", "1d").status == 0)
    #expect(try store.run("query", "=5").status == 2)
    #expect(try store.run("query").status == 2)
  }

  @Test(arguments: ["json", "ndjson", "csv", "urlencoded"])
  func exportsAreTheSameBytesEachTime(format: String) throws {
    let (store, ids) = try filledStore()
    for id in ids { try store.done("submit", id) }
    let first = try store.run("export", "--format", format)
    #expect(first.status == 0)
    #expect(!first.output.isEmpty)
    #expect(first.errors.isEmpty)
    try store.folder.write("old", to: "file")
    _ = try store.shell("chmod 640 file; ln -s file out")
    try store.done("export", "--format", format, "--output", "out")
    #expect(try store.folder.text(of: "file") == first.output)
    #expect(try store.shell("[ -L out ] && ls -l file").output.hasPrefix("-rw-r-----"))
    #expect(try !store.folder.names.contains { $0.contains(".partial") })
  }

  @Test func exportKeepsDigitsAndGuardsFormulas() throws {
    let (store, ids) = try filledStore()
    try store.done("draft", "set", ids[0], "remark==1+1")
    let csv = try store.run("export", "--format", "csv", "--in", "drafts")
    #expect(csv.output.contains("100.50"))
    #expect(csv.output.contains("'=1+1"))
    let raw = try store.run(
      "export", "--format", "csv", "--in", "drafts", "--raw-cells", "--byte-order-mark")
    #expect(raw.output.unicodeScalars.first == "\u{FEFF}")
    #expect(!raw.output.contains("'=1+1"))
    try store.done("draft", "discard", ids[0])
    let discarded = try store.run(
      "export", "--format", "ndjson", "--in", "drafts", "--status", "discarded")
    #expect(try discarded.record()["draft"] == .string(ids[0]))
    #expect(try store.run("export").status == 2)
    #expect(try store.run("export", "--format", "xml").status == 2)
    #expect(try store.run("export", "--format", "csv", "--form", "nothing").status == 3)
  }

  @Test func whatCanNotBeWrittenLeavesTheOldFile() throws {
    let (store, ids) = try filledStore()
    try store.done("submit", ids[0])
    let names = try store.folder.names
    #expect(try store.run("export", "--format", "csv", "--output", ".").status == 3)
    #expect(try store.run("export", "--format", "csv", "--output", "").status == 3)
    #expect(try store.run("export", "--format", "csv", "--output", "no/folder").status == 3)
    let itself = try store.run("export", "--format", "csv", "--output", "test.store")
    #expect(itself.errors.contains("is the store itself"))
    #expect(try store.run("store", "check").status == 0)
    #expect(try store.folder.names == names)
    let device = try store.run("export", "--format", "csv", "--output", "/dev/full")
    #expect(device.status == 3)
    #expect(device.errors.contains("No space left"))
    let output = try store.shell("formdraft export --format csv > /dev/full")
    #expect(output.status == 3)
    #expect(output.errors.contains("standard output: No space left"))
  }

  @Test func aReaderThatGoesAwayEndsItQuietly() throws {
    let (store, ids) = try filledStore()
    try store.folder.write(String(repeating: "长", count: 200_000), to: "long.txt")
    for id in ids { try store.done("draft", "set", id, "remark=@long.txt") }
    let result = try store.shell(
      "formdraft export --format ndjson --in drafts | head -c 10; echo ${PIPESTATUS[0]}")
    #expect(result.output.hasSuffix("0\n"))
    #expect(result.errors.isEmpty)
  }
}
