import Foundation
import Testing

@Suite struct CompletionTests {
  /// What bash offers for the last of some words.
  private func offered(_ words: [String], in store: TestStore) throws -> [String] {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let result = try store.shell(
      """
      source <(formdraft completion bash)
      COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1)
      _formdraft && printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(result.errors.isEmpty)
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func bashOffersCommandsOptionsAndValues() throws {
    let store = try TestStore("calculator", "interests")
    let id = try store.newDraft("interests")
    #expect(try offered(["formdraft", "dr"], in: store) == ["draft"])
    #expect(try offered(["formdraft", "draft", "re"], in: store) == ["resume", "restore"])
    #expect(try offered(["formdraft", "--json", "form", "a"], in: store) == ["add"])
    #expect(
      try offered(["formdraft", "diff", "@", "--format", ""], in: store)
        == ["table", "merge-patch", "json-patch"])
    #expect(
      try offered(["formdraft", "diff", "@", "--format", "=", "j"], in: store) == ["json-patch"])
    #expect(
      try offered(["formdraft", "draft", "set", "@", "--se"], in: store) == ["--seen-revision"])
    #expect(
      try offered(["formdraft", "draft", "new", "c"], in: store) == ["calculator"])
    #expect(try offered(["formdraft", "draft", "show", String(id.prefix(3))], in: store) == [id])
    #expect(
      try offered(
        ["formdraft", "--store", "/nowhere", "draft", "new", "c"], in: store
      ).isEmpty)
    try store.folder.write("", to: "some file.json")
    #expect(try offered(["formdraft", "form", "add", "some"], in: store) == ["some file.json"])
  }

  @Test func whatAFormIsCalledIsNeverRun() throws {
    let store = try TestStore()
    try store.folder.write(
      """
      {"id":"$(touch run)","title":"t","sections":[{"title":"","rows":[
        {"kind":"input","key":"a","serviceKey":"a"}]}]}
      """, to: "f.json")
    guard try store.run("form", "add", "f.json").status == 0 else { return }
    _ = try offered(["formdraft", "draft", "new", ""], in: store)
    #expect(try !store.folder.names.contains("run"))
  }

  @Test(arguments: ["bash", "zsh"])
  func scriptsAreValid(shell: String) throws {
    let store = try TestStore()
    let isThere = try store.shell("command -v \(shell)")
    guard isThere.status == 0 else { return }
    let result = try store.shell("formdraft completion \(shell) > c && \(shell) -n c")
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
  }

  @Test func zshFollowsTheWords() throws {
    let store = try TestStore("calculator", "interests")
    guard try store.shell("command -v zsh").status == 0 else { return }
    let result = try store.shell(
      """
      formdraft completion zsh > _formdraft
      zsh -f -c '
        compdef() { : }; compadd() { shift; print -l -- "$@" }
        source ./_formdraft
        words=(formdraft draft new ""); CURRENT=4; _formdraft
        words=(formdraft diff @ --against ""); CURRENT=5; _formdraft'
      """)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.suffix(4) == ["calculator", "interests", "submitted", "acknowledged"])
  }
}
