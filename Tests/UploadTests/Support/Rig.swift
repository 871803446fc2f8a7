import DraftStore
import DraftSync
import FormModel
import Foundation
import ServerSupport
import Synchronization
import Testing

/// A device, a proxy of its own, and Kinto behind it.
final class Rig: Sendable {
  let kinto: Kinto
  let proxy: Proxy
  let device: Device

  init(_ form: Form? = nil) throws {
    kinto = try Kinto.shared()
    proxy = Proxy(to: kinto.port)
    device = try Device(form)
  }

  /// Settings for the records, through the proxy; a null takes a member away.
  func settings(
    _ members: JSONObject = [:], place: String = "{id}", port: Int? = nil
  ) throws -> SyncSettings {
    let place = "\(Kinto.collection)/records/\(place)"
    var json: JSONObject = [
      "url": .string("http://127.0.0.1:\(port ?? proxy.port)\(place)"),
      "envelope": "data", "timeouts": ["connect": 20, "total": 60],
      "credentials": ["basicFromEnvironment": "KINTO_ACCOUNT"],
    ]
    for member in members.members {
      json[member.key] = member.value == .null ? Optional.none : member.value
    }
    return try SyncSettings(parsing: Array(JSONValue.object(json).jsonText.utf8))
  }

  func uploader(_ settings: SyncSettings? = nil, _ store: DraftStore? = nil) throws -> Uploader {
    let settings = try settings ?? self.settings()
    return Uploader(
      store: store ?? device.store, settings: settings,
      transport: CurlTransport(options: settings.transportOptions),
      credentials: .init(name: "Authorization", value: Kinto.authorization))
  }

  /// One pass of the uploader.
  @discardableResult
  func push(_ settings: SyncSettings? = nil, _ device: Device? = nil) async throws -> PushSummary {
    try await uploader(settings, device?.store).push()
  }

  /// One pass, and what happened.
  func events(_ settings: SyncSettings? = nil) async throws -> [PushEvent] {
    let events = Mutex<[PushEvent]>([])
    try await uploader(settings).push { event in events.withLock { $0.append(event) } }
    return events.withLock { $0 }
  }

  /// Pushes what waits, however long it has to wait by the device's clock.
  func pushAll(_ settings: SyncSettings? = nil) async throws {
    for _ in 0..<50 {
      device.clock.move(by: .seconds(7200))
      try await push(settings)
      if try device.store.outbox().isEmpty { return }
    }
    Issue.record("the outbox does not get empty: \(try device.store.outbox())")
  }

  /// Expects that the server's record is what the draft would submit now.
  func expectUploaded(
    _ id: DraftID, _ device: Device? = nil, at record: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let param = try (device ?? self.device).store.param(of: id).param
    let held = try #require(
      kinto.record(record ?? id.description), "no record", sourceLocation: sourceLocation)
    #expect(
      JSONValue.object(held).isEquivalent(to: .object(param)),
      "\(JSONValue.object(held).jsonText) \(JSONValue.object(param).jsonText)",
      sourceLocation: sourceLocation)
  }

  func item(of id: DraftID) throws -> OutboxItem {
    try #require(try device.store.outbox(of: id).first)
  }

  /// What the server is known to hold, as words.
  func acknowledged(_ id: DraftID, _ device: Device? = nil) throws -> JSONObject {
    let store = (device ?? self.device).store
    return try store.draftWithBase(id, options: FormParam.Options()).acknowledged.param
  }
}

extension WireMessage {
  /// The body as JSON.
  var json: JSONValue? { try? JSONValue(parsing: body) }

  /// The header with the idempotency key.
  var key: String? { self["Idempotency-Key"] }
}

extension [FormParam.Entry] {
  var keys: [String] { map(\.serviceKey) }
}
