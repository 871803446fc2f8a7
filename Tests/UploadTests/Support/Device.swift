import DraftStore
import FormModel
import Foundation
import Synchronization

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
  /// 2026-01-01T00:00:00Z.
  private let time = Mutex(Timestamp(milliseconds: 1_767_225_600_000))

  var now: Timestamp { time.withLock { $0 } }

  func move(by duration: Duration) { time.withLock { $0 = $0 + duration } }
}

/// A store in a folder that goes when this does.
final class Device: Sendable {
  let folder: String
  let store: DraftStore
  let clock: TestClock

  init(_ form: Form? = nil, synchronous: Bool = false) throws {
    folder = try Self.newFolder()
    clock = TestClock()
    store = try Self.open(folder + "/test.store", clock, synchronous)
    try store.add(form ?? Forms.person)
  }

  /// A device with a copy of another's store.
  init(copying other: Device) throws {
    folder = try Self.newFolder()
    clock = other.clock
    try other.store.database.backup(to: folder + "/test.store")
    store = try Self.open(folder + "/test.store", clock, false)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func newFolder() throws -> String {
    let folder = NSTemporaryDirectory() + "upload-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  private static func open(
    _ path: String, _ clock: TestClock, _ synchronous: Bool
  ) throws -> DraftStore {
    try DraftStore(
      path: path,
      options: DraftStore.Options(
        synchronous: synchronous ? .full : .normal, busyTimeout: .seconds(60),
        now: { clock.now }))
  }

  /// The same file, opened as another process would.
  func reopened() throws -> DraftStore {
    try Self.open(folder + "/test.store", clock, false)
  }

  /// A new draft with these values, submitted.
  func submitted(_ values: [String: FieldValue]) throws -> DraftID {
    let form = try store.formSummaries().first?.id ?? ""
    let id = try store.newDraft(of: form, isWritten: true).id
    try submit(id, values)
    return id
  }

  /// Sets these fields and submits the draft.
  func submit(_ id: DraftID, _ values: [String: FieldValue?]) throws {
    try edit(id, values)
    try store.submit(id)
  }

  func edit(_ id: DraftID, _ values: [String: FieldValue?]) throws {
    try store.edit(id) { edit in
      for (key, value) in values.sorted(by: { $0.key < $1.key }) { edit.set(value, for: key) }
    }
  }

  func value(_ key: String, of id: DraftID) throws -> FieldValue? {
    try store.draft(id)[key]
  }
}

enum Forms {
  /// Text fields, a number and any JSON.
  static var person: Form {
    Form(
      id: "person",
      sections: [
        Section(
          rows: ["name", "city", "phone", "note"].map { input($0) } + [
            input("age", .integer), input("extra", .json), input("code"),
          ])
      ])
  }

  /// So many text fields: `f000`, `f001` and so on.
  static func wide(_ count: Int) -> Form {
    Form(id: "wide", sections: [Section(rows: (0..<count).map { input(key($0)) })])
  }

  static func key(_ index: Int) -> String {
    "f" + String(repeating: "0", count: max(0, 3 - "\(index)".count)) + "\(index)"
  }

  /// A value for every field of a wide form.
  static func wideValues(_ count: Int) -> [String: FieldValue] {
    Dictionary(
      uniqueKeysWithValues: (0..<count).map {
        (key($0), .string("what a person writes into field \($0) of a long form"))
      })
  }

  private static func input(_ key: String, _ type: DataType = .string) -> Row {
    Row(
      key: "", serviceKey: key,
      kind: type == .json
        ? .custom(CustomContent("any", dataType: .json)) : .input(InputContent(dataType: type)))
  }
}

// Tests are full of texts.
extension FieldValue: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
}
