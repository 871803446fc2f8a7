import FormModel
import Testing

/// A pattern that is refused, at a Character, with a message that has this part.
struct ErrorCase: Sendable, CustomTestStringConvertible {
  var pattern: String
  var position: Int
  var part: String
  var testDescription: String { String(pattern.prefix(40)) }

  init(_ pattern: String, at position: Int, _ part: String) {
    self.pattern = pattern
    self.position = position
    self.part = part
  }
}

@Suite struct PatternErrorTests {
  static let syntax = [
    ErrorCase("a(b", at: 2, #""(" is not closed"#),
    ErrorCase("(a(b)", at: 1, #"write \("#),
    ErrorCase("(", at: 1, "not closed"),
    ErrorCase("中a)", at: 3, #"")" has no "(""#),
    ErrorCase("(a))", at: 4, #"write \)"#),
    ErrorCase("a]", at: 2, #"write \]"#),
    ErrorCase("a}", at: 2, #"write \}"#),
    ErrorCase("x[a-z", at: 2, #""[" is not closed"#),
    ErrorCase("[", at: 1, "not closed"),
    ErrorCase("[^", at: 1, "not closed"),
    ErrorCase("[a-", at: 1, "not closed"),
    ErrorCase(#"[\]"#, at: 1, "not closed"),
    ErrorCase("[]", at: 1, "empty"),
    ErrorCase("[^]a]", at: 1, "empty"),
    ErrorCase("[[:alpha:]]", at: 2, "[:…:] is not supported"),
    ErrorCase("*a", at: 1, #""*" has nothing to repeat"#),
    ErrorCase("a|+", at: 3, #""+" has nothing to repeat"#),
    ErrorCase("(?)", at: 1, "no group of this kind"),
    ErrorCase("(*)", at: 2, "nothing to repeat"),
    ErrorCase("a**", at: 3, "nothing to repeat"),
    ErrorCase("a*??", at: 4, "nothing to repeat"),
    ErrorCase("a++", at: 3, "nothing to repeat"),
    ErrorCase("a{2}{3}", at: 5, "nothing to repeat"),
    ErrorCase("{2}", at: 1, #""{" has nothing to repeat"#),
    ErrorCase("^*", at: 2, "nothing to repeat"),
    ErrorCase("$?", at: 2, "nothing to repeat"),
    ErrorCase(#"\b+"#, at: 3, "nothing to repeat"),
    ErrorCase(#"\B{2}"#, at: 3, "nothing to repeat"),
    ErrorCase("a{", at: 2, #"write \{"#),
    ErrorCase("a{}", at: 2, #"write \{"#),
    ErrorCase("a{,3}", at: 2, #"write \{"#),
    ErrorCase("a{x}", at: 2, #"write \{"#),
    ErrorCase("a{1", at: 2, #"write \{"#),
    ErrorCase("a{1,", at: 2, #"write \{"#),
    ErrorCase("a{1,2", at: 2, #"write \{"#),
    ErrorCase("a{1 }", at: 2, #"write \{"#),
    ErrorCase("a{１}", at: 2, #"write \{"#),
    ErrorCase("{", at: 1, #"write \{"#),
    ErrorCase("a{3,2}", at: 2, "write {2,3}"),
    ErrorCase("[z-a]", at: 2, "ends before it begins"),
    ErrorCase(#"[a\d-z]"#, at: 3, "both ends"),
    ErrorCase(#"[a-\w]"#, at: 2, "both ends"),
    ErrorCase(#"[\B]"#, at: 2, #"\B means nothing in a class"#),
  ]

  static let escapes = [
    ErrorCase(#"a\"#, at: 2, #""\" escapes nothing"#),
    ErrorCase(#"\a"#, at: 1, #"\a means nothing"#),
    ErrorCase(#"\Z"#, at: 1, #"\Z means nothing"#),
    ErrorCase(#"\cA"#, at: 1, #"\c means nothing"#),
    ErrorCase(#"[\y]"#, at: 2, #"\y means nothing"#),
    ErrorCase(#"\中"#, at: 1, "means nothing"),
    ErrorCase(#"\01"#, at: 1, #"\xHH"#),
    ErrorCase(#"(a)\1"#, at: 4, "back-references"),
    ErrorCase(#"\9"#, at: 1, "back-references"),
    ErrorCase(#"(?<n>a)\k<n>"#, at: 8, "use the rules all, any and not"),
    ErrorCase(#"\x4"#, at: 1, "hexadecimal"),
    ErrorCase(#"\xG0"#, at: 1, "hexadecimal"),
    ErrorCase(#"\u123"#, at: 1, "hexadecimal"),
    ErrorCase(#"\u{}"#, at: 1, "hexadecimal"),
    ErrorCase(#"\u{12"#, at: 1, "hexadecimal"),
    ErrorCase(#"\u{110000}"#, at: 1, "no Unicode scalar"),
    ErrorCase(#"\u{FFFFFFFFFFFFFFFFFFFF}"#, at: 1, "no Unicode scalar"),
    ErrorCase(#"\u{D800}"#, at: 1, "no Unicode scalar"),
    ErrorCase(#"\uD842"#, at: 1, "half a surrogate pair"),
    ErrorCase(#"\uD842x"#, at: 1, "half a surrogate pair"),
    ErrorCase(#"\uD842\u0041"#, at: 1, "half a surrogate pair"),
    ErrorCase(#"\uDFB7"#, at: 1, "half a surrogate pair"),
    ErrorCase(#"\pL"#, at: 1, "no such property"),
    ErrorCase(#"\p{Greek}"#, at: 1, "no such property"),
    ErrorCase(#"a\P{"#, at: 2, "no such property"),
    ErrorCase(#"\p{L"#, at: 1, "no such property"),
  ]

  static let groups = [
    ErrorCase("a(?=b)", at: 2, "look-ahead is not supported; use the rules all, any and not"),
    ErrorCase("a(?!b)", at: 2, "look-ahead"),
    ErrorCase("(?<=b)a", at: 1, "look-behind is not supported; use the rules all, any and not"),
    ErrorCase("(?<!b)a", at: 1, "look-behind"),
    ErrorCase("a(?i)b", at: 2, "only at the very start"),
    ErrorCase("(?i)(?i)b", at: 5, "only at the very start"),
    ErrorCase("(?i:b)", at: 1, "no group of this kind"),
    ErrorCase("(?s)b", at: 1, "no group of this kind"),
    ErrorCase("(?>b)", at: 1, "no group of this kind"),
    ErrorCase("(?#b)", at: 1, "no group of this kind"),
    ErrorCase("(?P<n>b)", at: 1, "(?<name>…)"),
    ErrorCase("(?", at: 1, "no group of this kind"),
    ErrorCase("(?<", at: 1, "no name"),
    ErrorCase("(?<>a)", at: 1, "no name"),
    ErrorCase("(?<n", at: 1, "no name"),
    ErrorCase("(?<1>a)", at: 4, "only letters"),
    ErrorCase("(?<a b>a)", at: 5, "only letters"),
    ErrorCase("(?<名>a)(?<名>b)", at: 8, #"the name "名""#),
    // The Character that a person counts to.
    ErrorCase("👨‍👩‍👧‍👦e\u{301})", at: 3, #"")" has no"#),
  ]

  @Test(arguments: syntax + escapes + groups)
  func refuses(_ errorCase: ErrorCase) {
    let error = #expect(throws: PatternError.self) { try Pattern(errorCase.pattern) }
    #expect(error?.position == errorCase.position)
    #expect(error?.message.contains(errorCase.part) ?? false, "\(error?.message ?? "")")
    #expect(error?.description.hasPrefix("character \(errorCase.position): ") ?? false)
  }

  @Test func theLengthIsLimited() throws {
    #expect(try Pattern(repeated("a", 10_000)).matchesWhole(repeated("a", 10_000)))
    expectRefusal(repeated("a", 10_001), "more than 10000 characters")
    expectRefusal("a" + repeated("\u{301}", 10_000), "more than 10000 characters")
    expectRefusal(repeated("(", 2_000_000), "more than 10000 characters")
  }

  @Test func theNestingIsLimited() throws {
    let deep = repeated("(", 200) + "a" + repeated(")+", 200)
    #expect(try Pattern(deep).matchesWhole("aaa"))
    expectRefusal("(" + deep + ")", "nested more than 200 deep")
    expectRefusal(repeated("(?:", 3_000), "nested more than 200 deep")
    // Side by side they nest nowhere.
    #expect(try Pattern(repeated("()", 4_000)).matchesWhole(""))
  }

  @Test(arguments: [
    "(a{1000}){1000}", "((a{100}){100}){100}", "a{20000}", "a{99999999999999999999}",
    "a{0,99999999999999999999}", "a{99999999999999999999,}", "(a{5000}){2}(b{5000}){2}",
    "(((((a{2,9}){2,9}){2,9}){2,9}){2,9}){2,9}", "((|a){3000}|b{9000}){3}",
    "(a{9000}|(b{9000}|(c{9000})))",
  ])
  func theSizeIsLimited(_ pattern: String) {
    expectRefusal(pattern, "more than 20000 steps")
  }

  @Test func whatJustFitsIsTaken() throws {
    #expect(try Pattern("a{19999}").matchesWhole(repeated("a", 19_999)))
    #expect(try Pattern("(a|b){4999}").matchesWhole(repeated("ab", 2_499) + "b"))
    #expect(try Pattern("(?:(?:){100000}){100000}").matchesWhole(""))
  }

  private func expectRefusal(_ pattern: String, _ part: String) {
    let error = #expect(throws: PatternError.self) { try Pattern(pattern) }
    #expect(error?.message.contains(part) ?? false, "\(error?.message ?? "")")
  }

  private func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }
}
