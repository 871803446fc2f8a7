import FormModel

/// Writes the records of an export in one format.
protocol RecordWriter {
  /// What is written and not yet taken away.
  var bytes: [UInt8] { get }
  mutating func begin()
  mutating func write(_ record: ExportedRecord)
  mutating func end()
  mutating func removeWritten()
}

/// Writes one JSON object a record, as an array or one a line.
struct JSONRecordWriter: RecordWriter {
  private let isArray: Bool
  private let scope: RecordScope
  private(set) var bytes: [UInt8] = []
  private var writer = JSONWriter()
  private var isFirst = true

  init(isArray: Bool, scope: RecordScope) {
    self.isArray = isArray
    self.scope = scope
  }

  mutating func begin() {
    if isArray { bytes += "[".utf8 }
  }

  mutating func write(_ record: ExportedRecord) {
    if isArray { bytes += (isFirst ? "\n" : ",\n").utf8 }
    isFirst = false
    writer.removeAll()
    writer.write(.object(object(record)))
    bytes += writer.bytes
    if !isArray { bytes.append(UInt8(ascii: "\n")) }
  }

  mutating func end() {
    if isArray { bytes += "\n]\n".utf8 }
  }

  mutating func removeWritten() { bytes.removeAll(keepingCapacity: true) }

  private func object(_ record: ExportedRecord) -> JSONObject {
    let subject = record.subject.map(JSONValue.string) ?? .null
    let values = JSONValue.object(record.entries.param)
    if let state = record.draftState {
      return [
        "draft": .string(record.draft), "form": .string(record.form),
        "version": JSONValue(integerLiteral: Int64(record.version)),
        "status": .string(state.status),
        "title": .string(record.title), "subject": subject,
        "revision": JSONValue(integerLiteral: Int64(state.revision)),
        "createdAt": .string(record.createdAt.description),
        "updatedAt": .string(state.updatedAt.description), "values": values,
      ]
    }
    return [
      "draft": .string(record.draft), "form": .string(record.form),
      "version": JSONValue(integerLiteral: Int64(record.version)),
      "submission": JSONValue(integerLiteral: Int64(record.submission ?? 0)),
      "title": .string(record.title), "subject": subject,
      "createdAt": .string(record.createdAt.description), "param": values,
    ]
  }
}

/// Writes one line a record, with a column for each service key.
struct CSVRecordWriter: RecordWriter {
  private var writer: CSVWriter
  private let head: [String]
  private let columns: OrderedKeys
  private let isOfDrafts: Bool

  var bytes: [UInt8] { writer.bytes }

  /// The columns that are no service key begin with `_`, with more of them where a service key has
  /// that name.
  init(_ options: ExportOptions, keys: [String]) {
    writer = CSVWriter(
      guardsFormulas: options.guardsFormulas, byteOrderMark: options.byteOrderMark)
    isOfDrafts = options.scope == .drafts
    let names =
      isOfDrafts
      ? [
        "draft", "form", "version", "status", "title", "subject", "revision", "createdAt",
        "updatedAt",
      ] : ["draft", "form", "version", "submission", "title", "subject", "createdAt"]
    let columns = OrderedKeys(keys)
    var prefix = "_"
    while names.contains(where: { columns.contains(prefix + $0) }) { prefix += "_" }
    head = names.map { prefix + $0 }
    self.columns = columns
  }

  mutating func begin() {
    writer.append((head + columns.keys).map(CSVCell.text))
  }

  mutating func write(_ record: ExportedRecord) {
    var cells: [CSVCell] = [
      .text(record.draft), .text(record.form), .literal(String(record.version)),
    ]
    let subject = record.subject.map(CSVCell.text) ?? .absent
    if let state = record.draftState {
      cells += [
        .text(state.status), .text(record.title), subject, .literal(String(state.revision)),
        .text(record.createdAt.description), .text(state.updatedAt.description),
      ]
    } else {
      cells += [
        .literal(String(record.submission ?? 0)), .text(record.title), subject,
        .text(record.createdAt.description),
      ]
    }
    cells += repeatElement(.absent, count: columns.keys.count)
    for entry in record.entries {
      guard let index = columns.index(of: entry.serviceKey) else { continue }
      cells[head.count + index] = CSVCell(entry.value)
    }
    writer.append(cells)
  }

  mutating func end() {}

  mutating func removeWritten() { writer.removeAll() }
}

extension CSVCell {
  /// A value as a cell: numbers, booleans and null are literals, all else is text; tags and other
  /// JSON are their JSON text.
  public init(_ value: FieldValue) {
    self =
      switch value {
      case .null, .integer, .decimal, .boolean, .option(.number): .literal(value.json.jsonText)
      case .string, .date, .time, .dateTime, .option, .tags, .json: .text(value.text)
      }
  }
}

/// Writes one line a record, as the body of a form that a browser sends.
struct URLEncodedRecordWriter: RecordWriter {
  private(set) var bytes: [UInt8] = []

  mutating func begin() {}

  mutating func write(_ record: ExportedRecord) {
    bytes += URLEncodedForm.serialize(record.entries.urlEncodedPairs).utf8
    bytes.append(UInt8(ascii: "\n"))
  }

  mutating func end() {}

  mutating func removeWritten() { bytes.removeAll(keepingCapacity: true) }
}

extension Sequence<FormParam.Entry> {
  /// The entries as names and values of a form's body: a tags value is one pair a tag, null is the
  /// empty text, other JSON its text.
  public var urlEncodedPairs: [(String, String)] {
    flatMap { entry in
      if case .tags(let ids) = entry.value {
        return ids.map { (entry.serviceKey, $0.description) }
      }
      return [(entry.serviceKey, entry.value.text)]
    }
  }
}
