import FormModel

/// The lengths of a cell that `ZJJFormUI` does not name.
public struct CellMetrics: Hashable, Sendable {
  /// Between the cell's sides and its text.
  public var margin = 15.0
  /// Between the label and the value, and above the error.
  public var gap = 8.0
  /// Of the arrow, where one is shown.
  public var arrowWidth = 8.0
  /// The most of the text's width that a label beside its value takes.
  public var keyShare = 0.5
  /// The least height of a cell that sizes itself; what a finger hits.
  public var minimumHeight = 44.0

  public init() {}
}

/// Where the parts of a row's cell stand, and how high it is.
///
/// Styles that end in 1, `default` and `option` have the label beside the value; those that end in 2
/// have it above, as have tags. Without a stated `cellHeight`, the cell is as high as its text needs
/// at its width, error and line included.
public struct CellLayout: Hashable, Sendable {
  public let height: Double
  public let keyFrame: Frame
  public let valueFrame: Frame
  /// Where an error is written; nil where none is.
  public let errorFrame: Frame?
  /// The arrow's place; nil where none is shown. Its height is the text's.
  public let arrowFrame: Frame?
  /// The separator; nil where it is hidden.
  public let lineFrame: Frame?

  /// What a cell shows.
  public struct Content: Hashable, Sendable {
    /// The label, with the star where there is one.
    public var key: String
    /// The value, or the placeholder.
    public var value: String
    /// Whether ``value`` is the placeholder.
    public var isPlaceholder: Bool
    /// The error's text, where the error is drawn with its label.
    public var error: String?
    /// The height of what stands for the value, such as a tag flow; nil for text.
    public var valueHeight: Double?

    public init(
      key: String, value: String, isPlaceholder: Bool = false, error: String? = nil,
      valueHeight: Double? = nil
    ) {
      self.key = key
      self.value = value
      self.isPlaceholder = isPlaceholder
      self.error = error
      self.valueHeight = valueHeight
    }
  }

  /// Computes the layout.
  ///
  /// - Parameters:
  ///   - content: what the cell shows.
  ///   - style: the row's style.
  ///   - ui: the row's fonts and lengths.
  ///   - width: the table's width; `cellSpace` is taken off on both sides.
  ///   - direction: from right to left, all is mirrored.
  ///   - metrics: the lengths that `ui` does not name.
  ///   - measurer: measures the texts.
  public init(
    _ content: Content, style: CellStyle, ui: FormUI, width: Double,
    direction: LayoutDirection = .leftToRight, metrics: CellMetrics = CellMetrics(),
    measurer: some TextMeasurer
  ) {
    let inset = ui.cellSpace.points + metrics.margin
    let arrow = ui.isShowArrow ? metrics.arrowWidth + metrics.gap : 0
    let inner = max(0, width - 2 * inset - arrow)
    func height(_ text: String, _ font: Font, _ width: Double) -> Double {
      measurer.height(of: text, font: font, width: width, lineBreakMode: ui.lineBreakMode)
    }

    let valueFont = content.isPlaceholder ? ui.placeholderFont : ui.valueTextFont
    var key = Frame(x: inset, y: metrics.margin, width: inner, height: 0)
    var value = key
    if style.hasKeyAbove || content.valueHeight != nil {
      key.height = content.key.isEmpty ? 0 : height(content.key, ui.keyTextFont, inner)
      value.y = key.maxY + (content.key.isEmpty ? 0 : metrics.gap)
    } else if !content.key.isEmpty {
      let keyWidth = measurer.width(of: content.key, font: ui.keyTextFont)
      key.width = min(keyWidth, inner * metrics.keyShare)
      key.height = height(content.key, ui.keyTextFont, key.width)
      value.x = key.maxX + metrics.gap
      value.width = max(0, inner - key.width - metrics.gap)
    } else {
      key.width = 0
    }
    value.height = content.valueHeight ?? height(content.value, valueFont, value.width)

    var bottom = max(key.maxY, value.maxY)
    var error: Frame?
    if let message = content.error, !message.isEmpty {
      let frame = Frame(
        x: inset, y: bottom + metrics.gap, width: inner,
        height: height(message, ui.errorFont, inner))
      error = frame
      bottom = frame.maxY
    }
    let lineHeight = ui.isHiddenLine ? 0 : ui.lineHeight.points
    let automatic = max(metrics.minimumHeight, bottom + metrics.margin + lineHeight)
    let height = ui.cellHeight?.points ?? automatic

    let line = Frame(
      x: ui.cellSpace.points + ui.lineLeftMargin.points, y: height - lineHeight,
      width: max(
        0, width - 2 * ui.cellSpace.points - ui.lineLeftMargin.points - ui.lineRightMargin.points),
      height: lineHeight)
    let arrowFrame = Frame(
      x: width - inset - metrics.arrowWidth, y: metrics.margin, width: metrics.arrowWidth,
      height: max(0, max(key.maxY, value.maxY) - metrics.margin))
    func placed(_ frame: Frame) -> Frame {
      direction == .rightToLeft ? frame.mirrored(in: width) : frame
    }
    self.height = height
    keyFrame = placed(key)
    valueFrame = placed(value)
    errorFrame = error.map(placed)
    self.arrowFrame = ui.isShowArrow ? placed(arrowFrame) : nil
    lineFrame = ui.isHiddenLine ? nil : placed(line)
  }
}

extension CellStyle {
  /// Whether the label stands above the value.
  fileprivate var hasKeyAbove: Bool {
    switch self {
    case .value2, .input2, .textView2: true
    default: false
    }
  }
}
