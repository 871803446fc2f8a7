/// Reads `ui` and `presentation`, where a setting that is left out has its document's default.
enum PresentationReader {
  static func formUI(_ object: DefinitionObject) -> FormUI {
    var ui = FormUI()
    ui.cellHeight = object.decimal("cellHeight")
    ui.cellSpace = object.decimal("cellSpace") ?? ui.cellSpace
    ui.isShowArrow = object.bool("isShowArrow", default: ui.isShowArrow)
    ui.isHiddenLine = object.bool("isHiddenLine", default: ui.isHiddenLine)
    ui.lineLeftMargin = object.decimal("lineLeftMargin") ?? ui.lineLeftMargin
    ui.lineHeight = object.decimal("lineHeight") ?? ui.lineHeight
    ui.lineRightMargin = object.decimal("lineRightMargin") ?? ui.lineRightMargin
    ui.separatorLineColor = object.color("separatorLineColor") ?? ui.separatorLineColor
    ui.errorFont = font("errorFont", of: object) ?? ui.errorFont
    ui.errorColor = object.color("errorColor") ?? ui.errorColor
    ui.starColor = object.color("starColor") ?? ui.starColor
    ui.lineBreakMode = object.name("lineBreakMode", default: ui.lineBreakMode)
    ui.keyTextColor = object.color("keyTextColor") ?? ui.keyTextColor
    ui.valueTextColor = object.color("valueTextColor") ?? ui.valueTextColor
    ui.keyTextFont = font("keyTextFont", of: object) ?? ui.keyTextFont
    ui.valueTextFont = font("valueTextFont", of: object) ?? ui.valueTextFont
    ui.placeholderColor = object.color("placeholderColor") ?? ui.placeholderColor
    ui.placeholderFont = font("placeholderFont", of: object) ?? ui.placeholderFont
    ui.inputTextAlignment = object.name("inputTextAlignment", default: ui.inputTextAlignment)
    object.finish()
    return ui
  }

  private static func font(_ key: String, of object: DefinitionObject) -> Font? {
    guard let font = object.object(key) else { return nil }
    let size = font.decimal("size")
    if font.object["size"] == nil { font.report("\"size\" is missing: the font's size in points") }
    let weight: FontWeight = font.name("weight", default: .regular)
    font.finish()
    return size.map { Font(size: $0, weight: weight) }
  }

  static func tags(_ object: DefinitionObject) -> TagPresentation {
    var tags = TagPresentation()
    tags.leftM = object.decimal("leftM") ?? tags.leftM
    tags.rightM = object.decimal("rightM") ?? tags.rightM
    tags.topM = object.decimal("topM") ?? tags.topM
    tags.titleHeight = object.decimal("titleHeight") ?? tags.titleHeight
    tags.itemHeight = object.decimal("itemHeight") ?? tags.itemHeight
    tags.itemCorner = object.decimal("itemCorner") ?? tags.itemCorner
    tags.minimumLineSpacing = object.decimal("minimumLineSpacing") ?? tags.minimumLineSpacing
    tags.minimumInteritemSpacing =
      object.decimal("minimumInteritemSpacing") ?? tags.minimumInteritemSpacing
    tags.fontSize = object.decimal("fontSize") ?? tags.fontSize
    tags.fontWeight = object.name("fontWeight", default: tags.fontWeight)
    tags.itemLeftMargin = object.decimal("itemLeftMargin") ?? tags.itemLeftMargin
    tags.itemRightMargin = object.decimal("itemRightMargin") ?? tags.itemRightMargin
    tags.itemBackGroundColor = object.color("itemBackGroundColor") ?? tags.itemBackGroundColor
    tags.itemTextColor = object.color("itemTextColor") ?? tags.itemTextColor
    tags.themeColor = object.color("themeColor") ?? tags.themeColor
    tags.selectedItemTextColor = object.color("selectedItemTextColor")
    tags.selectedItemBackgourdColor = object.color("selectedItemBackgourdColor")
    tags.borderColor = object.color("borderColor")
    tags.selectedBorderColor = object.color("selectedBorderColor")
    tags.borderWidth = object.decimal("borderWidth") ?? tags.borderWidth
    object.finish()
    return tags
  }
}
