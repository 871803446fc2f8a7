import DraftDatabase
import FormModel

extension DraftStore {
  /// A submission of a draft.
  ///
  /// - Parameters:
  ///   - number: its number, or nil for the last.
  ///   - id: the draft.
  /// - Throws: ``StoreError`` when there is none; `DatabaseError`.
  public func submission(_ number: Int? = nil, of id: DraftID) throws -> Submission {
    let begun = unwritten.withLock { $0[id] }
    let submission = try database.read { connection in
      guard try draft(id, connection) ?? begun != nil else {
        throw StoreError.unknownDraft(id.description)
      }
      return try self.submission(number, of: id, connection)
    }
    guard let submission else { throw StoreError.unknownSubmission(id, number) }
    return submission
  }

  /// A submission of a draft, or nil when there is none.
  func submission(
    _ number: Int?, of id: DraftID, _ connection: Connection
  ) throws -> Submission? {
    try connection.first(
      """
      SELECT s.number, s.ordinal, s.form, s.version, s.draft_revision, s.filtered, s.digest,
        s.created_at, s.kept
      FROM submission s JOIN draft d ON d.number = s.draft
      WHERE d.id = ?1 AND (?2 IS NULL OR s.ordinal = ?2) ORDER BY s.ordinal DESC LIMIT 1
      """, .text(id.description), .optional(number.map(Int64.init))
    ) { row in
      func keys(_ column: Int32) throws -> [String] {
        (try JSONValue(parsing: row.text(column)).arrayValue ?? []).compactMap(\.stringValue)
      }
      return Submission(
        draft: id, number: Int(row.integer(1)), form: row.text(2), version: Int(row.integer(3)),
        draftRevision: Int(row.integer(4)), entries: try entries(of: row.integer(0), connection),
        filteredKeys: try keys(5), keptKeys: try keys(8), digest: row.text(6),
        createdAt: Timestamp(milliseconds: row.integer(7)))
    }
  }

  func entries(
    of submission: Int64, _ connection: Connection
  ) throws -> [FormParam.Entry] {
    try connection.all(
      """
      SELECT service_key, type, value FROM submission_value WHERE submission = ? ORDER BY position
      """, .integer(submission)
    ) { FormParam.Entry(serviceKey: $0.text(0), value: try $0.fieldValue(type: 1, text: 2)) }
  }
}

/// A draft with what it would submit now and what it submitted last, all of one moment.
public struct DraftWithBase: Sendable {
  public let draft: Draft
  public let form: PreparedForm
  public let param: FormParam
  /// The last submission, or nil when there is none.
  public let base: Submission?
  /// What the server has acknowledged, by service key.
  public let acknowledged: [FormParam.Entry]
}

extension DraftStore {
  /// A draft, its `FormParam` and its last submission, as they are together at one moment.
  ///
  /// - Throws: ``StoreError`` for an unknown draft; `DatabaseError`.
  public func draftWithBase(
    _ id: DraftID, options: FormParam.Options = FormParam.Options()
  ) throws -> DraftWithBase {
    let begun = unwritten.withLock { $0[id] }
    return try database.read { connection in
      guard let draft = try draft(id, connection) ?? begun else {
        throw StoreError.unknownDraft(id.description)
      }
      let form = try storedForm(
        FormKey(form: draft.form, version: draft.version), connection)
      return DraftWithBase(
        draft: draft, form: form, param: param(of: draft, in: form, options: options),
        base: try submission(nil, of: id, connection),
        acknowledged: try acknowledgedEntries(of: id, connection))
    }
  }
}
