#pragma once
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Where a database's file stands, and who may do what there. No file is opened.

/// The name of a file's folder, to be freed, or NULL without memory.
static inline char *csqlite_folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL    ? strdup(".")
         : slash == path ? strdup("/")
                         : strndup(path, (size_t)(slash - path));
}

/// Whether a file may be read, or written to: 0, or an errno.
static inline int csqlite_may_read(const char *path) { return access(path, R_OK) == 0 ? 0 : errno; }
static inline int csqlite_may_write(const char *path) { return access(path, W_OK) == 0 ? 0 : errno; }

/// Whether files may be made beside a file: 0, or an errno.
static inline int csqlite_may_make_beside(const char *path) {
  char *folder = csqlite_folder_of(path);
  if (folder == NULL) return ENOMEM;
  int failure = access(folder, W_OK | X_OK) == 0 ? 0 : errno;
  free(folder);
  return failure;
}

/// The state of a file's folder. 0, or an errno.
static inline int csqlite_folder_status(const char *path, struct stat *status) {
  char *folder = csqlite_folder_of(path);
  if (folder == NULL) return ENOMEM;
  int failure = stat(folder, status) == 0 ? 0 : errno;
  free(folder);
  return failure;
}

/// Whether everybody may remove and replace files in a file's folder.
static inline int csqlite_is_in_open_folder(const char *path) {
  struct stat folder;
  return csqlite_folder_status(path, &folder) == 0 && (folder.st_mode & S_IWOTH) != 0 &&
         (folder.st_mode & S_ISVTX) == 0;
}

/// Whether something of this name, be it a link, may have been laid there by somebody else: it is
/// neither this user's nor the folder's owner's, and everybody may make files there. What is the
/// owner's of the file that it goes with, where there is one, is no worse than that file.
static inline int csqlite_may_be_planted(const char *path, const char *file) {
  struct stat status, folder, owner;
  if (file != NULL && lstat(path, &status) == 0 && stat(file, &owner) == 0 &&
      owner.st_uid == status.st_uid)
    return 0;
  return lstat(path, &status) == 0 && status.st_uid != geteuid() &&
         csqlite_folder_status(path, &folder) == 0 && (folder.st_mode & S_IWOTH) != 0 &&
         status.st_uid != folder.st_uid;
}

enum { csqlite_stamp_count = 7 };

/// What changes with a file's content: its size and times, and which file it is. 0, or an errno.
static inline int csqlite_stamp(const char *path, long long stamp[csqlite_stamp_count]) {
  struct stat status;
  if (stat(path, &status) != 0) return errno;
#ifdef __APPLE__
  struct timespec written = status.st_mtimespec, changed = status.st_ctimespec;
#else
  struct timespec written = status.st_mtim, changed = status.st_ctim;
#endif
  stamp[0] = (long long)status.st_dev;
  stamp[1] = (long long)status.st_ino;
  stamp[2] = (long long)status.st_size;
  stamp[3] = (long long)written.tv_sec;
  stamp[4] = written.tv_nsec;
  stamp[5] = (long long)changed.tv_sec;
  stamp[6] = changed.tv_nsec;
  return 0;
}
