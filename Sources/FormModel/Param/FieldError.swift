/// Why a field's value can't be submitted.
public struct FieldError: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of fault.
  public enum Reason: String, Hashable, Sendable {
    /// Required and blank.
    case required
    /// Not a value of the field's data type.
    case type
    /// An option or tag that the form does not have.
    case unknownOption
    /// Fewer tags than `leastChoiceCount`.
    case tooFewTags
    /// More tags than `mostChoiceCount`.
    case tooManyTags
    /// Longer than the stated `maxLength`.
    case tooLong
    /// The rule does not hold.
    case rule
  }

  /// The field's key: its service key, or the row's label where it has none.
  public let key: String
  /// The row's label.
  public let label: String
  public let reason: Reason
  /// The row's `errorMsg`, or a sentence made with its label.
  public let message: String
  /// How the row shall draw it.
  public let errorType: ErrorType

  public var description: String { "\(key): \(message)" }

  init(_ field: FormField, _ reason: Reason, errorType: ErrorType) {
    key = field.key
    label = field.label
    self.reason = reason
    message = field.verify.errorMsg ?? reason.sentence(for: field)
    self.errorType = errorType
  }
}

extension FieldError.Reason {
  /// A sentence for rows that state none. It never holds the value, which may be sensitive.
  fileprivate func sentence(for field: FormField) -> String {
    let label = field.label
    return switch self {
    case .required: "\(label): please fill this in"
    case .type: "\(label): expected \(field.dataType.expectation)"
    case .unknownOption: "\(label): the form has no such option"
    case .tooFewTags: "\(label): choose at least \(field.tagsContent?.leastChoiceCount ?? 1)"
    case .tooManyTags: "\(label): choose at most \(field.tagsContent?.limit ?? 1)"
    case .tooLong: "\(label): at most \(field.inputContent?.typingLimit ?? 0) characters"
    case .rule:
      "\(label): "
        + (field.verify.rule?.expectation.map { "expected \($0)" } ?? "the value is not valid")
    }
  }
}

extension FormField {
  public var tagsContent: TagsContent? {
    if case .tags(let tags) = content { tags } else { nil }
  }

  public var inputContent: InputContent? {
    if case .input(let input) = content { input } else { nil }
  }
}

/// The verification of fields.
struct FieldCheck {
  let mode: FormParam.Options.Mode
  let context: RuleContext

  /// What is wrong with the value, or nil.
  func problem(
    with value: FieldValue?, of field: FormField, isRequired: Bool
  ) -> FieldError.Reason? {
    guard let value, !value.isBlank else { return isRequired ? .required : nil }
    guard mode == .strict else { return nil }
    guard value.isOf(field.dataType) else { return .type }
    switch field.content {
    case .options(let options):
      if case .option(let id) = value, !options.contains(where: { $0.id == id }) {
        return .unknownOption
      }
    case .tags(let tags):
      if case .tags(let ids) = value, let problem = problem(with: ids, in: tags) { return problem }
    case .input(let input):
      if let limit = input.maxLength, field.submitted(value).text.count > limit { return .tooLong }
    case .text, .custom:
      break
    }
    guard let rule = field.verify.rule else { return nil }
    return rule.holds(for: field.submitted(value), in: context) ? nil : .rule
  }

  private func problem(with ids: [OptionID], in tags: TagsContent) -> FieldError.Reason? {
    if ids.contains(where: { id in !tags.tags.contains { $0.id == id } }) { return .unknownOption }
    // A tag that is named twice is chosen and submitted once.
    let count = tags.ordered(ids).count
    if !tags.isEnough(count) { return .tooFewTags }
    if let limit = tags.limit, count > limit { return .tooManyTags }
    return nil
  }
}
