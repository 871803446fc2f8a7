import FormModel

/// Which records are searched or exported.
public enum RecordScope: String, Sendable, CaseIterable {
  /// Drafts with the values that they hold now.
  case drafts
  /// Submissions with the values that were handed over.
  case submissions
}

/// A search by service keys.
///
/// Matches come in the order of the first condition's values (text by bytes, then instants, then
/// numbers), and of age where these are the same; the other conditions only let through. Put the
/// condition that the fewest records meet first.
public struct DraftQuery: Hashable, Sendable {
  /// A condition on the value of one service key.
  public struct Condition: Hashable, Sendable {
    public let key: String
    public let test: Test

    public init(_ key: String, _ test: Test) {
      self.key = key
      self.test = test
    }
  }

  /// What is asked of a value.
  ///
  /// Text is compared by its bytes. A number compares with numbers by value, an instant with
  /// instants; dates and times compare with dates and times as their text does. A tags value meets
  /// a test when one of its tags does.
  public enum Test: Hashable, Sendable {
    /// There is a value.
    case exists
    /// There is no value, though the form has the field.
    case missing
    case equals(String)
    case hasPrefix(String)
    case contains(String)
    case lessThan(String)
    case atMost(String)
    case greaterThan(String)
    case atLeast(String)
  }

  /// All must hold; the first orders the matches.
  public var conditions: [Condition]
  /// The form's id, or nil for all forms.
  public var form: String?
  /// The drafts' statuses, or nil for all but discarded ones.
  public var statuses: Set<DraftStatus>?
  public var scope: RecordScope
  /// Only records of this moment or later: a draft's last edit, a submission's making.
  public var updatedSince: Timestamp?
  /// Only records of before this moment.
  public var updatedBefore: Timestamp?
  /// The most matches on a page.
  public var limit: Int
  /// Where the page before of the same query ended; see ``MatchPage/nextCursor``. Its conditions,
  /// form, statuses and scope must be the same; the limit may differ, and so may the times.
  public var cursor: String?

  public init(
    _ conditions: [Condition], form: String? = nil, statuses: Set<DraftStatus>? = nil,
    scope: RecordScope = .drafts, updatedSince: Timestamp? = nil,
    updatedBefore: Timestamp? = nil, limit: Int = 100, cursor: String? = nil
  ) {
    self.conditions = conditions
    self.form = form
    self.statuses = statuses
    self.scope = scope
    self.updatedSince = updatedSince
    self.updatedBefore = updatedBefore
    self.limit = limit
    self.cursor = cursor
  }
}

extension DraftQuery.Condition {
  /// A condition from its text: `KEY=V`, `KEY^=V` (begins with), `KEY*=V` (contains), `KEY<V`,
  /// `KEY<=V`, `KEY>V`, `KEY>=V`, `KEY` (there is a value), `KEY:missing`.
  ///
  /// - Throws: ``QueryError`` when there is no key.
  public init(parsing text: String) throws(QueryError) {
    let operators: [(String, (String) -> DraftQuery.Test)] = [
      ("^=", { .hasPrefix($0) }), ("*=", { .contains($0) }), ("<=", { .atMost($0) }),
      (">=", { .atLeast($0) }), ("<", { .lessThan($0) }), (">", { .greaterThan($0) }),
      ("=", { .equals($0) }),
    ]
    let scalars = text.unicodeScalars
    for start in scalars.indices {
      let rest = scalars[start...]
      guard let (sign, test) = operators.first(where: { rest.starts(with: $0.0.unicodeScalars) })
      else { continue }
      let value = String(rest.dropFirst(sign.unicodeScalars.count))
      try self.init(checked: String(scalars[..<start]), test(value), text)
      return
    }
    if text.hasSuffix(":missing") {
      try self.init(checked: String(text.dropLast(":missing".count)), .missing, text)
    } else {
      try self.init(checked: text, .exists, text)
    }
  }

  private init(
    checked key: String, _ test: DraftQuery.Test, _ text: String
  ) throws(QueryError) {
    guard !key.isEmpty else {
      throw QueryError(
        description: "\"\(text)\" names no key; write KEY=V, KEY^=V, KEY*=V, KEY<V, KEY>V or KEY")
    }
    self.init(key, test)
  }
}

extension DraftQuery {
  /// What tells a query from others: a cursor says where in this one's order a page ended. Times may
  /// differ, for they are mostly counted back from now, and so may the limit.
  ///
  /// - Parameter hiddenKeys: keys of which no value may be told, not even by a digest.
  func mark(hiding hiddenKeys: Set<String>) -> String {
    // FNV-1a: it need not withstand anybody, for a cursor gives nothing but the caller's own matches.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ text: String) {
      // A byte that is in no text in UTF-8 ends each part.
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ 0xFF) &* 0x100_0000_01b3
    }
    add(scope.rawValue)
    add(form.map { "=\($0)" } ?? "")
    for status in statuses?.map(\.rawValue).sorted() ?? ["-"] { add(status) }
    for condition in conditions {
      let (name, value) = condition.test.parts
      add(condition.key)
      add(name)
      add(hiddenKeys.contains(condition.key) ? "" : value)
    }
    let digits = String(UInt32(truncatingIfNeeded: hash ^ hash >> 32), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

extension DraftQuery.Test {
  /// The kind of test, and the value that it compares with.
  fileprivate var parts: (name: String, value: String) {
    switch self {
    case .exists: ("exists", "")
    case .missing: ("missing", "")
    case .equals(let value): ("=", value)
    case .hasPrefix(let value): ("^=", value)
    case .contains(let value): ("*=", value)
    case .lessThan(let value): ("<", value)
    case .atMost(let value): ("<=", value)
    case .greaterThan(let value): (">", value)
    case .atLeast(let value): (">=", value)
    }
  }
}

/// A text that is no condition.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
}

/// A value that a search found.
public struct Match: Hashable, Sendable {
  public let draft: DraftID
  /// The form's id.
  public let form: String
  public let scope: RecordScope
  /// The submission's number, in a search of submissions.
  public let submission: Int?
  /// The key of the query's first condition.
  public let serviceKey: String
  /// The value at that key, or nil when it is missing.
  public let value: FieldValue?
  /// When the draft was edited last, or the submission made.
  public let updatedAt: Timestamp
}

/// Some matches of a search.
public struct MatchPage: Hashable, Sendable {
  public let matches: [Match]
  /// What the query for the next page gives as its cursor; nil on the last page.
  public let nextCursor: String?
}
