import DraftSync
import FormModel

/// A change set, applied to its base, gives what it was made of; so do its patches.
func testChanges(_ bytes: [UInt8]) {
  let lines = bytes.lines
  guard lines.count >= 2,
    let old = (try? JSONValue(parsing: lines[0]))?.objectValue,
    let new = (try? JSONValue(parsing: lines[1]))?.objectValue
  else { return }
  let (before, after) = (entries(old), entries(new))
  let changes = ChangeSet(from: before, to: after)
  // The order of keys is no part of it: what stays, stays in its place.
  func sorted(_ object: JSONObject) -> [JSONObject.Member] {
    object.members.sorted { $0.key.bytesPrecede($1.key) }
  }
  func isSame(_ value: JSONValue?, _ expected: JSONObject) -> Bool {
    guard let object = value?.objectValue, object.count == expected.count else { return false }
    return zip(sorted(object), sorted(expected)).allSatisfy {
      $0.key.hasSameBytes(as: $1.key) && $0.value.isEquivalent(to: $1.value)
    }
  }
  law(isSame(.object(changes.applied(to: before).param), after.param), "changes lead elsewhere")
  law(
    isSame(try? changes.jsonPatch.applied(to: .object(before.param)), after.param),
    "a JSON patch leads elsewhere")
  if let patch = try? changes.mergePatch() {
    law(
      isSame(patch.applied(to: .object(before.param)), after.param),
      "a merge patch leads elsewhere")
  }
  law(ChangeSet(from: before, to: before).isEmpty, "something differs from itself")
}

private func entries(_ object: JSONObject) -> [FormParam.Entry] {
  object.members.map { FormParam.Entry(serviceKey: $0.key, value: .json($0.value)) }
}

/// A patch is refused, fails or leads to a document; it never traps.
func testPatch(_ bytes: [UInt8]) {
  let lines = bytes.lines
  guard lines.count >= 2, let document = try? JSONValue(parsing: lines[1]) else { return }
  let text = String(decoding: lines[0], as: UTF8.self)
  if let patch = try? JSONPatch(parsing: text) {
    law((try? JSONPatch(json: patch.json)) == patch, "a JSON patch is another when read again")
    _ = try? patch.applied(to: document)
  }
  if let patch = try? MergePatch(parsing: text) {
    let once = patch.applied(to: document)
    // RFC 7396: what was merged once is not changed by the same merge.
    law(patch.applied(to: once).isEquivalent(to: once), "merging twice differs")
  }
  if let pointer = try? JSONPointer(parsing: text) { _ = pointer.value(in: document) }
}
