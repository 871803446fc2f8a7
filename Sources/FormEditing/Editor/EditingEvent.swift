import FormModel

/// What a person does in a form. Each names the field by its key: the service key, or the label of
/// a row that has none; the two halves of a pair have a key each.
public enum EditingEvent: Hashable, Sendable {
  /// The field is where the person is now: an input's keyboard comes up, a list is opened.
  case begin(key: String)
  /// Text was typed, pasted, cut or deleted in an input.
  case change(key: String, TextChange)
  /// An input's text as it is shown as a whole, from a front end that knows no ranges, or that is
  /// told too late whether an input method is at work (`UITextView`: send this from
  /// `textViewDidChange`, composing while there is a `markedTextRange`).
  case enter(key: String, text: String, isComposing: Bool = false)
  /// An input method's text was committed as it stands.
  case endComposition(key: String)
  /// The field is left.
  case end(key: String)
  /// The return key of an input.
  case returnKey(key: String)
  /// An option is picked, also for either half of a pair; nil picks none.
  case select(key: String, OptionID?)
  /// A tag is tapped.
  case toggle(key: String, tag: OptionID)
  /// The app's own cell has a value; nil takes it away.
  case set(key: String, FieldValue?)
  /// The person wants to submit: all errors are shown, drawn in this way.
  case validate(ErrorType)

  /// The key of the field that it is about; nil for all of them.
  public var key: String? {
    switch self {
    case .begin(let key), .change(let key, _), .enter(let key, _, _), .endComposition(let key),
      .end(let key), .returnKey(let key), .select(let key, _), .toggle(let key, _),
      .set(let key, _):
      key
    case .validate: nil
    }
  }
}

/// A change of the text that an input shows.
public struct TextChange: Hashable, Sendable {
  /// What is replaced, in UTF-16 units of the text as shown, as `UITextField` and the DOM count.
  public var range: Range<Int>
  public var replacement: String
  /// Whether the text is an input method's, not committed yet (marked text).
  public var isComposing: Bool
  /// Whether a deletion goes forward, as that of the Delete key. It matters across a separator.
  public var deletesForward: Bool

  public init(
    _ range: Range<Int>, _ replacement: String, isComposing: Bool = false,
    deletesForward: Bool = false
  ) {
    self.range = range
    self.replacement = replacement
    self.isComposing = isComposing
    self.deletesForward = deletesForward
  }
}
