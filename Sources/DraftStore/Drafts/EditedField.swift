import FormModel

extension PreparedForm {
  /// The field that an edit names.
  func fieldForEdit(named name: String) throws -> FormField {
    if let field = field(named: name) { return field }
    throw StoreError.unknownField(
      name, form: form.id, similar: fields.map(\.key).mostSimilar(to: name))
  }
}

extension FormField {
  /// A value as a draft keeps it, checked; nil for no value.
  func checked(_ value: FieldValue) throws(StoreError) -> FieldValue? {
    guard !value.isTooDeep else { throw StoreError.tooDeep(field: key) }
    guard let kept = kept(value) else { return nil }
    // Text that denotes no value stays as it was typed, to be told what is wrong with it.
    if case .string = kept { return kept }
    guard kept.isOf(dataType) else { throw StoreError.wrongType(field: key, expected: dataType) }
    return kept
  }
}

extension PreparedForm {
  /// Whether a draft of the form can hold what a server has under a key, and submit it.
  ///
  /// - Parameters:
  ///   - value: the server's value; nil for none.
  ///   - key: the service key; of one without a field, any value can be held that is not too deep.
  public func canHold(_ value: FieldValue?, for key: String) -> Bool {
    guard let value else { return true }
    guard let field = field(key) else { return !value.isTooDeep }
    guard let own = try? FieldValue(json: value.json, as: field.dataType), !own.isTooDeep else {
      return false
    }
    return field.kept(own)?.isOf(field.dataType) ?? true
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
