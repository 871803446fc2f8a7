import FormModel
import Foundation
import Testing

@testable import formdraft

extension FillCommandTests {
  /// The filling of a form in a window, as a person sees it, through a real pseudo-terminal.
  @Suite(.serialized, .enabled(if: Window.isPossible, "tmux is not installed"))
  struct AtTerminal {
    @Test func aNarrowWindowIsFilled() throws {
      let store = try TestStore("calculator")
      let id = try store.newDraft("calculator")
      let window = try Window(store, "fill \(id)", columns: 30, rows: 60)
      try window.shows("3  组合\n>")
      try window.type("2")
      try window.shows("  = 商业\n\n还款方式 *")
      // The key up, and wide characters that the terminal echoes.
      try window.send("Up", "Enter")
      try window.shows("  3  组合\n  = 商业\n>")
      try window.type("公积")
      try window.shows("  = 公积金")
      try window.type(":go 首次")
      try window.shows("  a date that exists, as\n  YYYY-MM-DD\n>")
      try window.type("2024-02-30")
      try window.shows("  It is kept as typed. An\n  empty line goes on; or type\n  it anew.\n>")
      try window.type("?")
      try window.shows("keeps what is\n            there, and goes on")
      try window.type(":go 备")
      try window.shows("! several rows may be meant:\n  备注, 客户经理备注（不上传）\n>")
      try window.type(":go remark")
      try window.type(String(repeating: "宽字", count: 20))
      try window.type("二")
      try window.type(".")
      try window.shows("客户经理备注（不上传）")
      for line in try window.text().split(separator: "\n") {
        #expect(String(line).displayWidth <= 30, "\(line)")
      }
      try window.type(":quit")
      try window.shows("formdraft fill \(id.prefix(8))\nstatus 0")
      let values = try store.values(of: id)
      #expect(values["loanType"] == "fund")
      #expect(values["remark"] == .string(String(repeating: "宽字", count: 20) + "\n二"))
    }

    @Test func interruptedAndResumed() throws {
      let store = try TestStore("interests")
      let id = try store.newDraft("interests")
      let window = try Window(store, "fill \(id)")
      try window.shows("choose 3 to 6\n>")
      try window.type("旅")
      try window.shows("  = 旅行\n  2 more are missing.")
      try window.send("1", "C-c")
      try window.shows(
        "^C\nThe draft is saved. To go on:\nformdraft fill \(id.prefix(8))\nstatus 130")
      let again = try Window(store, "fill \(id)")
      try again.shows("  3  [x] 旅行")
      try again.type("1 2")
      try again.shows("Enough. An empty line goes on.")
      try again.send("C-d")
      try again.shows("fill \(id.prefix(8))\nstatus 0")
      #expect(try store.values(of: id)["interests"] == ["music", "film", "travel"])
    }

    @Test func aClosedWindowLosesNothing() throws {
      let store = try TestStore("calculator")
      let id = try store.newDraft("calculator")
      let window = try Window(store, "fill \(id)")
      try window.shows("3  组合\n>")
      try window.type(":go remark")
      try window.shows("several lines")
      try window.type("第一行")
      try window.shows("> 第一行\n|")
      try window.close()
      // It ends by itself, with everything in one file.
      try Window.wait("the end of the command") {
        try store.folder.names.filter { $0.hasPrefix("test.store-") }.isEmpty
      }
      #expect(try store.values(of: id)["remark"] == "第一行")
      let again = try Window(store, "fill \(id)")
      try again.shows("备注\n  several lines; a line with a single . ends them\n  = 第一行\n>")
    }

    @Test func whatIsSensitiveIsNotSeen() throws {
      let store = try TestStore()
      try store.folder.write(
        #"""
        {"id":"f","title":"t","sections":[{"title":"","rows":[
          {"kind":"input","key":"pin","serviceKey":"pin","sensitive":true},
          {"kind":"input","key":"other","serviceKey":"other"}]}]}
        """#, to: "f.json")
      try store.done("form", "add", store.folder.path("f.json"))
      let window = try Window(store, "fill --form f")
      try window.shows("what is typed is not shown\n>")
      try window.type("geheim")
      try window.shows("other\n>")
      try window.send("sichtbar")
      try window.shows("> sichtbar")
      try window.send("Enter")
      try window.type("<")
      try window.type("<")
      try window.shows("  = ••••\n>")
      try window.send("C-c")
      // The shell's own echo is back.
      try window.shows("status 130")
      try window.send("echo")
      try window.shows("status 130\necho")
      #expect(try !window.text().contains("geheim"))
      #expect(try store.values(of: "@")["pin"] == "geheim")
    }

    @Test func whatIsSensitiveIsNotSeenInAPaste() throws {
      let store = try TestStore()
      try store.folder.write(
        #"""
        {"id":"f","title":"t","sections":[{"title":"","rows":[
          {"kind":"input","key":"name","serviceKey":"name"},
          {"kind":"input","key":"pin","serviceKey":"pin","sensitive":true},
          {"kind":"input","key":"other","serviceKey":"other"},
          {"kind":"input","key":"end","serviceKey":"end"}]}]}
        """#, to: "f.json")
      try store.done("form", "add", store.folder.path("f.json"))
      let window = try Window(store, "fill --form f")
      try window.shows("name\n>")
      try window.paste("Ada\ngeheim\nsichtbar\n")
      try window.shows(
        "name\n> Ada\n\npin\n  what is typed is not shown\n>\n\nother\n> sichtbar\n\nend\n>")
      #expect(try !window.text().contains("geheim"))
      try window.send("a", "宽", "BSpace", "b", "x y", "C-w", "C-w", "a宽字", "BSpace")
      try window.shows("> a宽\n")
      try window.send("Enter")
      try window.shows("Submit? (y/n)\n>")
      try window.send("C-d")
      try window.shows("status 0")
      let values = try store.values(of: "@")
      #expect(values["name"] == "Ada")
      #expect(values["pin"] == "geheim")
      #expect(values["other"] == "sichtbar")
      #expect(values["end"] == "a宽")
    }

    @Test func coloursAreForThoseWhoWantThem() throws {
      let store = try TestStore("interests")
      let plain = try Window(store, "fill --form interests", environment: "NO_COLOR=1")
      try plain.shows("choose 3 to 6\n>")
      #expect(try !plain.text(hasStyles: true).contains("\u{1B}"))
      let coloured = try Window(store, "fill --form interests")
      try coloured.shows("choose 3 to 6\n>")
      #expect(try coloured.text(hasStyles: true).contains("\u{1B}[1m兴趣"))
      // Keys that are no text are not taken for some.
      try coloured.send("Left", "x", "Enter")
      try coloured.shows("! that holds keys that are no text")
    }
  }
}

/// A window of tmux with a command in it, which goes with the value. When the command ends, its
/// status is shown.
private final class Window {
  private let folder: TemporaryFolder

  static let isPossible: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? Formdraft.shell("command -v tmux", in: folder).status) == 0
  }()

  init(
    _ store: TestStore, _ arguments: String, environment: String = "", columns: Int = 60,
    rows: Int = 40
  ) throws {
    folder = try TemporaryFolder()
    let command = """
      unset COLUMNS LINES NO_COLOR; \(environment.isEmpty ? "" : "export \(environment);")
      export FORMDRAFT_STORE='\(store.folder.path("test.store"))'
      '\(Formdraft.path)' \(arguments); echo status $?; cat
      """
    try folder.write(command, to: "command")
    try run(
      "new-session -d -s w -x \(columns) -y \(rows) \"exec bash '\(folder.path("command"))'\"")
  }

  deinit { try? close() }

  /// Closes the window; the command in it loses its terminal.
  func close() throws { _ = try tmux("kill-session") }

  /// Sends keys by their names.
  func send(_ keys: String...) throws {
    for key in keys { try run("send-keys -t w '\(key)'") }
  }

  /// Types a line.
  func type(_ line: String) throws {
    if !line.isEmpty { try run("send-keys -t w -l '\(line)'") }
    try run("send-keys -t w Enter")
  }

  /// Pastes a text as a whole.
  func paste(_ text: String) throws {
    try run("set-buffer '\(text)'")
    try run("paste-buffer -t w")
  }

  func text(hasStyles: Bool = false) throws -> String {
    let result = try tmux("capture-pane -t w -p\(hasStyles ? " -e" : "")")
    return result.output
  }

  /// Waits until the window shows a text.
  func shows(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var shown = ""
    try Self.wait("\(text)\n— instead of —\n\(shown)", sourceLocation) {
      shown = try self.text()
      return shown.contains(text)
    }
  }

  static func wait(
    _ what: @autoclosure () -> String, _ sourceLocation: SourceLocation = #_sourceLocation,
    until isDone: () throws -> Bool
  ) throws {
    let end = ContinuousClock.now + .seconds(120)
    while try !isDone() {
      try #require(ContinuousClock.now < end, "\(what())", sourceLocation: sourceLocation)
      usleep(50_000)
    }
  }

  private func run(_ command: String) throws {
    let result = try tmux(command)
    try #require(result.status == 0, "\(result.errors)")
  }

  /// Runs tmux and waits for its client by its process id. `Process` would wait for a descriptor, too,
  /// which tmux's server keeps open when another test made it at the same moment.
  private func tmux(_ command: String) throws -> Formdraft.Result {
    let name = UUID().uuidString
    let (output, errors) = (folder.path("\(name).out"), folder.path("\(name).err"))
    let script = """
      export LC_ALL=C.UTF-8 TERM=xterm-256color
      for fd in {3..1023}; do eval "exec $fd>&-"; done
      tmux -S '\(folder.path("s"))' -u -f /dev/null \(command) \
        </dev/null >'\(output)' 2>'\(errors)'
      """
    let arguments: [String] = ["bash", "-c", script]
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process = pid_t()
    try #require(posix_spawn(&process, "/bin/bash", nil, nil, &words, environ) == 0)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { try #require(errno == EINTR) }
    return Formdraft.Result(
      status: status >> 8 & 0xFF, output: try folder.text(of: "\(name).out"),
      errors: try folder.text(of: "\(name).err"))
  }
}
