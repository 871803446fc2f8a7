import CFaultVFS
import CSQLite
import DraftDatabase

/// A call that fails: once, or from then on.
struct Fault: CustomStringConvertible {
  let kind: fault_kind
  let kindName: String
  let code: Int32
  let stays: Bool

  var description: String { "\(kindName) \(code)\(stays ? " for ever" : "")" }

  func arm(_ nth: Int) { fault_arm(kind, Int32(clamping: nth), code, stays ? 1 : 0) }

  /// Whether an error names this fault rightly.
  func explains(_ error: DatabaseError.Code) -> Bool {
    let expected: [DatabaseError.Code] =
      switch code & 0xFF {
      case SQLITE_FULL: [.full]
      case SQLITE_CANTOPEN: [.cannotOpen]
      case SQLITE_BUSY: [.busy]
      case SQLITE_NOMEM: [.noMemory]
      default: code == FAULT_IOERR_NOMEM ? [.noMemory] : [.ioError]
      }
    return expected.contains(error)
  }

  private static let codes: [(fault_kind, String, [Int32])] = [
    (FAULT_READ, "read", [FAULT_IOERR_READ, FAULT_IOERR_NOMEM]),
    (FAULT_WRITE, "write", [SQLITE_FULL, FAULT_IOERR_WRITE]),
    (FAULT_SYNC, "sync", [FAULT_IOERR_FSYNC, SQLITE_FULL]),
    (FAULT_TRUNCATE, "truncate", [FAULT_IOERR_TRUNCATE]),
    (FAULT_OPEN, "open", [SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_NOMEM]),
    (FAULT_DELETE, "delete", [FAULT_IOERR_DELETE]),
    (FAULT_ACCESS, "access", [FAULT_IOERR_ACCESS]),
    (FAULT_SIZE, "size", [FAULT_IOERR_FSTAT]),
    (FAULT_LOCK, "lock", [SQLITE_BUSY, FAULT_IOERR_LOCK]),
    (FAULT_SHM_MAP, "shm-map", [FAULT_IOERR_SHMMAP, SQLITE_CANTOPEN, SQLITE_NOMEM]),
    (FAULT_SHM_LOCK, "shm-lock", [SQLITE_BUSY, FAULT_IOERR_SHMLOCK]),
    (FAULT_MEMORY, "memory", [SQLITE_NOMEM]),
  ]

  static let all: [Fault] = codes.flatMap { kind, name, codes in
    codes.flatMap { code in
      [false, true].map { Fault(kind: kind, kindName: name, code: code, stays: $0) }
    }
  }
}
