"""A tab of the browser, and what a person at a keyboard does in it."""

import glob
import os

from playwright.sync_api import expect

PHONE, DESKTOP = {"width": 375, "height": 812}, {"width": 1024, "height": 900}


class Page:
    """A tab, with what a person at a keyboard does."""

    def __init__(self, context):
        self.tab = context.new_page()
        self.tab.set_default_timeout(10_000)
        self.faults = []
        self.tab.on("pageerror", lambda error: self.faults.append(str(error)))
        self.tab.on("dialog", lambda dialog: self.faults.append(f"dialog: {dialog.message}"))
        self.tab.on("console", self.note)

    def note(self, message):
        # A server that is gone is part of what is tested.
        if message.type == "error" and "Failed to load resource" not in message.text \
                and "net::ERR" not in message.text:
            self.faults.append(message.text)

    def press(self, *keys):
        for key in keys:
            self.tab.keyboard.press(key)

    def type(self, text):
        self.tab.keyboard.type(text, delay=5)

    def go_to(self, name):
        """Presses Tab until a control has the focus."""
        for _ in range(60):
            if self.focused() == name:
                return
            self.press("Tab")
        raise AssertionError(f"Tab never reaches {name!r}")

    def focused(self):
        """What a screen reader would call the focused element."""
        return self.tab.evaluate("""() => {
          const at = document.activeElement
          if (!at || at === document.body) return ""
          const named = at.getAttribute("aria-label")
          if (named) return named
          const label = at.labels?.[0]?.cloneNode(true)
          label?.querySelectorAll("[aria-hidden]").forEach((part) => part.remove())
          return (label ?? at).textContent.trim()
        }""")

    def begin(self, server, form):
        """Begins a draft of a form from the list, and returns its id."""
        if not self.tab.url.startswith(server.origin):
            self.tab.goto(server.url)
        else:
            self.tab.goto(server.origin)
        button = self.tab.get_by_role("button", name=form, exact=False).first
        button.focus()
        self.press("Enter")
        self.tab.wait_for_url("**/drafts/*")
        expect(self.tab.get_by_role("heading", level=1)).to_contain_text("")
        self.tab.wait_for_selector("#submit:not([disabled])")
        return self.tab.url.rsplit("/", 1)[1]

    def saved(self):
        expect(self.tab.locator("#save")).to_have_class("save saved")

    def label(self, name):
        return self.tab.get_by_label(name, exact=False)

    def check(self, what):
        assert not self.faults, f"{what}: {self.faults}"
        found = self.tab.evaluate(UNNAMED)
        assert not found, f"{what}: controls without a name: {found}"
        found = axe(self.tab)
        assert not found, f"{what}: {found}"


UNNAMED = """() => [...document.querySelectorAll("input, select, textarea, button, a, [role=group]")]
  .filter((element) => element.checkVisibility())
  .filter((element) => !(element.labels?.length || element.getAttribute("aria-label")
    || document.getElementById(element.getAttribute("aria-labelledby") ?? "")
    || (["BUTTON", "A"].includes(element.tagName) && element.textContent.trim())))
  .map((element) => element.outerHTML.slice(0, 80))"""


def axe(tab):
    """What axe-core finds, where it is at hand. Colours are the forms' own."""
    try:
        import axe_playwright_python
    except ImportError:
        return []
    files = glob.glob(os.path.join(os.path.dirname(axe_playwright_python.__file__), "**", "axe*.js"),
                      recursive=True)
    if not files:
        return []
    with open(files[0], encoding="utf-8") as file:
        tab.evaluate(file.read() + "; undefined")
    result = tab.evaluate("axe.run({rules: {'color-contrast': {enabled: false}}})")
    return [f"{found['id']}: {found['nodes'][0]['html'][:120]}" for found in result["violations"]]


def shoot(page, folder, name):
    for size, viewport in {"phone": PHONE, "desktop": DESKTOP}.items():
        page.tab.set_viewport_size(viewport)
        page.tab.evaluate("scrollTo(0, 0)")
        for scheme in ["light", "dark"]:
            page.tab.emulate_media(color_scheme=scheme)
            page.tab.wait_for_timeout(80)
            wide = page.tab.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{name} at {size} width is {wide} too wide"
            page.tab.bring_to_front()
            page.tab.screenshot(path=os.path.join(folder, f"{name}-{size}-{scheme}.png"),
                                full_page=True)
    page.tab.emulate_media(color_scheme="light")
