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
  /// Events are answered and told one after another, so that all pages see one order.
  private let order = Mutex(())
  private let tasks = Mutex<[Task<Void, Never>]>([])

  private struct State {
    /// Counts what was told, from a number that no server before had.
    var number = Int(Timestamp.now.milliseconds)
    var head: Head?
    var streams: [ObjectIdentifier: (stream: EventStream, client: String)] = [:]
    var lastUse = ContinuousClock.now
    /// Whether the draft is another version's now, or gone.
    var isStale = false
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

  init(_ store: DraftStore, _ id: DraftID, _ options: EditingSession.Options) throws {
    self.store = store
    let head = Head(try store.draft(id))
    state.withLock { $0.head = head }
    session = try EditingSession(store, draft: id, options: options)
    let version = session.editor.form.form.version
    let session = session
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

  var isStale: Bool { state.withLock { $0.isStale } }

  /// Whether no page has it open, nor had for a while.
  func isIdle(for time: Duration) -> Bool {
    state.withLock { $0.streams.isEmpty && ContinuousClock.now - $0.lastUse > time }
  }

  private func retire(_ message: JSONObject) {
    state.withLock { $0.isStale = true }
    tell(message)
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
    }
    return stream
  }

  func ping() {
    for (stream, _) in state.withLock({ Array($0.streams.values) }) { stream.ping() }
  }

  func endStreams() {
    for (stream, _) in state.withLock({ Array($0.streams.values) }) { stream.end() }
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
    let isChanged = state.withLock { state in
      guard state.head != Head(draft) else { return false }
      state.head = Head(draft)
      state.number += 1
      return true
    }
    if isChanged { tell(["draft": draft.json]) }
  }

  // MARK: What pages do

  /// Takes events in and answers when what they changed is on the disk, or could not be saved.
  func handle(_ events: [PageEvent], from client: String) -> JSONValue {
    var outcomes: [JSONValue] = []
    var update: JSONObject = [:]
    var keys: Set<String> = []
    var rows: [Int: RowState] = [:]
    var title: String?
    for event in events {
      guard case .edit(let event) = event else {
        if case .title(let text) = event { title = text }
        outcomes.append([:])
        continue
      }
      order.withLock { _ in
        let outcome = session.handle(event, on: client)
        outcomes.append(.object(outcome.json))
        // Also what was refused: the page shows already what the person wanted.
        keys.formUnion(outcome.shownKeys.union(event.key.map { [$0] } ?? []))
        for row in outcome.rows { rows[row.row] = row }
        update = tell(outcome, from: client)
        update["fields"] = session.editor.fieldsJSON(keys)
      }
    }
    update["rows"] = .array(rows.values.map(\.json))
    update["outcomes"] = .array(outcomes)
    do {
      try session.flush()
      if let title { try store.edit(session.draft) { $0.title = title } }
      return finished(update, .saved)
    } catch {
      return finished(update, .failed(error))
    }
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
        "param": .string(JSONValue.object(submission.param).prettyText),
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

/// What a page tells that a person did.
enum PageEvent {
  case edit(EditingEvent)
  /// The draft has another title.
  case title(String)
}

extension EditingOutcome {
  /// The fields that may show something else now.
  fileprivate var shownKeys: Set<String> {
    Set(changes.map(\.key)).union(texts.map(\.key))
  }
}
