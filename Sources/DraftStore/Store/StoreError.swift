import FormModel

/// Why a store could not do what was asked; nothing was changed then.
public enum StoreError: Error, Sendable, CustomStringConvertible {
  /// No form has this id.
  case unknownForm(String, known: [String])
  /// The form has no such version.
  case unknownVersion(form: String, version: Int, newest: Int)
  /// No draft has this id or prefix.
  case unknownDraft(String)
  /// Several drafts have ids that begin so.
  case ambiguousDraft(String, [DraftID])
  /// The form has no field of this name.
  case unknownField(String, form: String, similar: String?)
  /// The field takes values of another type.
  case wrongType(field: String, expected: DataType)
  /// The JSON value is nested too deep to be read back.
  case tooDeep(field: String)
  /// The field can't hold the value that the server has for it.
  case serverValueUnfit(field: String)
  /// The field has no such tag.
  case unknownTag(String, field: String, known: [String])
  /// The field holds no tags.
  case notTags(field: String)
  /// The draft was discarded.
  case isDiscarded(DraftID)
  /// The draft was not discarded.
  case isNotDiscarded(DraftID)
  /// Another edit of the field came first.
  case staleField(
    String, given: FieldValue?, saved: FieldValue?, revision: Int, isSensitive: Bool)
  /// The draft has no such revision yet, so nobody can have seen the field in it.
  case unknownRevision(Int, field: String, newest: Int)
  /// The draft can't be submitted.
  case notValid(DraftID, FormParam)
  /// The draft has no submission of this number, or none at all.
  case unknownSubmission(DraftID, Int?)
  /// A value that the app adds to a `FormParam` has a key that is there already.
  case duplicateKey(String)
  /// The draft has no open conflict in this field.
  case unknownConflict(DraftID, String)
  /// What can't be a cursor of this query.
  case badCursor(String)
  /// Nothing of a damaged store can be saved, and why.
  case notRecoverable(String, String)
  /// The store's content can't be understood.
  case badContent(String)

  public var description: String {
    switch self {
    case .unknownForm(let id, let known):
      known.isEmpty
        ? "no form \"\(id)\"; the store has no forms yet, add one first"
        : "no form \"\(id)\"; the store has \(known.joined(separator: ", "))"
    case .unknownVersion(let form, let version, let newest):
      "form \"\(form)\" has no version \(version); its newest is \(newest)"
    case .unknownDraft("@"): "the store has no drafts yet; start one first"
    case .unknownDraft(let id): "no draft \"\(id)\"; list the drafts to see their ids"
    case .ambiguousDraft(let prefix, let ids):
      "\"\(prefix)\" begins \(ids.count) drafts' ids; give more of it, for instance \(ids[0])"
    case .unknownField(let key, let form, let similar):
      "form \"\(form)\" has no field \"\(key)\""
        + (similar.map { "; did you mean \"\($0)\"?" } ?? "")
    case .wrongType(let field, let type): "\(field): expected \(type.expectation)"
    case .tooDeep(let field):
      "\(field): the value is nested deeper than \(FieldValue.maximumDepth) levels; flatten it"
    case .serverValueUnfit(let field):
      "\(field): the server's value is none that this field can hold; choose mine or give a value"
    case .unknownTag(let tag, let field, let known):
      "\(field): no tag \"\(tag)\"; there are \(known.joined(separator: ", "))"
    case .notTags(let field): "\(field): this field holds no tags"
    case .isDiscarded(let id): "draft \(id) was discarded; restore it first"
    case .isNotDiscarded(let id): "draft \(id) is not discarded"
    case .staleField(let key, _, nil, _, isSensitive: true):
      "\(key): another edit came first and took the value away; look at it and save again"
    case .staleField(let key, let given, nil, _, isSensitive: false):
      """
      \(key): another edit came first and took the value away, you gave \(Self.words(given)); look \
      at it and save again
      """
    case .staleField(let key, _, _, let revision, isSensitive: true):
      "\(key): another edit came first, as revision \(revision); look at it and save again"
    case .staleField(let key, let given, let saved, let revision, isSensitive: false):
      """
      \(key): another edit came first: it saved \(Self.words(saved)) as revision \(revision), \
      you gave \(Self.words(given)); look at both and save again
      """
    case .unknownRevision(let seen, let key, let newest):
      "\(key): the draft has no revision \(seen) yet, its newest is \(newest); look at it and say "
        + "which revision you saw"
    case .notValid(let id, let param):
      "draft \(id) is not valid: " + (param.firstErrorMsg ?? "see its errors")
    case .unknownSubmission(let id, nil): "draft \(id) was never submitted"
    case .unknownSubmission(let id, let number?): "draft \(id) has no submission \(number)"
    case .unknownConflict(let id, let key):
      "draft \(id) has no conflict in \"\(key)\"; list its conflicts to see their keys"
    case .duplicateKey(let key): "\"\(key)\" is in the FormParam already; filter it out first"
    case .badCursor(let text):
      "\"\(text)\" is no cursor of this query; ask as for the page before, or leave it out to start anew"
    case .notRecoverable(let path, let reason): "\(path) can't be recovered: \(reason)"
    case .badContent(let what): "the store holds \(what) that can't be understood; check the store"
    }
  }

  private static func words(_ value: FieldValue?) -> String {
    value.map { $0.json.jsonText } ?? "nothing"
  }

  /// The name of the kind of error, for machines.
  public var code: String {
    switch self {
    case .unknownForm: "unknownForm"
    case .unknownVersion: "unknownVersion"
    case .unknownDraft: "unknownDraft"
    case .ambiguousDraft: "ambiguousDraft"
    case .unknownField: "unknownField"
    case .wrongType: "wrongType"
    case .tooDeep: "tooDeep"
    case .serverValueUnfit: "serverValueUnfit"
    case .unknownTag: "unknownTag"
    case .notTags: "notTags"
    case .isDiscarded: "isDiscarded"
    case .isNotDiscarded: "isNotDiscarded"
    case .staleField: "staleField"
    case .unknownRevision: "unknownRevision"
    case .notValid: "notValid"
    case .unknownSubmission: "unknownSubmission"
    case .duplicateKey: "duplicateKey"
    case .unknownConflict: "unknownConflict"
    case .badCursor: "badCursor"
    case .notRecoverable: "notRecoverable"
    case .badContent: "badContent"
    }
  }

  /// The field or key that it is about.
  public var key: String? {
    switch self {
    case .unknownField(let key, _, _), .wrongType(let key, _), .unknownTag(_, let key, _),
      .tooDeep(let key), .serverValueUnfit(let key), .notTags(let key),
      .staleField(let key, _, _, _, _),
      .unknownRevision(_, let key, _), .duplicateKey(let key), .unknownConflict(_, let key):
      key
    case .notValid(_, let param): param.errors.first?.key
    default: nil
    }
  }
}
