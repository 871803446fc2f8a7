import DraftStore
import FormModel
import FormSamples
import Testing

/// `Tests/Cases/formparam.json` through the store: saved, reopened, assembled.
@Suite struct ParamCasesTests {
  private static let cases =
    (try? JSONValue(parsing: Cases.text("formparam.json")))?.arrayValue ?? []

  @Test func thereAreCases() {
    #expect(Self.cases.count >= 14)
  }

  @Test(arguments: cases.indices)
  func aSavedAndReopenedDraftGivesTheFormParam(index: Int) throws {
    let entry = Self.cases[index]
    let form = try SampleForms.sample(try #require(entry["form"]?.stringValue))
    let test = try TestStore(form)
    let id = try test.store.newDraft(of: form.id, isWritten: true).id
    try test.store.edit(id) { edit in
      for member in entry["values"]?.objectValue?.members ?? [] {
        let field = try #require(form.fields().first { $0.key == member.key })
        let value = try? FieldValue(json: member.value, as: field.dataType)
        edit.set(value ?? .string(member.value.stringValue ?? ""), for: member.key)
      }
      for member in entry["repeat"]?.objectValue?.members ?? [] {
        let count = Int(member.value.arrayValue?[1].integerValue ?? 0)
        let text = member.value.arrayValue?[0].stringValue ?? ""
        edit.set(.string(String(repeating: text, count: count)), for: member.key)
      }
    }

    let options = FormParam.Options(
      filterServiceKeys: entry["filterServiceKeys"]?.arrayValue?.compactMap(\.stringValue) ?? [],
      filterValueTypes: entry["filterValueTypes"]?.arrayValue?
        .compactMap { $0.integerValue.map(Int.init) } ?? [])
    let store = try test.reopened()
    let param = try store.param(of: id, options: options)
    let expected = try #require(entry["expect"])
    #expect(param.isValid == expected["isValid"]?.boolValue)
    if let message = expected["firstErrorMsg"]?.stringValue {
      #expect(param.firstErrorMsg == message)
    }
    if let failing = expected["failing"]?.arrayValue {
      #expect(param.errors.map(\.key) == failing.compactMap(\.stringValue))
    }
    if let filtered = expected["filtered"]?.arrayValue {
      #expect(param.filteredKeys == filtered.compactMap(\.stringValue))
    }
    if let members = expected["param"]?.arrayValue {
      let object = JSONObject(
        members.map { member in
          let value = member.arrayValue?[1] ?? nil
          let digits = value["decimal"]?.stringValue.flatMap(DecimalNumber.init)
          return (member.arrayValue?[0].stringValue ?? "", digits.map(JSONValue.number) ?? value)
        })
      #expect(param.param == object)
      guard param.isValid else { return }
      #expect(try store.submit(id, options: options).param == object)
    }
  }
}
