"""Measures the page in Chromium: from a key to the disk and to the sign, and a large form's first paint.

    bench_page.py FORMDRAFT [KEYS [LOADS]]
"""

import os
import statistics
import sys
import tempfile

from playwright.sync_api import sync_playwright

from looks import DESKTOP
from person import Page
from server import Server
from test_page import launch

ROWS = 300

# The clock of a key is when the browser got it. An answer to the events is given once they are on the
# disk; the sign is seen when the frame is drawn that says so.
KEYS = """() => {
  const times = { key: 0, disk: [], sign: [] }
  window.times = times
  addEventListener("keydown", (event) => {
    times.key = event.timeStamp
    times.isAnswered = times.isSigned = false
  }, true)
  const { fetch } = window
  window.fetch = async (path, options) => {
    const answer = await fetch(path, options)
    if (String(path).endsWith("/events") && !times.isAnswered) {
      times.isAnswered = true
      times.disk.push(performance.now() - times.key)
    }
    return answer
  }
  const sign = document.getElementById("save")
  new MutationObserver(() => {
    if (sign.className !== "save saved" || !times.isAnswered || times.isSigned) return
    times.isSigned = true
    const { key } = times
    requestAnimationFrame(() => { setTimeout(() => times.sign.push(performance.now() - key)) })
  }).observe(sign, { attributes: true, childList: true, characterData: true, subtree: true })
}"""

UNTIL = """(count) => new Promise((done) => {
  const look = () => (window.times.sign.length > count ? done() : setTimeout(look, 1))
  look()
})"""

# All rows are there before the submit button is given free.
PAINT = """() => {
  window.paints = { rows: null }
  document.addEventListener("DOMContentLoaded", () => {
    new MutationObserver((_, observer) => {
      if (document.querySelector("#submit[disabled]")) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => { window.paints.rows = performance.now() }))
    }).observe(document.getElementById("submit"), { attributes: true })
  })
}"""


def large_form():
    """A form of many rows, of every kind of cell."""
    kinds = [
        {"kind": "input", "cellStyle": "input1", "placeholder": "Type here"},
        {"kind": "input", "cellStyle": "textView2", "verify": {"type": "endEdit", "rule": {
            "length": {"min": 0, "max": 200}}}},
        {"kind": "option", "options": [{"id": n, "label": f"Option {n}"} for n in range(8)]},
        {"kind": "input", "dataType": "decimal", "cellStyle": "input1", "requiredType": "required"},
        {"kind": "text", "value": "13800138000", "cellStyle": "value1"},
        {"kind": "tags", "tags": [{"id": n, "labelName": f"Tag {n}"} for n in range(6)]},
    ]
    rows = [{**kinds[n % len(kinds)], "key": f"Row {n}", "serviceKey": f"row{n}"}
            for n in range(ROWS)]
    return {"id": "large", "title": "Large", "sections": [
        {"title": f"Part {n // 30}", "rows": rows[n:n + 30]} for n in range(0, ROWS, 30)]}


def type_keys(page, count):
    """Types one key after another, each when the one before is seen to be saved."""
    page.tab.evaluate(KEYS)
    for number in range(count):
        page.press(str(number % 10))
        page.tab.evaluate(UNTIL, number)
    return page.tab.evaluate("times")


def paint(context, server, draft):
    """Loads a form anew, and tells when something and when all rows were drawn."""
    page = Page(context)
    page.tab.add_init_script(f"({PAINT})()")
    page.tab.goto(f"{server.origin}/drafts/{draft}")
    page.opened()
    first = page.tab.evaluate("""() => new Promise((done) => new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry.name === "first-contentful-paint") done(entry.startTime)
      }
    }).observe({ type: "paint", buffered: true }))""")
    rows = page.tab.evaluate("""() => new Promise((done) => {
      const look = () => (paints.rows ? done(paints.rows) : setTimeout(look, 1))
      look()
    })""")
    page.tab.close()
    return first, rows


def tell(name, times):
    ordered = sorted(times)
    last = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"{name:<56}{statistics.median(ordered):>9.1f}{last:>9.1f}", flush=True)


def main(command, keys="300", loads="40"):
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as folder, \
            sync_playwright() as playwright:
        server = Server(command, folder)
        server.add_form(large_form())
        server.add_form({"id": "small", "title": "Small", "sections": [{"rows": [
            {"kind": "input", "key": "Row 0", "serviceKey": "row0", "cellStyle": "textView1",
             "maxLength": 10_000}]}]})
        draft = server.run("draft", "new", "large").strip()
        server.run("draft", "set", draft, *[f"row{n}=Text {n}" for n in range(0, ROWS, 6)])
        server.start()
        browser = launch(playwright)
        try:
            context = browser.new_context(locale="en-GB", viewport=DESKTOP)
            print(f"{'':<56}{'median':>9}{'p95':>9}   ms")
            for form in ["small", "large"]:
                page = Page(context)
                page.open(server, server.run("draft", "new", form).strip())
                page.label("Row 0").focus()
                page.saved()
                times = type_keys(page, int(keys))
                name = "1 row" if form == "small" else f"{ROWS} rows"
                tell(f"a key to the disk, a form of {name}", times["disk"])
                tell(f"a key to the sign \"Saved\", a form of {name}", times["sign"])
                page.tab.close()
            paints = [paint(context, server, draft) for _ in range(int(loads) + 3)][3:]
            tell(f"first contentful paint, {ROWS} rows", [first for first, _ in paints])
            tell(f"all {ROWS} rows drawn", [rows for _, rows in paints])
            browser.close()
        finally:
            server.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
