#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault.h"

// The writes that were not synced, and what power loss makes of them.

enum { SECTOR = 512 };

/// A write, or a truncation where there is no data.
typedef struct entry {
  sqlite3_int64 offset, size_before;
  int count, count_before;
  unsigned char *data, *before;
  struct entry *previous, *next;
} entry;

struct fault_log {
  char *path;
  entry *first, *last;
  struct fault_log *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static fault_log *logs;

static void clear(fault_log *log) {
  for (entry *e = log->first; e != NULL;) {
    entry *next = e->next;
    free(e->data);
    free(e->before);
    free(e);
    e = next;
  }
  log->first = log->last = NULL;
}

fault_log *fault_log_of(const char *path) {
  if (path == NULL) return NULL;
  pthread_mutex_lock(&lock);
  fault_log *log = logs;
  while (log != NULL && strcmp(log->path, path) != 0) log = log->next;
  if (log == NULL) {
    log = calloc(1, sizeof *log);
    log->path = strdup(path);
    log->next = logs;
    logs = log;
  }
  pthread_mutex_unlock(&lock);
  return log;
}

void fault_log_write(fault_log *log, sqlite3_file *file, const void *data, int count,
                     sqlite3_int64 offset) {
  entry *e = calloc(1, sizeof *e);
  e->offset = offset;
  file->pMethods->xFileSize(file, &e->size_before);
  // A truncation loses what stands behind its end; a write, what it writes over.
  sqlite3_int64 lost = e->size_before - offset;
  if (data != NULL && lost > count) lost = count;
  if (lost > 0) {
    e->count_before = (int)lost;
    e->before = malloc((size_t)lost);
    file->pMethods->xRead(file, e->before, (int)lost, offset);
  }
  if (data != NULL) {
    e->count = count;
    e->data = malloc((size_t)count);
    memcpy(e->data, data, (size_t)count);
  }
  pthread_mutex_lock(&lock);
  e->previous = log->last;
  if (log->last != NULL) log->last->next = e; else log->first = e;
  log->last = e;
  pthread_mutex_unlock(&lock);
}

void fault_log_synced(fault_log *log) {
  pthread_mutex_lock(&lock);
  clear(log);
  pthread_mutex_unlock(&lock);
}

void fault_log_clear_all(void) {
  pthread_mutex_lock(&lock);
  for (fault_log *log = logs; log != NULL; log = log->next) clear(log);
  pthread_mutex_unlock(&lock);
}

static unsigned long long next_random(unsigned long long *state) {
  unsigned long long word = *state += 0x9E3779B97F4A7C15ull;
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9ull;
  word = (word ^ word >> 27) * 0x94D049BB133111EBull;
  return word ^ word >> 31;
}

static void write_whole(int file, const unsigned char *data, int count, sqlite3_int64 offset) {
  while (count > 0) {
    ssize_t done = pwrite(file, data, (size_t)count, (off_t)offset);
    if (done <= 0) abort();
    data += done;
    offset += done;
    count -= (int)done;
  }
}

static void set_size(int file, sqlite3_int64 size) {
  if (ftruncate(file, (off_t)size) != 0) abort();
}

static void redo(int file, const entry *e, fault_loss loss, int is_last,
                 unsigned long long *state) {
  if (e->data == NULL) {
    if (loss != LOSS_ANY || next_random(state) % 2) set_size(file, e->offset);
    return;
  }
  int count = e->count;
  if (loss == LOSS_TAIL && is_last) {
    count = (int)(next_random(state) % (unsigned)(count / SECTOR + 1)) * SECTOR;
  }
  for (int start = 0; start < count; start += SECTOR) {
    if (loss == LOSS_ANY && next_random(state) % 2) continue;
    int length = count - start < SECTOR ? count - start : SECTOR;
    write_whole(file, e->data + start, length, e->offset + start);
  }
}

void fault_log_lose(fault_loss loss, unsigned long long seed) {
  unsigned long long state = seed;
  pthread_mutex_lock(&lock);
  for (fault_log *log = logs; log != NULL; log = log->next) {
    int file = log->first == NULL ? -1 : open(log->path, O_RDWR | O_CLOEXEC);
    if (file < 0) continue;
    int total = 0;
    for (entry *e = log->last; e != NULL; e = e->previous) {
      write_whole(file, e->before, e->count_before, e->offset);
      set_size(file, e->size_before);
      total++;
    }
    int kept = loss == LOSS_ALL    ? 0
               : loss == LOSS_TAIL ? (int)(next_random(&state) % (unsigned)(total + 1))
                                   : total;
    int index = 0;
    for (entry *e = log->first; e != NULL && index < kept; e = e->next, index++) {
      redo(file, e, loss, index == kept - 1, &state);
    }
    close(file);
    clear(log);
  }
  pthread_mutex_unlock(&lock);
}
