"""The built command, serving a store of its own."""

import json
import os
import signal
import subprocess


class Server:
    def __init__(self, command, folder):
        self.command = command
        self.folder = folder
        self.store = os.path.join(folder, "forms.store")
        self.port = 0
        self.process = None

    def run(self, *arguments, environment=None):
        done = subprocess.run(
            [self.command, "--store", self.store, *arguments],
            capture_output=True, text=True, env={**os.environ, **(environment or {})},
        )
        assert done.returncode == 0, f"{arguments}: {done.returncode}\n{done.stderr}"
        return done.stdout

    def record(self, *arguments):
        # Decimals keep their own digits.
        return json.loads(self.run(*arguments, "--json"), parse_float=str)

    def values(self, draft):
        """The draft's values by field key, those that are never submitted among them."""
        draft = self.record("draft", "show", draft)
        return {**draft["values"], **draft["local"]}

    def add_form(self, form):
        path = os.path.join(self.folder, f"{form['id']}.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(form, file)
        self.run("form", "add", path)

    def start(self):
        """Starts at the same port each time, and returns the page's address."""
        self.process = subprocess.Popen(
            [self.command, "--store", self.store, "serve", "--port", str(self.port), "--json"],
            stdout=subprocess.PIPE, text=True,
        )
        self.url = json.loads(self.process.stdout.readline())["url"]
        self.origin = self.url.split("/?")[0]
        self.port = int(self.origin.rsplit(":", 1)[1])
        return self.url

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=30) == 0, "the server did not end well"
