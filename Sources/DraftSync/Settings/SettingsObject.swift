import FormModel

/// Collects the faults of a settings file.
final class SettingsProblems {
  private(set) var problems: [SyncSettingsError.Problem] = []

  func add(_ member: String, _ message: String) {
    problems.append(.init(member: member, message: message))
  }
}

/// Reads the members of one object of a settings file and reports each one that is wrong or
/// unknown.
///
/// A value is never quoted: it may be a secret that stands in the wrong place.
final class SettingsObject {
  let problems: SettingsProblems
  private let object: JSONObject
  private let path: String
  private var known: [String] = []
  private var refused: [String] = []

  init(_ object: JSONObject, at path: String = "", _ problems: SettingsProblems) {
    self.object = object
    self.path = path
    self.problems = problems
  }

  func report(_ key: String, _ message: String) {
    problems.add(self.path(of: key), message)
  }

  func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  func has(_ key: String) -> Bool { object[key] != nil }

  var keys: [String] { object.keys }

  func value(_ key: String) -> JSONValue? {
    known.append(key)
    return object[key]
  }

  /// Reads a member by a conversion; reports it when the conversion fails.
  func read<Value>(
    _ key: String, _ expectation: String, _ convert: (JSONValue) -> Value?
  ) -> Value? {
    guard let value = value(key) else { return nil }
    let converted = convert(value)
    if converted == nil { report(key, "write \(expectation); this is \(value.kindName)") }
    return converted
  }

  func string(_ key: String) -> String? {
    read(key, "a text that is not empty") { value in
      value.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  func bool(_ key: String) -> Bool? { read(key, "true or false", \.boolValue) }

  func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    read(key, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
      value.integerValue.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  func seconds(_ key: String, upTo limit: Int) -> Duration? {
    read(key, "a number of seconds from 0.001 to \(limit)") { value in
      guard case .number(let number) = value, let seconds = Double(number.text),
        (0.001...Double(limit)).contains(seconds)
      else { return nil }
      return .milliseconds(Int64((seconds * 1000).rounded()))
    }
  }

  /// One of an enumeration's names.
  func name<Name: RawRepresentable<String> & CaseIterable>(_ key: String, _: Name.Type) -> Name? {
    let names = Name.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return read(key, "one of \(names)") { $0.stringValue.flatMap(Name.init(rawValue:)) }
  }

  func strings(_ key: String) -> [String]? {
    read(key, "a list of texts") { value in
      value.arrayValue.flatMap { elements in
        let strings = elements.compactMap(\.stringValue)
        return strings.count == elements.count ? strings : nil
      }
    }
  }

  func object(_ key: String) -> SettingsObject? {
    read(key, "an object", \.objectValue).map {
      SettingsObject($0, at: self.path(of: key), problems)
    }
  }

  /// Reports a member that must not be there, if it is.
  func refuse(_ key: String, _ message: String) {
    guard has(key) else { return }
    refused.append(key)
    report(key, message)
  }

  /// Reports the members that nothing has asked for.
  func finish() {
    for key in object.keys
    where !(known + refused).contains(where: { $0.hasSameBytes(as: key) }) {
      let hint = known.mostSimilar(to: key).map { "did you mean \"\($0)\"?" }
      report(
        String(key.prefix(60)),
        "there is no such setting; "
          + (hint ?? "take it out (known here: \(known.joined(separator: ", ")))"))
    }
  }
}
