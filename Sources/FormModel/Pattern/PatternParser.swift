/// Reads a pattern and compiles it as it goes. Open groups are kept in an array, so that no nesting
/// can exhaust the stack.
struct PatternParser {
  static let maximumLength = 10_000
  static let maximumNesting = 200
  static let maximumSize = 20_000

  private let scalars: [Unicode.Scalar]
  private(set) var position = 0
  private var sets: [ScalarSet] = []
  private var setIndices: [ScalarSet: Int] = [:]
  private(set) var ignoresCase = false
  private var groups = [OpenGroup(start: 0)]
  private var names: Set<String> = []

  private struct OpenGroup {
    /// The place of its "(".
    var start: Int
    var options: [[PatternInstruction]] = []
    var code: [PatternInstruction] = []
    /// The steps of the options and the code, with those that will join them.
    var size = 0
  }

  init(_ source: String) throws(PatternError) {
    scalars = Array(source.unicodeScalars.prefix(Self.maximumLength + 1))
    guard scalars.count <= Self.maximumLength else {
      throw PatternError(
        message: "the pattern has more than \(Self.maximumLength) characters; shorten it",
        position: 1)
    }
  }

  mutating func parse() throws(PatternError) -> PatternProgram {
    if scalars.starts(with: "(?i)".unicodeScalars) {
      ignoresCase = true
      position = 4
    }
    while let scalar = peek() {
      let start = position
      switch scalar {
      case "(": try openGroup()
      case ")":
        let group = try closeGroup()
        try append(try quantified(group, from: start), from: start)
      case "|":
        position += 1
        finishOption()
        // The split and the jump that will stand around the option.
        groups[groups.count - 1].size += 2
        try checkSize(adding: 0, from: start)
      default:
        try append(try term(), from: start)
      }
    }
    guard groups.count == 1 else {
      throw failure(
        at: groups[groups.count - 1].start,
        "\"(\" is not closed; add \")\", or write \\( for the character")
    }
    finishOption()
    return PatternProgram(
      code: PatternCode.choice(groups[0].options), sets: sets, ignoresCase: ignoresCase)
  }

  // MARK: Groups

  private mutating func openGroup() throws(PatternError) {
    let start = position
    position += 1
    if take("?") { try readGroupKind(start) }
    guard groups.count <= Self.maximumNesting else {
      throw failure(
        at: start,
        "the groups are nested more than \(Self.maximumNesting) deep; take some apart")
    }
    groups.append(OpenGroup(start: start))
  }

  private mutating func readGroupKind(_ start: Int) throws(PatternError) {
    switch next() {
    case ":": return
    case "=", "!":
      throw failure(
        at: start, "look-ahead is not supported; use the rules all, any and not instead")
    case "<":
      guard peek() != "=", peek() != "!" else {
        throw failure(
          at: start, "look-behind is not supported; use the rules all, any and not instead")
      }
      try readGroupName(start)
    case "i" where peek() == ")":
      throw failure(
        at: start, "(?i) may stand only at the very start, for the whole pattern; move it there")
    case "P":
      throw failure(at: start, "(?P…) is not supported; name a group with (?<name>…)")
    default:
      throw failure(
        at: start,
        "there is no group of this kind; write (…), (?:…) or (?<name>…), or \\( for the character")
    }
  }

  private mutating func readGroupName(_ start: Int) throws(PatternError) {
    var name = ""
    while let scalar = next(), scalar != ">" {
      let isLetter = scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic
      let isDigit = ("0"..."9").contains(scalar) && !name.isEmpty
      guard isLetter || isDigit else {
        throw failure(
          at: position - 1, "a group's name has only letters, digits and _, and ends with \">\"")
      }
      name.unicodeScalars.append(scalar)
    }
    guard scalars[position - 1] == ">", !name.isEmpty else {
      throw failure(at: start, "the group has no name; write (?<name>…), or (?:…) without one")
    }
    guard names.insert(name).inserted else {
      throw failure(at: start, "another group has the name \"\(name)\" already; change one")
    }
  }

  private mutating func closeGroup() throws(PatternError) -> [PatternInstruction] {
    guard groups.count > 1 else {
      throw failure(
        at: position, "\")\" has no \"(\" before it; add one, or write \\) for the character")
    }
    position += 1
    finishOption()
    return PatternCode.choice(groups.removeLast().options)
  }

  private mutating func finishOption() {
    let last = groups.count - 1
    groups[last].options.append(groups[last].code)
    groups[last].code = []
  }

  private mutating func append(
    _ code: [PatternInstruction], from start: Int
  ) throws(PatternError) {
    try checkSize(adding: code.count, from: start)
    groups[groups.count - 1].code += code
    groups[groups.count - 1].size += code.count
  }

  /// Refuses what would be too large before it is built.
  private func checkSize(adding size: Int, from start: Int) throws(PatternError) {
    // One more step ends the program.
    guard groups.reduce(size + 1, { $0 + $1.size }) <= Self.maximumSize else {
      throw failure(
        at: start,
        "the pattern becomes too large here, with more than \(Self.maximumSize) steps; "
          + "repeat less with {n,m}")
    }
  }

  // MARK: Terms

  private mutating func term() throws(PatternError) -> [PatternInstruction] {
    let start = position
    switch scalars[start] {
    case "^":
      position += 1
      return [PatternInstruction(.textStart)]
    case "$":
      position += 1
      return [PatternInstruction(.textEnd)]
    case "*", "+", "?": throw nothingToRepeat(at: start)
    case "{":
      if braces() != nil { throw nothingToRepeat(at: start) }
      throw wrongBraces(at: start)
    case "]", "}":
      throw failure(
        at: start,
        "\"\(scalars[start])\" closes nothing; write \\\(scalars[start]) for the character")
    case "[":
      return try quantified([setInstruction(try characterClass())], from: start)
    case ".":
      position += 1
      return try quantified([setInstruction(set(.lineEnd, isNegated: true))], from: start)
    case "\\":
      switch try escape() {
      case .wordBoundary: return [PatternInstruction(.wordBoundary)]
      case .noWordBoundary: return [PatternInstruction(.noWordBoundary)]
      case .scalar(let value): return try quantified([scalarInstruction(value)], from: start)
      case .items(let items):
        return try quantified([setInstruction(set(items, isNegated: false))], from: start)
      }
    case let scalar:
      position += 1
      return try quantified([scalarInstruction(scalar.value)], from: start)
    }
  }

  private func scalarInstruction(_ value: UInt32) -> PatternInstruction {
    PatternInstruction(.scalar, Int(ignoresCase ? CaseFolding.fold(value) : value))
  }

  private mutating func setInstruction(_ set: ScalarSet) -> PatternInstruction {
    if let index = setIndices[set] { return PatternInstruction(.set, index) }
    setIndices[set] = sets.count
    sets.append(set)
    return PatternInstruction(.set, sets.count - 1)
  }

  func set(_ items: ScalarItems, isNegated: Bool) -> ScalarSet {
    ScalarSet(items, isNegated: isNegated, ignoresCase: ignoresCase)
  }

  // MARK: Quantifiers

  private mutating func quantified(
    _ code: [PatternInstruction], from start: Int
  ) throws(PatternError) -> [PatternInstruction] {
    let place = position
    guard let (min, max) = try quantifier() else { return code }
    if let max, max < min {
      throw failure(
        at: place, "{n,m} has more for n than for m; write {\(max),\(min)} for from … to …")
    }
    // For a whole match it is the same whether the shortest or the longest is tried first.
    _ = take("?")
    let size = PatternCode.sizeOfRepeated(code.count, min: min, max: max)
    try checkSize(adding: size, from: place)
    return PatternCode.repeated(code, min: min, max: max)
  }

  private mutating func quantifier() throws(PatternError) -> (min: Int, max: Int?)? {
    switch peek() {
    case "*":
      position += 1
      return (0, nil)
    case "+":
      position += 1
      return (1, nil)
    case "?":
      position += 1
      return (0, 1)
    case "{":
      let start = position
      guard let braces = braces() else { throw wrongBraces(at: start) }
      return braces
    default: return nil
    }
  }

  /// Reads `{n}`, `{n,}` or `{n,m}`, or nothing.
  private mutating func braces() -> (min: Int, max: Int?)? {
    let start = position
    if take("{"), let min = count() {
      guard take(",") else {
        if take("}") { return (min, min) }
        position = start
        return nil
      }
      let max = count()
      if take("}") { return (min, max) }
    }
    position = start
    return nil
  }

  private mutating func count() -> Int? {
    var value: Int?
    while let scalar = peek(), ("0"..."9").contains(scalar) {
      // More than this is too large in any case, and its product with a size is still an Int.
      value = Swift.min((value ?? 0) * 10 + Int(scalar.value - 0x30), 1_000_000_000)
      position += 1
    }
    return value
  }

  private func nothingToRepeat(at place: Int) -> PatternError {
    failure(
      at: place,
      "\"\(scalars[place])\" has nothing to repeat; put what it repeats into (?:…) before it, "
        + "or write \\\(scalars[place]) for the character")
  }

  private func wrongBraces(at place: Int) -> PatternError {
    failure(
      at: place, "\"{\" begins no {n}, {n,} or {n,m}; write \\{ for the character")
  }

  // MARK: Reading

  func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    position + distance < scalars.count ? scalars[position + distance] : nil
  }

  mutating func next() -> Unicode.Scalar? {
    guard let scalar = peek() else { return nil }
    position += 1
    return scalar
  }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    position += 1
    return true
  }

  /// An error at a scalar, with the Character that a person counts to.
  func failure(at place: Int, _ message: String) -> PatternError {
    var before = ""
    before.unicodeScalars.append(contentsOf: scalars[..<place])
    return PatternError(message: message, position: before.count + 1)
  }
}
