import DraftStore
import DraftSync
import FormEditing
import FormModel
import Synchronization

/// A draft that pages have open: one session for all of them, in which each is a screen, and the
/// streams by which each sees what the others do.
final class OpenDraft: Sendable {
  let session: EditingSession
  private let store: DraftStore
  private let state = Mutex(State())
  /// The version of the form that it is filled by.
  let version: Int
  /// Events are answered and told one after another, so that all pages see one order.
  private let order: Mutex<TakenEvents>
  /// What of them is on the disk; it outlives this object.
  private let saved: SavedEvents
  private let tasks = Mutex<[Task<Void, Never>]>([])

  private struct State {
    /// Counts what was told, from a number that no server before had.
    var number = Int(Timestamp.now.milliseconds)
    var head: Head?
    var history: JSONValue?
    var streams: [ObjectIdentifier: (stream: EventStream, client: String)] = [:]
    var lastUse = ContinuousClock.now
    /// What pages are told for the last time: the draft is another version's now, or gone.
    var farewell: JSONObject?
    /// Whether no stream may begin any more.
    var isEnded = false
  }

  /// What pages show of a draft beside its fields.
  private struct Head: Equatable {
    let title: String
    let subject: String?
    let status: DraftStatus

    init(_ draft: Draft) {
      (title, subject, status) = (draft.title, draft.subject, draft.status)
    }
  }

  init(
    _ store: DraftStore, _ id: DraftID, _ options: EditingSession.Options, _ saved: SavedEvents
  ) throws {
    self.store = store
    self.saved = saved
    order = Mutex(TakenEvents(numbers: saved.numbers))
    let head = Head(try store.draft(id))
    state.withLock { $0.head = head }
    session = try EditingSession(store, draft: id, options: options)
    version = session.editor.form.form.version ?? 1
    let session = session
    let version = version
    let saving = Task { [weak self] in
      for await saveState in session.saveStates { self?.tell(["save": saveState.json]) }
    }
    let watching = Task { [weak self] in
      do {
        for try await draft in store.states(of: id) {
          guard let self else { return }
          guard draft.version == version else { return self.retire(["reload": true]) }
          self.absorb(draft)
        }
        if !Task.isCancelled { self?.retire(["gone": true]) }
      } catch {
        self?.tell(["save": EditingSession.SaveState.failed(error).json])
      }
    }
    tasks.withLock { $0 = [saving, watching] }
  }

  deinit {
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }

  var isStale: Bool { state.withLock { $0.farewell != nil } }

  /// Whether no page has it open, nor had for a while.
  func isIdle(for time: Duration) -> Bool {
    state.withLock { $0.streams.isEmpty && ContinuousClock.now - $0.lastUse > time }
  }

  private func retire(_ message: JSONObject) {
    state.withLock { $0.farewell = message }
    tell(message)
    endStreams()
  }

  // MARK: What pages see

  /// Everything that a page shows.
  func page() throws -> JSONValue {
    let draft = try store.draft(session.draft)
    return order.withLock { _ in
      let editor = session.editor
      let number = state.withLock { state in
        state.lastUse = .now
        return state.number
      }
      let focus = session.editor.focus ?? draft.focus.flatMap { editor.canBegin($0) ? $0 : nil }
      return [
        "number": .count(number), "draft": draft.json, "form": FormView.json(editor.form),
        "fields": editor.fieldsJSON(), "rows": editor.rowsJSON, "errors": editor.errorsJSON,
        "focus": focus.map(JSONValue.string) ?? .null, "save": session.saveState.json,
        "history": (try? store.history(of: session.draft).json) ?? .null,
      ]
    }
  }

  /// A stream of what changes from now on, for one page.
  func changes(for client: String) -> EventStream {
    let stream = EventStream()
    let id = ObjectIdentifier(stream)
    stream.whenClosed { [weak self] in
      self?.state.withLock { state in
        state.streams[id] = nil
        state.lastUse = .now
      }
      self?.session.close(screen: client)
    }
    state.withLock { state in
      state.streams[id] = (stream, client)
      stream.send([
        "isOpening": true, "number": .count(state.number), "save": session.saveState.json,
      ])
      if let farewell = state.farewell { stream.send(.object(farewell)) }
      if state.isEnded { stream.end() }
    }
    return stream
  }

  func ping() {
    for (stream, _) in state.withLock({ Array($0.streams.values) }) { stream.ping() }
  }

  /// Ends the streams, also those that would begin later: the server can't stop while there are any.
  func endStreams() {
    let streams = state.withLock { state in
      state.isEnded = true
      return Array(state.streams.values)
    }
    for (stream, _) in streams { stream.end() }
  }

  private func tell(_ message: JSONObject) {
    for (stream, _) in state.withLock({ Array($0.streams.values) }) {
      stream.send(.object(message))
    }
  }

  /// What an answer changed, for all pages; its sender knows it by its name.
  private func tell(_ outcome: EditingOutcome, from client: String) -> JSONObject {
    let editor = session.editor
    return state.withLock { state in
      state.number += 1
      state.lastUse = .now
      let update: JSONObject = [
        "number": .count(state.number), "client": .string(client),
        "fields": editor.fieldsJSON(outcome.shownKeys), "rows": editor.rowsJSON,
        "errors": editor.errorsJSON,
      ]
      for (stream, other) in state.streams.values where other != client || client.isEmpty {
        stream.send(.object(update))
      }
      return update
    }
  }

  private func absorb(_ draft: Draft) {
    order.withLock { _ in
      if let outcome = session.absorb(draft) { _ = tell(outcome, from: "") }
    }
    let number = state.withLock { state -> Int? in
      guard state.head != Head(draft) else { return nil }
      state.head = Head(draft)
      state.number += 1
      return state.number
    }
    if let number { tell(["number": .count(number), "draft": draft.json]) }
    // Whatever was done, all can take it back now.
    guard let history = try? store.history(of: draft.id).json else { return }
    let isNew = state.withLock { state in
      defer { state.history = history }
      return state.history != history
    }
    if isNew { tell(["history": history]) }
  }

  // MARK: What pages do

  /// Takes events in and answers when what they changed is on the disk, or could not be saved.
  func handle(_ events: [PageEvent], from client: String) -> JSONValue {
    var answered: [(event: PageEvent, outcome: JSONObject)] = []
    var update: JSONObject = [:]
    var keys: Set<String> = []
    var rows: [Int: RowState] = [:]
    var isRepeated = false
    let title = order.withLock { taken in
      for event in events {
        let known = taken.outcome(of: event.serial)
        switch event.action {
        case .title(let text):
          if known == nil { taken.title = text }
          answered.append((event, known ?? [:]))
        case .edit(let edit, let isSelected):
          // Also of what was refused: the page shows already what the person wanted.
          keys.formUnion(edit.key.map { [$0] } ?? [])
          if let known {
            isRepeated = true
            answered.append((event, known))
          } else {
            let outcome = session.handle(awaited(edit, isSelected), on: client)
            answered.append((event, outcome.json))
            keys.formUnion(outcome.shownKeys)
            for row in outcome.rows { rows[row.row] = row }
            update = tell(outcome, from: client)
          }
        }
      }
      taken.note(answered)
      let editor = session.editor
      update["fields"] = editor.fieldsJSON(keys)
      // The page did not see what the events changed when they came first.
      if isRepeated { update["errors"] = editor.errorsJSON }
      update["rows"] = isRepeated ? editor.rowsJSON : .array(rows.values.map(\.json))
      return taken.title
    }
    update["outcomes"] = .array(answered.map { .object($0.outcome) })
    do {
      try session.flush()
      if let title {
        try store.edit(session.draft) { $0.title = title }
        order.withLock { if $0.title == title { $0.title = nil } }
      }
      saved.note(events)
      return finished(update, .saved)
    } catch {
      return finished(update, .failed(error))
    }
  }

  /// A tap that came through must not be undone by being sent again: it may say what it leads to.
  private func awaited(_ event: EditingEvent, _ isSelected: Bool?) -> EditingEvent {
    guard case .toggle(let key, let tag) = event, let isSelected,
      let selection = session.editor.tagSelection(of: key)
    else { return event }
    let isNow = selection.selected.contains { $0.id == tag } || selection.unknown.contains(tag)
    // Nothing is left to do then but to be where the person is.
    return isNow == isSelected ? .begin(key: key) : event
  }

  /// Takes a step back, or makes one anew; the update has no fields when there is none.
  func move(isUndo: Bool, from client: String) throws -> JSONValue {
    let update: JSONObject = try order.withLock { _ in
      let outcome = isUndo ? try session.undo(on: client) : try session.redo(on: client)
      guard let outcome else { return [:] }
      var update = tell(outcome, from: client)
      update["focus"] = outcome.focus.map(JSONValue.string) ?? .null
      return update
    }
    return finished(update, .saved)
  }

  private func finished(_ update: JSONObject, _ save: EditingSession.SaveState) -> JSONValue {
    var update = update
    update["save"] = save.json
    update["history"] = (try? store.history(of: session.draft).json) ?? .null
    return .object(update)
  }

  /// Shows all errors, or freezes the `FormParam` and tells what it changed.
  func submit(_ options: FormParam.Options, from client: String) throws -> JSONValue {
    var update: JSONObject = order.withLock { _ in
      tell(session.handle(.validate(options.errorType), on: client), from: client)
    }
    try session.flush()
    do {
      let changes = try store.changes(of: session.draft, options: options)
      let submission = try store.submit(session.draft, options: options)
      update["submission"] = [
        "number": .count(submission.number), "isNew": .bool(submission.number != changes.base),
        "param": .string(submission.shownParam(in: session.editor.form).prettyText),
        "changes": changes.json(in: session.editor.form),
      ]
    } catch StoreError.notValid(_, let param) {
      update["invalid"] = [
        "firstErrorMsg": .string(param.firstErrorMsg ?? ""),
        "firstKey": param.errors.first.map { .string($0.key) } ?? .null,
        "count": .count(param.errors.count),
      ]
    }
    return finished(update, .saved)
  }
}

extension EditingOutcome {
  /// The fields that may show something else now.
  fileprivate var shownKeys: Set<String> {
    Set(changes.map(\.key)).union(texts.map(\.key))
  }
}
