import DraftStore
import FormEditing
import FormModel
import Foundation

/// A store in a folder of its own, which is removed with it.
final class TestStore: Sendable {
  let folder: String
  let store: DraftStore
  let clock = ManualClock()

  init(_ form: Form, busyTimeout: Duration = .seconds(5)) throws {
    folder = NSTemporaryDirectory() + "FormEditingTests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    store = try DraftStore(
      path: folder + "/test.store",
      options: DraftStore.Options(synchronous: .normal, busyTimeout: busyTimeout))
    try store.add(form)
  }

  deinit {
    try? store.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var path: String { folder + "/test.store" }

  func newDraft(_ form: Form, _ values: [String: FieldValue] = [:]) throws -> DraftID {
    let draft = try store.newDraft(of: form.id)
    if !values.isEmpty {
      try store.edit(draft.id) { edit in
        for (key, value) in values { edit.set(value, for: key) }
      }
    }
    return draft.id
  }

  func session(
    _ draft: DraftID, coalescing: Duration = .milliseconds(300), historyLimit: Int? = 500
  ) throws -> EditingSession {
    try EditingSession(
      store, draft: draft,
      options: EditingSession.Options(
        coalescing: coalescing, historyLimit: historyLimit, clock: clock))
  }
}
