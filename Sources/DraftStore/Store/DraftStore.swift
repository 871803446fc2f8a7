import Dispatch
import DraftDatabase
import FormModel
import Migrations
import Synchronization

/// A file of forms, drafts and submissions.
///
/// ```swift
/// let store = try DraftStore(path: "visits.store")
/// try store.add(form)
/// let draft = try store.newDraft(of: "visit")
/// try store.set(.string("张三"), for: "name", in: draft.id)
/// ```
///
/// Every call is complete when it returns: what an edit saved survives the end of the process and,
/// by default, power loss. A store can be used by any number of threads, and its file by several
/// processes. Calls wait for the disk; ``perform(_:)`` keeps that off the caller's thread.
public final class DraftStore: Sendable {
  /// How a store is opened.
  public struct Options: Sendable {
    /// Whether an edit that returned survives power loss (`full`), or the end of the process only.
    public var synchronous: Database.Configuration.Synchronous
    /// How long to wait for another process that is writing.
    public var busyTimeout: Duration
    public var isReadOnly: Bool
    /// Whether a file that is not there is made.
    public var createsFile: Bool
    /// The rules and conversions that forms may use by name.
    public var registry: RuleRegistry
    /// The clock that dates what is saved.
    public var now: @Sendable () -> Timestamp

    public init(
      synchronous: Database.Configuration.Synchronous = .full, busyTimeout: Duration = .seconds(5),
      isReadOnly: Bool = false, createsFile: Bool = true, registry: RuleRegistry = RuleRegistry(),
      now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
      self.synchronous = synchronous
      self.busyTimeout = busyTimeout
      self.isReadOnly = isReadOnly
      self.createsFile = createsFile
      self.registry = registry
      self.now = now
    }
  }

  /// The mark of a store's file: "FDS1".
  static let applicationID: Int32 = 0x4644_5331

  public let path: String
  public let options: Options
  /// The database beneath, for an app's own statements; its tables are described in `migrations/`.
  public let database: Database
  let forms = Mutex<[FormKey: PreparedForm]>([:])
  /// Drafts that were begun and are not written before their first edit.
  let unwritten = Mutex<[DraftID: Draft]>([:])
  let observers = Mutex<[UInt64: @Sendable () -> Void]>([:])

  /// Opens a store, or makes one, and brings its schema to this version.
  ///
  /// - Throws: `DatabaseError`; a file that is not a store is not touched.
  public init(path: String, options: Options = Options()) throws {
    self.path = path
    self.options = options
    database = try Database(
      path: path,
      configuration: Database.Configuration(
        applicationID: Self.applicationID, newestVersion: SchemaMigrations.newestVersion,
        synchronous: options.synchronous, busyTimeout: options.busyTimeout,
        isReadOnly: options.isReadOnly, createsFile: options.createsFile))
    try database.migrate(SchemaMigrations.all)
  }

  /// Runs calls on another thread, for callers that must not wait, such as the main actor.
  ///
  /// ```swift
  /// try await store.perform { try $0.set(.integer(3), for: "rooms", in: id) }
  /// ```
  @discardableResult
  public func perform<Result: Sendable>(
    _ body: @escaping @Sendable (DraftStore) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        continuation.resume(with: Swift.Result { try body(self) })
      }
    }
  }

  /// Closes the file once all work is done.
  ///
  /// - Throws: `DatabaseError`
  public func close() throws {
    try database.close()
  }

  /// Tells the observers that something was committed.
  func didCommit() {
    for notify in observers.withLock({ Array($0.values) }) { notify() }
  }
}

/// A version of a form.
struct FormKey: Hashable {
  let form: String
  let version: Int
}

/// How much a store holds.
public struct StoreStatistics: Hashable, Sendable {
  public let forms: Int
  public let formVersions: Int
  /// Drafts by status.
  public let drafts: [DraftStatus: Int]
  public let values: Int
  public let submissions: Int
  /// The size of the file in bytes, its log not counted.
  public let fileSize: Int
  /// Bytes in the file that are free for reuse.
  public let freeSize: Int
}

extension DraftStore {
  /// Counts what the store holds.
  ///
  /// - Throws: `DatabaseError`
  public func statistics() throws -> StoreStatistics {
    try database.read { connection in
      func count(_ sql: StaticString) throws -> Int {
        try connection.first(sql) { Int($0.integer(0)) } ?? 0
      }
      var drafts: [DraftStatus: Int] = [:]
      for (status, count) in try connection.all(
        "SELECT status, count(*) FROM draft GROUP BY status",
        row: { (DraftStatus(rawValue: $0.text(0)), Int($0.integer(1))) })
      {
        if let status { drafts[status] = count }
      }
      let pageSize = try count("PRAGMA page_size")
      return StoreStatistics(
        forms: try count("SELECT count(*) FROM form"),
        formVersions: try count("SELECT count(*) FROM form_version"), drafts: drafts,
        values: try count("SELECT count(*) FROM draft_value"),
        submissions: try count("SELECT count(*) FROM submission"),
        fileSize: try count("PRAGMA page_count") * pageSize,
        freeSize: try count("PRAGMA freelist_count") * pageSize)
    }
  }

  /// What is wrong in the store's file; empty when all is well.
  ///
  /// - Throws: `DatabaseError` when the file can't be read at all.
  public func check() throws -> [String] {
    var problems = try database.checkIntegrity()
    problems += try database.read { connection in
      try connection.all(
        """
        SELECT d.id, v.field FROM draft_value v JOIN draft d ON d.number = v.draft
        WHERE v.type <> 'tags' AND EXISTS (
          SELECT 1 FROM tag_selection t WHERE t.draft = v.draft AND t.field = v.field)
        """
      ) { "draft \($0.text(0)): tags are saved for \($0.text(1)), which holds none" }
    }
    return problems
  }
}
