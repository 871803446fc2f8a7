import FormModel
import Testing

/// A pattern, and texts that it matches or does not.
struct MatchCase: Sendable, CustomTestStringConvertible {
  var pattern: String
  var matches: [String]
  var others: [String]
  var testDescription: String { pattern }

  init(_ pattern: String, _ matches: [String], not others: [String]) {
    self.pattern = pattern
    self.matches = matches
    self.others = others
  }
}

@Suite struct PatternMatchTests {
  static let syntax = [
    MatchCase("", [""], not: ["a", " "]),
    MatchCase("abc", ["abc"], not: ["", "ab", "abcd", "xabc", "ABC"]),
    MatchCase("a.c", ["abc", "a中c", "a𠮷c", "a c"], not: ["ac", "a\nc", "a\rc", "a\u{2028}c"]),
    MatchCase("[a-zA-Z ]+", ["Li Lei", "x"], not: ["", "李雷", "Li7Lei", "é"]),
    MatchCase(
      #"[0-9]{0,12}(\.[0-9]{0,2})?"#, ["", "1", "123456789012", "1.", "1.25", ".5"],
      not: ["1234567890123", "1.255", "1..", "-1", "１"]),
    MatchCase("[^a-c]", ["d", "中", "\n"], not: ["a", "b", "c", ""]),
    MatchCase("[-a]+[b-]", ["-b", "a-", "--"], not: ["b", "ac"]),
    MatchCase("[a-c-e]+", ["abc-e"], not: ["d"]),
    MatchCase(#"[\]\[\\^]+"#, [#"]["#, #"\"#, "^"], not: ["a"]),
    MatchCase("[[(.*+?{}|$]+", ["[(.*+?{}|$"], not: ["a", "^"]),
    MatchCase(#"[\b\d\-x]+"#, ["\u{8}1-x"], not: ["b", "d"]),
    MatchCase(#"\d+"#, ["0123456789"], not: ["", "a", "１２", "٣"]),
    MatchCase(#"\D"#, ["a", "１", "中"], not: ["5", ""]),
    MatchCase(#"\w+"#, ["azAZ09_"], not: ["é", "-", "中"]),
    MatchCase(#"\W"#, ["é", "-", "中"], not: ["a", "_", "0"]),
    MatchCase(
      #"\s"#, [" ", "\t", "\n", "\u{B}", "\u{C}", "\r", "\u{A0}", "\u{3000}", "\u{FEFF}"],
      not: ["", "a", "\u{200B}", "\u{180E}"]),
    MatchCase(#"\S"#, ["a", "\u{200B}"], not: [" ", "\u{3000}"]),
    MatchCase(#"[\s\S]*"#, ["", "a\n中\u{0}"], not: []),
    MatchCase(#"\t\n\r\f\v\0"#, ["\t\n\r\u{C}\u{B}\u{0}"], not: ["tnrfv0"]),
    MatchCase(#"\x41\u4e2D\uD842\udfb7\u{20BB7}\u{0041}"#, ["A中𠮷𠮷A"], not: ["A中𠮷A"]),
    MatchCase(#"[\x30-\u0039\u{4E00}-\u{9FFF}]+"#, ["09中文"], not: ["a", "あ"]),
    MatchCase(#"\.\*\+\?\(\)\[\]\{\}\|\^\$\/\-\_\ \。"#, [".*+?()[]{}|^$/-_ 。"], not: [""]),
    MatchCase("/-,:", ["/-,:"], not: [""]),
    MatchCase("a|bc|", ["a", "bc", ""], not: ["b", "abc", "c"]),
    MatchCase("(a|b)(?:c|d)(?<last>e|f)", ["ace", "bdf"], not: ["ab", "acef"]),
    MatchCase("x(|y)z|()", ["xz", "xyz", ""], not: ["x"]),
    MatchCase("ab*", ["a", "abbb"], not: ["", "abab"]),
    MatchCase("ab+", ["ab", "abbb"], not: ["a", "abab"]),
    MatchCase("ab?", ["a", "ab"], not: ["abb"]),
    MatchCase("a{3}", ["aaa"], not: ["aa", "aaaa"]),
    MatchCase("a{2,}", ["aa", "aaaaa"], not: ["", "a"]),
    MatchCase("a{0,}", ["", "aaa"], not: ["b"]),
    MatchCase("a{2,4}", ["aa", "aaa", "aaaa"], not: ["a", "aaaaa"]),
    MatchCase("(ab|c){2}", ["abab", "abc", "cc"], not: ["ab", "ababab"]),
    MatchCase("xa{0}y", ["xy"], not: ["xay"]),
    MatchCase("a*?b+?c??d{1,2}?", ["aabbcdd", "bd"], not: ["d", "bddd"]),
    MatchCase("(?:){99999}a", ["a"], not: [""]),
    MatchCase("(a?){30}a{30}", [String(repeating: "a", count: 30)], not: ["a"]),
    MatchCase("(a*)*|(b+)+", ["", "aaa", "bb"], not: ["ab"]),
    MatchCase("(?:(?:a|b)*c){2,3}", ["cc", "abcac", "cbcc"], not: ["c", "cccc", "ca"]),
  ]

  static let places = [
    MatchCase("^abc$", ["abc"], not: ["abc\n", "xabc"]),
    MatchCase("^^a$$|b", ["a", "b"], not: ["ab"]),
    MatchCase("a^b", [], not: ["ab", "a", "b"]),
    MatchCase("a$b", [], not: ["ab"]),
    MatchCase("(^|,)a(,|$)", ["a", ",a,", "a,", ",a"], not: ["b"]),
    MatchCase("(^a|b)*", ["", "a", "abb", "bb"], not: ["ba", "aa"]),
    MatchCase(#"\bfoo\b.*"#, ["foo", "foo bar", "foo中"], not: ["foobar", "foo_"]),
    MatchCase(#".*\bfoo"#, ["foo", "a foo", "中foo"], not: ["afoo", "1foo"]),
    MatchCase(#"\Ba?\B"#, [""], not: ["a"]),
    MatchCase(#"\b"#, [], not: ["", "a"]),
    MatchCase(#"a\Bb\b,\B,"#, ["ab,,"], not: ["ab"]),
  ]

  static let unicode = [
    MatchCase(#"\p{L}+"#, ["aÉ中ǅʰ"], not: ["1", "_", "\u{301}"]),
    MatchCase(#"\P{L}+"#, ["1_-"], not: ["a", "中"]),
    MatchCase(#"\p{Lu}\p{Ll}"#, ["Aa", "Éé", "Σς"], not: ["aA", "AA", "中a"]),
    MatchCase(#"\p{N}+"#, ["1Ⅷ²１"], not: ["a"]),
    MatchCase(#"\p{Nd}+"#, ["1１٣"], not: ["²", "Ⅷ"]),
    MatchCase(#"\p{P}+"#, ["!-_。「」·«»"], not: ["+", "a", "$"]),
    MatchCase(#"\p{Han}{2,4}"#, ["司马相如", "𠮷田", "〇々", "㐀\u{31350}"], not: ["李", "ああ", "中A"]),
    MatchCase(
      #"\p{Script=Han}+(·\p{Script=Han}+)*"#, ["阿不都热西提·买买提"], not: ["阿•提", "·"]),
    MatchCase(#"[\p{Han}\d]+"#, ["中1"], not: ["１"]),
    MatchCase(#"[^\p{Han}\d]+"#, ["aé１"], not: ["中", "1"]),
    MatchCase(#"[\P{Lu}]"#, ["a", "中"], not: ["A", "É"]),
    MatchCase("京[A-Z][A-Z0-9]{5}", ["京A12345"], not: ["津A12345", "京a12345"]),
    MatchCase("[一-龥]+", ["中文"], not: ["abc", "あ"]),
    MatchCase("[😀-😂]", ["😀", "😁", "😂"], not: ["😃", ""]),
    // Scalars, not Characters.
    MatchCase(".", ["e", "é"], not: ["e\u{301}", "👨‍👩‍👧‍👦", "\r\n"]),
    MatchCase("\u{E9}", ["\u{E9}"], not: ["e\u{301}"]),
    MatchCase("e\u{301}+", ["e\u{301}", "e\u{301}\u{301}"], not: ["\u{E9}"]),
    MatchCase(
      "\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}",
      [
        "\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}"
      ], not: []),
  ]

  static let anyCase = [
    MatchCase("(?i)abc", ["abc", "ABC", "aBc"], not: ["ab"]),
    MatchCase("(?i)[a-f]+x", ["aFX", "Bx"], not: ["gx"]),
    MatchCase("(?i)[^a]", ["b", "B", "é"], not: ["a", "A"]),
    MatchCase("(?i)straße", ["STRAßE", "straẞe"], not: ["STRASSE"]),
    MatchCase("(?i)éΣя", ["ÉσЯ", "éςя"], not: ["eσя"]),
    MatchCase("(?i)[ς][à-ö]", ["ΣÀ", "σö", "ςÖ"], not: ["sà", "σÿ"]),
    MatchCase("(?i)ǆ[ǆ]", ["ǅǄ", "Ǆǅ"], not: ["dz"]),
    MatchCase("(?i)k[k]s", ["Kks"], not: ["\u{212A}ks", "k\u{212A}s", "kk\u{17F}"]),
    MatchCase(#"(?i)\u{212A}\u{E5}"#, ["\u{212A}\u{C5}"], not: ["kå"]),
    MatchCase(#"(?i)\p{Lu}"#, ["A", "a", "é"], not: ["1", "中"]),
    MatchCase("(?i)中", ["中"], not: ["国"]),
    MatchCase("(?i)", [""], not: ["i"]),
    MatchCase("abc", ["abc"], not: ["ABC", "aBc"]),
  ]

  @Test(arguments: syntax + places + unicode + anyCase)
  func matches(_ matchCase: MatchCase) throws {
    let pattern = try Pattern(matchCase.pattern)
    for text in matchCase.matches {
      #expect(pattern.matchesWhole(text), "\(text.debugDescription)")
    }
    for text in matchCase.others {
      #expect(!pattern.matchesWhole(text), "\(text.debugDescription)")
    }
  }

  @Test func aSubstringsTextIsMatchedAlone() throws {
    let text = "xx123yy"
    #expect(try Pattern(#"\b\d+\b"#).matchesWhole(String(text.dropFirst(2).dropLast(2))))
  }

  @Test func equalityIsByBytes() throws {
    let composed = try Pattern("\u{E9}")
    let decomposed = try Pattern("e\u{301}")
    #expect(composed.source == decomposed.source)
    #expect(composed != decomposed)
    #expect(try composed == Pattern("\u{E9}"))
    #expect(try Set([composed, decomposed, Pattern("\u{E9}"), Pattern("a")]).count == 3)
  }

  @Test func patternsAreSharedBetweenTasks() async throws {
    let pattern = try Pattern(#"(\p{Han}|\d+x)*"#)
    await withTaskGroup { group in
      for number in 0..<20 {
        group.addTask { pattern.matchesWhole("中\(number)x国") }
      }
      for await matches in group { #expect(matches) }
    }
  }
}
