extension Unicode.Scalar {
  /// Whether terminals draw it over two columns (East Asian Width W and F, Unicode UAX #11).
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
      0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1B000...0x1B2FF,
      0x1F200...0x1F2FF, 0x20000...0x3FFFD:
      true
    default:
      properties.isEmojiPresentation
    }
  }

  /// Whether it takes no column of its own: marks, joiners and other format characters.
  fileprivate var isZeroWidth: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    default: (0x1160...0x11FF).contains(value)
    }
  }
}

extension Character {
  /// The columns of a terminal that it takes.
  var displayWidth: Int {
    var width = 0
    for scalar in unicodeScalars where !scalar.isZeroWidth {
      if scalar.isWide { return 2 }
      width = 1
    }
    // A text character that is asked to be drawn as an emoji.
    return width == 1 && unicodeScalars.contains("\u{FE0F}") ? 2 : width
  }
}

extension String {
  /// The columns of a terminal that it takes.
  var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// The text with spaces up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }

  /// The text cut to a width, with a mark where something is cut off.
  func truncated(to width: Int) -> String {
    var (result, used) = ("", 0)
    for character in self {
      let next = used + character.displayWidth
      // A text that fits needs no place for the mark.
      guard next < width || (next == width && displayWidth(isWithin: width)) else {
        return result + "…"
      }
      result.append(character)
      used = next
    }
    return result
  }

  private func displayWidth(isWithin width: Int) -> Bool {
    var used = 0
    for character in self {
      used += character.displayWidth
      if used > width { return false }
    }
    return true
  }

  /// The text on one line, without characters that a terminal would obey.
  var printable: String {
    guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": scalars.append(contentsOf: "\\n".unicodeScalars)
      case "\r": scalars.append(contentsOf: "\\r".unicodeScalars)
      case "\t": scalars.append(contentsOf: "\\t".unicodeScalars)
      case _ where scalar.isUnprintable:
        scalars.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default: scalars.append(scalar)
      }
    }
    return String(scalars)
  }
}

extension Unicode.Scalar {
  /// Control characters, line separators and those that turn the direction of what follows.
  fileprivate var isUnprintable: Bool {
    properties.generalCategory == .control
      || [0x2028, 0x2029].contains(value) || (0x202A...0x202E).contains(value)
      || (0x2066...0x2069).contains(value)
  }
}
