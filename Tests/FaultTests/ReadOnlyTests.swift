import DraftDatabase
import DraftStore
import FaultSupport
import FormModel
import Foundation
import Testing

/// A store where nothing may be written can be read, as far as that is safe.
@Suite struct ReadOnlyTests {
  /// What keeps the store from being written.
  enum Obstacle: CaseIterable, CustomTestStringConvertible {
    case folder, file, fileSystem

    var testDescription: String { "a read-only \(self)" }

    /// Those that can be put up here: root is kept out by a file system alone, but can run the
    /// command as somebody else.
    static var all: [Obstacle] {
      allCases.filter {
        $0 == .fileSystem ? Mount.isPossible : geteuid() != 0 || OtherUser.isThere
      }
    }
  }

  /// A folder with a store that the command may read only.
  private final class Place {
    let path: String
    private let obstacle: Obstacle
    private let scratch: Scratch
    private let mount: Mount?
    private let user: OtherUser?

    init(_ obstacle: Obstacle) throws {
      self.obstacle = obstacle
      scratch = try Scratch()
      mount = obstacle == .fileSystem ? try Mount(size: "8m") : nil
      user = obstacle != .fileSystem && geteuid() == 0 ? try OtherUser() : nil
      path = mount?.path ?? scratch.file("place")
      if mount == nil {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      }
    }

    var store: String { path + "/test.store" }
    var names: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Puts up the obstacle, once the files are there.
    func close() throws {
      if let mount { return try #require(try mount.remount(isReadOnly: true)) }
      let owner = user == nil ? geteuid() : OtherUser.id
      chown(path, owner, gid_t.max)
      for name in try names {
        // The file that may not be written is somebody else's where there is somebody else.
        if obstacle == .folder { chown("\(path)/\(name)", owner, gid_t.max) }
        chmod("\(path)/\(name)", obstacle == .folder ? 0o600 : 0o444)
      }
      if obstacle == .folder { chmod(path, 0o555) }
    }

    func formdraft(_ words: String...) throws -> (output: String, status: Int32) {
      try formdraft(words)
    }

    func formdraft(_ words: [String]) throws -> (output: String, status: Int32) {
      let words = ["--store", store] + words
      return try user?.formdraft(words) ?? ChildProcess.formdraft(words)
    }

    deinit { chmod(path, 0o755) }
  }

  /// There must be some way to put up an obstacle; which ones there are is told by the cases.
  @Test func anObstacleCanBePutUp() { #expect(!Obstacle.all.isEmpty) }

  @Test(arguments: Obstacle.all) func whatIsReadIsAllThere(obstacle: Obstacle) throws {
    let place = try Place(obstacle)
    let id = try SampleStore(at: place.store).edited.description
    let scratch = try Scratch()
    chmod(scratch.path, 0o777)
    let commands: [[String]] = [
      ["draft", "list", "--json"], ["draft", "show", id, "--json"], ["query", "remark", "--json"],
      ["form", "list", "--json"], ["export", "--format", "json"], ["validate", id],
      ["diff", id, "--json"], ["store", "check"], ["store", "stats"], ["outbox", "list"],
    ]
    func answers() throws -> [String] {
      try commands.map {
        let (output, status) = try ChildProcess.formdraft(["--store", place.store] + $0)
        #expect(status == 0 || $0[0] == "diff")
        return output
      }
    }
    let expected = try answers()
    let names = try place.names
    try place.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: place.store))
    for (words, answer) in zip(commands, expected) {
      let read = try place.formdraft(words)
      #expect(read.output == answer, "\(words)")
    }
    let backup = try place.formdraft("store", "backup", scratch.file("copy"))
    #expect(backup.status == 0, "\(backup.output)")
    #expect(try StoreContent(of: scratch.file("copy")) == StoreContent(of: copied(place, scratch)))
    // What writes says why it can't, and what to do.
    let written = try place.formdraft("draft", "set", id, "remark=x")
    #expect(written.status == 3)
    #expect(
      written.output.contains("read-only; make it writable")
        || written.output.contains("folder may not be written")
        || written.output.contains("access is denied; check the permissions"),
      "\(written.output)")
    #expect(try place.names == names)
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.store)) == bytes)
  }

  /// The store's file alone, where it can be read by any program.
  private func copied(_ place: Place, _ scratch: Scratch) throws -> String {
    try scratch.write(try Data(contentsOf: URL(fileURLWithPath: place.store)), to: "plain")
    return scratch.file("plain")
  }

  /// A store as a killed process leaves it: the last edit is in the log.
  private func makeStoreWithLog(in place: Place, withIndex: Bool) throws -> DraftID {
    let scratch = try Scratch()
    let sample = try SampleStore(at: scratch.file())
    let store = try DraftStore(path: scratch.file(), options: SampleStore.options())
    try store.set(.string("in the log"), for: "remark", in: sample.plain)
    for suffix in ["", "-wal"] + (withIndex ? ["-shm"] : []) {
      try Data(try scratch.bytes("test.store" + suffix)).write(
        to: URL(fileURLWithPath: place.store + suffix))
    }
    try store.close()
    return sample.plain
  }

  @Test(arguments: Obstacle.all) func aLogThatAKilledProcessLeftIsRead(obstacle: Obstacle) throws {
    let place = try Place(obstacle)
    let id = try makeStoreWithLog(in: place, withIndex: true).description
    try place.close()
    let read = try place.formdraft("draft", "show", id, "--json")
    #expect(read.status == 0 && read.output.contains("in the log"), "\(read.output)")
    #expect(try place.formdraft("store", "check").output == "no fault found")
    #expect(try place.names == ["test.store", "test.store-shm", "test.store-wal"])
  }

  /// A log without its index can't be read there; leaving it out would lose what it holds.
  @Test(arguments: Obstacle.all) func aLogThatCanNotBeReadIsTold(obstacle: Obstacle) throws {
    let place = try Place(obstacle)
    let id = try makeStoreWithLog(in: place, withIndex: false).description
    try place.close()
    for words in [["draft", "show", id], ["export", "--format", "csv"], ["store", "check"]] {
      let read = try place.formdraft(words)
      #expect(read.status == 3)
      #expect(
        read.output.contains("the latest commits are in its log (-wal)")
          && read.output.contains("copy the file and its log"), "\(read.output)")
    }
    #expect(try place.names == ["test.store", "test.store-wal"])
    // What it says to do does it.
    let scratch = try Scratch()
    for suffix in ["", "-wal"] {
      try scratch.write(
        try Data(contentsOf: URL(fileURLWithPath: place.store + suffix)), to: "test.store" + suffix)
    }
    let read = try ChildProcess.formdraft("--store", scratch.file(), "draft", "show", id)
    #expect(read.output.contains("in the log"))
  }

  /// While somebody who may write has it open, those who may only read see each commit.
  @Test(arguments: Obstacle.all.filter { $0 != .fileSystem })
  func aStoreThatIsBeingWrittenIsRead(obstacle: Obstacle) throws {
    // Without a second user, nobody may write.
    guard geteuid() == 0 else { return }
    let place = try Place(obstacle)
    let sample = try SampleStore(at: place.store)
    let store = try DraftStore(path: place.store, options: SampleStore.options())
    try store.set(.string("first"), for: "remark", in: sample.plain)
    try place.close()
    for text in ["second", "third"] {
      try store.set(.string(text), for: "remark", in: sample.plain)
      let read = try place.formdraft("draft", "show", sample.plain.description, "--json")
      #expect(read.status == 0 && read.output.contains(text), "\(read.output)")
    }
  }

  /// A file that is read as it is has no locks; who writes to it all the same is noticed.
  @Test(.enabled(if: Mount.isPossible, "no file system can be mounted here"))
  func aWriterWhoCanNotBeSeenIsNoticed() throws {
    let mount = try #require(try Mount(size: "8m"))
    let view = try #require(try mount.readOnlyView())
    let sample = try SampleStore(at: mount.path + "/test.store")
    var options = SampleStore.options()
    options.isReadOnly = true
    let reading = try DraftStore(path: view + "/test.store", options: options)
    #expect(try reading.draft(sample.plain)["remark"] == .string("kept"))
    let writing = try DraftStore(path: mount.path + "/test.store", options: SampleStore.options())
    #expect(try reading.draft(sample.plain)["remark"] == .string("kept"))
    // In the middle of a transaction: what was read of two states is not given out.
    let middle = #expect(throws: DatabaseError.self) {
      try reading.database.read { connection in
        _ = try connection.first("SELECT count(*) FROM draft") { $0.integer(0) }
        try writing.set(.string("new"), for: "remark", in: sample.plain)
        return try connection.first("SELECT count(*) FROM draft_value") { $0.integer(0) }
      }
    }
    #expect(middle?.code == .busy && middle?.message.contains("open it anew") == true)
    #expect(throws: DatabaseError.self) { try reading.draft(sample.plain) }
    // It stays so when the log is gone again, for the file itself was written to.
    try writing.close()
    #expect(throws: DatabaseError.self) { try reading.draft(sample.plain) }
    #expect(throws: DatabaseError.self) { try reading.database.dataVersion() }
    try reading.close()
    let again = try DraftStore(path: view + "/test.store", options: options)
    #expect(try again.draft(sample.plain)["remark"] == .string("new"))
  }

  /// A store of an older schema is read as it is.
  @Test(arguments: Obstacle.all) func anOlderSchemaIsRead(obstacle: Obstacle) throws {
    let place = try Place(obstacle)
    try RawDatabase(place.store).execute(SampleStore.dump(ofVersion: 1))
    try place.close()
    let list = try place.formdraft("draft", "list", "--ids")
    #expect(list.status == 0, "\(list.output)")
    let id = try #require(list.output.split(separator: "\n").first)
    #expect(try place.formdraft("draft", "show", String(id)).status == 0)
    #expect(try place.formdraft("export", "--format", "json").status == 0)
    #expect(try place.names == ["test.store"])
  }

  /// Names are escaped for SQLite, and mean what they say.
  @Test(
    .enabled(if: Mount.isPossible, "no file system can be mounted here"),
    arguments: ["a?b#c%41", "ü &", "immutable=0?mode=memory", "%"])
  func namesAreTakenLiterally(name: String) throws {
    let mount = try #require(try Mount(size: "8m"))
    let id = try SampleStore(at: "\(mount.path)/\(name)").plain.description
    try #require(try mount.remount(isReadOnly: true))
    let read = try ChildProcess.formdraft("--store", "\(mount.path)/\(name)", "draft", "show", id)
    #expect(read.status == 0 && read.output.contains("kept"), "\(read.output)")
  }
}
