import DraftDatabase
import FormModel

extension DraftStore {
  /// What the server is known to hold of a draft, by service key.
  func acknowledgedEntries(
    of id: DraftID, _ connection: Connection
  ) throws -> [FormParam.Entry] {
    try connection.all(
      """
      SELECT a.service_key, a.type, a.value
      FROM draft d CROSS JOIN acknowledged_value a ON a.draft = d.number
      WHERE d.id = ? ORDER BY a.service_key
      """, .text(id.description)
    ) { FormParam.Entry(serviceKey: $0.text(0), value: try $0.fieldValue(type: 1, text: 2)) }
  }

  func serverRecord(of id: DraftID, _ connection: Connection) throws -> ServerRecord? {
    try connection.first(
      """
      SELECT r.etag, r.submission, m.is_made_anew
      FROM draft d CROSS JOIN server_record r ON r.draft = d.number
      LEFT JOIN missing_record m ON m.draft = d.number
      WHERE d.id = ?
      """, .text(id.description)
    ) { row in
      ServerRecord(
        etag: row.optionalText(0), submission: row.optionalInteger(1).map(Int.init),
        presence: row.optionalInteger(2).map { $0 == 0 ? .missing : .madeAnew } ?? .there)
    }
  }

  /// Moves the acknowledged base for some fields.
  func acknowledge(
    _ fields: [(key: String, value: FieldValue?)], _ etag: String?, of draft: Int64,
    _ connection: Connection
  ) throws {
    try connection.run(
      """
      INSERT INTO server_record (draft, etag, acknowledged_at) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET etag = excluded.etag, acknowledged_at = excluded.acknowledged_at
      """, .integer(draft), .optional(etag), .integer(options.now().milliseconds))
    try connection.run("DELETE FROM missing_record WHERE draft = ?", .integer(draft))
    for (key, value) in fields {
      guard let value else {
        try connection.run(
          "DELETE FROM acknowledged_value WHERE draft = ? AND service_key = ?", .integer(draft),
          .text(key))
        continue
      }
      let stored = StoredValue(value)
      try connection.run(
        """
        INSERT INTO acknowledged_value VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET type = excluded.type, value = excluded.value
        """, .integer(draft), .text(key), .text(stored.type.description),
        .optional(stored.text))
    }
  }

  /// Notes that the server has a record no more. What it held stays known, for it may turn out to be
  /// there after all.
  func noteMissingRecord(
    of draft: Int64, isMadeAnew: Bool, _ connection: Connection
  ) throws {
    try connection.run(
      """
      INSERT OR REPLACE INTO missing_record (draft, is_made_anew, found_at)
      SELECT draft, ?, ? FROM server_record WHERE draft = ?
      """, .integer(isMadeAnew ? 1 : 0), .integer(options.now().milliseconds), .integer(draft))
  }

  /// Forgets what the server held in a record that was made anew.
  func forgetRemadeRecord(of draft: Int64, _ connection: Connection) throws {
    let isMadeAnew = try connection.first(
      "SELECT is_made_anew FROM missing_record WHERE draft = ?", .integer(draft)
    ) { $0.integer(0) }
    guard isMadeAnew == 1 else { return }
    try connection.run("DELETE FROM server_record WHERE draft = ?", .integer(draft))
    try connection.run("DELETE FROM acknowledged_value WHERE draft = ?", .integer(draft))
  }
}
