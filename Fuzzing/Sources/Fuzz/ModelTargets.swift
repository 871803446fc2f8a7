import FormModel

/// A definition that is taken is written as one that reads the same, and can be filled.
func testDefinition(_ bytes: [UInt8]) {
  guard let form = try? Form(definition: bytes) else { return }
  let text = form.definition.jsonText
  guard let again = try? Form(definition: text) else {
    return law(false, "a definition that was written is refused")
  }
  law(again == form, "a definition is another when it is read again")
  law(again.fingerprint == form.fingerprint, "the fingerprint changes")
  let prepared = PreparedForm(form)
  var values: [String: FieldValue] = [:]
  for field in prepared.fields { values[field.key] = field.typed("1") }
  let param = FormParam(prepared, values: values)
  law(param.isValid == param.errors.isEmpty, "valid with errors")
  law(param.isValid || param.entries.isEmpty, "entries though not valid")
}

/// JSON that is read is written as JSON that reads the same.
func testJSON(_ bytes: [UInt8]) {
  guard let value = try? JSONValue(parsing: bytes) else { return }
  for text in [value.jsonText, value.prettyText] {
    law((try? JSONValue(parsing: text)) == value, "JSON is another when it is read again")
  }
  law(value.isEquivalent(to: value), "JSON is not equivalent to itself")
}

/// Text that denotes a value of a type is that value's text, or one that denotes the same.
func testValue(_ bytes: [UInt8]) {
  guard let first = bytes.first else { return }
  let types = DataType.allCases
  let type = types[Int(first) % types.count]
  let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
  if let value = try? FieldValue(parsing: text, as: type) {
    law(value.isOf(type), "a value is of another type")
    law((try? FieldValue(parsing: value.text, as: type)) == value, "a value's text is another's")
    law((try? FieldValue(json: value.json, as: type)) == value, "a value's JSON is another's")
    law(value.isEquivalent(to: value), "a value is not equivalent to itself")
  }
  if let json = try? JSONValue(parsing: Array(bytes.dropFirst())),
    let value = try? FieldValue(json: json, as: type)
  {
    law(value.isOf(type), "JSON becomes a value of another type")
    law((try? FieldValue(json: value.json, as: type)) == value, "JSON becomes another value")
  }
}

/// Rows that are read are written as rows that read the same, in whatever pieces they come.
func testCSV(_ bytes: [UInt8]) {
  guard let first = bytes.first else { return }
  let guards = first % 2 == 0
  let content = Array(bytes.dropFirst())
  let rows = try? CSVReader.rows(in: content, guardsFormulas: guards)
  var reader = CSVReader(guardsFormulas: guards)
  var pieces: [[CSVCell]]? = []
  do {
    for byte in content {
      reader.feed([byte])
      while let row = try reader.nextRow() { pieces?.append(row) }
    }
    reader.finish()
    while let row = try reader.nextRow() { pieces?.append(row) }
  } catch {
    pieces = nil
  }
  law(rows == pieces, "CSV is another in pieces")
  guard let rows, !rows.isEmpty else { return }
  var writer = CSVWriter(guardsFormulas: guards)
  for row in rows { writer.append(row) }
  // A literal that can't stand without quotes becomes text; what it says stays.
  func texts(_ rows: [[CSVCell]]) -> [[[UInt8]?]] {
    rows.map { row in
      row.map { cell in
        switch cell {
        case .absent: nil
        case .literal(let text), .text(let text): Array(text.utf8)
        }
      }
    }
  }
  let again = try? CSVReader.rows(in: writer.bytes, guardsFormulas: guards)
  law(again.map(texts) == texts(rows), "CSV is another when it is read again")
}

func testURLEncoded(_ bytes: [UInt8]) {
  let pairs = URLEncodedForm.parse(String(decoding: bytes, as: UTF8.self))
  let again = URLEncodedForm.parse(URLEncodedForm.serialize(pairs.map { ($0.name, $0.value) }))
  law(
    pairs.map(\.name) == again.map(\.name) && pairs.map(\.value) == again.map(\.value),
    "a form is another when it is read again")
}

/// A pattern is refused or matches in bounded time: libFuzzer sees to that.
func testPattern(_ bytes: [UInt8]) {
  let lines = bytes.lines
  guard let pattern = try? Pattern(String(decoding: lines[0], as: UTF8.self)) else { return }
  for line in lines.dropFirst() {
    _ = pattern.matchesWhole(String(decoding: line, as: UTF8.self))
  }
  law(pattern == (try? Pattern(pattern.source)), "a pattern is another when it is read again")
}
