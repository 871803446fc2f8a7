import DraftSync
import FormModel
import ServerSupport
import Synchronization

/// A server in the proxy's place, which keeps records, makes each at most once for an idempotency
/// key (`POST`) or where there is none (`PUT`), and fails as a test says.
final class KeyedServer: Sendable {
  private struct State {
    var made: [String: JSONObject] = [:]
    var records: [String: (version: Int, record: JSONObject)] = [:]
    var override: (@Sendable (WireMessage) -> Proxy.Action?)?
  }

  private let state = Mutex(State())
  /// Whether `GET` finds what `POST` made.
  let showsRecords: Bool
  /// The status of a success of `POST`.
  let created: Int

  init(showsRecords: Bool = true, created: Int = 201) {
    (self.showsRecords, self.created) = (showsRecords, created)
  }

  /// How many records were made.
  var madeCount: Int { state.withLock { $0.made.count } }

  func record(_ id: String) -> JSONObject? {
    state.withLock { $0.records["/r/\(id)"]?.record }
  }

  /// What is done with requests instead, where it says so; nil for nothing.
  func fail(_ override: (@Sendable (WireMessage) -> Proxy.Action?)?) {
    state.withLock { $0.override = override }
  }

  /// What a request does, without its answer reaching anybody.
  func make(_ request: WireMessage) { _ = answer(request) }

  func serve(_ proxy: Proxy) {
    proxy.always { [self] request in
      state.withLock { $0.override }?(request) ?? answer(request)
    }
  }

  private func answer(_ request: WireMessage) -> Proxy.Action {
    state.withLock { state in
      let place = request.target
      guard request.method != "GET" else {
        guard showsRecords, let (version, record) = state.records[place] else {
          return .answer(404)
        }
        return .answer(
          200, headers: ["Content-Type: application/json", "ETag: \"\(version)\""],
          body: JSONValue.object(record).jsonText)
      }
      guard let body = request.json?.objectValue else { return .answer(400) }
      if request.method == "POST" {
        let record = "/r" + place.dropFirst("/new".count)
        if state.made.updateValue(body, forKey: request.key ?? "") == nil {
          state.records[String(record)] = (1, body)
        }
        return .answer(created, headers: created == 201 ? ["ETag: \"1\""] : [])
      }
      if request["If-None-Match"] == "*" {
        guard state.records[place] == nil else { return .answer(412) }
        state.made[place] = body
        state.records[place] = (1, body)
        return .answer(201, headers: ["ETag: \"1\""])
      }
      guard let old = state.records[place] else { return .answer(404) }
      guard request["If-Match"] == "\"\(old.version)\"" else { return .answer(412) }
      var record = old.record
      for (key, value) in body.members.map({ ($0.key, $0.value) }) {
        record[key] = value == .null ? Optional.none : value
      }
      state.records[place] = (old.version + 1, record)
      return .answer(200, headers: ["ETag: \"\(old.version + 1)\""])
    }
  }
}

extension Rig {
  /// Settings for a server that makes records by `POST`.
  func keyedSettings(_ members: JSONObject = [:]) throws -> SyncSettings {
    let host = "http://127.0.0.1:\(proxy.port)"
    var json: JSONObject = [
      "url": .string("\(host)/r/{id}"), "envelope": nil,
      "create": ["method": "POST", "url": .string("\(host)/new/{id}"), "ifNoneMatch": false],
    ]
    for member in members.members { json[member.key] = member.value }
    return try settings(json)
  }
}
