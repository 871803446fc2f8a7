import FormModel

/// Makes one random form.
struct FormMaker {
  var random: SeededGenerator
  let isLenient: Bool
  /// The keys of the fields so far; conditions of later rows look at them.
  private var keys: [String] = []
  private var keyCount = 0

  init(random: SeededGenerator, isLenient: Bool) {
    self.random = random
    self.isLenient = isLenient
  }

  mutating func form(rowCount: Int) -> Form {
    var sections: [Section] = []
    var left = rowCount
    while left > 0 {
      let count = random.int(1...left)
      left -= count
      sections.append(Section(title: text(), rows: (0..<count).map { _ in row() }))
    }
    return Form(
      id: "form-" + RandomJSON.word(using: &random), title: text(),
      emptyValues: random.pick(EmptyValues.allCases), sections: sections)
  }

  private mutating func text() -> String { RandomJSON.text(using: &random) }

  /// A key that no field of the form has.
  private mutating func key() -> String {
    keyCount += 1
    return RandomJSON.word(using: &random) + String(keyCount)
  }

  private mutating func rarely<Value>(_ value: (inout FormMaker) -> Value) -> Value? {
    random.oneIn(3) ? value(&self) : nil
  }

  private mutating func row() -> Row {
    let kind = kind()
    var row = Row(key: text(), kind: kind)
    if case .pair = kind {
    } else if random.oneIn(8) {
      row.key = key()
    } else {
      row.serviceKey = key()
    }
    decorate(&row)
    keys += Form(id: "x", sections: [Section(rows: [row])]).fields().map(\.key)
    return row
  }

  private mutating func decorate(_ row: inout Row) {
    switch row.kind {
    case .custom: break
    default:
      row.cellStyle = random.pick([
        .default, .option, .value1, .value2, .input1, .input2, .textView1, .textView2,
        .customIdentifier(RandomJSON.word(using: &random)),
      ])
    }
    row.valueType = random.pick([0, 0, 1, -7, .max, .min])
    row.param = rarely { RandomJSON.value(using: &$0.random) }
    row.ui = rarely { $0.ui() } ?? FormUI()
    row.formerKeys = rarely { maker in [maker.key(), maker.key()] } ?? []
    row.keepsValueWhenHidden = random.oneIn(4)
    row.isSensitive = random.oneIn(4)
    switch row.kind {
    case .option, .pair: row.transform = random.pick([nil, .optionID, .stripSeparators])
    default: row.transform = random.pick([nil, .stripSeparators])
    }
    guard !isLenient else { return }
    row.requiredType = random.pick(RequiredType.allCases)
    row.visibleWhen = rarely { $0.condition() } ?? nil
    row.requiredWhen = rarely { $0.condition() } ?? nil
    row.enabledWhen = rarely { $0.condition() } ?? nil
  }

  private mutating func kind() -> Row.Kind {
    switch random.int(0...6) {
    case 0:
      let type = random.pick(DataType.allCases)
      return .text(
        TextContent(rarely { RandomForm.value(of: type, using: &$0.random) }, dataType: type))
    case 1, 2: return .input(input())
    case 3: return .option(option())
    case 4:
      let left: PairContent.Left = random.oneIn(2) ? .input(input()) : .option(option())
      let leftKey = key()
      var right = RightSelector(
        httpParameterKey: key(), selectorTitle: text(), options: options(), verify: verify())
      right.selectedIndex = rarely { $0.random.int(0...right.options.count - 1) }
      return .pair(PairContent(serviceKey: leftKey, left: left, right: right))
    case 5: return .tags(tags())
    default:
      return .custom(
        CustomContent(
          RandomJSON.word(using: &random), dataType: random.pick(DataType.allCases),
          verify: verify()))
    }
  }

  private mutating func input() -> InputContent {
    let types: [DataType] = [
      .string, .string, .integer, .decimal, .boolean, .date, .time, .dateTime,
    ]
    let type = random.pick(types)
    return InputContent(
      dataType: type, placeholder: text(),
      maxLength: isLenient ? nil : rarely { $0.random.int(0...500) },
      keyboardType: random.pick(KeyboardType.allCases),
      returnKeyType: random.pick(ReturnKeyType.allCases),
      returnDoneType: random.pick(ReturnDoneType.allCases), isScrollEnabled: random.oneIn(2),
      isConsecutiveSpaces: random.oneIn(2),
      format: type == .string
        ? rarely { maker in
          InputFormat(groupsOf: maker.random.int(1...6), separator: maker.random.pick([" ", "-"]))
        } : nil, verify: verify())
  }

  private mutating func ids() -> [OptionID] {
    (0..<random.int(1...6)).map { index in
      random.oneIn(2)
        ? .number(Int64(index)) : .string(RandomJSON.word(using: &random) + "\(index)")
    }
  }

  private mutating func options() -> [Option] {
    ids().map { Option($0, RandomJSON.text(using: &random)) }
  }

  private mutating func option() -> OptionContent {
    let options = options()
    return OptionContent(
      options, placeholder: text(), selectedIndex: rarely { $0.random.int(0...options.count - 1) },
      verify: verify())
  }

  private mutating func tags() -> TagsContent {
    let tags = ids().map { Tag($0, RandomJSON.text(using: &random)) }
    let selection = random.pick(TagsContent.Selection.allCases)
    var content = TagsContent(tags, selection: selection, verify: verify())
    content.presentation = rarely { $0.presentation() } ?? TagPresentation()
    guard !isLenient else { return content }
    content.mostChoiceCount = rarely { $0.random.int(1...tags.count) }
    content.leastChoiceCount = random.int(0...min(content.limit ?? tags.count, tags.count))
    return content
  }

  private mutating func verify() -> Verify {
    Verify(
      random.pick(VerifyType.allCases), rule: isLenient ? nil : rarely { $0.rule(depth: 2) },
      errorMsg: rarely { $0.text() }, errorType: random.pick(ErrorType.allCases),
      isBeginEditingHiddenError: random.oneIn(2))
  }

  private mutating func rule(depth: Int) -> Rule {
    switch random.int(0...(depth > 0 ? 16 : 13)) {
    case 0: return .required
    case 1:
      guard let pattern = try? Pattern(random.pick(["[a-z]+", "\\d{0,4}(\\.\\d*)?", ".*"])) else {
        return .required
      }
      return .regex(pattern)
    case 2:
      let min = random.int(0...20)
      return .length(min: rarely { _ in min }, max: rarely { _ in min + 5 })
    case 3:
      return .number(
        min: rarely { DecimalNumber(Int64($0.random.int(-50...0))) },
        max: rarely { DecimalNumber("\($0.random.int(0...50)).50") ?? .zero },
        decimals: rarely { $0.random.int(0...4) })
    case 4: return .integer
    case 5: return .email
    case 6: return .url
    case 7: return .mobileCN
    case 8: return .residentID
    case 9: return .socialCreditCode
    case 10: return .bankCard
    case 11:
      return .date(
        min: rarely { _ in CalendarDate("1900-02-28") } ?? nil,
        max: rarely { _ in CalendarDate("2024-02-29") } ?? nil)
    case 12: return .oneOf((0..<random.int(0...3)).map { _ in json() })
    case 13: return keys.isEmpty ? .bankCard : .equalTo(key: random.pick(keys))
    case 14: return .all((0..<random.int(0...3)).map { _ in rule(depth: depth - 1) })
    case 15: return .any((0..<random.int(0...3)).map { _ in rule(depth: depth - 1) })
    default: return .not(rule(depth: depth - 1))
    }
  }

  private mutating func json() -> JSONValue { RandomJSON.value(depth: 1, using: &random) }

  /// A condition over earlier rows, or nil for the first row.
  private mutating func condition(depth: Int = 2) -> Condition? {
    guard !keys.isEmpty else { return nil }
    switch random.int(0...(depth > 0 ? 8 : 5)) {
    case 0: return .test(key: random.pick(keys), .equals(json()))
    case 1: return .test(key: random.pick(keys), .notEquals(json()))
    case 2: return .test(key: random.pick(keys), .oneOf([json(), json()]))
    case 3: return .test(key: random.pick(keys), .contains(json()))
    case 4: return .test(key: random.pick(keys), .isEmpty(random.oneIn(2)))
    case 5: return .test(key: random.pick(keys), .rule(rule(depth: 1)))
    case 6: return .all((0..<random.int(0...3)).compactMap { _ in condition(depth: depth - 1) })
    case 7: return .any((0..<random.int(0...3)).compactMap { _ in condition(depth: depth - 1) })
    default: return condition(depth: depth - 1).map(Condition.not)
    }
  }

  private mutating func length() -> DecimalNumber {
    DecimalNumber("\(random.int(0...90)).\(random.int(0...50))") ?? .zero
  }

  private mutating func color() -> Color {
    Color(UInt32.random(in: 0...UInt32.max, using: &random))
  }

  private mutating func font() -> Font {
    Font(size: length(), weight: random.pick(FontWeight.allCases))
  }

  private mutating func ui() -> FormUI {
    var ui = FormUI()
    ui.cellHeight = rarely { $0.length() }
    ui.cellSpace = length()
    ui.isShowArrow = random.oneIn(2)
    ui.isHiddenLine = random.oneIn(2)
    ui.lineLeftMargin = rarely { $0.length() } ?? ui.lineLeftMargin
    ui.lineHeight = rarely { $0.length() } ?? ui.lineHeight
    ui.lineRightMargin = rarely { $0.length() } ?? ui.lineRightMargin
    ui.separatorLineColor = rarely { $0.color() } ?? ui.separatorLineColor
    ui.errorFont = rarely { $0.font() } ?? ui.errorFont
    ui.errorColor = rarely { $0.color() } ?? ui.errorColor
    ui.starColor = rarely { $0.color() } ?? ui.starColor
    ui.lineBreakMode = random.pick(LineBreakMode.allCases)
    ui.keyTextColor = rarely { $0.color() } ?? ui.keyTextColor
    ui.valueTextColor = rarely { $0.color() } ?? ui.valueTextColor
    ui.keyTextFont = rarely { $0.font() } ?? ui.keyTextFont
    ui.valueTextFont = rarely { $0.font() } ?? ui.valueTextFont
    ui.placeholderColor = rarely { $0.color() } ?? ui.placeholderColor
    ui.placeholderFont = rarely { $0.font() } ?? ui.placeholderFont
    ui.inputTextAlignment = random.pick(TextAlignment.allCases)
    return ui
  }

  private mutating func presentation() -> TagPresentation {
    var tags = TagPresentation()
    let lengths: [WritableKeyPath<TagPresentation, DecimalNumber>] = [
      \.leftM, \.rightM, \.topM, \.titleHeight, \.itemHeight, \.itemCorner, \.minimumLineSpacing,
      \.minimumInteritemSpacing, \.fontSize, \.itemLeftMargin, \.itemRightMargin, \.borderWidth,
    ]
    for path in lengths where random.oneIn(2) { tags[keyPath: path] = length() }
    tags.fontWeight = random.pick(FontWeight.allCases)
    tags.itemBackGroundColor = rarely { $0.color() } ?? tags.itemBackGroundColor
    tags.itemTextColor = rarely { $0.color() } ?? tags.itemTextColor
    tags.themeColor = rarely { $0.color() } ?? tags.themeColor
    tags.selectedItemTextColor = rarely { $0.color() }
    tags.selectedItemBackgourdColor = rarely { $0.color() }
    tags.borderColor = rarely { $0.color() }
    tags.selectedBorderColor = rarely { $0.color() }
    return tags
  }
}
