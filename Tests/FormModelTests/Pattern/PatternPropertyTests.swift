import FormModel
import Testing

/// Compares the engine with a backtracking matcher that is simple enough to be right.
@Suite struct PatternPropertyTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func agreesWithTheReference(_ seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    for _ in 0..<400 {
      let node = ReferenceNode.random(depth: 4, using: &random)
      let pattern = try Pattern(node.source)
      for _ in 0..<12 {
        let count = Int.random(in: 0...6, using: &random)
        let text = (0..<count).map { _ in "ab-中".randomElement(using: &random) ?? "a" }
        #expect(
          pattern.matchesWhole(String(text)) == node.matchesWhole(text),
          "\(node.source) on \(String(text).debugDescription)")
      }
    }
  }

  /// Any text is read or refused, without a crash.
  @Test(arguments: [5, 6] as [UInt64])
  func anyTextIsReadOrRefused(_ seed: UInt64) {
    var random = SplitMix64(state: seed)
    let parts = [
      "(", ")", "(?:", "(?<n>", "(?i)", "[", "[^", "]", "-", "|", "*", "+", "?", "{2}", "{1,", "{",
      "}", "\\", "\\d", "\\b", "\\u", "\\x4", "1", "\\p{", "L}", "^", "$", ".", "a", "中", "\u{301}",
      "👨‍👩‍👧", "\0",
    ]
    var taken = 0
    for _ in 0..<3_000 {
      let count = Int.random(in: 0...8, using: &random)
      let source = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      do throws(PatternError) {
        let pattern = try Pattern(source)
        _ = pattern.matchesWhole("a中aa")
        taken += 1
      } catch {
        #expect((1...source.count + 1).contains(error.position))
        #expect(!error.message.isEmpty)
      }
    }
    #expect(taken > 100)
  }
}

/// A seeded generator (Steele, Lea and Flood, 2014), so that a failure comes again.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

private indirect enum ReferenceNode {
  case characters(source: String, Set<Character>)
  case place(source: String)
  case sequence([ReferenceNode])
  case choice([ReferenceNode])
  case repetition(ReferenceNode, Int, Int?, source: String)

  var source: String {
    switch self {
    case .characters(let source, _), .place(let source): source
    case .sequence(let parts): parts.map(\.source).joined()
    case .choice(let options): "(" + options.map(\.source).joined(separator: "|") + ")"
    case .repetition(let body, _, _, let source): "(?:" + body.source + ")" + source
    }
  }

  func matchesWhole(_ text: [Character]) -> Bool {
    ends(in: text, from: 0).contains(text.count)
  }

  /// All places where a match from here can end.
  private func ends(in text: [Character], from start: Int) -> Set<Int> {
    switch self {
    case .characters(_, let members):
      return start < text.count && members.contains(text[start]) ? [start + 1] : []
    case .place(let source):
      func isWord(_ index: Int) -> Bool {
        text.indices.contains(index) && (text[index] == "a" || text[index] == "b")
      }
      let isBoundary = isWord(start - 1) != isWord(start)
      let holds =
        switch source {
        case "^": start == 0
        case "$": start == text.count
        case "\\b": isBoundary
        default: !isBoundary
        }
      return holds ? [start] : []
    case .sequence(let parts):
      return parts.reduce([start]) { starts, part in
        starts.reduce(into: []) { $0.formUnion(part.ends(in: text, from: $1)) }
      }
    case .choice(let options):
      return options.reduce(into: []) { $0.formUnion($1.ends(in: text, from: start)) }
    case .repetition(let body, let least, let most, _):
      var reached: Set<Int> = [start]
      var result: Set<Int> = least == 0 ? reached : []
      // More rounds than places find nothing new.
      for round in 1...max(1, most ?? least + text.count + 1) where most != 0 {
        reached = reached.reduce(into: []) { $0.formUnion(body.ends(in: text, from: $1)) }
        if round >= least { result.formUnion(reached) }
      }
      return result
    }
  }

  static func random(depth: Int, using random: inout SplitMix64) -> ReferenceNode {
    switch depth == 0 ? 0 : Int.random(in: 0...6, using: &random) {
    case 0, 1:
      let all: [(String, Set<Character>)] = [
        ("a", ["a"]), ("b", ["b"]), ("中", ["中"]), ("-", ["-"]), ("[ab]", ["a", "b"]),
        ("[^a]", ["b", "-", "中"]), (".", ["a", "b", "-", "中"]), ("\\w", ["a", "b"]),
        ("\\P{L}", ["-"]), ("[b-c中]", ["b", "中"]),
      ]
      let (source, members) = all[Int.random(in: 0..<all.count, using: &random)]
      return .characters(source: source, members)
    case 2:
      let places = ["^", "$", "\\b", "\\B"]
      return .place(source: places[Int.random(in: 0..<places.count, using: &random)])
    case 3, 4:
      let count = Int.random(in: 0...3, using: &random)
      return .sequence((0..<count).map { _ in .random(depth: depth - 1, using: &random) })
    case 5:
      let count = Int.random(in: 1...3, using: &random)
      return .choice((0..<count).map { _ in .random(depth: depth - 1, using: &random) })
    default:
      let kinds: [(String, Int, Int?)] = [
        ("*", 0, nil), ("+", 1, nil), ("?", 0, 1), ("*?", 0, nil), ("+?", 1, nil), ("??", 0, 1),
        ("{2}", 2, 2), ("{1,}", 1, nil), ("{2,}?", 2, nil), ("{0,2}", 0, 2), ("{1,3}", 1, 3),
        ("{0}", 0, 0), ("{0,}", 0, nil),
      ]
      let (source, least, most) = kinds[Int.random(in: 0..<kinds.count, using: &random)]
      return .repetition(
        .random(depth: depth - 1, using: &random), least, most, source: source)
    }
  }
}
