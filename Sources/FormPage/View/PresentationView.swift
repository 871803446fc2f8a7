import FormModel

extension FormUI {
  /// The settings in full. A colour that is the document's own is left out: the page has one for
  /// bright and one for dark surroundings in its place.
  var json: JSONValue {
    let standard = FormUI()
    func color(_ color: Color, _ standard: Color) -> JSONValue {
      color == standard ? .null : color.json
    }
    return [
      "cellHeight": cellHeight.map(JSONValue.number) ?? .null, "cellSpace": .number(cellSpace),
      "isShowArrow": .bool(isShowArrow), "isHiddenLine": .bool(isHiddenLine),
      "lineLeftMargin": .number(lineLeftMargin), "lineHeight": .number(lineHeight),
      "lineRightMargin": .number(lineRightMargin),
      "separatorLineColor": color(separatorLineColor, standard.separatorLineColor),
      "errorFont": errorFont.json, "errorColor": color(errorColor, standard.errorColor),
      "starColor": color(starColor, standard.starColor),
      "lineBreakMode": .string(lineBreakMode.rawValue),
      "keyTextColor": color(keyTextColor, standard.keyTextColor),
      "valueTextColor": color(valueTextColor, standard.valueTextColor),
      "keyTextFont": keyTextFont.json, "valueTextFont": valueTextFont.json,
      "placeholderColor": color(placeholderColor, standard.placeholderColor),
      "placeholderFont": placeholderFont.json,
      "inputTextAlignment": .string(inputTextAlignment.rawValue),
    ]
  }
}

extension TagPresentation {
  /// The settings in full, colours as in ``FormUI/json``.
  var json: JSONValue {
    let standard = TagPresentation()
    return [
      "leftM": .number(leftM), "rightM": .number(rightM), "topM": .number(topM),
      "titleHeight": .number(titleHeight), "itemHeight": .number(itemHeight),
      "itemCorner": .number(itemCorner), "minimumLineSpacing": .number(minimumLineSpacing),
      "minimumInteritemSpacing": .number(minimumInteritemSpacing),
      "font": Font(size: fontSize, weight: fontWeight).json,
      "itemLeftMargin": .number(itemLeftMargin), "itemRightMargin": .number(itemRightMargin),
      "itemBackGroundColor":
        itemBackGroundColor == standard.itemBackGroundColor ? .null : itemBackGroundColor.json,
      "itemTextColor": itemTextColor == standard.itemTextColor ? .null : itemTextColor.json,
      "themeColor": themeColor == standard.themeColor ? .null : themeColor.json,
      // The page makes those that are not stated of the theme's.
      "selectedItemTextColor": selectedItemTextColor?.json ?? .null,
      "selectedItemBackgroundColor": selectedItemBackgourdColor?.json ?? .null,
      "borderColor": borderColor?.json ?? .null,
      "selectedBorderColor": selectedBorderColor?.json ?? .null,
      "borderWidth": .number(borderWidth),
    ]
  }
}

extension Color {
  fileprivate var json: JSONValue { .string(description) }
}

extension Font {
  fileprivate var json: JSONValue { ["size": .number(size), "weight": .count(weight.number)] }
}

extension FontWeight {
  /// The weight as style sheets count it.
  fileprivate var number: Int {
    switch self {
    case .ultraLight: 100
    case .thin: 200
    case .light: 300
    case .regular: 400
    case .medium: 500
    case .semibold: 600
    case .bold: 700
    case .heavy: 800
    case .black: 900
    }
  }
}
