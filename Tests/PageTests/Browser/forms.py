"""Fills each of the cases' forms from its first field to its submission, by keyboard alone."""

from playwright.sync_api import expect

from looks import look
from person import Page, restart


def profile(context, server):
    """The server is killed while a person types, and nothing is lost."""
    page = Page(context)
    draft = page.begin(server, "个人资料")
    page.go_to("姓名")
    page.type("Ada9")
    expect(page.tab.get_by_text("只能输入英文字母")).to_be_visible()
    expect(page.label("姓名")).to_have_attribute("aria-invalid", "true")
    page.press("Backspace")
    expect(page.label("姓名")).not_to_have_attribute("aria-invalid", "true")
    page.go_to("性别")
    page.press("ArrowDown", "ArrowDown")
    page.go_to("银行卡号")
    page.type("62220210")
    expect(page.label("银行卡号")).to_have_value("6222 0210")
    page.saved()
    # A deletion beside a separator takes the digit before it, and typing goes on there.
    page.press("Home", *["ArrowRight"] * 5, "Backspace")
    expect(page.label("银行卡号")).to_have_value("6220 210")
    page.type("2")
    expect(page.label("银行卡号")).to_have_value("6222 0210")
    page.go_to("邮箱")
    page.type("nobody")
    page.saved()

    server.kill()
    page.press("End")
    page.type("@example.org")
    page.go_to("居住地址")
    page.type("Somewhere 1")
    page.press("Enter")
    page.type("second line")
    expect(page.tab.locator("#save")).to_have_class("save failed")
    expect(page.tab.get_by_role("alert")).not_to_be_empty()
    look(page, "profile-not-saved")
    restart(context, server)
    page.saved()
    values = server.values(draft)
    assert values["email"] == "nobody@example.org", values
    assert values["address"] == "Somewhere 1\nsecond line", values

    page.tab.reload()
    page.opened()
    expect(page.label("居住地址")).to_be_focused()
    expect(page.label("居住地址")).to_have_value("Somewhere 1\nsecond line")
    page.submit()
    expect(page.label("个人说明")).to_be_focused()
    expect(page.label("个人说明")).to_have_attribute("aria-invalid", "true")
    look(page, "profile-errors")
    page.type("Hello")
    # Return hides the keyboard here.
    page.press("Enter")
    expect(page.label("个人说明")).not_to_be_focused()
    page.submit()
    expect(page.tab.get_by_role("heading", name="已提交")).to_be_visible()
    expect(page.tab.locator("#result pre")).to_contain_text('"cardNo": "62220210"')
    assert page.compare(server, draft) == []
    look(page, "profile-submitted")


def interests(context, server):
    """Tags, until there are enough."""
    page = Page(context)
    draft = page.begin(server, "兴趣")
    group = page.tab.get_by_role("group", name="兴趣")
    note = page.tab.locator(".note").first
    for count, tag in enumerate(["音乐", "旅行", "编程"], start=1):
        expect(note).not_to_contain_text("已够")
        page.go_to(tag)
        page.press("Space")
        expect(group.get_by_role("button", name=tag)).to_have_attribute("aria-pressed", "true")
        expect(note).to_contain_text(f"已选 {count} 个")
    expect(note).to_contain_text("已够")
    for tag in ["English", "中文"]:
        page.go_to(tag)
        page.press("Enter")
    page.saved()
    assert server.values(draft) == {"interests": ["music", "travel", "code"], "language": ["zh"]}
    assert page.compare(server, draft) == []
    look(page, "interests")
    page.submit()
    expect(page.tab.locator("#result table")).to_contain_text("音乐, 旅行, 编程")


def calculator(context, server):
    """Options, pairs, a row that appears; in English."""
    page = Page(context)
    draft = page.begin(server, "贷款测算")
    page.go_to("贷款类型")
    page.press("ArrowDown", "ArrowDown", "ArrowDown")
    expect(page.label("共同借款人")).to_be_visible()
    page.go_to("还款方式")
    page.press("ArrowDown")
    page.go_to("贷款金额")
    # Digits only; what is refused takes nothing with it.
    page.type("12a0.505")
    expect(page.label("贷款金额")).to_have_value("120.50")
    page.go_to("贷款金额 单位")
    page.press("ArrowUp")
    page.go_to("期限")
    page.press("ArrowDown", "ArrowDown")
    page.go_to("利率(%)")
    page.type("77")
    page.press("Tab")
    expect(page.tab.get_by_text("利率应在 0 到 24 之间")).to_be_visible()
    page.press("Shift+Tab", "ControlOrMeta+A")
    page.type("4.1")
    page.go_to("首次还款日")
    page.type("2026-02-01")
    page.go_to("共同借款人")
    page.type("李四")
    page.go_to("身份证号")
    page.type("11010519491231002X")
    page.go_to("手机号")
    page.type("13800138000")
    # Return goes to the next input.
    page.press("Enter")
    expect(page.label("备注")).to_be_focused()
    page.type("one")
    page.press("Enter")
    page.type("two")
    page.go_to("客户经理备注（不上传）")
    page.type("A good customer")
    assert page.compare(server, draft) == []
    look(page, "calculator")
    page.submit()
    expect(page.tab.get_by_role("heading", name="Submitted as number 1")).to_be_visible()
    expect(page.tab.locator("#result pre")).not_to_contain_text("A good customer")
    assert server.record("param", draft)["isValid"]


# By the forms' ids.
FILLED = {"profile": profile, "interests": interests, "calculator": calculator}
