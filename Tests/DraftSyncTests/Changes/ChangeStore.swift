import DraftStore
import DraftSync
import FormModel
import Foundation

/// A store with one draft, in a folder that goes when this does.
final class ChangeStore: Sendable {
  let folder: String
  let store: DraftStore
  let id: DraftID

  init(_ form: Form, options: DraftStore.Options = DraftStore.Options()) throws {
    folder = NSTemporaryDirectory() + "draft-sync-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    store = try DraftStore(path: folder + "/test.store", options: options)
    try store.add(form)
    id = try store.newDraft(of: form.id, isWritten: true).id
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  func set(_ key: String, _ value: FieldValue?) throws {
    try store.set(value, for: key, in: id)
  }

  /// The changes as words: `key added`.
  func changes(
    _ options: FormParam.Options = FormParam.Options(), adding added: [FormParam.Entry] = []
  ) throws -> [String] {
    try store.changes(of: id, options: options, adding: added).changes
      .map { "\($0.serviceKey) \($0.kind)" }
  }
}

/// Rows and forms for tests.
enum ChangeForms {
  static func input(
    _ key: String, _ type: DataType = .string, visibleWhen: Condition? = nil, keeps: Bool = false
  ) -> Row {
    Row(
      key: "", serviceKey: key, kind: .input(InputContent(dataType: type)),
      visibleWhen: visibleWhen, keepsValueWhenHidden: keeps)
  }

  static func form(_ rows: Row..., emptyValues: EmptyValues = .omit) -> Form {
    Form(id: "f", emptyValues: emptyValues, sections: [Section(rows: rows)])
  }
}

extension Sequence<FormParam.Entry> {
  /// The values by key as JSON compares them, their order aside.
  func isEquivalent(to other: some Sequence<FormParam.Entry>) -> Bool {
    JSONValue.object(param).isEquivalent(to: .object(other.param))
  }
}
