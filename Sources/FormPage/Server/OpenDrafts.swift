import DraftStore
import FormEditing
import Synchronization

/// The drafts that pages have open.
final class OpenDrafts: Sendable {
  private let store: DraftStore
  private let options: EditingSession.Options
  private let state = Mutex(State())

  private struct State {
    var drafts: [DraftID: OpenDraft] = [:]
    /// Also of drafts that no page has open any more: it may be opened again.
    var saved: [DraftID: SavedEvents] = [:]
    var isClosed = false
  }

  init(_ store: DraftStore, options: EditingSession.Options) {
    self.store = store
    self.options = options
  }

  /// The draft with an id, opened when it is not.
  func open(_ id: DraftID) throws -> OpenDraft {
    try state.withLock { state in
      let old = state.drafts[id]
      if let old, !old.isStale { return old }
      let saved = state.saved[id] ?? SavedEvents()
      let open = try OpenDraft(store, id, options, saved)
      old?.endStreams()
      if state.isClosed { open.endStreams() }
      state.drafts[id] = open
      state.saved[id] = saved
      return open
    }
  }

  /// Keeps streams alive, and lets go of what no page has open any more.
  func tend() {
    for (id, draft) in state.withLock({ $0.drafts }) {
      draft.ping()
      // What can't be saved is kept.
      guard draft.isIdle(for: .seconds(60)), (try? draft.session.leave()) != nil else { continue }
      state.withLock { state in
        if let open = state.drafts[id], open === draft, open.isIdle(for: .seconds(60)) {
          state.drafts[id] = nil
        }
      }
    }
  }

  /// Saves everything, and ends all streams; none begins any more.
  ///
  /// - Throws: the first error, after all were tried.
  func close() throws {
    var failure: (any Error)?
    let drafts = state.withLock { state in
      state.isClosed = true
      return Array(state.drafts.values)
    }
    for draft in drafts {
      do {
        try draft.session.leave()
      } catch {
        // Pages keep what a draft of another version did not take, and send it by its new keys.
        if !draft.isStale { failure = failure ?? error }
      }
      draft.endStreams()
    }
    if let failure { throw failure }
  }
}
