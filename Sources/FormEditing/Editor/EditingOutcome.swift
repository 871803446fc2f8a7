import DraftStore
import FormModel

/// What a form answers to an event.
public struct EditingOutcome: Hashable, Sendable {
  /// Why the event was refused; nil when it was accepted.
  public var refusal: EditingRefusal?
  /// The key of the field that the event was about; nil when it was about all.
  public var key: String?
  /// What inputs show now: that of the event, and one whose input method's text the event ended.
  public var texts: [FieldText] = []
  /// Whether an input method's text is shown, neither checked nor saved yet.
  public var isComposing = false
  /// Whether a paste was cut to the input's length.
  public var isCut = false
  /// All errors that are to be seen now, in form order, each with how it is drawn.
  public var errors: [FieldError] = []
  /// The key of the field where the person is now; nil hides the keyboard.
  public var focus: String?
  /// What the return key did.
  public var returnResult: ReturnResult?
  /// The rows that became visible, required or enabled, or ceased to be.
  public var rows: [RowState] = []
  /// What is chosen in a tags field that was tapped, and whether that is enough; in the answer to
  /// opening a draft, of all tags fields.
  public var tags: [TagAnswer] = []
  /// The values that changed.
  public var changes: [ValueChange] = []
  /// The answer to ``EditingEvent/validate(_:)``.
  public var validation: Validation?

  public init(key: String? = nil) {
    self.key = key
  }

  /// Whether the event was accepted.
  public var isAccepted: Bool { refusal == nil }

  /// What the event's own input shows now; nil for events that are not about text.
  public var text: String? { fieldText?.text }

  /// What is selected in ``text``, in UTF-16 units; empty for a cursor. Nil leaves it as it is.
  public var selection: Range<Int>? { fieldText?.selection }

  private var fieldText: FieldText? {
    key.flatMap { key in texts.last { $0.key.hasSameBytes(as: key) } }
  }
}

/// What an input shows.
public struct FieldText: Hashable, Sendable {
  public let key: String
  /// The text, separators included.
  public let text: String
  /// What is selected, in UTF-16 units of the text; empty for a cursor. Nil leaves it as it is.
  public let selection: Range<Int>?
}

/// Why an event was refused; nothing changed then.
public enum EditingRefusal: String, Hashable, Sendable, CaseIterable {
  /// The form has no such field.
  case unknownField
  /// The field is of another kind than the event.
  case wrongKind
  case hidden
  case disabled
  /// The text would be longer than the input takes.
  case maxLength
  /// Two spaces in a row.
  case consecutiveSpaces
  /// The rule of a field that is verified at `stopEditing` does not hold.
  case rule
  case unknownOption
  /// As many tags as may be are chosen already.
  case tooManyTags
}

/// What the return key did.
public enum ReturnResult: String, Hashable, Sendable, CaseIterable {
  /// Nothing; the person goes on typing.
  case nothing
  /// The key stands for a line break, which the front end sends as a change.
  case newline
  case hidesKeyboard
  /// The next input has the focus.
  case next
}

/// What a row's conditions say.
public struct RowState: Hashable, Sendable {
  /// The row's place among all rows, counted from 0.
  public let row: Int
  public let isVisible: Bool
  public let isRequired: Bool
  public let isEnabled: Bool
}

/// What is chosen in a tags field.
public struct TagAnswer: Hashable, Sendable {
  public let key: String
  public let selection: TagSelection
}

/// A field that has another value now.
public struct ValueChange: Hashable, Sendable {
  public let key: String
  /// The value to save; nil takes the saved one away.
  public let value: FieldValue?
}

/// What a person learns who wants to submit.
public struct Validation: Hashable, Sendable {
  public let isValid: Bool
  public let firstErrorMsg: String?
}

extension ErrorType {
  /// Whether the separator line changes its colour.
  public var showsLine: Bool { self == .line || self == .lineAndLabel }

  /// Whether the message is shown.
  public var showsLabel: Bool { self == .label || self == .lineAndLabel }
}
