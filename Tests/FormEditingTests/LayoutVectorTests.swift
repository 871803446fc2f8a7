import FormEditing
import FormModel
import Testing

/// Tests/Vectors/layout.
@Suite struct LayoutVectorTests {
  /// The presentation of a tags row or the `ui` of a row, read as a definition's.
  private func row(_ members: JSONObject) throws -> Row {
    var row: JSONObject = [
      "kind": "tags", "key": "k", "serviceKey": "k", "tags": [["id": 1, "labelName": "x"]],
    ]
    for member in members.members { row[member.key] = member.value }
    let definition: JSONValue = ["id": "f", "sections": [["rows": [.object(row)]]]]
    return try Form(definition: definition.jsonText).rows[0]
  }

  private func direction(_ vector: JSONValue) throws -> LayoutDirection {
    guard let name = vector["direction"]?.stringValue else { return .leftToRight }
    return try #require(LayoutDirection(rawValue: name))
  }

  private func number(_ json: JSONValue?) -> Double? {
    if case .number(let number)? = json { Double(number.text) } else { nil }
  }

  private func json(_ frame: Frame) throws -> JSONValue {
    .array(
      try [frame.x, frame.y, frame.width, frame.height].map {
        .number(try #require(DecimalNumber("\($0)")))
      })
  }

  private func expect(_ actual: JSONObject, _ vector: JSONValue, ignoring inputs: Set<String>) {
    var expected = vector.objectValue ?? [:]
    for key in expected.keys where inputs.contains(key) { expected[key] = nil }
    #expect(
      differences(.object(actual), from: .object(expected)) == [],
      "\(vector["name"]?.stringValue ?? "")")
  }

  @Test func tags() throws {
    for vector in try #require(try vectors("layout/tags").arrayValue) {
      let row = try row(["presentation": vector["presentation"] ?? [:]])
      guard case .tags(let content) = row.kind else { continue }
      let names = try #require(vector["names"]?.arrayValue).compactMap(\.stringValue)
      let layout = TagLayout(
        names,
        content.presentation, width: try #require(number(vector["width"])),
        direction: try direction(vector), measurer: GridTextMeasurer())
      let actual: JSONObject = [
        "frames": .array(try layout.items.map { try json($0.frame) }),
        "titles": .array(try layout.items.map { try json($0.titleFrame) }),
        "truncated": .array(layout.items.map { .bool($0.isTruncated) }),
        "height": .number(try #require(DecimalNumber("\(layout.height)"))),
      ]
      expect(
        actual, vector, ignoring: ["name", "names", "width", "direction", "presentation"])
    }
  }

  @Test func cells() throws {
    for vector in try #require(try vectors("layout/cells").arrayValue) {
      var members: JSONObject = ["ui": vector["ui"] ?? [:]]
      members["cellStyle"] = vector["style"]
      let row = try row(members)
      let content = CellLayout.Content(
        key: try #require(vector["key"]?.stringValue),
        value: try #require(vector["value"]?.stringValue),
        isPlaceholder: vector["isPlaceholder"]?.boolValue ?? false,
        error: vector["error"]?.stringValue, valueHeight: number(vector["valueHeight"]))
      let layout = CellLayout(
        content, style: row.cellStyle, ui: row.ui, width: try #require(number(vector["width"])),
        direction: try direction(vector), measurer: GridTextMeasurer())
      var actual: JSONObject = [
        "keyFrame": try json(layout.keyFrame), "valueFrame": try json(layout.valueFrame),
        "height": .number(try #require(DecimalNumber("\(layout.height)"))),
      ]
      actual["errorFrame"] = try layout.errorFrame.map(json)
      actual["arrowFrame"] = try layout.arrowFrame.map(json)
      actual["lineFrame"] = try layout.lineFrame.map(json)
      expect(
        actual, vector,
        ignoring: [
          "name", "style", "ui", "width", "direction", "key", "value", "isPlaceholder", "error",
          "valueHeight",
        ])
    }
  }
}
