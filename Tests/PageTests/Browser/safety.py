"""Values that are no words, cells of the app's own, and pages that come and go."""

import json
import os

from playwright.sync_api import expect

from looks import look
from person import Page, restart

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Cases")


def naughty(context, server):
    """Whatever a value holds, it is text."""
    with open(os.path.join(CASES, "values", "naughty-strings.json"), encoding="utf-8") as file:
        found = json.load(file)
    strings = found if isinstance(found, list) else found["strings"]
    strings = [text if isinstance(text, str) else text["value"] for text in strings]
    strings = [text for text in dict.fromkeys(strings) if text]
    server.add_form({"id": "naughty", "title": strings[-1], "sections": [{
        "title": "<b>&amp;", "rows": [
            {"kind": "input", "key": f"{index} {text}", "serviceKey": f"s{index}",
             "cellStyle": "textView2", "placeholder": text, "maxLength": 10_000}
            for index, text in enumerate(strings)
        ] + [
            {"kind": "tags", "key": "tags", "serviceKey": "tags",
             "tags": [{"id": str(index), "labelName": text} for index, text in enumerate(strings)]},
            {"kind": "option", "key": "options", "serviceKey": "option",
             "options": [{"id": index, "label": text} for index, text in enumerate(strings)]},
        ]}]})
    draft = server.run("draft", "new", "naughty", "--title", "<img src=x onerror=alert(1)>").strip()
    server.run("draft", "set", draft, *[
        f"s{index}:={json.dumps(text)}" for index, text in enumerate(strings)])
    page = Page(context)
    page.open(server, draft)
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
    # In the list too.
    page.tab.goto(server.origin)
    expect(page.tab.get_by_role("link", name="<img src=x onerror=alert(1)>")).to_be_visible()
    assert page.tab.locator("img").count() == 0 and not page.faults, page.faults
    server.run("draft", "discard", draft)


def custom(context, server):
    """The app's own cell is JSON; cells have the margins and colours that the form states."""
    server.add_form({"id": "custom", "title": "Custom", "sections": [{"title": "", "rows": [
        {"kind": "custom", "key": "Avatar", "serviceKey": "avatar", "customIdentifier": "AvatarCell"},
        {"kind": "text", "key": "Above", "serviceKey": "above", "cellStyle": "value2",
         "value": "A value below its label", "ui": {"cellSpace": 20, "keyTextColor": "#AA0000"}},
        {"kind": "input", "key": "Middle", "serviceKey": "middle", "cellStyle": "input2",
         "placeholder": "Type here", "ui": {"cellHeight": 80, "isHiddenLine": True}},
    ]}]})
    page = Page(context)
    draft = page.begin(server, "Custom")
    page.go_to("Avatar")
    page.type('{"id": 90071992547409931, "size": 1.50')
    expect(page.tab.get_by_text("Not JSON")).to_be_visible()
    page.type("}")
    page.saved()
    assert '{"id":90071992547409931,"size":1.50}' in server.run("draft", "show", draft, "--json")
    page.go_to("Middle")
    page.type("x")
    assert page.compare(server, draft) == []
    above = page.tab.locator("#row-1")
    assert above.evaluate("(row) => getComputedStyle(row).marginLeft") == "20px"
    assert above.locator(".key").evaluate("(key) => getComputedStyle(key).color") == "rgb(170, 0, 0)"
    assert page.tab.locator("#row-2").bounding_box()["height"] == 80
    look(page, "custom")


def coming_and_going(context, server):
    """Back and reload right after a key, and a draft that was begun when the server was killed."""
    page = Page(context)
    draft = page.begin(server, "个人资料")
    page.go_to("姓名")
    page.type("Bob")
    page.tab.go_back()
    page.tab.wait_for_url(server.origin + "/")
    page.tab.go_forward()
    page.opened()
    expect(page.label("姓名")).to_have_value("Bob")
    page.type(" B")
    page.tab.reload()
    page.opened()
    expect(page.label("姓名")).to_have_value("Bob B")
    page.saved()
    assert server.values(draft)["name"] == "Bob B"

    begun = page.begin(server, "个人资料")
    server.kill()
    page.go_to("姓名")
    page.type("Eve")
    restart(context, server)
    # What was typed goes into a new draft: the server knows nothing of the one that was begun.
    page.tab.wait_for_url(lambda url: url.startswith(server.origin) and begun not in url)
    draft = page.opened()
    page.saved()
    assert server.values(draft)["name"] == "Eve"
