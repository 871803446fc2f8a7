import DraftDatabase
import FormModel

extension DraftStore {
  /// Notes that a server asks to be left alone, for this and all other processes. It ends when it is
  /// over, or with ``retryOutbox(_:)``.
  ///
  /// - Parameters:
  ///   - origin: the server: scheme, host and port.
  ///   - end: when it may be asked again; a pause that ends later stays.
  /// - Throws: `DatabaseError`
  public func pause(_ origin: String, until end: Timestamp) throws {
    try database.write { connection in
      // One that ends too late was dated by a clock that was set back since.
      try connection.run(
        """
        INSERT INTO server_pause VALUES (?1, ?2) ON CONFLICT DO UPDATE
        SET paused_until = iif(paused_until > ?3, excluded.paused_until,
          max(paused_until, excluded.paused_until))
        """, .text(origin), .integer(end.milliseconds),
        .integer((options.now() + Self.longestWait).milliseconds))
    }
  }

  /// When the last pause of some servers ends, or nil when none of them asks for one now.
  ///
  /// - Parameter origins: the servers.
  /// - Throws: `DatabaseError`
  public func pauseEnd(of origins: some Collection<String>) throws -> Timestamp? {
    let now = options.now()
    return try database.read { connection in
      try origins.compactMap { origin in
        try connection.first(
          """
          SELECT paused_until FROM server_pause
          WHERE origin = ? AND paused_until > ? AND paused_until <= ?
          """, .text(origin), .integer(now.milliseconds),
          .integer((now + Self.longestWait).milliseconds)
        ) { Timestamp(milliseconds: $0.integer(0)) }
      }.max()
    }
  }

  func endPauses(_ connection: Connection) throws {
    try connection.run("DELETE FROM server_pause")
  }
}
