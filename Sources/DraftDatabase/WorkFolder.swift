import CSQLite

/// A folder beside a file for what is not whole yet; its owner alone may use it.
///
/// It is removed with ``remove()``, or with the last reference to it. One that a killed process left
/// is removed when the next is made beside the same file; one in which a process works never is.
public final class WorkFolder {
  public let path: String
  private var descriptor: Int32 = -1

  /// Makes a folder on the same disk as a file.
  ///
  /// - Throws: ``DatabaseError``
  public init(beside file: String) throws {
    guard !file.isEmpty, !file.utf8.contains(0) else {
      throw DatabaseError(.cannotOpen, "not a file name", path: file)
    }
    csqlite_remove_abandoned(file)
    var (path, failure) = ("", EAGAIN)
    // Another process may take it for abandoned in the moment before it is locked.
    for _ in 0..<100 where failure == EAGAIN {
      path = file + CSQLITE_WORK_MARK + Self.randomDigits()
      failure = csqlite_make_work_folder(path, &descriptor)
    }
    self.path = path
    guard failure == 0 else { throw DatabaseError(systemError: failure, path: file) }
  }

  deinit { remove() }

  /// The path of a file in the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Gives a file of the folder its final name, when it is whole.
  ///
  /// - Parameters:
  ///   - name: its name in the folder.
  ///   - destination: its final name.
  ///   - replacesFile: whether a file of that name may be replaced; else it is an error.
  /// - Throws: ``DatabaseError``
  public func publish(_ name: String, as destination: String, replacesFile: Bool) throws {
    let failure = csqlite_publish(file(name), destination, replacesFile ? 1 : 0)
    guard failure == 0 else { throw DatabaseError(systemError: failure, path: destination) }
  }

  /// Removes the folder and what is left in it.
  public func remove() {
    guard descriptor >= 0 else { return }
    csqlite_remove_work_folder(path)
    close(descriptor)
    descriptor = -1
  }

  private static func randomDigits() -> String {
    let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
    let missing = Int(csqlite_work_digits) - digits.count
    return String(repeating: "0", count: max(0, missing)) + digits
  }
}
