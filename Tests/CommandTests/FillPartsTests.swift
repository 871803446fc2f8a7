import FormModel
import Testing

@testable import formdraft

/// The parts of the dialogue that need no store.
extension FillCommandTests {
  @Suite struct Parts {
    @Test func linesMeanAnAnswerOrACommand() {
      for (line, meaning) in [
        ("", FillInput.keep), ("<", .back), ("\u{1B}[A", .back), (">", .forward), ("?", .help),
        ("？", .help), ("-", .clear), (":go a b", .go("a b")), ("：list", .list),
        (":x", .unknown(":x")),
        (":undo now", .unknown(":undo now")), ("：）", .answer("：）")), ("\\-", .answer("-")),
        ("\\", .answer("")), ("\\n", .answer("\\n")), ("--", .answer("--")), (" ", .answer(" ")),
      ] {
        #expect(FillInput(line) == meaning, "\(line)")
      }
    }

    @Test func keysMakeLines() {
      for (keys, line, echo) in [
        ("ab\u{7F}c\nrest", "ac", "ab\u{8} \u{8}c\n"),
        ("宽\u{8}x\n", "x", "宽\u{8} \u{8}\u{8} \u{8}x\n"),
        ("one two\u{17}\u{4}x\n", "one x", "one two\u{8} \u{8}\u{8} \u{8}\u{8} \u{8}x\n"),
        ("ab\u{15}\u{15}\u{1B}[A\n", "\u{1B}[A", "ab\u{8} \u{8}\u{8} \u{8}^[[A\n"),
        ("\u{7F}\ta\n", "\ta", " a\n"), ("\n", "", "\n"),
      ] {
        var typing = FillTyping()
        var bytes = Array(keys.utf8)
        #expect(typing.take(&bytes) == .line(Array(line.utf8)), "\(keys)")
        #expect(typing.echo == echo, "\(keys)")
        #expect(typing.shown.isEmpty)
        #expect(bytes == Array(keys.hasSuffix("rest") ? "rest".utf8 : "".utf8))
      }
      // A character that comes in parts, an end, and bytes that are none.
      var typing = FillTyping()
      var bytes: [UInt8] = [0x61, 0xE5, 0xAE]
      #expect(typing.take(&bytes) == nil)
      #expect(bytes == [0xE5, 0xAE])
      bytes += [0xBD, 0x0A, 0x04]
      #expect(typing.take(&bytes) == .line(Array("a宽".utf8)))
      #expect(typing.take(&bytes) == .end)
      bytes = [0xFF, 0x0A]
      #expect(typing.take(&bytes) == .line([0xFF]))
      #expect(bytes.isEmpty)
    }

    @Test func choicesArePickedByNumberIDLabelOrPart() {
      let gender = FillChoices([Option(0, "保密"), Option(1, "男"), Option(2, "女")])
      #expect(gender.pick("1") == .one(0))
      #expect(gender.pick("=1") == .one(1))
      #expect(gender.pick("0") == .one(0))
      #expect(gender.pick("4") == .none)
      #expect(gender.pick(" 保 ") == .one(0))
      let terms = FillChoices([5, 10, 1].map { Option(.number($0), "\($0)") })
      #expect(terms.pick("5") == .one(5))
      // 1 is a number of the list, and a label that stands in it.
      #expect(terms.pick("1") == .several([0, 2]))
      #expect(terms.pick("#1") == .one(5))
      #expect(terms.pick("=1") == .one(1))
      let words = FillChoices([Option("a", "Red"), Option("b", "Dark red"), Option("c", "c++, C")])
      #expect(words.pick("red") == .one("a"))
      #expect(words.pick("RE") == .several([0, 1]))
      #expect(words.pick("dark") == .one("b"))
      #expect(words.pick("") == .none)
      #expect(FillChoices([Option]()).pick("1") == .none)
      #expect(words.ids("dark red") == ["b"])
      #expect(words.ids("1 b") == ["a", "b"])
      #expect(words.ids("dark red，1") == ["b", "a"])
      #expect(words.ids("c++, C") == ["c"])
      #expect(words.ids("1 x") == nil)
      #expect(words.ids(" ") == nil)
    }

    @Test func textFitsItsWindow() {
      #expect("one two three".wrapped(to: 8) == ["one two ", "three"])
      #expect("one two three".wrapped(to: 7) == ["one two ", "three"])
      #expect("贷款金额单位".wrapped(to: 5) == ["贷款", "金额", "单位"])
      #expect("abc贷款".wrapped(to: 4) == ["abc", "贷款"])
      #expect("贷款 a123456789".wrapped(to: 6) == ["贷款 ", "a12345", "6789"])
      #expect("".wrapped(to: 4) == [""])
      #expect("👩‍👩‍👧‍👦👩‍👩‍👧‍👦e\u{301}".wrapped(to: 4) == ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "e\u{301}"])
      var page = FillPage()
      page.add(.error, "一二三四", lead: "  ! ")
      #expect(page.text(width: 8, isColoured: false) == "  ! 一二\n    三四\n")
      #expect(
        page.text(width: nil, isColoured: true) == "\u{1B}[31m  ! 一二三四\u{1B}[0m\n")
      for width in 1...40 {
        for line in "Each answer 每个答案 is saved at-once。".wrapped(to: max(2, width)) {
          var line = line
          while line.last == " " { line.removeLast() }
          #expect(line.displayWidth <= max(2, width))
        }
      }
    }
  }
}

extension FillChoices {
  fileprivate func ids(_ text: String) -> [OptionID]? { try? pickSeveral(text).get() }
}
