import FormModel

/// What the command says: results on the standard output, all else on the standard error.
enum Console {
  /// Writes text to the standard output.
  static func print(_ text: String) throws {
    try print(bytes: Array(text.utf8))
  }

  static func print(bytes: [UInt8]) throws {
    try System.send(bytes, to: System.standardOutput, as: "standard output")
  }

  /// Writes one line of JSON.
  static func print(_ record: JSONValue) throws {
    try print(record.jsonText + "\n")
  }

  /// Writes one JSON value a line.
  static func print(_ records: [JSONValue]) throws {
    var writer = JSONWriter()
    var bytes: [UInt8] = []
    for record in records {
      writer.removeAll()
      writer.write(record)
      bytes += writer.bytes
      bytes.append(UInt8(ascii: "\n"))
      guard bytes.count > 1 << 16 else { continue }
      try print(bytes: bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    try print(bytes: bytes)
  }

  /// Writes ids alone, one a line.
  static func print(ids: [String], _ invocation: Invocation) throws {
    if invocation.isJSON {
      try print(ids.map { ["id": .string($0)] })
    } else {
      try print(ids.map { $0 + "\n" }.joined())
    }
  }

  /// Writes text to the standard error. When even that fails, there is nobody to tell.
  static func note(_ text: String) {
    try? System.send(Array(text.utf8), to: System.standardError, as: "standard error")
  }

  /// Warns of something that was done all the same.
  static func warn(_ message: String, code: String, key: String?, isJSON: Bool) {
    say("warning", message, code: code, key: key, isJSON: isJSON)
  }

  /// Tells why something was not done.
  static func report(_ failure: CommandFailure, isJSON: Bool) {
    say("error", failure.message, code: failure.code, key: failure.key, isJSON: isJSON)
  }

  private static func say(
    _ kind: String, _ message: String, code: String, key: String?, isJSON: Bool
  ) {
    if isJSON {
      let body: JSONObject = [
        "code": .string(code), "message": .string(message),
        "key": key.map(JSONValue.string) ?? .null,
      ]
      note(JSONValue.object(JSONObject([(kind, JSONValue.object(body))])).jsonText + "\n")
    } else {
      let mark = kind == "error" ? "" : "\(kind): "
      // On one line, for what it tells of may hold line ends.
      note("formdraft: \(mark)\(message.printable)\n")
    }
  }
}
