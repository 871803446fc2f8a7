"""What was filled in the page reaches the server, once, and then only what changed."""

import decimal
import json
import os

from playwright.sync_api import expect

import forms
from kinto import ACCOUNT, Kinto
from person import Page


def param_of(server, draft):
    return json.loads(server.run("param", draft, "--json"), parse_float=decimal.Decimal)["param"]


def upload_all(context, server):
    """What the tests before this one submitted, of each of the cases' forms, arrives as it is."""
    waiting = [json.loads(line) for line in server.run("outbox", "list", "--json").splitlines()]
    drafts = {item["draft"]: server.record("draft", "show", item["draft"])["form"] for item in waiting}
    assert set(drafts.values()) >= set(forms.FILLED) or os.environ.get("ONLY"), drafts
    with Kinto() as kinto:
        settings = kinto.settings(os.path.join(server.folder, "kinto.json"))
        server.run("push", "--to", settings, environment={"KINTO_ACCOUNT": ACCOUNT})
        for draft in drafts:
            assert kinto.record(draft) == param_of(server, draft), drafts[draft]
    assert server.run("outbox", "list", "--json") == ""


def upload_changes(context, server):
    """Submits in the page, pushes to Kinto; edits one field, and only that field is sent."""
    page = Page(context)
    draft = page.begin(server, "Home visit")
    page.go_to("Name")
    page.type("张三")
    page.go_to("Phone")
    page.type("13800138000")
    page.go_to("Date")
    page.type("2024-02-29")
    page.go_to("Rooms")
    page.type("3")
    page.go_to("Care")
    page.press("Space")
    page.submit()
    shown = page.tab.locator("#result pre")
    expect(shown).to_contain_text('"rooms": 3')
    param = json.loads(shown.inner_text())
    assert param == param_of(server, draft)
    with Kinto() as kinto:
        settings = kinto.settings(os.path.join(server.folder, "kinto.json"))

        def push():
            kinto.requests.clear()
            server.run("push", draft, "--to", settings, environment={"KINTO_ACCOUNT": ACCOUNT})
            return [(method, json.loads(body)["data"]) for method, body in kinto.requests]

        assert push() == [("PUT", param)], kinto.requests
        assert kinto.record(draft) == param
        assert push() == []

        page.go_to("Rooms")
        page.press("ControlOrMeta+A")
        page.type("4")
        page.submit()
        expect(page.tab.get_by_role("heading", name="Submitted as number 2")).to_be_visible()
        expect(page.tab.locator("#result tbody tr")).to_have_count(1)
        expect(page.tab.locator("#result tbody tr")).to_have_text(["Roomschanged34"])
        assert push() == [("PATCH", {"rooms": 4})], kinto.requests
        assert kinto.record(draft) == {**param, "rooms": 4}
        # An edit and its way back is nothing to send.
        page.go_to("Rooms")
        page.press("Backspace")
        page.type("4")
        page.submit()
        expect(page.tab.get_by_role("heading", name="Nothing changed")).to_be_visible()
        assert push() == []
