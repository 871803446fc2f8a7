import DraftSync
import FormModel
import Testing

@Suite struct JSONPointerTests {
  /// The examples of RFC 6901, section 5.
  @Test func examplesOfTheRFC() throws {
    let document = try JSONValue(
      parsing: #"""
        {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5,
         "k\"l": 6, " ": 7, "m~n": 8}
        """#)
    let expected: [(String, JSONValue)] = [
      ("", document), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1),
      ("/c%d", 2), ("/e^f", 3), ("/g|h", 4), ("/i\\j", 5), ("/k\"l", 6), ("/ ", 7), ("/m~0n", 8),
    ]
    for (text, value) in expected {
      let pointer = try JSONPointer(parsing: text)
      #expect(pointer.value(in: document) == value)
      #expect(pointer.description == text)
    }
  }

  @Test(arguments: [
    "/foo/2", "/foo/-", "/foo/00", "/foo/+0", "/foo/1e0", "/foo/", "/foo/0/x",
    "/foo/99999999999999999999", "/foo/٠", "/bar", "/a/b",
  ])
  func pointsToNothing(_ text: String) throws {
    let document: JSONValue = ["foo": ["a", "b"]]
    #expect(try JSONPointer(parsing: text).value(in: document) == nil)
  }

  @Test(arguments: [
    ("", []), ("/", [""]), ("//", ["", ""]), ("/a/", ["a", ""]), ("/~01", ["~1"]),
    ("/~10", ["/0"]), ("/~0~1", ["~/"]),
    // A slash or tilde with a combining mark after it is still one.
    ("/\u{301}a/\u{301}", ["\u{301}a", "\u{301}"]), ("/~0\u{301}", ["~\u{301}"]),
  ])
  func readsAndWrites(_ text: String, _ tokens: [String]) throws {
    let pointer = try JSONPointer(parsing: text)
    #expect(pointer == JSONPointer(tokens: tokens))
    #expect(pointer.description.hasSameBytes(as: text))
  }

  @Test(arguments: ["a", "a/b", "#/a", " /a", "/~", "/~2", "/a~/b", "/~\u{301}", "\u{301}/a"])
  func refuses(_ text: String) {
    #expect(throws: JSONPointerError.self) { try JSONPointer(parsing: text) }
  }

  @Test func aKeyIsEscaped() {
    #expect(JSONPointer(key: "a/b~c").description == "/a~1b~0c")
    #expect(JSONPointer(key: "").description == "/")
    #expect(JSONPointer(key: "a").appending("/").description == "/a/~1")
  }

  @Test func tokensCompareByBytes() {
    let composed = JSONPointer(key: "\u{E9}")
    let decomposed = JSONPointer(key: "e\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, composed]).count == 2)
    #expect(!composed.isProperPrefix(of: decomposed.appending("a")))
    #expect(composed.isProperPrefix(of: composed.appending("a")))
    #expect(!composed.isProperPrefix(of: composed))
    #expect(JSONPointer().isProperPrefix(of: composed))
    let document: JSONValue = ["e\u{301}": 1]
    #expect(composed.value(in: document) == nil)
    #expect(decomposed.value(in: document) == 1)
  }
}
