import DraftDatabase

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that appears under its name when it is whole; until then what was there stays.
struct OutputFile {
  let path: String
  private let descriptor: Int32
  /// Where the file is until it is whole, or nil for a pipe or device, which is written to as it is.
  private let folder: WorkFolder?
  /// The file to replace: behind a symbolic link, the one that it leads to.
  private let target: String

  private static let name = "export"

  /// - Throws: `System.Failure`; `DatabaseError` where there can't be a file of this name.
  init(_ path: String) throws {
    self.path = path
    guard !path.isEmpty, !path.utf8.contains(0) else { throw System.Failure(path, EINVAL) }
    var status = stat()
    let isThere = stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if isThere, kind == S_IFDIR { throw System.Failure(path, EISDIR) }
    if isThere, kind != S_IFREG {
      (folder, target) = (nil, path)
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      target = isThere ? Self.resolved(path) : path
      let folder = try WorkFolder(beside: target)
      self.folder = folder
      descriptor = open(
        folder.file(Self.name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
    guard descriptor >= 0 else { throw System.Failure(path) }
    // A new file is its owner's alone; one that is replaced stays open to whom it was.
    if isThere, folder != nil { _ = fchmod(descriptor, status.st_mode & 0o777) }
  }

  func write(_ bytes: [UInt8]) throws {
    try System.send(bytes, to: descriptor, as: path)
  }

  /// Gives the file its name once all of it is on the disk.
  ///
  /// - Throws: `System.Failure`, `DatabaseError`
  func finish() throws {
    guard let folder else {
      close(descriptor)
      return
    }
    defer { folder.remove() }
    guard fsync(descriptor) == 0, close(descriptor) == 0 else { throw System.Failure(path) }
    try folder.publish(Self.name, as: target, replacesFile: true)
  }

  /// Takes away what was written.
  func abandon() {
    close(descriptor)
    folder?.remove()
  }

  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(validatingCString: resolved) ?? path
  }
}
