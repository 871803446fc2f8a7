import FormModel
import Foundation

/// Kinto with an account, a bucket and a collection; one for all tests of a process.
public final class Kinto: Sendable {
  /// What the settings' environment variable holds.
  public static let account = "tester:s3cret-of-the-tests"
  /// The header that carries the account.
  public static let authorization = "Basic " + Data(account.utf8).base64EncodedString()
  public static let collection = "/v1/buckets/forms/collections/drafts"

  private static let running = Result { try Kinto() }

  /// The server, started at its first use.
  public static func shared() throws -> Kinto { try running.get() }

  private let server: PythonServer
  public var port: Int { server.port }

  private init() throws {
    let server = try PythonServer("kinto", health: "/v1/__heartbeat__") { port in
      ["start", "--ini", "\(PythonServer.root)/Tests/Servers/kinto.ini", "--port", "\(port)"]
    }
    self.server = server
    let password = Self.account.split(separator: ":")[1]
    try make("/v1/accounts/tester", #"{"data": {"password": "\#(password)"}}"#)
    try make("/v1/buckets/forms")
    try make(Self.collection)
  }

  private func make(_ path: String, _ body: String = "{}") throws {
    let answer = request("PUT", path, body, isAuthorized: !path.contains("/accounts/"))
    guard let answer, (200..<300).contains(answer.status) else {
      throw PythonServer.Failure(description: "Kinto refused PUT \(path): \(answer?.text ?? "")")
    }
  }

  /// What another program says to the server, not through the proxy.
  @discardableResult
  public func request(
    _ method: String, _ path: String, _ body: String? = nil, type: String = "application/json",
    isAuthorized: Bool = true
  ) -> WireMessage? {
    var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"]
    if isAuthorized { lines.append("Authorization: \(Self.authorization)") }
    if let body { lines += ["Content-Type: \(type)", "Content-Length: \(body.utf8.count)"] }
    let bytes = Array((lines + ["", body ?? ""]).joined(separator: "\r\n").utf8)
    return exchange(bytes, port: port)
  }

  /// A record's fields without those that Kinto adds, or nil when there is no record.
  public func record(_ id: String) -> JSONObject? {
    guard let answer = request("GET", "\(Self.collection)/records/\(id)"), answer.status == 200,
      var record = try? JSONValue(parsing: answer.body)["data"]?.objectValue
    else { return nil }
    record["id"] = nil
    record["last_modified"] = nil
    return record
  }

  /// Changes fields of a record as another client; null is a value.
  public func change(_ id: String, _ fields: JSONValue) {
    let body: JSONValue = ["data": fields]
    request("PATCH", "\(Self.collection)/records/\(id)", body.jsonText)
  }

  /// Takes fields of a record away, or changes them, as another client.
  public func mergePatch(_ id: String, _ fields: JSONValue) {
    let body: JSONValue = ["data": fields]
    request(
      "PATCH", "\(Self.collection)/records/\(id)", body.jsonText,
      type: "application/merge-patch+json")
  }

  public func delete(_ id: String) { request("DELETE", "\(Self.collection)/records/\(id)") }
}
