import FormModel
import FormSamples
import Testing

/// Patterns that take a backtracking engine forever. That a test returns is what it shows.
@Suite struct PatternHostileTests {
  private static let million = text("a", 1_000_000)

  private static func text(_ character: Character, _ count: Int) -> String {
    String(repeating: character, count: Sanitizer.fewer(count))
  }

  @Test func nestedQuantifiersTakeAMillionCharacters() throws {
    let pattern = try Pattern("(a+)+$")
    #expect(pattern.matchesWhole(Self.million))
    #expect(!pattern.matchesWhole(Self.million + "!"))
  }

  @Test(arguments: [
    "(a*)*$", "((a+)+)+", "(a|a)*", "(a|aa)+", "(.*)*", "(.*a){3}", "(?i)([A-B]+)*",
    #"(\w*\b)*"#, #"(\p{L}*)*"#, "^(a?){20}a*$",
  ])
  func ambiguousPatternsTakeLongTexts(_ source: String) throws {
    let pattern = try Pattern(source)
    let text = Self.text("a", 50_000)
    #expect(pattern.matchesWhole(text))
    #expect(!pattern.matchesWhole(text + "!\n"))
  }

  @Test func nothingIsLookedAtTwice() throws {
    #expect(try !Pattern("(x*)*y").matchesWhole(Self.text("x", 1_000_000)))
    #expect(try !Pattern("(x+x+)+y").matchesWhole(Self.text("x", 50_000)))
    #expect(try Pattern("(中*)*国").matchesWhole(Self.text("中", 50_000) + "国"))
  }

  @Test func aTextThatCannotMatchIsLeftEarly() throws {
    #expect(try !Pattern("b{1,9000}").matchesWhole(Self.million))
    #expect(try !Pattern("a{9000}").matchesWhole(Self.million))
  }

  @Test func manyOptionalPartsAreFollowedAtOnce() throws {
    let pattern = try Pattern("(a?){2000}a{2000}")
    #expect(pattern.matchesWhole(String(repeating: "a", count: 2_000)))
    #expect(!pattern.matchesWhole(String(repeating: "a", count: 1_999)))
  }

  @Test func manyClassesOutsideASCIIAreLookedUpOnce() throws {
    let pattern = try Pattern(#"(?i)(\p{Lu}?[à-ö]?[^x]?){300}"#)
    #expect(pattern.matchesWhole(String(repeating: "é中", count: 300)))
    #expect(!pattern.matchesWhole(String(repeating: "é中", count: 301)))
  }
}
