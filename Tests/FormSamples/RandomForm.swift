import FormModel

/// Random forms that pass every check, with rows of all kinds and all settings, and random values
/// for them. A seed determines both.
public enum RandomForm {
  /// A form of a number of rows.
  ///
  /// - Parameter isLenient: whether to leave out everything by which a value of the right type
  ///   could fail: required rows, rules, conditions, stated lengths, numbers of tags.
  public static func form(
    using random: inout SeededGenerator, rowCount: Int? = nil, isLenient: Bool = false
  ) -> Form {
    var maker = FormMaker(random: random, isLenient: isLenient)
    let form = maker.form(rowCount: rowCount ?? random.int(1...12))
    random = maker.random
    return form
  }

  /// Values for some of a form's fields.
  ///
  /// - Parameter isValid: whether each is of its field's type and among its options. If not, text
  ///   that was typed and is no such value, null, "" and unknown options are among them.
  public static func values(
    for form: Form, using random: inout SeededGenerator, isValid: Bool = false
  ) -> [String: FieldValue] {
    var values: [String: FieldValue] = [:]
    for field in form.fields() where !random.oneIn(5) {
      values[field.key] = value(for: field, using: &random, isValid: isValid)
    }
    return values
  }

  /// A value for one field.
  public static func value(
    for field: FormField, using random: inout SeededGenerator, isValid: Bool = false
  ) -> FieldValue {
    if !isValid, random.oneIn(6) {
      // Only text can be empty: another field that is emptied has no value.
      let text = random.pick(["", RandomJSON.text(using: &random)])
      let isNone = random.oneIn(3) || text.isEmpty && field.dataType != .string
      return isNone ? .null : .string(text)
    }
    switch field.content {
    case .options(let options):
      if !isValid, random.oneIn(8) { return .option("no such option") }
      return .option(random.pick(options.map(\.id)))
    case .tags(let tags):
      var ids = tags.tags.map(\.id).shuffled(using: &random)
      let most = isValid ? min(tags.limit ?? ids.count, ids.count) : ids.count
      ids = Array(ids.prefix(isValid ? random.int(min(tags.leastChoiceCount, most)...most) : most))
      if !isValid, random.oneIn(8) { ids.append("no such tag") }
      return .tags(ids)
    default:
      return value(of: field.dataType, using: &random)
    }
  }

  /// A value of a type.
  public static func value(
    of type: DataType, using random: inout SeededGenerator
  ) -> FieldValue {
    switch type {
    case .string: return .string(RandomJSON.text(using: &random))
    case .integer:
      return .integer(
        random.oneIn(4) ? random.pick([.min, .max, 0]) : Int64(random.int(-9999...9999)))
    case .decimal: return .decimal(RandomJSON.number(using: &random))
    case .boolean: return .boolean(random.oneIn(2))
    case .date:
      let days = ["2024-02-29", "1582-10-10", "0001-01-01", "9999-12-31", "1990-07-01"]
      return .typed(random.pick(days), as: type)
    case .time: return .typed(random.pick(["00:00", "23:59:59", "08:56:00.000Z"]), as: type)
    case .dateTime:
      let instants = [
        "2024-03-10T02:30:00-05:00", "2016-12-31T23:59:59.999Z", "2024-02-29T12:00:00+14:00",
      ]
      return .typed(random.pick(instants), as: type)
    case .option:
      return .option(random.oneIn(2) ? .number(Int64(random.int(-3...3))) : .string("x"))
    case .tags: return .tags([.string("a"), .number(7)])
    case .json: return .json(RandomJSON.value(using: &random))
    }
  }
}
