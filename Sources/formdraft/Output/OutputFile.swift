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
  /// The name until the file is whole, or nil for a pipe or device, which is written to as it is.
  private let partial: String?
  /// The file to replace: behind a symbolic link, the one that it leads to.
  private let target: String

  /// - Throws: `System.Failure`
  init(_ path: String) throws {
    self.path = path
    guard !path.isEmpty, !path.utf8.contains(0) else { throw System.Failure(path, EINVAL) }
    var status = stat()
    let isThere = stat(path, &status) == 0
    let kind = status.st_mode & S_IFMT
    if isThere, kind == S_IFDIR { throw System.Failure(path, EISDIR) }
    if isThere, kind != S_IFREG {
      (partial, target) = (nil, path)
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      target = isThere ? Self.resolved(path) : path
      let partial = "\(target).\(getpid()).partial"
      self.partial = partial
      descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }
    guard descriptor >= 0 else { throw System.Failure(path) }
    // A new file is its owner's alone; one that is replaced stays open to whom it was.
    if isThere, partial != nil { _ = fchmod(descriptor, status.st_mode & 0o777) }
  }

  func write(_ bytes: [UInt8]) throws {
    try System.send(bytes, to: descriptor, as: path)
  }

  /// Gives the file its name once all of it is on the disk.
  ///
  /// - Throws: `System.Failure`
  func finish() throws {
    guard let partial else {
      close(descriptor)
      return
    }
    guard fsync(descriptor) == 0, close(descriptor) == 0, rename(partial, target) == 0 else {
      let failure = System.Failure(path)
      unlink(partial)
      throw failure
    }
  }

  /// Takes away what was written.
  func abandon() {
    close(descriptor)
    if let partial { unlink(partial) }
  }

  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(validatingCString: resolved) ?? path
  }
}
