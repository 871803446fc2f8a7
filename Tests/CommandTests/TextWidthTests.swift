import Testing

@testable import formdraft

@Suite struct TextWidthTests {
  @Test(
    arguments: [
      ("", 0), ("abc", 3), ("贷款", 4), ("（％）", 6), ("e\u{301}", 1), ("한글", 4), ("ｶﾅ", 2),
      ("👩‍👩‍👧", 2), ("🇨🇳", 2), ("\u{200B}", 0), ("❤\u{FE0F}", 2), ("𠮷", 2), ("かな", 4),
    ])
  func columns(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test func cutsAtAWidth() {
    #expect("abcdef".truncated(to: 6) == "abcdef")
    #expect("abcdefg".truncated(to: 6) == "abcde…")
    #expect("贷款金额".truncated(to: 8) == "贷款金额")
    #expect("贷款金额".truncated(to: 7) == "贷款金…")
    #expect("贷款金额".truncated(to: 6) == "贷款…")
    #expect("贷".padded(to: 4) == "贷  ")
  }

  @Test func nothingThatATerminalObeysIsPrinted() {
    #expect("a\u{1B}[31m\tb\n".printable == "a\\u{1b}[31m\\tb\\n")
    #expect("张\u{202E}三\u{7F}".printable == "张\\u{202e}三\\u{7f}")
    #expect("👩‍👩‍👧".printable == "👩‍👩‍👧")
  }
}
