/// What a form submits, assembled from a draft's values and verified (`ZJJFormParam`).
///
/// Sections and rows are walked in order. A visible row fails when it is required and blank, when
/// its value is not of its type or not among its options, when its tags are too few or too many,
/// when it passes a stated `maxLength`, or when its rule does not hold, whatever the rule's timing.
/// A hidden row is neither verified nor submitted.
public struct FormParam: Sendable {
  /// Whether all verification passed.
  public let isValid: Bool
  /// The first failing row's message, in form order.
  public var firstErrorMsg: String? { errors.first?.message }
  /// Every failing field, in form order.
  public let errors: [FieldError]
  /// The submitted values in form order; empty when not valid.
  public let entries: [Entry]
  /// The rows left out of ``entries`` for the app to convert, in form order.
  public let filteredRows: [Row]
  /// The service keys of ``filteredRows`` that no transform brings back into ``entries``.
  public let filteredKeys: [String]

  /// One submitted value under its service key.
  public struct Entry: Hashable, Sendable {
    public let serviceKey: String
    public let value: FieldValue

    public init(serviceKey: String, value: FieldValue) {
      self.serviceKey = serviceKey
      self.value = value
    }
  }

  /// The submitted values as an ordered JSON object.
  public var param: JSONObject { entries.param }

  /// How a `FormParam` is assembled.
  public struct Options: Sendable {
    /// What is checked.
    public enum Mode: String, Sendable, CaseIterable {
      /// Everything that ``FormParam`` names.
      case strict
      /// Only that required rows are filled, as ZJJForm's program does.
      case compatible
    }

    /// How failing rows shall draw their error.
    public var errorType: ErrorType
    /// Rows with these service keys are left out for the app to convert.
    public var filterServiceKeys: [String]
    /// Rows with these value types are left out for the app to convert.
    public var filterValueTypes: [Int]
    public var mode: Mode
    public var registry: RuleRegistry

    public init(
      errorType: ErrorType = .lineAndLabel, filterServiceKeys: [String] = [],
      filterValueTypes: [Int] = [], mode: Mode = .strict, registry: RuleRegistry = RuleRegistry()
    ) {
      self.errorType = errorType
      self.filterServiceKeys = filterServiceKeys
      self.filterValueTypes = filterValueTypes
      self.mode = mode
      self.registry = registry
    }
  }

  /// Assembles what a form submits.
  ///
  /// - Parameters:
  ///   - form: the form.
  ///   - values: the saved values by field key; defaults stand in for the missing ones.
  ///   - options: how it is assembled.
  public init(_ form: PreparedForm, values: [String: FieldValue], options: Options = Options()) {
    self.init(form, values: FieldValues(form, values), options: options)
  }

  /// Assembles what a form submits.
  ///
  /// - Parameters:
  ///   - form: the form.
  ///   - values: the saved values; defaults stand in for the missing ones.
  ///   - options: how it is assembled.
  public init(_ form: PreparedForm, values: FieldValues, options: Options = Options()) {
    let status = FormStatus(form, values: values, registry: options.registry)
    let check = FieldCheck(mode: options.mode, context: status.context)
    var errors: [FieldError] = []
    var entries: [Entry] = []
    var filteredRows: [Row] = []
    var filteredKeys: [String] = []
    entries.reserveCapacity(form.fields.count)

    for row in form.rows.indices where status.isVisible[row] {
      let isFiltered = options.filters(form, row)
      if isFiltered { filteredRows.append(form.rows[row]) }
      for index in form.fieldRanges[row] {
        // Fields and rows are read in place: they are too large to copy for each value.
        let value = values.values[index] ?? form.fields[index].defaultValue
        let isRequired = status.isRequired[row] && status.isEnabled[row]
        if let problem = check.problem(
          with: value, of: form.fields[index], isRequired: isRequired)
        {
          errors.append(FieldError(form.fields[index], problem, errorType: options.errorType))
        }
        guard form.fields[index].isSubmitted else { continue }
        let key = form.fields[index].key
        if isFiltered {
          guard let transform = form.rows[row].transform else {
            filteredKeys.append(key)
            continue
          }
          if let value {
            let converted = transform.apply(
              to: value, of: form.fields[index], registry: options.registry)
            entries.append(Entry(serviceKey: key, value: converted))
          }
        } else if let submitted = form.fields[index].submitted(
          value, emptyValues: form.form.emptyValues)
        {
          entries.append(Entry(serviceKey: key, value: submitted))
        }
      }
    }
    isValid = errors.isEmpty
    self.errors = errors
    self.entries = errors.isEmpty ? entries : []
    self.filteredRows = filteredRows
    self.filteredKeys = filteredKeys
  }

  /// Assembles what a form submits, preparing the form for this one use.
  public init(_ form: Form, values: [String: FieldValue], options: Options = Options()) {
    self.init(PreparedForm(form), values: values, options: options)
  }
}

extension FormParam.Options {
  /// Whether a row is left out for the app to convert.
  fileprivate func filters(_ form: PreparedForm, _ row: Int) -> Bool {
    if !filterValueTypes.isEmpty, filterValueTypes.contains(form.rows[row].valueType) {
      return true
    }
    guard !filterServiceKeys.isEmpty else { return false }
    return form.fields[form.fieldRanges[row]].contains { field in
      field.isSubmitted && filterServiceKeys.contains { $0.hasSameBytes(as: field.key) }
    }
  }
}

extension Sequence<FormParam.Entry> {
  /// The entries, whose keys differ, as an ordered JSON object.
  public var param: JSONObject {
    var object = JSONObject()
    for entry in self { object.append(entry.serviceKey, entry.value.json) }
    return object
  }
}

extension FormField {
  /// What is submitted for a saved value, or nil when the key is left out. Only an absent value is
  /// subject to the form's choice for empty ones: null and "" that were entered are submitted. A
  /// single choice from tags, taken back, counts as absent.
  fileprivate func submitted(_ value: FieldValue?, emptyValues: EmptyValues) -> FieldValue? {
    switch (value, content) {
    case (.tags([])?, .tags(let tags)) where tags.selection == .single:
      submitted(nil, emptyValues: emptyValues)
    // Emptied text of a field that is not text is no value.
    case (.string("")?, _) where dataType != .string && dataType != .json:
      submitted(nil, emptyValues: emptyValues)
    case (let value?, _): submitted(value)
    case (nil, _):
      switch emptyValues {
      case .omit: nil
      case .null: .null
      case .emptyString: .string("")
      }
    }
  }
}

extension Transform {
  fileprivate func apply(
    to value: FieldValue, of field: FormField, registry: RuleRegistry
  ) -> FieldValue {
    switch self {
    case .stripSeparators:
      let value = field.submitted(value)
      guard case .string(let text) = value else { return value }
      return .string(String(text.unicodeScalars.filter { !Self.isSeparator($0) }))
    case .optionID: return value
    case .named(let name): return registry.transform(name)?(value) ?? value
    }
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "-"
  }
}

extension String {
  fileprivate init(_ scalars: [Unicode.Scalar]) {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    self = String(view)
  }
}

extension [FormParam.Entry] {
  /// The value of a key, told from others by its bytes.
  package func value(_ key: String) -> FieldValue? {
    first { $0.serviceKey.hasSameBytes(as: key) }?.value
  }

  /// The entries with one value set, or taken away with nil.
  package func replacing(_ key: String, with value: FieldValue?) -> [FormParam.Entry] {
    var entries = self
    let index = entries.firstIndex { $0.serviceKey.hasSameBytes(as: key) }
    switch (index, value) {
    case (let index?, let value?):
      entries[index] = FormParam.Entry(serviceKey: key, value: value)
    case (let index?, nil): entries.remove(at: index)
    case (nil, let value?): entries.append(FormParam.Entry(serviceKey: key, value: value))
    case (nil, nil): break
    }
    return entries
  }
}
