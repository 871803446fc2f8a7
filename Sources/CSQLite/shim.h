#pragma once
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conduct.h"
#include "place.h"
#include "workfolder.h"

// Macros of SQLite and variadic calls of the C library and of SQLite, which Swift cannot import,
// and the few file operations that a store needs before SQLite opens its file.
//
// None of these may open and close a file that SQLite has open: POSIX drops all locks that a
// process holds on a file when the process closes any descriptor of it.

static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Creates an empty file that only its owner may read. 0, or an errno; a file that is there is kept.
static inline int csqlite_create_private_file(const char *path) {
  int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno;
  close(descriptor);
  return 0;
}

/// Whether an ordinary file is there that can be opened, for writing too where that is asked:
/// 0, or an errno. The file is not opened.
static inline int csqlite_check_file(const char *path, int for_writing) {
  struct stat status;
  if (stat(path, &status) != 0) return errno;
  if (S_ISDIR(status.st_mode)) return EISDIR;
  if (!S_ISREG(status.st_mode)) return EINVAL;
  return access(path, for_writing ? R_OK | W_OK : R_OK) == 0 ? 0 : errno;
}

/// Reads the first bytes of a database's file by SQLite's own descriptor, unlocked.
/// Their count, which is less where the file is shorter, or a negated result code of SQLite.
static inline int csqlite_read_start(sqlite3 *database, void *buffer, int size) {
  sqlite3_file *file = NULL;
  int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (result != SQLITE_OK) return -result;
  if (file == NULL || file->pMethods == NULL) return -SQLITE_CANTOPEN;
  sqlite3_int64 length = 0;
  result = file->pMethods->xFileSize(file, &length);
  if (result != SQLITE_OK) return -result;
  if (length == 0) {
    // SQLite calls a file of one byte empty, as it writes an S to new files on some file systems.
    char byte;
    return file->pMethods->xRead(file, &byte, 1, 0) == SQLITE_OK && byte != 'S' ? 1 : 0;
  }
  if (length < size) size = (int)length;
  result = file->pMethods->xRead(file, buffer, size, 0);
  return result == SQLITE_OK ? size : -result;
}

/// Has SQLite refuse text in double quotes, which it else takes for a string where no column has
/// that name, and statements that can damage the file.
static inline void csqlite_harden(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
}

/// Has SQLite read on where the schema or the file's stated size is damaged. For copies alone.
static inline void csqlite_read_damaged(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 0, (int *)NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, (int *)NULL);
  // What a damaged schema calls is not to be run.
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)NULL);
}

static inline void csqlite_enable_triggers(sqlite3 *database, int enables) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, enables, (int *)NULL);
}

/// Writes all of the bytes. 0, or an errno.
static inline int csqlite_write_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(descriptor, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes += written;
    count -= (size_t)written;
  }
  return 0;
}

/// Copies a database's file by SQLite's own descriptor into a file that its owner alone may read.
/// What can't be read is left zero and counted, in bytes. 0, or an errno.
static inline int csqlite_copy_database(sqlite3 *database, const char *to, long long *unread) {
  enum { piece = 4096 };
  sqlite3_file *file = NULL;
  sqlite3_int64 size = 0;
  *unread = 0;
  if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
      file == NULL || file->pMethods == NULL || file->pMethods->xFileSize(file, &size) != SQLITE_OK)
    return EIO;
  int descriptor = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno;
  int failure = 0;
  for (sqlite3_int64 offset = 0; offset < size && failure == 0; offset += piece) {
    char buffer[piece] = {0};
    int count = size - offset < piece ? (int)(size - offset) : piece;
    if (file->pMethods->xRead(file, buffer, count, offset) != SQLITE_OK) {
      memset(buffer, 0, sizeof buffer);
      *unread += count;
    }
    failure = csqlite_write_all(descriptor, buffer, (size_t)count);
  }
  close(descriptor);
  return failure;
}

/// Copies a file that holds no locks, such as a log, where it is there. 0, or an errno.
static inline int csqlite_copy_log(const char *from, const char *to) {
  int source = open(from, O_RDONLY | O_CLOEXEC);
  if (source < 0) return errno == ENOENT ? 0 : errno;
  int target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  int failure = target < 0 ? errno : 0;
  char buffer[1 << 16];
  ssize_t count = 0;
  while (failure == 0 && (count = read(source, buffer, sizeof buffer)) != 0) {
    if (count > 0) {
      failure = csqlite_write_all(target, buffer, (size_t)count);
    } else if (errno != EINTR) {
      break;  // What can't be read of a log is as if it had not been written.
    }
  }
  close(source);
  if (target >= 0) close(target);
  return failure;
}

/// Reads a part of a file that no database has open. The bytes that were read, or -1.
static inline ssize_t csqlite_read_part(const char *path, void *buffer, size_t count, off_t offset) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  ssize_t result = pread(descriptor, buffer, count, offset);
  close(descriptor);
  return result;
}

/// Writes over a part of a file that no database has open. 0, or an errno.
static inline int csqlite_write_part(
    const char *path, const void *bytes, size_t count, off_t offset) {
  int descriptor = open(path, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  int failure = lseek(descriptor, offset, SEEK_SET) < 0
                    ? errno : csqlite_write_all(descriptor, (const char *)bytes, count);
  close(descriptor);
  return failure;
}

/// The size of a file, or -1.
static inline long long csqlite_size(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 ? (long long)status.st_size : -1;
}

/// Has the names in a file's folder survive power loss, as far as the file system can.
static inline void csqlite_sync_folder(const char *path) {
  char *folder = csqlite_folder_of(path);
  if (folder == NULL) return;
  int descriptor = open(folder, O_RDONLY | O_CLOEXEC);
  free(folder);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

/// Gives a file its final name, over another of that name only where that is asked.
/// 0, or an errno.
static inline int csqlite_publish(const char *from, const char *to, int replaces) {
  // A link fails where the name was taken meanwhile, but not every file system has links.
  if (!replaces && link(from, to) == 0) {
    unlink(from);
  } else if (!replaces && errno == EEXIST) {
    return EEXIST;
  } else if (rename(from, to) != 0) {
    return errno;
  }
  csqlite_sync_folder(to);
  return 0;
}

/// Whether two names lead to the same file.
static inline int csqlite_is_same_file(const char *a, const char *b) {
  struct stat first, second;
  return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

/// What tells a file from all others: its device and its number there. 0, or an errno.
static inline int csqlite_identify(const char *path, unsigned long long identity[2]) {
  struct stat status;
  if (stat(path, &status) != 0) return errno;
  identity[0] = (unsigned long long)status.st_dev;
  identity[1] = (unsigned long long)status.st_ino;
  return 0;
}

/// Whether a database's file was moved, removed or replaced since it was opened.
static inline int csqlite_has_moved(sqlite3 *database) {
  int moved = 0;
  int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return result == SQLITE_OK && moved;
}

/// Removes a file. 0, or an errno.
static inline int csqlite_remove(const char *path) { return unlink(path) == 0 ? 0 : errno; }

/// Whether something of this name is there, be it a symbolic link that leads nowhere.
static inline int csqlite_exists(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 || errno != ENOENT;
}

/// Whether something of this name is there that is no ordinary file: a folder, a device, a link.
static inline int csqlite_is_special(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/// Words for an errno.
static inline const char *csqlite_error_text(int code) { return strerror(code); }
