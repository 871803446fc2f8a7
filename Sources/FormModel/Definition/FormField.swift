/// One value of a form: a row's, or one half of a pair's.
///
/// A form's fields are its rows flattened, each with the key under which a draft keeps its value.
/// They never change; as a class they are cheap to hand around.
public final class FormField: Sendable {
  /// What a draft keeps the value under: the service key, or the row's label where it has none.
  public let key: String
  /// Whether the value is submitted, under ``key``.
  public let isSubmitted: Bool
  /// The row's label.
  public let label: String
  public let dataType: DataType
  /// The value that holds until another is saved.
  public let defaultValue: FieldValue?
  public let verify: Verify
  /// The row's place among all rows, counted from 0.
  public let rowIndex: Int
  public let requiredType: RequiredType
  public let valueType: Int
  /// Earlier keys, under which a draft of an older version kept the value.
  public let formerKeys: [String]
  public let isSensitive: Bool
  public let content: Content

  /// What the field is made of.
  public enum Content: Hashable, Sendable {
    case text
    case input(InputContent)
    case options([Option])
    case tags(TagsContent)
    case custom(String)
  }

  init(
    key: String, isSubmitted: Bool, label: String, dataType: DataType, defaultValue: FieldValue?,
    verify: Verify, rowIndex: Int, requiredType: RequiredType, valueType: Int,
    formerKeys: [String], isSensitive: Bool, content: Content
  ) {
    self.key = key
    self.isSubmitted = isSubmitted
    self.label = label
    self.dataType = dataType
    self.defaultValue = defaultValue
    self.verify = verify
    self.rowIndex = rowIndex
    self.requiredType = requiredType
    self.valueType = valueType
    self.formerKeys = formerKeys
    self.isSensitive = isSensitive
    self.content = content
  }

  /// The value that was typed into this field: an option's id by its text, text that denotes no
  /// value of the field's type as the `string` it is.
  public func typed(_ text: String) -> FieldValue {
    switch content {
    case .options(let options):
      let ids = options.map(\.id)
      return .option(ids.first { $0.description.hasSameBytes(as: text) } ?? .string(text))
    case .tags(let tags):
      if let list = try? FieldValue(parsing: text, as: .tags) { return list }
      let ids = tags.tags.map(\.id)
      return .tags([ids.first { $0.description.hasSameBytes(as: text) } ?? .string(text)])
    default:
      return .typed(text, as: dataType)
    }
  }

  /// A value as a draft keeps it: text that denotes a value of the field's type becomes that value,
  /// other text stays, and a list of tags names each tag once. Nil, for no value, where the text of a
  /// field that is not text was emptied.
  package func kept(_ value: FieldValue) -> FieldValue? {
    switch value {
    case _ where dataType == .json: return .json(value.json)
    case .string(let text) where dataType != .string: return text.isEmpty ? nil : typed(text)
    case .integer(let number) where dataType == .decimal: return .decimal(DecimalNumber(number))
    case .tags(let ids) where dataType == .tags:
      var distinct: [OptionID] = []
      for id in ids where !distinct.contains(id) { distinct.append(id) }
      return .tags(distinct)
    default: return value
    }
  }

  /// The value as it is submitted: without format separators; tags in the form's order; a single
  /// choice from tags as its id alone.
  public func submitted(_ value: FieldValue) -> FieldValue {
    switch (content, value) {
    case (.input(let input), .string(let text)):
      input.format.map { .string($0.submitted(text)) } ?? value
    case (.tags(let tags), .tags(let ids)) where tags.selection == .multiple:
      .tags(tags.ordered(ids))
    case (.tags, .tags(let ids)) where ids.count == 1: .option(ids[0])
    default: value
    }
  }
}

extension Form {
  /// The fields in form order.
  public func fields() -> [FormField] {
    var fields: [FormField] = []
    for (index, row) in rows.enumerated() { fields += row.fields(rowIndex: index) }
    return fields
  }
}

extension Row {
  /// The fields of the row: one, or two for a pair.
  func fields(rowIndex: Int) -> [FormField] {
    switch kind {
    case .text(let text):
      [
        field(
          rowIndex, dataType: text.dataType, defaultValue: text.value, verify: Verify(),
          content: .text)
      ]
    case .input(let input):
      [
        field(rowIndex, dataType: input.dataType, verify: input.verify, content: .input(input))
      ]
    case .option(let option):
      [
        field(
          rowIndex, dataType: .option,
          defaultValue: Self.selected(option.options, option.selectedIndex),
          verify: option.verify, content: .options(option.options))
      ]
    case .pair(let pair):
      [leftField(pair, rowIndex), rightField(pair.right, rowIndex)]
    case .tags(let tags):
      [field(rowIndex, dataType: .tags, verify: tags.verify, content: .tags(tags))]
    case .custom(let custom):
      [
        field(
          rowIndex, dataType: custom.dataType, verify: custom.verify,
          content: .custom(custom.customIdentifier))
      ]
    }
  }

  private func leftField(_ pair: PairContent, _ rowIndex: Int) -> FormField {
    switch pair.left {
    case .input(let input):
      field(
        rowIndex, key: pair.serviceKey, dataType: input.dataType, verify: input.verify,
        content: .input(input))
    case .option(let option):
      field(
        rowIndex, key: pair.serviceKey, dataType: .option,
        defaultValue: Self.selected(option.options, option.selectedIndex),
        verify: option.verify, content: .options(option.options))
    }
  }

  private func rightField(_ right: RightSelector, _ rowIndex: Int) -> FormField {
    field(
      rowIndex, key: right.httpParameterKey, dataType: .option,
      defaultValue: Self.selected(right.options, right.selectedIndex), verify: right.verify,
      content: .options(right.options), formerKeys: [])
  }

  private func field(
    _ rowIndex: Int, key: String? = nil, dataType: DataType, defaultValue: FieldValue? = nil,
    verify: Verify, content: FormField.Content, formerKeys: [String]? = nil
  ) -> FormField {
    let serviceKey = key ?? serviceKey ?? ""
    return FormField(
      key: serviceKey.isEmpty ? self.key : serviceKey, isSubmitted: !serviceKey.isEmpty,
      label: self.key.isEmpty ? serviceKey : self.key, dataType: dataType,
      defaultValue: defaultValue, verify: verify, rowIndex: rowIndex, requiredType: requiredType,
      valueType: valueType, formerKeys: formerKeys ?? self.formerKeys, isSensitive: isSensitive,
      content: content)
  }

  private static func selected(_ options: [Option], _ index: Int?) -> FieldValue? {
    guard let index, options.indices.contains(index) else { return nil }
    return .option(options[index].id)
  }
}
