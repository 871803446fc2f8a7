#pragma once
#include <sqlite3.h>

// Variadic and macro parts of SQLite's interface that Swift cannot import.
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
