import DraftStore
import FormModel
import FormSamples
import Testing

/// What is exported of random forms and values reads back as the same values.
@Suite struct ExportPropertyTests {
  private typealias Record = [(key: String, value: FieldValue)]

  /// A store of random forms, some in two versions, with drafts that are submitted.
  private static func randomStore(_ random: inout SeededGenerator) throws -> TestStore {
    let test = try TestStore()
    for index in 0..<3 {
      for version in 1...random.int(1...2) {
        var form = RandomForm.form(using: &random, isLenient: true)
        form.id = "form\(index)"
        // A form without a submitted field has nothing to tell apart.
        form.sections.append(Section(rows: [SampleForms.input("last\(version)")]))
        try test.store.add(form)
        for _ in 0..<4 {
          let id = try test.store.newDraft(of: form.id, isWritten: true).id
          try test.store.edit(id) { edit in
            let values = RandomForm.values(for: form, using: &random, isValid: true)
            for (key, value) in values { edit.set(value, for: key) }
          }
          try test.store.submit(id)
        }
      }
    }
    return test
  }

  /// The records that must be exported, in their order.
  private static func records(_ store: DraftStore, _ scope: RecordScope) throws -> [Record] {
    let ids = try store.drafts().map(\.id)
    let byAge =
      try JSONValue(
        parsing: store.exported(ExportOptions(format: .json, scope: .drafts))
      ).arrayValue?.compactMap { $0["draft"]?.stringValue } ?? []
    #expect(Set(byAge) == Set(ids.map(\.description)) && byAge.count == ids.count)
    return try byAge.map { name in
      let id = try store.draftID(named: name)
      if scope == .submissions {
        return try store.submission(of: id).entries.map { ($0.serviceKey, $0.value) }
      }
      let draft = try store.draft(id)
      let form = try store.form(draft.form, version: draft.version)
      return draft.currentValues(in: form).filter(\.field.isSubmitted)
        .map { ($0.field.key, $0.value) }
    }
  }

  @Test(arguments: RecordScope.allCases, 1...6)
  func whatIsExportedReadsBack(scope: RecordScope, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let test = try Self.randomStore(&random)
    let records = try Self.records(test.store, scope)
    #expect(records.count >= 12)
    func bytes(_ format: ExportFormat) throws -> [UInt8] {
      let options = ExportOptions(format: format, scope: scope)
      let bytes = try test.store.exported(options)
      // Twice, and by another program, the same bytes.
      #expect(try test.other().exported(options) == bytes)
      return bytes
    }

    let member = scope == .drafts ? "values" : "param"
    let objects = records.map { record in
      JSONValue.object(JSONObject(record.map { ($0.key, $0.value.json) }))
    }
    let array = try JSONValue(parsing: bytes(.json)).arrayValue ?? []
    #expect(array.map { $0[member] } == objects)
    let lines = try bytes(.ndjson).split(separator: UInt8(ascii: "\n"))
    #expect(try lines.map { try JSONValue(parsing: Array($0))[member] } == objects)

    let bodies = try bytes(.urlencoded)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    #expect(bodies.count == records.count)
    for (body, record) in zip(bodies, records) { try Self.checkBody(body, record) }

    let rows = try CSVReader.rows(in: bytes(.csv))
    let head = rows[0].map { if case .text(let text) = $0 { text } else { "" } }
    #expect(rows.count == records.count + 1)
    for (row, record) in zip(rows.dropFirst(), records) {
      #expect(row.count == head.count)
      for (cell, key) in zip(row, head) where !key.hasPrefix("_") {
        let value = record.first { $0.key.hasSameBytes(as: key) }?.value
        #expect(try Self.reads(cell, as: value), "\(key): \(cell)")
      }
    }
  }

  private static func checkBody(_ body: ArraySlice<UInt8>, _ record: Record) throws {
    let expected = record.flatMap { key, value in
      if case .tags(let ids) = value { return ids.map { "\(key)=\($0)" } }
      return ["\(key)=\(value.text)"]
    }
    let read = URLEncodedForm.parse(String(decoding: body, as: UTF8.self))
      .map { "\($0.name)=\($0.value)" }
    #expect(read.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
  }

  /// Whether a cell denotes a value, read by the value's own type.
  private static func reads(_ cell: CSVCell, as value: FieldValue?) throws -> Bool {
    switch (cell, value) {
    case (.absent, nil): true
    case (.literal("null"), .null?): true
    case (.literal(let text), .integer?), (.literal(let text), .option(.number)?),
      (.literal(let text), .decimal?), (.literal(let text), .boolean?):
      try JSONValue(parsing: text) == value?.json
    case (.text(let text), .tags?), (.text(let text), .json?):
      try JSONValue(parsing: text) == value?.json
    case (.text(let text), let value?): value.text.hasSameBytes(as: text)
    default: false
    }
  }
}
