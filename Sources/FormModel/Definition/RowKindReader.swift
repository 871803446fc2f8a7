/// Reads the part of a row that depends on its kind.
struct RowKindReader {
  private let object: DefinitionObject

  init(_ object: DefinitionObject) {
    self.object = object
  }

  private enum Kind: String, CaseIterable {
    case text, input, option, pair, tags, custom
  }

  /// Whether the row's kind is one of those that there are.
  var isKnown: Bool { object.object["kind"]?.stringValue.flatMap(Kind.init(rawValue:)) != nil }

  func kind() -> Row.Kind? {
    guard let name = object.string("kind"), let kind = Kind(rawValue: name) else {
      let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      object.report("\"kind\" must be one of \(kinds)")
      return nil
    }
    return switch kind {
    case .text: .text(text())
    case .input: .input(input())
    case .option: .option(option())
    case .pair: pair().map(Row.Kind.pair)
    case .tags: .tags(tags())
    case .custom: .custom(custom())
    }
  }

  func cellStyle() -> CellStyle {
    if let identifier = object.object["customIdentifier"]?.stringValue {
      _ = object.value("customIdentifier")
      return .customIdentifier(identifier)
    }
    return object.read("cellStyle", "one of \(CellStyle.names.joined(separator: ", "))") {
      $0.stringValue.flatMap(CellStyle.init(name:))
    } ?? .default
  }

  private func text() -> TextContent {
    let type = dataType(default: .string)
    let value = object.value("value").flatMap { json -> FieldValue? in
      do throws(ValueError) {
        return try FieldValue(json: json, as: type)
      } catch {
        object.report("\"value\": \(error)")
        return nil
      }
    }
    return TextContent(value, dataType: type)
  }

  private func input() -> InputContent {
    let type = dataType(default: .string)
    if [.option, .tags, .json].contains(type) {
      object.report(
        "an input can't have the dataType \(type.rawValue); use the kind option, tags or custom")
    }
    return InputContent(
      dataType: type, placeholder: object.string("placeholder") ?? "",
      maxLength: object.integer("maxLength", in: 0...Int.max),
      keyboardType: object.name("keyboardType", default: .default),
      returnKeyType: object.name("returnKeyType", default: .default),
      returnDoneType: object.name("returnDoneType", default: .none),
      isScrollEnabled: object.bool("isScrollEnabled", default: false),
      isConsecutiveSpaces: object.bool("isConsecutiveSpaces", default: false),
      format: object.object("format").map(Self.format), verify: verify())
  }

  private static func format(_ object: DefinitionObject) -> InputFormat {
    let groups = object.integer("groupsOf", in: 1...1000)
    if groups == nil, object.object["groupsOf"] == nil {
      object.report("\"groupsOf\" is missing: say how many characters make a group")
    }
    let format = InputFormat(groupsOf: groups ?? 4, separator: object.string("separator") ?? " ")
    object.finish()
    return format
  }

  private func option() -> OptionContent {
    OptionContent(
      options(), placeholder: object.string("placeholder") ?? "", selectedIndex: selectedIndex(),
      verify: verify())
  }

  private func options() -> [Option] {
    choices("options", label: "label").map(Option.init)
  }

  private func selectedIndex() -> Int? {
    object.integer("selectedIndex", in: 0...Int.max)
  }

  private func choices(_ key: String, label: String) -> [(OptionID, String)] {
    object.objects(key, String(key.dropLast())).compactMap { choice in
      let id = choice.read("id", "a string or a whole number", OptionID.init(json:))
      if choice.object["id"] == nil { choice.report("\"id\" is missing: it is what is submitted") }
      let name = choice.string(label)
      choice.finish()
      return id.map { ($0, name ?? $0.description) }
    }
  }

  private func pair() -> PairContent? {
    let left = object.object("left")
    let right = object.object("right")
    if object.object["left"] == nil { object.report("\"left\" is missing: an input or an option") }
    if object.object["right"] == nil { object.report("\"right\" is missing: a selector") }
    let content = left.flatMap { RowKindReader($0).leftContent() }
    let selector = right.map { RowKindReader($0).rightSelector() }
    guard let left, let content, let selector else { return nil }
    return PairContent(
      serviceKey: left.string("serviceKey") ?? "", left: content, right: selector)
  }

  private func leftContent() -> PairContent.Left? {
    let content: PairContent.Left
    switch object.string("kind") {
    case "input"?: content = .input(input())
    case "option"?: content = .option(option())
    default:
      object.report("\"kind\" must be input or option")
      return nil
    }
    _ = object.value("serviceKey")
    object.finish()
    return content
  }

  private func rightSelector() -> RightSelector {
    let selector = RightSelector(
      httpParameterKey: object.string("httpParameterKey") ?? "",
      selectorTitle: object.string("selectorTitle") ?? "", options: options(),
      selectedIndex: selectedIndex(), verify: verify())
    object.finish()
    return selector
  }

  private func tags() -> TagsContent {
    TagsContent(
      choices("tags", label: "labelName").map(Tag.init),
      selection: object.name("selection", default: .multiple),
      leastChoiceCount: object.integer("leastChoiceCount", in: 0...Int.max) ?? 1,
      mostChoiceCount: object.integer("mostChoiceCount", in: 1...Int.max),
      presentation: object.object("presentation").map(PresentationReader.tags)
        ?? TagPresentation(),
      verify: verify())
  }

  private func custom() -> CustomContent {
    let identifier = object.string("customIdentifier") ?? ""
    if identifier.isEmpty {
      object.report("\"customIdentifier\" is missing: it names the app's own cell")
    }
    return CustomContent(identifier, dataType: dataType(default: .json), verify: verify())
  }

  private func dataType(default type: DataType) -> DataType {
    object.name("dataType", default: type)
  }

  private func verify() -> Verify {
    guard let verify = object.object("verify") else { return Verify() }
    let result = Verify(
      verify.name("type", default: .none),
      rule: verify.object("rule").flatMap { RuleReader($0).rule() },
      errorMsg: verify.string("errorMsg"), errorType: verify.name("errorType", default: .none),
      isBeginEditingHiddenError: verify.bool("isBeginEditingHiddenError", default: true))
    verify.finish()
    return result
  }
}

extension CellStyle {
  private static let named: [(String, CellStyle)] = [
    ("default", .default), ("option", .option), ("value1", .value1), ("value2", .value2),
    ("input1", .input1), ("input2", .input2), ("textView1", .textView1), ("textView2", .textView2),
  ]

  static var names: [String] { named.map(\.0) }

  init?(name: String) {
    guard let style = Self.named.first(where: { $0.0 == name })?.1 else { return nil }
    self = style
  }

  /// The style's name in a definition, or nil for one of the app's own.
  var name: String? { Self.named.first { $0.1 == self }?.0 }
}
