import DraftStore
import DraftSync
import FormModel
import FormSamples
import Testing

@Suite("Requests of an upload")
struct RequestBuilderTests {
  private static let id = "0b1c5f0e-6a57-4d8c-9a53-2f1f0c4f6a11"

  private func builder(
    _ members: String = "", url: String = "https://host/records/{id}"
  ) throws -> RequestBuilder {
    let text = #"{"url": "\#(url)"\#(members.isEmpty ? "" : ", ")\#(members)}"#
    return RequestBuilder(
      settings: try SyncSettings(parsing: Array(text.utf8)), id: try #require(DraftID(Self.id)),
      form: "visit")
  }

  private let entries = [
    FormParam.Entry(serviceKey: "name", value: .string("Ann & Bö")),
    FormParam.Entry(serviceKey: "amount", value: .decimal(DecimalNumber("1.50") ?? 0)),
    FormParam.Entry(serviceKey: "tags", value: .tags([.string("a"), .string("b")])),
  ]
  private let tag = EntityTag(#""v1""#)

  private func change(
    _ builder: RequestBuilder, _ changes: [FieldChange], from tag: EntityTag? = EntityTag(#""v1""#)
  ) throws -> (type: String?, body: String) {
    let request = try builder.change(
      ChangeSet(changes: changes), to: entries, from: tag, idempotencyKey: "key")
    return (
      request.headers["content-type"], String(decoding: request.body, as: UTF8.self)
    )
  }

  private func refusal(_ make: () throws -> Void) -> RequestRefusal.Reason? {
    do {
      try make()
      return nil
    } catch {
      return (error as? RequestRefusal)?.reason
    }
  }

  @Test func making() throws {
    let request = try builder(#""headers": {"X-A": "b"}"#).create(entries, idempotencyKey: "k-1")
    #expect(request.method == "PUT")
    #expect(request.url == "https://host/records/\(Self.id)")
    #expect(request.headers["If-None-Match"] == "*")
    #expect(request.headers["Idempotency-Key"] == #""k-1""#)
    #expect(request.headers["X-A"] == "b")
    #expect(request.headers["Authorization"] == nil)
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"name":"Ann & Bö","amount":1.50,"tags":["a","b"]}"#)
    #expect(
      try builder(#""headers": {"X-A": "b"}"#).create(entries, idempotencyKey: "k-1") == request)
  }

  @Test func makingAsAWebForm() throws {
    let request = try builder(
      """
      "create": {"method": "POST", "form": "urlencoded", "url": "https://host/{form}"},
      "conditional": false, "idempotencyKey": "X-Request"
      """
    ).create(entries, idempotencyKey: "k-1")
    #expect(request.method == "POST")
    #expect(request.url == "https://host/visit")
    #expect(request.headers["If-None-Match"] == nil)
    #expect(request.headers["X-Request"] == "k-1")
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == "name=Ann+%26+B%C3%B6&amount=1.50&tags=a&tags=b")
  }

  @Test func mergePatches() throws {
    let request = try builder().change(
      ChangeSet(changes: [
        .changed("a", from: .integer(1), to: .integer(2)), .removed("b", .string("x")),
        .added("c", .string("")),
      ]), to: entries, from: tag, idempotencyKey: "k")
    #expect(request.method == "PATCH")
    #expect(request.headers["If-Match"] == #""v1""#)
    #expect(request.headers["Content-Type"] == "application/merge-patch+json")
    #expect(String(decoding: request.body, as: UTF8.self) == #"{"a":2,"b":null,"c":""}"#)
  }

  @Test func aJSONPatchWhereAMergePatchCannotSayIt() throws {
    let null = FieldChange.changed("a/b", from: .integer(1), to: .null)
    let nested = FieldChange.added("o", .json(["x": nil]))
    for (field, value) in [
      (null, #""replace","path":"/a~1b","value":null"#),
      (nested, #""add","path":"/o","value":{"x":null}"#),
    ] {
      let (type, body) = try change(try builder(), [field])
      #expect(type == "application/json-patch+json")
      #expect(body == #"[{"op":\#(value)}]"#)
    }
    let only = try builder(#""change": {"jsonPatchWhereNeeded": false}"#)
    #expect(refusal { _ = try change(only, [null]) } == .notExpressible)
  }

  @Test func theEnvelopeIsAroundBodiesAndBeforePaths() throws {
    let changes = [FieldChange.changed("a", from: .integer(1), to: .integer(2))]
    let merge = try change(try builder(#""envelope": "da/ta""#), changes)
    #expect(merge.body == #"{"da/ta":{"a":2}}"#)
    let patch = try change(
      try builder(#""envelope": "da/ta", "change": {"form": "json-patch"}"#), changes)
    #expect(patch.body == #"[{"op":"replace","path":"/da~1ta/a","value":2}]"#)
    let request = try builder(#""envelope": "data""#).create(entries, idempotencyKey: "k")
    #expect(String(decoding: request.body, as: UTF8.self).hasPrefix(#"{"data":{"name""#))
  }

  @Test func otherFormsOfAChange() throws {
    let set = FieldChange.changed("a", from: .integer(1), to: .integer(2))
    let null = FieldChange.changed("a", from: .integer(1), to: .null)
    let removed = FieldChange.removed("a", .integer(1))
    let cleared = FieldChange.changed("t", from: .tags([.string("x")]), to: .tags([]))
    let json = try builder(#""change": {"form": "json"}"#)
    #expect(try change(json, [null]) == ("application/json", #"{"a":null}"#))
    #expect(refusal { _ = try change(json, [removed]) } == .notExpressible)
    let pairs = try builder(#""change": {"form": "urlencoded"}"#)
    #expect(try change(pairs, [set]) == ("application/x-www-form-urlencoded", "a=2"))
    for field in [null, removed, cleared] {
      #expect(refusal { _ = try change(pairs, [field]) } == .notExpressible)
    }
    let full = try builder(#""change": {"method": "PUT"}"#)
    #expect(try change(full, [removed]).body.hasPrefix(#"{"name":"Ann"#))
    let form = try builder(#""change": {"method": "PUT", "form": "urlencoded"}"#)
    #expect(try change(form, [removed]).body.hasPrefix("name=Ann+"))
  }

  @Test func whatIsRefused() throws {
    let set = FieldChange.changed("a", from: .integer(1), to: .integer(2))
    let builder = try builder()
    #expect(refusal { _ = try change(builder, []) } == .nothingChanged)
    #expect(refusal { _ = try change(builder, [set], from: nil) } == .noEntityTag)
    #expect(
      refusal { _ = try change(builder, [set], from: EntityTag(#"W/"1""#)) } == .weakEntityTag)
    for key in ["", "a\"b", "a\r\nb", "é", String(repeating: "k", count: 300)] {
      #expect(refusal { _ = try builder.create(entries, idempotencyKey: key) } == .badKey)
    }
    let free = try self.builder(#""conditional": false"#)
    let request = try free.change(
      ChangeSet(changes: [set]), to: entries, from: nil, idempotencyKey: "k")
    #expect(request.headers["If-Match"] == nil)
  }

  @Test func addresses() throws {
    func url(_ template: String, _ value: String) throws -> String {
      try builder(url: template).fetch([.init(serviceKey: "no", value: .string(value))]).url
    }
    #expect(
      try url("https://host/{no}?q={no}", "a/b é") == "https://host/a%2Fb%20%C3%A9?q=a%2Fb%20%C3%A9"
    )
    #expect(try url("https://host/{form}/{id}", "") == "https://host/visit/\(Self.id)")
    for value in ["", ".", ".."] {
      #expect(refusal { _ = try url("https://host/{no}/x", value) } == .noAddress)
    }
    #expect(refusal { _ = try url("https://host/{missing}", "a") } == .noAddress)
  }

  @Test func fetching() throws {
    let request = try builder().fetch(unless: EntityTag(#"W/"1""#))
    #expect(request.method == "GET")
    #expect(!request.isMutation)
    #expect(request.headers["If-None-Match"] == #"W/"1""#)
    #expect(request.headers["Accept-Encoding"] == "identity")
    let authorized = request.authorized(by: .init(name: "Authorization", value: "Bearer x"))
    #expect(authorized.headers["authorization"] == "Bearer x")
    #expect(request.authorized(by: nil) == request)
  }

  @Test(arguments: [1, 2, 3, 7, 8])
  func partsByFields(_ limit: Int) throws {
    let changes = ChangeSet(
      base: 4, changes: (0..<7).map { .added("k\($0)", .integer(Int64($0))) })
    let parts = try builder(#""maximumFieldsPerRequest": \#(limit)"#)
      .parts(of: changes, to: entries)
    #expect(parts.flatMap(\.changes) == changes.changes)
    #expect(parts.count == (7 + limit - 1) / limit)
    #expect(parts.allSatisfy { $0.changes.count <= limit && $0.base == 4 })
  }

  @Test func partsByBytes() throws {
    let builder = try builder(#""maximumBytesPerRequest": 300"#)
    let text = String(repeating: "x", count: 60)
    let changes = ChangeSet(changes: (0..<20).map { .added("key\($0)", .string(text)) })
    let parts = try builder.parts(of: changes, to: entries)
    #expect(parts.flatMap(\.changes) == changes.changes)
    #expect(parts.count > 4)
    for part in parts {
      let request = try builder.change(part, to: entries, from: tag, idempotencyKey: "k")
      #expect(request.body.count <= 300)
    }
    let huge = ChangeSet(changes: [.added("big", .string(String(repeating: text, count: 9)))])
    #expect(refusal { _ = try builder.parts(of: huge, to: entries) } == .tooLarge)
    #expect(try builder.parts(of: ChangeSet(changes: []), to: entries).isEmpty)
  }

  // A law: whichever patch is chosen, applied to the base it gives the target.
  @Test func patchesLeadFromTheBaseToTheTarget() throws {
    var generator = SeededGenerator(seed: 20)
    let builder = try builder()
    for _ in 0..<500 {
      func value() -> FieldValue {
        switch generator.int(0...4) {
        case 0: .null
        case 1: .integer(Int64(generator.int(0...3)))
        case 2: .json(["x": nil, "y": [nil]])
        case 3: .json(["x": ["y": .number(DecimalNumber(Int64(generator.int(0...3))))], "z": 1])
        default: .json(["x": ["w": 2], "q": []])
        }
      }
      let old = ["a", "b", "c/d"].filter { _ in generator.oneIn(2) }
        .map { FormParam.Entry(serviceKey: $0, value: value()) }
      let new = ["b", "c/d", "e"].filter { _ in generator.oneIn(2) }
        .map { FormParam.Entry(serviceKey: $0, value: value()) }
      let changes = ChangeSet(from: old, to: new)
      guard !changes.isEmpty else { continue }
      let request = try builder.change(changes, to: new, from: tag, idempotencyKey: "k")
      let text = String(decoding: request.body, as: UTF8.self)
      let result =
        request.headers["Content-Type"] == "application/json-patch+json"
        ? try JSONPatch(parsing: text).applied(to: .object(old.param))
        : try MergePatch(parsing: text).applied(to: .object(old.param))
      #expect(result.isEquivalent(to: .object(new.param)), "\(text)")
    }
  }
}
