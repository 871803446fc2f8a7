/// Reads the members of one object of a definition and reports each one that is wrong, missing or
/// unknown.
final class DefinitionObject {
  let object: JSONObject
  let place: String
  let problems: ProblemList
  private var known: [String] = []

  init(_ object: JSONObject, at place: String, _ problems: ProblemList) {
    self.object = object
    self.place = place
    self.problems = problems
  }

  /// Reads a value as an object; reports it when it is none.
  convenience init?(_ value: JSONValue, at place: String, _ problems: ProblemList) {
    guard let object = value.objectValue else {
      problems.add(place, "expected an object, not \(value.kindName)")
      return nil
    }
    self.init(object, at: place, problems)
  }

  func report(_ message: String) {
    problems.add(place, message)
  }

  func value(_ key: String) -> JSONValue? {
    known.append(key)
    return object[key]
  }

  /// Reads a member by a conversion; reports it when the conversion fails.
  func read<Value>(
    _ key: String, _ expectation: String, _ convert: (JSONValue) -> Value?
  ) -> Value? {
    guard let value = value(key) else { return nil }
    guard let converted = convert(value) else {
      report("\"\(key)\" must be \(expectation), not \(value.brief)")
      return nil
    }
    return converted
  }

  func string(_ key: String) -> String? {
    read(key, "a string", \.stringValue)
  }

  func bool(_ key: String, default value: Bool) -> Bool {
    read(key, "true or false", \.boolValue) ?? value
  }

  func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    read(key, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
      value.integerValue.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A number, or digits in a string.
  func decimal(_ key: String) -> DecimalNumber? {
    read(key, "a number, or its digits in quotes") { value in
      switch value {
      case .number(let number): number
      case .string(let text): DecimalNumber(text)
      default: nil
      }
    }
  }

  func date(_ key: String) -> CalendarDate? {
    read(key, "a date as YYYY-MM-DD") { $0.stringValue.flatMap(CalendarDate.init) }
  }

  func color(_ key: String) -> Color? {
    read(key, "a colour as #RRGGBB or #RRGGBBAA") { $0.stringValue.flatMap(Color.init(hex:)) }
  }

  func strings(_ key: String) -> [String] {
    read(key, "a list of strings") { value in
      value.arrayValue.flatMap { elements in
        let strings = elements.compactMap(\.stringValue)
        return strings.count == elements.count ? strings : nil
      }
    } ?? []
  }

  /// One of an enumeration's names.
  func name<Name: RawRepresentable<String> & CaseIterable>(
    _ key: String, default name: Name
  ) -> Name {
    let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
    return read(key, "one of \(names)") { $0.stringValue.flatMap(Name.init(rawValue:)) } ?? name
  }

  /// The objects of a list, each with its place.
  func objects(_ key: String, _ noun: String) -> [DefinitionObject] {
    guard let elements = read(key, "a list", \.arrayValue) else { return [] }
    return elements.enumerated().compactMap { index, element in
      DefinitionObject(element, at: inner("\(noun) \(index + 1)"), problems)
    }
  }

  func object(_ key: String) -> DefinitionObject? {
    value(key).flatMap { DefinitionObject($0, at: inner("\"\(key)\""), problems) }
  }

  func inner(_ part: String) -> String {
    place.isEmpty ? part : "\(place), \(part)"
  }

  /// Reports the members that nothing has asked for.
  func finish() {
    for key in object.keys where !known.contains(where: { $0.hasSameBytes(as: key) }) {
      let hint = known.mostSimilar(to: key).map { "; did you mean \"\($0)\"?" } ?? "; take it out"
      report("\"\(key)\" is not a setting here\(hint)")
    }
  }
}

extension JSONValue {
  /// A short form for messages.
  var brief: String {
    switch self {
    case .string, .number, .bool:
      let text = jsonText
      return text.count > 40 ? text.prefix(40) + "…" : text
    default: return kindName
    }
  }
}
