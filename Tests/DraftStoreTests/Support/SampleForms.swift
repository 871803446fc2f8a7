import FormModel
import FormSamples

/// Forms for tests.
enum SampleForms {
  static func input(
    _ serviceKey: String, _ type: DataType = .string, required: Bool = false, rule: Rule? = nil,
    formerKeys: [String] = []
  ) -> Row {
    Row(
      key: "", serviceKey: serviceKey,
      kind: .input(InputContent(dataType: type, verify: Verify(rule: rule))),
      requiredType: required ? .required : .none, formerKeys: formerKeys)
  }

  static func option(
    _ serviceKey: String, _ ids: [OptionID], selectedIndex: Int? = nil
  ) -> Row {
    Row(
      key: "", serviceKey: serviceKey,
      kind: .option(
        OptionContent(ids.map { Option($0, "label") }, selectedIndex: selectedIndex)))
  }

  static func tags(
    _ serviceKey: String, _ ids: [OptionID], _ selection: TagsContent.Selection = .multiple,
    least: Int = 0
  ) -> Row {
    Row(
      key: "", serviceKey: serviceKey,
      kind: .tags(
        TagsContent(
          ids.map { Tag($0, "name of \($0)") }, selection: selection, leastChoiceCount: least)))
  }

  static func json(_ serviceKey: String) -> Row {
    Row(key: "", serviceKey: serviceKey, kind: .custom(CustomContent("cell")))
  }

  static func form(_ id: String, _ rows: Row...) -> Form {
    Form(id: id, title: id, sections: [Section(rows: rows)])
  }

  /// A row of each type, under the type's name, and one that is not submitted.
  static let everything = form(
    "everything", input("string"), input("integer", .integer), input("decimal", .decimal),
    input("boolean", .boolean), input("date", .date), input("time", .time),
    input("dateTime", .dateTime), option("option", [1, "1", "b", "c"]),
    tags("tags", ["a", "b,c", "d e", 1, "1", "🏷️\n\"'"]), json("json"),
    Row(key: "memo", kind: .input(InputContent())))

  /// One of the forms in `Tests/Cases/forms`.
  static func sample(_ name: String) throws -> Form {
    try Form(definition: Cases.text("forms/\(name).json"))
  }
}
