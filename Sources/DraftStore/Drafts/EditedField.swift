import FormModel

extension PreparedForm {
  /// The field that an edit names.
  func fieldForEdit(named name: String) throws -> FormField {
    if let field = field(named: name) { return field }
    let similar = fields.map(\.key).min { distance($0, name) < distance($1, name) }
    throw StoreError.unknownField(
      name, form: form.id, similar: similar.flatMap { distance($0, name) <= 2 ? $0 : nil })
  }

  /// The number of single-character edits between two short names (Levenshtein).
  private func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.prefix(64)), Array(b.prefix(64)))
    var row = Array(0...b.count)
    for (i, left) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (left == right ? 0 : 1))
        diagonal = above
      }
    }
    return row[b.count]
  }
}

extension FormField {
  /// A value as a draft keeps it: text that denotes a value of the field's type becomes that value,
  /// other text stays, and a list of tags names each tag once. Nil, for no value, where the text of a
  /// field that is not text was emptied.
  func normalized(_ value: FieldValue) throws(StoreError) -> FieldValue? {
    guard !value.isTooDeep else { throw StoreError.tooDeep(field: key) }
    switch value {
    case .string(let text) where dataType != .string && dataType != .json:
      return text.isEmpty ? nil : typed(text)
    case .integer(let number) where dataType == .decimal: return .decimal(DecimalNumber(number))
    case .tags(let ids) where dataType == .tags:
      var distinct: [OptionID] = []
      for id in ids where !distinct.contains(id) { distinct.append(id) }
      return .tags(distinct)
    case .string: return dataType == .json ? .json(value.json) : value
    default:
      guard value.isOf(dataType) else {
        throw StoreError.wrongType(field: key, expected: dataType)
      }
      return dataType == .json ? .json(value.json) : value
    }
  }
}

extension FieldValue {
  /// The deepest JSON that is kept: what holds it in an export or a patch can still be read then.
  static let maximumDepth = JSONValue.maximumDepth - 8

  /// Whether the value is JSON that could be saved and not read back.
  var isTooDeep: Bool {
    guard case .json(let json) = self else { return false }
    // Level by level, as JSON that is too deep would exhaust the stack of a recursion.
    var level = [json]
    for _ in 0...Self.maximumDepth {
      level = level.flatMap { value in
        switch value {
        case .array(let elements): elements
        case .object(let object): object.members.map(\.value)
        default: [JSONValue]()
        }
      }
      if level.isEmpty { return false }
    }
    return true
  }
}
