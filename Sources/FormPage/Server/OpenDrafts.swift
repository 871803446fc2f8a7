import DraftStore
import FormEditing
import Synchronization

/// The drafts that pages have open.
final class OpenDrafts: Sendable {
  private let store: DraftStore
  private let options: EditingSession.Options
  private let drafts = Mutex<[DraftID: OpenDraft]>([:])

  init(_ store: DraftStore, options: EditingSession.Options) {
    self.store = store
    self.options = options
  }

  /// The draft with an id, opened when it is not.
  func open(_ id: DraftID) throws -> OpenDraft {
    try drafts.withLock { drafts in
      if let open = drafts[id], !open.isStale { return open }
      let open = try OpenDraft(store, id, options)
      drafts[id] = open
      return open
    }
  }

  /// Keeps streams alive, and lets go of what no page has open any more.
  func tend() {
    for (id, draft) in drafts.withLock({ $0 }) {
      draft.ping()
      // What can't be saved is kept.
      guard draft.isIdle(for: .seconds(60)), (try? draft.session.leave()) != nil else { continue }
      drafts.withLock { drafts in
        if let open = drafts[id], open === draft, open.isIdle(for: .seconds(60)) {
          drafts[id] = nil
        }
      }
    }
  }

  /// Saves everything, and ends all streams.
  ///
  /// - Throws: the first error, after all were tried.
  func close() throws {
    var failure: (any Error)?
    for draft in drafts.withLock({ Array($0.values) }) {
      do {
        try draft.session.leave()
      } catch {
        failure = failure ?? error
      }
      draft.endStreams()
    }
    if let failure { throw failure }
  }
}
