import Dispatch
import Synchronization

/// A connection and the queue on which alone it is used.
///
/// `@unchecked Sendable`: its mutable state besides the atomic, the connection and whether it was
/// closed, is touched on the serial queue alone, which the compiler can't see.
final class Lane: @unchecked Sendable {
  private let queue: DispatchQueue
  private let path: String
  private let open: (@Sendable () throws -> Connection)?
  private var connection: Connection?
  private var isClosed = false
  private let waiting = Atomic<Int>(0)

  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  /// A lane of a connection that is open.
  init(_ connection: Connection, label: String) {
    queue = DispatchQueue(label: "FormDraftStore.\(label)")
    path = connection.path
    self.connection = connection
    connection.access.isLent = false
    open = nil
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  /// A lane that opens a connection for reading when it is first used.
  init(_ file: DatabaseFile, label: String) {
    queue = DispatchQueue(label: "FormDraftStore.\(label)")
    path = file.path
    open = { try file.open(forWriting: false) }
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  /// The number of accesses that run or wait.
  var load: Int { waiting.load(ordering: .relaxed) }

  /// Whether the caller is within an access of this lane.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

  func run<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    waiting.add(1, ordering: .relaxed)
    defer { waiting.subtract(1, ordering: .relaxed) }
    return try queue.sync { try lend(to: body) }
  }

  func run<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    waiting.add(1, ordering: .relaxed)
    defer { waiting.subtract(1, ordering: .relaxed) }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Swift.Result { try self.lend(to: body) })
      }
    }
  }

  func close() {
    queue.sync {
      connection = nil
      isClosed = true
    }
  }

  /// Gives the connection to a closure, and takes it back: one that was kept beyond is of no use.
  private func lend<Result>(to body: (Connection) throws -> Result) throws -> Result {
    let connection = try opened()
    connection.access.isLent = true
    defer { connection.access.isLent = false }
    return try body(connection)
  }

  private func opened() throws -> Connection {
    if let connection { return connection }
    guard !isClosed, let open else {
      throw DatabaseError(.misuse, "the database was closed", path: path)
    }
    let opened = try open()
    connection = opened
    return opened
  }
}
