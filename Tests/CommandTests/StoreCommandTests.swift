import FormModel
import Testing

@Suite struct StoreCommandTests {
  @Test func checksCopiesAndMeasures() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    try store.done("draft", "set", id, "rate=3")
    // One file is left, with all in it, whatever the command's end.
    #expect(try store.run("draft", "set", id, "rate=3", "amuont=1").status == 3)
    #expect(try store.folder.names == ["test.store"])
    #expect(try store.run("store", "check").output == "no fault found\n")
    #expect(
      try store.run("store", "check", "--json").output == #"{"isSound":true,"problems":[]}"# + "\n")
    let stats = try store.run("store", "stats", "--json").record()
    #expect(
      stats.keys == [
        "forms", "formVersions", "drafts", "values", "submissions", "fileSize", "freeSize",
      ])
    #expect(stats["drafts"] == ["editing": 1, "submitted": 0, "discarded": 0])
    #expect(try store.run("store", "stats").output.contains("drafts editing    1"))
    #expect(
      try store.run("store", "backup", "b.store", "--json").output
        == #"{"file":"b.store"}"# + "\n")
    let copy = try store.run("--store", "b.store", "draft", "show", id, "--json")
    #expect(copy.output == (try store.run("draft", "show", id, "--json").output))
    #expect(try store.run("store", "backup", "b.store").status == 3)
    #expect(try store.run("store", "backup", "b.store", "--replace").status == 0)
    let itself = try store.run("store", "backup", "test.store", "--replace")
    #expect(itself.errors.contains("is the store itself"))
    #expect(try store.run("store", "backup", "no/folder").status == 3)
    #expect(try store.run("store", "backup", "").status == 3)
    #expect(try store.run("draft", "show", id).status == 0)
  }

  @Test func aDamagedStoreIsTold() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let script = """
      import sys, os
      with open("test.store", "r+b") as file:
        size = os.path.getsize("test.store")
        for offset in range(4096, size, 4096):
          file.seek(offset)
          file.write(b"\\xff" * 64)
      """
    try store.folder.write(script, to: "damage.py")
    let damage = try store.shell("command -v python3 >/dev/null || exit 9; python3 damage.py")
    guard damage.status != 9 else { return }
    let check = try store.run("store", "check", "--json")
    #expect(check.status == 3)
    #expect(try store.run("draft", "show", id).status != 1)
  }
}
