import FormModel
import FormSamples
import Testing

/// Laws that hold for every form and all values.
@Suite struct RandomFormTests {
  @Test(arguments: 0..<200 as Range<UInt64>)
  func aDefinitionReadsBackTheSame(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let form = RandomForm.form(using: &random)
    try form.check()
    let text = form.definition.jsonText
    let read = try Form(definition: form.definition)
    #expect(read == form)
    #expect(read.definition.jsonText == text)
    #expect(read.fingerprint == form.fingerprint)
    #expect(try Form(definition: text) == form)
    #expect(try Form(definition: form.definition.prettyText).definition == form.definition)
  }

  @Test func aSeedGivesOneForm() {
    var (a, b) = (SeededGenerator(seed: 7), SeededGenerator(seed: 7))
    let (first, second) = (RandomForm.form(using: &a), RandomForm.form(using: &b))
    #expect(first == second && first.definition == second.definition)
    #expect(
      RandomForm.values(for: first, using: &a) == RandomForm.values(for: second, using: &b))
  }

  @Test func allKindsAppear() {
    var random = SeededGenerator(seed: 1)
    var kinds: Set<String> = []
    for _ in 0..<50 {
      for row in RandomForm.form(using: &random).definition["sections"]?.arrayValue ?? [] {
        kinds.formUnion(row["rows"]?.arrayValue?.compactMap { $0["kind"]?.stringValue } ?? [])
      }
    }
    #expect(kinds == ["text", "input", "option", "pair", "tags", "custom"])
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func aFormParamKeepsItsPromises(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let form = RandomForm.form(using: &random)
    let values = RandomForm.values(for: form, using: &random)
    let prepared = PreparedForm(form)
    let status = FormStatus(prepared, values: values, registry: RuleRegistry())
    let all = FormParam(prepared, values: values)
    #expect(all.isValid == all.errors.isEmpty)
    #expect(all.isValid || all.entries.isEmpty)
    #expect(all.firstErrorMsg == all.errors.first?.message)
    #expect(all.filteredRows.isEmpty && all.filteredKeys.isEmpty)

    // Form order, each key once, only what is visible and has a service key.
    let order = all.entries.compactMap { prepared.index(of: $0.serviceKey) }
    #expect(order == order.sorted() && Set(order).count == all.entries.count)
    #expect(order.allSatisfy { prepared.fields[$0].isSubmitted })
    #expect(order.allSatisfy { status.isVisible[prepared.fields[$0].rowIndex] })
    for error in all.errors {
      let field = prepared.field(error.key)
      #expect(field.map { status.isVisible[$0.rowIndex] } == true)
      #expect(!error.message.isEmpty || field?.verify.errorMsg == "")
    }

    // Compatible mode refuses no more than strict mode.
    let compatible = FormParam(prepared, values: values, options: .init(mode: .compatible))
    #expect(compatible.errors.allSatisfy { $0.reason == .required })
    #expect(compatible.errors.count <= all.errors.count)

    // A filter changes nothing of what is verified, and parts the keys in two.
    let types = [0, 1]
    let filtered = FormParam(prepared, values: values, options: .init(filterValueTypes: types))
    #expect(filtered.errors == all.errors)
    #expect(filtered.filteredRows.allSatisfy { types.contains($0.valueType) })
    #expect(Set(filtered.filteredKeys).isDisjoint(with: filtered.entries.map(\.serviceKey)))
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func aLenientFormTakesEveryValueOfItsType(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let form = RandomForm.form(using: &random, isLenient: true)
    let values = RandomForm.values(for: form, using: &random, isValid: true)
    let result = FormParam(form, values: values)
    #expect(result.errors == [])
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func valuesReadBackFromTheirJSON(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let form = RandomForm.form(using: &random, isLenient: true)
    for field in form.fields() {
      let value = RandomForm.value(for: field, using: &random, isValid: true)
      let read = try JSONValue(parsing: value.json.jsonText)
      #expect(try FieldValue(json: read, as: field.dataType) == value, "\(field.dataType)")
    }
  }
}
