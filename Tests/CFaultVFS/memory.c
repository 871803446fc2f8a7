#include "fault.h"

// SQLite's allocations, of which any can fail.

static sqlite3_mem_methods original;

static void *allocate(int size) {
  return fault_check(FAULT_MEMORY) == SQLITE_OK ? original.xMalloc(size) : NULL;
}

static void *resize(void *block, int size) {
  return fault_check(FAULT_MEMORY) == SQLITE_OK ? original.xRealloc(block, size) : NULL;
}

int fault_install_memory(void) {
  int result = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &original);
  if (result != SQLITE_OK) return result;
  sqlite3_mem_methods counted = original;
  counted.xMalloc = allocate;
  counted.xRealloc = resize;
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &counted);
}
