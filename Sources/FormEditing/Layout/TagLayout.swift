import FormModel

/// Where tags stand that flow and wrap (`YAYTagMultipleChoiceView`).
///
/// An item's width is min(content width − 5, text width + left margin + right margin + 5), where the
/// content width is the container's without `leftM` and `rightM`. Items stand side by side, at least
/// `minimumInteritemSpacing` apart and as near as that, from the leading margin on; one that does not
/// fit begins the next line.
public struct TagLayout: Hashable, Sendable {
  /// One tag.
  public struct Item: Hashable, Sendable {
    public let frame: Frame
    /// The tag's name: `titleHeight` high, in the middle of the item's height.
    public let titleFrame: Frame
    /// Whether the name is too long for the item, and is cut off.
    public let isTruncated: Bool
  }

  /// The items in the order of the tags.
  public let items: [Item]
  /// From the container's top to the last line's bottom; `topM` where there are no tags.
  public let height: Double

  /// What UIKit's measure of a text falls short of, by the document.
  private static let slack = 5.0

  /// Computes the layout.
  ///
  /// - Parameters:
  ///   - names: the tags' names in their order.
  ///   - presentation: lengths and font.
  ///   - width: the container's width.
  ///   - direction: from right to left, all is mirrored, `leftM` and `itemLeftMargin` then stand on
  ///     the right.
  ///   - measurer: measures the names.
  public init(
    _ names: [String], _ presentation: TagPresentation, width: Double,
    direction: LayoutDirection = .leftToRight, measurer: some TextMeasurer
  ) {
    let font = Font(size: presentation.fontSize, weight: presentation.fontWeight)
    let (leading, trailing) = (
      presentation.itemLeftMargin.points, presentation.itemRightMargin.points
    )
    let (left, height) = (presentation.leftM.points, presentation.itemHeight.points)
    let contentWidth = max(0, width - left - presentation.rightM.points)
    var (x, y) = (left, presentation.topM.points)
    var items: [Item] = []
    for name in names {
      let textWidth = measurer.width(of: name, font: font)
      let itemWidth = max(
        0, min(contentWidth - Self.slack, textWidth + leading + trailing + Self.slack))
      if x > left, x + itemWidth > left + contentWidth {
        x = left
        y += height + presentation.minimumLineSpacing.points
      }
      let titleHeight = presentation.titleHeight.points
      var frame = Frame(x: x, y: y, width: itemWidth, height: height)
      var title = Frame(
        x: x + leading, y: y + (height - titleHeight) / 2,
        width: max(0, itemWidth - leading - trailing), height: titleHeight)
      let isTruncated = textWidth > title.width
      x += itemWidth + presentation.minimumInteritemSpacing.points
      if direction == .rightToLeft {
        frame = frame.mirrored(in: width)
        title = title.mirrored(in: width)
      }
      items.append(Item(frame: frame, titleFrame: title, isTruncated: isTruncated))
    }
    self.items = items
    self.height = items.last?.frame.maxY ?? presentation.topM.points
  }

  /// Computes the layout of a tags field.
  ///
  /// - Parameters:
  ///   - tags: the field.
  ///   - width: the container's width.
  ///   - direction: which way text runs.
  ///   - measurer: measures the names.
  public init(
    _ tags: TagsContent, width: Double, direction: LayoutDirection = .leftToRight,
    measurer: some TextMeasurer
  ) {
    self.init(
      tags.tags.map(\.labelName), tags.presentation, width: width, direction: direction,
      measurer: measurer)
  }
}
