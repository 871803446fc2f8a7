import DraftDatabase
import FormModel

/// A version of a form that a store has.
public struct FormSummary: Hashable, Sendable {
  /// The form's id.
  public let id: String
  public let title: String
  /// The newest version's number.
  public let version: Int
  /// When the newest version was added.
  public let addedAt: Timestamp
  /// The number of its drafts that are not discarded.
  public let draftCount: Int
}

/// What became of a form that was added.
public struct FormAddition: Hashable, Sendable {
  public let id: String
  /// The version under which the definition is saved.
  public let version: Int
  /// False when the newest version has the same definition already.
  public let isNew: Bool
}

extension DraftStore {
  /// Saves a form as a new version, unless its newest version is the same.
  ///
  /// - Throws: `DefinitionError` that names every fault; `DatabaseError`.
  @discardableResult
  public func add(_ form: Form) throws -> FormAddition {
    try form.check(registry: options.registry)
    let definition = form.definition.jsonText
    let fingerprint = form.fingerprint
    let now = options.now().milliseconds
    return try database.write { connection in
      let newest = try connection.first(
        """
        SELECT version, fingerprint FROM form_version WHERE form = ?
        ORDER BY version DESC LIMIT 1
        """, .text(form.id)
      ) { (version: Int($0.integer(0)), fingerprint: $0.text(1)) }
      if let newest, newest.fingerprint == fingerprint {
        return FormAddition(id: form.id, version: newest.version, isNew: false)
      }
      if newest == nil {
        try connection.run("INSERT INTO form VALUES (?, ?)", .text(form.id), .integer(now))
      }
      let version = (newest?.version ?? 0) + 1
      try connection.run(
        "INSERT INTO form_version VALUES (?, ?, ?, ?, ?, ?)", .text(form.id), .integer(version),
        .text(form.title), .text(definition), .text(fingerprint), .integer(now))
      return FormAddition(id: form.id, version: version, isNew: true)
    }
  }

  /// The forms, each with its newest version, by id.
  ///
  /// - Throws: `DatabaseError`
  public func formSummaries() throws -> [FormSummary] {
    try database.read { connection in
      try connection.all(
        """
        SELECT form, title, max(version), created_at,
          (SELECT count(*) FROM draft d WHERE d.form = v.form AND d.status <> 'discarded')
        FROM form_version v GROUP BY form ORDER BY form
        """
      ) {
        FormSummary(
          id: $0.text(0), title: $0.text(1), version: Int($0.integer(2)),
          addedAt: Timestamp(milliseconds: $0.integer(3)), draftCount: Int($0.integer(4)))
      }
    }
  }

  /// The keys of the rows that any version of a form calls sensitive.
  ///
  /// - Parameter form: the form's id, or nil for all forms.
  /// - Throws: `DatabaseError`
  public func sensitiveKeys(of form: String? = nil) throws -> Set<String> {
    try database.read { try sensitiveKeys(of: form, $0) }
  }

  func sensitiveKeys(of form: String?, _ connection: Connection) throws -> Set<String> {
    let versions = try connection.all(
      "SELECT form, version FROM form_version WHERE ?1 IS NULL OR form = ?1", .optional(form)
    ) { FormKey(form: $0.text(0), version: Int($0.integer(1))) }
    var keys: Set<String> = []
    for version in versions {
      for field in try storedForm(version, connection).fields where field.isSensitive {
        keys.insert(field.key)
      }
    }
    return keys
  }

  /// A form, ready for use.
  ///
  /// - Parameters:
  ///   - id: the form's id.
  ///   - version: the version, or nil for the newest.
  /// - Throws: ``StoreError`` for an unknown form or version; `DatabaseError`.
  public func form(_ id: String, version: Int? = nil) throws -> PreparedForm {
    if let version, let form = forms.withLock({ $0[FormKey(form: id, version: version)] }) {
      return form
    }
    return try database.read { try form(id, version: version, $0) }
  }

  /// A form, read within a transaction when it is not at hand.
  func form(_ id: String, version: Int?, _ connection: Connection) throws -> PreparedForm {
    let newest = try connection.first(
      "SELECT max(version) FROM form_version WHERE form = ?", .text(id)
    ) { Int($0.integer(0)) }
    guard let newest, newest > 0 else {
      let known = try connection.all("SELECT id FROM form ORDER BY id") { $0.text(0) }
      throw StoreError.unknownForm(id, known: known)
    }
    guard (1...newest).contains(version ?? newest) else {
      throw StoreError.unknownVersion(form: id, version: version ?? newest, newest: newest)
    }
    return try storedForm(FormKey(form: id, version: version ?? newest), connection)
  }

  /// A version of a form that is known to be there; each is read once.
  func storedForm(_ key: FormKey, _ connection: Connection) throws -> PreparedForm {
    if let form = forms.withLock({ $0[key] }) { return form }
    let definition = try connection.first(
      "SELECT definition FROM form_version WHERE form = ? AND version = ?", .text(key.form),
      .integer(key.version)
    ) { $0.text(0) }
    guard let definition else {
      throw StoreError.badContent("a draft of form \"\(key.form)\" version \(key.version)")
    }
    // The definition was checked when it was added; a rule that is registered by name need not be
    // there to read a draft.
    var form = try Form(checkedDefinition: definition)
    form.version = key.version
    let prepared = PreparedForm(form)
    forms.withLock { $0[key] = prepared }
    return prepared
  }
}
