/// How a cell looks (`ZJJFormUI`), with that document's defaults. Lengths are in points.
public struct FormUI: Hashable, Sendable {
  /// Nil lets the cell size itself (`UITableView.automaticDimension`).
  public var cellHeight: DecimalNumber?
  public var cellSpace: DecimalNumber = .zero
  public var isShowArrow = false
  public var isHiddenLine = false
  public var lineLeftMargin: DecimalNumber = 15
  public var lineHeight = DecimalNumber(literal: "0.5")
  public var lineRightMargin: DecimalNumber = 15
  public var separatorLineColor = Color(0x6B_69_78_4D)
  public var errorFont = Font(size: 12)
  public var errorColor = Color(0xFF_00_00_FF)
  public var starColor = Color(0xFF_00_00_FF)
  public var lineBreakMode = LineBreakMode.byCharWrapping
  public var keyTextColor = Color(0x00_00_00_FF)
  public var valueTextColor = Color(0x00_00_00_FF)
  public var keyTextFont = Font(size: 16)
  public var valueTextFont = Font(size: 16)
  public var placeholderColor = Color(0x6B_69_78_80)
  public var placeholderFont = Font(size: 14)
  public var inputTextAlignment = TextAlignment.right

  public init() {}
}

/// How a tag field looks (`YAYTagMultipleChoiceOption`), with that document's defaults. Lengths
/// are in points.
public struct TagPresentation: Hashable, Sendable {
  public var leftM: DecimalNumber = 24
  public var rightM: DecimalNumber = 24
  public var topM: DecimalNumber = 25
  public var titleHeight: DecimalNumber = 22
  public var itemHeight: DecimalNumber = 46
  public var itemCorner: DecimalNumber = 23
  public var minimumLineSpacing: DecimalNumber = 16
  public var minimumInteritemSpacing: DecimalNumber = 16
  public var fontSize: DecimalNumber = 16
  public var fontWeight = FontWeight.medium
  public var itemLeftMargin: DecimalNumber = 24
  public var itemRightMargin: DecimalNumber = 24
  public var itemBackGroundColor = Color(0xFF_FF_FF_FF)
  public var itemTextColor = Color(0x33_33_33_FF)
  public var themeColor = Color(0x00_7A_FF_FF)
  /// Nil stands for the theme's colour, here and below at the document's strength.
  public var selectedItemTextColor: Color?
  public var selectedItemBackgourdColor: Color?
  public var borderColor: Color?
  public var selectedBorderColor: Color?
  public var borderWidth: DecimalNumber = 1

  public init() {}

  /// The colours in effect: the selected background is the theme's colour at 0.08, the border's at
  /// 0.12, unless the row states others.
  public var effectiveSelectedItemTextColor: Color { selectedItemTextColor ?? themeColor }
  public var effectiveSelectedItemBackgroundColor: Color {
    selectedItemBackgourdColor ?? themeColor.withAlpha(0.08)
  }
  public var effectiveBorderColor: Color { borderColor ?? themeColor.withAlpha(0.12) }
  public var effectiveSelectedBorderColor: Color { selectedBorderColor ?? themeColor }
}

/// A colour as RGBA, 8 bits each.
public struct Color: Hashable, Sendable, CustomStringConvertible {
  /// 0xRRGGBBAA
  public let rgba: UInt32

  public init(_ rgba: UInt32) {
    self.rgba = rgba
  }

  /// A colour from `#RRGGBB` or `#RRGGBBAA`, or nil.
  public init?(hex text: String) {
    guard text.utf8.first == UInt8(ascii: "#"), text.utf8.count == 7 || text.utf8.count == 9,
      text.dropFirst().allSatisfy(\.isHexDigit), let value = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    rgba = text.utf8.count == 7 ? value << 8 | 0xFF : value
  }

  /// The same colour with an opacity of 0…1.
  public func withAlpha(_ alpha: Double) -> Color {
    Color(rgba & 0xFFFF_FF00 | UInt32(min(max(alpha, 0), 1) * 255 + 0.5))
  }

  /// `#RRGGBBAA`
  public var description: String {
    let digits = String(rgba, radix: 16, uppercase: true)
    return "#" + String(repeating: "0", count: 8 - digits.count) + digits
  }
}

/// A system font's size in points, and its weight.
public struct Font: Hashable, Sendable {
  public var size: DecimalNumber
  public var weight: FontWeight

  public init(size: DecimalNumber, weight: FontWeight = .regular) {
    self.size = size
    self.weight = weight
  }
}

/// The weights of `UIFont.Weight`.
public enum FontWeight: String, Hashable, Sendable, CaseIterable {
  case ultraLight, thin, light, regular, medium, semibold, bold, heavy, black
}

/// The modes of `NSLineBreakMode`.
public enum LineBreakMode: String, Hashable, Sendable, CaseIterable {
  case byWordWrapping, byCharWrapping, byClipping, byTruncatingHead, byTruncatingTail
  case byTruncatingMiddle
}

/// The alignments of `NSTextAlignment`.
public enum TextAlignment: String, Hashable, Sendable, CaseIterable {
  case left, center, right, justified, natural
}
