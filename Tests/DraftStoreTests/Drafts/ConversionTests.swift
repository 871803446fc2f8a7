import DraftStore
import FormModel
import Testing

/// What a value becomes when its row takes another type.
@Suite struct ConversionTests {
  private static func row(_ type: DataType) -> Row {
    switch type {
    case .option: SampleForms.option("k", ["a", 5, "2024-02-29", "true"])
    case .tags: SampleForms.tags("k", ["a", 5])
    case .json: SampleForms.json("k")
    default: SampleForms.input("k", type)
    }
  }

  private static func typed(_ text: String, _ type: DataType) -> FieldValue {
    .typed(text, as: type)
  }

  /// Each pair of types: a value, and what it becomes; nil where it is kept and flagged.
  private static let pairs: [(from: FieldValue, of: DataType, to: [DataType: FieldValue])] = [
    (
      .string("5"), .string,
      [
        .integer: .integer(5), .decimal: typed("5", .decimal), .option: .option(5),
        .json: .json("5"),
      ]
    ),
    (.string("007"), .string, [.json: .json("007")]),
    (.string("1.50"), .string, [.decimal: typed("1.50", .decimal), .json: .json("1.50")]),
    (
      .string("2024-02-29"), .string,
      [
        .date: typed("2024-02-29", .date), .option: .option("2024-02-29"),
        .json: .json("2024-02-29"),
      ]
    ),
    (.string("23:59"), .string, [.time: typed("23:59", .time), .json: .json("23:59")]),
    (
      .string("true"), .string,
      [.boolean: .boolean(true), .option: .option("true"), .json: .json("true")]
    ),
    (
      .integer(5), .integer,
      [
        .string: .string("5"), .decimal: typed("5", .decimal), .option: .option(5), .json: .json(5),
      ]
    ),
    (
      typed("5", .decimal), .decimal,
      [.string: .string("5"), .integer: .integer(5), .option: .option(5), .json: .json(5)]
    ),
    (
      typed("-0", .decimal), .decimal,
      [.string: .string("-0"), .json: .json(.number(DecimalNumber("-0") ?? 0))]
    ),
    (
      typed("1e2", .decimal), .decimal,
      [.string: .string("1e2"), .json: .json(.number(DecimalNumber("1e2") ?? 0))]
    ),
    (
      .boolean(true), .boolean,
      [.string: .string("true"), .option: .option("true"), .json: .json(true)]
    ),
    (
      typed("2024-02-29", .date), .date,
      [
        .string: .string("2024-02-29"), .option: .option("2024-02-29"),
        .json: .json("2024-02-29"),
      ]
    ),
    (typed("23:59", .time), .time, [.string: .string("23:59"), .json: .json("23:59")]),
    (
      typed("2024-01-01T00:00:00+08:00", .dateTime), .dateTime,
      [
        .string: .string("2024-01-01T00:00:00+08:00"), .json: .json("2024-01-01T00:00:00+08:00"),
      ]
    ),
    (
      .option("a"), .option,
      [.string: .string("a"), .tags: .tags(["a"]), .json: .json("a")]
    ),
    (
      .option(5), .option,
      [
        .string: .string("5"), .integer: .integer(5), .decimal: typed("5", .decimal),
        .tags: .tags([5]), .json: .json(5),
      ]
    ),
    (.tags(["a"]), .tags, [.option: .option("a"), .json: .json(["a"])]),
    (.tags(["a", 5]), .tags, [.json: .json(["a", 5])]),
    (.tags([]), .tags, [.json: .json([])]),
    (.json("x"), .json, [.string: .string("x")]),
    (.json("a"), .json, [.string: .string("a"), .option: .option("a")]),
    (
      .json(5), .json,
      [.integer: .integer(5), .decimal: typed("5", .decimal), .option: .option(5)]
    ),
    (.json(true), .json, [.boolean: .boolean(true)]),
    (.json(["a", 5]), .json, [.tags: .tags(["a", 5])]),
    (.json(["a", "a"]), .json, [:]),
    (.json(["x": 1]), .json, [:]),
  ]

  @Test(arguments: pairs.indices)
  func everyPairOfTypesConvertsWithoutLossOrKeepsTheValue(index: Int) throws {
    let (value, type, expected) = Self.pairs[index]
    for target in DataType.allCases where target != type {
      let test = try TestStore(SampleForms.form("f", Self.row(type)))
      let id = try test.store.newDraft(of: "f").id
      try test.store.set(value, for: "k", in: id)
      #expect(try test.store.draft(id)["k"] == value)
      try test.store.add(SampleForms.form("f", Self.row(target)))
      let upgrade = try test.store.upgrade(id)
      let draft = try test.store.draft(id)
      if let expected = expected[target] {
        #expect(draft["k"] == expected, "\(value) as \(target)")
        #expect(upgrade.needsAttention.isEmpty && upgrade.converted == ["k"], "\(value) \(target)")
      } else {
        #expect(draft["k"] == value, "\(value) as \(target)")
        #expect(upgrade.converted.isEmpty)
        let isFlagged = upgrade.needsAttention.map(\.reason) == [.type]
        #expect(isFlagged || value.isBlank, "\(value) as \(target)")
      }
      #expect(try test.store.check().isEmpty)
    }
  }

  @Test func nullAndEmptyTextStayWhatTheyAre() throws {
    for value in [FieldValue.null, .string("")] {
      for target in DataType.allCases where target != .json && target != .string {
        let test = try TestStore(SampleForms.form("f", SampleForms.input("k")))
        let id = try test.store.newDraft(of: "f").id
        try test.store.set(value, for: "k", in: id)
        try test.store.add(SampleForms.form("f", Self.row(target)))
        #expect(try test.store.upgrade(id).needsAttention.isEmpty)
        #expect(try test.store.draft(id)["k"] == value)
      }
    }
  }
}
