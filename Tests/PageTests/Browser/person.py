"""A tab of the browser, and what a person at a keyboard does in it."""

import json

from playwright.sync_api import expect

# Long enough for a machine that has much else to do; nothing waits for its end when all is well.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)


class Page:
    """A tab, with what a person at a keyboard does."""

    def __init__(self, context):
        self.tab = context.new_page()
        self.tab.set_default_timeout(PATIENCE)
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
        for _ in range(80):
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
        """Begins a draft of a form from the list, by keyboard, and returns its id."""
        self.tab.goto(server.url)
        button = self.tab.get_by_role("button", name=form, exact=False).first
        button.wait_for()
        self.go_to(button.get_attribute("aria-label"))
        self.press("Enter")
        self.tab.wait_for_url("**/drafts/*")
        return self.opened()

    def open(self, server, draft):
        """Opens a draft."""
        self.tab.goto(server.url)
        self.tab.goto(f"{server.origin}/drafts/{draft}")
        return self.opened()

    def opened(self):
        """Waits until the form is drawn, and returns the draft's id."""
        self.tab.wait_for_selector("#submit:not([disabled])")
        return self.tab.url.rsplit("/", 1)[1]

    def saved(self):
        expect(self.tab.locator("#save")).to_have_class("save saved")

    def submit(self):
        self.go_to(self.tab.locator("#submit").inner_text())
        self.press("Enter")

    def label(self, name):
        return self.tab.get_by_label(name, exact=False).first

    def compare(self, server, draft):
        """Everything that the page shows is what the store holds. Returns the fields left empty."""
        self.saved()
        state = self.tab.evaluate(
            "async () => (await fetch(location.pathname + '/state')).json()")
        values = server.values(draft)
        empty = []
        for section in state["form"]["sections"]:
            for row in section["rows"]:
                for index, field in enumerate(row["fields"]):
                    control = self.tab.locator(f"#row-{row['row']}-{index}")
                    shown, value = content(control, field), values.get(field["key"])
                    value = None if value == [] else value
                    assert shown == value, (field["key"], shown, value)
                    if value is None and field["kind"] != "text":
                        empty.append(field["key"])
        return empty


def restart(context, server):
    """Starts the server again. Its new token comes with its new address; pages go on with it."""
    server.start()
    tab = context.new_page()
    tab.goto(server.url)
    tab.close()


def content(control, field):
    """What a control shows, as the value that it means; None for nothing."""
    if field["kind"] == "input":
        text = control.input_value()
        text = text.replace(field["separator"], "") if "separator" in field else text
        if not text:
            return None
        return int(text) if field["dataType"] == "integer" else text
    if field["kind"] == "option":
        chosen = control.input_value()
        return json.loads(field["options"][int(chosen)]["id"]) if chosen else None
    if field["kind"] == "tags":
        names = control.locator("[aria-pressed=true]").all_inner_texts()
        ids = [json.loads(tag["id"]) for tag in field["tags"] if tag["label"] in names]
        return ids or None
    if field["kind"] == "custom":
        text = control.input_value()
        return json.loads(text, parse_float=str) if text else None
    return control.text_content() or None
