import FormModel
import FormSamples
import Foundation
import Testing

/// Bad data and bad files: a clear error, and what was there is there afterwards.
@Suite struct FaultTests {
  @Test func hostileDefinitionsAreRefused() throws {
    let store = try TestStore("profile")
    let depth = 10_000
    let definitions = [
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth),
      #"{"id":"a","id":"b","title":"t","sections":[]}"#, "", "null", "[]", "\"x\"", "{}",
      #"{"id":"a","title":"\#(String(repeating: "x", count: 10 << 20))","sections":[]}"#,
      #"{"id":"a","sections":[{"rows":[{"kind":"input","key":"a","param":"#
        + String(repeating: "[", count: depth),
    ]
    for definition in definitions {
      let result = try store.run(["form", "add", "-", "--json"], input: definition)
      #expect(result.status == 3)
      let complaints = try result.complaints()
      #expect(!complaints.isEmpty)
      for complaint in complaints {
        #expect(complaint.keys == ["error"])
        #expect(complaint["error"]?.keys == ["code", "message", "key"])
      }
    }
    try Data([0x7B, 0xFF, 0xFE]).write(to: URL(fileURLWithPath: store.folder.path("bad.json")))
    #expect(try store.run("form", "add", "bad.json").status == 3)
    #expect(try store.run("form", "add", "missing.json").errors.contains("No such file"))
    #expect(try store.run("form", "add", ".").errors.contains("directory"))
    #expect(try store.run("form", "add", "").status == 3)
    #expect(try store.run("form", "add", "/dev/zero").status == 3)
    #expect(try store.run("form", "list", "--ids").output == "profile\n")
  }

  @Test func whatIsNoStoreIsRefusedAndNotTouched() throws {
    let store = try TestStore("profile")
    let folder = store.folder
    try folder.write(String(repeating: "not a store ", count: 100), to: "text")
    let other = try store.shell(
      """
      mkfifo fifo
      command -v python3 >/dev/null || exit 0
      python3 -c '
      import sqlite3
      for name, mark, version in (("other", 1, 1), ("later", 0x46445331, 99)):
        c = sqlite3.connect(name)
        c.executescript("create table t (a); pragma application_id = %d; pragma user_version = %d"
          % (mark, version))
      '
      """)
    #expect(other.errors.isEmpty)
    var cases = [
      ("text", "not an SQLite database"), ("missing", "does not exist"),
      ("no/folder/x", "does not exist"), (".", "folder"), ("fifo", "no ordinary file"),
      ("text/x", "formdraft: text/x"),
    ]
    if try folder.names.contains("later") {
      cases += [("other", "another program's database"), ("later", "use a newer program")]
    }
    for (file, message) in cases {
      let before = try? folder.bytes(of: file)
      for command in [["form", "list"], ["draft", "new", "profile"], ["store", "check"]] {
        let result = try store.run(command + ["--store", file])
        #expect(result.status == 3, "\(file)")
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(message), "\(result.errors)")
      }
      #expect((try? folder.bytes(of: file)) == before, "\(file)")
      if file != "missing" {
        let adding = try store.run(
          "form", "add", TestStore.definition("profile"), "--store", file)
        #expect(adding.status == 3, "\(file)")
        #expect((try? folder.bytes(of: file)) == before, "\(file)")
      }
    }
    #expect(try !folder.names.contains("missing"))
  }

  @Test func aBadDefinitionMakesNoStore() throws {
    let folder = try TemporaryFolder()
    let result = try Formdraft.run(
      ["form", "add", "-", "--store", "new.store"], input: "{", in: folder)
    #expect(result.status == 3)
    #expect(try !folder.names.contains("new.store"))
  }

  @Test func aReadOnlyStoreCanBeRead() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let shown = try store.run("draft", "show", id, "--json").output
    // The superuser may write everywhere, so that another has to try.
    let other = geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups" : ""
    let result = try store.shell(
      """
      command -v setpriv > /dev/null || [ -z "\(other)" ] || exit 9
      chmod 777 .; chmod 444 test.store
      cp "$(command -v formdraft)" command; chmod 755 command
      \(other) ./command draft show \(id) --json
      \(other) ./command draft set \(id) rate=1; echo $?
      chmod 000 test.store
      \(other) ./command draft show \(id) 2>&1; echo $?
      chmod 644 test.store; chmod 555 .; rm -f test.store-*
      \(other) ./command draft set \(id) rate=1 2>&1; echo $?
      chmod 700 .; chmod 600 test.store
      """)
    guard result.status != 9 else { return }
    #expect(result.output.hasPrefix(shown))
    let lines = result.output.dropFirst(shown.count).split(separator: "\n")
    #expect(lines.filter { $0 == "3" }.count == 3, "\(result.output)")
    #expect(result.errors.contains("access is denied"))
    #expect(lines.count(where: { $0.hasPrefix("formdraft: ") && $0.contains("test.store: ") }) == 2)
    #expect(try store.run("draft", "show", id, "--json").output == shown)
  }

  @Test(.enabled(if: Sanitizer.allowsFileLimits, "the thread sanitizer starts with a file"))
  func withoutSpaceWhatWasSavedStays() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    try store.done("draft", "set", id, "remark=before")
    try store.folder.write(String(repeating: "长", count: 400_000), to: "long.txt")
    // A limit on the size of files stands for a full disk: writes fail in the same place.
    let size = try store.folder.bytes(of: "test.store").count / 1024 + 64
    let result = try store.shell(
      """
      ulimit -f \(size)
      trap '' XFSZ
      formdraft draft set \(id) rate=3 remark=@long.txt --json 2> errors
      echo $?
      """)
    #expect(result.output == "3\n")
    let error = try JSONValue(parsing: store.folder.text(of: "errors"))
    #expect(
      ["full", "ioError"].contains(error["error"]?["code"]?.stringValue), "\(error.jsonText)")
    #expect(
      try store.values(of: id) == ["amountUnit": "wan", "termUnit": "year", "remark": "before"])
    #expect(try store.run("store", "check").status == 0)
    try store.done("draft", "set", id, "remark=@long.txt")
  }

  /// A file that was cut to nothing is no new store, but for the command that makes stores.
  @Test func anEmptyFileIsNotTakenForAStore() throws {
    let store = try TestStore()
    try store.folder.write("", to: "test.store")
    for command in [["form", "list"], ["store", "check"], ["export", "--format", "csv"]] {
      let result = try store.run(command)
      #expect(result.status == 3 && result.errors.contains("empty"))
    }
    #expect(try store.folder.bytes(of: "test.store").isEmpty)
  }
}
