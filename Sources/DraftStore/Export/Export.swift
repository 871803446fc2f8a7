import DraftDatabase
import FormModel

/// The formats of an export.
public enum ExportFormat: String, Sendable, CaseIterable {
  /// One JSON array of objects.
  case json
  /// One JSON object a line.
  case ndjson
  /// A header and one line a record (RFC 4180), in UTF-8. Text is in quotes; numbers, booleans and
  /// null are not; an absent value is an empty cell without quotes.
  case csv
  /// One line a record, with its values as in a form's body (WHATWG URL, section 5). A tags value
  /// is one pair a tag, null is the empty text.
  case urlencoded
}

/// What is exported, and how.
public struct ExportOptions: Hashable, Sendable {
  public var format: ExportFormat
  public var scope: RecordScope
  /// The form's id, or nil for all forms.
  public var form: String?
  /// The drafts' statuses, or nil for all but discarded ones.
  public var statuses: Set<DraftStatus>?
  /// Whether cells of a CSV file that a spreadsheet would run as formulas get an apostrophe.
  public var guardsFormulas: Bool
  /// Whether a CSV file begins with a byte order mark, which some spreadsheets need.
  public var byteOrderMark: Bool

  public init(
    format: ExportFormat, scope: RecordScope = .submissions, form: String? = nil,
    statuses: Set<DraftStatus>? = nil, guardsFormulas: Bool = true, byteOrderMark: Bool = false
  ) {
    self.format = format
    self.scope = scope
    self.form = form
    self.statuses = statuses
    self.guardsFormulas = guardsFormulas
    self.byteOrderMark = byteOrderMark
  }
}

extension DraftStore {
  /// Writes all records of one moment, in the order of their making, piece by piece: memory does
  /// not grow with their number. Two exports of the same data are the same bytes.
  ///
  /// - Parameters:
  ///   - options: what is exported, and how.
  ///   - progress: told the number of records that are written and of those there are.
  ///   - sink: given the bytes; what it throws ends the export.
  /// - Returns: the number of records.
  /// - Throws: ``StoreError`` for an unknown form; `DatabaseError`; what `sink` throws.
  @discardableResult
  public func export(
    _ options: ExportOptions, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
    to sink: ([UInt8]) throws -> Void
  ) throws -> Int {
    try database.read { connection in
      if let form = options.form { _ = try self.form(form, version: nil, connection) }
      let reader = RecordReader(store: self, connection: connection, options: options)
      var writer = try recordWriter(options, connection)
      let total = try reader.count()
      var done = 0
      progress(done, total)
      writer.begin()
      try reader.read { record in
        writer.write(record)
        done += 1
        if writer.bytes.count >= 1 << 16 {
          try sink(writer.bytes)
          writer.removeWritten()
          progress(done, total)
        }
      }
      writer.end()
      try sink(writer.bytes)
      progress(done, total)
      return done
    }
  }

  private func recordWriter(
    _ options: ExportOptions, _ connection: Connection
  ) throws -> any RecordWriter {
    switch options.format {
    case .json: return JSONRecordWriter(isArray: true, scope: options.scope)
    case .ndjson: return JSONRecordWriter(isArray: false, scope: options.scope)
    case .urlencoded: return URLEncodedRecordWriter()
    case .csv:
      return CSVRecordWriter(options, keys: try exportedKeys(options, connection))
    }
  }

  /// The service keys of all versions of the forms, in the order of the newest that has them, and
  /// those that the app added to submissions.
  private func exportedKeys(
    _ options: ExportOptions, _ connection: Connection
  ) throws -> [String] {
    let versions = try connection.all(
      """
      SELECT form, version FROM form_version WHERE ?1 IS NULL OR form = ?1
      ORDER BY form, version DESC
      """, .optional(options.form)
    ) { FormKey(form: $0.text(0), version: Int($0.integer(1))) }
    var keys = OrderedKeys()
    for version in versions {
      for field in try storedForm(version, connection).fields where field.isSubmitted {
        keys.insert(field.key)
      }
    }
    guard options.scope == .submissions else { return keys.keys }
    // Jumps from key to key in the index.
    var last: String? = ""
    while let key = last {
      last =
        try connection.first(
          "SELECT min(service_key) FROM submission_value WHERE service_key > ?", .text(key)
        ) { $0.optionalText(0) } ?? nil
      guard let key = last, !keys.contains(key) else { continue }
      let isOfForm = try connection.first(
        """
        SELECT 1 FROM submission_value v CROSS JOIN submission s ON s.number = v.submission
        WHERE v.service_key = ?1 AND (?2 IS NULL OR s.form = ?2) LIMIT 1
        """, .text(key), .optional(options.form)
      ) { _ in true }
      if isOfForm == true { keys.insert(key) }
    }
    return keys.keys
  }
}
