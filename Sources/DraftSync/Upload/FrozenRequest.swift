import FormModel

/// A request whose very bytes are kept, so that every delivery of it is the same.
struct FrozenRequest: Hashable {
  let kind: AnswerClassification.Kind
  let request: HTTPRequest
  /// The service keys of the fields that the server has when it acknowledges.
  let keys: [String]
  /// Whether the server has answered it with success. Then it is not sent again, for it could be
  /// done twice by a server that minds no keys: the record tells.
  var isAccepted = false

  /// The JSON text that is kept.
  var text: String {
    JSONValue.object([
      "kind": .string(kind.rawValue), "method": .string(request.method),
      "url": .string(request.url),
      "headers": .array(
        request.headers.fields.map { .array([.string($0.name), .string($0.value)]) }),
      "body": .string(String(decoding: request.body, as: UTF8.self)),
      "keys": .array(keys.map(JSONValue.string)), "isAccepted": .bool(isAccepted),
    ]).jsonText
  }

  init(_ kind: AnswerClassification.Kind, _ request: HTTPRequest, keys: [String]) {
    self.kind = kind
    self.request = request
    self.keys = keys
  }

  /// The same request at another address; nil for its own.
  func moved(to address: String?) -> FrozenRequest {
    guard let address else { return self }
    var request = request
    request.url = address
    var moved = FrozenRequest(kind, request, keys: keys)
    moved.isAccepted = isAccepted
    return moved
  }

  /// The request of a kept text, or nil when it is none.
  init?(_ text: String) {
    guard let json = try? JSONValue(parsing: text),
      let kind = json["kind"]?.stringValue.flatMap(AnswerClassification.Kind.init),
      let method = json["method"]?.stringValue, let url = json["url"]?.stringValue,
      let fields = json["headers"]?.arrayValue, let body = json["body"]?.stringValue,
      let keys = json["keys"]?.arrayValue
    else { return nil }
    var headers = HTTPHeaders()
    for field in fields {
      guard let parts = field.arrayValue, parts.count == 2, let name = parts[0].stringValue,
        let value = parts[1].stringValue
      else { return nil }
      headers.append(name, value)
    }
    self.init(
      kind, HTTPRequest(method: method, url: url, headers: headers, body: Array(body.utf8)),
      keys: keys.compactMap(\.stringValue))
    isAccepted = json["isAccepted"] == .bool(true)
  }
}
