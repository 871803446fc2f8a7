import DraftStore
import FormModel
import Synchronization

/// A draft that is being filled: every accepted event is saved in the store.
///
/// ```swift
/// let session = try EditingSession(store, draft: id)
/// show(session.opening)
/// let outcome = session.handle(.toggle(key: "interests", tag: "sport"))
/// try await session.flush()  // when it must be on the disk now
/// ```
///
/// An answer waits for no disk. A choice is saved at once, in the background; fast typing is saved
/// together, within ``Options/coalescing``. Opening writes nothing. A session can be used by any
/// thread; several sessions, in several processes, may have one draft open. Several screens may
/// share one session: each has a focus of its own.
public final class EditingSession: Sendable {
  /// How a session saves.
  public struct Options: Sendable {
    /// How long typed text may wait to be saved; zero saves each key.
    public var coalescing: Duration
    /// How long to wait after a failure before trying again.
    public var retryDelay: Duration
    /// The most steps that can be undone, or nil to keep none.
    public var historyLimit: Int?
    /// Typing in one field without a pause of this length is undone as one step.
    public var stepPause: Duration
    /// The clock that waits.
    public var clock: any Clock<Duration>

    public init(
      coalescing: Duration = .milliseconds(300), retryDelay: Duration = .seconds(1),
      historyLimit: Int? = 500, stepPause: Duration = .seconds(2),
      clock: any Clock<Duration> = ContinuousClock()
    ) {
      self.coalescing = coalescing
      self.retryDelay = retryDelay
      self.historyLimit = historyLimit
      self.stepPause = stepPause
      self.clock = clock
    }
  }

  /// Whether what the person sees is on the disk.
  public enum SaveState: Sendable {
    case saved
    /// It will be, within the bound.
    case saving
    /// It could not be saved; it is kept and tried again.
    case failed(any Error)
  }

  public let store: DraftStore
  public let draft: DraftID
  public let options: Options
  /// The version of the form that is filled; a draft of another one must be opened anew.
  public let formVersion: Int
  /// The answer to opening the draft: its errors, where the person was, and what is chosen in all
  /// tags fields. A front end begins at its focus, if there is one.
  public let opening: EditingOutcome
  /// Each change of ``saveState``, for one reader; a slow one gets the newest.
  public let saveStates: AsyncStream<SaveState>
  private let saveStateChanged: AsyncStream<SaveState>.Continuation
  private let elapsed: @Sendable () -> Duration
  private let state: Mutex<State>
  /// Writes happen one after another, in the order of the events.
  private let writing = Mutex(())

  private struct State {
    var editor: FormEditor
    var screens = Screens()
    var plan = SavePlan()
    var saveState = SaveState.saved
    /// The draft's revision that this session saw last.
    var revision: Int
    /// The field that was typed in last, and when, while nothing else was done.
    var typing: (key: String, time: Duration)?
    var savedFocus: String?
    var isTimerRunning = false
    var isSaveStarted = false
  }

  /// Opens a draft. Nothing is written.
  ///
  /// - Throws: `StoreError` for an unknown draft; `DatabaseError`.
  public init(_ store: DraftStore, draft id: DraftID, options: Options = Options()) throws {
    let draft = try store.draft(id)
    let form = try store.form(draft.form, version: draft.version)
    let editor = FormEditor(form, values: draft.values, registry: store.options.registry)
    var opening = editor.opening
    opening.focus = draft.focus.flatMap { editor.canBegin($0) ? $0 : nil }
    self.store = store
    self.draft = id
    self.options = options
    self.opening = opening
    (saveStates, saveStateChanged) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    formVersion = draft.version
    elapsed = Self.stopwatch(options.clock)
    state = Mutex(State(editor: editor, revision: draft.revision, savedFocus: draft.focus))
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// The form as it is filled now.
  public var editor: FormEditor { state.withLock { $0.editor } }

  /// Whether what the person sees is on the disk.
  public var saveState: SaveState { state.withLock { $0.saveState } }

  /// Takes an event in and answers it; what it changed is saved soon.
  ///
  /// - Parameters:
  ///   - event: what the person does.
  ///   - screen: where, when there are several screens.
  @discardableResult
  public func handle(_ event: EditingEvent, on screen: String = "") -> EditingOutcome {
    let outcome = state.withLock { state in
      state.screens.turn(to: screen, &state.editor)
      let outcome = state.editor.handle(event)
      let isTyping = event.isTyping
      let time = elapsed()
      for change in outcome.changes {
        let continuesStep =
          isTyping && state.typing?.key == change.key
          && time - (state.typing?.time ?? .zero) < options.stepPause
        state.plan.add(
          PendingEdit(key: change.key, value: change.value, continuesStep: continuesStep))
      }
      if !isTyping {
        state.typing = nil
      } else if let change = outcome.changes.last {
        state.typing = (change.key, time)
      }
      Self.noteFocus(&state)
      return outcome
    }
    saveSoon(after: event.isTyping || outcome.changes.isEmpty ? options.coalescing : .zero)
    return outcome
  }

  private static func noteFocus(_ state: inout State) {
    guard let focus = state.editor.focus, focus != state.savedFocus else { return }
    state.plan.focus = focus
    state.savedFocus = focus
  }

  /// Forgets where the person at a screen was, which is gone.
  public func close(screen: String) {
    state.withLock { $0.screens.close(screen, &$0.editor) }
  }

  /// Returns when all that was answered so far is on the disk.
  ///
  /// - Throws: `DatabaseError`, `StoreError`; what could not be saved is kept.
  public func flush() throws {
    try writing.withLock { _ in try save() }
  }

  /// Returns when all that was answered so far is on the disk, without holding a thread.
  ///
  /// - Throws: `DatabaseError`, `StoreError`; what could not be saved is kept.
  public func flush() async throws {
    try await store.perform { _ in try self.flush() }
  }

  /// Leaves the form: the field is left, text of an input method is taken as it stands, and all is
  /// saved. The session may go on.
  ///
  /// - Throws: `DatabaseError`, `StoreError`; what could not be saved is kept.
  @discardableResult
  public func leave() throws -> EditingOutcome {
    let outcome = settle { $0.leave() }
    try flush()
    return outcome
  }

  /// Leaves the form without holding a thread; see the form without `async`.
  @discardableResult
  public func leave() async throws -> EditingOutcome {
    try await store.perform { _ in try self.leave() }
  }

  /// Ends what goes on in the form, and takes what that changed.
  @discardableResult
  private func settle(_ end: (inout FormEditor) -> EditingOutcome) -> EditingOutcome {
    state.withLock { state in
      let outcome = end(&state.editor)
      for change in outcome.changes {
        state.plan.add(PendingEdit(key: change.key, value: change.value, continuesStep: false))
      }
      state.typing = nil
      return outcome
    }
  }
}

// MARK: - Undo, and edits from elsewhere

extension EditingSession {
  /// Takes the last step back, also one of an earlier session. What was typed is saved first.
  ///
  /// - Parameter screen: where the person goes to what changed, when there are several screens.
  /// - Returns: what to show, or nil when there is nothing to undo.
  /// - Throws: `DatabaseError`, `StoreError`
  @discardableResult
  public func undo(on screen: String = "") throws -> EditingOutcome? {
    try move(on: screen) { try $0.undo($1) }
  }

  /// Makes the step anew that was taken back last.
  ///
  /// - Parameter screen: where the person goes to what changed, when there are several screens.
  /// - Returns: what to show, or nil when there is nothing to redo.
  /// - Throws: `DatabaseError`, `StoreError`
  @discardableResult
  public func redo(on screen: String = "") throws -> EditingOutcome? {
    try move(on: screen) { try $0.redo($1) }
  }

  private func move(
    on screen: String, _ move: (DraftStore, DraftID) throws -> HistoryStep?
  ) throws -> EditingOutcome? {
    try writing.withLock { _ in
      settle { $0.endComposition() }
      try save()
      guard let step = try move(store, draft) else { return nil }
      return state.withLock { state in
        state.revision = max(state.revision, step.revision)
        let form = state.editor.form
        let values = step.values.sorted {
          form.index(of: $0.key) ?? .max < form.index(of: $1.key) ?? .max
        }
        .filter { !state.plan.holds($0.key) }
        state.screens.turn(to: screen, &state.editor)
        let outcome = state.editor.take(
          values.map { (key: $0.key, value: $0.value) }, movesFocus: true)
        state.savedFocus = step.values.count == 1 ? step.values.keys.first : state.savedFocus
        return outcome
      }
    }
  }

  /// How much can be undone and redone; what was typed is saved first.
  ///
  /// - Throws: `DatabaseError`, `StoreError`
  public func history() throws -> EditHistory {
    try flush()
    return try store.history(of: draft)
  }

  /// Takes over what others saved in the draft meanwhile, as `DraftStore.states(of:)` tells it. What
  /// the person typed and is not saved yet stays.
  ///
  /// - Returns: what to show, or nil when there is nothing new, or the draft is of another version of
  ///   the form now and must be opened anew.
  public func absorb(_ saved: Draft) -> EditingOutcome? {
    guard saved.version == formVersion else { return nil }
    return state.withLock { state in
      // An older state than this session's own last edit says nothing new.
      guard saved.revision >= state.revision else { return nil }
      state.revision = saved.revision
      let editor = state.editor
      let values = editor.form.fields.indices.compactMap {
        index -> (key: String, value: FieldValue?)? in
        let key = editor.form.fields[index].key
        guard editor.values[index] != saved[key], !state.plan.holds(key),
          editor.composition?.field != index
        else { return nil }
        return (key, saved[key])
      }
      return values.isEmpty ? nil : state.editor.take(values)
    }
  }
}

// MARK: - Saving

extension EditingSession {
  /// Writes all that waits, one step after another. Only one thread at a time may.
  private func save() throws {
    while let (edits, focus) = state.withLock({
      $0.plan.take(isStep: options.historyLimit != nil)
    }) {
      var edit = DraftEdit()
      for change in edits { edit.set(change.value, for: change.key) }
      edit.focus = focus
      edit.history = options.historyLimit.map {
        HistoryOptions(continuesStep: edits.first?.continuesStep ?? false, limit: $0)
      }
      do {
        let revision = try store.edit(draft, edit).revision
        state.withLock { state in
          state.plan.settle()
          state.revision = max(state.revision, revision)
        }
      } catch {
        state.withLock { $0.plan.putBack() }
        note(.failed(error))
        throw error
      }
    }
    note(.saved)
  }

  private func note(_ saveState: SaveState) {
    state.withLock { state in
      // Something may have been typed, or saved, by another thread meanwhile.
      switch (state.saveState, saveState, state.plan.isEmpty) {
      case (.saved, .saved, _), (.saving, .saving, _), (_, .saved, false), (_, .saving, true):
        return
      default:
        state.saveState = saveState
        saveStateChanged.yield(saveState)
      }
    }
  }

  /// Sees to it that what waits is saved within a time, if anything waits.
  private func saveSoon(after delay: Duration) {
    enum Start { case now, later }
    let start = state.withLock { state -> Start? in
      guard !state.plan.isEmpty else { return nil }
      if delay <= .zero {
        guard !state.isSaveStarted else { return nil }
        state.isSaveStarted = true
        return .now
      }
      guard !state.isTimerRunning else { return nil }
      state.isTimerRunning = true
      return .later
    }
    note(.saving)
    switch start {
    case .now:
      Task {
        state.withLock { $0.isSaveStarted = false }
        await saveInBackground()
      }
    case .later:
      // The bound counts from the first key that waits, however many follow.
      Task {
        try? await options.clock.sleep(for: delay)
        state.withLock { $0.isTimerRunning = false }
        await saveInBackground()
      }
    case nil: break
    }
  }

  private func saveInBackground() async {
    do {
      try await flush()
    } catch is StoreError {
      // The draft is gone or put away: time alone does not help.
    } catch {
      // A session that nobody has any more must not keep trying for ever.
      Task { [weak self, options] in
        try? await options.clock.sleep(for: max(options.retryDelay, options.coalescing))
        await self?.saveInBackground()
      }
    }
  }
}

extension EditingEvent {
  /// Whether more of the kind may follow fast.
  fileprivate var isTyping: Bool {
    switch self {
    case .change, .enter, .endComposition: true
    default: false
    }
  }
}
