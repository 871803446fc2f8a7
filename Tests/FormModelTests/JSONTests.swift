import FormModel
import FormSamples
import Testing

@Suite struct JSONTests {
  @Test(arguments: 0..<300 as Range<UInt64>)
  func whatIsWrittenReadsBackTheSame(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let value = RandomJSON.value(depth: 5, using: &random)
    #expect(try JSONValue(parsing: value.jsonText) == value)
    #expect(try JSONValue(parsing: value.prettyText) == value)
    #expect(try JSONValue(parsing: value.prettyText).jsonText == value.jsonText)
    #expect(value.isEquivalent(to: value))
    #expect(Set([value, try JSONValue(parsing: value.jsonText)]).count == 1)
  }

  @Test(arguments: [
    "", " ", "{", "[", "[1,]", "[,1]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "'a'", "nul", "truee",
    "01", "+1", "1.", ".5", "1e", "0x1", "NaN", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
    "\"\\udc00\"",
    "\"\\ud800\\u0041\"", "\"a\nb\"", "\"abc", "1 2", "[1] x", "{\"a\":1,\"a\":2}",
    "{\"\\u00e9\":1,\"e\\u0301\":2}", "// c", "\u{FEFF}\u{FEFF}1", "{\"a\":1,\"\\u0061\":2}",
  ])
  func isRefused(_ text: String) {
    #expect(throws: JSONError.self) { try json(text) }
  }

  @Test func bytesThatAreNoTextAreRefused() {
    for bytes in [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
      #expect(throws: JSONError.self) { try JSONValue(parsing: bytes.map(UInt8.init)) }
    }
  }

  @Test func anErrorNamesItsPlace() {
    let error = #expect(throws: JSONError.self) { try json("{\n  \"a\": 1,\n  \"b\": tru\n}") }
    #expect(error?.line == 3 && error?.column == 8)
    #expect(error.map { "\($0)".hasPrefix("line 3, column 8: ") } == true)
  }

  @Test func nestingIsLimited() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try json(nested(JSONValue.maximumDepth)).jsonText == nested(JSONValue.maximumDepth))
    for depth in [JSONValue.maximumDepth + 1, 10_000, 1_000_000] {
      let error = #expect(throws: JSONError.self) { try json(nested(depth)) }
      #expect(error?.message.contains("nested deeper than 128") == true)
    }
    let objects = String(repeating: "{\"a\":", count: 10_000)
    #expect(throws: JSONError.self) { try json(objects) }
  }

  @Test func aByteOrderMarkIsSkipped() throws {
    #expect(try json("\u{FEFF}{}") == [:])
  }

  @Test func escapesAreRead() throws {
    #expect(try json(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#) == "\"\\/\u{8}\u{C}\n\r\té😀")
  }

  @Test func onlyWhatMustBeIsEscaped() {
    let text = JSONValue.string("\"\\/\u{8}\u{C}\n\r\t\u{1}\u{7F}é\u{2028}😀").jsonText
    #expect(text == #""\"\\/\b\f\n\r\t\u0001"# + "\u{7F}é\u{2028}😀\"")
  }

  @Test func comparesExactlyOrAsJSON() throws {
    #expect(try json("1.0") != json("1"))
    #expect(try json("1.0").isEquivalent(to: json("1")))
    #expect(try json(#"{"a":1,"b":2}"#) != json(#"{"b":2,"a":1}"#))
    #expect(try json(#"{"a":1,"b":[1e0]}"#).isEquivalent(to: json(#"{"b":[1],"a":1}"#)))
    #expect(try json("\"é\"") != json("\"e\u{301}\""))
    #expect(try !json("\"é\"").isEquivalent(to: json("\"e\u{301}\"")))
    #expect(try !json("[1,2]").isEquivalent(to: json("[2,1]")))
    #expect(try !json("{\"a\":null}").isEquivalent(to: json("{}")))
    #expect(try !json("1").isEquivalent(to: json("true")))
  }

  @Test func membersKeepTheirOrder() {
    var object: JSONObject = ["z": 1, "a": 2]
    object["m"] = 3
    object["z"] = 4
    object["a"] = nil
    object["a"] = 5
    #expect(JSONValue.object(object).jsonText == #"{"z":4,"m":3,"a":5}"#)
  }
}
