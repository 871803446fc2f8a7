"""Fills the cases' forms in Chromium, by keyboard alone, and compares the page with the store.

    test_page.py FORMDRAFT SCREENSHOTS
"""

import glob
import json
import os
import sys
import tempfile

from playwright.sync_api import expect, sync_playwright

from person import DESKTOP, Page, shoot
from server import Server

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Cases")


def profile(context, server, folder):
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
    server.start()
    # The new token comes with the new address; the page that is open goes on with it.
    Page(context).tab.goto(server.url)
    page.saved()
    values = server.values(draft)
    assert values["email"] == "nobody@example.org", values
    assert values["address"] == "Somewhere 1\nsecond line", values

    page.tab.reload()
    page.tab.wait_for_selector("#submit:not([disabled])")
    expect(page.label("居住地址")).to_be_focused()
    expect(page.label("居住地址")).to_have_value("Somewhere 1\nsecond line")
    page.go_to("提交")
    page.press("Enter")
    expect(page.label("个人说明")).to_be_focused()
    expect(page.label("个人说明")).to_have_attribute("aria-invalid", "true")
    shoot(page, folder, "profile-errors")
    page.type("Hello")
    # Return hides the keyboard here.
    page.press("Enter")
    expect(page.label("个人说明")).not_to_be_focused()
    page.go_to("提交")
    page.press("Enter")
    expect(page.tab.get_by_role("heading", name="已提交")).to_be_visible()
    expect(page.tab.locator("#result pre")).to_contain_text('"cardNo": "62220210"')
    page.check("profile")
    compare(page, server, draft)
    shoot(page, folder, "profile")
    page.tab.close()


def interests(context, server, folder):
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
        page.tab.get_by_role("button", name=tag).focus()
        page.press("Enter")
    page.saved()
    assert server.values(draft) == {"interests": ["music", "travel", "code"], "language": ["zh"]}
    page.check("interests")
    compare(page, server, draft)
    shoot(page, folder, "interests")
    page.go_to("提交")
    page.press("Enter")
    expect(page.tab.locator("#result table")).to_contain_text("音乐, 旅行, 编程")
    page.tab.close()


def calculator(context, server, folder):
    """Options, pairs, a row that appears; in English."""
    page = Page(context)
    draft = page.begin(server, "贷款测算")
    page.go_to("贷款类型")
    page.press("ArrowDown", "ArrowDown", "ArrowDown")
    expect(page.label("共同借款人")).to_be_visible()
    page.go_to("还款方式")
    page.press("ArrowDown")
    page.go_to("贷款金额")
    page.type("12a0.505")
    expect(page.label("贷款金额").first).to_have_value("120.50")
    page.go_to("贷款金额 单位")
    page.press("ArrowUp")
    page.go_to("期限")
    page.press("ArrowDown", "ArrowDown")
    page.go_to("利率(%)")
    page.type("77")
    page.press("Tab")
    expect(page.tab.get_by_text("利率应在 0 到 24 之间")).to_be_visible()
    page.tab.keyboard.press("Shift+Tab")
    page.press("Control+A")
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
    expect(page.label("备注").first).to_be_focused()
    page.type("one")
    page.press("Enter")
    page.type("two")
    page.saved()
    compare(page, server, draft)
    page.check("calculator")
    shoot(page, folder, "calculator")
    page.go_to("Submit")
    page.press("Enter")
    expect(page.tab.get_by_role("heading", name="Submitted as number 1")).to_be_visible()
    assert server.record("param", draft)["isValid"]
    # Edits that others make are seen, and the step back is one for all.
    other = Page(context)
    other.tab.goto(page.tab.url)
    other.tab.wait_for_selector("#submit:not([disabled])")
    page.label("备注").first.focus()
    page.press("Control+End")
    page.type(" three")
    expect(other.label("备注").first).to_have_value("one\ntwo three")
    server.run("draft", "set", draft, "mobile=13900139000")
    for tab in [page, other]:
        expect(tab.label("手机号")).to_have_value("13900139000")
    # Both type at once, in different fields.
    page.label("利率(%)").focus()
    other.label("共同借款人").focus()
    other.press("End")
    for digit in "123":
        page.type(digit)
        other.type("五")
    for tab in [page, other]:
        expect(tab.label("利率(%)")).to_have_value("4.1123")
        expect(tab.label("共同借款人")).to_have_value("李四五五五")
    page.saved()
    compare(page, server, draft)
    page.tab.close()
    other.tab.close()


def naughty(context, server, folder):
    """Whatever a value holds, it is text."""
    with open(os.path.join(CASES, "values", "naughty-strings.json"), encoding="utf-8") as file:
        found = json.load(file)
    strings = found if isinstance(found, list) else found["strings"]
    strings = [text if isinstance(text, str) else text["value"] for text in strings]
    strings = [text for text in dict.fromkeys(strings) if text]
    form = {"id": "naughty", "title": strings[-1], "sections": [{"title": "<b>&amp;", "rows": [
        {"kind": "input", "key": f"{index} {text}", "serviceKey": f"s{index}",
         "cellStyle": "textView2", "placeholder": text, "maxLength": 10_000}
        for index, text in enumerate(strings)
    ] + [
        {"kind": "tags", "key": "tags", "serviceKey": "tags",
         "tags": [{"id": str(index), "labelName": text} for index, text in enumerate(strings)]},
        {"kind": "option", "key": "options", "serviceKey": "option",
         "options": [{"id": index, "label": text} for index, text in enumerate(strings)]},
    ]}]}
    path = os.path.join(os.path.dirname(server.store), "naughty.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(form, file)
    server.run("form", "add", path)
    draft = server.run("draft", "new", "naughty", "--title", "<img src=x onerror=alert(1)>").strip()
    server.run("draft", "set", draft, *[
        f"s{index}:={json.dumps(text)}" for index, text in enumerate(strings)])
    page = Page(context)
    page.tab.goto(server.url)
    page.tab.goto(f"{server.origin}/drafts/{draft}")
    page.tab.wait_for_selector("#submit:not([disabled])")
    found = page.tab.evaluate("""() => ({
      values: [...document.querySelectorAll("textarea")].map((area) => area.value),
      labels: [...document.querySelectorAll("label.key")].map((label) => label.textContent),
      tags: [...document.querySelectorAll(".tag")].map((tag) => tag.textContent),
      options: [...document.querySelectorAll("option:not([value=''])")].map((o) => o.textContent),
    })""")
    shown = [text.replace("\r\n", "\n").replace("\r", "\n") for text in strings]
    assert found["values"] == shown
    assert found["labels"] == [f"{i} {text}" for i, text in enumerate(strings)] + ["options"]
    assert found["tags"] == strings and found["options"] == strings
    assert page.tab.locator("img, script:not([src])").count() == 0
    assert not page.faults, page.faults
    assert server.values(draft) == {f"s{index}": text for index, text in enumerate(strings)}
    page.tab.close()


def custom(context, server, folder):
    """The app's own cell is JSON; cells have the margins and colours that the form states."""
    form = {"id": "custom", "title": "Custom", "sections": [{"title": "", "rows": [
        {"kind": "custom", "key": "Avatar", "serviceKey": "avatar", "customIdentifier": "AvatarCell"},
        {"kind": "text", "key": "Above", "serviceKey": "above", "cellStyle": "value2",
         "value": "A value below its label", "ui": {"cellSpace": 20, "keyTextColor": "#AA0000"}},
        {"kind": "input", "key": "Middle", "serviceKey": "middle", "cellStyle": "input2",
         "placeholder": "Type here", "ui": {"cellHeight": 80, "isHiddenLine": True}},
    ]}]}
    path = os.path.join(os.path.dirname(server.store), "custom.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(form, file)
    server.run("form", "add", path)
    page = Page(context)
    draft = page.begin(server, "Custom")
    page.go_to("Avatar")
    page.type('{"id": 90071992547409931, "size": 1.50')
    expect(page.tab.get_by_text("Not JSON")).to_be_visible()
    page.type("}")
    page.saved()
    assert '{"id":90071992547409931,"size":1.50}' in server.run("draft", "show", draft, "--json")
    above = page.tab.locator("#row-1")
    assert above.evaluate("(row) => getComputedStyle(row).marginLeft") == "20px"
    assert above.locator(".key").evaluate("(key) => getComputedStyle(key).color") == "rgb(170, 0, 0)"
    assert page.tab.locator("#row-2").bounding_box()["height"] == 80
    page.check("custom")
    shoot(page, folder, "custom")
    page.tab.close()


def coming_and_going(context, server, folder):
    """Back and reload right after a key, and a draft that was begun when the server was killed."""
    page = Page(context)
    draft = page.begin(server, "个人资料")
    page.go_to("姓名")
    page.type("Bob")
    page.tab.go_back()
    page.tab.wait_for_url(server.origin + "/")
    page.tab.go_forward()
    page.tab.wait_for_selector("#submit:not([disabled])")
    expect(page.label("姓名")).to_have_value("Bob")
    page.type(" B")
    page.tab.reload()
    page.tab.wait_for_selector("#submit:not([disabled])")
    expect(page.label("姓名")).to_have_value("Bob B")
    page.saved()
    assert server.values(draft)["name"] == "Bob B"

    page.begin(server, "个人资料")
    server.kill()
    page.go_to("姓名")
    page.type("Eve")
    server.start()
    Page(context).tab.goto(server.url)
    page.tab.wait_for_selector("#save.saved")
    page.tab.wait_for_timeout(500)
    page.saved()
    assert server.values(page.tab.url.rsplit("/", 1)[1])["name"] == "Eve"
    page.tab.close()


def compare(page, server, draft):
    """Everything that the page shows is what the store holds."""
    page.saved()
    state = page.tab.evaluate(
        "async () => (await fetch(location.pathname + '/state')).json()")
    values = server.values(draft)
    for section in state["form"]["sections"]:
        for row in section["rows"]:
            for index, field in enumerate(row["fields"]):
                control = page.tab.locator(f"#row-{row['row']}-{index}")
                value = values.get(field["key"])
                if field["kind"] == "input":
                    shown = control.input_value()
                    shown = shown.replace(field["separator"], "") if "separator" in field else shown
                    assert shown == ("" if value is None else str(value)), (field["key"], shown, value)
                elif field["kind"] == "option":
                    chosen = control.input_value()
                    shown = json.loads(field["options"][int(chosen)]["id"]) if chosen else None
                    assert shown == value, (field["key"], shown, value)
                elif field["kind"] == "tags":
                    names = control.locator("[aria-pressed=true]").all_inner_texts()
                    ids = [json.loads(tag["id"]) for tag in field["tags"] if tag["label"] in names]
                    assert ids == (value or []), (field["key"], ids, value)


def main(command, folder):
    os.makedirs(folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as store:
        server = Server(command, store)
        for form in sorted(glob.glob(os.path.join(CASES, "forms", "*.json"))):
            server.run("form", "add", form)
        server.start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
                    args=["--no-sandbox"] if os.geteuid() == 0 else [])
                run(browser, server, folder)
                browser.close()
            server.stop()
        finally:
            server.kill()


def run(browser, server, folder):
    tests = [
        (profile, "zh-CN"), (interests, "zh-CN"), (calculator, "en-GB"), (naughty, "zh-CN"),
        (custom, "en-GB"), (coming_and_going, "zh-CN"), (listing, "en-GB"),
    ]
    chosen = os.environ.get("ONLY", "").split()
    for test, language in tests:
        if chosen and test.__name__ not in chosen:
            continue
        context = browser.new_context(locale=language, viewport=DESKTOP)
        test(context, server, folder)
        context.close()
        print(f"passed: {test.__name__}", flush=True)


def listing(context, server, folder):
    """The list of forms and drafts."""
    page = Page(context)
    page.tab.goto(server.url)
    page.tab.wait_for_selector("#drafts li")
    page.check("list")
    shoot(page, folder, "list")


main(*sys.argv[1:])
