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

  /// - Throws: ``UsageError``
  init(_ word: String, path: [String]) throws {
    guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) else {
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
    if text.isEmpty { return field.dataType == .tags ? .tags([]) : .string("") }
    let value = field.typed(text)
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
    ids.prefix(12).map(\.description).joined(separator: ", ") + (ids.count > 12 ? ", …" : "")
  }
}
