import DraftSync
import FormModel
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite struct JSONPatchTests {
  private func apply(_ patch: String, to document: String) throws -> String {
    try JSONPatch(parsing: patch).applied(to: JSONValue(parsing: document)).jsonText
  }

  private func fault(_ patch: String, _ document: String = "{}") throws -> JSONPatchError {
    let document = try JSONValue(parsing: document)
    return try #require(throws: JSONPatchError.self) {
      try JSONPatch(parsing: patch).applied(to: document)
    }
  }

  @Test func membersKeepTheirOrderAndNumbersTheirDigits() throws {
    let result = try apply(
      #"[{"op":"add","path":"/b","value":1.50},{"op":"add","path":"/d","value":-0}]"#,
      to: #"{"c":3.1000,"b":2,"a":1E+2}"#)
    #expect(result == #"{"c":3.1000,"b":1.50,"a":1E+2,"d":-0}"#)
  }

  @Test func keysAreBytes() throws {
    let result = try JSONPatch([.add(path: JSONPointer(key: "\u{E9}"), value: 2)])
      .applied(to: ["e\u{301}": 1])
    #expect(result == ["e\u{301}": 1, "\u{E9}": 2])
    #expect(throws: JSONPatchError.self) {
      try JSONPatch([.test(path: JSONPointer(), value: "\u{E9}")]).applied(to: "e\u{301}")
    }
  }

  @Test func aTestComparesNumbersByValue() throws {
    let document = #"{"a":[1.50,{"x":1,"y":2}]}"#
    let patch = #"[{"op":"test","path":"/a","value":[15E-1,{"y":2.0,"x":1}]}]"#
    #expect(try apply(patch, to: document) == document)
  }

  @Test func theRootCanBeReplacedAndMovedInto() throws {
    #expect(try apply(#"[{"op":"move","from":"/a","path":""}]"#, to: #"{"a":[1]}"#) == "[1]")
    #expect(try apply(#"[{"op":"copy","from":"/a/0","path":""}]"#, to: #"{"a":[1]}"#) == "1")
    #expect(try apply(#"[{"op":"move","from":"","path":""}]"#, to: "[1]") == "[1]")
  }

  @Test func movesWithinAnArrayCountAfterTheRemoval() throws {
    #expect(try apply(#"[{"op":"move","from":"/0","path":"/2"}]"#, to: "[1,2,3]") == "[2,3,1]")
    #expect(try apply(#"[{"op":"move","from":"/0","path":"/-"}]"#, to: "[1,2,3]") == "[2,3,1]")
    #expect(
      try fault(#"[{"op":"move","from":"/0","path":"/3"}]"#, "[1,2,3]").reason == .noSuchPlace)
    // The path is looked up after the removal, and so names what stood behind.
    #expect(
      try apply(#"[{"op":"move","from":"/0","path":"/1/a"}]"#, to: "[1,2,{}]") == #"[2,{"a":1}]"#)
  }

  @Test func aFailureLeavesTheDocumentAsItIs() throws {
    let document = try JSONValue(parsing: #"{"a":{"b":[1,2]},"c":0}"#)
    let before = document.jsonText
    let patch = try JSONPatch(
      parsing: #"""
        [{"op":"remove","path":"/a/b/0"},{"op":"add","path":"/a/x","value":1},
         {"op":"test","path":"/c","value":1}]
        """#)
    let error = try #require(throws: JSONPatchError.self) { try patch.applied(to: document) }
    #expect(document.jsonText == before)
    #expect(error.index == 2)
    #expect(error.op == "test")
    #expect(error.path == "/c")
    #expect(error.reason == .testFailed)
    #expect(
      error.description
        == #"JSON Patch, operation 2 (test "/c"): the value there is 0, not 1"#)
  }

  @Test(arguments: [
    (#"[{"op":"remove","path":""}]"#, "the whole document cannot be removed"),
    (#"[{"op":"remove","path":"/x"}]"#, "there is no member \"x\""),
    (#"[{"op":"remove","path":"/a/-"}]"#, "\"-\" is the place after the last element"),
    (#"[{"op":"replace","path":"/a/-","value":1}]"#, "\"-\" is the place after"),
    (#"[{"op":"replace","path":"/a/2","value":1}]"#, "the index 2 is beyond 1"),
    (#"[{"op":"replace","path":"/x","value":1}]"#, "there is no member \"x\""),
    (#"[{"op":"remove","path":"/e/0"}]"#, "the array is empty"),
    (#"[{"op":"add","path":"/a/3","value":1}]"#, "the index 3 is beyond 2"),
    (#"[{"op":"add","path":"/a/01","value":1}]"#, "\"01\" is no array index"),
    (#"[{"op":"add","path":"/a/-/0","value":1}]"#, "\"-\" is the place after"),
    (#"[{"op":"add","path":"/s/x","value":1}]"#, "\"x\" cannot be looked up in a string"),
    (#"[{"op":"add","path":"/s/x/y","value":1}]"#, "\"x\" cannot be looked up in a string"),
    (#"[{"op":"copy","from":"/a/-","path":"/x"}]"#, "there is nothing at \"/a/-\""),
    (#"[{"op":"move","from":"/x","path":"/x"}]"#, "there is nothing at \"/x\""),
    (#"[{"op":"test","path":"/x","value":null}]"#, "there is nothing at \"/x\""),
  ])
  func namesThePlace(_ patch: String, _ message: String) throws {
    let error = try fault(patch, #"{"a":[1,2],"e":[],"s":"t"}"#)
    #expect(error.reason == .noSuchPlace)
    #expect(error.message.hasPrefix(message), "\(error)")
    #expect(error.index == 0)
  }

  @Test(
    arguments: [
      ("{}", "expected an array of operations, not an object", nil),
      ("[", "line 1, column 2", nil),
      (#"[{"op":"test","op":"add"}]"#, "line 1, column 15", nil),
      ("[1]", "expected an object, not a number", 0),
      ("[{}]", "the member \"op\" is missing", 0),
      (#"[{"op":1}]"#, "\"op\" must be a string, not a number", 0),
      (#"[{"op":"Add","path":"","value":1}]"#, "the op \"Add\" is none of", 0),
      (#"[{"op":"add","path":"/a"}]"#, "the member \"value\" is missing", 0),
      (#"[{"op":"remove","path":null}]"#, "\"path\" must be a string, not null", 0),
      (#"[{"op":"remove","path":"a"}]"#, "\"path\": \"a\" is not a JSON Pointer", 0),
      (#"[{"op":"remove","path":"/a"},{"op":"copy","path":"/a"}]"#, "the member \"from\"", 1),
    ] as [(String, String, Int?)])
  func refusesWhatIsNoPatch(_ patch: String, _ message: String, _ index: Int?) throws {
    let error = try #require(throws: JSONPatchError.self) { try JSONPatch(parsing: patch) }
    #expect(error.reason == .malformed)
    #expect(error.message.hasPrefix(message), "\(error)")
    #expect(error.index == index)
  }

  @Test func nothingGoesIntoItself() throws {
    let document = #"{"a":{"b":{}},"ab":1}"#
    for op in ["move", "copy"] {
      #expect(
        try fault(#"[{"op":"\#(op)","from":"/a","path":"/a/b/c"}]"#, document).reason
          == .intoItself)
      #expect(
        try fault(#"[{"op":"\#(op)","from":"","path":"/x"}]"#, document).reason == .intoItself)
    }
    // A key that starts with the same letters is another place.
    #expect(
      try apply(#"[{"op":"move","from":"/a","path":"/ab"}]"#, to: document) == #"{"ab":{"b":{}}}"#)
  }

  @Test func theDocumentItWritesIsTheOneItReads() throws {
    let text = #"""
      [{"op":"add","path":"/a~1b","value":{"x":1.0}},{"op":"remove","path":""},
      {"op":"replace","path":"/-","value":null},{"op":"move","from":"/a","path":"/b"},
      {"op":"copy","from":"/c","path":"/d"},{"op":"test","path":"/e","value":[]}]
      """#.replacing("\n", with: "")
    let patch = try JSONPatch(parsing: text)
    #expect(patch.json.jsonText == text)
    #expect(try JSONPatch(json: patch.json) == patch)
    #expect(patch.operations.count == 6)
  }
}

/// Patches made to exhaust memory, the stack or time.
@Suite struct JSONPatchLimitTests {
  private static func nested(_ depth: Int) -> JSONValue {
    (0..<depth).reduce(0) { value, _ in ["a": value] }
  }

  @Test func copiesOfCopiesAreBounded() throws {
    // Each step holds the one before twice: 2^40 times the text at the end.
    var operations: [JSONPatch.Operation] = []
    for step in 0..<40 {
      let next = JSONPointer(key: "\(step + 1)")
      operations.append(.add(path: next, value: []))
      for _ in 0..<2 {
        operations.append(.copy(from: JSONPointer(key: "\(step)"), path: next.appending("-")))
      }
    }
    let document: JSONValue = ["0": .string(String(repeating: "lol", count: 100))]
    let error = try #require(throws: JSONPatchError.self) {
      try JSONPatch(operations).applied(to: document)
    }
    #expect(error.reason == .tooLarge)
    #expect(error.op == "copy")
    #expect(error.message.contains("\(JSONPatch.maximumCarriedBytes) bytes"))
  }

  @Test func copiesOfEmptyContainersAreBoundedToo() throws {
    let copies = Array(
      repeating: JSONPatch.Operation.copy(
        from: JSONPointer(key: "a"), path: JSONPointer(tokens: ["b", "-"])), count: 200)
    let empties = JSONValue.array(Array(repeating: [], count: 100_000))
    let error = try #require(throws: JSONPatchError.self) {
      try JSONPatch(copies).applied(to: ["a": empties, "b": []])
    }
    #expect(error.reason == .tooLarge)
    #expect(error.index == 55)
  }

  @Test func nestingIsBounded() throws {
    let deepest = Self.nested(JSONValue.maximumDepth)
    #expect(try JSONValue(parsing: deepest.jsonText) == deepest)
    #expect(
      try JSONPatch([.replace(path: JSONPointer(), value: deepest)]).applied(to: 1) == deepest)

    let inner = Self.nested(JSONValue.maximumDepth - 1)
    let place = JSONPointer(tokens: ["x", "y"])
    let patches: [[JSONPatch.Operation]] = [
      [.add(path: place, value: inner)],
      [.replace(path: place, value: inner)],
      [.copy(from: JSONPointer(key: "d"), path: place)],
      [.move(from: JSONPointer(key: "d"), path: place)],
    ]
    for operations in patches {
      let document: JSONValue = ["d": inner, "x": ["y": 0]]
      let error = try #require(throws: JSONPatchError.self) {
        try JSONPatch(operations).applied(to: document)
      }
      #expect(error.reason == .tooDeep)
      #expect(error.message.contains("128"))
    }
    // As deep as can be, but no deeper.
    let result = try JSONPatch([.copy(from: JSONPointer(key: "d"), path: JSONPointer(key: "x"))])
      .applied(to: ["d": inner])
    #expect(try JSONValue(parsing: result.jsonText) == result)
  }

  @Test func repeatedCopiesNestNoDeeper() throws {
    var operations: [JSONPatch.Operation] = []
    for _ in 0..<200 {
      operations.append(
        .copy(from: JSONPointer(key: "a"), path: JSONPointer(tokens: ["b", "x"])))
      operations.append(.move(from: JSONPointer(key: "b"), path: JSONPointer(key: "a")))
      operations.append(.add(path: JSONPointer(key: "b"), value: [:]))
    }
    let error = try #require(throws: JSONPatchError.self) {
      try JSONPatch(operations).applied(to: ["a": [:], "b": [:]])
    }
    #expect(error.reason == .tooDeep)
  }

  @Test func manyOperationsOnALargeDocumentTakeLinearTime() throws {
    // Copying the rows each time would take more than twelve times as long for four times as many.
    let (few, many) = (try timeOfReplacing(7_500), try timeOfReplacing(30_000))
    #expect(many < 9 * few)
  }

  /// The processor's time, which does not depend on what else the machine does, of as many
  /// operations as there are rows.
  private func timeOfReplacing(_ count: Int) throws -> Double {
    let rows = JSONValue.array((0..<count).map { ["n": .number(.init(Int64($0)))] })
    let operations = (0..<count).map { index in
      JSONPatch.Operation.replace(
        path: JSONPointer(tokens: ["form", "rows", "\(index)", "n"]), value: "x")
    }
    let start = Self.processorTime()
    let result = try JSONPatch(operations).applied(to: ["form": ["rows": rows], "other": 1])
    let time = Self.processorTime() - start
    #expect(result["form"]?["rows"]?.arrayValue?.allSatisfy { $0 == ["n": "x"] } == true)
    return time
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
