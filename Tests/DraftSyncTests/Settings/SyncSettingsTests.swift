import DraftSync
import FormModel
import FormSamples
import Testing

@Suite("Settings of the upload")
struct SyncSettingsTests {
  private func problems(_ json: String) -> [String] {
    do throws(SyncSettingsError) {
      _ = try SyncSettings(parsing: Array(json.utf8))
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  /// The faults of settings that are right but for one member.
  private func problems(of member: String) -> [String] {
    problems(#"{"url": "https://host/{id}", \#(member)}"#)
  }

  @Test(arguments: ["rest", "kinto"])
  func theExamplesAreRight(_ name: String) throws {
    let path = "\(Cases.packagePath)/Examples/Settings/\(name).json"
    let settings = try SyncSettings(parsing: try Cases.bytes(atPath: path))
    #expect(settings.url.names == ["id"])
    #expect(settings.isConditional)
    #expect(settings.create.ifNoneMatch)
    #expect(settings.envelope == (name == "kinto" ? "data" : nil))
  }

  @Test func defaults() throws {
    let settings = try SyncSettings(parsing: Array(#"{"url":"https://host/{id}"}"#.utf8))
    #expect(settings.create.method == .put)
    #expect(settings.create.form == .json)
    #expect(settings.change.method == .patch)
    #expect(settings.change.form == .mergePatch)
    #expect(settings.change.usesJSONPatchWhereNeeded)
    #expect(settings.idempotencyKeyHeader == "Idempotency-Key")
    #expect(settings.credentials == nil)
    #expect(settings.connectTimeout == .seconds(10))
    #expect(settings.totalTimeout == .seconds(60))
    #expect(settings.maximumFieldsPerRequest == nil)
    #expect(settings.maximumAttempts == 10)
    #expect(settings.conflictPolicy == .ask)
  }

  @Test func everyMemberIsRead() throws {
    let text = """
      {"url": "http://intake.lan/{form}/{id}?p={projectNo}", "conditional": false,
       "create": {"url": "http://intake.lan/{form}", "method": "POST", "form": "urlencoded"},
       "change": {"method": "PUT", "form": "urlencoded"}, "headers": {"Accept": "a/b"},
       "idempotencyKey": "X-Request-Id", "allowPlainHTTP": ["Intake.lan"],
       "credentials": {"headerFromEnvironment": {"name": "X-Api-Key", "variable": "KEY"}},
       "certificateAuthorities": "ca.pem", "timeouts": {"connect": 0.5, "total": 2},
       "maximumFieldsPerRequest": 5, "maximumBytesPerRequest": 1000,
       "retry": {"first": 2, "limit": 20, "attempts": 3}, "conflictPolicy": "theirs"}
      """
    let settings = try SyncSettings(parsing: Array(text.utf8))
    #expect(settings.url.names == ["form", "id", "projectNo"])
    #expect(settings.create.url?.names == ["form"])
    #expect(settings.create.method == .post)
    #expect(!settings.create.ifNoneMatch)
    #expect(settings.change.method == .put)
    #expect(settings.headers["accept"] == "a/b")
    #expect(settings.idempotencyKeyHeader == "X-Request-Id")
    #expect(settings.credentials == .header("X-Api-Key", .environment("KEY")))
    #expect(settings.certificateAuthorityFile == "ca.pem")
    #expect(settings.connectTimeout == .milliseconds(500))
    #expect(settings.maximumFieldsPerRequest == 5)
    #expect(settings.backoff == Backoff(first: .seconds(2), limit: .seconds(20)))
    #expect(settings.maximumAttempts == 3)
    #expect(settings.conflictPolicy == .theirs)
  }

  @Test(arguments: [
    ("[]", "write an object"), ("{", "line 1, column 2"), ("{}", "url: it is missing"),
    (#"{"url": 1}"#, "url: write a text"), (#"{"url": "host/{id}"}"#, "url: "),
    (#"{"url": "ftp://host/{id}"}"#, "url: "), (#"{"url": "https://{id}/a"}"#, "after the host"),
    (#"{"url": "https://a{id}.host/a"}"#, "after the host"),
    (#"{"url": "https://host/{id"}"#, "no \"}\""), (#"{"url": "https://host/{}"}"#, "braces"),
    (#"{"url": "https://u:hunter2@host/{id}"}"#, "credentials"),
    (#"{"url": "https://host/{id}#x"}"#, "\"#\""),
    (#"{"url": "http://host/{id}"}"#, "allowPlainHTTP"),
    (#"{"url": "http://127.0.0.1.evil.example/{id}"}"#, "allowPlainHTTP"),
    (#"{"url": "http://127.evil.example/{id}"}"#, "allowPlainHTTP"),
  ])
  func addressFaults(_ json: String, _ expected: String) {
    let found = problems(json)
    #expect(found.count == 1)
    #expect(found.first?.contains(expected) == true, "\(found)")
    #expect(!found.joined().contains("hunter2"))
  }

  @Test(arguments: ["localhost", "127.0.0.1", "127.1", "[::1]", "drafts.localhost", "0x7f.1"])
  func thisMachineNeedsNoTLS(_ host: String) {
    #expect(problems(#"{"url": "http://\#(host):8080/{id}"}"#).isEmpty)
  }

  @Test(arguments: [
    (#""chnage": {}"#, "did you mean \"change\"?"),
    (#""zzz": {}"#, "zzz: there is no such setting; take it out"),
    (
      #""change": {"from": "json"}"#, "change.from: there is no such setting; did you mean \"form\""
    ),
    (#""change": {"form": "xml"}"#, "change.form: write one of \"merge-patch\""),
    (#""change": {"method": "PUT", "form": "merge-patch"}"#, "change.form: PUT replaces"),
    (#""change": {"method": "PUT", "form": "json"}"#, "change.form: PUT replaces"),
    (#""change": {"form": "json", "jsonPatchWhereNeeded": true}"#, "change.jsonPatchWhereNeeded"),
    (#""create": {"method": "PATCH"}"#, "create.method: write one of \"PUT\", \"POST\""),
    (
      #""conditional": false, "idempotencyKey": false, "create": {"method": "POST"}"#,
      "create.method: a POST"
    ),
    (#""conditional": false, "create": {"ifNoneMatch": true}"#, "create.ifNoneMatch"),
    (#""conditional": 1"#, "conditional: write true or false"),
    (#""headers": {"Authorization": "Bearer hunter2"}"#, "headers.Authorization: no secrets"),
    (#""headers": {"X-API-Key": "hunter2"}"#, "headers.X-API-Key: no secrets"),
    (#""headers": {"If-Match": "*"}"#, "headers.If-Match: take it out"),
    (#""headers": {"A": "b\r\nc"}"#, "headers.A: this can't be sent"),
    (#""headers": {"A b": "c"}"#, "headers.A b: this can't be sent"),
    (#""headers": {"A": "1", "a": "2"}"#, "headers.a: it stands twice"),
    (#""idempotencyKey": "a b""#, "idempotencyKey: write true, false"),
    (#""idempotencyKey": "Host""#, "idempotencyKey: write true, false"),
    (#""credentials": {"bearer": "hunter2"}"#, "credentials.bearer: no secrets here"),
    (#""credentials": {"bearerFromEnvironment": "hunter2-."}"#, "not the secret itself"),
    (#""credentials": {}"#, "credentials: name a source"),
    (
      #""credentials": {"bearerFromFile": "a", "basicFromFile": "b"}"#,
      "credentials: name one source only"
    ),
    (#""credentials": {"headerFromEnvironment": {"name": "A"}}"#, ".variable: it is missing"),
    (#""allowPlainHTTP": ["http://a/"]"#, "allowPlainHTTP[0]: write a host"),
    (#""timeouts": {"total": 0}"#, "timeouts.total: write a number of seconds"),
    (#""maximumFieldsPerRequest": 0"#, "maximumFieldsPerRequest: write a whole number"),
    (#""retry": {"first": 9, "limit": 1}"#, "retry.limit"),
    (#""conflictPolicy": "merge""#, "conflictPolicy: write one of \"ask\", \"mine\", \"theirs\""),
    (#""envelope": """#, "envelope: write a text"),
    (#""envelope": "data", "change": {"form": "urlencoded"}"#, "envelope: take it out"),
  ])
  func memberFaults(_ member: String, _ expected: String) {
    let found = problems(of: member)
    #expect(found.count == 1)
    #expect(found.first?.contains(expected) == true, "\(found)")
    #expect(!found.joined().contains("hunter2"))
  }

  @Test func theSchemaNamesTheSameMembers() throws {
    let schema = try JSONValue(
      parsing: try Cases.bytes(atPath: "\(Cases.packagePath)/Schema/sync-settings.schema.json"))
    let members = try #require(schema["properties"]?.objectValue)
    for (path, object) in [("", members)]
      + members.members.compactMap({ member in
        member.value["properties"]?.objectValue.map { (member.key, $0) }
      })
    {
      let unknown = #""qqqqqqqq": 1"#
      let found = path.isEmpty ? problems(of: unknown) : problems(of: #""\#(path)": {\#(unknown)}"#)
      let message = try #require(found.first)
      let list = try #require(message.split(separator: "known here: ").last).dropLast()
      #expect(
        Set(list.split(separator: ", ").map(String.init)) == Set(object.keys), "\(path): \(message)"
      )
    }
  }

  @Test func allFaultsAreNamedAtOnce() {
    let found = problems(
      #"{"url": "x", "conditional": 1, "retry": {"attempts": 0}, "zzz": 1, "envelope": 3}"#)
    #expect(found.count == 5, "\(found)")
  }
}

@Suite("Credentials")
struct CredentialSourceTests {
  private func header(
    _ source: CredentialSource, _ secret: String?
  ) throws -> HTTPHeaders.Field {
    try source.header(
      environment: { $0 == "NAME" ? secret : nil },
      contents: { path in path == "file" ? secret.map { Array($0.utf8) } : nil })
  }

  @Test func headers() throws {
    #expect(
      try header(.bearer(.environment("NAME")), "abc")
        == .init(name: "Authorization", value: "Bearer abc"))
    #expect(try header(.bearer(.file("file")), "abc\r\n").value == "Bearer abc")
    // RFC 7617, section 2.
    #expect(
      try header(.basic(.environment("NAME")), "Aladdin:open sesame").value
        == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    #expect(
      try header(.header("X-Key", .file("file")), "k\n") == .init(name: "X-Key", value: "k"))
  }

  @Test(arguments: [nil, "", "\n", "hunter2\nX: y", "hunter2 b", "hunter2\u{0}"])
  func badTokensAreRefusedAndNotQuoted(_ secret: String?) {
    let error = #expect(throws: CredentialError.self) {
      try header(.bearer(.environment("NAME")), secret)
    }
    #expect(error?.description.contains("hunter2") == false)
    #expect(error?.description.contains("NAME") == true)
  }

  @Test func basicNeedsAColon() {
    #expect(throws: CredentialError.self) { try header(.basic(.file("file")), "hunter2") }
    #expect(throws: CredentialError.self) { try header(.basic(.file("other")), "a:b") }
  }
}
