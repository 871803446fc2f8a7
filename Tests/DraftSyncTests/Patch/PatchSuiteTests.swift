import DraftSync
import FormModel
import Foundation
import Testing

/// The public suites: json-patch-tests (Apache-2.0) and the examples of RFC 7396, appendix A.
///
/// Records with `disabled` are not counted among the suite's, as its README asks; all of them pass
/// here nevertheless, and are run too. Two of them have an operation with two members `op`, which
/// a strict JSON reader refuses; so each record is read for itself.
@Suite struct PatchSuiteTests {
  private struct Tally: Equatable {
    var applied = 0
    var refused = 0
    var disabled = 0
  }

  @Test func specification() throws {
    #expect(try run("spec_tests") == Tally(applied: 12, refused: 4, disabled: 1))
  }

  @Test func manyCases() throws {
    #expect(try run("tests") == Tally(applied: 62, refused: 30, disabled: 3))
  }

  @Test func mergePatchExamples() throws {
    let records = try Self.records("merge-patch")
    for text in records {
      let record = try JSONValue(parsing: text)
      let original = try #require(record["original"])
      let patch = try #require(record["patch"])
      let result = MergePatch(json: patch).applied(to: original)
      #expect(result.isEquivalent(to: try #require(record["result"])), "\(text)")
    }
    #expect(records.count == 15)
  }

  @Test func theSplitterCutsRecords() {
    #expect(
      Self.split(#" [ {"a":"]},\""} , [1,{"b":[]}],3 ] "#)
        == [#"{"a":"]},\""}"#, #"[1,{"b":[]}]"#, "3"])
    #expect(Self.split("[]").isEmpty)
  }

  private func run(_ suite: String) throws -> Tally {
    var tally = Tally()
    for text in try Self.records("json-patch/" + suite) {
      let record: JSONValue
      do {
        record = try JSONValue(parsing: text)
      } catch {
        #expect(error.message.contains("\"op\" stands twice"), "\(text)")
        #expect(text.contains("\"error\": ") && text.contains("\"disabled\": true"))
        tally.disabled += 1
        continue
      }
      let document = try #require(record["doc"])
      let patch = try #require(record["patch"])
      if record["error"] != nil {
        #expect(throws: JSONPatchError.self, "\(text)") {
          try JSONPatch(json: patch).applied(to: document)
        }
        tally.refused += 1
        continue
      }
      let result = try JSONPatch(json: patch).applied(to: document)
      // A record may state no result: it is enough that the patch applies, here a `test`.
      #expect(result.isEquivalent(to: record["expected"] ?? document), "\(text)")
      if record["disabled"] == true {
        tally.disabled += 1
      } else {
        #expect(record["expected"] != nil, "\(text)")
        tally.applied += 1
      }
    }
    return tally
  }

  private static func records(_ name: String) throws -> [String] {
    let cases = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Cases/suites")
    return split(
      try String(contentsOf: cases.appending(path: name + ".json"), encoding: .utf8))
  }

  /// The texts of the elements of a JSON array.
  private static func split(_ text: String) -> [String] {
    var records: [String] = []
    var record: [UInt8] = []
    var depth = 0
    var inString = false
    var isEscaped = false
    func finish() {
      let trimmed = String(decoding: record, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      if !trimmed.isEmpty { records.append(trimmed) }
      record = []
    }
    for byte in text.utf8 {
      if inString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          inString = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): inString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          if depth == 1 { continue }
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          depth -= 1
          if depth == 0 { continue }
        case UInt8(ascii: ",") where depth == 1:
          finish()
          continue
        default: break
        }
      }
      record.append(byte)
    }
    finish()
    return records
  }
}
