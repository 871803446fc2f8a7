import DraftStore
import DraftSync
import FormModel

extension Command {
  static let push = Command(
    name: "push", abstract: "sends what is queued; what was sent already is never sent twice",
    usage: "[DRAFT…]",
    discussion: """
      --to takes the address of the records, or a settings file (JSON) that also says how records \
      are made and changed, and where the credentials come from. In an address, {id} stands for \
      the draft's id and {KEY} for a submitted value; without braces /{id} is added.

      Exit status 0 when all was sent, 1 when a conflict waits for a person, 4 when the server \
      refused, 5 when it could not be reached or asked to come again later.
      """,
    examples: [
      "--store visits.store push --to https://intake.example.org/visits/{id}",
      "--store visits.store push --to kinto.json --watch",
    ],
    arguments: .atLeast(0, .drafts),
    options: [
      OptionDescription(
        name: "--to", value: "URL|FILE", abstract: "the records' address, or a settings file",
        completion: .files),
      OptionDescription(
        name: "--dry-run", abstract: "prints the next request of each draft; sends nothing"),
      OptionDescription(
        name: "--watch", abstract: "keeps sending what becomes due, until it is interrupted"),
    ]
  ) { invocation in
    let settings = try invocation.syncSettings()
    let isDry = invocation.has("--dry-run")
    let store = try invocation.openStore(isDry ? .reading : .writing)
    let names = invocation.arguments
    let drafts = names.isEmpty ? nil : Set(try names.map(store.draftID(named:)))
    if isDry {
      try printRequests(store, settings, drafts, isJSON: invocation.isJSON)
      return .done
    }
    let uploader = Uploader(
      store: store, settings: settings,
      transport: CurlTransport(options: settings.transportOptions),
      credentials: try settings.credentialsHeader())
    let reporter = PushReporter(isJSON: invocation.isJSON)
    if invocation.has("--watch") {
      try await System.interruptible { try await uploader.run(drafts) { reporter.report($0) } }
      reporter.end()
      return .done
    }
    let summary: PushSummary
    do {
      summary = try await System.interruptible {
        try await uploader.push(drafts) { reporter.report($0) }
      }
    } catch is CancellationError {
      reporter.end()
      throw CommandFailure(
        status: .unreachable, code: "interrupted", message: "interrupted; nothing is lost")
    }
    reporter.end()
    try Console.print(invocation.isJSON ? summary.record.jsonText + "\n" : summary.line)
    return summary.status
  }

  /// Prints the very requests that a run would send first, one for each draft, credentials left out.
  private static func printRequests(
    _ store: DraftStore, _ settings: SyncSettings, _ drafts: Set<DraftID>?, isJSON: Bool
  ) throws {
    var seen: Set<DraftID> = []
    for item in try store.outbox() where drafts?.contains(item.draft) ?? true {
      // What is not sent yet, or waits for a person, holds back what is behind it.
      guard seen.insert(item.draft).inserted, item.state == .queued,
        try store.draft(item.draft).status != .discarded,
        try store.conflicts(of: item.draft).isEmpty, let task = try store.outboxTask(of: item)
      else { continue }
      let request: HTTPRequest?
      do throws(RequestRefusal) {
        request = try Uploader.nextRequest(of: task, settings: settings)
      } catch {
        // It would be put aside, and hold no other back.
        Console.warn("\(item.draft): \(error)", code: "request", key: nil, isJSON: isJSON)
        continue
      }
      guard let request else { continue }
      try Console.print(isJSON ? request.record(item).jsonText + "\n" : request.plainText(item))
    }
  }
}

extension Invocation {
  /// The settings that `--to` gives.
  fileprivate func syncSettings() throws -> SyncSettings {
    guard let place = value("--to"), !place.isEmpty else {
      throw UsageError("say where: --to URL, or --to FILE with settings", path)
    }
    guard !place.contains("://") else {
      guard place.contains("{") || !place.contains("?") else {
        throw UsageError(
          "the address has a \"?\": write {id} where the draft's id belongs", path)
      }
      let url = place.contains("{") ? place : place + (place.hasSuffix("/") ? "{id}" : "/{id}")
      let json: JSONValue = ["url": .string(url)]
      return try SyncSettings(parsing: Array(json.jsonText.utf8))
    }
    let limit = 1 << 20
    let bytes = try System.contents(of: place, limit: limit)
    guard bytes.count <= limit else {
      throw CommandFailure(
        status: .data, code: "badSettings", message: "\(place): settings are no longer than 1 MiB")
    }
    do {
      let settings = try SyncSettings(parsing: bytes)
      if let file = settings.certificateAuthorityFile {
        // What is wrong here would else look like a server that can't be reached.
        _ = try System.contents(of: file, limit: 1)
      }
      return settings
    } catch let error as SyncSettingsError {
      throw CommandFailures(
        all: error.problems.map {
          CommandFailure(status: .data, code: "badSettings", message: "\(place): \($0)")
        })
    }
  }
}

extension SyncSettings {
  fileprivate func credentialsHeader() throws -> HTTPHeaders.Field? {
    try credentials?.header(
      environment: System.environment,
      contents: { path in
        let limit = 1 << 16
        let bytes = try? System.contents(of: path, limit: limit)
        return bytes.flatMap { $0.count <= limit ? $0 : nil }
      })
  }
}

/// Tells what happens during a run: at a terminal in one line that changes, and what a person has to
/// know in lines that stay.
private struct PushReporter: Sendable {
  let isJSON: Bool
  private let isTerminal = System.isTerminal(System.standardError)

  init(isJSON: Bool) {
    self.isJSON = isJSON
  }

  func report(_ event: PushEvent) {
    switch event {
    case .sending(let draft, let submission, let method, let bytes):
      progress("\(draft) submission \(submission): \(method) \(bytes) bytes")
    case .acknowledged(let draft, _, let fields): progress("\(draft): \(fields) fields sent")
    case .completed(let draft, let submission):
      progress("\(draft): submission \(submission) is on the server")
    case .merged(let draft, let taken):
      let fields = taken.isEmpty ? "nothing" : taken.joined(separator: ", ")
      warn("\(draft): the server's record had changed; taken from it: \(fields)", "merged")
    case .conflict(let draft, let fields):
      warn(
        "\(draft): both sides changed \(fields.joined(separator: ", ")); see \"conflicts list\"",
        "conflict")
    case .waiting(let draft, let time, let error):
      warn("\(draft): will be tried again at \(time): \(error)", "waiting")
    case .parked(let draft, let error): warn("\(draft): put aside: \(error)", "parked")
    case .stopped(let reason): warn("stopped, nothing is lost: \(reason.message)", "stopped")
    }
  }

  /// Takes the changing line away.
  func end() {
    if isTerminal { Console.note("\r\u{1B}[K") }
  }

  private func progress(_ text: String) {
    if isTerminal { Console.note("\r\(text.printable)\u{1B}[K") }
  }

  private func warn(_ text: String, _ code: String) {
    end()
    Console.warn(text, code: code, key: nil, isJSON: isJSON)
  }
}

extension PushSummary {
  fileprivate var status: ExitStatus {
    switch stop {
    case .unauthorized, .misdirected: return .refused
    case .unreachable, .busy: return .unreachable
    case nil: break
    }
    if parked > 0 { return .refused }
    if waiting > 0 { return .unreachable }
    return conflicts > 0 ? .no : .done
  }

  fileprivate var record: JSONValue {
    [
      "requests": .count(requests), "bytes": .count(bytes), "completed": .count(completed),
      "conflicts": .count(conflicts), "parked": .count(parked), "waiting": .count(waiting),
      "stopped": .optional(stop?.message),
    ]
  }

  fileprivate var line: String {
    var parts = ["\(completed) sent in \(requests) requests of \(bytes) bytes"]
    if conflicts > 0 { parts.append("\(conflicts) in conflict") }
    if parked > 0 { parts.append("\(parked) put aside") }
    if waiting > 0 { parts.append("\(waiting) waiting") }
    return parts.joined(separator: ", ") + "\n"
  }
}

extension HTTPRequest {
  private var bodyText: String { String(decoding: body, as: UTF8.self) }

  fileprivate func record(_ item: OutboxItem) -> JSONValue {
    [
      "draft": .string(item.draft.description), "submission": .count(item.submission),
      "method": .string(method), "url": .string(url),
      "headers": .object(JSONObject(headers.fields.map { ($0.name, .string($0.value)) })),
      "body": .string(bodyText),
    ]
  }

  fileprivate func plainText(_ item: OutboxItem) -> String {
    let head = headers.fields.map { "\($0.name): \($0.value)\n" }.joined()
    return "\(method) \(url)\n\(head)\n\(bodyText)\n\n"
  }
}
