/// Shown only; its value is submitted like any other (`ZJJFormBaseModel`).
public struct TextContent: Hashable, Sendable {
  public var dataType: DataType
  /// The value that is shown until another is saved.
  public var value: FieldValue?

  public init(_ value: FieldValue? = nil, dataType: DataType = .string) {
    self.value = value
    self.dataType = dataType
  }
}

/// Typed by a person (`ZJJFormInputModel`).
public struct InputContent: Hashable, Sendable {
  /// The limit while typing, in Characters, where a definition states none.
  public static let defaultMaxLength = 255

  public var dataType: DataType
  public var placeholder: String
  /// The most Characters, as a person counts them. A stated limit is checked at validation too;
  /// without one, typing stops at ``defaultMaxLength``.
  public var maxLength: Int?
  public var keyboardType: KeyboardType
  public var returnKeyType: ReturnKeyType
  public var returnDoneType: ReturnDoneType
  public var isScrollEnabled: Bool
  /// Whether two spaces in a row may be typed.
  public var isConsecutiveSpaces: Bool
  public var format: InputFormat?
  public var verify: Verify

  public init(
    dataType: DataType = .string, placeholder: String = "", maxLength: Int? = nil,
    keyboardType: KeyboardType = .default, returnKeyType: ReturnKeyType = .default,
    returnDoneType: ReturnDoneType = .none, isScrollEnabled: Bool = false,
    isConsecutiveSpaces: Bool = false, format: InputFormat? = nil, verify: Verify = Verify()
  ) {
    self.dataType = dataType
    self.placeholder = placeholder
    self.maxLength = maxLength
    self.keyboardType = keyboardType
    self.returnKeyType = returnKeyType
    self.returnDoneType = returnDoneType
    self.isScrollEnabled = isScrollEnabled
    self.isConsecutiveSpaces = isConsecutiveSpaces
    self.format = format
    self.verify = verify
  }

  /// The most Characters while typing.
  public var typingLimit: Int { maxLength ?? Self.defaultMaxLength }
}

/// A separator that is shown and not submitted: `6222 0210` for `62220210`.
public struct InputFormat: Hashable, Sendable {
  /// Characters in a group, 1 or more.
  public var groupsOf: Int
  public var separator: String

  public init(groupsOf: Int, separator: String = " ") {
    self.groupsOf = groupsOf
    self.separator = separator
  }

  /// The text as shown.
  public func display(_ text: String) -> String {
    guard groupsOf > 0 else { return submitted(text) }
    var shown = ""
    for (index, character) in submitted(text).enumerated() {
      if index > 0, index % groupsOf == 0 { shown += separator }
      shown.append(character)
    }
    return shown
  }

  /// The text as submitted: without separators.
  public func submitted(_ text: String) -> String {
    let separator = Array(separator.utf8)
    guard !separator.isEmpty else { return text }
    let utf8 = Array(text.utf8)
    var kept: [UInt8] = []
    kept.reserveCapacity(utf8.count)
    var index = 0
    while index < utf8.count {
      if utf8[index...].starts(with: separator) {
        index += separator.count
      } else {
        kept.append(utf8[index])
        index += 1
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}

/// The keyboard that suits a field (`UIKeyboardType`).
public enum KeyboardType: String, Hashable, Sendable, CaseIterable {
  case `default`, asciiCapable, numbersAndPunctuation, numberPad, phonePad, namePhonePad
  case emailAddress, decimalPad, twitter, webSearch, asciiCapableNumberPad
  case url = "URL"
}

/// The return key's face (`UIReturnKeyType`).
public enum ReturnKeyType: String, Hashable, Sendable, CaseIterable {
  case `default`, go, google, join, next, route, search, send, yahoo, done, emergencyCall
  case `continue`
}

/// What the return key does (`ZJJFormInputReturnDoneType`).
public enum ReturnDoneType: String, Hashable, Sendable, CaseIterable {
  case none, hiddenKeyboard, next
}

/// One choice from a list (`ZJJFormOptionModel`).
public struct OptionContent: Hashable, Sendable {
  public var options: [Option]
  public var placeholder: String
  /// The index of the option that holds until another is saved, or nil for none.
  public var selectedIndex: Int?
  public var verify: Verify

  public init(
    _ options: [Option], placeholder: String = "", selectedIndex: Int? = nil,
    verify: Verify = Verify()
  ) {
    self.options = options
    self.placeholder = placeholder
    self.selectedIndex = selectedIndex
    self.verify = verify
  }
}

/// One of an option field's choices: the id is stored and submitted, the label is shown.
public struct Option: Hashable, Sendable {
  public var id: OptionID
  public var label: String

  public init(_ id: OptionID, _ label: String) {
    self.id = id
    self.label = label
  }
}

/// One row, two submitted values: an amount and its unit (the article's `leftOptions` and
/// `WWEFormRightSelectorOption`).
public struct PairContent: Hashable, Sendable {
  /// The key of the left value.
  public var serviceKey: String
  public var left: Left
  public var right: RightSelector

  public enum Left: Hashable, Sendable {
    case input(InputContent)
    case option(OptionContent)
  }

  public init(serviceKey: String, left: Left, right: RightSelector) {
    self.serviceKey = serviceKey
    self.left = left
    self.right = right
  }
}

/// The selector on the right of a pair (`WWEFormRightSelectorOption`).
public struct RightSelector: Hashable, Sendable {
  /// The key of the right value.
  public var httpParameterKey: String
  public var selectorTitle: String
  public var options: [Option]
  /// The index of the option that holds until another is saved, or nil for none.
  public var selectedIndex: Int?
  public var verify: Verify

  public init(
    httpParameterKey: String, selectorTitle: String = "", options: [Option],
    selectedIndex: Int? = nil, verify: Verify = Verify()
  ) {
    self.httpParameterKey = httpParameterKey
    self.selectorTitle = selectorTitle
    self.options = options
    self.selectedIndex = selectedIndex
    self.verify = verify
  }
}

/// One or several choices from tags that flow and wrap (`YAYTagMultipleChoiceView`).
public struct TagsContent: Hashable, Sendable {
  public enum Selection: String, Hashable, Sendable, CaseIterable {
    case single, multiple
  }

  public var selection: Selection
  /// The fewest tags that are enough.
  public var leastChoiceCount: Int
  /// The most tags, or nil for no limit; a single choice has at most one.
  public var mostChoiceCount: Int?
  public var tags: [Tag]
  public var presentation: TagPresentation
  public var verify: Verify

  public init(
    _ tags: [Tag], selection: Selection = .multiple, leastChoiceCount: Int = 1,
    mostChoiceCount: Int? = nil, presentation: TagPresentation = TagPresentation(),
    verify: Verify = Verify()
  ) {
    self.tags = tags
    self.selection = selection
    self.leastChoiceCount = leastChoiceCount
    self.mostChoiceCount = mostChoiceCount
    self.presentation = presentation
    self.verify = verify
  }

  /// The most tags that may be chosen, or nil for no limit.
  public var limit: Int? { selection == .single ? 1 : mostChoiceCount }

  /// Whether so many tags are enough to go on.
  public func isEnough(_ count: Int) -> Bool { count >= leastChoiceCount }

  /// The selection in the order of the form's tags; tags that the form no longer has come last.
  public func ordered(_ ids: [OptionID]) -> [OptionID] {
    let known = tags.map(\.id)
    return known.filter(ids.contains) + ids.filter { !known.contains($0) }
  }
}

/// A tag: the id is stored and submitted, the name is shown (`YAYBaseTagModel`).
public struct Tag: Hashable, Sendable {
  public var id: OptionID
  public var labelName: String

  public init(_ id: OptionID, _ labelName: String) {
    self.id = id
    self.labelName = labelName
  }
}

/// A row of the app's own: any JSON value, drawn by the app's cell
/// (`ZJJFormCellStyle.customIdentifier`).
public struct CustomContent: Hashable, Sendable {
  public var customIdentifier: String
  public var dataType: DataType
  public var verify: Verify

  public init(_ customIdentifier: String, dataType: DataType = .json, verify: Verify = Verify()) {
    self.customIdentifier = customIdentifier
    self.dataType = dataType
    self.verify = verify
  }
}
