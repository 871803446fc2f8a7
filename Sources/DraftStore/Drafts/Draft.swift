import FormModel

/// One filling of one version of a form, as it is saved.
public struct Draft: Hashable, Sendable, Identifiable {
  public let id: DraftID
  /// The form's id.
  public let form: String
  public internal(set) var version: Int
  public let status: DraftStatus
  public let title: String
  /// Whom or what the draft is about, where the app says so.
  public let subject: String?
  /// Counts the edits; 0 when nothing was typed yet.
  public let revision: Int
  /// The key of the field where the person was.
  public internal(set) var focus: String?
  public let createdAt: Timestamp
  public let updatedAt: Timestamp
  /// The saved values, ordered by the bytes of their keys. Defaults are not among them.
  public let fields: [SavedField]

  /// The saved value of a field, or nil when there is none.
  public subscript(key: String) -> FieldValue? { field(key)?.value }

  /// A saved field, or nil when it has no value.
  public func field(_ key: String) -> SavedField? {
    var (low, high) = (0, fields.count)
    while low < high {
      let middle = (low + high) / 2
      if fields[middle].key.utf8.lexicographicallyPrecedes(key.utf8) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < fields.count && fields[low].key.utf8.elementsEqual(key.utf8) ? fields[low] : nil
  }

  /// The saved values by field key, as `FormParam` takes them.
  public var values: [String: FieldValue] {
    var values = [String: FieldValue](minimumCapacity: fields.count)
    for field in fields { values[field.key] = field.value }
    return values
  }
}

/// A value that is saved in a draft.
public struct SavedField: Hashable, Sendable {
  /// The field's key: its service key, or the row's label where it has none.
  public let key: String
  public let value: FieldValue
  /// The draft's revision that saved it.
  public let revision: Int
}

/// Where a draft is in its life.
public enum DraftStatus: String, Hashable, Sendable, CaseIterable {
  /// Not submitted, or edited since.
  case editing
  /// Submitted and not edited since.
  case submitted
  /// Put away; it can be restored until it is purged.
  case discarded
}

/// A saved value that the draft's version of the form can't use as it is.
public struct Attention: Hashable, Sendable {
  public enum Reason: String, Hashable, Sendable {
    /// The form has no such field any more.
    case orphan
    /// It is not a value of the field's type.
    case type
    /// It is an option or tag that the form does not have.
    case unknownOption
  }

  /// The field's key.
  public let key: String
  public let reason: Reason
  public let value: FieldValue
}

extension Draft {
  /// The saved values that the form can't use as they are: form order, then orphans by key.
  ///
  /// - Parameter form: the draft's version of its form.
  public func needsAttention(in form: PreparedForm) -> [Attention] {
    var attention: [(order: Int, Attention)] = []
    for saved in fields {
      guard let index = form.index(of: saved.key) else {
        attention.append((.max, Attention(key: saved.key, reason: .orphan, value: saved.value)))
        continue
      }
      if let reason = form.fields[index].attention(for: saved.value) {
        attention.append((index, Attention(key: saved.key, reason: reason, value: saved.value)))
      }
    }
    return attention.sorted { $0.order < $1.order }.map(\.1)
  }

  /// The values by field in form order, defaults included where nothing is saved; tags stand in the
  /// order of the form's tags.
  public func currentValues(in form: PreparedForm) -> [(field: FormField, value: FieldValue)] {
    form.fields.compactMap { field in
      switch (self[field.key] ?? field.defaultValue, field.tagsContent) {
      case (.tags(let ids)?, let content?): (field, .tags(content.ordered(ids)))
      case (let value?, _): (field, value)
      case (nil, _): nil
      }
    }
  }
}

extension Draft {
  /// The service keys of hidden rows whose value the server keeps.
  public func keptHiddenKeys(in form: PreparedForm, _ registry: RuleRegistry) -> [String] {
    guard form.rows.contains(where: \.keepsValueWhenHidden) else { return [] }
    let status = FormStatus(form, values: fieldValues(in: form), registry: registry)
    return form.fields
      .filter { form.rows[$0.rowIndex].keepsValueWhenHidden && !status.isVisible[$0.rowIndex] }
      .map(\.key)
  }

  /// The saved values by the places of their fields, as `FormParam` takes them.
  public func fieldValues(in form: PreparedForm) -> FieldValues {
    form.values(fromSorted: fields.lazy.map { ($0.key, $0.value) })
  }
}

extension FormField {
  fileprivate func attention(for value: FieldValue) -> Attention.Reason? {
    // What is blank counts as not filled, whatever its type.
    guard !value.isBlank else { return nil }
    guard value.isOf(dataType) else { return .type }
    switch (content, value) {
    case (.options(let options), .option(let id)):
      return options.contains { $0.id == id } ? nil : .unknownOption
    case (.tags(let tags), .tags(let ids)):
      return ids.allSatisfy { id in tags.tags.contains { $0.id == id } } ? nil : .unknownOption
    default:
      return nil
    }
  }
}

/// What a list of drafts tells of each.
public struct DraftSummary: Hashable, Sendable, Identifiable {
  public let id: DraftID
  public let form: String
  public let version: Int
  public let status: DraftStatus
  public let title: String
  public let subject: String?
  public let revision: Int
  public let createdAt: Timestamp
  public let updatedAt: Timestamp
}
