import FormModel

/// A document that the operations of a JSON Patch change in place.
///
/// After an error the document is in pieces and must not be used.
struct PatchEditor {
  private(set) var document: JSONValue
  private var carriedBytes = 0

  init(_ document: JSONValue) {
    self.document = document
  }

  mutating func apply(_ operation: JSONPatch.Operation) throws(PatchFault) {
    switch operation {
    case .add(let path, let value):
      try measure(value, for: path)
      try add(value, at: path)
    case .remove(let path):
      _ = try remove(at: path)
    case .replace(let path, let value):
      try measure(value, for: path)
      try replace(at: path, with: value)
    case .move(let from, let path):
      try move(from: from, to: path)
    case .copy(let from, let path):
      guard !from.isProperPrefix(of: path) else {
        throw PatchFault(.intoItself, "the value at \"\(from)\" cannot be copied into itself")
      }
      let value = try value(at: from)
      try carry(value, to: path)
      try add(value, at: path)
    case .test(let path, let value):
      let found = try self.value(at: path)
      guard found.isEquivalent(to: value) else {
        throw PatchFault(
          .testFailed, "the value there is \(found.excerpt), not \(value.excerpt)")
      }
    }
  }

  private mutating func move(from: JSONPointer, to path: JSONPointer) throws(PatchFault) {
    guard !from.isProperPrefix(of: path) else {
      throw PatchFault(.intoItself, "the value at \"\(from)\" cannot be moved into itself")
    }
    if from == path {
      _ = try value(at: from)
      return
    }
    let value = try remove(at: from)
    // What moves no deeper stays within the depth that the document has.
    if path.tokens.count > from.tokens.count { try carry(value, to: path) }
    try add(value, at: path)
  }

  private func value(at pointer: JSONPointer) throws(PatchFault) -> JSONValue {
    guard let value = pointer.value(in: document) else {
      throw PatchFault(.noSuchPlace, "there is nothing at \"\(pointer)\"")
    }
    return value
  }

  private mutating func add(_ value: JSONValue, at path: JSONPointer) throws(PatchFault) {
    guard let last = path.tokens.last else {
      document = value
      return
    }
    try Self.edit(&document, at: path.tokens.dropLast()) { parent throws(PatchFault) in
      if var object = parent.takeObject() {
        object[last] = value
        parent = .object(object)
      } else if var elements = parent.takeElements() {
        let index =
          last.hasSameBytes(as: "-")
          ? elements.count : try Self.index(last, upTo: elements.count)
        elements.insert(value, at: index)
        parent = .array(elements)
      } else {
        throw Self.noContainer(parent, last)
      }
    }
  }

  private mutating func remove(at path: JSONPointer) throws(PatchFault) -> JSONValue {
    guard let last = path.tokens.last else {
      throw PatchFault(.noSuchPlace, "the whole document cannot be removed")
    }
    return try Self.edit(&document, at: path.tokens.dropLast()) { parent throws(PatchFault) in
      if var object = parent.takeObject() {
        guard let member = object[last] else { throw Self.noMember(last) }
        object[last] = nil
        parent = .object(object)
        return member
      } else if var elements = parent.takeElements() {
        let element = elements.remove(at: try Self.index(last, upTo: elements.count - 1))
        parent = .array(elements)
        return element
      } else {
        throw Self.noContainer(parent, last)
      }
    }
  }

  private mutating func replace(
    at path: JSONPointer, with value: JSONValue
  ) throws(PatchFault) {
    try Self.edit(&document, at: path.tokens[...]) { target throws(PatchFault) in target = value }
  }

  /// Changes the value at a place.
  ///
  /// On the way down each container is taken out of its parent and put back afterwards, so that
  /// it has one owner and is changed in place: a patch of n operations does not copy n times.
  private static func edit<Result>(
    _ value: inout JSONValue, at tokens: ArraySlice<String>,
    _ change: (inout JSONValue) throws(PatchFault) -> Result
  ) throws(PatchFault) -> Result {
    guard let token = tokens.first else { return try change(&value) }
    if var object = value.takeObject() {
      guard var member = object[token] else { throw noMember(token) }
      object[token] = .null
      let result = try edit(&member, at: tokens.dropFirst(), change)
      object[token] = member
      value = .object(object)
      return result
    } else if var elements = value.takeElements() {
      let index = try index(token, upTo: elements.count - 1)
      let result = try edit(&elements[index], at: tokens.dropFirst(), change)
      value = .array(elements)
      return result
    } else {
      throw noContainer(value, token)
    }
  }

  private static func index(_ token: String, upTo last: Int) throws(PatchFault) -> Int {
    if token.hasSameBytes(as: "-") {
      throw PatchFault(
        .noSuchPlace, "\"-\" is the place after the last element, where there is nothing")
    }
    guard let index = JSONPointer.arrayIndex(token) else {
      throw PatchFault(
        .noSuchPlace,
        "\"\(token.prefix(40))\" is no array index (digits without a leading zero, 64 bits)")
    }
    guard index <= last else {
      throw PatchFault(
        .noSuchPlace,
        last < 0
          ? "the array is empty, so that it has no index \(index)"
          : "the index \(index) is beyond \(last), the last one possible")
    }
    return index
  }

  private static func noMember(_ key: String) -> PatchFault {
    PatchFault(.noSuchPlace, "there is no member \"\(key.prefix(80))\"")
  }

  private static func noContainer(_ value: JSONValue, _ token: String) -> PatchFault {
    PatchFault(.noSuchPlace, "\"\(token.prefix(80))\" cannot be looked up in \(value.kindName)")
  }
}

extension PatchEditor {
  private func measure(_ value: JSONValue, for path: JSONPointer) throws(PatchFault) {
    var measure = Measure(limit: .max)
    try Self.check(measure.add(value, depth: path.tokens.count))
  }

  /// Measures a value that an operation takes from the document. The sum of their sizes is
  /// bounded, which bounds the work too.
  private mutating func carry(_ value: JSONValue, to path: JSONPointer) throws(PatchFault) {
    var measure = Measure(limit: JSONPatch.maximumCarriedBytes - carriedBytes)
    try Self.check(measure.add(value, depth: path.tokens.count))
    carriedBytes += measure.bytes
  }

  private static func check(_ excess: JSONPatchError.Reason?) throws(PatchFault) {
    switch excess {
    case nil: break
    case .tooLarge:
      throw PatchFault(
        .tooLarge,
        "the patch copies or moves more than \(JSONPatch.maximumCarriedBytes) bytes in all")
    case let reason?:
      throw PatchFault(
        reason, "the result would be nested deeper than \(JSONValue.maximumDepth) levels")
    }
  }
}

/// Sums up the compact JSON text of values, escapes not counted, until a limit is passed.
private struct Measure {
  let limit: Int
  private(set) var bytes = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// - Parameter depth: how many containers the value stands in.
  /// - Returns: what is exceeded, or nil.
  mutating func add(_ value: JSONValue, depth: Int) -> JSONPatchError.Reason? {
    // Each value also stands for a comma, so that a container of containers is not free.
    bytes += 1
    switch value {
    case .null, .bool: bytes += 4
    case .number(let number): bytes += number.text.utf8.count
    case .string(let text): bytes += text.utf8.count + 2
    case .array(let elements):
      bytes += 2
      guard depth < JSONValue.maximumDepth else { return .tooDeep }
      for element in elements {
        if let excess = add(element, depth: depth + 1) { return excess }
      }
    case .object(let object):
      bytes += 2
      guard depth < JSONValue.maximumDepth else { return .tooDeep }
      for member in object.members {
        bytes += member.key.utf8.count + 3
        if let excess = add(member.value, depth: depth + 1) { return excess }
      }
    }
    return bytes > limit ? .tooLarge : nil
  }
}

extension JSONValue {
  /// Takes the object out and leaves null, or nil when this is none. Only a function of its own
  /// lets go of the old value for sure, so that the object then has one owner.
  fileprivate mutating func takeObject() -> JSONObject? {
    guard case .object(let object) = self else { return nil }
    self = .null
    return object
  }

  /// Takes the elements of an array out and leaves null; see ``takeObject()``.
  fileprivate mutating func takeElements() -> [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    self = .null
    return elements
  }

  /// The start of the JSON text, for messages.
  fileprivate var excerpt: String {
    let text = jsonText
    return text.utf8.count > 60 ? text.prefix(60) + "…" : text
  }
}
