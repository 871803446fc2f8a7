import DraftDatabase
import DraftStore
import FaultSupport
import FormModel
import Foundation
import Migrations

/// What a person does with a store, each as one call.
enum Action: String, CaseIterable {
  case addForm, newDraft, set, tag, undo, submit, discard, restore, upgrade, purge, backup, read
  /// What a push saves: the request before it is sent, and what the server acknowledged.
  case freeze, acknowledge
  /// The steps from the first released schema to this one, and from this one to a later one.
  case migrateReleased, migrate
  /// The control: an edit past the store, without a journal.
  case unsafeEdit
}

/// What a store read without faults, with which everything that is read later is compared.
final class Reading {
  var text: String?

  struct Differs: Error, CustomStringConvertible {
    let description: String
  }

  func compare(_ read: String) throws {
    if text == nil { text = read }
    if text != read { throw Differs(description: "read \(read) instead of \(text ?? "")") }
  }
}

extension Action {
  var isMigration: Bool { self == .migrate || self == .migrateReleased }

  /// The version to which the action brings the schema; the copy before it is named so.
  var newVersion: Int? {
    switch self {
    case .migrate: Session.migrations.count
    case .migrateReleased: SchemaMigrations.newestVersion
    default: nil
    }
  }

  /// Makes the store on which the action is tried.
  ///
  /// - Returns: what is to be sent to the server, where that is what the action is about.
  func prepare(_ path: String) throws -> (sample: SampleStore, task: OutboxTask?) {
    let sample = try SampleStore(at: path)
    if self == .migrateReleased {
      try FileManager.default.removeItem(atPath: path)
      try RawDatabase(path).execute(SampleStore.dump(ofVersion: 1))
      return (sample, nil)
    }
    let store = try DraftStore(path: path, options: SampleStore.options())
    defer { try? store.close() }
    switch self {
    case .undo:
      var edit = DraftEdit()
      edit.history = HistoryOptions()
      edit.set(.string("4.2500"), for: "rate")
      edit.set(nil, for: "mobile")
      try store.edit(sample.edited, edit)
      return (sample, nil)
    case .freeze, .acknowledge:
      return (sample, try store.leaseFromOutbox(for: .seconds(3600)))
    default: return (sample, nil)
    }
  }
}

/// A store that is opened, and used for one action. An attempt that failed can be made again.
final class Session {
  private let action: Action
  private let path: String
  private let sample: SampleStore
  private let reading: Reading
  private let task: OutboxTask?
  private let synchronous: Database.Configuration.Synchronous
  private var store: DraftStore?
  private var database: Database?

  init(
    _ action: Action, _ path: String, _ sample: SampleStore, _ task: OutboxTask?,
    _ reading: Reading, synchronous: Database.Configuration.Synchronous = .full
  ) {
    self.action = action
    self.path = path
    self.sample = sample
    self.task = task
    self.reading = reading
    self.synchronous = synchronous
  }

  /// A schema one version later, whose step rebuilds a table and fills a new column.
  static let migrations =
    SchemaMigrations.all + [
      Migration(
        version: SchemaMigrations.newestVersion + 1, name: "later",
        sql: """
          ALTER TABLE draft ADD COLUMN colour TEXT;
          UPDATE draft SET colour = 'red';
          CREATE TABLE other (id TEXT PRIMARY KEY, created_at INTEGER NOT NULL) STRICT;
          INSERT INTO other SELECT id, created_at FROM form;
          DROP TABLE acknowledged_value;
          """)
    ]

  static var configuration: Database.Configuration {
    Database.Configuration(
      applicationID: 0x4644_5331, newestVersion: migrations.count,
      busyTimeout: .milliseconds(10))
  }

  func attempt() throws {
    switch action {
    case .migrate: try migrate()
    case .migrateReleased: _ = try opened()
    case .unsafeEdit: try editUnsafely()
    default: try act(on: opened())
    }
  }

  private func opened() throws -> DraftStore {
    if let store { return store }
    let options = SampleStore.options(
      synchronous: synchronous, busyTimeout: .milliseconds(10))
    let opened = try DraftStore(path: path, options: options)
    store = opened
    return opened
  }

  private func act(on store: DraftStore) throws {
    switch action {
    case .addForm:
      var form = try SampleStore.form("profile")
      form.title = "Another"
      try store.add(form)
    case .newDraft: _ = try store.newDraft(of: "profile", title: "new", isWritten: true)
    case .set:
      try store.edit(sample.edited) {
        $0.set(.string("4.2500"), for: "rate")
        $0.set(.string("改"), for: "remark")
        $0.set(nil, for: "mobile")
        $0.focus = "rate"
      }
    case .tag:
      try store.selectTags(
        adding: ["food", "run"], removing: ["film"], of: "interests", in: sample.tagged)
    case .undo: try store.undo(sample.edited)
    case .submit: try store.submit(sample.edited)
    case .discard: try store.discard(sample.edited)
    case .restore: try store.restore(sample.discarded)
    case .upgrade: try store.upgrade(sample.plain)
    case .purge: try store.purge(includingUnsent: true)
    case .backup: try store.database.backup(to: path + ".copy", replacesFile: true)
    case .read:
      var read = ""
      for id in [sample.edited, sample.tagged, sample.discarded] {
        read += "\(try store.draft(id)) \(try store.param(of: id).param)"
      }
      read += "\(try store.submission(of: sample.discarded).entries)"
      read += "\(try store.find(DraftQuery([.init("remark", .contains("来"))])).matches)"
      try reading.compare(read)
    case .freeze, .acknowledge: try push(on: store)
    case .migrate, .migrateReleased, .unsafeEdit: break
    }
  }

  private func push(on store: DraftStore) throws {
    guard let task else { throw UnknownAction(name: "nothing to send") }
    if action == .freeze {
      guard try store.freeze(request: #"{"bytes":"请求"}"#, of: task) else {
        throw UnknownAction(name: "the lease was lost")
      }
    } else {
      let fields = task.submission.entries.map { (key: $0.serviceKey, value: Optional($0.value)) }
      try store.finish(task, .acknowledged(fields, etag: "\"7\"", isComplete: true))
    }
  }

  private func migrate() throws {
    if database == nil {
      database = try Database(path: path, configuration: Self.configuration)
    }
    try database?.migrate(Self.migrations)
  }

  private func editUnsafely() throws {
    let raw = try RawDatabase(path)
    // A small cache has pages written before the end.
    try raw.execute(
      """
      PRAGMA journal_mode = DELETE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      PRAGMA cache_size = 1;
      BEGIN; UPDATE draft_value SET revision = 1000; UPDATE draft SET title = 'other';
      UPDATE form SET created_at = 1; COMMIT
      """)
  }

  func close() {
    try? store?.close()
    try? database?.close()
    store = nil
    database = nil
  }
}
