#pragma once
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// Folders for files that are not whole yet. The process that works in one holds a lock on the
// folder itself, which ends with the process however it ends; so what is not locked was abandoned.

/// The words between a file's name and the random part of its work folder's name.
#define CSQLITE_WORK_MARK ".partial-"
/// The number of hexadecimal digits of the random part.
enum { csqlite_work_digits = 16 };

/// Whether a descriptor and a name lead to the same file.
static inline int csqlite_is_at(int descriptor, const char *path) {
  struct stat held, named;
  return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/// Makes a folder that its owner alone may use, and locks it. 0, or an errno; EAGAIN where another
/// process took it for abandoned before the lock was there.
static inline int csqlite_make_work_folder(const char *path, int *descriptor) {
  if (mkdir(path, 0700) != 0) return errno == EEXIST ? EAGAIN : errno;
  *descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (*descriptor < 0) {
    if (errno == ENOENT) return EAGAIN;
    int failure = errno;
    rmdir(path);
    return failure;
  }
  // Where a file system has no locks, nobody can take the folder for abandoned either.
  int is_taken = flock(*descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!is_taken && csqlite_is_at(*descriptor, path)) return 0;
  close(*descriptor);
  *descriptor = -1;
  return EAGAIN;
}

/// Removes a folder and the files in it.
static inline void csqlite_remove_work_folder(const char *path) {
  DIR *folder = opendir(path);
  if (folder == NULL) return;
  struct dirent *entry;
  while ((entry = readdir(folder)) != NULL) {
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      unlinkat(dirfd(folder), entry->d_name, 0);
  }
  closedir(folder);
  rmdir(path);
}

/// Removes a work folder of this user's in which nobody works.
static inline void csqlite_remove_if_abandoned(const char *path) {
  int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status;
  if (fstat(descriptor, &status) == 0 && status.st_uid == geteuid() &&
      (status.st_mode & 077) == 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
      csqlite_is_at(descriptor, path)) {
    csqlite_remove_work_folder(path);
  }
  close(descriptor);
}

/// Whether what follows a file's name makes it the name of a work folder.
static inline int csqlite_is_work_suffix(const char *suffix) {
  size_t mark = strlen(CSQLITE_WORK_MARK);
  if (strncmp(suffix, CSQLITE_WORK_MARK, mark) != 0) return 0;
  return strlen(suffix + mark) == csqlite_work_digits &&
         strspn(suffix + mark, "0123456789abcdef") == csqlite_work_digits;
}

/// Removes the work folders of a file that were left by processes that ended in the middle.
static inline void csqlite_remove_abandoned(const char *file) {
  const char *slash = strrchr(file, '/');
  const char *name = slash == NULL ? file : slash + 1;
  size_t folder_length = (size_t)(name - file);
  size_t name_length = strlen(name);
  char *folder = folder_length == 0 ? strdup(".") : strndup(file, folder_length);
  if (folder == NULL) return;
  DIR *entries = opendir(folder);
  free(folder);
  if (entries == NULL) return;
  struct dirent *entry;
  while ((entry = readdir(entries)) != NULL) {
    if (strncmp(entry->d_name, name, name_length) != 0 ||
        !csqlite_is_work_suffix(entry->d_name + name_length))
      continue;
    size_t size = folder_length + strlen(entry->d_name) + 1;
    char *path = (char *)malloc(size);
    if (path == NULL) break;
    snprintf(path, size, "%.*s%s", (int)folder_length, file, entry->d_name);
    csqlite_remove_if_abandoned(path);
    free(path);
  }
  closedir(entries);
}
