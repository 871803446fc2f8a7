import DraftStore
import FormModel

/// What the next request for a queued submission is.
struct UploadPlan {
  enum Step: Hashable {
    /// The server has all of it.
    case nothing
    /// The record has to be read first, for its version is not known.
    case fetch
    case send(FrozenRequest)
  }

  let task: OutboxTask
  let settings: SyncSettings

  var builder: RequestBuilder {
    RequestBuilder(settings: settings, id: task.item.draft, form: task.submission.form)
  }

  /// Keys that are no removal when the submission lacks them: filtered ones, hidden ones that the
  /// server keeps, and those of no field, which the app or the server added.
  var keptKeys: [String] {
    let forms = [task.form] + (task.acknowledgedForm.map { [$0] } ?? [])
    let foreign = task.acknowledged.map(\.serviceKey).filter { key in
      !forms.contains { $0.field(key)?.isSubmitted == true }
    }
    return task.submission.filteredKeys + task.submission.keptKeys + foreign
  }

  /// What the server does not have yet: all, of a record that is to be made anew.
  var changes: ChangeSet {
    let isMadeAnew = task.record?.presence == .madeAnew
    return ChangeSet(
      base: isMadeAnew ? nil : task.record?.submission, from: isMadeAnew ? [] : task.acknowledged,
      to: task.submission.entries, keeping: keptKeys)
  }

  /// The request that may have been sent already. One to another server than the settings' is none:
  /// this server's credentials are not for that one.
  var frozen: FrozenRequest? {
    guard let frozen = task.frozenRequest.flatMap(FrozenRequest.init),
      let origin = WebAddress(frozen.request.url)?.origin
    else { return nil }
    // Where the settings have another address by now, the same bytes go there.
    let address = try? builder.address(for: frozen.kind, task.submission.entries)
    return settings.origins.contains { $0.hasSameBytes(as: origin) }
      ? frozen.moved(to: address) : nil
  }

  /// Whether a record holds what a request sets.
  func holds(_ record: JSONObject, _ keys: [String]) -> Bool {
    fields(of: keys).allSatisfy { key, value in
      switch (record[key], value) {
      case (nil, nil): true
      case (let json?, let value?): json.isEquivalent(to: value.json)
      default: false
      }
    }
  }

  /// The next step; a request that may have been sent already comes first, unchanged.
  func step() throws(RequestRefusal) -> Step {
    // It need not be gone: the address may have been a wrong one.
    if task.record?.presence == .missing { return .fetch }
    if let frozen { return frozen.isAccepted ? .fetch : .send(frozen) }
    guard let record = task.record, record.presence == .there else { return .send(try create()) }
    let changes = changes
    guard !changes.isEmpty else { return .nothing }
    let tag = record.etag.flatMap(EntityTag.init)
    if settings.isConditional, tag == nil { return .fetch }
    let parts = try builder.parts(of: changes, to: task.submission.entries)
    guard let part = parts.first else { return .nothing }
    let request = try builder.change(
      part, to: task.submission.entries, from: tag, idempotencyKey: task.idempotencyKey)
    let keys =
      settings.change.sendsWholeRecord
      ? changes.changes.map(\.serviceKey) : part.changes.map(\.serviceKey)
    return .send(FrozenRequest(.change, request, keys: keys))
  }

  /// Makes the record, with as many of its first fields as one request may hold.
  private func create() throws(RequestRefusal) -> FrozenRequest {
    let entries = task.submission.entries
    // A change of the whole record could not add the rest later.
    let isWhole = settings.change.sendsWholeRecord
    var count = entries.count
    if !isWhole, let limit = settings.maximumFieldsPerRequest { count = min(count, limit) }
    while true {
      let first = Array(entries.prefix(count))
      do throws(RequestRefusal) {
        let request = try builder.create(first, idempotencyKey: task.idempotencyKey)
        return FrozenRequest(.create, request, keys: first.map(\.serviceKey))
      } catch {
        guard error.reason == .tooLarge, count > 1, !isWhole else { throw error }
        count /= 2
      }
    }
  }

  /// What the server has once it acknowledged a request's fields; nil for what it has not.
  func fields(of keys: [String]) -> [(key: String, value: FieldValue?)] {
    var finder = EntryFinder(task.submission.entries)
    return keys.map { ($0, finder.take($0)?.value) }
  }

  /// Whether the server has the whole submission with these fields.
  func isComplete(with keys: [String]) -> Bool {
    var rest = EntryFinder(changes.changes)
    for key in keys { _ = rest.take(key) }
    return rest.left.isEmpty
  }

  /// The keys that a record may have of this draft.
  private var knownKeys: [String] {
    let fields = task.form.fields.filter(\.isSubmitted).map(\.key)
    let entries = task.submission.entries + task.acknowledged
    return OrderedKeys(fields + entries.map(\.serviceKey)).keys
  }

  /// Whether what came as the record can be it: an error that is told with success, or a record
  /// within another member than the settings name, must not be taken for one whose fields are gone.
  func isRecord(_ object: JSONObject) -> Bool {
    let keys = knownKeys
    func holdsAny(_ object: JSONObject) -> Bool { keys.contains { object[$0] != nil } }
    guard !holdsAny(object) else { return true }
    // Of a record that others made nothing is known.
    return task.acknowledged.isEmpty
      && !object.members.contains { $0.value.objectValue.map(holdsAny) ?? false }
  }

  /// The merge with what the server's record holds.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - registry: the rules that the form's conditions may name.
  func merge(with record: JSONObject, _ registry: RuleRegistry) -> MergeResult {
    let theirs = knownKeys.compactMap { key -> FormParam.Entry? in
      guard let json = record[key] else { return nil }
      let type = task.form.field(key)?.dataType ?? .json
      return FormParam.Entry(
        serviceKey: key, value: (try? FieldValue(json: json, as: type)) ?? .json(json))
    }
    return ThreeWayMerge(
      draft: task.item.draft, form: task.form, registry: registry, base: task.acknowledged,
      mine: task.submission.entries, theirs: theirs, keptKeys: keptKeys,
      policy: settings.conflictPolicy
    ).result
  }
}

extension SyncSettings {
  /// The servers that requests go to.
  var origins: [String] {
    [url, create.url].compactMap { template in
      template.flatMap { WebAddress($0.sample)?.origin }
    }
  }
}
