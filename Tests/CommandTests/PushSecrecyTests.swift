import FormModel
import Foundation
import ServerSupport
import Testing

/// What a push never shows and never keeps, whatever a server quotes.
@Suite struct PushSecrecyTests {
  private static let quotedStatuses = [401, 403, 422, 429, 500, 503]

  /// All that a run against a server with this answer prints and leaves in the file.
  private func texts(_ desk: PushDesk, _ status: Int, quoting quote: String) throws -> [String] {
    let types = [
      (
        "application/json",
        JSONValue.object(["title": "refused", "detail": .string(quote)]).jsonText
      ),
      ("text/plain", quote), ("text/html", "<title>\(quote)</title>"),
    ]
    var texts: [String] = []
    for (type, body) in types {
      desk.proxy.next(.answer(status, headers: ["Content-Type: \(type)"], body: body))
      for words in [
        ["push", "--to", "kinto.json"], ["outbox", "list"], ["outbox", "list", "--json"],
      ] {
        let result = try desk.store.run(words, environment: ["KINTO_ACCOUNT": Kinto.account])
        texts += [result.output, result.errors]
      }
      try desk.store.done("outbox", "retry")
    }
    for name in try desk.store.folder.names where name.hasPrefix("test.store") {
      texts.append(String(decoding: try desk.store.folder.bytes(of: name), as: UTF8.self))
    }
    return texts
  }

  /// Neither the file nor anything that is printed holds the credentials, in whatever form.
  @Test(arguments: quotedStatuses) func credentialsAreNowhere(_ status: Int) throws {
    let desk = try PushDesk()
    _ = try desk.submitted("name=Ada")
    let secrets = [
      Kinto.account, String(Kinto.account.split(separator: ":")[1]),
      String(Kinto.authorization.split(separator: " ")[1]),
    ]
    let quote =
      "sent \(Kinto.authorization), the password \(secrets[1]), as \(secrets[0]); "
      // What is cut where a secret stands.
      + String(repeating: "x", count: 500 - 20 - Kinto.authorization.utf8.count)
      + secrets.joined(separator: " ")
    let texts = try texts(desk, status, quoting: quote)
    for secret in secrets {
      #expect(!texts.contains { $0.contains(secret) }, "\(secret)")
      #expect(!texts.contains { $0.contains(secret.prefix(secret.count * 2 / 3)) }, "\(secret)")
    }
    #expect(texts.contains { $0.contains("[…]") })
  }

  @Test func credentialsAreInNoRequestThatIsKeptOrShown() throws {
    let desk = try PushDesk()
    _ = try desk.submitted("name=Ada")
    var shown = try desk.push("--dry-run").output
    desk.proxy.next(.loseAnswer)
    shown += try desk.push("--json").errors
    #expect(try desk.outbox().count == 1, "its bytes are kept now")
    for name in try desk.store.folder.names where name.hasPrefix("test.store") {
      shown += String(decoding: try desk.store.folder.bytes(of: name), as: UTF8.self)
    }
    #expect(!shown.contains(Kinto.authorization.split(separator: " ")[1]))
  }

  /// A server that quotes a sensitive value does not bring it into a message.
  @Test(arguments: quotedStatuses) func sensitiveValuesAreInNoMessage(_ status: Int) throws {
    let desk = try PushDesk(#", "sensitive": true"#)
    let secret = #"line "4711" 秘密"#
    _ = try desk.submitted("name=\(secret)", "city=Paris")
    let result = try texts(
      desk, status,
      quoting: #"{"name":\#(JSONValue.string(secret).jsonText)} or \#(secret), from Paris"#)
    // The store itself holds the value.
    let messages = result.filter { !$0.hasPrefix("SQLite format") && !$0.contains("\u{0}") }
    #expect(!messages.isEmpty && !messages.contains { $0.contains("4711") })
    #expect(messages.contains { $0.contains("from Paris") })
  }

  /// A secret that stands where the name of its place should is not told.
  @Test(arguments: [
    #"{"bearerFromEnvironment": "ghp_SeCrEt"}"#, #"{"basicFromEnvironment": "ghp_SeCrEt"}"#,
    #"{"bearerFromFile": "ghp_SeCrEt"}"#,
    #"{"headerFromEnvironment": {"name": "X-Key", "variable": "ghp_SeCrEt"}}"#,
  ])
  func aSecretInTheWrongPlaceIsNotTold(_ credentials: String) throws {
    let desk = try PushDesk()
    _ = try desk.submitted("name=Ada")
    try desk.store.folder.write(
      #"{"url": "https://host.invalid/{id}", "credentials": \#(credentials)}"#, to: "kinto.json")
    let result = try desk.push()
    #expect(result.status == 3)
    #expect(!result.errors.contains("SeCrEt"), "\(result.errors)")
    #expect(result.errors.contains("that the settings name"), "\(result.errors)")
  }
}
