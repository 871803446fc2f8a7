import DraftDatabase

/// The schema of a store, as the numbered steps of the SQL files in `migrations/`.
public enum SchemaMigrations {
  /// All steps in order.
  public static let all = EmbeddedFiles.all.enumerated().map { index, file in
    Migration(version: index + 1, name: String(file.name.dropLast(4)), sql: file.text)
  }

  /// The schema's version after all steps.
  public static var newestVersion: Int { all.count }
}
