extension Form {
  /// The largest definition that is read, in bytes.
  public static let maximumDefinitionSize = 4 << 20

  /// Reads a definition from its JSON text and checks it.
  ///
  /// - Parameters:
  ///   - bytes: the JSON text in UTF-8.
  ///   - registry: the rules and conversions that the definition may name.
  /// - Throws: ``JSONError`` when the text is not JSON; ``DefinitionError`` with every fault.
  public init(definition bytes: [UInt8], registry: RuleRegistry = RuleRegistry()) throws {
    guard bytes.count <= Self.maximumDefinitionSize else {
      throw DefinitionError(problems: [.init(place: "", message: Self.tooLarge)])
    }
    try self.init(definition: JSONValue(parsing: bytes), registry: registry)
  }

  /// Reads a definition from its JSON text and checks it; see ``init(definition:registry:)``.
  public init(definition text: String, registry: RuleRegistry = RuleRegistry()) throws {
    try self.init(definition: Array(text.utf8), registry: registry)
  }

  /// Reads a definition from JSON and checks it.
  ///
  /// - Throws: ``DefinitionError`` with every fault.
  public init(
    definition value: JSONValue, registry: RuleRegistry = RuleRegistry()
  ) throws(DefinitionError) {
    let problems = ProblemList()
    let form = DefinitionReader(problems).form(value)
    form?.check(registry: registry, problems)
    guard let form, problems.problems.isEmpty else {
      throw DefinitionError(problems: problems.problems)
    }
    self = form
  }

  /// Reads a definition that was checked before, such as a stored one: rules and conversions that
  /// it names need not be registered now.
  ///
  /// - Throws: ``JSONError`` or ``DefinitionError`` when the text is no definition.
  public init(checkedDefinition text: String) throws {
    let problems = ProblemList()
    let form = DefinitionReader(problems).form(try JSONValue(parsing: Array(text.utf8)))
    guard let form, problems.problems.isEmpty else {
      throw DefinitionError(problems: problems.problems)
    }
    self = form
  }
}

/// Reads the definition format, reporting every fault that it meets.
struct DefinitionReader {
  let problems: ProblemList

  init(_ problems: ProblemList) {
    self.problems = problems
  }

  func form(_ value: JSONValue) -> Form? {
    guard let root = DefinitionObject(value, at: "", problems) else { return nil }
    // An editor finds the JSON Schema by this member.
    _ = root.string("$schema")
    let form = Form(
      id: root.string("id") ?? "", title: root.string("title") ?? "",
      version: root.integer("version", in: 1...Int.max),
      emptyValues: root.name("emptyValues", default: .omit),
      sections: root.objects("sections", "section").enumerated().map(section))
    problems.hasLostID = root.object["id"].map { $0.stringValue == nil } ?? false
    if root.object["sections"] == nil {
      root.report("\"sections\" is missing: list the rows in it")
    }
    root.finish()
    return form
  }

  private func section(_ index: Int, _ object: DefinitionObject) -> Section {
    let title = object.string("title") ?? ""
    let place = Place.section(index, title: title)
    let rows = (object.read("rows", "a list", \.arrayValue) ?? []).enumerated().compactMap {
      let row = self.row($1, at: place, index: $0)
      if row == nil { problems.hasLostRows = true }
      return row
    }
    if object.object["rows"] == nil { object.report("\"rows\" is missing: list the rows in it") }
    object.finish()
    return Section(title: title, rows: rows)
  }

  private func row(_ value: JSONValue, at section: String, index: Int) -> Row? {
    let place = Place.row(
      index, key: value["key"]?.stringValue ?? "",
      serviceKey: value["serviceKey"]?.stringValue ?? value["left"]?["serviceKey"]?.stringValue,
      in: section)
    guard let object = DefinitionObject(value, at: place, problems) else { return nil }
    let kinds = RowKindReader(object)
    let kind = kinds.kind()
    // A pair that lacks a half does not hide what else is wrong with its row.
    guard kind != nil || kinds.isKnown else { return nil }
    if [object.object["key"], object.object["serviceKey"]].contains(where: {
      $0.map { $0.stringValue == nil } ?? false
    }) {
      problems.placesOfLostKeys.insert(place)
    }
    let row = Row(
      key: object.string("key") ?? "", serviceKey: object.string("serviceKey"),
      kind: kind ?? .text(TextContent()),
      cellStyle: kinds.cellStyle(), requiredType: object.name("requiredType", default: .none),
      valueType: object.integer("valueType", in: Int.min...Int.max) ?? 0,
      param: object.value("param"),
      ui: object.object("ui").map(PresentationReader.formUI) ?? FormUI(),
      visibleWhen: condition("visibleWhen", of: object),
      requiredWhen: condition("requiredWhen", of: object),
      enabledWhen: condition("enabledWhen", of: object),
      formerKeys: object.strings("formerKeys"), transform: transform(of: object),
      keepsValueWhenHidden: object.bool("keepsValueWhenHidden", default: false),
      isSensitive: object.bool("sensitive", default: false))
    object.finish()
    guard kind != nil else { return nil }
    problems.rowPlaces.append(place)
    return row
  }

  private func condition(_ key: String, of object: DefinitionObject) -> Condition? {
    object.object(key).flatMap { RuleReader($0).condition() }
  }

  private func transform(of object: DefinitionObject) -> Transform? {
    object.read(
      "transform", "\"stripSeparators\", \"optionID\" or {\"named\": \"…\"}"
    ) { value in
      switch value.stringValue {
      case "stripSeparators"?: .stripSeparators
      case "optionID"?: .optionID
      default:
        value.objectValue?.count == 1 ? value["named"]?.stringValue.map(Transform.named) : nil
      }
    }
  }
}

/// The words for places in a definition.
enum Place {
  static func section(_ index: Int, title: String) -> String {
    "section \(index + 1)" + (title.isEmpty ? "" : " \"\(title)\"")
  }

  static func row(_ index: Int, key: String, serviceKey: String?, in section: String) -> String {
    section + ", row \(index + 1)" + (key.isEmpty ? "" : " \"\(key)\"")
      + (serviceKey.map { " (\($0))" } ?? "")
  }
}
