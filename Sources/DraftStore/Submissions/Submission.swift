import FormModel

/// A `FormParam` that was handed over. It is never changed afterwards.
public struct Submission: Hashable, Sendable {
  public let draft: DraftID
  /// Counts the draft's submissions from 1.
  public let number: Int
  /// The number of the submission that this one follows, or nil for the first.
  public var follows: Int? { number > 1 ? number - 1 : nil }
  /// The form's id.
  public let form: String
  public let version: Int
  /// The draft's revision that was submitted.
  public let draftRevision: Int
  /// The submitted values in form order, then those that the app added.
  public let entries: [FormParam.Entry]
  /// Service keys that were left out for the app and not added back.
  public let filteredKeys: [String]
  /// Service keys of hidden rows whose value the server keeps.
  public let keptKeys: [String]
  /// The SHA-256 of the FormParam's JSON text, in hexadecimal.
  public let digest: String
  public let createdAt: Timestamp

  /// The submitted values as an ordered JSON object.
  public var param: JSONObject { entries.param }

  /// A new submission, whose digest is made here.
  init(
    draft: DraftID, number: Int, form: String, version: Int, draftRevision: Int,
    entries: [FormParam.Entry], filteredKeys: [String], keptKeys: [String], digest: String? = nil,
    createdAt: Timestamp
  ) {
    self.draft = draft
    self.number = number
    self.form = form
    self.version = version
    self.draftRevision = draftRevision
    self.entries = entries
    self.filteredKeys = filteredKeys
    self.keptKeys = keptKeys
    self.digest =
      digest ?? SHA256.hexDigest(Array(JSONValue.object(entries.param).jsonText.utf8))
    self.createdAt = createdAt
  }
}

extension DraftStore {
  /// Assembles what a draft would submit now, with every error.
  ///
  /// - Parameters:
  ///   - id: the draft.
  ///   - options: how; the store's own registry is used.
  /// - Throws: ``StoreError`` for an unknown draft; `DatabaseError`.
  public func param(
    of id: DraftID, options: FormParam.Options = FormParam.Options()
  ) throws -> FormParam {
    let draft = try draft(id)
    return param(
      of: draft, in: try form(draft.form, version: draft.version), options: options)
  }

  /// Assembles what a draft would submit.
  func param(
    of draft: Draft, in form: PreparedForm, options: FormParam.Options
  ) -> FormParam {
    var options = options
    options.registry = self.options.registry
    return FormParam(form, values: draft.fieldValues(in: form), options: options)
  }
}
