import FormModel

/// A definition that uses every setting, rule and condition there is.
enum SampleForms {
  static let registry: RuleRegistry = {
    var registry = RuleRegistry()
    registry.register(rule: "even") { value, _ in value.text.utf8.last.map { $0 % 2 == 0 } ?? false
    }
    registry.register(transform: "upper") { .string($0.text.uppercased()) }
    return registry
  }()

  static let everything = """
    {
      "$schema": "../Schema/form-definition.schema.json", "id": "everything", "title": "Everything",
      "version": 3, "emptyValues": "null",
      "sections": [
        { "title": "Kinds", "rows": [
          { "kind": "text", "key": "Text", "serviceKey": "text", "cellStyle": "value1",
            "requiredType": "required", "valueType": -4, "param": { "a": [1, null] }, "ui": \(ui),
            "visibleWhen": { "key": "input", "isEmpty": false },
            "requiredWhen": { "key": "input", "required": true },
            "enabledWhen": { "key": "input", "equals": null }, "formerKeys": ["text0", "text1"],
            "transform": "stripSeparators", "keepsValueWhenHidden": true, "sensitive": true,
            "dataType": "decimal", "value": "1.50" },
          { "kind": "input", "key": "Input", "serviceKey": "input", "cellStyle": "input2",
            "requiredType": "requiredAndStar", "valueType": 2, "param": "p", "ui": {},
            "visibleWhen": { "key": "option", "equals": 1 },
            "requiredWhen": { "key": "option", "equals": 1 },
            "enabledWhen": { "key": "option", "equals": 1 }, "formerKeys": ["input0"],
            "transform": { "named": "upper" }, "keepsValueWhenHidden": false, "sensitive": false,
            "dataType": "string", "placeholder": "…", "maxLength": 60,
            "keyboardType": "URL", "returnKeyType": "continue", "returnDoneType": "next",
            "isScrollEnabled": true, "isConsecutiveSpaces": true,
            "format": { "groupsOf": 4, "separator": "-" },
            "verify": { "type": "stopEditing", "rule": { "regex": "[a-z]+" }, "errorMsg": "no",
                        "errorType": "lineAndLabel", "isBeginEditingHiddenError": false } },
          { "kind": "option", "key": "Option", "serviceKey": "option", "customIdentifier": "mine",
            "requiredType": "none", "valueType": 0, "param": 1, "ui": {},
            "visibleWhen": { "key": "tags", "contains": "x" },
            "requiredWhen": { "key": "tags", "contains": "x" },
            "enabledWhen": { "key": "tags", "contains": "x" }, "formerKeys": ["option0"],
            "transform": "optionID", "keepsValueWhenHidden": true, "sensitive": true,
            "placeholder": "choose", "selectedIndex": 1, "verify": { "errorMsg": "choose" },
            "options": [{ "id": 1, "label": "one" }, { "id": "1", "label": "another" }] },
          { "kind": "pair", "key": "Pair", "serviceKey": "", "cellStyle": "option",
            "requiredType": "required", "valueType": 1, "param": [], "ui": {},
            "visibleWhen": { "key": "tags", "isEmpty": true },
            "requiredWhen": { "key": "tags", "isEmpty": true },
            "enabledWhen": { "key": "tags", "isEmpty": true }, "formerKeys": ["amount0"],
            "transform": "optionID", "keepsValueWhenHidden": true, "sensitive": true,
            "left": { "kind": "input", "serviceKey": "amount", "dataType": "integer",
                      "placeholder": "0", "maxLength": 9, "keyboardType": "numberPad",
                      "returnKeyType": "go", "returnDoneType": "hiddenKeyboard",
                      "isScrollEnabled": false, "isConsecutiveSpaces": false,
                      "format": { "groupsOf": 3 }, "verify": {} },
            "right": { "httpParameterKey": "unit", "selectorTitle": "Unit", "selectedIndex": 0,
                       "options": [{ "id": "a" }], "verify": { "type": "endEdit" } } },
          { "kind": "pair", "key": "Second pair",
            "left": { "kind": "option", "serviceKey": "city", "placeholder": "city",
                      "selectedIndex": 0, "options": [{ "id": "bj", "label": "北京" }],
                      "verify": { "type": "none" } },
            "right": { "httpParameterKey": "street", "options": [{ "id": "a" }, { "id": "b" }] } },
          { "kind": "tags", "key": "Tags", "serviceKey": "tags", "cellStyle": "default",
            "requiredType": "required", "valueType": 1, "param": {}, "ui": {},
            "visibleWhen": { "key": "custom", "in": [1, "a"] },
            "requiredWhen": { "key": "custom", "in": [1, "a"] },
            "enabledWhen": { "key": "custom", "in": [1, "a"] }, "formerKeys": ["tags0"],
            "transform": "stripSeparators", "keepsValueWhenHidden": true, "sensitive": true,
            "selection": "multiple", "leastChoiceCount": 0, "mostChoiceCount": 2,
            "tags": [{ "id": "x", "labelName": "X" }, { "id": 2, "labelName": "Two" }],
            "presentation": \(presentation), "verify": { "errorMsg": "choose" } },
          { "kind": "custom", "key": "Custom", "serviceKey": "custom", "customIdentifier": "Map",
            "requiredType": "required", "valueType": 1, "param": null, "ui": {},
            "visibleWhen": { "key": "last", "notEquals": [] },
            "requiredWhen": { "key": "last", "notEquals": [] },
            "enabledWhen": { "key": "last", "notEquals": [] }, "formerKeys": ["custom0"],
            "transform": "stripSeparators", "keepsValueWhenHidden": true, "sensitive": true,
            "dataType": "json", "verify": { "rule": { "required": true } } }
        ] },
        { "rows": [
          { "kind": "input", "serviceKey": "last",
            "requiredWhen": { "all": [
              { "any": [{ "key": "input", "regex": "a" },
                        { "not": { "key": "text", "number": {} } }] },
              \(ruleMembers.map { "{ \"key\": \"input\", \($0) }" }.joined(separator: ",\n")) ] },
            "enabledWhen": { "any": [{ "not": { "all": [] } }] },
            "visibleWhen": { "not": { "any": [] } },
            "verify": { "rule": { "all": [
              \(ruleMembers.map { "{ \($0) }" }.joined(separator: ",\n")) ] } } }
        ] }
      ]
    }
    """

  /// One of each rule.
  static let ruleMembers = [
    #""required": true"#, #""regex": "[0-9]*""#, #""length": { "min": 1, "max": 2 }"#,
    #""number": { "min": "-1.50", "max": 2e3, "decimals": 2 }"#, #""integer": true"#,
    #""email": true"#, #""url": true"#, #""mobileCN": true"#, #""residentID": true"#,
    #""socialCreditCode": true"#, #""bankCard": true"#,
    #""date": { "min": "1900-01-01", "max": "2024-02-29" }"#, #""oneOf": [1, "a", null]"#,
    #""equalTo": "text""#, #""all": [{ "email": true }]"#, #""any": [{ "url": true }]"#,
    #""not": { "integer": true }"#, #""named": "even""#,
  ]

  private static let ui = """
    { "cellHeight": 44, "cellSpace": 1.5, "isShowArrow": true, "isHiddenLine": true,
      "lineLeftMargin": "30", "lineHeight": 1, "lineRightMargin": 2,
      "separatorLineColor": "#010203",
      "errorFont": { "size": 11, "weight": "bold" }, "errorColor": "#01020304",
      "starColor": "#abcdef", "lineBreakMode": "byTruncatingTail", "keyTextColor": "#111111",
      "valueTextColor": "#222222", "keyTextFont": { "size": 17 }, "valueTextFont": { "size": 18 },
      "placeholderColor": "#333333", "placeholderFont": { "size": 15, "weight": "light" },
      "inputTextAlignment": "left" }
    """

  private static let presentation = """
    { "leftM": 1, "rightM": 2, "topM": 3, "titleHeight": 4, "itemHeight": 5, "itemCorner": 6,
      "minimumLineSpacing": 7, "minimumInteritemSpacing": 8, "fontSize": 9, "fontWeight": "bold",
      "itemLeftMargin": 10, "itemRightMargin": 11, "itemBackGroundColor": "#010101",
      "itemTextColor": "#020202", "themeColor": "#030303", "selectedItemTextColor": "#040404",
      "selectedItemBackgourdColor": "#050505", "borderColor": "#060606",
      "selectedBorderColor": "#070707", "borderWidth": 2 }
    """
}
