import DraftSync
import FormModel
import Testing

/// SplitMix64, so that each run makes the same documents.
private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  mutating func key() -> String {
    ["a", "b", "c", "", "~", "/", "a/b", "~1", "0", "-", "é", "e\u{301}", "名"][below(13)]
  }

  /// - Parameter nulls: whether an object may have null members.
  mutating func json(_ depth: Int = 4, nulls: Bool = true) -> JSONValue {
    switch below(depth > 0 ? 9 : 5) {
    case 0: return nulls ? .null : .bool(false)
    case 1: return .bool(below(2) == 0)
    case 2: return .number(DecimalNumber(Int64(below(100) - 50)))
    case 3: return .string(key())
    case 4: return .number(DecimalNumber("1.\(below(10))0") ?? 0)
    case 5, 6: return .array((0..<below(5)).map { _ in json(depth - 1, nulls: nulls) })
    default: return .object(object(depth - 1, nulls: nulls))
    }
  }

  mutating func object(_ depth: Int = 4, nulls: Bool = true) -> JSONObject {
    JSONObject((0..<below(6)).map { _ in (key(), json(depth, nulls: nulls)) })
  }
}

/// The operations that make `b` of `a`, in the simplest way that goes into objects and arrays.
private func difference(
  from a: JSONValue, to b: JSONValue, at path: JSONPointer = JSONPointer()
) -> [JSONPatch.Operation] {
  switch (a, b) {
  case (.object(let old), .object(let new)):
    var operations: [JSONPatch.Operation] = []
    for member in old.members {
      let place = path.appending(member.key)
      if let value = new[member.key] {
        operations += difference(from: member.value, to: value, at: place)
      } else {
        operations += [.test(path: place, value: member.value), .remove(path: place)]
      }
    }
    for member in new.members where old[member.key] == nil {
      operations.append(.add(path: path.appending(member.key), value: member.value))
    }
    return operations
  case (.array(let old), .array(let new)):
    var operations: [JSONPatch.Operation] = []
    for index in 0..<min(old.count, new.count) {
      operations += difference(from: old[index], to: new[index], at: path.appending("\(index)"))
    }
    for index in (new.count..<max(old.count, new.count)).reversed() {
      operations.append(.remove(path: path.appending("\(index)")))
    }
    for element in new.dropFirst(old.count) {
      operations.append(.add(path: path.appending("-"), value: element))
    }
    return operations
  default:
    return a == b ? [] : [.replace(path: path, value: b)]
  }
}

/// The merge patch that makes `b` of `a`, if `b` can be expressed.
private func mergeDifference(from a: JSONObject, to b: JSONObject) -> JSONObject {
  var patch = JSONObject()
  for member in a.members where b[member.key] == nil { patch[member.key] = .null }
  for member in b.members where a[member.key] != member.value {
    if case .object(let old) = a[member.key], case .object(let new) = member.value {
      patch[member.key] = .object(mergeDifference(from: old, to: new))
    } else {
      patch[member.key] = member.value
    }
  }
  return patch
}

@Suite struct PatchPropertyTests {
  @Test(arguments: 0..<8) func aDifferenceMakesTheOther(_ seed: UInt64) throws {
    var random = Seeded(state: seed)
    for _ in 0..<250 {
      let (a, b) = (random.json(), random.json())
      let patch = JSONPatch(difference(from: a, to: b))
      // Through the document, which also checks pointers with all kinds of keys.
      let read = try JSONPatch(json: patch.json)
      #expect(read == patch)
      #expect(try read.applied(to: a).isEquivalent(to: b), "\(a) to \(b): \(patch.json)")
    }
  }

  @Test(arguments: 0..<4) func movesAndCopiesAreRemovesAndAdds(_ seed: UInt64) throws {
    var random = Seeded(state: seed)
    for _ in 0..<250 {
      var document = random.object()
      let (key, other) = ("from", "to")
      let value = random.json()
      document[key] = value
      if random.below(2) == 0 { document[other] = random.json() }
      let (from, to) = (JSONPointer(key: key), JSONPointer(key: other))
      let json = JSONValue.object(document)
      #expect(
        try JSONPatch([.move(from: from, path: to)]).applied(to: json)
          == JSONPatch([.remove(path: from), .add(path: to, value: value)]).applied(to: json))
      #expect(
        try JSONPatch([.copy(from: from, path: to)]).applied(to: json)
          == JSONPatch([.add(path: to, value: value)]).applied(to: json))
      // There and back; a moved member goes to the end.
      var moved = document
      moved[other] = nil
      let back = try JSONPatch([.move(from: from, path: to), .move(from: to, path: from)])
        .applied(to: json)
      #expect(back.isEquivalent(to: .object(moved)))
    }
  }

  @Test(arguments: 0..<4) func mergePatchLaws(_ seed: UInt64) {
    var random = Seeded(state: seed)
    for _ in 0..<250 {
      let document = random.json()
      let json = random.json()
      let patch = MergePatch(json: json)
      let once = patch.applied(to: document)
      // Twice is once; a patch that is no object is the result; an empty one changes nothing.
      #expect(patch.applied(to: once) == once)
      if json.objectValue == nil { #expect(once == json) }
      if document.objectValue != nil {
        #expect(MergePatch(json: [:]).applied(to: document) == document)
      }
      // What can be expressed is set as it is where nothing stands.
      if MergePatch.canExpress(json) {
        #expect(MergePatch(json: ["x": json]).applied(to: [:]) == ["x": json])
      } else {
        #expect(MergePatch(json: ["x": json]).applied(to: [:]) != ["x": json])
      }
    }
  }

  @Test(arguments: 0..<4) func aMergeDifferenceMakesTheOther(_ seed: UInt64) {
    var random = Seeded(state: seed)
    for _ in 0..<250 {
      let (a, b) = (random.object(), random.object(nulls: false))
      let patch = MergePatch(json: .object(mergeDifference(from: a, to: b)))
      let result = patch.applied(to: .object(a))
      #expect(result.isEquivalent(to: .object(b)), "\(a) to \(b): \(patch.json)")
    }
  }

  @Test func whatMergePatchesCanExpress() {
    let possible: [JSONValue] = [1, "", false, [], [:], [nil], [["a": nil]], ["a": [nil]]]
    let impossible: [JSONValue] = [nil, ["a": nil], ["a": ["b": ["c": nil]]]]
    for value in possible { #expect(MergePatch.canExpress(value), "\(value)") }
    for value in impossible { #expect(!MergePatch.canExpress(value), "\(value)") }
  }

  @Test func mergingKeepsOrderAndDigits() throws {
    let document = try JSONValue(parsing: #"{"c":1.50,"b":{"y":1,"x":[1]},"a":0}"#)
    let patch = try MergePatch(parsing: #"{"a":null,"b":{"x":2.0},"d":{"n":null,"m":1E2}}"#)
    let result = patch.applied(to: document)
    #expect(result.jsonText == #"{"c":1.50,"b":{"y":1,"x":2.0},"d":{"m":1E2}}"#)
    #expect(throws: JSONError.self) { try MergePatch(parsing: #"{"a":1,"a":2}"#) }
  }
}
