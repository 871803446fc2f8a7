extension PatternProgram {
  static let maximumWork = 500_000_000

  /// Whether the whole text matches: all ways through the program are followed at once, scalar by
  /// scalar (Thompson, 1968), so that no text makes it try anything twice.
  ///
  /// The work is bounded too: where the text's bytes times the program's steps are more than
  /// ``maximumWork``, about two seconds, the text does not match.
  func matchesWhole(_ text: String) -> Bool {
    var text = text
    guard text.utf8.count <= Self.maximumWork / code.count else { return false }
    return text.withUTF8 { bytes in
      code.withUnsafeBufferPointer { code in
        asciiSets.withUnsafeBufferPointer { asciiSets in
          // On the stack for small programs.
          withUnsafeTemporaryAllocation(
            of: Int.self, capacity: code.count * 4 + asciiSets.count
          ) { memory in
            var run = PatternRun(self, code, asciiSets, bytes, memory)
            return run.matchesWhole()
          }
        }
      }
    }
  }
}

private struct PatternRun {
  private let program: PatternProgram
  private let code: UnsafeBufferPointer<PatternInstruction>
  private let asciiSets: UnsafeBufferPointer<ASCIISet>
  private let ignoresCase: Bool

  private let bytes: UnsafeBufferPointer<UInt8>
  private var byteIndex = 0

  // The steps that wait for a scalar, and those that will wait for the one after it. Each step is
  // in a list at most once: `marks` holds the last generation that reached it.
  private var current: UnsafeMutableBufferPointer<Int>
  private var next: UnsafeMutableBufferPointer<Int>
  private var nextCount = 0
  private let marks: UnsafeMutableBufferPointer<Int>
  private var generation = 1
  private let stack: UnsafeMutableBufferPointer<Int>
  /// By set: twice the generation whose scalar was last looked up, plus 1 when it is a member.
  private let lookups: UnsafeMutableBufferPointer<Int>

  // What stands around the place between two scalars.
  private var isAtStart = true
  private var isAtEnd = false
  private var isWordBefore = false
  private var isWordAfter = false

  init(
    _ program: PatternProgram, _ code: UnsafeBufferPointer<PatternInstruction>,
    _ asciiSets: UnsafeBufferPointer<ASCIISet>, _ bytes: UnsafeBufferPointer<UInt8>,
    _ memory: UnsafeMutableBufferPointer<Int>
  ) {
    self.program = program
    self.code = code
    self.asciiSets = asciiSets
    self.bytes = bytes
    ignoresCase = program.ignoresCase
    memory.initialize(repeating: 0)
    let count = code.count
    current = .init(rebasing: memory[..<count])
    next = .init(rebasing: memory[count..<count * 2])
    marks = .init(rebasing: memory[count * 2..<count * 3])
    stack = .init(rebasing: memory[count * 3..<count * 4])
    lookups = .init(rebasing: memory[(count * 4)...])
  }

  mutating func matchesWhole() -> Bool {
    var following = readScalar()
    look(at: following)
    follow(0)
    while let scalar = following {
      guard nextCount > 0 else { return false }
      swap(&current, &next)
      let count = nextCount
      nextCount = 0
      generation += 1
      following = readScalar()
      isAtStart = false
      isWordBefore = isWordAfter
      look(at: following)
      let folded = ignoresCase ? CaseFolding.fold(scalar) : scalar
      for index in 0..<count {
        let step = current[index]
        if takes(step, scalar, folded) { follow(step + 1) }
      }
    }
    return marks[code.count - 1] == generation
  }

  private mutating func look(at following: UInt32?) {
    isAtEnd = following == nil
    isWordAfter = following.map { $0 < 128 && ASCIISet.word.contains($0) } ?? false
  }

  private func takes(_ step: Int, _ scalar: UInt32, _ folded: UInt32) -> Bool {
    let instruction = code[step]
    switch instruction.operation {
    case .scalar: return UInt32(bitPattern: instruction.first) == folded
    case .set:
      let index = Int(instruction.first)
      if scalar < 128 { return asciiSets[index].contains(scalar) }
      if lookups[index] >> 1 == generation { return lookups[index] & 1 == 1 }
      let isMember = program.sets[index].contains(scalar)
      lookups[index] = generation << 1 | (isMember ? 1 : 0)
      return isMember
    default: return false
    }
  }

  /// Adds the steps that are reached from this one without a scalar.
  private mutating func follow(_ start: Int) {
    var step = start
    var waiting = 0
    while true {
      if marks[step] != generation {
        marks[step] = generation
        let instruction = code[step]
        switch instruction.operation {
        case .scalar, .set, .match:
          next[nextCount] = step
          nextCount += 1
        case .jump:
          step += Int(instruction.first)
          continue
        case .split:
          // A split comes here once in a generation, so the stack holds less than the program.
          stack[waiting] = step + Int(instruction.second)
          waiting += 1
          step += Int(instruction.first)
          continue
        case .textStart, .textEnd, .wordBoundary, .noWordBoundary:
          if holds(instruction.operation) {
            step += 1
            continue
          }
        }
      }
      guard waiting > 0 else { return }
      waiting -= 1
      step = stack[waiting]
    }
  }

  private func holds(_ assertion: PatternInstruction.Operation) -> Bool {
    switch assertion {
    case .textStart: isAtStart
    case .textEnd: isAtEnd
    case .wordBoundary: isWordBefore != isWordAfter
    case .noWordBoundary: isWordBefore == isWordAfter
    default: false
    }
  }

  /// Reads a scalar of a String's UTF-8, which is always valid.
  private mutating func readScalar() -> UInt32? {
    guard byteIndex < bytes.count else { return nil }
    let lead = UInt32(bytes[byteIndex])
    byteIndex += 1
    if lead < 0x80 { return lead }
    let more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3
    var scalar = lead & (0x3F >> UInt32(more))
    for _ in 0..<more where byteIndex < bytes.count {
      scalar = scalar << 6 | UInt32(bytes[byteIndex] & 0x3F)
      byteIndex += 1
    }
    return scalar
  }
}
