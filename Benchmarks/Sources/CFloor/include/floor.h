#pragma once
#include <stdint.h>

// What a store does, in plain C with the same SQL: the floor that ours is measured against.
// Every function returns -1 and prints SQLite's words when a statement fails.

typedef struct floor_store floor_store;

floor_store *floor_open(const char *path, int is_full_sync);
void floor_close(floor_store *store);

/// Saves one text value as an edit of its own. The draft's new revision.
int64_t floor_autosave(
    floor_store *store, const char *draft, const char *field, const char *value, int64_t now);

/// Reads a draft with all its values into typed values in memory. Their count.
int64_t floor_resume(floor_store *store, const char *draft);

/// Adds drafts of `fields` values each in one transaction: every fourth is a decimal, the others text.
int64_t floor_bulk(
    floor_store *store, const char *form, int64_t first, int64_t drafts, int fields, int64_t now);

/// Finds drafts whose value at a key equals a text, or is a number below a sort key. The hits.
int64_t floor_equals(floor_store *store, const char *key, const char *value, int limit);
int64_t floor_less(
    floor_store *store, const char *key, const uint8_t *sort_key, int length, int limit);

/// Compares a draft's values with its last submission's. The number of differences.
int64_t floor_changes(floor_store *store, const char *draft);

/// Sends a body by PATCH as often as asked, each time on a new connection, by libcurl's easy interface.
/// The number of 200 answers.
int64_t floor_upload(const char *url, const char *etag, const char *body, int count);
