"""Fills forms in Chromium, and compares the page with the store.

    test_page.py FORMDRAFT [PICTURES]

CHROMIUM is the browser, ONLY the names of the tests to run. With a folder for pictures, all that is
looked at is drawn there.
"""

import glob
import json
import os
import sys
import tempfile
import time
import traceback

from playwright.sync_api import expect, sync_playwright

import forms
import keeping
import safety
import together
import upload
from looks import DESKTOP, look
from person import Page
from server import Server

FORMS = sorted(glob.glob(os.path.join(safety.CASES, "forms", "*.json")))

VISIT = os.path.join(safety.CASES, "..", "..", "Examples", "Forms", "visit.json")


def listing(context, server):
    """The list of forms and drafts; a draft is put away and comes back."""
    server.run("draft", "set", server.run("draft", "new", "profile").strip(), "name=Ada")
    page = Page(context)
    page.tab.goto(server.url)
    page.tab.wait_for_selector("#drafts a")
    first = page.tab.locator("#drafts a").first.get_attribute("href")
    page.tab.get_by_role("button", name="Put away").first.focus()
    page.press("Enter")
    page.tab.get_by_role("button", name="Restore").first.wait_for()
    look(page, "list")
    page.tab.get_by_role("button", name="Restore").first.focus()
    page.press("Enter")
    expect(page.tab.locator(f"#drafts a[href='{first}']")).to_be_visible()


def every_look(context, server):
    """The list and each form, untouched and with values that are wrong or right."""
    page = Page(context)
    page.tab.goto(server.url)
    page.tab.wait_for_selector("#forms button")
    language = page.tab.evaluate("document.documentElement.lang")[:2]
    look(page, f"list-{language}")
    for form in forms.FILLED:
        page.open(server, server.run("draft", "new", form).strip())
        look(page, f"{form}-new-{language}")
        page.submit()
        page.tab.wait_for_selector("[aria-invalid=true], .tags-row .error:not(:empty)")
        # What the form has no words for is said in the reader's language.
        errors = " ".join(page.tab.locator(".error").all_inner_texts())
        assert language == "en" or "please" not in errors, errors
        look(page, f"{form}-wrong-{language}")


def each_form_was_filled(context, server):
    """None of the cases' forms was left out."""
    names = set()
    for path in FORMS:
        with open(path, encoding="utf-8") as file:
            names.add(json.load(file)["id"])
    assert names == set(forms.FILLED), names


TESTS = [
    (each_form_was_filled, "en-GB"), (forms.profile, "zh-CN"), (forms.interests, "zh-CN"),
    (forms.calculator, "en-GB"), (safety.naughty, "zh-CN"), (safety.custom, "en-GB"),
    (safety.coming_and_going, "zh-CN"), *[(test, "en-GB") for test in together.TESTS],
    *[(test, "en-GB") for test in keeping.TESTS],
    (upload.upload_all, "en-GB"), (upload.upload_changes, "en-GB"), (listing, "en-GB"),
    (every_look, "en-GB"), (every_look, "zh-CN"),
]


def launch(playwright):
    # Playwright leaves Chromium's sandbox out, which needs more than a container or root has; only
    # pages of our own are opened. Shared memory is small in many containers.
    return playwright.chromium.launch(
        executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
        args=["--disable-dev-shm-usage"])


def main(command, pictures=""):
    if pictures:
        os.makedirs(pictures, exist_ok=True)
        os.environ["PICTURES"] = pictures
    chosen = os.environ.get("ONLY", "").split()
    tests = [test for test in TESTS if not chosen or test[0].__name__ in chosen]
    failures = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(command, folder)
        for form in [*FORMS, VISIT]:
            server.run("form", "add", form)
        server.start()
        browser = launch(playwright)
        try:
            for test, language in tests:
                failures += not passes(test, browser, language, server)
            browser.close()
            server.stop()
        finally:
            server.kill()
    print(f"{len(tests) - failures} passed, {failures} failed", flush=True)
    return failures == 0 and len(tests) > 0


def passes(test, browser, language, server):
    """Runs a test in a browser's profile of its own; says how it went."""
    start = time.monotonic()
    context = browser.new_context(locale=language, viewport=DESKTOP)
    try:
        test(context, server)
        print(f"passed: {test.__name__}, {time.monotonic() - start:.1f} s", flush=True)
        return True
    except Exception:
        print(f"failed: {test.__name__}", flush=True)
        traceback.print_exc()
        for tab in context.pages:
            print(f"{tab.url}\n{tab.inner_text('body')[:2000]}", file=sys.stderr)
        # The next one finds a server.
        if server.process.poll() is not None:
            server.start()
        return False
    finally:
        context.close()


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
