import FormModel

/// One change of an input's text, held against what the input allows.
struct InputEdit {
  /// The text afterwards, without separators.
  let text: String
  /// The cursor afterwards, in UTF-16 units of the text as shown.
  let cursor: Int
  let isCut: Bool

  /// Makes the change.
  ///
  /// - Parameters:
  ///   - change: the change of the shown text, its range clamped to it.
  ///   - shown: the text before.
  ///   - input: what the input allows.
  ///   - isWhole: whether the person means the text as a whole, so that a missing separator is no
  ///     deletion.
  ///   - ruleHolds: whether a text may be; asked for `stopEditing`.
  init(
    _ change: TextChange, in shown: ShownText, _ input: InputContent, isWhole: Bool = false,
    ruleHolds: (String) -> Bool
  ) throws(Refused) {
    var range =
      shown.rawOffset(change.range.lowerBound)..<shown.rawOffset(change.range.upperBound)
    let replacement = input.format?.submitted(change.replacement) ?? change.replacement
    if change.replacement.isEmpty, !change.range.isEmpty, range.isEmpty, !isWhole {
      range = Self.neighbour(of: range.lowerBound, in: shown.raw, isNext: change.deletesForward)
    }
    guard !replacement.isEmpty else {
      // Deleting is never refused.
      self.init(shown, range, "", input.format, isCut: false)
      return
    }
    let fitting = try Self.fitting(replacement, shown.raw, range, limit: input.typingLimit)
    if !input.isConsecutiveSpaces, Self.doublesSpace(shown.raw, range, fitting) {
      throw Refused(.consecutiveSpaces)
    }
    self.init(
      shown, range, fitting, input.format,
      isCut: fitting.utf8.count < replacement.utf8.count)
    if input.verify.type == .stopEditing, !ruleHolds(text) { throw Refused(.rule) }
  }

  struct Refused: Error {
    let reason: EditingRefusal
    init(_ reason: EditingRefusal) { self.reason = reason }
  }

  private init(
    _ shown: ShownText, _ range: Range<Int>, _ replacement: String, _ format: InputFormat?,
    isCut: Bool
  ) {
    let text = ShownText(shown.raw.replacing(range, with: replacement), format)
    self.text = text.raw
    self.isCut = isCut
    // What was typed last stands before the cursor; after a deletion the cursor stays in its group.
    let raw = min(range.lowerBound + replacement.utf16.count, text.raw.utf16.count)
    cursor = text.shownOffset(raw, afterSeparator: replacement.isEmpty)
  }

  /// The Character beside a place: the one that a deletion of only a separator means.
  private static func neighbour(of offset: Int, in text: String, isNext: Bool) -> Range<Int> {
    let index = text.scalarIndex(offset)
    if isNext {
      guard index < text.endIndex else { return offset..<offset }
      return offset..<text.index(after: index).utf16Offset(in: text)
    }
    guard index > text.startIndex else { return offset..<offset }
    return text.index(before: index).utf16Offset(in: text)..<offset
  }

  /// Whether a change brings two spaces together, or is the system's shortcut that makes a full
  /// stop of them.
  private static func doublesSpace(
    _ text: String, _ range: Range<Int>, _ replacement: String
  ) -> Bool {
    if replacement == ". ", text.part(range) == " " { return true }
    let before = text.part(0..<range.lowerBound).unicodeScalars.suffix(1)
    let after = text.part(range.upperBound..<text.utf16.count).unicodeScalars.prefix(1)
    var wasSpace = false
    for scalar in Array(before) + Array(replacement.unicodeScalars) + Array(after) {
      if scalar == " ", wasSpace { return true }
      wasSpace = scalar == " "
    }
    return false
  }

  /// As much of the replacement as the input takes. One Character too many is refused, a paste of
  /// more is cut. Text that is too long already, as from elsewhere, may stay as long as it is.
  private static func fitting(
    _ replacement: String, _ text: String, _ range: Range<Int>, limit: Int
  ) throws(Refused) -> String {
    // No text has more Characters than bytes, and most is far from the limit.
    if text.utf8.count + replacement.utf8.count <= limit { return replacement }
    let limit = max(limit, text.count)
    var surplus = text.replacing(range, with: replacement).count - limit
    guard surplus > 0 else { return replacement }
    guard surplus > 1 else { throw Refused(.maxLength) }
    var kept = replacement
    while surplus > 0, !kept.isEmpty {
      kept.removeLast(min(surplus, kept.count))
      surplus = text.replacing(range, with: kept).count - limit
    }
    guard !kept.isEmpty || !range.isEmpty else { throw Refused(.maxLength) }
    return kept
  }
}
