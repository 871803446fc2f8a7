import FormModel

/// What a person sets on a command line: `KEY=VALUE`, `KEY:=JSON` or `KEY=@FILE`.
struct Assignment {
  enum Source: Equatable {
    case text(String)
    case json(String)
    case file(String)
  }

  /// The largest file that becomes a value, in bytes.
  static let maximumFileSize = 64 << 20

  let key: String
  let source: Source

  /// - Parameters:
  ///   - word: the argument.
  ///   - keys: the form's keys, which may hold "=" themselves: the longest that fits is meant.
  ///   - path: the command.
  /// - Throws: ``UsageError``
  init(_ word: String, keys: [String] = [], path: [String]) throws {
    let equals =
      Self.sign(in: word, after: keys)
      ?? word.utf8.firstIndex(of: UInt8(ascii: "="))
    guard let equals else {
      throw UsageError(
        "\"\(word.shortened)\" sets nothing; write KEY=VALUE, KEY:=JSON or KEY=@FILE", path)
    }
    var key = word[..<equals]
    let value = String(word[word.utf8.index(after: equals)...])
    if key.utf8.last == UInt8(ascii: ":") {
      key = key[..<key.utf8.index(before: key.endIndex)]
      source = .json(value)
    } else if value.utf8.starts(with: "@@".utf8) {
      source = .text(String(value.dropFirst()))
    } else if value.utf8.first == UInt8(ascii: "@") {
      source = .file(String(value.dropFirst()))
    } else {
      source = .text(value)
    }
    guard !key.isEmpty else {
      throw UsageError("\"\(word.shortened)\" names no field; write KEY=VALUE", path)
    }
    guard source != .file("") else {
      throw UsageError("\(key)=@ names no file; write \(key)=@@ for the text @", path)
    }
    self.key = String(key)
  }

  /// The place of the "=" that ends the longest of the keys that the word begins with.
  private static func sign(in word: String, after keys: [String]) -> String.Index? {
    let bytes = word.utf8
    let ends = keys.filter { bytes.starts(with: $0.utf8) }.compactMap { key -> String.Index? in
      var end = bytes.index(bytes.startIndex, offsetBy: key.utf8.count)
      if bytes[end...].starts(with: ":=".utf8) { end = bytes.index(after: end) }
      return bytes[end...].first == UInt8(ascii: "=") ? end : nil
    }
    return ends.max()
  }

  /// The value for a field.
  ///
  /// - Parameters:
  ///   - isStrict: whether text that is no value of the field is refused too.
  ///   - warn: told what is unusual about text that is taken.
  /// - Throws: ``CommandFailure``, which never holds the value: it may be sensitive.
  func value(
    for field: FormField, isStrict: Bool, warn: (String) -> Void
  ) throws -> FieldValue {
    switch source {
    case .json(let text):
      let value: FieldValue
      do {
        value = try FieldValue(json: JSONValue(parsing: text), as: field.dataType)
      } catch let error as JSONError {
        throw failure("not JSON: \(error)", "badJSON", field)
      } catch {
        throw failure("expected \(field.dataType.expectation)", "badValue", field)
      }
      if let problem = field.problem(with: value) { throw failure(problem, "badValue", field) }
      return value
    case .text(let text):
      return try value(typed: text, for: field, isStrict: isStrict, warn: warn)
    case .file(let path):
      let bytes = try System.contents(of: path, limit: Self.maximumFileSize)
      guard bytes.count <= Self.maximumFileSize else {
        throw failure(
          "\(path) is too large; at most \(Self.maximumFileSize >> 20) MiB are read", "file",
          field)
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw failure("\(path) is not UTF-8", "file", field)
      }
      return try value(typed: text, for: field, isStrict: isStrict, warn: warn)
    }
  }

  private func value(
    typed text: String, for field: FormField, isStrict: Bool, warn: (String) -> Void
  ) throws -> FieldValue {
    // Nothing typed is an empty field of any type.
    if text.isEmpty, !isStrict || field.dataType == .string {
      return field.dataType == .tags ? .tags([]) : .string("")
    }
    let value = field.option(labelled: text) ?? field.typed(text)
    if let problem = field.problem(with: value) {
      if isStrict { throw failure(problem, "badValue", field) }
      warn(problem)
    }
    return value
  }

  private func failure(_ message: String, _ code: String, _ field: FormField) -> CommandFailure {
    CommandFailure(
      status: .data, code: code, message: "\(field.key): \(message)", key: field.key)
  }
}

extension FormField {
  /// The option that just one label names, when no id does.
  fileprivate func option(labelled text: String) -> FieldValue? {
    guard case .options(let options) = content,
      !options.contains(where: { $0.id.description.hasSameBytes(as: text) })
    else { return nil }
    let labelled = options.filter { $0.label.hasSameBytes(as: text) }
    return labelled.count == 1 ? .option(labelled[0].id) : nil
  }

  /// What keeps the field from using a value as it is, in words, or nil.
  fileprivate func problem(with value: FieldValue) -> String? {
    guard value.isOf(dataType) else { return "expected \(dataType.expectation)" }
    switch (content, value) {
    case (.options(let options), .option(let id)):
      return options.contains { $0.id == id }
        ? nil : "the options are \(Self.list(options.map(\.id)))"
    case (.tags(let tags), .tags(let ids)):
      return ids.allSatisfy { id in tags.tags.contains { $0.id == id } }
        ? nil : "the tags are \(Self.list(tags.tags.map(\.id)))"
    default:
      return nil
    }
  }

  private static func list(_ ids: [OptionID]) -> String {
    ids.prefix(12).map(\.json.jsonText).joined(separator: ", ") + (ids.count > 12 ? ", …" : "")
  }
}
