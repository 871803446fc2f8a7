import FormModel

/// A change that a JSON Merge Patch can't say.
public struct MergePatchError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The service key of the field.
  public let key: String

  public var description: String {
    """
    \(key): a merge patch can't set a value to null, for null removes there (RFC 7396); use a JSON \
    patch
    """
  }
}

extension ChangeSet {
  /// The changes as a JSON Merge Patch (RFC 7396); null removes a field.
  ///
  /// - Throws: ``MergePatchError`` when a new value is null or holds null in an object.
  public func mergePatch() throws(MergePatchError) -> MergePatch {
    var members: [(String, JSONValue)] = []
    for change in changes {
      guard let new = change.new else {
        members.append((change.serviceKey, .null))
        continue
      }
      guard let patch = MergePatch.difference(from: change.old?.json, to: new.json) else {
        throw MergePatchError(key: change.serviceKey)
      }
      members.append((change.serviceKey, patch))
    }
    return MergePatch(json: .object(JSONObject(members)))
  }

  /// The changes as a JSON Patch (RFC 6902).
  public var jsonPatch: JSONPatch {
    JSONPatch(
      changes.map { change in
        let path = JSONPointer(key: change.serviceKey)
        guard let new = change.new else { return .remove(path: path) }
        return change.old == nil
          ? .add(path: path, value: new.json) : .replace(path: path, value: new.json)
      })
  }
}

extension MergePatch {
  /// The merge patch that leads from one value to another, or nil when none does.
  static func difference(from old: JSONValue?, to new: JSONValue) -> JSONValue? {
    // Where no object stands, an object is set as it is; where one stands, the two are merged.
    guard case .object(let newObject) = new, case .object(let oldObject)? = old else {
      // `.none`, for `nil` alone is JSON's null here.
      return canExpress(new) ? .some(new) : .none
    }
    var patch = JSONObject()
    for member in oldObject.members where newObject[member.key] == nil {
      patch[member.key] = .null
    }
    for member in newObject.members {
      let value = oldObject[member.key]
      if let value, value.isEquivalent(to: member.value) { continue }
      guard let difference = difference(from: value, to: member.value) else { return .none }
      patch[member.key] = difference
    }
    return .object(patch)
  }
}
