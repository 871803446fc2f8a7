import FormModel

@testable import DraftStore
@testable import DraftSync

/// Settings are refused without a word of what stands in them, or lead nowhere but to their own
/// server.
func testSettings(_ bytes: [UInt8]) {
  testThatNoValueIsQuoted(bytes)
  let settings: SyncSettings
  do throws(SyncSettingsError) {
    settings = try SyncSettings(parsing: bytes)
  } catch {
    law(!error.problems.isEmpty, "settings are refused without a reason")
    law(error.problems.allSatisfy { !$0.message.isEmpty }, "a problem has no message")
    return
  }
  law((try? SyncSettings(parsing: bytes)) == settings, "settings are others when read again")
  law(settings.connectTimeout > .zero && settings.totalTimeout > .zero, "no time at all")
  law(settings.backoff.first <= settings.backoff.limit, "the first wait is beyond the longest")
  law(settings.maximumAttempts > 0 && settings.maximumBytesPerRequest > 0, "nothing can be sent")
  for template in [settings.url, settings.create.url].compactMap({ $0 }) {
    law(settings.allows(template.sample), "an address that may not be sent to")
  }
  // What others typed, and form ids of any kind, stand in the address.
  let text = String(decoding: bytes.suffix(24), as: UTF8.self)
  for value in [text, "x", "..", "@evil.example", "/../..//evil.example", "#?&\r\nX: y\0"] {
    testRequests(settings, value: value)
  }
}

/// A value may be a secret that stands in the wrong place.
private func testThatNoValueIsQuoted(_ bytes: [UInt8]) {
  let secret = "hunter2"
  guard let json = try? JSONValue(parsing: bytes), !json.jsonText.contains(secret) else { return }
  do throws(SyncSettingsError) {
    _ = try SyncSettings(parsing: Array(json.replacingTexts { "\(secret) \($0)" }.jsonText.utf8))
  } catch {
    law(!"\(error) \(error.problems)".contains(secret), "a value of the settings is quoted")
  }
}

private func testRequests(_ settings: SyncSettings, value: String) {
  let builder = RequestBuilder(settings: settings, id: DraftID(), form: value)
  let names = settings.url.names + (settings.create.url?.names ?? []) + ["a", "b"]
  let entries = names.map { FormParam.Entry(serviceKey: $0, value: .string(value)) }
  let changes = ChangeSet(from: [], to: entries)
  let tag = EntityTag("\"v1\"")
  testRequest(try? builder.create(entries, idempotencyKey: "k"), settings)
  testRequest(try? builder.fetch(entries, unless: tag), settings)
  for part in (try? builder.parts(of: changes, to: entries)) ?? [] {
    testRequest(
      try? builder.change(part, to: entries, from: tag, idempotencyKey: "k"), settings)
  }
}

private func testRequest(_ request: HTTPRequest?, _ settings: SyncSettings) {
  guard let request else { return }
  let origins = [settings.url, settings.create.url].compactMap { template in
    template.flatMap { WebAddress($0.sample)?.origin }
  }
  let address = WebAddress(request.url)
  law(address.map { origins.contains($0.origin) } == true, "a value chooses the server")
  law(address?.hasCredentials == false, "a value becomes credentials")
  law(
    request.headers.fields.allSatisfy { $0.name.isHTTPToken && $0.value.isHeaderValue },
    "a header that can't be sent")
  law(request.body.count <= settings.maximumBytesPerRequest, "a body beyond the limit")
  // What is kept until it is sent is what is sent.
  let frozen = FrozenRequest(.change, request, keys: ["a"])
  law(FrozenRequest(frozen.text) == frozen, "a kept request is another")
}

extension JSONValue {
  fileprivate func replacingTexts(_ change: (String) -> String) -> JSONValue {
    switch self {
    case .string(let text): .string(change(text))
    case .array(let values): .array(values.map { $0.replacingTexts(change) })
    case .object(let object):
      .object(
        JSONObject(object.members.map { ($0.key, $0.value.replacingTexts(change)) }))
    case .null, .bool, .number: self
    }
  }
}
