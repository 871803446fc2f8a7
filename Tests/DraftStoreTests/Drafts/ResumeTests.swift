import DraftStore
import FormModel
import FormSamples
import Testing

/// Every value of `Tests/Cases/values` comes back as it was put in.
@Suite struct ResumeTests {
  /// A draft a value, saved one by one, then read by this store and by the reopened file.
  private func check(_ values: [(key: String, value: FieldValue, note: String)]) throws {
    #expect(!values.isEmpty)
    let test = try TestStore(SampleForms.everything)
    var ids: [DraftID] = []
    for (key, value, _) in values {
      let id = try test.store.newDraft(of: "everything").id
      try test.store.set(value, for: key, in: id)
      ids.append(id)
    }
    let stores = [test.store, try test.reopened()]
    for (store, isReopened) in zip(stores, [false, true]) where isReopened {
      for (id, (key, value, note)) in zip(ids, values) {
        let draft = try store.draft(id)
        #expect(draft[key] == value, "\(note)")
        #expect(draft[key]?.json.jsonText == value.json.jsonText, "\(note)")
        // Resuming and saving what was resumed changes nothing.
        #expect(try store.set(draft[key], for: key, in: id).changedKeys.isEmpty, "\(note)")
      }
    }
    #expect(try stores[1].check().isEmpty)
  }

  private func list(_ name: String) throws -> [JSONValue] {
    let json = try JSONValue(parsing: Cases.text("values/\(name).json"))
    return json.arrayValue ?? json["values"]?.arrayValue ?? []
  }

  @Test func naughtyStrings() throws {
    try check(
      list("naughty-strings").compactMap(\.stringValue).flatMap { text in
        [("string", .string(text), text), ("memo", .string(text), text)]
      })
  }

  @Test func valuesThatBreakFormStores() throws {
    var values: [(key: String, value: FieldValue, note: String)] = []
    for entry in try list("values") {
      guard let text = entry["json"]?.stringValue, let json = try? JSONValue(parsing: text) else {
        continue
      }
      let note = entry["id"]?.stringValue ?? ""
      switch json {
      case .string(let text):
        values.append(("string", .string(text), note))
        if entry["field"]?.stringValue == "number" {
          values.append(("decimal", .string(text), note))
        }
        if let hex = entry["utf8_hex"]?.stringValue {
          let bytes = text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
          #expect(bytes == hex, "\(note)")
        }
      case .number(let number):
        values.append(("decimal", .decimal(number), note))
        values.append(("json", .json(json), note))
      default: values.append(("json", .json(json), note))
      }
    }
    try check(values)
  }

  @Test func identityNumbersAndNames() throws {
    try check(
      list("identity").compactMap { $0["value"]?.stringValue }.map { ("string", .string($0), $0) })
  }

  @Test func datesAndTimes() throws {
    try check(
      list("dates").compactMap { $0["value"]?.stringValue }.flatMap { text in
        [DataType.date, .time, .dateTime].map { type in
          (type.rawValue, FieldValue.typed(text, as: type), text)
        } + [("string", .string(text), text)]
      })
  }

  @Test func typedValues() throws {
    let json = try JSONValue(parsing: Cases.text("values/typed-values.json"))
    var values: [(key: String, value: FieldValue, note: String)] = []
    for type in DataType.allCases {
      for entry in json[type.rawValue]?.arrayValue ?? [] {
        let value =
          switch type {
          case .boolean: FieldValue.boolean(entry == true)
          case .json: FieldValue.json(entry)
          default: FieldValue.typed(entry.stringValue ?? "", as: type)
          }
        #expect(value.isOf(type), "\(entry)")
        values.append((type.rawValue, value, "\(entry)"))
      }
    }
    values.append(("string", .string(String(repeating: "长", count: 1_000_000)), "long"))
    try check(values)
  }

  @Test func textThatIsNoValueIsKeptAndOnlySubmissionRefusesIt() throws {
    let test = try TestStore(SampleForms.everything)
    let json = try JSONValue(parsing: Cases.text("values/typed-values.json"))
    for type in DataType.allCases {
      for entry in json["\(type)_refuse"]?.arrayValue ?? [] {
        guard let text = entry.stringValue, !text.isEmpty else { continue }
        let id = try test.store.newDraft(of: "everything").id
        try test.store.set(.string(text), for: type.rawValue, in: id)
        let draft = try test.store.draft(id)
        #expect(draft[type.rawValue] == .string(text))
        let form = try test.store.form("everything")
        #expect(draft.needsAttention(in: form).map(\.reason) == [.type], "\(type) \(text)")
        #expect(try test.store.param(of: id).errors.map(\.key) == [type.rawValue])
        #expect(storeError { try test.store.submit(id) }?.code == "notValid")
      }
    }
  }

  @Test func aClearedFieldNeedsNoAttention() throws {
    let test = try TestStore(SampleForms.everything)
    let id = try test.store.newDraft(of: "everything").id
    for key in ["integer", "date", "option", "tags"] {
      try test.store.set(.string(""), for: key, in: id)
    }
    let draft = try test.store.draft(id)
    #expect(draft.fields.isEmpty)
    #expect(draft.needsAttention(in: try test.store.form("everything")).isEmpty)
    #expect(try test.store.param(of: id).isValid)
  }

  @Test func resumingWritesNothingHoweverOften() throws {
    let test = try TestStore(SampleForms.everything)
    let id = try test.store.newDraft(of: "everything").id
    try test.store.edit(id, EditTests.oneOfEach)
    try test.store.focus(on: "dateTime", in: id)
    let store = try test.reopened()
    let first = try store.draft(id)
    #expect(first.focus == "dateTime")
    let isWritten = try test.writes {
      for _ in 0..<100 {
        let draft = try store.draft(id)
        #expect(draft == first)
        _ = draft.currentValues(in: try store.form("everything"))
        _ = try store.param(of: id)
      }
    }
    #expect(!isWritten)
  }

  @Test func randomDraftsComeBackAsTheyWere() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<25 {
      let form = RandomForm.form(using: &random)
      let test = try TestStore(form)
      let id = try test.store.newDraft(of: form.id).id
      let values = RandomForm.values(for: form, using: &random)
      try test.store.edit(id) { edit in
        for (key, value) in values { edit.set(value, for: key) }
      }
      let store = try test.reopened()
      let draft = try values.isEmpty ? nil : store.draft(id)
      #expect(draft?.fields.count ?? 0 == values.count)
      for field in form.fields() {
        var expected = values[field.key]
        if case .string(let text)? = expected, !text.isEmpty, field.dataType != .json {
          // Text that denotes a value of the field's type has become that value.
          expected = field.typed(text)
        }
        #expect(draft?[field.key]?.json == expected?.json)
      }
      let again = try store.writeAgain(draft)
      #expect(again.isEmpty)
    }
  }
}

extension DraftStore {
  /// Saves a draft's own values once more. The keys that changed.
  fileprivate func writeAgain(_ draft: Draft?) throws -> [String] {
    guard let draft else { return [] }
    return try edit(draft.id) { edit in
      for field in draft.fields { edit.set(field.value, for: field.key) }
    }.changedKeys
  }
}
