import DraftDatabase
import DraftStore
import FaultSupport
import FormModel
import Foundation
import Testing

/// Folders in which everybody may make files: what somebody else laid there gets no secrets.
@Suite struct SharedFolderTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private func open(_ name: String = "test.store", isReadOnly: Bool = false) throws -> DraftStore {
    var options = SampleStore.options()
    options.isReadOnly = isReadOnly
    return try DraftStore(path: scratch.file(name), options: options)
  }

  @Test func aNewStoreInAFolderThatIsOpenToAllIsWarnedOf() throws {
    let form = scratch.file("form.json")
    try scratch.write(
      Array(try SampleStore.form("profile").definition.jsonText.utf8), to: "form.json")
    for (mode, warns) in [(0o777, true), (0o703, true), (0o1777, false), (0o770, false)] {
      chmod(scratch.path, mode_t(mode))
      let path = scratch.file("\(mode).store")
      let added = try ChildProcess.formdraft("--store", path, "form", "add", form)
      #expect(added.status == 0)
      #expect(
        added.output.contains("formdraft: warning: \(path): everybody may replace files") == warns,
        "\(added.output)")
      #expect(try open("\(mode).store").database.isInOpenFolder == warns)
      // It is told once.
      let again = try ChildProcess.formdraft("--store", path, "form", "add", form)
      #expect(again.output == "profile version 1 (as before)")
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test(
    .enabled(if: geteuid() == 0, "giving files to somebody else takes root"),
    arguments: [0o1777, 0o777])
  func somebodyElsesFileIsNotWrittenTo(mode: Int) throws {
    let sample = try SampleStore(at: scratch.file())
    let before = try scratch.bytes()
    chmod(scratch.path, mode_t(mode))
    chown(scratch.file(), OtherUser.id, gid_t.max)
    let error = #expect(throws: DatabaseError.self) { try open() }
    #expect(error?.code == .permission && error?.message.contains("somebody else's") == true)
    let id = sample.plain.description
    let set = try ChildProcess.formdraft("--store", scratch.file(), "draft", "set", id, "remark=x")
    #expect(set.status == 3 && set.output.contains("a folder of your own"), "\(set.output)")
    // It may be read.
    let read = try ChildProcess.formdraft("--store", scratch.file(), "draft", "show", id)
    #expect(read.status == 0 && read.output.contains("kept"))
    #expect(try scratch.bytes() == before)
    #expect(try scratch.names == ["test.store"])
    // So may what its owner is writing.
    chmod(scratch.path, 0o755)
    let owners = try open()
    try owners.set(.string("in the owner's log"), for: "remark", in: sample.plain)
    chmod(scratch.path, mode_t(mode))
    let latest = try ChildProcess.formdraft("--store", scratch.file(), "draft", "show", id)
    #expect(latest.status == 0 && latest.output.contains("in the owner's log"), "\(latest.output)")
    try owners.close()
    // One's own file, and that of the folder's owner, are as ever; so is any in another folder.
    chown(scratch.file(), 0, gid_t.max)
    try open().close()
    chown(scratch.file(), OtherUser.id, gid_t.max)
    chown(scratch.path, OtherUser.id, gid_t.max)
    try open().close()
    chown(scratch.path, 0, gid_t.max)
    chmod(scratch.path, 0o775)
    try open().close()
  }

  @Test(
    .enabled(if: geteuid() == 0, "giving files to somebody else takes root"),
    arguments: ["-wal", "-shm", "-journal"], [true, false])
  func somebodyElsesLogIsNotUsed(suffix: String, isLink: Bool) throws {
    _ = try SampleStore(at: scratch.file())
    chmod(scratch.path, 0o1777)
    let log = scratch.file("test.store" + suffix)
    if isLink {
      try scratch.write([], to: "victim")
      symlink(scratch.file("victim"), log)
    } else {
      try scratch.write([], to: "test.store" + suffix)
      chmod(log, 0o666)
    }
    lchown(log, OtherUser.id, gid_t.max)
    for isReadOnly in [false, true] {
      let error = #expect(throws: DatabaseError.self) { try open(isReadOnly: isReadOnly) }
      #expect(error?.code == .permission && error?.message.contains(suffix) == true)
    }
    // Nor is one that lay in wait for a store that is yet to be made.
    for other in ["-wal", "-shm", "-journal"] {
      rename(scratch.file("test.store" + other), scratch.file("new.store" + other))
    }
    #expect(throws: DatabaseError.self) { try open("new.store") }
    #expect(try scratch.bytes("new.store" + suffix).isEmpty)
  }

  @Test(.enabled(if: geteuid() == 0, "giving files to somebody else takes root"))
  func somebodyElsesLinkIsNotFollowedForWriting() throws {
    _ = try SampleStore(at: scratch.file())
    let before = try scratch.bytes()
    try FileManager.default.createDirectory(
      atPath: scratch.file("open"), withIntermediateDirectories: false)
    chmod(scratch.file("open"), 0o1777)
    symlink("../test.store", scratch.file("open/link"))
    symlink("../missing.store", scratch.file("open/dangling"))
    try open("open/link").close()
    for name in ["link", "dangling"] {
      lchown(scratch.file("open/\(name)"), OtherUser.id, gid_t.max)
    }
    let error = #expect(throws: DatabaseError.self) { try open("open/link") }
    #expect(error?.code == .permission)
    // A link that leads nowhere makes no file elsewhere, whoever made it.
    #expect(throws: DatabaseError.self) { try open("open/dangling") }
    #expect(try scratch.bytes() == before)
    #expect(try scratch.names == ["open", "test.store"])
  }
}
