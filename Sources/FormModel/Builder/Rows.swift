/// A row that is shown only; its value is submitted like any other.
public struct TextRow: RowElement {
  public var row: Row

  public init(
    _ key: String, serviceKey: String? = nil, as type: DataType = .string,
    value: FieldValue? = nil
  ) {
    row = Row(key: key, serviceKey: serviceKey, kind: .text(TextContent(value, dataType: type)))
  }

  /// A row that shows this text.
  public init(_ key: String, serviceKey: String? = nil, text: String) {
    self.init(key, serviceKey: serviceKey, value: .string(text))
  }
}

/// A row that a person types into.
public struct Input: RowElement, InputElement {
  public var row: Row
  public var input: InputContent {
    didSet { row.kind = .input(input) }
  }

  public init(_ key: String, serviceKey: String? = nil, as type: DataType = .string) {
    input = InputContent(dataType: type)
    row = Row(key: key, serviceKey: serviceKey, kind: .input(input))
  }
}

/// A row with one choice from a list.
public struct Choice: RowElement, ChoiceElement {
  public var row: Row
  public var choice: OptionContent {
    didSet { row.kind = .option(choice) }
  }

  public init(
    _ key: String, serviceKey: String? = nil,
    @FormBuilder<Option> options: () throws -> [Option]
  ) rethrows {
    choice = OptionContent(try options())
    row = Row(key: key, serviceKey: serviceKey, kind: .option(choice))
  }
}

/// A row with two values, each under its own key: an amount and its unit.
/// ```swift
/// Pair(
///   "金额", left: LeftInput("amount", as: .decimal),
///   right: RightSelector("unit", title: "单位") {
///     Option("yuan", "元")
///     Option("wan", "万元")
///   })
/// ```
public struct Pair: RowElement {
  public var row: Row

  public init(_ key: String, left: some PairLeft, right: RightSelector) {
    row = Row(
      key: key,
      kind: .pair(PairContent(serviceKey: left.serviceKey, left: left.content, right: right)))
  }
}

/// What can stand on the left of a ``Pair``.
public protocol PairLeft: Sendable {
  /// The key of the left value.
  var serviceKey: String { get }
  /// What the value is typed into or chosen from.
  var content: PairContent.Left { get }
}

/// The left of a ``Pair`` that a person types into.
public struct LeftInput: PairLeft, InputElement {
  public let serviceKey: String
  public var input: InputContent
  public var content: PairContent.Left { .input(input) }

  public init(_ serviceKey: String, as type: DataType = .string) {
    self.serviceKey = serviceKey
    input = InputContent(dataType: type)
  }
}

/// The left of a ``Pair`` that is chosen from a list.
public struct LeftChoice: PairLeft, ChoiceElement {
  public let serviceKey: String
  public var choice: OptionContent
  public var content: PairContent.Left { .option(choice) }

  public init(
    _ serviceKey: String, @FormBuilder<Option> options: () throws -> [Option]
  ) rethrows {
    self.serviceKey = serviceKey
    choice = OptionContent(try options())
  }
}

extension RightSelector: VerifiedElement {
  public var verification: Verify {
    get { verify }
    set { verify = newValue }
  }

  /// The selector on the right of a ``Pair``, with its options in braces.
  ///
  /// - Parameters:
  ///   - httpParameterKey: the back end's name for the value.
  ///   - title: the selector's title.
  ///   - selectedIndex: the option, counted from 0, that holds until another is chosen.
  ///   - options: the options.
  public init(
    _ httpParameterKey: String, title: String = "", selectedIndex: Int? = nil,
    @FormBuilder<Option> options: () throws -> [Option]
  ) rethrows {
    self.init(
      httpParameterKey: httpParameterKey, selectorTitle: title, options: try options(),
      selectedIndex: selectedIndex)
  }
}

/// A row with one or several choices from tags.
public struct Tags: RowElement, VerifiedElement {
  public var row: Row
  /// The tags and how many may be chosen.
  public var content: TagsContent {
    didSet { row.kind = .tags(content) }
  }
  public var verification: Verify {
    get { content.verify }
    set { content.verify = newValue }
  }

  public init(
    _ key: String, serviceKey: String? = nil, selection: TagsContent.Selection = .multiple,
    @FormBuilder<Tag> tags: () throws -> [Tag]
  ) rethrows {
    content = TagsContent(try tags(), selection: selection)
    row = Row(key: key, serviceKey: serviceKey, kind: .tags(content))
  }

  /// The fewest tags that are enough, and the most that may be chosen; nil for no limit.
  public func choices(least: Int = 1, most: Int? = nil) -> Tags {
    var copy = self
    copy.content.leastChoiceCount = least
    copy.content.mostChoiceCount = most
    return copy
  }

  /// How the tags look.
  public func presentation(_ presentation: TagPresentation) -> Tags {
    var copy = self
    copy.content.presentation = presentation
    return copy
  }

  /// Changes how the tags look: `.presentation { $0.itemHeight = 40 }`.
  public func presentation(_ change: (inout TagPresentation) -> Void) -> Tags {
    var copy = self
    change(&copy.content.presentation)
    return copy
  }
}

/// A row of the app's own, drawn by the cell with this identifier.
public struct Custom: RowElement, VerifiedElement {
  public var row: Row
  /// The cell's identifier and the value's type.
  public var content: CustomContent {
    didSet { row.kind = .custom(content) }
  }
  public var verification: Verify {
    get { content.verify }
    set { content.verify = newValue }
  }

  public init(
    _ key: String, serviceKey: String? = nil, customIdentifier: String,
    as type: DataType = .json
  ) {
    content = CustomContent(customIdentifier, dataType: type)
    row = Row(key: key, serviceKey: serviceKey, kind: .custom(content))
  }
}
