// What a form that is being filled asks of a single field; `FormParam` asks the same of all.
extension FormStatus {
  /// What is wrong with a field's value, as ``FormParam`` would find it; nil when nothing is.
  ///
  /// - Parameters:
  ///   - value: the value, or nil for none.
  ///   - field: the field.
  ///   - isRequired: whether a blank value is an error.
  ///   - errorType: how it is drawn, or nil for how the field's own ``FormField/verify`` says.
  public func error(
    in value: FieldValue?, of field: FormField, isRequired: Bool = false,
    errorType: ErrorType? = nil
  ) -> FieldError? {
    let check = FieldCheck(mode: .strict, context: context)
    return check.problem(with: value, of: field, isRequired: isRequired).map {
      FieldError(field, $0, errorType: errorType ?? field.verify.errorType)
    }
  }

  /// Whether a field's rule alone holds for a value; it holds for a blank one, and without a rule.
  public func ruleHolds(for value: FieldValue, of field: FormField) -> Bool {
    guard let rule = field.verify.rule, !value.isBlank else { return true }
    return rule.holds(for: field.submitted(value), in: context)
  }
}
