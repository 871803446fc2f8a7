import Foundation
import Testing

@Suite struct AccessTests {
  @Test func tokenIsAskedFor() throws {
    let server = try PageServer()
    let wrong = String(repeating: "0", count: 32)
    #expect(try server.ask("GET", "/").status == 200)
    for path in ["/", "/state", "/assets/form.js", "/drafts/\(UUID())"] {
      #expect(try server.ask("GET", path, nil, ["Cookie": nil]).status == 403)
      let cookie = "formdraft-\(server.port)=\(wrong)"
      #expect(try server.ask("GET", path, nil, ["Cookie": cookie]).status == 403)
      #expect(try server.ask("GET", "\(path)?token=\(wrong)", nil, ["Cookie": nil]).status == 403)
    }
    #expect(try server.ask("POST", "/drafts", "{}", ["Cookie": nil]).status == 403)
    // A token in the address is for opening the page, not for doing something.
    let posted = try server.ask("POST", "/drafts?token=\(server.token)", "{}", ["Cookie": nil])
    #expect(posted.status == 403)
  }

  @Test func tokenMovesToTheCookie() throws {
    let server = try PageServer()
    let answer = try server.ask("GET", "/?token=\(server.token)", nil, ["Cookie": nil])
    #expect(answer.status == 200)
    #expect(
      answer.headers["set-cookie"]
        == "formdraft-\(server.port)=\(server.token); Path=/; HttpOnly; SameSite=Strict")
    let policy = try #require(answer.headers["content-security-policy"])
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
    #expect(!policy.contains("unsafe"))
    #expect(answer.headers["x-content-type-options"] == "nosniff")
    #expect(!answer.body.contains("<script>"))
    #expect(server.token.count == 32)
    #expect(try PageServer().token != server.token)
  }

  @Test func otherNamesAndOtherPagesAreRefused() throws {
    let server = try PageServer()
    let port = server.port
    for host in ["evil.example", "evil.example:\(port)", "127.0.0.1", "localhost:1", ""] {
      #expect(try server.ask("GET", "/state", nil, ["Host": host]).status == 421, "\(host)")
    }
    #expect(try server.ask("GET", "/state", nil, ["Host": "localhost:\(port)"]).status == 200)
    let body = #"{"form":"profile"}"#
    for origin in ["http://evil.example", "null", "https://127.0.0.1:\(port)", "http://127.0.0.1"] {
      #expect(try server.ask("POST", "/drafts", body, ["Origin": origin]).status == 403)
    }
    for site in ["cross-site", "same-site", "none"] {
      #expect(try server.ask("POST", "/drafts", body, ["Sec-Fetch-Site": site]).status == 403)
    }
    #expect(try server.ask("GET", "/state", nil, ["Sec-Fetch-Site": "cross-site"]).status == 403)
    let form = ["Content-Type": "application/x-www-form-urlencoded"]
    #expect(try server.ask("POST", "/drafts", "form=profile", form).status == 415)
    #expect(try server.ask("GET", "/state").json["drafts"]?.arrayValue?.isEmpty == true)
  }

  @Test func bodiesAreBounded() throws {
    let server = try PageServer()
    let long = "\"" + String(repeating: "x", count: 2 << 20) + "\""
    #expect(try server.ask("POST", "/drafts", long).status == 413)
    // Without a length stated before, the connection is cut.
    let connection = try Connection(port: server.port)
    let chunked = server.request(
      "POST", "/drafts", "", ["Content-Length": nil, "Transfer-Encoding": "chunked"])
    connection.send(chunked)
    for _ in 0..<40 { connection.send("10000\r\n\(String(repeating: "x", count: 1 << 16))\r\n") }
    #expect((try? connection.receive(through: "\r\n\r\n"))?.contains(" 200 ") != true)
    #expect(try server.ask("GET", "/").status == 200)
  }

  @Test func nonsenseIsRefused() throws {
    let server = try PageServer()
    let draft = try server.newDraft("profile")
    #expect(try server.ask("POST", "/drafts/\(draft)/events", "{").status == 400)
    #expect(try server.ask("POST", "/drafts/\(draft)/events", #"{"fly":"name"}"#).status == 400)
    #expect(try server.ask("POST", "/drafts", #"{"form":"none"}"#).status == 404)
    #expect(try server.ask("GET", "/drafts/\(UUID())/state").status == 404)
    #expect(try server.ask("GET", "/assets/../list.html").status == 404)
    #expect(try server.ask("GET", "/nothing").status == 404)
    #expect(try server.ask("DELETE", "/drafts/\(draft)").status == 405)
  }

  @Test func otherMachinesAreLetInOnPurposeOnly() throws {
    let server = try PageServer()
    #expect(throws: PageServer.Refused.self) { try server.run("serve", "--host", "0.0.0.0") }
    #expect(throws: PageServer.Refused.self) { try server.run("serve", "--port", "\(server.port)") }
  }
}
