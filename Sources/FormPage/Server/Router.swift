import DraftStore
import FormEditing
import FormModel
import Synchronization

/// Answers the requests of pages.
final class Router: RequestHandler {
  private let store: DraftStore
  private let access: Access
  private let param: FormParam.Options
  let drafts: OpenDrafts
  private let isClosing = Mutex(false)

  init(_ store: DraftStore, _ access: Access, _ options: FormPage.Options) {
    self.store = store
    self.access = access
    param = options.param
    drafts = OpenDrafts(store, options: options.editing)
  }

  /// Takes no more requests.
  func close() { isClosing.withLock { $0 = true } }

  func refusal(of head: RequestHead) -> Response? {
    let isChinese = Language(accepting: head.headers["accept-language"]) == .chinese
    func text(_ english: String, _ chinese: String, _ status: Int) -> Response {
      .text(isChinese ? chinese : english, status: status)
    }
    switch access.refusal(of: head) {
    case .host: return text("This server has another name.", "此服务器使用其他名称。", 421)
    case .origin: return text("Another page may not ask this.", "不允许其他页面发送此请求。", 403)
    case .token:
      return text(
        "Open the address that \"formdraft serve\" printed when it started.",
        "请打开 “formdraft serve” 启动时显示的网址。", 403)
    case nil: break
    }
    if isClosing.withLock({ $0 }) { return .error(503, "closing", "the server is ending") }
    guard head.isReading || head.method == "POST" else {
      return .error(405, "method", "only GET and POST are known")
    }
    // A form of another page can send no JSON.
    if head.method == "POST", head.headers["content-type"]?.hasPrefix("application/json") != true {
      return .error(415, "contentType", "the body must be application/json")
    }
    return nil
  }

  func response(to head: RequestHead, body: [UInt8]) -> Response {
    do {
      guard let response = try head.isReading ? answer(to: head) : answer(to: head, body) else {
        return .error(404, "unknownPage", "there is nothing at \(head.path)")
      }
      return response
    } catch {
      return error.response
    }
  }

  // MARK: Reading

  private func answer(to head: RequestHead) throws -> Response? {
    let parts = head.parts
    switch parts.count {
    case 0: return page("list.html", head)
    case 1 where parts[0] == "state":
      let limit = head.query["limit"].flatMap(Int.init) ?? 500
      return .json(try listJSON(limit: min(max(limit, 1), 1_000_000)))
    case 2 where parts[0] == "assets":
      return Assets.file(String(parts[1])).map { Response(type: $0.type, .bytes($0.bytes)) }
    case 2 where parts[0] == "drafts" && DraftID(String(parts[1])) != nil:
      return page("form.html", head)
    case 3 where parts[0] == "drafts":
      guard let draft = try draft(parts[1]) else { return nil }
      switch parts[2] {
      case "state": return .json(try draft.page())
      case "changes" where head.method == "GET":
        let stream = draft.changes(for: head.query["client"] ?? "")
        return Response(type: "text/event-stream", .events(stream))
      default: return nil
      }
    default: return nil
    }
  }

  private func page(_ name: String, _ head: RequestHead) -> Response? {
    let language = Language(accepting: head.headers["accept-language"])
    guard let bytes = Assets.page(name, language: language) else { return nil }
    var response = Response(type: "text/html; charset=utf-8", .bytes(bytes))
    response.headers.append(("Vary", "Accept-Language"))
    // The page's script takes the token out of the address.
    if access.hasTokenInAddress(head) { response.headers.append(access.cookie) }
    return response
  }

  private func listJSON(limit: Int) throws -> JSONValue {
    let all = Set(DraftStatus.allCases)
    // One more than is shown tells whether there are more.
    let drafts = try store.drafts(DraftFilter(statuses: all, limit: limit + 1))
    return [
      "forms": .array(try store.formSummaries().map(\.json)),
      "drafts": .array(drafts.prefix(limit).map(\.json)), "hasMore": .bool(drafts.count > limit),
    ]
  }

  private func draft(_ id: Substring) throws -> OpenDraft? {
    try DraftID(String(id)).map(drafts.open)
  }

  // MARK: Doing

  private func answer(to head: RequestHead, _ body: [UInt8]) throws -> Response? {
    let parts = head.parts
    let json = body.isEmpty ? .object([:]) : try JSONValue(parsing: body)
    if parts == ["drafts"] { return try newDraft(json) }
    guard parts.count == 3, parts[0] == "drafts", let id = DraftID(String(parts[1])) else {
      return nil
    }
    switch parts[2] {
    case "discard":
      try drafts.open(id).session.flush()
      try store.discard(id)
      return .json([:])
    case "restore":
      try store.restore(id)
      return .json([:])
    default: break
    }
    let draft = try drafts.open(id)
    let client = json["client"]?.stringValue ?? ""
    switch parts[2] {
    case "events":
      // The page may show another version of the form than the draft has by now.
      let version = json["version"]?.integerValue.map(Int.init(clamping:))
      guard version == nil || version == draft.version else {
        return .error(409, "otherVersion", "the draft is of version \(draft.version) of its form")
      }
      return .json(draft.handle(try events(json), from: client))
    case "undo": return .json(try draft.move(isUndo: true, from: client))
    case "redo": return .json(try draft.move(isUndo: false, from: client))
    case "submit": return .json(try draft.submit(param, from: client))
    default: return nil
    }
  }

  private func newDraft(_ json: JSONValue) throws -> Response {
    guard let form = json["form"]?.stringValue else {
      return .error(400, "badRequest", "\"form\" is missing: the form's id")
    }
    let draft = try store.newDraft(of: form, version: json["version"]?.integerValue.map(Int.init))
    return .json(["id": .string(draft.id.description)], status: 201)
  }

  /// The events of a request: one, or several in `events`.
  private func events(_ json: JSONValue) throws -> [PageEvent] {
    try (json["events"]?.arrayValue ?? [json]).map(PageEvent.init(json:))
  }
}
