/// Collects what is listed in braces: a form's sections, a section's rows, a row's options or tags.
///
/// `if`, `switch` and `for` may stand among them.
@resultBuilder
public enum FormBuilder<Element> {
  public static func buildExpression(_ element: Element) -> [Element] { [element] }
  public static func buildExpression(_ elements: [Element]) -> [Element] { elements }
  public static func buildBlock() -> [Element] { [] }
  public static func buildPartialBlock(first: [Element]) -> [Element] { first }
  public static func buildPartialBlock(
    accumulated: [Element], next: [Element]
  ) -> [Element] { accumulated + next }
  public static func buildOptional(_ elements: [Element]?) -> [Element] { elements ?? [] }
  public static func buildEither(first elements: [Element]) -> [Element] { elements }
  public static func buildEither(second elements: [Element]) -> [Element] { elements }
  public static func buildArray(_ lists: [[Element]]) -> [Element] { lists.flatMap(\.self) }
  public static func buildLimitedAvailability(_ elements: [Element]) -> [Element] { elements }
}

extension FormBuilder where Element == Row {
  public static func buildExpression(_ element: some RowElement) -> [Row] { [element.row] }
}

extension Form {
  /// A form written in Swift:
  /// ```swift
  /// let form = Form(id: "loan", title: "贷款") {
  ///   Section("借款人") {
  ///     Input("姓名", serviceKey: "name").required(star: true).maxLength(60)
  ///     Choice("城市", serviceKey: "city") {
  ///       Option("bj", "北京")
  ///       Option("sh", "上海")
  ///     }
  ///   }
  /// }
  /// ```
  /// It is the value that the same definition in JSON gives. It is not checked yet; see
  /// ``check(registry:)``.
  public init(
    id: String, title: String = "", version: Int? = nil, emptyValues: EmptyValues = .omit,
    @FormBuilder<Section> sections: () throws -> [Section]
  ) rethrows {
    self.init(
      id: id, title: title, version: version, emptyValues: emptyValues, sections: try sections())
  }
}

extension Section {
  /// A section with its rows in braces.
  public init(
    _ title: String = "", @FormBuilder<Row> rows: () throws -> [Row]
  ) rethrows {
    self.init(title: title, rows: try rows())
  }
}

extension Condition {
  /// A test of the value of the field with this key:
  /// `.visible(when: .value(of: "loanType", .equals("mixed")))`.
  public static func value(of key: String, _ test: ConditionTest) -> Condition {
    .test(key: key, test)
  }

  /// Whether both hold.
  public static func && (lhs: Condition, rhs: Condition) -> Condition { .all([lhs, rhs]) }

  /// Whether at least one holds.
  public static func || (lhs: Condition, rhs: Condition) -> Condition { .any([lhs, rhs]) }

  /// Whether it does not hold.
  public static prefix func ! (condition: Condition) -> Condition { .not(condition) }
}
