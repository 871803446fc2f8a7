#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fault.h"

// The shim itself: each call is counted, then handed on.

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  int is_armed, kind, nth, code, stays, count, fired;
  int tracks, is_dead, exits, pretends;
  fault_loss loss;
  unsigned long long seed;
} plan;

int fault_check(fault_kind kind) {
  int result = SQLITE_OK;
  int ends = 0;
  pthread_mutex_lock(&lock);
  if (plan.is_dead && kind != FAULT_MEMORY) {
    result = SQLITE_IOERR;
  } else if (plan.is_armed) {
    int changes = kind == FAULT_WRITE || kind == FAULT_SYNC || kind == FAULT_TRUNCATE ||
                  kind == FAULT_DELETE;
    if (plan.kind == (int)kind || (plan.kind == FAULT_CHANGE && changes)) {
      plan.count++;
      if (plan.count == plan.nth || (plan.stays && plan.count > plan.nth)) {
        plan.fired = 1;
        result = plan.code;
        if (plan.tracks) plan.is_dead = 1;
        ends = plan.exits;
      }
    }
  }
  pthread_mutex_unlock(&lock);
  if (ends) {
    fault_log_lose(plan.loss, plan.seed);
    raise(SIGKILL);
  }
  return result;
}

int fault_tracks(void) { return plan.tracks; }
int fault_pretends(void) { return plan.pretends; }
void fault_pretend_syncs(int pretends) { plan.pretends = pretends; }

void fault_arm(fault_kind kind, int nth, int code, int stays) {
  pthread_mutex_lock(&lock);
  plan.kind = kind;
  plan.nth = nth;
  plan.code = code;
  plan.stays = stays;
  plan.count = plan.fired = plan.tracks = plan.is_dead = plan.exits = 0;
  plan.is_armed = 1;
  pthread_mutex_unlock(&lock);
}

void fault_arm_power(int nth, int exits, fault_loss loss, unsigned long long seed) {
  fault_log_clear_all();
  fault_arm(FAULT_CHANGE, nth, SQLITE_IOERR, 1);
  plan.loss = loss;
  plan.seed = seed;
  plan.exits = exits;
  plan.tracks = 1;
}

int fault_disarm(void) {
  pthread_mutex_lock(&lock);
  int fired = plan.fired;
  plan.is_armed = plan.is_dead = plan.tracks = 0;
  pthread_mutex_unlock(&lock);
  return fired;
}

int fault_count(void) { return plan.count; }

void fault_apply_loss(void) { fault_log_lose(plan.loss, plan.seed); }

// MARK: Files

typedef struct {
  sqlite3_file base;
  fault_log *log;
  sqlite3_file inner;
} shim_file;

static sqlite3_vfs *system_vfs;

static sqlite3_file *inner(sqlite3_file *file) { return &((shim_file *)file)->inner; }
static fault_log *log_of(sqlite3_file *file) { return ((shim_file *)file)->log; }

static int file_close(sqlite3_file *file) { return inner(file)->pMethods->xClose(inner(file)); }

static int file_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  int result = fault_check(FAULT_READ);
  if (result != SQLITE_OK) return result;
  return inner(file)->pMethods->xRead(inner(file), buffer, count, offset);
}

static int file_write(sqlite3_file *file, const void *data, int count, sqlite3_int64 offset) {
  sqlite3_file *f = inner(file);
  int result = fault_check(FAULT_WRITE);
  if (result != SQLITE_OK) {
    // A disk that gets full has taken a part.
    if (!fault_tracks()) f->pMethods->xWrite(f, data, count / 2, offset);
    return result;
  }
  if (fault_tracks() && log_of(file) != NULL) fault_log_write(log_of(file), f, data, count, offset);
  return f->pMethods->xWrite(f, data, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int result = fault_check(FAULT_TRUNCATE);
  if (result != SQLITE_OK) return result;
  if (fault_tracks() && log_of(file) != NULL) {
    fault_log_write(log_of(file), inner(file), NULL, 0, size);
  }
  return inner(file)->pMethods->xTruncate(inner(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  int result = fault_check(FAULT_SYNC);
  if (result != SQLITE_OK) return result;
  result = inner(file)->pMethods->xSync(inner(file), flags);
  if (result == SQLITE_OK && log_of(file) != NULL && !fault_pretends()) {
    fault_log_synced(log_of(file));
  }
  return result;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  int result = fault_check(FAULT_SIZE);
  return result != SQLITE_OK ? result : inner(file)->pMethods->xFileSize(inner(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
  int result = fault_check(FAULT_LOCK);
  return result != SQLITE_OK ? result : inner(file)->pMethods->xLock(inner(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
  return inner(file)->pMethods->xUnlock(inner(file), level);
}

static int file_check_reserved(sqlite3_file *file, int *is_reserved) {
  int result = fault_check(FAULT_LOCK);
  if (result != SQLITE_OK) return result;
  return inner(file)->pMethods->xCheckReservedLock(inner(file), is_reserved);
}

static int file_control(sqlite3_file *file, int what, void *argument) {
  return inner(file)->pMethods->xFileControl(inner(file), what, argument);
}

static int file_sector_size(sqlite3_file *file) {
  return inner(file)->pMethods->xSectorSize(inner(file));
}

static int file_characteristics(sqlite3_file *file) {
  return inner(file)->pMethods->xDeviceCharacteristics(inner(file));
}

static int file_shm_map(sqlite3_file *file, int region, int size, int extends,
                        void volatile **memory) {
  int result = fault_check(FAULT_SHM_MAP);
  if (result != SQLITE_OK) {
    *memory = NULL;
    return result;
  }
  return inner(file)->pMethods->xShmMap(inner(file), region, size, extends, memory);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  int result = flags & SQLITE_SHM_LOCK ? fault_check(FAULT_SHM_LOCK) : SQLITE_OK;
  if (result != SQLITE_OK) return result;
  return inner(file)->pMethods->xShmLock(inner(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) {
  inner(file)->pMethods->xShmBarrier(inner(file));
}

static int file_shm_unmap(sqlite3_file *file, int deletes) {
  return inner(file)->pMethods->xShmUnmap(inner(file), deletes);
}

// Version 2: no memory-mapped reading, which could not be made to fail.
static const sqlite3_io_methods methods = {
    2,           file_close,    file_read,           file_write,       file_truncate,
    file_sync,   file_size,     file_lock,           file_unlock,      file_check_reserved,
    file_control, file_sector_size, file_characteristics, file_shm_map, file_shm_lock,
    file_shm_barrier, file_shm_unmap, NULL,          NULL,
};

// MARK: The file system

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags,
                    int *flags_out) {
  (void)vfs;
  file->pMethods = NULL;
  int result = fault_check(FAULT_OPEN);
  if (result != SQLITE_OK) return result;
  ((shim_file *)file)->log = fault_log_of(path);
  result = system_vfs->xOpen(system_vfs, path, inner(file), flags, flags_out);
  // A file without methods is not closed.
  if (inner(file)->pMethods != NULL) file->pMethods = &methods;
  return result;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
  (void)vfs;
  int result = fault_check(FAULT_DELETE);
  if (result != SQLITE_OK) return result;
  fault_log *log = fault_log_of(path);
  if (log != NULL) fault_log_synced(log);
  return system_vfs->xDelete(system_vfs, path, syncs_folder);
}

static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *answer) {
  (void)vfs;
  int result = fault_check(FAULT_ACCESS);
  return result != SQLITE_OK ? result : system_vfs->xAccess(system_vfs, path, flags, answer);
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *path, int size, char *full) {
  (void)vfs;
  return system_vfs->xFullPathname(system_vfs, path, size, full);
}

/// Waiting for a lock that a fault holds is of no use.
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return plan.is_armed ? microseconds : system_vfs->xSleep(system_vfs, microseconds);
}

int fault_install(void) {
  static sqlite3_vfs shim;
  setvbuf(stdout, NULL, _IOLBF, 0);
  int result = fault_install_memory();
  if (result != SQLITE_OK) return result;
  system_vfs = sqlite3_vfs_find(NULL);
  if (system_vfs == NULL) return SQLITE_ERROR;
  // What is not replaced (time, randomness, libraries) does not look at the VFS it is given.
  shim = *system_vfs;
  shim.zName = "fault";
  shim.pNext = NULL;
  shim.szOsFile = (int)sizeof(shim_file) - (int)sizeof(sqlite3_file) + system_vfs->szOsFile;
  shim.xOpen = vfs_open;
  shim.xDelete = vfs_delete;
  shim.xAccess = vfs_access;
  shim.xFullPathname = vfs_full_path;
  shim.xSleep = vfs_sleep;
  return sqlite3_vfs_register(&shim, 1);
}
