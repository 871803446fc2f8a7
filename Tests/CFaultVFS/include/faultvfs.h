#pragma once
#include <sqlite3.h>

// A shim over SQLite's default VFS that fails calls on demand and can forget what was not synced,
// as power loss does. It serves one process, which installs it before SQLite is used.

/// What can fail. The numbers of calls are counted for the armed kind alone.
typedef enum {
  FAULT_READ,
  FAULT_WRITE,
  FAULT_SYNC,
  FAULT_TRUNCATE,
  FAULT_OPEN,
  FAULT_DELETE,
  FAULT_ACCESS,
  FAULT_SIZE,
  FAULT_LOCK,
  FAULT_SHM_MAP,
  FAULT_SHM_LOCK,
  FAULT_MEMORY,
  /// Whatever changes what is on the disk: write, sync, truncate, delete.
  FAULT_CHANGE,
} fault_kind;

/// What power loss leaves of the writes that were not synced.
typedef enum {
  /// None of them.
  LOSS_ALL,
  /// The first of them, the last of those torn.
  LOSS_TAIL,
  /// Any of them, in any of their 512-byte sectors.
  LOSS_ANY,
} fault_loss;

// Result codes that are macros Swift can't import.
static const int FAULT_IOERR_READ = SQLITE_IOERR_READ;
static const int FAULT_IOERR_WRITE = SQLITE_IOERR_WRITE;
static const int FAULT_IOERR_FSYNC = SQLITE_IOERR_FSYNC;
static const int FAULT_IOERR_TRUNCATE = SQLITE_IOERR_TRUNCATE;
static const int FAULT_IOERR_DELETE = SQLITE_IOERR_DELETE;
static const int FAULT_IOERR_ACCESS = SQLITE_IOERR_ACCESS;
static const int FAULT_IOERR_FSTAT = SQLITE_IOERR_FSTAT;
static const int FAULT_IOERR_LOCK = SQLITE_IOERR_LOCK;
static const int FAULT_IOERR_SHMMAP = SQLITE_IOERR_SHMMAP;
static const int FAULT_IOERR_SHMLOCK = SQLITE_IOERR_SHMLOCK;
static const int FAULT_IOERR_NOMEM = SQLITE_IOERR_NOMEM;

/// Makes the shim the default VFS, counts SQLite's allocations, and has the standard output written
/// line by line, for it may end at any moment. An SQLite result code.
int fault_install(void);

/// From now on, the nth call of a kind fails with a result code, and all later ones if it stays.
void fault_arm(fault_kind kind, int nth, int code, int stays);

/// Has the nth call that changes the disk be the moment at which power is lost: every later call
/// fails, or the process ends at once when `exits` says so.
void fault_arm_power(int nth, int exits, fault_loss loss, unsigned long long seed);

/// Ends all faults. Whether the armed one happened.
int fault_disarm(void);

/// The calls of the armed kind so far.
int fault_count(void);

/// After power was lost and all files were closed: takes back the writes that were not synced.
void fault_apply_loss(void);

/// Whether syncs are pretended: a control, with which power loss must lose what was saved.
void fault_pretend_syncs(int pretends);
