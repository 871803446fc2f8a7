import FormModel

/// The body of a request with its media type.
struct RequestBody {
  let mediaType: String
  let bytes: [UInt8]

  private init(_ mediaType: String, _ json: JSONValue) {
    self.mediaType = mediaType
    var writer = JSONWriter()
    writer.write(json)
    bytes = writer.bytes
  }

  private init(pairs: [(String, String)]) {
    mediaType = "application/x-www-form-urlencoded"
    bytes = Array(URLEncodedForm.serialize(pairs).utf8)
  }
}

extension RequestBody {
  /// A record with all its fields.
  static func full(
    _ entries: [FormParam.Entry], asForm: Bool, _ settings: SyncSettings
  ) throws(RequestRefusal) -> RequestBody {
    guard asForm else {
      return RequestBody("application/json", settings.wrap(.object(entries.param)))
    }
    var pairs: [(String, String)] = []
    for entry in entries { pairs += try self.pairs(entry.serviceKey, entry.value) }
    return RequestBody(pairs: pairs)
  }

  /// A change in the form that the settings name.
  ///
  /// - Parameters:
  ///   - changes: the change set.
  ///   - entries: all values after it.
  ///   - settings: the settings.
  static func change(
    _ changes: ChangeSet, to entries: [FormParam.Entry], _ settings: SyncSettings
  ) throws(RequestRefusal) -> RequestBody {
    switch (settings.change.form, settings.change.method) {
    case (.full, _): try full(entries, asForm: false, settings)
    case (.urlEncoded, .put): try full(entries, asForm: true, settings)
    case (.urlEncoded, _): try changedPairs(changes)
    case (.json, _): try changedMembers(changes, settings)
    case (.jsonPatch, _): try jsonPatch(changes, settings)
    case (.mergePatch, _): try mergePatch(changes, settings)
    }
  }

  private static func mergePatch(
    _ changes: ChangeSet, _ settings: SyncSettings
  ) throws(RequestRefusal) -> RequestBody {
    let patch = try? changes.mergePatch()
    // Checked by its effect: whatever a merge patch can't say, it must not seem to.
    if let patch, patch.applied(to: changes.oldRecord).isEquivalent(to: changes.newRecord) {
      return RequestBody("application/merge-patch+json", settings.wrap(patch.json))
    }
    guard settings.change.usesJSONPatchWhereNeeded else {
      throw RequestRefusal(
        .notExpressible,
        "a merge patch can't set null, nor an object that holds null: allow a JSON Patch "
          + "(change.jsonPatchWhereNeeded)")
    }
    return try jsonPatch(changes, settings)
  }

  private static func jsonPatch(
    _ changes: ChangeSet, _ settings: SyncSettings
  ) throws(RequestRefusal) -> RequestBody {
    let patch = changes.jsonPatch
    guard let result = try? patch.applied(to: changes.oldRecord),
      result.isEquivalent(to: changes.newRecord)
    else {
      throw RequestRefusal(.notExpressible, "no patch leads from the base to the draft's values")
    }
    let prefix = JSONPointer(tokens: settings.envelope.map { [$0] } ?? [])
    return RequestBody("application/json-patch+json", patch.moved(under: prefix).json)
  }

  private static func changedMembers(
    _ changes: ChangeSet, _ settings: SyncSettings
  ) throws(RequestRefusal) -> RequestBody {
    var object = JSONObject()
    for change in changes.changes {
      guard let new = change.new else {
        throw RequestRefusal(
          .notExpressible,
          "\(change.serviceKey): a plain object of the changed fields can't remove one; use "
            + "merge-patch, json-patch or full")
      }
      object[change.serviceKey] = new.json
    }
    return RequestBody("application/json", settings.wrap(.object(object)))
  }

  private static func changedPairs(_ changes: ChangeSet) throws(RequestRefusal) -> RequestBody {
    var pairs: [(String, String)] = []
    for change in changes.changes {
      let added = try change.new.map { (value) throws(RequestRefusal) in
        try self.pairs(change.serviceKey, value)
      }
      // A pair that is not there is one that was not sent, and no removal.
      guard let added, !added.isEmpty else {
        throw RequestRefusal(
          .notExpressible,
          "\(change.serviceKey): a web form of the changed fields can't remove one; use PUT")
      }
      pairs += added
    }
    return RequestBody(pairs: pairs)
  }

  /// A field as pairs of a web form: one for each tag, else one.
  private static func pairs(
    _ key: String, _ value: FieldValue
  ) throws(RequestRefusal) -> [(String, String)] {
    switch value {
    case .null, .json(.null):
      throw RequestRefusal(.notExpressible, "\(key): a web form can't say null")
    case .tags(let ids): ids.map { (key, $0.description) }
    default: [(key, value.text)]
    }
  }
}

extension SyncSettings {
  /// Puts a record, or a merge patch of one, into the envelope.
  func wrap(_ record: JSONValue) -> JSONValue {
    guard let envelope else { return record }
    return .object(JSONObject([(envelope, record)]))
  }
}

extension ChangeSet {
  /// The base's values of the changed fields.
  fileprivate var oldRecord: JSONValue { record(\.old) }

  /// The new values of the changed fields.
  fileprivate var newRecord: JSONValue { record(\.new) }

  private func record(_ value: KeyPath<FieldChange, FieldValue?>) -> JSONValue {
    .object(
      JSONObject(
        changes.compactMap { change in
          change[keyPath: value].map { (change.serviceKey, $0.json) }
        }))
  }
}

extension JSONPatch {
  /// The patch for a document that holds this one's at a place.
  func moved(under prefix: JSONPointer) -> JSONPatch {
    func moved(_ path: JSONPointer) -> JSONPointer {
      JSONPointer(tokens: prefix.tokens + path.tokens)
    }
    return JSONPatch(
      operations.map { operation in
        switch operation {
        case .add(let path, let value): .add(path: moved(path), value: value)
        case .remove(let path): .remove(path: moved(path))
        case .replace(let path, let value): .replace(path: moved(path), value: value)
        case .move(let from, let path): .move(from: moved(from), path: moved(path))
        case .copy(let from, let path): .copy(from: moved(from), path: moved(path))
        case .test(let path, let value): .test(path: moved(path), value: value)
        }
      })
  }
}
