import CMicroHTTPD
import FormModel
import Synchronization

/// Events that one page is sent, one after another (`text/event-stream`).
final class EventStream: Sendable {
  /// More than this is not kept for a page that does not read; it begins anew then.
  private static let limit = 4 << 20

  private struct State {
    var pending: [UInt8] = []
    /// The address of the connection, while there is one.
    var connection: UInt?
    var isSuspended = false
    var isEnded = false
    var whenClosed: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Sends an event; what a page that is gone was to be sent is dropped.
  func send(_ data: JSONValue) { send(text: "data: \(data.jsonText)\n\n") }

  /// Sends nothing: keeps the connection, and finds out when the page is gone.
  func ping() { send(text: ":\n\n") }

  private func send(text: String) {
    state.withLock { state in
      guard !state.isEnded else { return }
      state.pending += text.utf8
      if state.pending.count > Self.limit { state.isEnded = true }
      Self.wake(&state)
    }
  }

  /// Ends the stream once what was sent is read.
  func end() {
    state.withLock { state in
      state.isEnded = true
      Self.wake(&state)
    }
  }

  /// Says what is to be done once the page has no connection any more.
  func whenClosed(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.whenClosed = action }
  }

  // The connection is only touched under the lock, and not after it was closed.
  private static func wake(_ state: inout State) {
    guard state.isSuspended, let connection = state.connection else { return }
    state.isSuspended = false
    MHD_resume_connection(OpaquePointer(bitPattern: connection))
  }

  func attach(_ connection: OpaquePointer) {
    state.withLock { $0.connection = UInt(bitPattern: connection) }
  }

  /// Takes what is to be sent: the number of bytes, 0 after the connection was put to sleep because
  /// there are none, -1 at the end.
  func read(into buffer: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int {
    state.withLock { state in
      guard !state.pending.isEmpty else {
        if state.isEnded { return -1 }
        guard let connection = state.connection else { return -1 }
        state.isSuspended = true
        MHD_suspend_connection(OpaquePointer(bitPattern: connection))
        return 0
      }
      let count = min(capacity, state.pending.count)
      for index in 0..<count { buffer[index] = CChar(bitPattern: state.pending[index]) }
      state.pending.removeFirst(count)
      return count
    }
  }

  func close() {
    let action = state.withLock { state in
      state.connection = nil
      state.isEnded = true
      return state.whenClosed
    }
    action?()
  }
}
