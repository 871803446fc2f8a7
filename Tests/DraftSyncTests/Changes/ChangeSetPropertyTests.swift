import DraftStore
import DraftSync
import FormModel
import FormSamples
import Testing

/// The laws of change sets over random forms and values.
@Suite struct ChangeSetPropertyTests {
  /// Two FormParams of one random form, one an edit of the other.
  private static func params(
    _ random: inout SeededGenerator
  ) -> (old: FormParam, new: FormParam) {
    let form = RandomForm.form(using: &random, isLenient: true)
    var values = RandomForm.values(for: form, using: &random, isValid: true)
    let old = FormParam(form, values: values)
    let others = RandomForm.values(for: form, using: &random, isValid: true)
    for field in form.fields() where random.oneIn(2) { values[field.key] = others[field.key] }
    return (old, FormParam(form, values: values))
  }

  @Test(arguments: 0..<400)
  func aChangeSetAppliedToItsBaseGivesTheDraft(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (old, new) = Self.params(&random)
    #expect(old.isValid && new.isValid)
    #expect(ChangeSet(from: old.entries, to: old.entries).isEmpty)
    let set = ChangeSet(from: old.entries, to: new.entries)
    #expect(set.applied(to: old.entries).isEquivalent(to: new.entries))
    let back = ChangeSet(from: new.entries, to: old.entries)
    #expect(back.isEmpty == set.isEmpty && back.changes.count == set.changes.count)
    #expect(back.applied(to: set.applied(to: old.entries)).isEquivalent(to: old.entries))
    // Nothing is said of what stays.
    let changed = Set(set.changes.map(\.serviceKey))
    for entry in new.entries where !changed.contains(entry.serviceKey) {
      let before = old.entries.first { $0.serviceKey == entry.serviceKey }
      #expect(before?.value.json.isEquivalent(to: entry.value.json) == true)
    }

    let document = JSONValue.object(old.param)
    let patched = try set.jsonPatch.applied(to: document)
    #expect(patched.isEquivalent(to: .object(new.param)))
    let read = try JSONPatch(parsing: set.jsonPatch.json.jsonText)
    #expect(try read.applied(to: document).isEquivalent(to: .object(new.param)))
    do {
      let patch = try set.mergePatch()
      #expect(patch.applied(to: document).isEquivalent(to: .object(new.param)))
    } catch {
      // Refused only where a new value is null or holds null in an object.
      let new = try #require(set.changes.first { $0.serviceKey == error.key }?.new)
      #expect(!MergePatch.canExpress(new.json))
    }
  }

  @Test(arguments: 0..<60)
  func anEditAndItsUndoChangeNothing(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 1000)
    let form = RandomForm.form(using: &random, isLenient: true)
    let test = try ChangeStore(form, options: DraftStore.Options(synchronous: .normal))
    let values = RandomForm.values(for: form, using: &random, isValid: true)
    try test.store.edit(test.id) { edit in
      for (key, value) in values { edit.set(value, for: key) }
    }
    let first = try test.store.changes(of: test.id)
    #expect(first.base == nil && first.changes.allSatisfy { $0.kind == .added })
    let base = try test.store.submit(test.id)
    #expect(try test.store.changes(of: test.id).isEmpty)

    let before = try test.store.draft(test.id)
    let others = RandomForm.values(for: form, using: &random, isValid: true)
    for (key, value) in others { try test.set(key, value) }
    let set = try test.store.changes(of: test.id)
    #expect(set.base == 1)
    let param = try test.store.param(of: test.id)
    #expect(set.applied(to: base.entries).isEquivalent(to: param.entries))
    for field in form.fields() { try test.set(field.key, before[field.key]) }
    #expect(try test.store.changes(of: test.id).isEmpty)
  }
}
