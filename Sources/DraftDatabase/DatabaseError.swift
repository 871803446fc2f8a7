import CSQLite

/// Why a database could not do what was asked; nothing of a failed transaction stays.
public struct DatabaseError: Error, Sendable, CustomStringConvertible {
  /// The kinds of failure that a caller may want to tell apart.
  public enum Code: String, Sendable {
    /// The file is no SQLite database.
    case notADatabase
    /// The file is a database of another program.
    case notOurs
    /// The file was written by a later version of this program.
    case fromTheFuture
    /// The file's content is damaged.
    case corrupt
    /// There is no space left.
    case full
    /// The disk failed to read or write.
    case ioError
    /// The file can't be opened.
    case cannotOpen
    /// The file or its folder can't be written to.
    case readOnly
    /// The file may not be read.
    case permission
    /// Another process held the lock for longer than the busy timeout.
    case busy
    /// A constraint of the schema was broken.
    case constraint
    /// There is no memory left.
    case noMemory
    /// A text or blob is larger than SQLite takes.
    case tooBig
    /// The statement was interrupted.
    case interrupted
    /// An earlier error ended the transaction; nothing more can be done in it.
    case aborted
    /// The interface was used wrongly.
    case misuse
    /// Anything else.
    case other
  }

  public let code: Code
  /// What happened and what to do.
  public let message: String
  /// The database file.
  public let path: String
  /// The statement that failed, without its values.
  public let sql: String?
  /// SQLite's extended result code, or 0 when SQLite was not asked.
  public let extendedCode: Int32

  init(
    _ code: Code, _ message: String, path: String, sql: String? = nil, extendedCode: Int32 = 0
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.sql = sql
    self.extendedCode = extendedCode
  }

  public var description: String { "\(path): \(message)" }
}

extension DatabaseError {
  /// An error from a result code of SQLite and the words it has for it.
  init(result: Int32, detail: String, path: String, sql: String? = nil) {
    let code = Code(result: result)
    self.init(
      code, code.advice.map { "\($0) (\(detail))" } ?? detail, path: path, sql: sql,
      extendedCode: result)
  }
}

extension DatabaseError {
  /// An error from an errno of the operating system.
  init(systemError number: Int32, path: String) {
    let code: DatabaseError.Code =
      switch number {
      case EACCES, EPERM: .permission
      case EROFS: .readOnly
      case ENOSPC, EDQUOT, EFBIG: .full
      case EIO: .ioError
      default: .cannotOpen
      }
    let detail =
      switch number {
      case ENOENT: "the file or its folder does not exist; check the name"
      case EEXIST:
        "there is a file of this name already; choose another name, or ask to replace it"
      case EISDIR: "this is a folder; give the name of a file"
      case EINVAL: "this is no ordinary file; choose another"
      default: code.advice ?? "the file can't be opened"
      }
    let words = String(cString: csqlite_error_text(number))
    self.init(code, "\(detail) (\(words))", path: path)
  }
}

extension DatabaseError.Code {
  init(result: Int32) {
    // SQLITE_IOERR_NOMEM: where memory is short for reading a file, the disk is well.
    if result == SQLITE_IOERR | 12 << 8 {
      self = .noMemory
      return
    }
    switch result & 0xFF {
    case SQLITE_NOTADB: self = .notADatabase
    case SQLITE_CORRUPT: self = .corrupt
    case SQLITE_FULL: self = .full
    case SQLITE_IOERR: self = .ioError
    case SQLITE_CANTOPEN: self = .cannotOpen
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_PERM, SQLITE_AUTH: self = .permission
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: self = .busy
    case SQLITE_CONSTRAINT: self = .constraint
    case SQLITE_NOMEM: self = .noMemory
    case SQLITE_TOOBIG: self = .tooBig
    case SQLITE_INTERRUPT: self = .interrupted
    case SQLITE_ABORT: self = .aborted
    case SQLITE_MISUSE, SQLITE_RANGE: self = .misuse
    default: self = .other
    }
  }

  /// What a person can do about it.
  var advice: String? {
    switch self {
    case .notADatabase: "the file is not an SQLite database; choose another file"
    case .corrupt:
      "the file is damaged; recover what can be read into a new file, or use a backup"
    case .full: "no space left; free some and try again, what was saved before is still there"
    case .ioError: "the disk failed; check it and its space, what was saved before is still there"
    case .cannotOpen: "the file can't be opened; check that its folder exists and may be written"
    case .readOnly: "the file or its folder is read-only; make it writable or copy it elsewhere"
    case .permission: "access is denied; check the permissions of the file and of its folder"
    case .busy: "another process is writing to the file; wait for it to end and try again"
    case .noMemory: "no memory left"
    case .tooBig: "the value is larger than SQLite can keep"
    case .notOurs, .fromTheFuture, .constraint, .interrupted, .aborted, .misuse, .other: nil
    }
  }
}
