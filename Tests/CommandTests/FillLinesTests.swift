import FormModel
import Foundation
import Testing

/// Answers of several lines, as they are pasted.
extension FillCommandTests {
  /// A form whose note takes 100 characters.
  private func notes() throws -> TestStore {
    let store = try TestStore()
    try store.folder.write(
      #"""
      {"id":"n","title":"N","sections":[{"title":"","rows":[
        {"kind":"input","key":"Note","serviceKey":"note","cellStyle":"textView2","maxLength":100},
        {"kind":"input","key":"Words","serviceKey":"words","cellStyle":"textView2",
         "isConsecutiveSpaces":false},
        {"kind":"input","key":"Long","serviceKey":"long","cellStyle":"textView2",
         "maxLength":1000000}]}]}
      """#, to: "n.json")
    try store.done("form", "add", store.folder.path("n.json"))
    return store
  }

  @Test func theRestOfALongPasteIsNoOtherAnswer() throws {
    let store = try notes()
    let lines = (0..<8).map { "line \($0) xxxxxxxxxxxxxxxxxxxx" }
    let result = try fill(["--form", "n"], lines + ["", ":quit", "-", ".", "after"], in: store)
    let whole = lines.joined(separator: "\n")
    let values = try store.values(of: "@")
    #expect(values["note"] == .string(String(whole.prefix(100))))
    #expect(values["words"] == "after")
    #expect(result.output.ranges(of: "the end was cut off").count == 1, "\(result.output)")
    // An answer that was there is replaced from its beginning, and never in its middle.
    let other = (0..<8).map { "row \($0) xxxxxxxxxxxxxxxxxxxx" }
    _ = try fill(["@"], [":go note"] + other + ["."], in: store)
    #expect(
      try store.values(of: "@")["note"]
        == .string(String(other.joined(separator: "\n").prefix(100))))
  }

  @Test func aLineThatIsNotTakenIsTold() throws {
    let store = try notes()
    let result = try fill(
      ["--form", "n"], [":go words", "two  spaces", "one", "again  two", "last", "."], in: store)
    #expect(result.output.contains("! \"two  spaces\" was not taken: two spaces in a row\n"))
    #expect(result.output.contains("! \"again  two\" was not taken: two spaces in a row\n"))
    #expect(try store.values(of: "@")["words"] == "one\nlast")
  }

  @Test func aLongPasteIsSavedAsAWhole() throws {
    let store = try notes()
    let lines = (0..<3000).map { "line \($0)" }
    try store.folder.write(([":go long"] + lines).joined(separator: "\n") + "\n", to: "lines")
    _ = try store.shell("formdraft fill --form n < lines")
    #expect(try store.values(of: "@")["long"] == .string(lines.joined(separator: "\n")))
    let revision = try store.run("draft", "show", "@", "--json").record()["revision"]
    #expect(try #require(revision?.integerValue) < 10)
  }

  @Test func aSignalIsObeyedBeforeTheLinesThatWait() throws {
    let store = try notes()
    // The reader of the output waits, so that the command can't come to the end of its lines.
    let result = try store.shell(
      """
      set -m
      mkfifo pipe
      for i in $(seq 8000); do echo :list; done > lines
      printf 'after\\n.\\n' >> lines
      formdraft fill --form n < lines > pipe 2> err & filler=$!
      exec 4< pipe
      read -r -u 4 title
      kill -TERM $filler
      cat <&4 > out
      wait $filler; echo $?; tail -n 1 out
      """)
    #expect(result.output.hasPrefix("143\n"), "\(result.output)")
    #expect(try store.run("draft", "list", "--ids").output.isEmpty)
  }
}
