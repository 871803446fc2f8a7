#pragma once
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Macros of SQLite and variadic calls of the C library, which Swift cannot import, and the few file
// operations that a store needs before SQLite opens its file.

static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Creates an empty file that only its owner may read. 0, or an errno; a file that is there is kept.
static inline int csqlite_create_private_file(const char *path) {
  int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno;
  close(descriptor);
  return 0;
}

/// Reads the first bytes of a file. Their count, or the negated errno.
static inline int csqlite_read_start(const char *path, void *buffer, int size) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return -errno;
  struct stat status;
  if (fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode)) {
    close(descriptor);
    return S_ISDIR(status.st_mode) ? -EISDIR : -EINVAL;
  }
  int count = (int)read(descriptor, buffer, (size_t)size);
  int failure = errno;
  close(descriptor);
  return count < 0 ? -failure : count;
}

/// Whether a file can be written to: 0, or an errno.
static inline int csqlite_is_writable(const char *path) {
  return access(path, W_OK) == 0 ? 0 : errno;
}

/// Renames a file, replacing another of the new name. 0, or an errno.
static inline int csqlite_rename(const char *from, const char *to) {
  return rename(from, to) == 0 ? 0 : errno;
}

/// Removes a file. 0, or an errno.
static inline int csqlite_remove(const char *path) { return unlink(path) == 0 ? 0 : errno; }

/// Words for an errno.
static inline const char *csqlite_error_text(int code) { return strerror(code); }
