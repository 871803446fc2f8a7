#pragma once
#include <pthread.h>

#include "faultvfs.h"

// Shared by the shim's files.

/// A file's writes since its last sync.
typedef struct fault_log fault_log;

/// The result of a call of a kind: SQLITE_OK when it is to go on.
int fault_check(fault_kind kind);

/// Whether writes are remembered, and since when syncs are pretended.
int fault_tracks(void);
int fault_pretends(void);

/// The log of a file by its full name; NULL for a file without name.
fault_log *fault_log_of(const char *path);
/// Remembers a write, or with NULL data a truncation, before it is done.
void fault_log_write(fault_log *log, sqlite3_file *file, const void *data, int count,
                     sqlite3_int64 offset);
void fault_log_synced(fault_log *log);
void fault_log_clear_all(void);
void fault_log_lose(fault_loss loss, unsigned long long seed);

int fault_install_memory(void);
