import FormModel
import Testing

/// Patterns that take a backtracking engine forever. That a test returns is what it shows.
@Suite struct PatternHostileTests {
  private static let million = String(repeating: "a", count: 1_000_000)

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
    let text = String(repeating: "a", count: 50_000)
    #expect(pattern.matchesWhole(text))
    #expect(!pattern.matchesWhole(text + "!\n"))
  }

  @Test func nothingIsLookedAtTwice() throws {
    #expect(try !Pattern("(x*)*y").matchesWhole(String(repeating: "x", count: 1_000_000)))
    #expect(try !Pattern("(x+x+)+y").matchesWhole(String(repeating: "x", count: 50_000)))
    #expect(try Pattern("(中*)*国").matchesWhole(String(repeating: "中", count: 50_000) + "国"))
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
