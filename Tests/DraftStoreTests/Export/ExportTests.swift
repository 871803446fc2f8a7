import DraftStore
import FormModel
import FormSamples
import Testing

extension DraftStore {
  /// All bytes of an export.
  func exported(_ options: ExportOptions) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try export(options) { bytes += $0 }
    return bytes
  }
}

@Suite struct ExportTests {
  let test: TestStore
  var store: DraftStore { test.store }

  init() throws {
    test = try TestStore(SampleForms.everything)
  }

  private func draft(_ values: [(String, FieldValue)]) throws -> DraftID {
    let id = try store.newDraft(of: "everything", title: "T", subject: "S").id
    try store.edit(id) { edit in
      for (key, value) in values { edit.set(value, for: key) }
    }
    return id
  }

  @Test func anEmptyStoreIsExportedAsNothing() throws {
    for scope in RecordScope.allCases {
      func text(_ format: ExportFormat) throws -> String {
        String(
          decoding: try store.exported(ExportOptions(format: format, scope: scope)), as: UTF8.self)
      }
      #expect(try JSONValue(parsing: text(.json)) == [])
      #expect(try text(.ndjson).isEmpty && text(.urlencoded).isEmpty)
      #expect(try CSVReader.rows(in: Array(text(.csv).utf8)).count == 1)
    }
    #expect(try store.export(ExportOptions(format: .json)) { _ in } == 0)
  }

  @Test func aRecordTellsWhatItIsOf() throws {
    let id = try draft([("string", .string("x")), ("memo", .string("mine alone"))])
    let submission = try store.submit(id)
    let when = JSONValue.string(test.clock.now.description)
    let drafts = try JSONValue(
      parsing: store.exported(ExportOptions(format: .json, scope: .drafts)))
    #expect(
      drafts == [
        [
          "draft": .string(id.description), "form": "everything", "version": 1,
          "status": "submitted", "title": "T", "subject": "S", "revision": 1, "createdAt": when,
          "updatedAt": when, "values": ["string": "x"],
        ]
      ])
    let submissions = try JSONValue(parsing: store.exported(ExportOptions(format: .json)))
    #expect(
      submissions == [
        [
          "draft": .string(id.description), "form": "everything", "version": 1, "submission": 1,
          "title": "T", "subject": "S", "createdAt": when, "param": .object(submission.param),
        ]
      ])
  }

  @Test func naughtyStringsSurviveEveryFormat() throws {
    let texts = try JSONValue(parsing: Cases.text("values/naughty-strings.json")).arrayValue ?? []
    let strings = texts.compactMap(\.stringValue)
    try store.addDrafts(
      of: "everything", values: strings.map { [("string", .string($0))] })
    func same(_ read: [String?]) -> Bool {
      read.count == strings.count
        && zip(read, strings).allSatisfy { $0.0?.hasSameBytes(as: $0.1) == true }
    }
    let json = try JSONValue(parsing: store.exported(ExportOptions(format: .json, scope: .drafts)))
    #expect(same(json.arrayValue?.map { $0["values"]?["string"]?.stringValue } ?? []))

    for isGuarded in [true, false] {
      for hasMark in [true, false] {
        let options = ExportOptions(
          format: .csv, scope: .drafts, guardsFormulas: isGuarded, byteOrderMark: hasMark)
        let bytes = try store.exported(options)
        #expect(bytes.starts(with: [0xEF, 0xBB, 0xBF]) == hasMark)
        let rows = try CSVReader.rows(in: bytes, guardsFormulas: isGuarded)
        let column = try #require(rows[0].firstIndex(of: .text("string")))
        #expect(
          same(
            rows.dropFirst().map { row in
              if case .text(let text) = row[column] { text } else { nil }
            }))
      }
    }
    let lines = try store.exported(ExportOptions(format: .urlencoded, scope: .drafts))
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    #expect(same(lines.map { URLEncodedForm.parse(String(decoding: $0, as: UTF8.self))[0].value }))
  }

  @Test func formulasAreNeutralisedUnlessThatIsTurnedOffAndNumbersStayNumbers() throws {
    let id = try draft([
      ("string", .string("=SUM(A1)")), ("integer", .integer(-5)),
      ("decimal", .typed("-1.50", as: .decimal)), ("option", .option("1")),
    ])
    try store.edit(id) { $0.title = "@cmd" }
    func text(_ isGuarded: Bool) throws -> String {
      let options = ExportOptions(format: .csv, scope: .drafts, guardsFormulas: isGuarded)
      return String(decoding: try store.exported(options), as: UTF8.self)
    }
    #expect(try text(true).contains("\"'=SUM(A1)\",-5,-1.50,"))
    #expect(try text(true).contains("\"'@cmd\""))
    #expect(try text(false).contains("\"=SUM(A1)\",-5,-1.50,"))
    #expect(try text(false).contains("\"@cmd\""))
  }

  @Test func columnsComeInTheOrderOfTheNewestFormThatHasThem() throws {
    let old = SampleForms.form("f", SampleForms.input("gone"), SampleForms.input("b"))
    try store.add(old)
    let first = try store.newDraft(of: "f").id
    try store.edit(first) {
      $0.set(.string("1"), for: "gone")
      $0.set(.string("2"), for: "b")
    }
    try store.submit(first)
    try store.add(SampleForms.form("f", SampleForms.input("b"), SampleForms.input("a")))
    let second = try store.newDraft(of: "f").id
    try store.set(.string("3"), for: "a", in: second)
    let added = [FormParam.Entry(serviceKey: "token", value: .json(["x": nil]))]
    try store.submit(second, adding: added)

    let rows = try CSVReader.rows(in: store.exported(ExportOptions(format: .csv, form: "f")))
    let head = rows[0].map { if case .text(let text) = $0 { text } else { "" } }
    #expect(
      head == [
        "_draft", "_form", "_version", "_submission", "_title", "_subject", "_createdAt", "b", "a",
        "gone", "token",
      ])
    #expect(rows[1].suffix(4) == [.text("2"), .absent, .text("1"), .absent])
    #expect(rows[2].suffix(4) == [.absent, .text("3"), .absent, .text("{\"x\":null}")])
    // The app's keys of another form are no columns of this one.
    let others = try CSVReader.rows(
      in: store.exported(ExportOptions(format: .csv, form: "everything")))
    #expect(!others[0].contains(.text("token")))
  }

  @Test func aServiceKeyThatLooksLikeAColumnOfOursMovesOurs() throws {
    try store.add(
      SampleForms.form("f", SampleForms.input("_draft"), SampleForms.input("__title")))
    let rows = try CSVReader.rows(
      in: store.exported(ExportOptions(format: .csv, scope: .drafts, form: "f")))
    #expect(rows[0].first == .text("___draft"))
    #expect(rows[0].suffix(2) == [.text("_draft"), .text("__title")])
  }

  @Test func formAndStatusNarrowAnExport() throws {
    try store.add(SampleForms.form("other", SampleForms.input("string")))
    let kept = try draft([("string", .string("1"))])
    let discarded = try draft([("string", .string("2"))])
    let other = try store.newDraft(of: "other").id
    try store.set(.string("3"), for: "string", in: other)
    for id in [kept, discarded, other] { try store.submit(id) }
    try store.set(.string("edited"), for: "string", in: kept)
    try store.discard(discarded)
    for scope in RecordScope.allCases {
      func ids(_ form: String?, _ statuses: Set<DraftStatus>?) throws -> [String] {
        let json = try JSONValue(
          parsing: store.exported(
            ExportOptions(format: .json, scope: scope, form: form, statuses: statuses)))
        return json.arrayValue?.compactMap { $0["draft"]?.stringValue } ?? []
      }
      #expect(try ids(nil, nil) == [kept, other].map(\.description))
      #expect(try ids("everything", nil) == [kept.description])
      #expect(try ids(nil, [.discarded]) == [discarded.description])
      #expect(try ids(nil, [.submitted]) == [other.description])
      #expect(try ids(nil, []).isEmpty)
    }
    let unknown = storeError { _ = try store.exported(ExportOptions(format: .csv, form: "none")) }
    #expect(unknown?.code == "unknownForm")
  }

  @Test func manyRecordsComeInPiecesWithTheirProgress() throws {
    let long = String(repeating: "长", count: 300)
    try store.addDrafts(
      of: "everything", values: (0..<500).lazy.map { _ in [("string", .string(long))] })
    var sizes: [Int] = []
    var progress: [Int] = []
    let options = ExportOptions(format: .ndjson, scope: .drafts)
    let count = try store.export(options) { done, total in
      #expect(total == 500)
      progress.append(done)
    } to: { bytes in
      sizes.append(bytes.count)
    }
    #expect(count == 500 && sizes.count > 5 && sizes.allSatisfy { $0 < 80_000 })
    #expect(progress == progress.sorted() && progress.first == 0 && progress.last == 500)

    struct Stop: Error {}
    #expect(throws: Stop.self) { try store.export(options) { _ in throw Stop() } }
    #expect(try store.exported(options).count == sizes.reduce(0, +))
  }
}
