-- What a server asked for and what became of its records, for later runs to know.

-- Until when a server asked to be left alone, by its origin: scheme, host and port.
CREATE TABLE server_pause (
  origin TEXT NOT NULL PRIMARY KEY CHECK (origin <> ''),
  paused_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Records that the server had and says it has no more. What it held stays known: until it turns out
-- to be there, or was made anew, which a person decides (`is_made_anew`).
CREATE TABLE missing_record (
  draft INTEGER NOT NULL PRIMARY KEY REFERENCES draft (number) ON DELETE CASCADE,
  is_made_anew INTEGER NOT NULL DEFAULT 0 CHECK (is_made_anew IN (0, 1)),
  found_at INTEGER NOT NULL
) STRICT;
