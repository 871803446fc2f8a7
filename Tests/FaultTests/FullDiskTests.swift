import DraftDatabase
import DraftStore
import FaultSupport
import FormModel
import Foundation
import Testing

@Suite struct FullDiskTests {
  /// A file system that gets full in the middle of work: the edit that failed is told, every one
  /// before is there, and work goes on once there is space. Where none may be mounted, a limit on the
  /// size of files (`withoutSpaceWhatWasSavedStays`) and a VFS whose disk is full at each write in
  /// turn (`DiskFaultTests`) hold the same.
  @Test(.enabled(if: Mount.isPossible, "no file system can be mounted here"))
  func aFullFileSystemLosesNothing() throws {
    let disk = try #require(try Mount(size: "1m"))
    let path = disk.path + "/test.store"
    let draft = try SampleStore(at: path).plain
    let filler = [UInt8](repeating: 1, count: 300 << 10)
    try Data(filler).write(to: URL(fileURLWithPath: disk.path + "/filler"))
    let store = try DraftStore(path: path, options: SampleStore.options())
    var saved = 0
    var failure: DatabaseError?
    let text = String(repeating: "长", count: 80)
    while failure == nil, saved < 100_000 {
      do {
        let note = "\(saved + 1) \(text)"
        _ = try store.newDraft(of: "calculator", title: note, isWritten: true)
        try store.set(.string(note), for: "remark", in: draft)
        saved += 1
      } catch let error as DatabaseError {
        failure = error
      }
    }
    #expect(failure?.code == .full, "\(String(describing: failure))")
    #expect(failure?.message.contains("space") == true)
    #expect(try store.draft(draft)["remark"] == .string("\(saved) \(text)"))
    #expect(try store.check() == [])
    // A copy says so, too, and leaves nothing.
    let copy = #expect(throws: DatabaseError.self) {
      try store.database.backup(to: disk.path + "/copy.store")
    }
    #expect(copy?.code == .full)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: disk.path)
        .filter { $0.contains("copy") } == [])
    // As does a recovery.
    #expect(throws: DatabaseError.self) {
      try DraftStore.recover(path, to: disk.path + "/copy.store")
    }
    unlink(disk.path + "/filler")
    try store.set(.string("on"), for: "remark", in: draft)
    try store.close()
    #expect(try DraftStore(path: path).draft(draft)["remark"] == .string("on"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["test.store"])
  }
}
