#pragma once
#include <sqlite3.h>
#include <stdlib.h>
#include <time.h>

// How a connection behaves towards others: how it waits for their locks, and what it does about a
// log that their reading keeps from beginning anew.

/// The pages in the log at which it is moved into the file after a commit, as SQLite does by itself.
enum { csqlite_checkpoint_pages = 1000 };
/// The pages beyond which the writer waits for readers to let the log begin anew, and how long.
enum { csqlite_restart_pages = 2000, csqlite_restart_milliseconds = 20 };

struct csqlite_conduct {
  /// How long a lock is waited for, and since when this one is, in nanoseconds.
  long long patience, began;
  /// The size of the log at which it is to begin anew.
  int restart_pages;
};

static inline long long csqlite_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/// Waits for a moment. SQLite's own way waits longer each time, up to a tenth of a second, so that
/// others who come back at once take the lock again and again; this one asks every other millisecond
/// until its time is over.
static inline int csqlite_wait_for_lock(void *context, int count) {
  struct csqlite_conduct *conduct = (struct csqlite_conduct *)context;
  long long now = csqlite_now();
  if (count == 0) conduct->began = now;
  long long left = conduct->patience - (now - conduct->began);
  if (left <= 0) return 0;
  // Not all at the same time, in step with the one that writes.
  long long pause = count < 3 ? 100000LL << count : 500000 + (now / 64) % 1000000;
  struct timespec wait = {0, (long)(pause < left ? pause : left)};
  nanosleep(&wait, NULL);
  return 1;
}

/// Moves a large log into the file after a commit. Where readers overlap, none of whom ends before
/// another begins, the log would never begin anew; beyond some size they are waited for.
static inline int csqlite_after_commit(
    void *context, sqlite3 *database, const char *name, int pages) {
  struct csqlite_conduct *conduct = (struct csqlite_conduct *)context;
  if (pages < csqlite_checkpoint_pages) {
    conduct->restart_pages = csqlite_restart_pages;
    return SQLITE_OK;
  }
  // What fails here is tried again after the next commit; this one is done.
  sqlite3_wal_checkpoint_v2(database, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  if (pages < conduct->restart_pages) return SQLITE_OK;
  long long patience = conduct->patience;
  if (patience > csqlite_restart_milliseconds * 1000000LL)
    conduct->patience = csqlite_restart_milliseconds * 1000000LL;
  sqlite3_wal_checkpoint_v2(database, name, SQLITE_CHECKPOINT_RESTART, NULL, NULL);
  conduct->patience = patience;
  // A long read is not waited for at each commit.
  conduct->restart_pages = pages + csqlite_restart_pages;
  return SQLITE_OK;
}

/// Has a connection wait for locks; to be freed after it was closed. NULL without memory.
static inline struct csqlite_conduct *csqlite_wait_for_locks(sqlite3 *database, int milliseconds) {
  struct csqlite_conduct *conduct = (struct csqlite_conduct *)calloc(1, sizeof *conduct);
  if (conduct == NULL) return NULL;
  conduct->patience = milliseconds * 1000000LL;
  conduct->restart_pages = csqlite_restart_pages;
  sqlite3_busy_handler(database, csqlite_wait_for_lock, conduct);
  return conduct;
}

/// Has a connection that writes keep its log small.
static inline void csqlite_bound_log(sqlite3 *database, struct csqlite_conduct *conduct) {
  sqlite3_wal_hook(database, csqlite_after_commit, conduct);
}
