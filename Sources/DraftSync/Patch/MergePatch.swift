import FormModel

/// A JSON Merge Patch (RFC 7396): an object whose members are set, those with null removed.
public struct MergePatch: Hashable, Sendable {
  /// The patch document.
  public let json: JSONValue

  /// A patch of this document. Any JSON value is one.
  public init(json: JSONValue) {
    self.json = json
  }

  /// Reads a patch from its JSON text.
  ///
  /// - Throws: `JSONError` when the text is not one strict JSON value.
  public init(parsing text: String) throws(JSONError) {
    json = try JSONValue(parsing: text)
  }

  /// The document with this patch applied (RFC 7396, section 2).
  ///
  /// A patch that is not an object replaces the document. Members that stay keep their order, new
  /// ones follow in the order of the patch. The result is nested no deeper than the document or
  /// the patch.
  public func applied(to document: JSONValue) -> JSONValue {
    var result = document
    Self.merge(json, into: &result)
    return result
  }

  /// Whether a value can be set as a member by a merge patch: it is not null, and no object in it
  /// has a null member, as merge patches take null to mean removal (RFC 7396, section 1). Within
  /// arrays null is plain data.
  ///
  /// An object is set exactly only where no object stands: onto another object it is merged.
  public static func canExpress(_ value: JSONValue) -> Bool {
    switch value {
    case .null: false
    case .object(let object): object.members.allSatisfy { canExpress($0.value) }
    default: true
    }
  }

  private static func merge(_ patch: JSONValue, into target: inout JSONValue) {
    guard case .object(let changes) = patch else {
      target = patch
      return
    }
    var object = target.objectValue ?? JSONObject()
    // Lets go of the old value, so that the object is changed in place and not copied.
    target = .null
    for change in changes.members {
      if case .null = change.value {
        object[change.key] = nil
      } else if case .object = change.value {
        var member = object[change.key] ?? .null
        object[change.key] = .null
        merge(change.value, into: &member)
        object[change.key] = member
      } else {
        object[change.key] = change.value
      }
    }
    target = .object(object)
  }
}
