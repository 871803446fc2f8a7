/// What a backslash and what follows it stand for.
enum PatternEscape {
  case scalar(UInt32)
  case items(ScalarItems)
  case wordBoundary
  case noWordBoundary
}

extension PatternParser {
  /// Reads an escape, from its backslash on.
  mutating func escape() throws(PatternError) -> PatternEscape {
    let start = position
    _ = next()
    guard let scalar = next() else {
      throw failure(at: start, "\"\\\" escapes nothing; write \\\\ for the character")
    }
    switch scalar {
    case "t": return .scalar(0x09)
    case "n": return .scalar(0x0A)
    case "v": return .scalar(0x0B)
    case "f": return .scalar(0x0C)
    case "r": return .scalar(0x0D)
    case "0":
      guard !(peek().map { ("0"..."9").contains($0) } ?? false) else {
        throw failure(at: start, "\\0 stands before no digit; write \\xHH instead")
      }
      return .scalar(0)
    case "1"..."9", "k":
      throw failure(
        at: start,
        "back-references are not supported; use the rules all, any and not instead, or a "
          + "registered rule")
    case "x": return .scalar(try hexadecimal(2, start))
    case "u": return .scalar(try unicode(start))
    case "d": return .items(.digit)
    case "D": return .items(ScalarItems.digit.complement)
    case "w": return .items(.word)
    case "W": return .items(ScalarItems.word.complement)
    case "s": return .items(.space)
    case "S": return .items(ScalarItems.space.complement)
    case "p": return .items(try property(isNegated: false, start))
    case "P": return .items(try property(isNegated: true, start))
    case "b": return .wordBoundary
    case "B": return .noWordBoundary
    default:
      guard !scalar.properties.isAlphabetic else {
        throw failure(
          at: start,
          "\\\(scalar) means nothing; write \(scalar) for the letter, or \\\\ for the backslash")
      }
      return .scalar(scalar.value)
    }
  }

  private mutating func hexadecimal(_ count: Int, _ start: Int) throws(PatternError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = peek().flatMap(Self.hexadecimalDigit) else {
        throw failure(at: start, "write \\xHH, \\uHHHH or \\u{H…} with hexadecimal digits")
      }
      _ = next()
      value = value << 4 | digit
    }
    return value
  }

  private mutating func unicode(_ start: Int) throws(PatternError) -> UInt32 {
    if take("{") {
      var value: UInt32 = 0
      var count = 0
      while let digit = peek().flatMap(Self.hexadecimalDigit) {
        _ = next()
        value = min(value << 4 | digit, 0x110000)
        count += 1
      }
      guard count > 0, take("}") else {
        throw failure(at: start, "write \\u{H…} with hexadecimal digits")
      }
      guard Unicode.Scalar(value) != nil else {
        throw failure(at: start, "no Unicode scalar; they go to 10FFFF, less D800 to DFFF")
      }
      return value
    }
    let value = try hexadecimal(4, start)
    guard (0xD800...0xDFFF).contains(value) else { return value }
    // Two escapes for one scalar, as in UTF-16.
    if value < 0xDC00, take("\\"), take("u") {
      let low = try hexadecimal(4, start)
      if (0xDC00...0xDFFF).contains(low) {
        return 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      }
    }
    throw failure(at: start, "half a surrogate pair; write both halves, or \\u{H…}")
  }

  private static func hexadecimalDigit(_ scalar: Unicode.Scalar) -> UInt32? {
    switch scalar {
    case "0"..."9": scalar.value - 0x30
    case "a"..."f": scalar.value - 0x61 + 10
    case "A"..."F": scalar.value - 0x41 + 10
    default: nil
    }
  }

  private mutating func property(
    isNegated: Bool, _ start: Int
  ) throws(PatternError) -> ScalarItems {
    var name = ""
    if take("{") {
      while let scalar = peek(), scalar != "}" {
        name.unicodeScalars.append(scalar)
        _ = next()
      }
      if let property = UnicodeProperty(name: name), take("}") {
        return ScalarItems(properties: [PropertyTest(property: property, isNegated: isNegated)])
      }
    }
    throw failure(
      at: start,
      "there is no such property; write \\p{…} or \\P{…} with L, Lu, Ll, N, Nd, P, Han or "
        + "Script=Han")
  }

  // MARK: Classes

  /// Reads a class, from its "[" on.
  mutating func characterClass() throws(PatternError) -> ScalarSet {
    let start = position
    _ = next()
    let isNegated = take("^")
    guard peek() != "]" else {
      throw failure(at: start, "the class is empty; write \\] for the character \"]\" in it")
    }
    var items = ScalarItems()
    while !take("]") {
      guard peek() != nil else {
        throw failure(at: start, "\"[\" is not closed; add \"]\", or write \\[ for the character")
      }
      let place = position
      let lower = try classMember()
      guard peek() == "-", let end = peek(1), end != "]" else {
        add(lower, to: &items)
        continue
      }
      _ = next()
      guard case .scalar(let first) = lower, case .scalar(let last) = try classMember() else {
        throw failure(
          at: place, "a range needs a character at both ends; write \\- for the character")
      }
      guard first <= last else {
        throw failure(
          at: place, "the range ends before it begins; turn it round, or write \\- for the \"-\"")
      }
      items.ranges.append(first...last)
      if ignoresCase && first == last { add(.scalar(first), to: &items) }
    }
    return set(items, isNegated: isNegated)
  }

  private func add(_ member: PatternEscape, to items: inout ScalarItems) {
    switch member {
    case .scalar(let value):
      items.ranges.append(value...value)
      if ignoresCase {
        let folded = CaseFolding.fold(value)
        items.ranges.append(folded...folded)
      }
    case .items(let others): items.formUnion(others)
    case .wordBoundary, .noWordBoundary: break
    }
  }

  private mutating func classMember() throws(PatternError) -> PatternEscape {
    let place = position
    guard peek() == "\\" else {
      if peek() == "[" && peek(1) == ":" {
        throw failure(
          at: place,
          "[:…:] is not supported; write \\d, \\w, \\s or \\p{L}, or \\[ for the character")
      }
      return .scalar(next()?.value ?? 0)
    }
    switch try escape() {
    // As in ECMA-262: within a class there are no boundaries.
    case .wordBoundary: return .scalar(0x08)
    case .noWordBoundary:
      throw failure(at: place, "\\B means nothing in a class; write B for the letter")
    case let member: return member
    }
  }
}
