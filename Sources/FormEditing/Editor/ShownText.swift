import FormModel

/// An input's text with its display format, and where a place in one is in the other. Places are
/// counted in UTF-16 units.
struct ShownText {
  /// The text without separators.
  let raw: String
  /// The text as shown.
  let shown: String
  private let groupsOf: Int
  private let separatorLength: Int
  /// Where each Character of ``raw`` starts, and its end; empty without a format.
  private let starts: [Int]

  init(_ text: String, _ format: InputFormat?) {
    guard let format, format.groupsOf > 0, !format.separator.isEmpty else {
      (raw, shown, groupsOf, separatorLength, starts) = (text, text, 0, 0, [])
      return
    }
    raw = format.submitted(text)
    shown = format.display(raw)
    groupsOf = format.groupsOf
    separatorLength = format.separator.utf16.count
    var starts = [0]
    for character in raw { starts.append((starts.last ?? 0) + character.utf16.count) }
    self.starts = starts
  }

  /// Where a place in the shown text is in the raw one; within a separator, it is at its start.
  func rawOffset(_ shownOffset: Int) -> Int {
    guard !starts.isEmpty else { return shownOffset }
    var (low, high) = (0, starts.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if shownStart(middle) <= shownOffset { low = middle } else { high = middle - 1 }
    }
    let end = low + 1 < starts.count ? starts[low + 1] : starts[low]
    return min(starts[low] + max(0, shownOffset - shownStart(low)), end)
  }

  /// Where a place in the raw text is in the shown one.
  ///
  /// - Parameters:
  ///   - rawOffset: the place.
  ///   - afterSeparator: whether a place between two groups is that after the separator.
  func shownOffset(_ rawOffset: Int, afterSeparator: Bool) -> Int {
    guard !starts.isEmpty else { return rawOffset }
    let index = starts.lastIndex { $0 <= rawOffset } ?? 0
    let shown = shownStart(index) + rawOffset - starts[index]
    let isBetweenGroups =
      index > 0 && index < starts.count - 1 && index % groupsOf == 0 && starts[index] == rawOffset
    return isBetweenGroups && !afterSeparator ? shown - separatorLength : shown
  }

  /// Where a Character of the raw text, or its end, stands in the shown one.
  private func shownStart(_ index: Int) -> Int {
    // No separator follows the last Character.
    let separators = index == starts.count - 1 ? max(0, index - 1) / groupsOf : index / groupsOf
    return starts[index] + separators * separatorLength
  }
}

extension String {
  /// The index of a place in UTF-16 units; a place beyond the end is at the end, and one within a
  /// scalar, which can't be cut, is at its start or end.
  func scalarIndex(_ utf16Offset: Int, roundsUp: Bool = false) -> Index {
    let offset = min(max(0, utf16Offset), utf16.count)
    let index = utf16.index(utf16.startIndex, offsetBy: offset)
    if index.samePosition(in: unicodeScalars) != nil { return index }
    return utf16.index(index, offsetBy: roundsUp ? 1 : -1)
  }

  /// The range with both ends at scalars, as ``scalarIndex(_:roundsUp:)`` moves them.
  func scalarRange(_ range: Range<Int>) -> Range<Int> {
    let lower = scalarIndex(range.lowerBound).utf16Offset(in: self)
    let upper = scalarIndex(range.upperBound, roundsUp: true).utf16Offset(in: self)
    return lower..<max(lower, upper)
  }

  /// The part of a range in UTF-16 units.
  func part(_ range: Range<Int>) -> Substring {
    self[scalarIndex(range.lowerBound)..<scalarIndex(range.upperBound, roundsUp: true)]
  }

  /// The text with a part replaced.
  func replacing(_ range: Range<Int>, with replacement: String) -> String {
    String(part(0..<range.lowerBound)) + replacement
      + String(part(range.upperBound..<max(range.upperBound, utf16.count)))
  }

  /// The smallest change that makes another text of this one, or nil when both have the same bytes.
  func change(to other: String) -> TextChange? {
    guard !hasSameBytes(as: other) else { return nil }
    let (old, new) = (Array(unicodeScalars), Array(other.unicodeScalars))
    let prefix = zip(old, new).prefix { $0 == $1 }.count
    let rest = min(old.count, new.count) - prefix
    let suffix = zip(old.reversed(), new.reversed()).prefix(rest).prefix { $0 == $1 }.count
    let start = old[..<prefix].reduce(0) { $0 + $1.utf16.count }
    let end = old[..<(old.count - suffix)].reduce(0) { $0 + $1.utf16.count }
    var replacement = String.UnicodeScalarView()
    replacement.append(contentsOf: new[prefix..<(new.count - suffix)])
    return TextChange(start..<end, String(replacement))
  }
}
