"""Several tabs on one draft."""

from playwright.sync_api import expect

from person import Page, restart


def two_tabs(context, server):
    """Tabs see each other's edits and those of other programs, and lose none."""
    draft = server.run("draft", "new", "calculator").strip()
    server.run("draft", "set", draft, "loanType=mixed", "remark=one\ntwo", "rate:=4.1",
               "coBorrower=李四", "mobile=13800138000")
    page, other = Page(context), Page(context)
    for tab in [page, other]:
        tab.open(server, draft)
    page.label("备注").focus()
    page.press("ControlOrMeta+End")
    page.type(" three")
    expect(other.label("备注")).to_have_value("one\ntwo three")
    server.run("draft", "set", draft, "mobile=13900139000")
    for tab in [page, other]:
        expect(tab.label("手机号")).to_have_value("13900139000")
    # Both type at once, in different fields.
    page.label("利率(%)").focus()
    page.press("End")
    other.label("共同借款人").focus()
    other.press("End")
    for digit in "123":
        page.type(digit)
        other.type("五")
    for tab in [page, other]:
        expect(tab.label("利率(%)")).to_have_value("4.1123")
        expect(tab.label("共同借款人")).to_have_value("李四五五五")
    for tab in [page, other]:
        tab.compare(server, draft)
        assert not tab.faults, tab.faults


def each_tab_its_own_focus(context, server):
    """What is done in one tab moves neither focus nor cursor in another, and leaves no field there."""
    draft = server.run("draft", "new", "calculator").strip()
    page, other = Page(context), Page(context)
    for tab in [page, other]:
        tab.open(server, draft)
    rate, remark = page.label("利率(%)"), page.label("备注")
    rate.focus()
    # Not valid; that is said when the field is left.
    page.type("77")
    page.saved()
    other.label("备注").focus()
    other.type("by another")
    other.saved()
    expect(remark).to_have_value("by another")
    expect(rate).to_be_focused()
    expect(page.tab.get_by_text("利率应在")).not_to_be_visible()
    page.press("ArrowLeft")
    other.label("手机号").focus()
    other.type("138")
    expect(page.label("手机号")).to_have_value("138")
    assert page.tab.evaluate("document.activeElement.selectionStart") == 1
    page.type("1")
    expect(rate).to_have_value("717")
    page.saved()
    for tab in [page, other]:
        expect(tab.tab.get_by_text("利率应在")).not_to_be_visible()
    # In one field: the cursor stays where it was in the text.
    remark.focus()
    page.press("Home", "ArrowRight", "ArrowRight")
    for tab in [page, other]:
        expect(tab.tab.get_by_text("利率应在")).to_be_visible()
    other.label("备注").focus()
    other.press("End")
    other.type(" one")
    expect(remark).to_have_value("by another one")
    page.type(",")
    expect(other.label("备注")).to_have_value("by, another one")
    # A tab comes back to where it was itself.
    other.label("手机号").focus()
    other.press("End")
    other.type("0")
    other.saved()
    page.saved()
    for tab in [page, other]:
        tab.tab.reload()
        tab.opened()
    expect(page.label("备注")).to_be_focused()
    expect(other.label("手机号")).to_be_focused()


def lines_from_another_tab(context, server):
    """A field becomes one of several lines under the hands of who types in it."""
    draft = server.run("draft", "new", "visit").strip()
    page = Page(context)
    page.open(server, draft)
    page.go_to("Name")
    page.type("Ada")
    page.press("ArrowLeft")
    page.saved()
    server.run("draft", "set", draft, "name=Ada\nLovelace")
    expect(page.label("Name")).to_have_value("Ada\nLovelace")
    expect(page.label("Name")).to_be_focused()
    page.type("-")
    page.saved()
    assert server.values(draft)["name"] == "Ad-a\nLovelace"


def titles(context, server):
    """A draft is given a title; other tabs and the list know it."""
    page, other = Page(context), Page(context)
    draft = page.begin(server, "Home visit")
    other.open(server, draft)
    page.tab.keyboard.press("Shift+Tab")
    page.go_to("Title of the draft")
    page.type("<i>17</i>")
    expect(other.label("Title of the draft")).to_have_value("<i>17</i>")
    page.saved()
    server.kill()
    page.type(" & 18")
    expect(page.tab.locator("#save")).to_have_class("save failed")
    restart(context, server)
    page.saved()
    assert server.record("draft", "show", draft)["title"] == "<i>17</i> & 18"
    page.press("Tab")
    page.tab.reload()
    page.opened()
    expect(page.label("Title of the draft")).to_have_value("<i>17</i> & 18")
    page.tab.goto(server.origin)
    expect(page.tab.get_by_role("link", name="<i>17</i> & 18")).to_be_visible()


def nothing_is_missed(context, server):
    """What others do after a form was read and before its changes are told is seen; else it is read once."""
    draft = server.run("draft", "new", "visit").strip()
    server.run("draft", "set", draft, "name=Ada")
    page = Page(context)
    reads = []
    page.tab.on("request", lambda request: reads.append(request.url.endswith(f"{draft}/state")))
    page.open(server, draft)
    with page.tab.expect_response("**/events"):
        page.label("Name").focus()
    assert reads.count(True) == 1, reads.count(True)

    def late(route):
        server.run("draft", "set", draft, "name=Bob", "--title", "Bob's")
        route.continue_()

    page.tab.route("**/changes*", late, times=1)
    page.tab.reload()
    page.opened()
    expect(page.label("Name")).to_have_value("Bob")
    expect(page.label("Title of the draft")).to_have_value("Bob's")


TESTS = [two_tabs, each_tab_its_own_focus, lines_from_another_tab, titles, nothing_is_missed]
