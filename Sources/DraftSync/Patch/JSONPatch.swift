import FormModel

/// A list of changes to a JSON document (RFC 6902), applied in full or not at all.
public struct JSONPatch: Hashable, Sendable {
  /// One change (RFC 6902, section 4).
  public enum Operation: Hashable, Sendable {
    /// Sets a member, inserts an element, or replaces the whole document.
    case add(path: JSONPointer, value: JSONValue)
    /// Removes the value at a place; the whole document cannot be removed.
    case remove(path: JSONPointer)
    /// Replaces the value at a place that exists.
    case replace(path: JSONPointer, value: JSONValue)
    /// Removes the value at `from` and adds it at `path`, which must not lie within it.
    case move(from: JSONPointer, path: JSONPointer)
    /// Adds the value at `from` at `path` too. Stricter than section 4.5, `path` must not lie
    /// within it: as an edit of a document that is a mistake.
    case copy(from: JSONPointer, path: JSONPointer)
    /// Goes on only when the value at a place is this one, as `JSONValue.isEquivalent(to:)`
    /// compares.
    case test(path: JSONPointer, value: JSONValue)
  }

  /// How much JSON a patch may carry from one place of a document to others, in bytes: 16 MiB.
  ///
  /// It counts the compact text (without escapes) of what is copied or moved to a deeper place,
  /// over all operations. Without it, a short patch of copies of copies would double the document
  /// with each operation.
  public static let maximumCarriedBytes = 16 * 1024 * 1024

  /// The changes, in their order.
  public var operations: [Operation]

  /// A patch of these changes.
  public init(_ operations: [Operation] = []) {
    self.operations = operations
  }

  /// The document with all operations applied, one after the other (RFC 6902, section 3).
  ///
  /// The given document stays as it is. Members keep their order; a new one goes to the end.
  ///
  /// - Throws: ``JSONPatchError`` for the first operation that fails: its place does not exist, a
  ///   test does not hold, a value is moved or copied into itself, or the operation would nest
  ///   deeper than `JSONValue.maximumDepth` or carry more than ``maximumCarriedBytes``.
  public func applied(to document: JSONValue) throws(JSONPatchError) -> JSONValue {
    var editor = PatchEditor(document)
    for (index, operation) in operations.enumerated() {
      do throws(PatchFault) {
        try editor.apply(operation)
      } catch {
        throw JSONPatchError(
          error, index: index, op: operation.name, path: operation.path.description)
      }
    }
    return editor.document
  }
}

extension JSONPatch.Operation {
  /// The value of the member `op`.
  public var name: String {
    switch self {
    case .add: "add"
    case .remove: "remove"
    case .replace: "replace"
    case .move: "move"
    case .copy: "copy"
    case .test: "test"
    }
  }

  /// The place that the operation is about.
  public var path: JSONPointer {
    switch self {
    case .add(let path, _), .remove(let path), .replace(let path, _), .move(_, let path),
      .copy(_, let path), .test(let path, _):
      path
    }
  }

  /// The operation as an object of a patch document: `op`, `from`, `path` and `value`.
  public var json: JSONValue {
    var object = JSONObject([("op", .string(name))])
    switch self {
    case .move(let from, _), .copy(let from, _): object["from"] = .string(from.description)
    default: break
    }
    object["path"] = .string(path.description)
    switch self {
    case .add(_, let value), .replace(_, let value), .test(_, let value): object["value"] = value
    default: break
    }
    return .object(object)
  }
}

extension JSONPatch {
  /// The patch document (media type `application/json-patch+json`).
  public var json: JSONValue { .array(operations.map(\.json)) }

  /// Reads a patch from its JSON text.
  ///
  /// - Throws: ``JSONPatchError`` when the text is no strict JSON (also when a key stands twice in
  ///   an operation) or no patch.
  public init(parsing text: String) throws(JSONPatchError) {
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: text)
    } catch {
      throw JSONPatchError(.init(.malformed, error.description))
    }
    try self.init(json: json)
  }

  /// Reads a patch from a patch document. Members that RFC 6902 does not name are ignored
  /// (section 4).
  ///
  /// - Throws: ``JSONPatchError`` when the value is no array of operations, or an operation has an
  ///   unknown `op`, lacks a member, or has one of the wrong kind.
  public init(json: JSONValue) throws(JSONPatchError) {
    guard case .array(let elements) = json else {
      throw JSONPatchError(
        .init(.malformed, "expected an array of operations, not \(json.kindName)"))
    }
    operations = []
    operations.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      do throws(PatchFault) {
        operations.append(try Operation(reading: element))
      } catch {
        throw JSONPatchError(
          error, index: index, op: element["op"]?.stringValue, path: element["path"]?.stringValue)
      }
    }
  }
}

extension JSONPatch.Operation {
  fileprivate init(reading json: JSONValue) throws(PatchFault) {
    guard case .object(let object) = json else {
      throw PatchFault(.malformed, "expected an object, not \(json.kindName)")
    }
    guard let op = object["op"] else {
      throw PatchFault(.malformed, "the member \"op\" is missing")
    }
    guard let name = op.stringValue else {
      throw PatchFault(.malformed, "\"op\" must be a string, not \(op.kindName)")
    }
    // All names are ASCII without canonical equivalents, so that this compares their bytes.
    switch name {
    case "add":
      self = .add(path: try object.pointer("path"), value: try object.patchValue())
    case "remove":
      self = .remove(path: try object.pointer("path"))
    case "replace":
      self = .replace(path: try object.pointer("path"), value: try object.patchValue())
    case "move":
      self = .move(from: try object.pointer("from"), path: try object.pointer("path"))
    case "copy":
      self = .copy(from: try object.pointer("from"), path: try object.pointer("path"))
    case "test":
      self = .test(path: try object.pointer("path"), value: try object.patchValue())
    default:
      throw PatchFault(
        .malformed,
        "the op \"\(name.prefix(40))\" is none of add, remove, replace, move, copy and test")
    }
  }
}

extension JSONObject {
  fileprivate func pointer(_ key: String) throws(PatchFault) -> JSONPointer {
    guard let member = self[key] else {
      throw PatchFault(.malformed, "the member \"\(key)\" is missing")
    }
    guard let text = member.stringValue else {
      throw PatchFault(.malformed, "\"\(key)\" must be a string, not \(member.kindName)")
    }
    do throws(JSONPointerError) {
      return try JSONPointer(parsing: text)
    } catch {
      throw PatchFault(.malformed, "\"\(key)\": \(error)")
    }
  }

  fileprivate func patchValue() throws(PatchFault) -> JSONValue {
    guard let value = self["value"] else {
      throw PatchFault(.malformed, "the member \"value\" is missing")
    }
    return value
  }
}
