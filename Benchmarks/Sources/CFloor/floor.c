#include "floor.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEGIN_WRITE, BEGIN_READ, COMMIT, BUMP, UPSERT, HEAD, VALUES, INSERT_DRAFT, FIND, LESS, LAST,
       ENTRIES, STATEMENT_COUNT };

struct floor_store {
  sqlite3 *database;
  sqlite3_stmt *statements[STATEMENT_COUNT];
};

static const char *const sql[STATEMENT_COUNT] = {
    [BEGIN_WRITE] = "BEGIN IMMEDIATE",
    [BEGIN_READ] = "BEGIN",
    [COMMIT] = "COMMIT",
    [BUMP] = "UPDATE draft SET revision = revision + 1, updated_at = max(updated_at, ?2), "
             "status = 'editing', focus = ifnull(?3, focus), title = ifnull(?4, title) "
             "WHERE id = ?1 AND status <> 'discarded' RETURNING number, revision, form, version",
    [UPSERT] =
        "INSERT INTO draft_value (draft, field, is_local, type, value, sort_key, revision) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET "
        "is_local = excluded.is_local, type = excluded.type, value = excluded.value, "
        "sort_key = excluded.sort_key, revision = excluded.revision "
        "WHERE type IS NOT excluded.type OR value IS NOT excluded.value OR ?8",
    [HEAD] = "SELECT number, form, version, status, title, subject, revision, focus, created_at, "
             "updated_at FROM draft WHERE id = ?",
    [VALUES] = "SELECT field, type, value, revision FROM draft_value WHERE draft = ? ORDER BY field",
    [INSERT_DRAFT] =
        "INSERT INTO draft (id, form, version, title, subject, revision, created_at, updated_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [FIND] = "SELECT v.draft, v.search_key, v.type, v.value, d.id, d.form, d.updated_at, NULL "
             "FROM draft_value v CROSS JOIN draft d ON d.number = v.draft WHERE v.field = ? AND NOT v.is_local "
             "AND v.search_key = ? AND d.status <> 'discarded' "
             "ORDER BY v.search_key, v.draft LIMIT ?",
    [LESS] = "SELECT v.draft, v.search_key, v.type, v.value, d.id, d.form, d.updated_at, NULL "
             "FROM draft_value v CROSS JOIN draft d ON d.number = v.draft WHERE v.field = ? AND NOT v.is_local "
             "AND v.search_key < ? AND v.search_key >= x'7e' AND d.status <> 'discarded' "
             "ORDER BY v.search_key, v.draft LIMIT ?",
    [LAST] = "SELECT s.number, s.ordinal, s.form, s.version, s.draft_revision, s.filtered, "
             "s.digest, s.created_at FROM submission s JOIN draft d ON d.number = s.draft "
             "WHERE d.id = ?1 ORDER BY s.ordinal DESC LIMIT 1",
    [ENTRIES] = "SELECT service_key, type, value FROM submission_value WHERE submission = ? "
                "ORDER BY position",
};

static int64_t failed(floor_store *store) {
  fprintf(stderr, "floor: %s\n", sqlite3_errmsg(store->database));
  return -1;
}

static sqlite3_stmt *statement(floor_store *store, int index) {
  if (!store->statements[index] &&
      sqlite3_prepare_v3(store->database, sql[index], -1, SQLITE_PREPARE_PERSISTENT,
                         &store->statements[index], NULL) != SQLITE_OK) {
    failed(store);
    abort();
  }
  return store->statements[index];
}

static int run(floor_store *store, int index) {
  sqlite3_stmt *s = statement(store, index);
  int result = sqlite3_step(s);
  sqlite3_reset(s);
  return result == SQLITE_DONE || result == SQLITE_ROW;
}

static void bind_text(sqlite3_stmt *s, int index, const char *text) {
  sqlite3_bind_text(s, index, text, -1, SQLITE_TRANSIENT);
}

floor_store *floor_open(const char *path, int is_full_sync) {
  floor_store *store = calloc(1, sizeof *store);
  if (sqlite3_open_v2(path, &store->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
      SQLITE_OK) {
    failed(store);
    free(store);
    return NULL;
  }
  sqlite3_busy_timeout(store->database, 5000);
  sqlite3_exec(store->database,
               "PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA secure_delete = FAST; "
               "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;",
               NULL, NULL, NULL);
  sqlite3_exec(store->database,
               is_full_sync ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", NULL,
               NULL, NULL);
  return store;
}

void floor_close(floor_store *store) {
  for (int i = 0; i < STATEMENT_COUNT; i++) sqlite3_finalize(store->statements[i]);
  sqlite3_close(store->database);
  free(store);
}

static int upsert(floor_store *store, int64_t draft, const char *field, const char *type,
                  const char *value, const void *sort_key, int length, int64_t revision) {
  sqlite3_stmt *s = statement(store, UPSERT);
  sqlite3_bind_int64(s, 1, draft);
  bind_text(s, 2, field);
  sqlite3_bind_int(s, 3, 0);
  bind_text(s, 4, type);
  bind_text(s, 5, value);
  if (sort_key) sqlite3_bind_blob(s, 6, sort_key, length, SQLITE_TRANSIENT);
  else sqlite3_bind_null(s, 6);
  sqlite3_bind_int64(s, 7, revision);
  sqlite3_bind_int(s, 8, 0);
  return run(store, UPSERT);
}

int64_t floor_autosave(floor_store *store, const char *draft, const char *field, const char *value,
                       int64_t now) {
  if (!run(store, BEGIN_WRITE)) return failed(store);
  sqlite3_stmt *bump = statement(store, BUMP);
  bind_text(bump, 1, draft);
  sqlite3_bind_int64(bump, 2, now);
  sqlite3_bind_null(bump, 3);
  sqlite3_bind_null(bump, 4);
  if (sqlite3_step(bump) != SQLITE_ROW) return failed(store);
  int64_t number = sqlite3_column_int64(bump, 0);
  int64_t revision = sqlite3_column_int64(bump, 1);
  sqlite3_reset(bump);
  if (!upsert(store, number, field, "string", value, NULL, 0, revision)) return failed(store);
  if (!run(store, COMMIT)) return failed(store);
  return revision;
}

/// A value as a C program would hold it.
typedef struct {
  char *key;
  char *text;
  int64_t integer;
  int64_t revision;
  int type;
} typed_value;

static typed_value read_value(sqlite3_stmt *s, int key, int type, int value) {
  typed_value result = {0};
  result.key = strdup((const char *)sqlite3_column_text(s, key));
  const char *name = (const char *)sqlite3_column_text(s, type);
  result.type = name[0] << 8 | name[1];
  const char *text = (const char *)sqlite3_column_text(s, value);
  int length = sqlite3_column_bytes(s, value);
  if (strcmp(name, "integer") == 0) result.integer = strtoll(text, NULL, 10);
  else if (text) result.text = memcpy(malloc((size_t)length + 1), text, (size_t)length + 1);
  return result;
}

static void free_values(typed_value *values, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    free(values[i].key);
    free(values[i].text);
  }
  free(values);
}

static typed_value *read_values(sqlite3_stmt *s, int key, int type, int value, int64_t *count) {
  int64_t capacity = 64;
  typed_value *values = malloc((size_t)capacity * sizeof *values);
  *count = 0;
  while (sqlite3_step(s) == SQLITE_ROW) {
    if (*count == capacity) {
      capacity *= 2;
      values = realloc(values, (size_t)capacity * sizeof *values);
    }
    values[(*count)++] = read_value(s, key, type, value);
  }
  sqlite3_reset(s);
  return values;
}

static typed_value *read_draft(floor_store *store, const char *draft, int64_t *count) {
  sqlite3_stmt *head = statement(store, HEAD);
  bind_text(head, 1, draft);
  *count = 0;
  if (sqlite3_step(head) != SQLITE_ROW) return NULL;
  int64_t number = sqlite3_column_int64(head, 0);
  char *form = strdup((const char *)sqlite3_column_text(head, 1));
  sqlite3_reset(head);
  free(form);
  sqlite3_stmt *rows = statement(store, VALUES);
  sqlite3_bind_int64(rows, 1, number);
  return read_values(rows, 0, 1, 2, count);
}

int64_t floor_resume(floor_store *store, const char *draft) {
  if (!run(store, BEGIN_READ)) return failed(store);
  int64_t count;
  typed_value *values = read_draft(store, draft, &count);
  if (!values) return failed(store);
  free_values(values, count);
  run(store, COMMIT);
  return count;
}

int64_t floor_bulk(floor_store *store, const char *form, int64_t first, int64_t drafts, int fields,
                   int64_t now) {
  if (!run(store, BEGIN_WRITE)) return failed(store);
  for (int64_t index = first; index < first + drafts; index++) {
    char id[37], field[16], text[32];
    snprintf(id, sizeof id, "%08llx-0000-4000-8000-%012llx",
             (unsigned long long)(index * 2654435761u % 4294967296u), (unsigned long long)index);
    sqlite3_stmt *insert = statement(store, INSERT_DRAFT);
    bind_text(insert, 1, id);
    bind_text(insert, 2, form);
    sqlite3_bind_int(insert, 3, 1);
    bind_text(insert, 4, "");
    sqlite3_bind_null(insert, 5);
    sqlite3_bind_int(insert, 6, 1);
    sqlite3_bind_int64(insert, 7, now);
    sqlite3_bind_int64(insert, 8, now);
    if (!run(store, INSERT_DRAFT)) return failed(store);
    int64_t number = sqlite3_last_insert_rowid(store->database);
    for (int i = 0; i < fields; i++) {
      snprintf(field, sizeof field, "field%d", i);
      int isNumber = i % 4 == 3;
      if (isNumber) {
        // The bytes that order a number of up to eight digits, as the store's sort keys do.
        unsigned char key[8] = {0x81, 0x80, 0};
        long long value = (index * 7919 + i) % 100000000;
        snprintf(text, sizeof text, "%lld", value);
        int digits = (int)strlen(text), length = 3;
        key[2] = (unsigned char)digits;
        int kept = digits;
        while (kept > 1 && text[kept - 1] == '0') kept--;
        for (int d = 0; d < kept; d += 2)
          key[length++] = (unsigned char)((text[d] - '0') * 10 +
                                          (d + 1 < kept ? text[d + 1] - '0' : 0) + 1);
        key[length++] = 0;
        if (!upsert(store, number, field, "decimal", text, key, length, 1)) return failed(store);
      } else {
        snprintf(text, sizeof text, "value %lld of %d", (long long)index, i);
        if (!upsert(store, number, field, "string", text, NULL, 0, 1)) return failed(store);
      }
    }
  }
  return run(store, COMMIT) ? drafts : failed(store);
}

static int64_t read_hits(floor_store *store, sqlite3_stmt *rows) {
  int64_t hits = 0;
  while (sqlite3_step(rows) == SQLITE_ROW) {
    typed_value value = read_value(rows, 4, 2, 3);
    char *form = strdup((const char *)sqlite3_column_text(rows, 5));
    hits += value.key != NULL && form != NULL;
    free(form);
    free(value.key);
    free(value.text);
  }
  sqlite3_reset(rows);
  run(store, COMMIT);
  return hits;
}

int64_t floor_equals(floor_store *store, const char *key, const char *value, int limit) {
  if (!run(store, BEGIN_READ)) return failed(store);
  sqlite3_stmt *rows = statement(store, FIND);
  bind_text(rows, 1, key);
  bind_text(rows, 2, value);
  sqlite3_bind_int(rows, 3, limit);
  return read_hits(store, rows);
}

int64_t floor_less(floor_store *store, const char *key, const uint8_t *sort_key, int length,
                   int limit) {
  if (!run(store, BEGIN_READ)) return failed(store);
  sqlite3_stmt *rows = statement(store, LESS);
  bind_text(rows, 1, key);
  sqlite3_bind_blob(rows, 2, sort_key, length, SQLITE_TRANSIENT);
  sqlite3_bind_int(rows, 3, limit);
  return read_hits(store, rows);
}

static int by_key(const void *a, const void *b) {
  return strcmp(((const typed_value *)a)->key, ((const typed_value *)b)->key);
}

int64_t floor_changes(floor_store *store, const char *draft) {
  if (!run(store, BEGIN_READ)) return failed(store);
  int64_t count, base_count;
  typed_value *values = read_draft(store, draft, &count);
  sqlite3_stmt *last = statement(store, LAST);
  bind_text(last, 1, draft);
  if (!values || sqlite3_step(last) != SQLITE_ROW) return failed(store);
  int64_t number = sqlite3_column_int64(last, 0);
  sqlite3_reset(last);
  sqlite3_stmt *rows = statement(store, ENTRIES);
  sqlite3_bind_int64(rows, 1, number);
  typed_value *base = read_values(rows, 0, 1, 2, &base_count);
  run(store, COMMIT);
  qsort(base, (size_t)base_count, sizeof *base, by_key);
  int64_t changes = 0, i = 0, j = 0;
  while (i < count || j < base_count) {
    int order = i == count ? 1 : j == base_count ? -1 : strcmp(values[i].key, base[j].key);
    if (order == 0) {
      typed_value a = values[i++], b = base[j++];
      changes += a.type != b.type || a.integer != b.integer ||
                 strcmp(a.text ? a.text : "", b.text ? b.text : "") != 0;
    } else {
      changes++;
      if (order < 0) i++;
      else j++;
    }
  }
  free_values(values, count);
  free_values(base, base_count);
  return changes;
}
