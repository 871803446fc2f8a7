import DraftDatabase
import DraftStore
import FormModel
import Foundation
import Synchronization

/// A clock that stands still until it is told to go on.
final class TestClock: Sendable {
  private let milliseconds = Mutex<Int64>(1_700_000_000_000)

  var now: Timestamp { Timestamp(milliseconds: milliseconds.withLock { $0 }) }

  func advance(_ seconds: Int64) {
    milliseconds.withLock { $0 += seconds * 1000 }
  }
}

/// A store in a folder of its own, which goes when this does.
final class TestStore: Sendable {
  let folder: String
  let clock = TestClock()
  let store: DraftStore

  var path: String { folder + "/test.store" }

  init(_ forms: Form...) throws {
    folder = NSTemporaryDirectory() + "draft-store-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let clock = clock
    store = try DraftStore(
      path: folder + "/test.store",
      options: DraftStore.Options(synchronous: .normal, now: { clock.now }))
    for form in forms { try store.add(form) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Another store on the same file, as another process has it.
  func other() throws -> DraftStore {
    let clock = clock
    return try DraftStore(
      path: path, options: DraftStore.Options(synchronous: .normal, now: { clock.now }))
  }

  /// The same file after this store was closed.
  func reopened() throws -> DraftStore {
    try store.close()
    return try other()
  }

  func count(_ table: String) throws -> Int {
    try store.database.read { connection in
      try connection.all(composed: "SELECT count(*) FROM \(table)", []) { Int($0.integer(0)) }[0]
    }
  }

  /// Runs a closure and tells whether it wrote anything into the file or its log.
  func writes(_ body: () throws -> Void) throws -> Bool {
    let watcher = try other()
    let before = try (watcher.database.dataVersion(), log)
    try body()
    let after = try (watcher.database.dataVersion(), log)
    try watcher.close()
    return before != after
  }

  private var log: Data? { FileManager.default.contents(atPath: path + "-wal") }
}

/// The error that a closure throws, when it is one of the store's.
func storeError(_ body: () throws -> Void) -> StoreError? {
  do {
    try body()
    return nil
  } catch {
    return error as? StoreError
  }
}
