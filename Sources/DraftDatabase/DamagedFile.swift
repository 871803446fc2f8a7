import CSQLite

/// A copy of a database file that may be damaged, and of its log.
///
/// The file itself is only read, byte by byte: SQLite, which would repair it by its log or lay new
/// files beside it, sees the copy alone.
public struct DamagedFile {
  /// The file that was copied.
  public let source: String
  /// The copy of the file as it is; its log, if there is one, is beside it.
  public let path: String
  /// Bytes of the file that the disk did not give; they are zero in the copy.
  public let unreadByteCount: Int

  private static let logSuffixes = ["-wal", "-journal"]

  /// - Parameters:
  ///   - source: the file; nobody may write to it meanwhile.
  ///   - copy: the copy's name.
  /// - Throws: ``DatabaseError``
  public init(copying source: String, to copy: String) throws {
    guard !source.isEmpty, !source.utf8.contains(0) else {
      throw DatabaseError(.cannotOpen, "not a file name", path: source)
    }
    let failure = csqlite_check_file(source, 0)
    guard failure == 0 else { throw DatabaseError(systemError: failure, path: source) }
    // No statement is ever run on this connection: it stands for SQLite's descriptor, for closing
    // another one would drop the locks that this process may hold on the file.
    let connection = try Connection(
      path: source, flags: SQLITE_OPEN_READONLY, busyTimeout: .zero)
    var unread: Int64 = 0
    let copying = csqlite_copy_database(connection.handle, copy, &unread)
    guard copying == 0 else { throw DatabaseError(systemError: copying, path: copy) }
    let name = sqlite3_db_filename(connection.handle, "main").map(String.init(cString:)) ?? source
    for suffix in Self.logSuffixes {
      let copying = csqlite_copy_log(name + suffix, copy + suffix)
      guard copying == 0 else { throw DatabaseError(systemError: copying, path: name + suffix) }
    }
    self.source = source
    path = copy
    unreadByteCount = Int(unread)
  }

  /// Whether there is a log with something in it.
  public var hasLog: Bool { Self.logSuffixes.contains { csqlite_size(path + $0) > 0 } }

  /// Whether the file was cut within a page, which SQLite would take for whole.
  public var isCut: Bool { csqlite_size(path) % 512 != 0 }

  /// Copies the copy, since reading it may change it.
  ///
  /// - Parameters:
  ///   - other: the copy's name.
  ///   - isWithLog: whether its log goes with it.
  /// - Throws: ``DatabaseError``
  public func copied(to other: String, isWithLog: Bool) throws -> DamagedFile {
    for suffix in [""] + (isWithLog ? Self.logSuffixes : []) {
      let copying = csqlite_copy_log(path + suffix, other + suffix)
      guard copying == 0 else { throw DatabaseError(systemError: copying, path: other) }
    }
    return DamagedFile(source: source, path: other, unreadByteCount: unreadByteCount)
  }

  private init(source: String, path: String, unreadByteCount: Int) {
    self.source = source
    self.path = path
    self.unreadByteCount = unreadByteCount
  }

  // MARK: A schema that is gone

  private static let pageSize = 4096
  /// What the header says of the file itself: its size in pages, and its free pages.
  private static let pageCountOffset = 28

  /// Puts the pages of another file's schema in the place of this one's: where the same steps made
  /// both, the tables begin at the same pages.
  ///
  /// - Parameter model: a closed file without a log.
  /// - Throws: ``DatabaseError``
  public func takeSchema(of model: String) throws {
    let pageCount = max(1, Int(csqlite_size(path)) / Self.pageSize)
    try takePage(1, of: model, pageCount: pageCount, depth: 0)
  }

  private func takePage(_ number: Int, of model: String, pageCount: Int, depth: Int) throws {
    var page = [UInt8](repeating: 0, count: Self.pageSize)
    let offset = off_t((number - 1) * Self.pageSize)
    guard csqlite_read_part(model, &page, page.count, offset) == page.count else {
      throw DatabaseError(.ioError, "the new file's schema can't be read", path: model)
    }
    // Before the header is changed, for it says where the children are.
    let children = depth < 4 ? Self.children(of: page, isFirst: number == 1) : []
    if number == 1 {
      func put(_ value: Int, at offset: Int) {
        for place in 0..<4 { page[offset + place] = UInt8(value >> (24 - 8 * place) & 0xFF) }
      }
      put(pageCount, at: Self.pageCountOffset)
      put(0, at: Self.pageCountOffset + 4)
      put(0, at: Self.pageCountOffset + 8)
      // The file format's version: no write-ahead log goes with it.
      (page[18], page[19]) = (1, 1)
    }
    let failure = csqlite_write_part(path, page, page.count, offset)
    guard failure == 0 else { throw DatabaseError(systemError: failure, path: path) }
    for child in children {
      try takePage(child, of: model, pageCount: pageCount, depth: depth + 1)
    }
  }

  /// The pages beneath an interior page of a table (file format, section 1.6); none for a leaf.
  private static func children(of page: [UInt8], isFirst: Bool) -> [Int] {
    func number(_ offset: Int, _ size: Int) -> Int {
      guard offset + size <= page.count else { return 0 }
      return page[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) }
    }
    let start = isFirst ? 100 : 0
    guard page[start] == 5 else { return [] }
    let cells = (0..<number(start + 3, 2)).map { number(start + 12 + 2 * $0, 2) }
    return (cells.map { number($0, 4) } + [number(start + 8, 4)]).filter { $0 > 1 }
  }
}
