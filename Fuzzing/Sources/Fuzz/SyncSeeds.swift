import Foundation

extension Seeds {
  func writeSettings() throws {
    for path in try files("\(package)/Examples/Settings") {
      try add(bytes(path), to: "settings")
    }
    for text in Self.settings { try add(Array(text.utf8), to: "settings") }
  }

  /// All members that there are, in some of their forms.
  private static let settings = [
    #"""
    {"url":"http://intake.lan/{form}/{id}?p={a}","conditional":false,
     "create":{"url":"http://intake.lan/{form}","method":"POST","form":"urlencoded"},
     "change":{"method":"PUT","form":"urlencoded"},"headers":{"Accept":"a/b"},
     "idempotencyKey":"X-Request-Id","allowPlainHTTP":["intake.lan"],
     "credentials":{"headerFromEnvironment":{"name":"X-Api-Key","variable":"KEY"}},
     "certificateAuthorities":"ca.pem","timeouts":{"connect":0.5,"total":2},
     "maximumFieldsPerRequest":5,"maximumBytesPerRequest":1000,
     "retry":{"first":2,"limit":20,"attempts":3},"conflictPolicy":"theirs"}
    """#,
    #"{"url":"https://host/{id}","change":{"form":"json-patch"},"envelope":"data"}"#,
    #"{"url":"https://host/{id}/{b}","change":{"form":"json"},"idempotencyKey":true}"#,
    #"{"url":"https://[::1]:8443/{id}#x","change":{"method":"POST","form":"full"}}"#,
    #"{"url":"https://u:p@host/{id}","change":{"jsonPatchWhereNeeded":false}}"#,
    #"{"url":"http://127.0.0.1/{id}","credentials":{"bearerFromFile":"a"},"conflictPolicy":"ask"}"#,
    #"{"url":"https://host/{id}","credentials":{"basicFromEnvironment":"A_B"},"timeouts":{}}"#,
    #"{"url":"x","conditional":1,"retry":{"attempts":0},"chnage":1,"envelope":3}"#,
  ]

  /// What was asked, and the answer; see `testAnswers`.
  static let answers: [String] = {
    let problem = "Content-Type: application/problem+json\r\n\r\n"
    let base = "X-Base: {\"name\":\"a\",\"age\":1,\"any\":[1]}\r\n"
    let mine = "X-Mine: {\"name\":\"b\",\"age\":1,\"sum\":1.50,\"day\":\"2024-02-29\"}\r\n"
    let answers = [
      "200 OK\r\nETag: \"v1\"\r\nContent-Type: application/json\r\n\(base)\(mine)\r\n"
        + #"{"name":"c","age":2,"any":{"x":null},"is":true,"day":"2024-03-01","extra":1}"#,
      "201 Created\r\nETag: W/\"1\"\r\nIdempotent-Replayed: true\r\n\(mine)\r\n"
        + #"{"data":{"name":"a","sum":1.5},"permissions":{}}"#,
      "204 No Content\r\netag: \"\"\r\n\r\n", "202 Accepted\r\n\r\n{}", "206 Part\r\n\r\n",
      "302 Found\r\nLocation: //other.example:8080/a?b#c\r\n\r\n",
      "304 Not Modified\r\n\r\n",
      "401 Unauthorized\r\nWWW-Authenticate: Basic\r\n\(problem)" + #"{"title":"who?"}"#,
      "409 Conflict\r\n\(problem)"
        + #"{"type":"https://x/idempotency","title":"Idempotency-Key in use","detail":"wait"}"#,
      "412 Precondition Failed\r\nContent-Type: text/html\r\n\r\n<title>No</title><body>x</body>",
      "428 Precondition Required\r\n\r\n", "404 Not Found\r\nContent-Type: text/plain\r\n\r\ngone",
      "429 Too Many Requests\r\nRetry-After: 120\r\nBackoff: 30\r\n\r\n",
      "503 Unavailable\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
        + "Retry-After: Sunday, 06-Nov-94 08:50:37 GMT\r\n\r\n",
      "500 Oops\r\nRetry-After: Sun Nov  6 08:49:37 2094\r\n\r\n<html><head>\u{1B}[31m",
      "100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX-A: b\r\n folded\r\n\r\n{\"a\":1}",
      "421 Misdirected\r\nContent-Type: application/json\r\n\r\n{\"error\":\"a\",\"message\":\"a\"}",
    ]
    // Every kind of request, with an envelope and without.
    return answers.flatMap { answer in
      [0, 1, 2, 4, 8, 9, 10, 17].map { "\(Character(UnicodeScalar(UInt8($0))))HTTP/1.1 \(answer)" }
    }
  }()
}
