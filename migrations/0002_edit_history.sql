-- What edits changed in a draft, for undo and redo: written with the edit, where an app asks for it.
-- One row a field; the rows of one step are undone together. A type of NULL stands for no value,
-- tags stand as a JSON list. Undone steps stay, to be redone, until a new edit takes their place.
CREATE TABLE edit_history (
  draft INTEGER NOT NULL REFERENCES draft (number) ON DELETE CASCADE,
  step INTEGER NOT NULL CHECK (step > 0),
  field TEXT NOT NULL CHECK (field <> ''),
  old_type TEXT,
  old_value TEXT,
  new_type TEXT,
  new_value TEXT,
  is_undone INTEGER NOT NULL DEFAULT 0 CHECK (is_undone IN (0, 1)),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (draft, step, field)
) STRICT, WITHOUT ROWID;
