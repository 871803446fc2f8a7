import FormModel
import Foundation
import Testing

@Suite struct URLEncodedFormTests {
  @Test(
    arguments: [
      ([], ""),
      ([("a", "b")], "a=b"),
      ([("a", ""), ("", "b"), ("", "")], "a=&=b&="),
      ([("a", "1"), ("a", "2")], "a=1&a=2"),
      ([("a b", "c+d&e=f")], "a+b=c%2Bd%26e%3Df"),
      ([("*-._", "~!'()%")], "*-._=%7E%21%27%28%29%25"),
      ([("名", "é")], "%E5%90%8D=%C3%A9"),
      ([("n", "e\u{301}")], "n=e%CC%81"),
      ([("n", "a\r\nb\rc\nd\0")], "n=a%0D%0Ab%0Dc%0Ad%00"),
      ([("n", "=\u{301}&\u{301}")], "n=%3D%CC%81%26%CC%81"),
    ] as [([(String, String)], String)])
  func serializes(_ pairs: [(String, String)], _ text: String) {
    #expect(URLEncodedForm.serialize(pairs).hasSameBytes(as: text))
    #expect(isSame(URLEncodedForm.parse(text), pairs))
  }

  @Test(
    arguments: [
      ("&&", []),
      ("a", [("a", "")]),
      ("a&b", [("a", ""), ("b", "")]),
      ("&a=b&&c", [("a", "b"), ("c", "")]),
      ("=", [("", "")]),
      ("a=b=c", [("a", "b=c")]),
      ("a%3Db=%3d", [("a=b", "=")]),
      ("a+%2B+b=+", [("a + b", " ")]),
      ("%=%4&a=%zz%2", [("%", "%4"), ("a", "%zz%2")]),
      ("a=%%41", [("a", "%A")]),
      ("a=é", [("a", "é")]),
      // An = or & with a combining mark after it still separates.
      ("a=\u{301}b&\u{301}c", [("a", "\u{301}b"), ("\u{301}c", "")]),
      // No byte-order mark is dropped; what is no UTF-8 is replaced.
      ("a=%EF%BB%BFx", [("a", "\u{FEFF}x")]),
      (
        "a=%FF&b=%E0%80&c=%F0%9F%92",
        [("a", "\u{FFFD}"), ("b", "\u{FFFD}\u{FFFD}"), ("c", "\u{FFFD}")]
      ),
      ("a=b;c=d", [("a", "b;c=d")]),
    ] as [(String, [(String, String)])])
  func parses(_ text: String, _ pairs: [(String, String)]) {
    #expect(isSame(URLEncodedForm.parse(text), pairs))
  }

  @Test func naughtyStringsComeBack() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Cases/values/naughty-strings.json")
    let json = try JSONValue(parsing: Array(Data(contentsOf: file)))
    let strings = try #require(json.arrayValue).compactMap(\.stringValue)
    #expect(strings.count == 515)
    let pairs = Array(zip(strings, strings.reversed()))
    let text = URLEncodedForm.serialize(pairs)
    #expect(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    #expect(isSame(URLEncodedForm.parse(text), pairs))
  }

  private func isSame(
    _ parsed: [(name: String, value: String)], _ pairs: [(String, String)]
  ) -> Bool {
    parsed.count == pairs.count
      && zip(parsed, pairs).allSatisfy {
        $0.name.hasSameBytes(as: $1.0) && $0.value.hasSameBytes(as: $1.1)
      }
  }
}
