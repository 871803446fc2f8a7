import FormModel
import Foundation
import Testing

/// The filling of a form from a pipe; at a terminal see ``FillTerminalTests``.
@Suite struct FillCommandTests {
  /// Fills a draft with lines. No window breaks what is said.
  func fill(
    _ arguments: [String], _ lines: [String], in store: TestStore, end: String = "\n"
  ) throws -> Formdraft.Result {
    let input = lines.isEmpty ? "" : lines.joined(separator: "\n") + end
    return try store.run(["fill"] + arguments, input: input, environment: ["COLUMNS": ""])
  }

  /// What was said after the last line was taken.
  private func lastPart(_ output: String) -> String {
    String(output.split(separator: "\n>", omittingEmptySubsequences: false).last ?? "")
  }

  @Test func aPipeGivesATranscript() throws {
    let store = try TestStore("interests")
    let result = try fill(
      ["--form", "interests"], ["1", "电影,跑", "-", "1 2 food", "", "en", "y"], in: store)
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(
      result.output == """
        兴趣
        ? tells what can be typed. Each answer is saved at once.

        [选择你的兴趣]
        兴趣 *
          1  [ ] 音乐
          2  [ ] 电影
          3  [ ] 旅行
          4  [ ] 美食
          5  [ ] 跑步
          6  [ ] 阅读
          7  [ ] 编程
          8  [ ] 摄影
          choose 3 to 6
        > 1
          = 音乐
          2 more are missing.
        > 电影,跑
          = 音乐, 电影, 跑步
          Enough. An empty line goes on.
        > -
          cleared
        > 1 2 food
          = 音乐, 电影, 美食
          Enough. An empty line goes on.
        >

        常用语言 *
          1  [ ] 中文
          2  [ ] English
          3  [ ] 其他
          choose one
        > en
          = English

        Every row is right. Submit? (y/n)
        > y
        Submitted: number 1.

        """)
    let values = try store.values(of: "@")
    #expect(values["interests"] == ["music", "film", "food"])
    #expect(values["language"] == ["en"])
  }

  @Test func aFormIsFilledWithPairsAndConditions() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let result = try fill(
      [id],
      [
        "组合", "本金", "120000.00", "元", "30", "", "3.10", "2024-02-01", "李四",
        "11010519491231002X", "13800138000", "", "一行", "", "\\.", ".", "y",
      ], in: store)
    #expect(result.status == 0)
    #expect(result.output.hasSuffix("> y\nSubmitted: number 1.\n"))
    // The row that the first answer made visible is asked.
    #expect(result.output.contains("\n共同借款人 *\n> 李四\n"))
    #expect(result.output.contains("\n贷款金额 · 单位 *\n  1  元\n  2  万元\n  = 万元 (default)\n"))
    let values = try store.values(of: id)
    #expect(values["amount"]?.jsonText == "120000.00")
    #expect(values["amountUnit"] == "yuan")
    #expect(values["term"] == 30)
    let record = try store.run("draft", "show", id, "--json").record()
    #expect(record["local"]?["客户经理备注（不上传）"] == "一行\n\n.")
    // Without it, the row is not asked.
    let other = try fill(["--form", "calculator"], ["公积金", ":go 首次", "2024-02-01"], in: store)
    #expect(!other.output.contains("共同借款人"))
    #expect(lastPart(other.output).contains("身份证号 *"))
  }

  @Test func rowsAskAsTheirVerifySays() throws {
    let store = try TestStore("profile")
    let id = try store.newDraft("profile")
    let result = try fill(
      [id],
      [
        "张三", "Zhang  San", "", "男", "62220210", "a@", "a@", "北京", ".",
        String(repeating: "字", count: 26), "", "",
      ], in: store)
    let output = result.output
    #expect(result.status == 1)
    // Verified at each change, with line and label; kept all the same.
    #expect(output.contains("> 张三\n! 只能输入英文字母\n  It is kept as typed."))
    #expect(output.contains("> Zhang  San\n! not taken: two spaces in a row\n>\n"))
    // A row that is shown only is passed.
    #expect(output.contains("\n电话\n  = 13800138000\n"))
    #expect(output.contains("> 62220210\n  = 6222 0210\n"))
    // At the end of editing; typed once more, the person insists.
    #expect(
      output.contains(
        """
        > a@
        ! 邮箱格式不正确
          It is kept as typed. An empty line goes on; or type it anew.
        > a@

        居住地址
        """))
    #expect(
      output.contains(
        """
        Not right yet:
        ! 姓名: 只能输入英文字母
        ! 邮箱: 邮箱格式不正确
        ! 个人说明: 至少输入一个字符，最多只能输入25个字符
        An empty line goes to the first of them, < back, :quit leaves it so.
        >

        姓名 *
          请输入
          = 张三
        ! 只能输入英文字母

        """), "\(output)")
    let values = try store.values(of: id)
    #expect(values["name"] == "张三")
    #expect(values["gender"] == 1)
    #expect(values["email"] == "a@")
    #expect(values["address"] == "北京")
  }

  @Test func whatIsNoValueOfItsTypeIsSaidAndKept() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let result = try fill(
      [id], [":go amount", "12x", "12", ":go rate", "25", "", "2023-02-29", ""], in: store)
    #expect(result.output.contains("> 12x\n! not taken: 只能输入数字\n> 12\n"))
    #expect(result.output.contains("> 25\n! 利率应在 0 到 24 之间\n  It is kept as typed."))
    #expect(
      result.output.contains("> 2023-02-29\n! expected a date that exists, as YYYY-MM-DD\n"))
    #expect(lastPart(result.output).contains("身份证号 *"))
    #expect(try store.values(of: id)["firstPayment"] == "2023-02-29")
    // What was said is said again where the person goes on.
    let again = try fill([id], ["<"], in: store)
    #expect(again.output.contains("  = 2023-02-29\n! expected a date that exists"))
  }

  @Test func theEndOfTheInputLosesNothing() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let first = try fill([id], ["1", "2", "12.5"], in: store, end: "")
    #expect(first.status == 1)
    #expect(
      first.output.hasSuffix(
        "The draft is saved. To go on:\nformdraft fill \(id.prefix(8))\n"))
    #expect(try store.values(of: id)["amount"]?.jsonText == "12.5")
    let before = try store.run("draft", "show", id, "--json").output
    let second = try fill([id], [], in: store)
    #expect(
      second.output.hasPrefix(
        """
        贷款测算
        ? tells what can be typed. Each answer is saved at once.

        [借款]
        贷款金额 · 单位 *

        """), "\(second.output)")
    // Opening and leaving wrote nothing.
    #expect(try store.run("draft", "show", id, "--json").output == before)
    // An answer of several lines that was not ended is there as far as it came.
    _ = try fill([id], [":go remark", "第一行", "第二行"], in: store)
    #expect(try store.values(of: id)["remark"] == "第一行\n第二行")
  }

  @Test func everyAnswerSurvivesKill() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let result = try store.shell(
      """
      mkfifo pipe
      formdraft fill \(id) < pipe > out 2> err & filler=$!
      exec 3> pipe
      printf '商业\\n1\\n99.5\\n' >&3
      for i in $(seq 200); do grep -q 单位 out && break; sleep 0.1; done
      kill -9 $filler
      wait $filler 2> /dev/null
      formdraft fill \(id) < /dev/null
      """)
    #expect(result.output.contains("\n贷款金额 · 单位 *\n"), "\(result.output)")
    let values = try store.values(of: id)
    #expect(values["loanType"] == "commercial")
    #expect(values["amount"]?.jsonText == "99.5")
    #expect(try store.run("store", "check").status == 0)
  }

  @Test(arguments: ["INT", "TERM", "HUP", "QUIT"])
  func signalsEndItWithEverythingSaved(signal: String) throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    // A shell that has no terminal lets its background ignore SIGINT; -m does not.
    let result = try store.shell(
      """
      set -m
      mkfifo pipe
      formdraft fill \(id) < pipe > out 2> err & filler=$!
      exec 3> pipe
      printf ':go remark\\n第一行\\n' >&3
      for i in $(seq 200); do grep -q '第一行' out && break; sleep 0.1; done
      kill -\(signal) $filler
      wait $filler; echo $?; cat out
      """)
    let status = ["INT": 130, "TERM": 143, "HUP": 129, "QUIT": 131][signal] ?? 0
    #expect(result.output.hasPrefix("\(status)\n"))
    #expect(result.output.hasSuffix("To go on:\nformdraft fill \(id.prefix(8))\n"))
    #expect(try store.values(of: id)["remark"] == "第一行")
    #expect(try store.folder.names.filter { $0.hasPrefix("test.store-") }.isEmpty)
  }

  @Test func oneGoesBackAndForthAndUndoes() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    let output = try fill(
      [id],
      [
        "<", "1", "2", "<", "<", "商业", ">", ":go 期限", "10", ":undo", ":redo", ":undo", ":go 备",
        ":go nowhere", ":go coBorrower", ":nonsense", ":quit",
      ], in: store
    ).output
    #expect(output.contains("> <\nThis is the first row.\n"))
    #expect(output.contains("> <\n\n贷款类型 *\n  1  公积金\n  2  商业\n  3  组合\n  = 公积金\n"))
    #expect(output.contains("> 商业\n  = 商业\n\n还款方式 *\n"))
    #expect(output.contains("> :undo\nundone\n\n期限 *\n  1  5\n  2  10\n  3  30\n>"))
    #expect(output.contains("> :redo\ndone again\n\n期限 *\n  1  5\n  2  10\n  3  30\n  = 10\n>"))
    #expect(
      output.contains("> :go 备\n! several rows may be meant: 备注, 客户经理备注（不上传）\n"))
    #expect(output.contains("! no row is called \"nowhere\"; :list shows them\n"))
    #expect(output.contains("! 共同借款人 can't be filled now\n"))
    #expect(output.contains("! :nonsense is no command;"))
    let values = try store.values(of: id)
    #expect(values["loanType"] == "commercial")
    #expect(values["term"] == nil)
    // Across a restart too.
    #expect(try fill([id], [":undo"], in: store).output.contains("贷款类型 *\n"))
    #expect(try store.values(of: id)["loanType"] == "fund")
  }

  @Test func theListShowsWhatIsMissing() throws {
    let store = try TestStore("profile")
    let result = try fill(
      ["--form", "profile"], ["Li", ":list", ":go 邮箱", "a", ":list", "?", "-"], in: store)
    #expect(
      result.output.contains(
        """
        > :list
           姓名 * = Li
        >! 性别 *: missing
           电话 * = 13800138000
         ! 银行卡号 *: missing
         ! 邮箱 *: missing
           居住地址 = (none)
         ! 个人说明 *: missing
        >
        """.dropLast(1)))
    #expect(result.output.contains(">! 邮箱 * = a: 邮箱格式不正确\n"))
    #expect(result.output.contains("At most 30 characters."))
    #expect(result.output.contains(":go KEY     a row, by its key or label\n"))
    #expect(try store.values(of: "@")["email"] == nil)
  }

  @Test func aBackslashMakesTextOfAWord() throws {
    let store = try TestStore("calculator")
    let id = try store.newDraft("calculator")
    for (line, value) in [
      ("\\<", "<"), ("\\:quit", ":quit"), ("\\-", "-"), ("\\\\", "\\"), ("\\d", "\\d"),
      ("-5", "-5"), ("<3", "<3"), ("：）", "：）"), (" 前后 ", " 前后 "), ("é\u{301}\tx", "é\u{301}\tx"),
    ] {
      _ = try fill([id], [":go remark", line, "."], in: store)
      #expect(try store.values(of: id)["remark"] == .string(value), "\(line)")
    }
    _ = try fill([id], [":go remark", "-"], in: store)
    #expect(try store.values(of: id)["remark"] == nil)
    // Lines of another system, and bytes that are no text.
    _ = try fill([id], [":go remark\r", "x\r", ".\r"], in: store)
    #expect(try store.values(of: id)["remark"] == "x")
    let bad = try store.shell("printf ':go rate\\n\\xff\\n' | formdraft fill \(id)")
    #expect(bad.output.contains("! that is not UTF-8; type it again\n"))
  }
}
