/// One step of a compiled pattern. Targets are relative to the step itself, so that code is
/// repeated by copying it.
struct PatternInstruction: Sendable {
  enum Operation: UInt8, Sendable {
    /// Takes the scalar `first`.
    case scalar
    /// Takes a scalar of the set with the index `first`.
    case set
    /// Goes on at `first`.
    case jump
    /// Goes on at `first` and at `second`.
    case split
    case textStart, textEnd, wordBoundary, noWordBoundary
    case match
  }

  var operation: Operation
  var first: Int32 = 0
  var second: Int32 = 0

  init(_ operation: Operation, _ first: Int = 0, _ second: Int = 0) {
    self.operation = operation
    self.first = Int32(truncatingIfNeeded: first)
    self.second = Int32(truncatingIfNeeded: second)
  }
}

/// A compiled pattern. A class, so that a rule that holds one stays small.
final class PatternProgram: Sendable {
  /// Ends with the only `match`.
  let code: [PatternInstruction]
  let sets: [ScalarSet]
  /// The ASCII part of each set, side by side without references for the matcher's inner loop.
  let asciiSets: [ASCIISet]
  let ignoresCase: Bool

  init(code: [PatternInstruction], sets: [ScalarSet], ignoresCase: Bool) {
    self.code = code + [PatternInstruction(.match)]
    self.sets = sets
    self.ignoresCase = ignoresCase
    asciiSets = sets.map(\.ascii)
  }
}

/// Puts code together (Thompson's construction).
enum PatternCode {
  /// How many steps ``repeated(_:min:max:)`` makes.
  static func sizeOfRepeated(_ size: Int, min: Int, max: Int?) -> Int {
    guard size > 0 else { return 0 }
    guard let max else { return min == 0 ? size + 2 : size * min + 1 }
    return size * min + (size + 1) * (max - min)
  }

  static func repeated(
    _ body: [PatternInstruction], min: Int, max: Int?
  ) -> [PatternInstruction] {
    // Repeating nothing is nothing, however often.
    guard !body.isEmpty else { return [] }
    let size = body.count
    var code: [PatternInstruction] = []
    code.reserveCapacity(sizeOfRepeated(size, min: min, max: max))
    for _ in 0..<min { code += body }
    guard let max else {
      if min > 0 {
        code.append(PatternInstruction(.split, -size, 1))
      } else {
        code.append(PatternInstruction(.split, 1, size + 2))
        code += body
        code.append(PatternInstruction(.jump, -(size + 1)))
      }
      return code
    }
    for done in min..<max {
      // Each further copy may be left out together with all after it.
      code.append(PatternInstruction(.split, 1, (max - done) * (size + 1)))
      code += body
    }
    return code
  }

  static func choice(_ options: [[PatternInstruction]]) -> [PatternInstruction] {
    guard options.count > 1 else { return options.first ?? [] }
    var rest = options.reduce(0) { $0 + $1.count + 2 } - 2
    var code: [PatternInstruction] = []
    code.reserveCapacity(rest)
    for option in options.dropLast() {
      code.append(PatternInstruction(.split, 1, option.count + 2))
      code += option
      rest -= option.count + 1
      code.append(PatternInstruction(.jump, rest))
      rest -= 1
    }
    return code + (options.last ?? [])
  }
}
