import FormModel
import Testing

@Suite struct FormCommandTests {
  @Test func addingMakesTheStoreAndCountsVersions() throws {
    let store = try TestStore()
    let file = TestStore.definition("interests")
    let first = try store.run("form", "add", file)
    #expect(first.status == 0)
    #expect(first.output == "interests version 1\n")
    let again = try store.run("form", "add", "--json", file)
    #expect(
      again.output == #"{"file":"\#(file)","id":"interests","version":1,"isNew":false}"# + "\n")
  }

  @Test func aDefinitionComesFromTheStandardInput() throws {
    let store = try TestStore()
    let result = try store.run(
      ["form", "add", "-"], input: try definition(id: "visit", label: "姓名"))
    #expect(result.output == "visit version 1\n")
    #expect(try store.run("form", "add", "-", "-").status == 2)
  }

  @Test func whenOneFileIsBadNoneIsAdded() throws {
    let store = try TestStore("profile")
    try store.folder.write(try definition(id: "visit", label: "姓名"), to: "good.json")
    try store.folder.write(#"{"id":"","title":"x","sections":[],"colour":1}"#, to: "bad.json")
    try store.folder.write("{", to: "broken.json")
    let result = try store.run("form", "add", "good.json", "bad.json", "broken.json")
    #expect(result.status == 3)
    #expect(result.output.isEmpty)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count >= 2)
    #expect(lines.contains { $0.hasPrefix("formdraft: bad.json: ") })
    #expect(lines.contains { $0.hasPrefix("formdraft: broken.json: line 1, ") })
    #expect(try store.run("form", "list", "--ids").output == "profile\n")
    #expect(try store.run("form", "list", "--ids", "--json").output == #"{"id":"profile"}"# + "\n")
  }

  @Test func aDefinitionThatIsTooLargeIsToldAsSuch() throws {
    let store = try TestStore()
    let text = String(repeating: "x", count: 10 << 20)
    try store.folder.write(
      #"{"id":"a","sections":[{"rows":[{"kind":"input","key":"k","param":"\#(text)"}]}]}"#,
      to: "large.json")
    let result = try store.run("form", "add", "large.json")
    #expect(result.status == 3)
    #expect(
      result.errors
        == "formdraft: large.json: the definition has more than 4194304 bytes: split it into "
        + "several forms\n")
  }

  /// What is there and wrong is not said to be missing, too.
  @Test(arguments: [
    (#"{"id":5,"sections":[{"rows":[{"kind":"input","key":"a"}]}]}"#, "\"id\" must be a string"),
    (#"{"id":null,"sections":[{"rows":[{"kind":"input","key":"a"}]}]}"#, "\"id\" must be"),
    (#"{"id":"f","sections":[{"rows":[{"kind":"input","key":7}]}]}"#, "\"key\" must be a string"),
    (
      #"{"id":"f","sections":[{"rows":[{"kind":"input","serviceKey":[]}]}]}"#, "\"serviceKey\" must"
    ),
  ])
  func oneFaultIsToldOnce(definition: String, message: String) throws {
    let store = try TestStore()
    let result = try store.run(["form", "add", "-"], input: definition)
    #expect(result.status == 3)
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(result.errors.contains(message))
  }

  @Test func checkingTellsEveryFaultAndNeedsNoStore() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"id":"visit","title":"x","sections":[{"title":"","rows":[
        {"kind":"input","key":"a","serviceKey":"same"},
        {"kind":"input","key":"b","serviceKey":"same"},
        {"kind":"input","key":"c","serviceKey":"c","verify":{"rule":{"regex":"("}}}]}]}
      """, to: "bad.json")
    let result = try Formdraft.run(["form", "check", "bad.json", "--json"], in: folder)
    #expect(result.status == 3)
    let complaints = try result.complaints()
    #expect(complaints.count >= 2)
    for complaint in complaints {
      #expect(complaint["error"]?.keys == ["code", "message", "key"])
      #expect(complaint["error"]?["code"] == "badDefinition")
    }
    let good = try Formdraft.run(
      ["form", "check", TestStore.definition("calculator"), "--json"], in: folder)
    #expect(good.status == 0)
    #expect(try good.record().keys == ["file", "id", "fields"])
    #expect(try folder.names == ["bad.json"])
  }

  @Test func listsForms() throws {
    let store = try TestStore("interests", "calculator")
    let records = try store.run("--json", "form", "list").records()
    #expect(records.map { $0["id"]?.stringValue } == ["calculator", "interests"])
    #expect(records.first?.keys == ["id", "title", "version", "addedAt", "drafts"])
    let table = try store.run("form", "list").output
    #expect(table.hasPrefix("FORM        TITLE     VERSION"))
    #expect(table.contains("calculator  贷款测算  1"))
  }

  @Test func showsADefinitionThatCanBeAddedAgain() throws {
    let store = try TestStore("calculator")
    let pretty = try store.run("form", "show", "calculator")
    let compact = try store.run("form", "show", "calculator", "--version", "1", "--json")
    #expect(compact.output.split(separator: "\n").count == 1)
    #expect(try JSONValue(parsing: pretty.output) == JSONValue(parsing: compact.output))
    try store.folder.write(pretty.output, to: "copy.json")
    #expect(
      try store.run("form", "add", "copy.json").output == "calculator version 1 (as before)\n")
    #expect(try store.run("form", "show", "calculator", "--version", "2").status == 3)
    #expect(try store.run("form", "show", "calculator", "--version", "0").status == 2)
    #expect(try store.run("form", "show", "nothing").errors.contains("no form \"nothing\""))
  }

  private func definition(id: String, label: String) throws -> String {
    let row: JSONValue = ["kind": "input", "key": .string(label), "serviceKey": "name"]
    let form: JSONValue = [
      "id": .string(id), "title": "t", "sections": [["title": "", "rows": [row]]],
    ]
    return form.jsonText
  }
}
