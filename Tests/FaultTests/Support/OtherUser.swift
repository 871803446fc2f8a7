import Foundation
import Testing

/// The command as a user who may do less: root may read and write everywhere.
final class OtherUser {
  /// The id of "nobody".
  static let id: uid_t = 65534
  private static let setpriv = "/usr/bin/setpriv"

  /// Whether there are rights to drop, and a program to do so.
  static var isThere: Bool {
    geteuid() == 0 && FileManager.default.isExecutableFile(atPath: setpriv)
  }

  /// A copy of the command, for the original may be where nobody else can go.
  private let program: String

  init() throws {
    program = NSTemporaryDirectory() + "/formdraft-" + UUID().uuidString
    // By another process: a descriptor of this one could be inherited by a child of another test,
    // and a program that is open for writing can't be run.
    let copying = try ChildProcess("/bin/cp", [ChildProcess.program("formdraft"), program])
    try #require(copying.finish().status == 0)
    chmod(program, 0o755)
  }

  deinit { unlink(program) }

  func formdraft(_ arguments: [String]) throws -> (output: String, status: Int32) {
    let (lines, status) = try ChildProcess(
      Self.setpriv,
      ["--reuid", "\(Self.id)", "--regid", "\(Self.id)", "--clear-groups", program] + arguments,
      errorsToo: true
    ).finish()
    return (lines.joined(separator: "\n"), status)
  }
}

/// A file system of its own, in memory, which goes with the last reference to it.
final class Mount {
  let path: String
  private let scratch: Scratch
  private var others: [String] = []

  /// Nil where none may be mounted.
  init?(size: String) throws {
    scratch = try Scratch()
    path = scratch.file("disk")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    guard try Self.run("mount", "-t", "tmpfs", "-o", "size=\(size),mode=755", "tmpfs", path)
    else { return nil }
  }

  /// Whether file systems may be mounted here.
  static let isPossible = (try? Mount(size: "64k")) ?? nil != nil

  private static func run(_ name: String, _ arguments: String...) throws -> Bool {
    try ChildProcess("/bin/\(name)", arguments, errorsToo: true).finish().status == 0
  }

  func remount(isReadOnly: Bool) throws -> Bool {
    try Self.run("mount", "-o", "remount,\(isReadOnly ? "ro" : "rw")", path)
  }

  /// The same files under another name, by which nothing can be written.
  func readOnlyView() throws -> String? {
    let view = scratch.file("view-\(others.count)")
    try FileManager.default.createDirectory(atPath: view, withIntermediateDirectories: false)
    guard try Self.run("mount", "--bind", path, view) else { return nil }
    others.append(view)
    return try Self.run("mount", "-o", "remount,ro,bind", view) ? view : nil
  }

  deinit {
    for path in others + [path] { _ = try? Self.run("umount", "-l", path) }
  }
}
