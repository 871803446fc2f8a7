import DraftDatabase

/// The schema of a store, as the numbered steps of the SQL files in `migrations/`.
public enum SchemaMigrations {
  /// All steps in order.
  public static var all: [Migration] { embedded }

  /// The schema's version after all steps.
  public static var newestVersion: Int { all.count }
}
