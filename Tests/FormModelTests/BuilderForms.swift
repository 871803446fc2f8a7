import FormModel

/// The forms of Tests/Cases/forms, written in Swift.
enum BuilderForms {
  static func form(_ name: String) throws -> Form {
    switch name {
    case "profile": try profile()
    case "calculator": try calculator()
    default: interests()
    }
  }

  static func profile() throws -> Form {
    try Form(id: "profile", title: "个人资料") {
      try Section {
        try Input("姓名", serviceKey: "name")
          .cellStyle(.input1).required(star: true).placeholder("请输入").maxLength(60)
          .verify(
            .regex(Pattern("[a-zA-Z ]+")), on: .editing, errorMsg: "只能输入英文字母",
            errorType: .lineAndLabel)
        Choice("性别", serviceKey: "gender") {
          Option(0, "保密")
          Option(1, "男")
          Option(2, "女")
        }
        .cellStyle(.option).required(star: true).valueType(1).placeholder("请选择性别")
        .verify(errorMsg: "请选择性别").ui { $0.isShowArrow = true }
        TextRow("电话", serviceKey: "phone", text: "13800138000")
          .cellStyle(.value1).required(star: true)
        Input("银行卡号", serviceKey: "cardNo")
          .cellStyle(.textView2).required(star: true).valueType(2).placeholder("请输入银行卡号")
          .keyboard(.numberPad).grouped(by: 4)
        Input("邮箱", serviceKey: "email")
          .cellStyle(.input1).required(star: true).placeholder("请输入邮箱地址").maxLength(30)
          .keyboard(.emailAddress)
          .verify(.email, on: .endEdit, errorMsg: "邮箱格式不正确", errorType: .label)
          .ui {
            $0.isShowArrow = true
            $0.lineLeftMargin = 30
            $0.lineRightMargin = 30
          }
        Input("居住地址", serviceKey: "address")
          .cellStyle(.textView2).placeholder("请输入居住地址").maxLength(100)
        Input("个人说明", serviceKey: "personalSignature")
          .cellStyle(.textView1).required(star: true).placeholder("请输入,最多只能输入25个字符")
          .returnKey(done: .hiddenKeyboard)
          .verify(
            .length(min: 1, max: 25), on: .editing, errorMsg: "至少输入一个字符，最多只能输入25个字符",
            errorType: .lineAndLabel)
      }
    }
  }

  static func calculator() throws -> Form {
    try Form(id: "calculator", title: "贷款测算") {
      try Section("借款") {
        Choice("贷款类型", serviceKey: "loanType") {
          Option("fund", "公积金")
          Option("commercial", "商业")
          Option("mixed", "组合")
        }
        .required().verify(errorMsg: "请选择贷款类型")
        Choice("还款方式", serviceKey: "repayment") {
          Option("interest", "等额本息")
          Option("principal", "等额本金")
        }
        .required()
        try Pair(
          "贷款金额",
          left: LeftInput("amount", as: .decimal).keyboard(.decimalPad)
            .verify(
              .regex(Pattern(#"[0-9]{0,12}(\.[0-9]{0,2})?"#)), on: .stopEditing,
              errorMsg: "只能输入数字"),
          right: RightSelector("amountUnit", title: "单位", selectedIndex: 1) {
            Option("yuan", "元")
            Option("wan", "万元")
          }
        )
        .required(star: true)
        Pair(
          "期限",
          left: LeftChoice("term") {
            for years in [5, 10, 30] as [Int64] { Option(.number(years), String(years)) }
          },
          right: RightSelector("termUnit", title: "单位", selectedIndex: 0) {
            Option("year", "年")
            Option("month", "月")
          }
        )
        .required()
        Input("利率(%)", serviceKey: "rate", as: .decimal)
          .required()
          .verify(
            .number(min: 0, max: 24, decimals: 4), on: .endEdit, errorMsg: "利率应在 0 到 24 之间",
            errorType: .label)
        Input("首次还款日", serviceKey: "firstPayment", as: .date).required()
        Input("共同借款人", serviceKey: "coBorrower")
          .required().visible(when: .value(of: "loanType", .equals("mixed")))
      }
      Section("借款人") {
        Input("身份证号", serviceKey: "idCard")
          .required().maxLength(18)
          .verify(.residentID, on: .endEdit, errorMsg: "身份证号不正确", errorType: .lineAndLabel)
        Input("手机号", serviceKey: "mobile")
          .required().keyboard(.phonePad).returnKey(done: .next)
          .verify(.mobileCN, on: .endEdit, errorMsg: "手机号不正确", errorType: .lineAndLabel)
        Input("备注", serviceKey: "remark").cellStyle(.textView1).maxLength(500)
        Input("客户经理备注（不上传）").cellStyle(.textView1)
      }
    }
  }

  static func interests() -> Form {
    Form(id: "interests", title: "兴趣") {
      Section("选择你的兴趣") {
        Tags("兴趣", serviceKey: "interests") {
          Tag("music", "音乐")
          Tag("film", "电影")
          Tag("travel", "旅行")
          Tag("food", "美食")
          Tag("run", "跑步")
          Tag("read", "阅读")
          Tag("code", "编程")
          Tag("photo", "摄影")
        }
        .choices(least: 3, most: 6).required().verify(errorMsg: "请至少选择3个")
        Tags("常用语言", serviceKey: "language", selection: .single) {
          Tag("zh", "中文")
          Tag("en", "English")
          Tag("other", "其他")
        }
        .required()
      }
    }
  }
}
