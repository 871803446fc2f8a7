import CSQLite

/// One step of a schema: SQL that leads from the version before it to its own.
public struct Migration: Sendable {
  /// The version that the schema has afterwards, counted from 1 without gaps.
  public let version: Int
  public let name: String
  public let sql: String

  public init(version: Int, name: String, sql: String) {
    self.version = version
    self.name = name
    self.sql = sql
  }
}

extension Database {
  /// Brings the schema to the newest version, in one transaction.
  ///
  /// A file that holds data is copied beside itself first, as `PATH.before-N` where N is the version
  /// that it is brought to. When a step fails, the file stays as it was.
  ///
  /// - Parameter migrations: all steps from version 1 on.
  /// - Throws: ``DatabaseError`` that names the step.
  public func migrate(_ migrations: [Migration]) throws {
    guard let newest = migrations.last?.version, !configuration.isReadOnly else { return }
    let version = try withoutTransaction { try $0.userVersion() }
    guard version < newest else { return }
    if version > 0 { try backup(to: "\(path).before-\(newest)", replacesFile: true) }
    try withoutTransaction { connection in
      // Steps that rebuild a table need this off, and it can't be changed within a transaction;
      // what they leave is checked below.
      try connection.execute("PRAGMA foreign_keys = OFF")
      defer { try? connection.execute("PRAGMA foreign_keys = ON") }
      try connection.transaction(begin: "BEGIN IMMEDIATE") { connection in
        // Another process may have done it meanwhile.
        let version = try connection.userVersion()
        for migration in migrations where migration.version > version {
          do {
            try connection.execute(migration.sql)
          } catch let error as DatabaseError {
            throw DatabaseError(
              error.code, "migration \(migration.name) failed: \(error.message)", path: path,
              sql: error.sql, extendedCode: error.extendedCode)
          }
        }
        let broken = try connection.all("PRAGMA foreign_key_check") { $0.text(0) }
        guard broken.isEmpty else {
          throw DatabaseError(
            .constraint, "a migration left rows of \(broken[0]) without their parents", path: path)
        }
        try connection.execute("PRAGMA user_version = \(max(newest, version))")
      }
    }
  }
}
