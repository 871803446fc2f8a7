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
  /// that it is brought to. When a step fails, the file stays as it was. A file opened for reading
  /// only is left at its version.
  ///
  /// - Parameter migrations: all steps from version 1 on.
  /// - Throws: ``DatabaseError`` that names the step.
  public func migrate(_ migrations: [Migration]) throws {
    guard migrations.map(\.version) == Array(1..<migrations.count + 1),
      migrations.count <= configuration.newestVersion
    else {
      throw DatabaseError(
        .misuse,
        "the migrations' versions are not 1, 2, 3 and so on up to \(configuration.newestVersion)",
        path: path)
    }
    let newest = migrations.count
    guard !configuration.isReadOnly else { return }
    try withoutTransaction { connection in
      guard try connection.userVersion() < newest else { return }
      // Steps that rebuild a table need this off, and it can't be changed within a transaction;
      // what they leave is checked below.
      try connection.execute("PRAGMA foreign_keys = OFF")
      defer { try? connection.execute("PRAGMA foreign_keys = ON") }
      try connection.writeTransaction { connection in
        // Another process may have done it meanwhile, so this counts, under the lock.
        let version = try connection.userVersion()
        try file.checkVersion(version)
        guard version < newest else { return }
        if version > 0 { try copyBefore(newest) }
        for migration in migrations.dropFirst(version) { try apply(migration, connection) }
        let broken = try connection.all("PRAGMA foreign_key_check") { $0.text(0) }
        guard broken.isEmpty else {
          throw DatabaseError(
            .constraint, "a migration left rows of \(broken[0]) without their parents", path: path)
        }
        try connection.execute("PRAGMA user_version = \(newest)")
      }
    }
  }

  /// Copies the file as it is, while the lock for writing is held: nobody's commit comes between the
  /// copy and the migration, and nobody who migrates too replaces it with a later state.
  private func copyBefore(_ version: Int) throws {
    // The connection that holds the lock can't be the source of a copy.
    try file.open(forWriting: false).transaction(begin: "BEGIN") {
      try $0.copy(to: "\(path).before-\(version)", replacesFile: true)
    }
  }

  private func apply(_ migration: Migration, _ connection: Connection) throws {
    do {
      try connection.execute(migration.sql)
      // A step that ends the transaction would leave the rest to be committed one by one.
      try connection.access.check()
    } catch let error as DatabaseError {
      throw DatabaseError(
        error.code, "migration \(migration.name) failed: \(error.message)", path: path,
        sql: error.sql, extendedCode: error.extendedCode)
    }
  }
}
