import FormModel
import ServerSupport
import Testing

/// A store, and settings that lead through a proxy to Kinto.
struct PushDesk {
  let store: TestStore
  let proxy: Proxy
  let kinto: Kinto

  /// - Parameter field: more members of the first field's row.
  init(_ field: String = "") throws {
    kinto = try Kinto.shared()
    proxy = Proxy(to: kinto.port)
    store = try TestStore()
    let rows = ["name", "city", "note"].map {
      #"{"kind": "input", "key": "\#($0)", "serviceKey": "\#($0)"\#($0 == "name" ? field : "")}"#
    }
    try store.folder.write(
      #"{"id": "person", "sections": [{"rows": [\#(rows.joined(separator: ","))]}]}"#,
      to: "person.json")
    try store.done("form", "add", "person.json")
    try write()
  }

  /// Writes the settings.
  ///
  /// - Parameter more: more members.
  func write(port: Int? = nil, _ more: String = "") throws {
    try store.folder.write(
      """
      {"url": "http://127.0.0.1:\(port ?? proxy.port)\(Kinto.collection)/records/{id}", "envelope": "data",
      "timeouts": {"connect": 2, "total": 10},
      "credentials": {"basicFromEnvironment": "KINTO_ACCOUNT"}\(more)}
      """, to: "kinto.json")
  }

  func push(_ more: String..., account: String = Kinto.account) throws -> Formdraft.Result {
    try store.run(
      ["push", "--to", "kinto.json"] + more, environment: ["KINTO_ACCOUNT": account])
  }

  func submitted(_ values: String...) throws -> String {
    let id = try store.newDraft("person")
    try submit(id, values)
    return id
  }

  func submit(_ id: String, _ values: [String]) throws {
    try #require(try store.run(["draft", "set", id] + values).status == 0)
    try store.done("submit", id)
  }

  func outbox() throws -> [JSONValue] {
    try store.run("outbox", "list", "--json").records()
  }
}
