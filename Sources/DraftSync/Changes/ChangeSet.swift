import FormModel

/// What differs, field by field, between a draft's `FormParam` and the one it starts from.
///
/// Applied to the base it gives the draft's `FormParam`. Values are compared as typed values, so
/// that 1.50 and 1.5 do not differ.
public struct ChangeSet: Hashable, Sendable {
  /// The number of the submission that it starts from, or nil when there is none.
  public let base: Int?
  /// The changes in form order, then what was removed in the base's order.
  public let changes: [FieldChange]

  public var isEmpty: Bool { changes.isEmpty }

  public init(base: Int? = nil, changes: [FieldChange]) {
    self.base = base
    self.changes = changes
  }

  /// The changes that lead from one set of values to another.
  ///
  /// - Parameters:
  ///   - base: the number of the submission that holds the base's values, or nil.
  ///   - old: the base's values.
  ///   - new: the draft's values.
  ///   - keptKeys: keys that are no removal when they are missing in `new`: those that were filtered
  ///     out for the app, and those of hidden rows whose value the server keeps.
  public init(
    base: Int? = nil, from old: [FormParam.Entry], to new: [FormParam.Entry],
    keeping keptKeys: [String] = []
  ) {
    var finder = EntryFinder(old)
    var changes: [FieldChange] = []
    for entry in new {
      if let value = finder.take(entry.serviceKey)?.value {
        guard !value.isSameOnTheWire(as: entry.value) else { continue }
        changes.append(.changed(entry.serviceKey, from: value, to: entry.value))
      } else {
        changes.append(.added(entry.serviceKey, entry.value))
      }
    }
    for entry in finder.left
    where !keptKeys.contains(where: { $0.hasSameBytes(as: entry.serviceKey) }) {
      changes.append(.removed(entry.serviceKey, entry.value))
    }
    self.init(base: base, changes: changes)
  }

  /// The values after the changes: those of the base that stay, in their order, then the added ones.
  public func applied(to old: [FormParam.Entry]) -> [FormParam.Entry] {
    var changed = EntryFinder(changes)
    var result: [FormParam.Entry] = []
    for entry in old {
      guard let change = changed.take(entry.serviceKey) else {
        result.append(entry)
        continue
      }
      if let new = change.new {
        result.append(FormParam.Entry(serviceKey: entry.serviceKey, value: new))
      }
    }
    for change in changed.left {
      if let new = change.new {
        result.append(FormParam.Entry(serviceKey: change.serviceKey, value: new))
      }
    }
    return result
  }
}

/// A field that differs.
public struct FieldChange: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case added, changed, removed
  }

  public let serviceKey: String
  /// The base's value; nil when it has none.
  public let old: FieldValue?
  /// The draft's value; nil when it has none.
  public let new: FieldValue?

  public var kind: Kind {
    if old == nil { .added } else if new == nil { .removed } else { .changed }
  }

  public static func added(_ key: String, _ new: FieldValue) -> FieldChange {
    FieldChange(serviceKey: key, old: nil, new: new)
  }

  public static func changed(
    _ key: String, from old: FieldValue, to new: FieldValue
  ) -> FieldChange {
    FieldChange(serviceKey: key, old: old, new: new)
  }

  public static func removed(_ key: String, _ old: FieldValue) -> FieldChange {
    FieldChange(serviceKey: key, old: old, new: nil)
  }
}
