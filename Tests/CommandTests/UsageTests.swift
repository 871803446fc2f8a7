import FormModel
import Testing

@testable import formdraft

@Suite struct UsageTests {
  private static func commands(_ command: Command, _ path: [String] = []) -> [[String]] {
    [path] + command.subcommands.flatMap { commands($0, path + [$0.name]) }
  }

  @Test(arguments: commands(.formdraft))
  func helpHasAnExampleOnEveryLevel(path: [String]) throws {
    let folder = try TemporaryFolder()
    let result = try Formdraft.run(path + ["--help"], in: folder)
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(result.output.hasPrefix("usage: formdraft"))
    #expect(result.output.contains("example"))
    #expect(result.output.contains("\n  formdraft "))
    #expect(result.output.contains("--store FILE"))
    #expect(try Formdraft.run(["--json", "-h"] + path, in: folder).output == result.output)
    #expect(try folder.names.isEmpty)
  }

  /// Every example is understood: a command with its arguments.
  @Test func examplesAreUnderstood() throws {
    func check(_ command: Command, _ path: [String]) throws {
      #expect(!command.examples.isEmpty, "\(path)")
      for example in command.examples {
        let line = example.split(separator: " > ").first ?? ""
        let words = line.split(separator: " ").map {
          $0.trimmingCharacters(in: ["'"])
        }
        guard case .run(let invocation) = try Parser.parse(words, root: .formdraft) else {
          Issue.record("\(example) runs nothing")
          continue
        }
        if !command.isGroup { #expect(invocation.path == path, "\(example)") }
      }
      for subcommand in command.subcommands { try check(subcommand, path + [subcommand.name]) }
    }
    try check(.formdraft, [])
  }

  @Test func optionsStandAnywhere() throws {
    let store = try TestStore("calculator")
    let file = store.folder.path("test.store")
    let folder = try TemporaryFolder()
    let expected = try store.run("form", "list", "--json").output
    for arguments in [
      ["--store", file, "--json", "form", "list"], ["form", "--store=\(file)", "list", "--json"],
      ["form", "list", "--json", "--store", file],
    ] {
      #expect(try Formdraft.run(arguments, in: folder).output == expected)
    }
    #expect(try Formdraft.run(["--version"], in: folder).output.hasPrefix("formdraft "))
    #expect(try Formdraft.run(["form", "list", "--version"], in: folder).status == 0)
    #expect(try Formdraft.run([], in: folder).status == 0)
    #expect(
      try Formdraft.run(["help", "draft"], in: folder).output.contains("set DRAFT KEY=VALUE…"))
  }

  @Test(
    arguments: [
      (["form", "list", "--jso"], "unknown option --jso; did you mean --json?"),
      (["drat", "list"], "unknown command \"drat\"; did you mean \"draft\"?"),
      (["draft", "sett"], "did you mean \"set\"?"),
      (["xyzzy"], "unknown command \"xyzzy\"; there are form, draft,"),
      (["draft"], "give a command: new, list,"), (["--json", ""], "unknown command \"\""),
      (["form", "add"], "arguments are missing: FILE…"),
      (["form", "list", "x"], "\"x\" is one argument too many"),
      (["form", "list", "--json=1"], "--json takes no value"),
      (["form", "list", "--store"], "--store needs a value: --store FILE"),
      (["form", "list", "--store", "--json"], "--store needs a value"),
      (["form", "list", "--store", "a", "--store", "b"], "--store is given twice"),
      (["form", "list", "-j"], "unknown option -j"),
      (["form", "list"], "no store: give --store FILE or set FORMDRAFT_STORE"),
      (["form", "list", "--store="], "no store"), (["completion", "fish"], "bash and zsh"),
    ])
  func wrongUseIsTold(arguments: [String], message: String) throws {
    let folder = try TemporaryFolder()
    let result = try Formdraft.run(arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(arguments.contains("--json") ? #"{"error":"# : "formdraft: "))
    let plain = result.errors.replacing("\\\"", with: "\"")
    #expect(plain.contains(message), "\(result.errors)")
    #expect(plain.contains("--help\" tells more"))
  }

  @Test func errorsAreOneLineOfJSON() throws {
    let store = try TestStore("calculator")
    let result = try store.run("draft", "show", "nothing", "--json")
    #expect(
      result.errors == #"{"error":{"code":"unknownDraft","message":"no draft \"nothing\"; "#
        + #"list the drafts to see their ids","key":null}}"# + "\n")
  }

  @Test func argumentsThatAreNotUTF8AreRefused() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let result = try store.shell("formdraft draft set \(id) $'remark=\\xff\\xfe'")
    #expect(result.status == 2)
    #expect(result.errors.contains("argument 4 is not UTF-8"))
    #expect(try store.values(of: id)["remark"] == nil)
  }

  /// An error is one line, whatever is named in it, and has nothing that a terminal would obey.
  @Test func whatIsNamedInAnErrorCanNotBreakItsLine() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let bad = "a\nformdraft: done\u{1B}[2J\r\u{2028}"
    let shown = #"a\nformdraft: done\u{1b}[2J\r\u{2028}"#
    for words in [
      ["draft", "set", id, "\(bad)=1"], ["draft", "unset", id, bad], ["draft", "show", bad],
      ["draft", "new", bad], ["form", "check", bad], ["draft", "list", "--status", bad],
      ["form", "list", "--store", bad], ["query", "rate", "--after", bad], [bad],
    ] {
      let result = try store.run(words)
      #expect(result.status == 2 || result.status == 3)
      #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
      #expect(result.errors.contains(shown), "\(result.errors)")
    }
  }

  @Test func twoHyphensEndTheOptions() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    try store.done("draft", "set", "--title", "t", "--", id, "remark=--json")
    #expect(try store.values(of: id)["remark"] == "--json")
    #expect(try store.run("draft", "show", "--", "--json").status == 3)
  }
}
