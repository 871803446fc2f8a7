import CSQLite
import Dispatch

/// A database file with one connection that writes and several that read.
///
/// Writers wait for each other, readers wait for nobody (WAL): each reads the state of the moment
/// at which it began. Every access runs on a queue of its connection, so a `Database` can be shared
/// by all threads; the `async` forms wait without holding a thread of the caller's.
public final class Database: Sendable {
  /// How a file is opened.
  public struct Configuration: Sendable {
    /// When a commit is on the disk.
    public enum Synchronous: String, Sendable {
      /// Before the commit returns: it survives power loss.
      case full = "FULL"
      /// Soon after: it survives the end of the process, not power loss.
      case normal = "NORMAL"
    }

    /// The mark by which a file is known as this program's (`PRAGMA application_id`).
    public var applicationID: Int32
    /// The schema's newest version that this program knows; files of later ones are refused.
    public var newestVersion: Int
    public var synchronous: Synchronous
    /// How long to wait for another process's lock.
    public var busyTimeout: Duration
    /// The number of connections that read.
    public var readerCount: Int
    public var isReadOnly: Bool
    /// Whether a file that is not there is made.
    public var createsFile: Bool

    public init(
      applicationID: Int32, newestVersion: Int, synchronous: Synchronous = .full,
      busyTimeout: Duration = .seconds(5), readerCount: Int = 4, isReadOnly: Bool = false,
      createsFile: Bool = true
    ) {
      self.applicationID = applicationID
      self.newestVersion = newestVersion
      self.synchronous = synchronous
      self.busyTimeout = busyTimeout
      self.readerCount = max(1, readerCount)
      self.isReadOnly = isReadOnly
      self.createsFile = createsFile
    }
  }

  public let path: String
  public let configuration: Configuration
  let file: DatabaseFile
  // Before the writer, and so closed before it: the last connection to close moves the log into the
  // file and removes it, which one for reading can't.
  private let readers: [Lane]
  private let writer: Lane

  /// Opens a file, or makes one.
  ///
  /// A file of another program, of a later version or that is no database is refused and not
  /// touched. A new file can be read by its owner alone. The path is taken literally.
  ///
  /// In a folder where everybody may make files, a file or log that somebody else may have laid there
  /// is not written to. A file that may not be written, or whose folder may not, is read as it is as
  /// long as no log is beside it; when somebody writes to it meanwhile, the access fails.
  ///
  /// - Throws: ``DatabaseError``
  public init(path: String, configuration: Configuration) throws {
    self.path = path
    self.configuration = configuration
    var file = DatabaseFile(path: path, configuration: configuration)
    let connection = try file.open(forWriting: !configuration.isReadOnly)
    file = try file.found(by: connection)
    self.file = file
    writer = Lane(connection, label: "writer")
    // Readers open when they are first needed: most commands write or read once.
    readers = (0..<configuration.readerCount).map { [file] _ in Lane(file, label: "reader") }
  }

  /// Runs a closure in a transaction that may write: all of it is kept, or nothing.
  ///
  /// - Throws: ``DatabaseError``, or what the closure throws.
  public func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try checkNotNested()
    try checkWritable()
    return try writer.run { try $0.writeTransaction(body) }
  }

  /// Runs a closure on one state of the database, that of its first statement, which other writers
  /// do not change meanwhile.
  ///
  /// - Throws: ``DatabaseError``, or what the closure throws.
  public func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try checkNotNested()
    return try idlestReader.run { try $0.transaction(begin: "BEGIN", body) }
  }

  /// Runs a closure in a transaction that may write; see the form without `async`.
  public func write<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try checkWritable()
    return try await writer.run { try $0.writeTransaction(body) }
  }

  /// Runs a closure on one state of the database; see the form without `async`.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await idlestReader.run { try $0.transaction(begin: "BEGIN", body) }
  }

  /// Runs a closure on the writing connection outside of any transaction.
  func withoutTransaction<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try checkNotNested()
    return try writer.run(body)
  }

  /// A number that changes whenever anyone commits: this `Database`, another or another process.
  ///
  /// - Throws: ``DatabaseError``
  public func dataVersion() throws -> Int64 {
    try checkNotNested()
    // SQLite counts the commits of other connections, and a reader's are all those of others.
    return try readers[0].run {
      try $0.checkState()
      return try $0.first("PRAGMA data_version") { $0.integer(0) } ?? 0
    }
  }

  /// Moves what is in the write-ahead log into the file itself.
  ///
  /// - Throws: ``DatabaseError``, as when a long read still needs the log; nothing is lost then.
  public func checkpoint() throws {
    try checkWritable()
    try withoutTransaction { connection in
      let isBusy = try connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer(0) != 0 }
      guard isBusy != true else {
        throw DatabaseError(
          .busy, "the log is still being read; wait for that to end and try again", path: path)
      }
    }
  }

  /// Closes all connections once their work is done; later accesses throw ``DatabaseError``.
  public func close() throws {
    try checkNotNested()
    for lane in readers + [writer] { lane.close() }
  }

  /// Whether everybody may remove and replace the file, for its folder is open to all.
  public var isInOpenFolder: Bool { csqlite_is_in_open_folder(file.fullName ?? path) != 0 }

  private var idlestReader: Lane {
    var idlest = readers[0]
    for lane in readers.dropFirst() where lane.load < idlest.load { idlest = lane }
    return idlest
  }

  private func checkWritable() throws {
    guard !configuration.isReadOnly else {
      throw DatabaseError(.readOnly, "the file was opened for reading only", path: path)
    }
  }

  /// An access within an access would wait for itself for ever.
  private func checkNotNested() throws {
    guard !writer.isCurrent, !readers.contains(where: \.isCurrent) else {
      throw DatabaseError(
        .misuse, "an access within an access: use the connection that you were given", path: path)
    }
  }
}
