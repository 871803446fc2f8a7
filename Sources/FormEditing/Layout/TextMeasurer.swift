import FormModel

/// Measures text, so that layouts can be computed without a screen. A front end brings its own.
public protocol TextMeasurer {
  /// The width of a text on one line, in points.
  func width(of text: String, font: Font) -> Double
  /// The height of a text that wraps at a width, in points; that of one line for the empty text.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - font: its font.
  ///   - width: the width at which it wraps.
  ///   - lineBreakMode: where it wraps; modes that clip or truncate have one line.
  func height(of text: String, font: Font, width: Double, lineBreakMode: LineBreakMode) -> Double
}

/// A measurer by which every front end can compute the same frames: a Character is as wide as its
/// font's size when it is East Asian wide or an emoji, else half as wide; a line is 1.25 times as
/// high as its font's size. Text wraps between Characters.
///
/// It is what the test vectors are computed with, and suits terminals.
public struct GridTextMeasurer: TextMeasurer, Sendable {
  public init() {}

  public func width(of text: String, font: Font) -> Double {
    text.reduce(0) { $0 + Self.width(of: $1) } * font.size.points
  }

  public func height(
    of text: String, font: Font, width: Double, lineBreakMode: LineBreakMode
  ) -> Double {
    let wraps = lineBreakMode == .byCharWrapping || lineBreakMode == .byWordWrapping
    var (lines, used) = (1, 0.0)
    for character in text {
      if character.isNewline, wraps {
        (lines, used) = (lines + 1, 0)
        continue
      }
      let advance = Self.width(of: character) * font.size.points
      if wraps, used > 0, used + advance > width {
        (lines, used) = (lines + 1, 0)
      }
      used += advance
    }
    return Double(lines) * font.size.points * 1.25
  }

  /// In ems.
  private static func width(of character: Character) -> Double {
    guard let first = character.unicodeScalars.first else { return 0 }
    return switch first.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      1
    default: 0.5
    }
  }
}

/// A rectangle in points; `y` grows downwards.
public struct Frame: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double

  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  public var maxX: Double { x + width }
  public var maxY: Double { y + height }

  /// The frame as it stands in a container of a width where text runs from right to left.
  func mirrored(in width: Double) -> Frame {
    Frame(x: width - maxX, y: y, width: self.width, height: height)
  }
}

/// Which way text runs, and with it everything beside it.
public enum LayoutDirection: String, Hashable, Sendable, CaseIterable {
  case leftToRight, rightToLeft
}

extension DecimalNumber {
  /// The number as a length in points.
  var points: Double { Double(text) ?? 0 }
}
