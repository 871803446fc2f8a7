import FormModel

extension SyncSettings {
  /// Reads settings from the bytes of a JSON file and checks them.
  ///
  /// - Parameter bytes: the file's bytes.
  /// - Throws: ``SyncSettingsError`` with every fault at once.
  public init(parsing bytes: [UInt8]) throws(SyncSettingsError) {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: bytes)
    } catch {
      // The place only: the parser's message may quote what is there.
      throw SyncSettingsError(problems: [
        .init(member: "", message: "line \(error.line), column \(error.column): this is no JSON")
      ])
    }
    guard let object = json.objectValue else {
      throw SyncSettingsError(problems: [
        .init(member: "", message: "write an object, {\"url\": …}; this is \(json.kindName)")
      ])
    }
    let problems = SettingsProblems()
    let settings = SyncSettingsReader(object, problems).read()
    guard let settings, problems.problems.isEmpty else {
      throw SyncSettingsError(problems: problems.problems)
    }
    self = settings
  }
}

private struct SyncSettingsReader {
  private let file: SettingsObject
  private let problems: SettingsProblems

  init(_ object: JSONObject, _ problems: SettingsProblems) {
    file = SettingsObject(object, problems)
    self.problems = problems
  }

  func read() -> SyncSettings? {
    // Where an editor finds the schema.
    _ = file.value("$schema")
    let hosts = plainHosts()
    let url = template("url", in: file, hosts)
    if let url, url.names.allSatisfy({ $0.hasSameBytes(as: "form") }) {
      file.report(
        "url", "say which record: \"https://host/records/{id}\", or a service key in braces")
    }
    if !file.has("url") { file.report("url", "it is missing; write \"https://host/records/{id}\"") }
    let isConditional = file.bool("conditional") ?? true
    let keyHeader = idempotencyKeyHeader()
    let create = create(isConditional, keyHeader, hosts)
    let change = change()
    let (headers, envelope) = (headers(), file.string("envelope"))
    let credentials = credentials()
    if case .header(let name, _) = credentials, keyHeader?.isSameHeader(as: name) == true {
      file.report("credentials.headerFromEnvironment.name", "it is the header of idempotencyKey")
    }
    let authorities = file.string("certificateAuthorities")
    let (connect, total) = timeouts()
    let fields = file.integer("maximumFieldsPerRequest", in: 1...1_000_000)
    let bytes = file.integer("maximumBytesPerRequest", in: 256...1_000_000_000)
    let (backoff, attempts) = retry()
    let policy = file.name("conflictPolicy", SyncSettings.ConflictPolicy.self)
    if envelope != nil, create.form == .urlEncoded || change.form == .urlEncoded {
      file.report("envelope", "take it out: a web form (urlencoded) has none")
    }
    file.finish()
    guard let url else { return nil }
    return SyncSettings(
      url: url, create: create, change: change, headers: headers, envelope: envelope,
      isConditional: isConditional, idempotencyKeyHeader: keyHeader, credentials: credentials,
      plainHTTPHosts: hosts, certificateAuthorityFile: authorities, connectTimeout: connect,
      totalTimeout: total, maximumFieldsPerRequest: fields,
      maximumBytesPerRequest: bytes ?? 1_000_000, backoff: backoff, maximumAttempts: attempts,
      conflictPolicy: policy ?? .ask)
  }

  private func template(
    _ key: String, in object: SettingsObject, _ hosts: [String]
  ) -> URLTemplate? {
    guard let text = object.string(key) else { return nil }
    do throws(URLTemplate.Fault) {
      let template = try URLTemplate(parsing: text)
      if let address = WebAddress(template.sample), address.scheme == "http", !address.isLoopback,
        !hosts.contains(where: { $0.lowercased() == address.host })
      {
        object.report(
          key, "write https://, or name the host in allowPlainHTTP: others can read along")
      }
      return template
    } catch {
      object.report(key, error.message)
      return nil
    }
  }

  private func plainHosts() -> [String] {
    let hosts = file.strings("allowPlainHTTP") ?? []
    for (index, host) in hosts.enumerated() {
      guard let address = WebAddress("http://\(host)/"), address.host == host.lowercased() else {
        file.report("allowPlainHTTP[\(index)]", "write a host's name alone, such as \"intake.lan\"")
        continue
      }
    }
    return hosts
  }

  private func create(
    _ isConditional: Bool, _ keyHeader: String?, _ hosts: [String]
  ) -> SyncSettings.Create {
    let object = file.object("create")
    let method = object?.name("method", SyncSettings.CreateMethod.self) ?? .put
    let create = SyncSettings.Create(
      url: object.flatMap { template("url", in: $0, hosts) }, method: method,
      form: object?.name("form", SyncSettings.CreateForm.self) ?? .json,
      ifNoneMatch: object?.bool("ifNoneMatch") ?? isConditional)
    if create.ifNoneMatch, !isConditional {
      file.report("create.ifNoneMatch", "with \"conditional\": false it can't be true")
    }
    // A lost answer is followed by a second delivery, which must not make a second record.
    if method == .post, !create.ifNoneMatch, keyHeader == nil {
      file.report(
        "create.method",
        "a POST that is sent again would make a second record; switch "
          + "idempotencyKey or ifNoneMatch on, or use \"PUT\"")
    }
    object?.finish()
    return create
  }

  private func change() -> SyncSettings.Change {
    let object = file.object("change")
    let method = object?.name("method", SyncSettings.ChangeMethod.self) ?? .patch
    let form =
      object?.name("form", SyncSettings.ChangeForm.self) ?? (method == .put ? .full : .mergePatch)
    if method == .put, [.mergePatch, .jsonPatch, .json].contains(form) {
      file.report(
        "change.form",
        "PUT replaces the whole record: use \"full\" or \"urlencoded\", or the "
          + "method \"PATCH\"")
    }
    let fallback = object?.bool("jsonPatchWhereNeeded")
    if fallback != nil, form != .mergePatch {
      file.report("change.jsonPatchWhereNeeded", "take it out: it belongs to \"merge-patch\"")
    }
    object?.finish()
    return SyncSettings.Change(
      method: method, form: form, usesJSONPatchWhereNeeded: fallback ?? true)
  }

  private func headers() -> HTTPHeaders {
    guard let object = file.object("headers") else { return HTTPHeaders() }
    var headers = HTTPHeaders()
    for name in object.keys {
      guard let value = object.read(name, "a text", \.stringValue) else { continue }
      let place = "headers.\(name.prefix(60))"
      if !name.isHTTPToken || !value.isHeaderValue {
        problems.add(place, "this can't be sent as a header")
      } else if name.isManagedHeader || name.isSameHeader(as: "Idempotency-Key") {
        problems.add(place, "take it out: it is set for each request")
      } else if name.isSecretHeader {
        problems.add(place, "no secrets here: name their source in \"credentials\"")
      } else if headers[name] != nil {
        problems.add(place, "it stands twice, for case does not matter")
      } else {
        headers.append(name, value)
      }
    }
    return headers
  }

  private func idempotencyKeyHeader() -> String? {
    let standard = "Idempotency-Key"
    return file.read("idempotencyKey", "true, false or a header's name") { value -> String?? in
      switch value {
      case .bool(let isOn): .some(isOn ? standard : nil)
      case .string(let name) where name.isHTTPToken && !name.isManagedHeader: .some(name)
      default: nil
      }
    } ?? (file.has("idempotencyKey") ? nil : standard)
  }

  private func timeouts() -> (Duration, Duration) {
    let object = file.object("timeouts")
    let connect = object?.seconds("connect", upTo: 300)
    let total = object?.seconds("total", upTo: 3600)
    object?.finish()
    return (connect ?? .seconds(10), total ?? .seconds(60))
  }

  private func retry() -> (Backoff, Int) {
    let object = file.object("retry")
    let first = object?.seconds("first", upTo: 3600) ?? .seconds(1)
    let limit = object?.seconds("limit", upTo: 86_400) ?? max(first, .seconds(300))
    if limit < first { file.report("retry.limit", "it must not be less than \"first\"") }
    let attempts = object?.integer("attempts", in: 1...1000)
    object?.finish()
    return (Backoff(first: first, limit: limit), attempts ?? 10)
  }

  private func credentials() -> CredentialSource? {
    guard let object = file.object("credentials") else { return nil }
    var sources: [CredentialSource] = []
    if let name = variable("bearerFromEnvironment", in: object) {
      sources.append(.bearer(.environment(name)))
    }
    if let name = variable("basicFromEnvironment", in: object) {
      sources.append(.basic(.environment(name)))
    }
    if let path = object.string("bearerFromFile") { sources.append(.bearer(.file(path))) }
    if let path = object.string("basicFromFile") { sources.append(.basic(.file(path))) }
    if let source = headerSource("headerFromEnvironment", in: object) { sources.append(source) }
    for key in ["bearer", "token", "basic", "user", "password", "username", "apiKey"] {
      object.refuse(
        key,
        "no secrets here: write \"bearerFromEnvironment\" or \"basicFromEnvironment\" with "
          + "the name of an environment variable")
    }
    object.finish()
    if sources.count > 1 { problems.add("credentials", "name one source only") }
    if sources.isEmpty, problems.problems.allSatisfy({ !$0.member.hasPrefix("credentials") }) {
      problems.add("credentials", "name a source, such as \"bearerFromEnvironment\"")
    }
    return sources.first
  }

  private func headerSource(_ key: String, in object: SettingsObject) -> CredentialSource? {
    guard let inner = object.object(key) else { return nil }
    let name = inner.read("name", "the name of a header, such as \"X-Api-Key\"") { value in
      value.stringValue.flatMap { $0.isHTTPToken && !$0.isManagedHeader ? $0 : nil }
    }
    let variable = variable("variable", in: inner)
    for key in ["name", "variable"] where !inner.has(key) { inner.report(key, "it is missing") }
    inner.finish()
    guard let name, let variable else { return nil }
    return .header(name, .environment(variable))
  }

  private func variable(_ key: String, in object: SettingsObject) -> String? {
    guard let name = object.string(key) else { return nil }
    // A token in place of a name mostly has other characters too.
    guard let first = name.utf8.first, !first.isASCIIDigit,
      name.utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") })
    else {
      object.report(key, "write the name of an environment variable, not the secret itself")
      return nil
    }
    return name
  }
}

extension String {
  /// Whether a header of this name carries a secret.
  fileprivate var isSecretHeader: Bool {
    let name = lowercased()
    return ["authorization", "cookie", "token", "secret", "password", "credential"]
      .contains { name.contains($0) } || ["auth", "key"].contains { name.hasSuffix($0) }
  }

  /// Whether the header is set for each request.
  fileprivate var isManagedHeader: Bool {
    [
      "content-type", "content-length", "content-encoding", "transfer-encoding", "host",
      "connection", "expect", "te", "trailer", "upgrade", "accept-encoding", "if-match",
      "if-none-match", "if-modified-since", "if-unmodified-since", "range", "if-range",
    ].contains(lowercased())
  }
}
