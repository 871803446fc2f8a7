import FormModel
import Synchronization

extension DraftStore {
  /// The states of a draft: the present one, then one after each change, whoever makes it.
  ///
  /// Changes of this process are told at once, those of others within a quarter of a second. When a
  /// reader is slow, it gets the newest state and not those between. The sequence ends when the
  /// draft is purged, or with the error that reading it met.
  ///
  /// ```swift
  /// for try await draft in store.states(of: id) { show(draft) }
  /// ```
  public func states(of id: DraftID) -> AsyncThrowingStream<Draft, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let (signals, signal) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let key = observe { signal.yield() }
      let polling = Task { [weak self] in
        var seen: Int64?
        while !Task.isCancelled, let store = self {
          let version = try? await store.perform { try $0.database.dataVersion() }
          if version != seen { signal.yield() }
          seen = version
          try? await Task.sleep(for: .milliseconds(200))
        }
        // Whoever waits for the next state would wait for ever once the store is gone.
        signal.finish()
      }
      let reading = Task { [weak self] in
        do {
          var last: Draft?
          signal.yield()
          for await _ in signals {
            guard let store = self else { break }
            let draft = try await store.perform { try $0.draft(id) }
            if draft != last { continuation.yield(draft) }
            last = draft
          }
          continuation.finish()
        } catch StoreError.unknownDraft {
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { [weak self] _ in
        polling.cancel()
        reading.cancel()
        signal.finish()
        self?.observers.withLock { _ = $0.removeValue(forKey: key) }
      }
    }
  }

  /// Registers who is told of commits. The key by which it is taken away again.
  private func observe(_ notify: @escaping @Sendable () -> Void) -> UInt64 {
    observers.withLock { observers in
      let key = (observers.keys.max() ?? 0) + 1
      observers[key] = notify
      return key
    }
  }
}
