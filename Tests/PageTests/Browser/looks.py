"""Looks at a page as people do who have another screen, or none."""

import os

import axe_playwright_python

PHONE, DESKTOP = {"width": 375, "height": 812}, {"width": 1024, "height": 900}
AXE = os.path.join(os.path.dirname(axe_playwright_python.__file__), "axe.min.js")

UNNAMED = """() => [...document.querySelectorAll("input, select, textarea, button, a, [role=group]")]
  .filter((element) => element.checkVisibility())
  .filter((element) => !(element.labels?.length || element.getAttribute("aria-label")
    || document.getElementById(element.getAttribute("aria-labelledby") ?? "")
    || (["BUTTON", "A"].includes(element.tagName) && element.textContent.trim())))
  .map((element) => element.outerHTML.slice(0, 80))"""

RUN_AXE = """async () => (await axe.run({
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
})).violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) =>
  `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`))"""

# A change of the colours is there after it was drawn.
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def look(page, name):
    """At each width, in bright and dark: nothing is too wide, has no name, or is a fault to axe-core."""
    tab = page.tab
    assert not page.faults, f"{name}: {page.faults}"
    if not tab.evaluate("typeof axe !== 'undefined'"):
        with open(AXE, encoding="utf-8") as file:
            tab.evaluate(file.read() + "; undefined")
    # One that nobody sees is drawn seldom.
    tab.bring_to_front()
    faults = []
    before = tab.viewport_size
    for size, viewport in {"phone": PHONE, "desktop": DESKTOP}.items():
        tab.set_viewport_size(viewport)
        for scheme in ["light", "dark"]:
            tab.emulate_media(color_scheme=scheme)
            tab.evaluate(DRAWN)
            wide = tab.evaluate("document.documentElement.scrollWidth - innerWidth")
            found = [f"{wide} too wide"] if wide > 0 else []
            found += [f"has no name: {html}" for html in tab.evaluate(UNNAMED)]
            found += tab.evaluate(RUN_AXE)
            faults += [f"{name}, {size}, {scheme}: {fault}" for fault in found]
            picture(page, f"{name}-{size}-{scheme}")
    tab.set_viewport_size(before)
    tab.emulate_media(color_scheme="light")
    assert not faults, "\n".join(faults)


def picture(page, name):
    """Takes a picture of the whole page, where pictures are wanted."""
    folder = os.environ.get("PICTURES")
    if not folder:
        return
    top = page.tab.evaluate("scrollY")
    page.tab.evaluate("scrollTo(0, 0)")
    page.tab.screenshot(path=os.path.join(folder, f"{name}.png"), full_page=True)
    page.tab.evaluate(f"scrollTo(0, {top})")
