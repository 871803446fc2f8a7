import Foundation

/// A folder of its own in memory where there is such a place, which is removed with the last
/// reference to it. Syncs cost nothing there; what they do is the VFS's to show.
final class Scratch: Sendable {
  let path: String

  init() throws {
    let memory = "/dev/shm"
    let base =
      FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
    path = base + "/FaultTests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String = "test.store") -> String { path + "/" + name }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  func bytes(_ name: String = "test.store") throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: file(name))))
  }

  func write(_ bytes: some Sequence<UInt8>, to name: String = "test.store") throws {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
  }
}
