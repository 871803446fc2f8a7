-- The first schema. Times are UTC in milliseconds since 1970.

-- Forms and their versions. The definition is the JSON of the definition format. (Checks do without
-- SQLite's JSON functions: before 3.41 an untrusted schema may not call them.)
CREATE TABLE form (
  id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE form_version (
  form TEXT NOT NULL REFERENCES form (id),
  version INTEGER NOT NULL CHECK (version > 0),
  title TEXT NOT NULL,
  definition TEXT NOT NULL CHECK (definition GLOB '{*}'),
  fingerprint TEXT NOT NULL CHECK (length(fingerprint) = 64),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (form, version)
) STRICT;

-- Drafts. `number` is the short key that the tables below repeat; `id` is what people see.
CREATE TABLE draft (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
  form TEXT NOT NULL,
  version INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'editing' CHECK (status IN ('editing', 'submitted', 'discarded')),
  title TEXT NOT NULL DEFAULT '',
  subject TEXT CHECK (subject <> ''),
  revision INTEGER NOT NULL DEFAULT 0 CHECK (revision >= 0),
  focus TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  FOREIGN KEY (form, version) REFERENCES form_version (form, version)
) STRICT;

CREATE INDEX draft_by_form ON draft (form, status, updated_at);
CREATE INDEX draft_by_age ON draft (updated_at);
CREATE INDEX draft_by_subject ON draft (form, subject, updated_at) WHERE subject IS NOT NULL;

-- Values in progress: one row a field, so that an edit writes one small row.
-- `field` is the service key, or the label of a row that has none (`is_local`).
-- `value` keeps text and digits byte for byte: SQLite compares them as bytes. `sort_key` is what
-- numbers and instants are ordered by; `search_key` is what is searched. A tags value stands in tag_selection.
CREATE TABLE draft_value (
  draft INTEGER NOT NULL REFERENCES draft (number) ON DELETE CASCADE,
  field TEXT NOT NULL CHECK (field <> ''),
  is_local INTEGER NOT NULL DEFAULT 0 CHECK (is_local IN (0, 1)),
  type TEXT NOT NULL CHECK (type IN (
    'null', 'string', 'integer', 'decimal', 'boolean', 'date', 'time', 'dateTime',
    'option', 'optionNumber', 'tags', 'json')),
  value TEXT CHECK ((value IS NULL) = (type IN ('null', 'tags'))),
  sort_key BLOB,
  search_key ANY AS (ifnull(sort_key, value)),
  revision INTEGER NOT NULL,
  PRIMARY KEY (draft, field)
) STRICT, WITHOUT ROWID;

-- Finds any value by its service key.
CREATE INDEX draft_value_by_service_key
  ON draft_value (field, search_key, draft) WHERE NOT is_local;

-- Chosen tags: one row a tag, in the order in which they were given. The value's own row in
-- draft_value says that there is a choice, which may be of nothing.
CREATE TABLE tag_selection (
  draft INTEGER NOT NULL,
  field TEXT NOT NULL,
  tag TEXT NOT NULL,
  is_number INTEGER NOT NULL DEFAULT 0 CHECK (is_number IN (0, 1)),
  position INTEGER NOT NULL,
  PRIMARY KEY (draft, field, tag, is_number),
  FOREIGN KEY (draft, field) REFERENCES draft_value (draft, field) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX tag_selection_by_service_key ON tag_selection (field, tag, draft);

-- Submissions: a FormParam that was handed over, never changed afterwards. They count from 1 in
-- each draft (`ordinal`), each following the one before.
CREATE TABLE submission (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  draft INTEGER NOT NULL REFERENCES draft (number) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL CHECK (ordinal > 0),
  form TEXT NOT NULL,
  version INTEGER NOT NULL,
  draft_revision INTEGER NOT NULL,
  param TEXT NOT NULL CHECK (param GLOB '{*}'),
  filtered TEXT NOT NULL DEFAULT '[]' CHECK (filtered GLOB '[[]*]'),
  kept TEXT NOT NULL DEFAULT '[]' CHECK (kept GLOB '[[]*]'),
  digest TEXT NOT NULL CHECK (length(digest) = 64),
  created_at INTEGER NOT NULL,
  UNIQUE (draft, ordinal),
  FOREIGN KEY (form, version) REFERENCES form_version (form, version)
) STRICT;

CREATE INDEX submission_by_form ON submission (form, created_at);
CREATE INDEX submission_by_age ON submission (created_at);

CREATE TRIGGER submission_is_frozen BEFORE UPDATE ON submission
BEGIN
  SELECT raise(ABORT, 'a submission is never changed');
END;

-- What a submission holds, field by field: what a change set compares with and a search finds.
CREATE TABLE submission_value (
  submission INTEGER NOT NULL REFERENCES submission (number) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  service_key TEXT NOT NULL CHECK (service_key <> ''),
  type TEXT NOT NULL CHECK (type IN (
    'null', 'string', 'integer', 'decimal', 'boolean', 'date', 'time', 'dateTime',
    'option', 'optionNumber', 'tags', 'json')),
  value TEXT CHECK ((value IS NULL) = (type = 'null')),
  sort_key BLOB,
  search_key ANY AS (CASE type WHEN 'tags' THEN NULL ELSE ifnull(sort_key, value) END),
  PRIMARY KEY (submission, service_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX submission_value_by_service_key
  ON submission_value (service_key, search_key, submission);

CREATE TABLE submission_tag (
  submission INTEGER NOT NULL REFERENCES submission (number) ON DELETE CASCADE,
  service_key TEXT NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (service_key, tag, submission)
) STRICT, WITHOUT ROWID;

CREATE INDEX submission_tag_by_submission ON submission_tag (submission);

CREATE TRIGGER submission_value_is_frozen BEFORE UPDATE ON submission_value
BEGIN
  SELECT raise(ABORT, 'a submission is never changed');
END;

-- What the server is known to hold of a draft: the version (ETag) of its record, which of the
-- draft's submissions it has wholly, and the values, field by field.
CREATE TABLE server_record (
  draft INTEGER NOT NULL PRIMARY KEY REFERENCES draft (number) ON DELETE CASCADE,
  etag TEXT,
  submission INTEGER,
  acknowledged_at INTEGER NOT NULL
) STRICT;

CREATE TABLE acknowledged_value (
  draft INTEGER NOT NULL REFERENCES draft (number) ON DELETE CASCADE,
  service_key TEXT NOT NULL CHECK (service_key <> ''),
  type TEXT NOT NULL,
  value TEXT,
  PRIMARY KEY (draft, service_key)
) STRICT, WITHOUT ROWID;

-- Submissions that wait for the server. What is sent is what differs between the submission and what
-- the server is known to hold; `request` keeps the very bytes once they may have been sent, so that
-- they are sent again the same. A row is `sending` as long as it is leased.
CREATE TABLE outbox (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  draft INTEGER NOT NULL REFERENCES draft (number) ON DELETE CASCADE,
  submission INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'conflict', 'parked')),
  request TEXT,
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  next_attempt_at INTEGER NOT NULL DEFAULT 0,
  lease TEXT,
  leased_until INTEGER NOT NULL DEFAULT 0,
  ready_at INTEGER AS (max(next_attempt_at, leased_until)),
  last_error TEXT,
  created_at INTEGER NOT NULL,
  FOREIGN KEY (draft, submission) REFERENCES submission (draft, ordinal) ON DELETE CASCADE
) STRICT;

CREATE INDEX outbox_ready ON outbox (ready_at, number) WHERE state = 'queued';
CREATE INDEX outbox_by_draft ON outbox (draft, number);
CREATE INDEX outbox_by_submission ON outbox (draft, submission);

-- Fields that a draft and the server changed to different values.
CREATE TABLE conflict (
  draft INTEGER NOT NULL REFERENCES draft (number) ON DELETE CASCADE,
  service_key TEXT NOT NULL CHECK (service_key <> ''),
  base_type TEXT,
  base_value TEXT,
  mine_type TEXT,
  mine_value TEXT,
  theirs_type TEXT,
  theirs_value TEXT,
  found_at INTEGER NOT NULL,
  PRIMARY KEY (draft, service_key)
) STRICT, WITHOUT ROWID;
