extension Form {
  /// The definition as JSON, in a fixed order, without what has its default: equal definitions
  /// have equal texts. The version is left out, for a store numbers it.
  public var definition: JSONValue {
    var object = JSONObject()
    object["id"] = .string(id)
    object.put("title", title)
    object.put("emptyValues", emptyValues, default: .omit)
    object["sections"] = .array(sections.map(\.definition))
    return .object(object)
  }

  /// The SHA-256 of the definition's compact JSON text, in hexadecimal.
  public var fingerprint: String { SHA256.hexDigest(Array(definition.jsonText.utf8)) }
}

/// A form is coded as the JSON text of its definition, so that no coder loses the order of its
/// members or the digits of its numbers.
extension Form: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    try self.init(definition: text)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(definition.jsonText)
  }
}

extension JSONObject {
  fileprivate mutating func put(_ key: String, _ text: String, default value: String = "") {
    if !text.hasSameBytes(as: value) { self[key] = .string(text) }
  }

  fileprivate mutating func put(_ key: String, _ flag: Bool, default value: Bool) {
    if flag != value { self[key] = .bool(flag) }
  }

  fileprivate mutating func put(_ key: String, _ number: Int?, default value: Int? = nil) {
    if let number, number != value { self[key] = .number(DecimalNumber(Int64(number))) }
  }

  fileprivate mutating func put(
    _ key: String, _ number: DecimalNumber?, default value: DecimalNumber? = nil
  ) {
    if let number, number != value { self[key] = .number(number) }
  }

  fileprivate mutating func put<Name: RawRepresentable<String> & Equatable>(
    _ key: String, _ name: Name, default value: Name
  ) {
    if name != value { self[key] = .string(name.rawValue) }
  }

  fileprivate mutating func put(_ key: String, _ color: Color?, default value: Color? = nil) {
    if let color, color != value { self[key] = .string(color.description) }
  }

  fileprivate mutating func put(_ key: String, _ font: Font, default value: Font) {
    guard font != value else { return }
    var object: JSONObject = ["size": .number(font.size)]
    object.put("weight", font.weight, default: .regular)
    self[key] = .object(object)
  }

  fileprivate mutating func put(_ key: String, _ object: JSONObject) {
    if !object.isEmpty { self[key] = .object(object) }
  }
}

extension Section {
  fileprivate var definition: JSONValue {
    var object = JSONObject()
    object.put("title", title)
    object["rows"] = .array(rows.map(\.definition))
    return .object(object)
  }
}

extension Row {
  fileprivate var definition: JSONValue {
    var object: JSONObject = ["kind": .string(kindName)]
    object.put("key", key)
    object.put("serviceKey", serviceKey ?? "")
    switch cellStyle {
    case .customIdentifier(let identifier): object["customIdentifier"] = .string(identifier)
    default: object.put("cellStyle", cellStyle.name ?? "", default: "default")
    }
    object.put("requiredType", requiredType, default: .none)
    object.put("valueType", valueType, default: 0)
    object["param"] = param
    object.put("ui", ui.definition)
    object["visibleWhen"] = visibleWhen?.definition
    object["requiredWhen"] = requiredWhen?.definition
    object["enabledWhen"] = enabledWhen?.definition
    if !formerKeys.isEmpty { object["formerKeys"] = .array(formerKeys.map(JSONValue.string)) }
    object["transform"] = transform?.definition
    object.put("keepsValueWhenHidden", keepsValueWhenHidden, default: false)
    object.put("sensitive", isSensitive, default: false)
    switch kind {
    case .text(let text): text.write(to: &object)
    case .input(let input): input.write(to: &object)
    case .option(let option): option.write(to: &object)
    case .pair(let pair): pair.write(to: &object)
    case .tags(let tags): tags.write(to: &object)
    case .custom(let custom): custom.write(to: &object)
    }
    return .object(object)
  }

  private var kindName: String {
    switch kind {
    case .text: "text"
    case .input: "input"
    case .option: "option"
    case .pair: "pair"
    case .tags: "tags"
    case .custom: "custom"
    }
  }
}

extension Transform {
  fileprivate var definition: JSONValue {
    switch self {
    case .stripSeparators: "stripSeparators"
    case .optionID: "optionID"
    case .named(let name): ["named": .string(name)]
    }
  }
}

extension TextContent {
  fileprivate func write(to object: inout JSONObject) {
    object.put("dataType", dataType, default: .string)
    object["value"] = value?.json
  }
}

extension InputContent {
  fileprivate func write(to object: inout JSONObject) {
    object.put("dataType", dataType, default: .string)
    object.put("placeholder", placeholder)
    object.put("maxLength", maxLength)
    object.put("keyboardType", keyboardType, default: .default)
    object.put("returnKeyType", returnKeyType, default: .default)
    object.put("returnDoneType", returnDoneType, default: .none)
    object.put("isScrollEnabled", isScrollEnabled, default: false)
    object.put("isConsecutiveSpaces", isConsecutiveSpaces, default: false)
    if let format {
      var inner = JSONObject()
      inner.put("groupsOf", format.groupsOf)
      inner["separator"] = .string(format.separator)
      object["format"] = .object(inner)
    }
    object.put("verify", verify.definition)
  }
}

extension OptionContent {
  fileprivate func write(to object: inout JSONObject) {
    object.put("placeholder", placeholder)
    object["options"] = .array(options.map(\.definition))
    object.put("selectedIndex", selectedIndex)
    object.put("verify", verify.definition)
  }
}

extension Option {
  fileprivate var definition: JSONValue { ["id": id.json, "label": .string(label)] }
}

extension PairContent {
  fileprivate func write(to object: inout JSONObject) {
    var half: JSONObject
    switch left {
    case .input(let input):
      half = ["kind": "input", "serviceKey": .string(serviceKey)]
      input.write(to: &half)
    case .option(let option):
      half = ["kind": "option", "serviceKey": .string(serviceKey)]
      option.write(to: &half)
    }
    object["left"] = .object(half)
    var selector: JSONObject = ["httpParameterKey": .string(right.httpParameterKey)]
    selector.put("selectorTitle", right.selectorTitle)
    selector["options"] = .array(right.options.map(\.definition))
    selector.put("selectedIndex", right.selectedIndex)
    selector.put("verify", right.verify.definition)
    object["right"] = .object(selector)
  }
}

extension TagsContent {
  fileprivate func write(to object: inout JSONObject) {
    object.put("selection", selection, default: .multiple)
    object.put("leastChoiceCount", leastChoiceCount, default: 1)
    object.put("mostChoiceCount", mostChoiceCount)
    object["tags"] = .array(tags.map { ["id": $0.id.json, "labelName": .string($0.labelName)] })
    object.put("presentation", presentation.definition)
    object.put("verify", verify.definition)
  }
}

extension CustomContent {
  fileprivate func write(to object: inout JSONObject) {
    object["customIdentifier"] = .string(customIdentifier)
    object.put("dataType", dataType, default: .json)
    object.put("verify", verify.definition)
  }
}

extension Verify {
  fileprivate var definition: JSONObject {
    var object = JSONObject()
    object.put("type", type, default: .none)
    object["rule"] = rule?.definition
    object["errorMsg"] = errorMsg.map(JSONValue.string)
    object.put("errorType", errorType, default: .none)
    object.put("isBeginEditingHiddenError", isBeginEditingHiddenError, default: true)
    return object
  }
}

extension Rule {
  fileprivate var definition: JSONValue {
    func limits(_ write: (inout JSONObject) -> Void) -> JSONValue {
      var object = JSONObject()
      write(&object)
      return .object(object)
    }
    return switch self {
    case .required: ["required": true]
    case .regex(let pattern): ["regex": .string(pattern.source)]
    case .length(let min, let max):
      [
        "length": limits {
          $0.put("min", min)
          $0.put("max", max)
        }
      ]
    case .number(let min, let max, let decimals):
      [
        "number": limits {
          $0.put("min", min)
          $0.put("max", max)
          $0.put("decimals", decimals)
        }
      ]
    case .integer: ["integer": true]
    case .email: ["email": true]
    case .url: ["url": true]
    case .mobileCN: ["mobileCN": true]
    case .residentID: ["residentID": true]
    case .socialCreditCode: ["socialCreditCode": true]
    case .bankCard: ["bankCard": true]
    case .date(let min, let max):
      [
        "date": limits {
          $0.put("min", min?.description ?? "")
          $0.put("max", max?.description ?? "")
        }
      ]
    case .oneOf(let choices): ["oneOf": .array(choices)]
    case .equalTo(let key): ["equalTo": .string(key)]
    case .all(let rules): ["all": .array(rules.map(\.definition))]
    case .any(let rules): ["any": .array(rules.map(\.definition))]
    case .not(let rule): ["not": rule.definition]
    case .named(let name): ["named": .string(name)]
    }
  }
}

extension Condition {
  fileprivate var definition: JSONValue {
    switch self {
    case .test(let key, let test):
      .object(JSONObject([("key", .string(key))] + test.members))
    case .all(let conditions): ["all": .array(conditions.map(\.definition))]
    case .any(let conditions): ["any": .array(conditions.map(\.definition))]
    case .not(let condition): ["not": condition.definition]
    }
  }
}

extension ConditionTest {
  fileprivate var members: [(String, JSONValue)] {
    switch self {
    case .equals(let json): [("equals", json)]
    case .notEquals(let json): [("notEquals", json)]
    case .oneOf(let choices): [("in", .array(choices))]
    case .contains(let json): [("contains", json)]
    case .isEmpty(let flag): [("isEmpty", .bool(flag))]
    case .rule(let rule): rule.definition.objectValue?.members.map { ($0.key, $0.value) } ?? []
    }
  }
}

extension FormUI {
  fileprivate var definition: JSONObject {
    let standard = FormUI()
    var object = JSONObject()
    object.put("cellHeight", cellHeight)
    object.put("cellSpace", cellSpace, default: standard.cellSpace)
    object.put("isShowArrow", isShowArrow, default: standard.isShowArrow)
    object.put("isHiddenLine", isHiddenLine, default: standard.isHiddenLine)
    object.put("lineLeftMargin", lineLeftMargin, default: standard.lineLeftMargin)
    object.put("lineHeight", lineHeight, default: standard.lineHeight)
    object.put("lineRightMargin", lineRightMargin, default: standard.lineRightMargin)
    object.put("separatorLineColor", separatorLineColor, default: standard.separatorLineColor)
    object.put("errorFont", errorFont, default: standard.errorFont)
    object.put("errorColor", errorColor, default: standard.errorColor)
    object.put("starColor", starColor, default: standard.starColor)
    object.put("lineBreakMode", lineBreakMode, default: standard.lineBreakMode)
    object.put("keyTextColor", keyTextColor, default: standard.keyTextColor)
    object.put("valueTextColor", valueTextColor, default: standard.valueTextColor)
    object.put("keyTextFont", keyTextFont, default: standard.keyTextFont)
    object.put("valueTextFont", valueTextFont, default: standard.valueTextFont)
    object.put("placeholderColor", placeholderColor, default: standard.placeholderColor)
    object.put("placeholderFont", placeholderFont, default: standard.placeholderFont)
    object.put("inputTextAlignment", inputTextAlignment, default: standard.inputTextAlignment)
    return object
  }
}

extension TagPresentation {
  fileprivate var definition: JSONObject {
    let standard = TagPresentation()
    var object = JSONObject()
    object.put("leftM", leftM, default: standard.leftM)
    object.put("rightM", rightM, default: standard.rightM)
    object.put("topM", topM, default: standard.topM)
    object.put("titleHeight", titleHeight, default: standard.titleHeight)
    object.put("itemHeight", itemHeight, default: standard.itemHeight)
    object.put("itemCorner", itemCorner, default: standard.itemCorner)
    object.put("minimumLineSpacing", minimumLineSpacing, default: standard.minimumLineSpacing)
    object.put(
      "minimumInteritemSpacing", minimumInteritemSpacing, default: standard.minimumInteritemSpacing)
    object.put("fontSize", fontSize, default: standard.fontSize)
    object.put("fontWeight", fontWeight, default: standard.fontWeight)
    object.put("itemLeftMargin", itemLeftMargin, default: standard.itemLeftMargin)
    object.put("itemRightMargin", itemRightMargin, default: standard.itemRightMargin)
    object.put("itemBackGroundColor", itemBackGroundColor, default: standard.itemBackGroundColor)
    object.put("itemTextColor", itemTextColor, default: standard.itemTextColor)
    object.put("themeColor", themeColor, default: standard.themeColor)
    object.put("selectedItemTextColor", selectedItemTextColor)
    object.put("selectedItemBackgourdColor", selectedItemBackgourdColor)
    object.put("borderColor", borderColor)
    object.put("selectedBorderColor", selectedBorderColor)
    object.put("borderWidth", borderWidth, default: standard.borderWidth)
    return object
  }
}
