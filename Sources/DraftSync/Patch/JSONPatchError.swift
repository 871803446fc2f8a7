/// Why a JSON Patch cannot be read or applied.
public struct JSONPatchError: Error, Sendable, CustomStringConvertible {
  /// The kind of fault, to act upon.
  public enum Reason: Hashable, Sendable {
    /// The text is no JSON, or the JSON no patch.
    case malformed
    /// A place that must exist does not, or is none that can be written to.
    case noSuchPlace
    /// The value at a place is not the one that a `test` asks for.
    case testFailed
    /// A value would be moved or copied into itself.
    case intoItself
    /// The result would be nested deeper than `JSONValue.maximumDepth`.
    case tooDeep
    /// More would be carried than ``JSONPatch/maximumCarriedBytes``.
    case tooLarge
  }

  /// The index of the operation, counted from 0, or nil when the document is no list of operations.
  public let index: Int?
  /// The `op` of the operation as it was given, if it was text.
  public let op: String?
  /// The `path` of the operation as it was given, if it was text.
  public let path: String?
  /// The kind of fault.
  public let reason: Reason
  /// What is wrong, in words.
  public let message: String

  init(_ fault: PatchFault, index: Int? = nil, op: String? = nil, path: String? = nil) {
    self.index = index
    self.op = op
    self.path = path
    reason = fault.reason
    message = fault.message
  }

  public var description: String {
    guard let index else { return "JSON Patch: \(message)" }
    let name = op.map { " " + $0.prefix(40) } ?? ""
    let place = path.map { " \"\($0.prefix(200))\"" } ?? ""
    return "JSON Patch, operation \(index) (\("\(name)\(place)".dropFirst())): \(message)"
  }
}

/// What is wrong with one operation.
struct PatchFault: Error {
  let reason: JSONPatchError.Reason
  let message: String

  init(_ reason: JSONPatchError.Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }
}
