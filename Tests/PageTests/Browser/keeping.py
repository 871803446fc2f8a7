"""What is kept of what was typed, whatever becomes of it, and what is done once only."""

from playwright.sync_api import expect

from person import Page, restart


def form(name, *rows):
    return {"id": f"keeping-{name}", "title": "Keeping", "sections": [{"title": "", "rows": rows}]}


def row(kind, label, key, **more):
    return {"kind": kind, "key": label, "serviceKey": key, **more}


NOTE = row("input", "Note", "note", cellStyle="textView2", maxLength=5_000_000)
NAME = row("input", "Name", "name")


def begin(context, server, name, *rows):
    server.add_form(form(name, *rows))
    draft = server.run("draft", "new", f"keeping-{name}").strip()
    page = Page(context)
    page.open(server, draft)
    return page, draft


def sign(page):
    return page.tab.locator("#save")


def alert(page):
    return page.tab.get_by_role("alert")


def taps(context, server):
    """Taps that wait for the server lead to what they showed."""
    tags = [{"id": id, "labelName": id.upper()} for id in ["alpha", "beta"]]
    page, draft = begin(context, server, "taps", NAME, row(
        "tags", "Tags", "tags", leastChoiceCount=0, tags=tags))
    alpha, beta = [page.tab.get_by_role("button", name=name) for name in ["ALPHA", "BETA"]]
    server.kill()
    # By key, for a pointer may miss what the words of a lost server move.
    for tag in [alpha, alpha, beta, alpha, alpha]:
        tag.press("Space")
    expect(alpha).to_have_attribute("aria-pressed", "false")
    restart(context, server)
    page.saved()
    expect(alpha).to_have_attribute("aria-pressed", "false")
    assert server.values(draft)["tags"] == ["beta"]


def another_version(context, server):
    """What waits goes into a row's new key; what has no place any more is kept and shown."""
    options = [{"id": 1, "label": "one"}, {"id": 2, "label": "two"}]
    choice = row("option", "Choice", "choice", options=options)
    page, draft = begin(
        context, server, "version", row("input", "Old", "old"), row("input", "Gone", "gone"), choice)
    page.label("Old").focus()
    page.type("first")
    page.saved()
    server.kill()
    page.type(" and second")
    page.label("Choice").select_option(label="two")
    page.label("Gone").focus()
    page.type("lost?")
    server.add_form(form(
        "version", row("input", "New", "new", formerKeys=["old"]),
        {**choice, "options": options[:1]}))
    server.run("draft", "upgrade", draft)
    restart(context, server)
    expect(page.label("New")).to_have_value("first and second")
    expect(sign(page)).to_have_class("save failed")
    kept = page.tab.locator("#rejected")
    expect(kept).to_contain_text("lost?")
    expect(kept).to_contain_text("gone: the form has no such field any more")
    expect(kept).to_contain_text("Choice: the form has no such choice any more")
    assert server.values(draft) == {"new": "first and second"}
    # The person goes on; that does not hide it.
    page.label("New").focus()
    page.press("End")
    page.type("!")
    expect(page.label("New")).to_have_value("first and second!")
    page.tab.wait_for_function("!document.querySelector('#save').classList.contains('saving')")
    expect(sign(page)).to_have_class("save failed")
    page.label("Choice").select_option(label="one")
    expect(kept).not_to_contain_text("Choice")
    kept.get_by_role("button", name="Let go").click()
    page.saved()
    expect(kept).not_to_be_visible()


def refused_values(context, server):
    """What a server can't take is said to be not saved until its field has something else."""
    page, draft = begin(context, server, "refused", NAME, NOTE, row(
        "custom", "Own", "own", customIdentifier="Own"))
    page.label("Own").fill('{"a":1,"a":2}')
    expect(alert(page)).to_contain_text("Own: ")
    page.label("Note").fill("y" * 1_100_000)
    page.label("Name").fill("Ada")
    page.tab.wait_for_function("!document.querySelector('#save').classList.contains('saving')")
    expect(sign(page)).to_have_class("save failed")
    page.label("Own").fill('{"a":1}')
    expect(alert(page)).to_contain_text("Note: the text is too long")
    expect(page.label("Name")).to_have_value("Ada")
    page.label("Note").fill("short")
    page.saved()
    assert server.values(draft) == {"name": "Ada", "note": "short", "own": {"a": 1}}


def much_waits(context, server):
    """Each key in a long text is kept without the text; where there is no room, that is said."""
    page, draft = begin(context, server, "much", NAME, NOTE)
    page.label("Note").fill("z" * 40_000)
    page.saved()
    server.kill()
    page.label("Note").focus()
    page.press("ControlOrMeta+End")
    page.type("abcdefghij" * 8)
    expect(sign(page)).to_have_class("save failed")
    size = page.tab.evaluate("Object.values(sessionStorage).join('').length")
    assert size < 120_000, size
    page.tab.evaluate("""() => {
      for (let part = 1 << 20; part > 0; part >>= 1) {
        try { for (;;) sessionStorage.setItem(`x${part}${Math.random()}`, "x".repeat(part)) } catch {}
      }
    }""")
    page.label("Name").focus()
    page.type("Ada")
    restart(context, server)
    page.saved()
    assert not page.faults, page.faults
    assert server.values(draft) == {"name": "Ada", "note": "z" * 40_000 + "abcdefghij" * 8}


def lost_answer(context, server):
    """What was saved, and its answer lost, does not overwrite what others saved since."""
    page, draft = begin(context, server, "answer", NAME)
    page.label("Name").focus()
    page.type("first")
    page.saved()
    # The answer never comes; the edit does.
    page.tab.route("**/events", lambda route: (route.fetch(), route.abort()))
    page.type("!")
    expect(sign(page)).to_have_class("save failed")
    assert server.values(draft)["name"] == "first!"
    server.run("draft", "set", draft, "name=corrected")
    page.tab.unroute("**/events")
    page.saved()
    expect(page.label("Name")).to_have_value("corrected")
    assert server.values(draft)["name"] == "corrected"


def actions_while_away(context, server):
    """Undo and Submit that can't be done now are not done later."""
    page, draft = begin(context, server, "actions", NAME)
    page.label("Name").focus()
    page.type("a")
    page.saved()
    server.kill()
    page.type("b")
    expect(sign(page)).to_have_class("save failed")
    for name in ["Undo", "Submit", "Undo"]:
        page.tab.get_by_role("button", name=name).click()
        expect(page.tab.get_by_role("status")).to_contain_text("Not done")
    restart(context, server)
    page.saved()
    assert server.values(draft)["name"] == "ab"
    assert page.tab.locator("#result").is_hidden()


def many_windows(context, server):
    """More windows than a browser has connections, all seen: each saves, and learns of the others."""
    _, draft = begin(context, server, "windows", NAME, NOTE)
    pages = [Page(context) for _ in range(8)]
    for page in pages:
        page.open(server, draft)
    pages[0].label("Name").fill("Ada")
    pages[0].saved()
    for page in pages:
        expect(page.label("Name")).to_have_value("Ada")
        expect(page.tab.get_by_role("button", name="Undo")).to_be_enabled()


def secrets(context, server):
    """What is sensitive is not shown while it is typed, nor when it was submitted."""
    page, draft = begin(
        context, server, "secrets", row("input", "Code", "pin", sensitive=True), NAME)
    page.label("Code").focus()
    expect(page.label("Code")).to_have_attribute("type", "password")
    page.type("4711")
    page.submit()
    expect(page.tab.locator("#result pre")).to_contain_text("••••")
    expect(page.tab.locator("#result")).not_to_contain_text("4711")
    assert server.values(draft)["pin"] == "4711"


def opened_when_put_away(context, server):
    """A draft that was put away says so, also to who has its address."""
    draft = server.run("draft", "new", "visit").strip()
    server.run("draft", "set", draft, "name=Ada")
    server.run("draft", "discard", draft)
    page = Page(context)
    page.open(server, draft)
    expect(alert(page)).to_contain_text("put away")
    expect(sign(page)).to_have_class("save failed")


TESTS = [
    taps, another_version, refused_values, much_waits, lost_answer, actions_while_away, many_windows,
    secrets, opened_when_put_away,
]
