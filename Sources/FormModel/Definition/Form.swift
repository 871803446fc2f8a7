/// The definition of a form: sections of rows, in the order in which they are shown and submitted.
///
/// Sources: ZJJForm's `dataArray` of `ZJJFormSectionModel`; XLForm's descriptors.
public struct Form: Hashable, Sendable {
  /// Names the form for good; its versions share it.
  public var id: String
  /// What a person reads.
  public var title: String
  /// The number that a store gave to this version, or nil for a definition that is not stored yet.
  /// It takes no part in the fingerprint.
  public var version: Int?
  /// What `FormParam` holds for an optional field that is empty.
  public var emptyValues: EmptyValues
  public var sections: [Section]

  public init(
    id: String, title: String = "", version: Int? = nil, emptyValues: EmptyValues = .omit,
    sections: [Section]
  ) {
    self.id = id
    self.title = title
    self.version = version
    self.emptyValues = emptyValues
    self.sections = sections
  }

  /// All rows in form order.
  public var rows: [Row] { sections.flatMap(\.rows) }
}

/// What is submitted for an optional field that is empty.
public enum EmptyValues: String, Hashable, Sendable, CaseIterable {
  /// The key is left out.
  case omit
  /// The key holds null.
  case null
  /// The key holds "", as in ZJJForm.
  case emptyString
}

/// A group of rows under an optional title.
public struct Section: Hashable, Sendable {
  public var title: String
  public var rows: [Row]

  public init(title: String = "", rows: [Row]) {
    self.title = title
    self.rows = rows
  }
}

/// One line of a form.
///
/// Sources: `ZJJFormModel` with its `ZJJFormText`; `XLFormRowDescriptor`.
public struct Row: Hashable, Sendable {
  /// The label on the left or above (`ZJJFormText.key`).
  public var key: String
  /// The back end's name for the value; without one the value is saved and never submitted.
  /// A pair's keys stand in its two halves instead.
  public var serviceKey: String?
  public var cellStyle: CellStyle
  public var requiredType: RequiredType
  /// A mark of the app's own, by which rows are filtered out of `FormParam`.
  public var valueType: Int
  /// Anything that the app wants carried along.
  public var param: JSONValue?
  public var ui: FormUI
  public var visibleWhen: Condition?
  public var requiredWhen: Condition?
  public var enabledWhen: Condition?
  /// Earlier field keys of this row; a draft of an older version finds its value by them.
  public var formerKeys: [String]
  /// How a filtered row's value is converted so that it takes part in `FormParam` after all.
  public var transform: Transform?
  /// Whether the server keeps the value when the row becomes hidden after a submission; by
  /// default it is removed there.
  public var keepsValueWhenHidden: Bool
  /// Whether the value must not appear in messages, logs or tables of changes.
  public var isSensitive: Bool
  public var kind: Kind

  /// What a row holds.
  public enum Kind: Hashable, Sendable {
    case text(TextContent)
    case input(InputContent)
    case option(OptionContent)
    case pair(PairContent)
    case tags(TagsContent)
    case custom(CustomContent)
  }

  public init(
    key: String, serviceKey: String? = nil, kind: Kind, cellStyle: CellStyle = .default,
    requiredType: RequiredType = .none, valueType: Int = 0, param: JSONValue? = nil,
    ui: FormUI = FormUI(), visibleWhen: Condition? = nil, requiredWhen: Condition? = nil,
    enabledWhen: Condition? = nil, formerKeys: [String] = [], transform: Transform? = nil,
    keepsValueWhenHidden: Bool = false, isSensitive: Bool = false
  ) {
    self.key = key
    self.serviceKey = serviceKey == "" ? nil : serviceKey
    self.kind = kind
    // In a definition, one member names both.
    if case .custom(let custom) = kind, cellStyle == .default {
      self.cellStyle = .customIdentifier(custom.customIdentifier)
    } else {
      self.cellStyle = cellStyle
    }
    self.requiredType = requiredType
    self.valueType = valueType
    self.param = param
    self.ui = ui
    self.visibleWhen = visibleWhen
    self.requiredWhen = requiredWhen
    self.enabledWhen = enabledWhen
    self.formerKeys = formerKeys
    self.transform = transform
    self.keepsValueWhenHidden = keepsValueWhenHidden
    self.isSensitive = isSensitive
  }
}

/// How a row is drawn (`ZJJFormCellStyle`).
public enum CellStyle: Hashable, Sendable {
  case `default`, option, value1, value2, input1, input2, textView1, textView2
  /// The app's own cell, by its identifier.
  case customIdentifier(String)
}

/// Whether a row must be filled (`ZJJFormRequiredType`).
public enum RequiredType: String, Hashable, Sendable, CaseIterable {
  case none, required, requiredAndStar
}

/// A conversion that lets a filtered row take part in `FormParam` and in change sets.
public enum Transform: Hashable, Sendable {
  /// Spaces, hyphens and the row's format separator are taken out.
  case stripSeparators
  /// The id of the chosen option, as it is.
  case optionID
  /// A conversion that the app registers under this name.
  case named(String)
}
