import FormModel
import Synchronization

/// What is chosen in a tags field.
public struct TagSelection: Hashable, Sendable {
  /// The chosen tags, in the tags' own order.
  public let selected: [Tag]
  /// Chosen ids that the form does not have any more, in the order in which they were chosen.
  public let unknown: [OptionID]
  /// Whether as many of the form's tags are chosen as the field asks for.
  public let isEnough: Bool
}

extension TagsContent {
  /// What a saved value chooses; nil and other values choose nothing.
  public func selection(of value: FieldValue?) -> TagSelection {
    var ids: [OptionID] = []
    if case .tags(let saved) = value { ids = saved }
    let selected = tags.filter { ids.contains($0.id) }
    return TagSelection(
      selected: selected, unknown: ids.filter { id in !tags.contains { $0.id == id } },
      isEnough: isEnough(selected.count))
  }
}

extension DraftStore {
  /// Chooses and unchooses tags of a field, in one transaction.
  ///
  /// In a field of single choice, choosing a tag unchooses the one before.
  ///
  /// - Parameters:
  ///   - adding: ids, or names, of tags to choose.
  ///   - removing: ids, or names, of tags to unchoose; also of tags that the form has no more.
  ///   - key: the field.
  ///   - id: the draft.
  /// - Throws: ``StoreError`` for an unknown draft, field or tag; `DatabaseError`.
  @discardableResult
  public func selectTags(
    adding: [String] = [], removing: [String] = [], of key: String, in id: DraftID
  ) throws -> TagSelection {
    try updateTags(of: key, in: id) { ids, field, content in
      for name in removing {
        let tag = ids.first { $0.description == name } ?? content.tag(named: name)?.id
        guard let tag else { throw Self.unknown(name, field, content) }
        ids.removeAll { $0 == tag }
      }
      for name in adding {
        guard let tag = content.tag(named: name) else { throw Self.unknown(name, field, content) }
        content.choose(tag.id, in: &ids)
      }
    }
  }

  /// Chooses a tag that is not chosen, unchooses one that is, as a tap does.
  ///
  /// - Throws: ``StoreError``; `DatabaseError`.
  @discardableResult
  public func toggle(_ tag: OptionID, of key: String, in id: DraftID) throws -> TagSelection {
    try updateTags(of: key, in: id) { ids, field, content in
      if ids.contains(tag) {
        ids.removeAll { $0 == tag }
      } else if content.tags.contains(where: { $0.id == tag }) {
        content.choose(tag, in: &ids)
      } else {
        throw Self.unknown(tag.description, field, content)
      }
    }
  }

  private func updateTags(
    of key: String, in id: DraftID,
    _ change: @escaping @Sendable (inout [OptionID], FormField, TagsContent) throws -> Void
  ) throws -> TagSelection {
    // Told from within the transaction: reading it afterwards could fail, and what was saved would
    // be taken for not saved.
    let selection = Mutex(TagsContent([]).selection(of: nil))
    var edit = DraftEdit()
    edit.update(key) { field, saved in
      guard let content = field.tagsContent else { throw StoreError.notTags(field: field.key) }
      var ids: [OptionID] = []
      if case .tags(let saved) = saved { ids = saved }
      try change(&ids, field, content)
      selection.withLock { [ids] in $0 = content.selection(of: .tags(ids)) }
      return ids.isEmpty && saved == nil ? nil : .tags(ids)
    }
    try self.edit(id, edit)
    return selection.withLock { $0 }
  }

  private static func unknown(_ name: String, _ field: FormField, _ content: TagsContent)
    -> StoreError
  {
    .unknownTag(name, field: field.key, known: content.tags.map(\.id.description))
  }
}

extension TagsContent {
  /// Chooses a tag; in a single choice it takes the place of the one before.
  fileprivate func choose(_ tag: OptionID, in ids: inout [OptionID]) {
    guard !ids.contains(tag) else { return }
    ids = selection == .multiple ? ids + [tag] : [tag]
  }

  /// The tag with an id, or with a label that just one has.
  fileprivate func tag(named name: String) -> Tag? {
    if let tag = tags.first(where: { $0.id.description == name }) { return tag }
    let labelled = tags.filter { $0.labelName == name }
    return labelled.count == 1 ? labelled[0] : nil
  }
}
