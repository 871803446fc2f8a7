/// A form made ready for repeated use: its fields in order and by key, and the order in which its
/// conditions are decided. Make it once for a version of a form.
public struct PreparedForm: Sendable {
  public let form: Form
  /// All fields in form order.
  public let fields: [FormField]
  public let rows: [Row]
  /// The fields of each row, as ranges of ``fields``.
  let fieldRanges: [Range<Int>]
  /// The rows that have a condition for being visible, those that others depend on first.
  let conditionalRows: [Int]
  /// Whether a rule or condition looks at other fields.
  let looksAcross: Bool
  private let indexByKey: [String: Int]
  /// The places of the fields in the order of their keys' bytes.
  @usableFromInline let keyOrder: [Int]

  public init(_ form: Form) {
    self.form = form
    rows = form.rows
    var fields: [FormField] = []
    var ranges: [Range<Int>] = []
    for (index, row) in rows.enumerated() {
      let start = fields.count
      fields += row.fields(rowIndex: index)
      ranges.append(start..<fields.count)
    }
    self.fields = fields
    fieldRanges = ranges
    indexByKey = Dictionary(
      fields.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
    keyOrder = fields.indices.sorted {
      fields[$0].key.utf8.lexicographicallyPrecedes(fields[$1].key.utf8)
    }
    conditionalRows = Self.visibilityOrder(rows, fields, indexByKey)
    looksAcross =
      !conditionalRows.isEmpty
      || rows.contains { $0.requiredWhen != nil || $0.enabledWhen != nil }
      || fields.contains { field in
        field.verify.rule.map { !$0.keys.isEmpty || !$0.namedRules.isEmpty } ?? false
      }
  }

  /// The field with this key, or nil.
  public func field(_ key: String) -> FormField? {
    indexByKey[key].map { fields[$0] }
  }

  /// The field that a person means: by its service key, or by its row's label when just one row
  /// has it.
  public func field(named name: String) -> FormField? {
    if let field = field(name) { return field }
    let labelled = fields.filter { $0.label.hasSameBytes(as: name) }
    return labelled.count == 1 ? labelled[0] : nil
  }

  /// Values by their fields' places, from values that are ordered by the bytes of their keys; nil
  /// where a field has none.
  @inlinable
  public func values(
    fromSorted values: some Sequence<(key: String, value: FieldValue)>
  ) -> FieldValues {
    var result = [FieldValue?](repeating: nil, count: fields.count)
    var next = 0
    for (key, value) in values {
      while next < keyOrder.count, !fields[keyOrder[next]].key.hasSameBytes(as: key),
        fields[keyOrder[next]].key.bytesPrecede(key)
      {
        next += 1
      }
      guard next < keyOrder.count else { break }
      if fields[keyOrder[next]].key.hasSameBytes(as: key) {
        result[keyOrder[next]] = value
        next += 1
      }
    }
    return FieldValues(result)
  }

  /// A field's place in form order, counted from 0.
  public func index(of key: String) -> Int? { indexByKey[key] }

  /// Depth first over what each row's condition looks at. A cycle is refused when a form is
  /// checked; here its members keep form order.
  private static func visibilityOrder(
    _ rows: [Row], _ fields: [FormField], _ indexByKey: [String: Int]
  ) -> [Int] {
    var order: [Int] = []
    var seen: Set<Int> = []
    // Each entry is a row and whether what it looks at has been pushed already.
    var stack: [(row: Int, isReady: Bool)] = rows.indices.reversed().map { ($0, false) }
    while let (row, isReady) = stack.popLast() {
      if isReady {
        order.append(row)
        continue
      }
      guard let condition = rows[row].visibleWhen, seen.insert(row).inserted else { continue }
      stack.append((row, true))
      for key in condition.keys {
        if let index = indexByKey[key] { stack.append((fields[index].rowIndex, false)) }
      }
    }
    return order
  }
}

/// The saved values of a form's fields, by their places in form order.
public struct FieldValues: Sendable {
  /// The values; nil where a field has none saved.
  public let values: [FieldValue?]

  /// Takes the values of all fields in form order; nil where a field has none saved.
  public init(_ values: [FieldValue?]) {
    self.values = values
  }

  /// The values of a form's fields from values by key; others are left out.
  public init(_ form: PreparedForm, _ values: [String: FieldValue]) {
    self.init(form.fields.map { values[$0.key] })
  }
}

/// What a form's conditions say about a set of values.
public struct FormStatus: Sendable {
  /// For each row, whether it is shown.
  public let isVisible: [Bool]
  /// For each row, whether it must be filled.
  public let isRequired: [Bool]
  /// For each row, whether it can be edited.
  public let isEnabled: [Bool]
  /// The values of visible fields by key, defaults included; empty when no rule looks across.
  let context: RuleContext

  /// Decides a form's conditions.
  ///
  /// - Parameters:
  ///   - form: the form.
  ///   - values: the saved values by field key.
  ///   - registry: the rules that conditions may name.
  public init(_ form: PreparedForm, values: [String: FieldValue], registry: RuleRegistry) {
    self.init(form, values: FieldValues(form, values), registry: registry)
  }

  /// Decides a form's conditions.
  ///
  /// - Parameters:
  ///   - form: the form.
  ///   - values: the saved values.
  ///   - registry: the rules that conditions may name.
  public init(_ form: PreparedForm, values: FieldValues, registry: RuleRegistry) {
    let values = values.values
    var visible = [Bool](repeating: true, count: form.rows.count)
    var context = RuleContext(values: [:], registry: registry)
    if form.looksAcross {
      for (index, field) in form.fields.enumerated()
      where form.rows[field.rowIndex].visibleWhen == nil {
        context.values[field.key] = values[index] ?? field.defaultValue
      }
      for row in form.conditionalRows {
        visible[row] = form.rows[row].visibleWhen?.holds(in: context) ?? true
        guard visible[row] else { continue }
        for index in form.fieldRanges[row] {
          let field = form.fields[index]
          context.values[field.key] = values[index] ?? field.defaultValue
        }
      }
    }
    isVisible = visible
    isEnabled = form.rows.indices.map { form.rows[$0].enabledWhen?.holds(in: context) ?? true }
    isRequired = form.rows.indices.map {
      form.rows[$0].requiredType != .none
        || (form.rows[$0].requiredWhen?.holds(in: context) ?? false)
    }
    self.context = context
  }
}
