"""The built command, serving a store of its own."""

import json
import os
import signal
import subprocess


class Server:
    def __init__(self, command, folder):
        self.command = command
        self.store = os.path.join(folder, "forms.store")
        self.port = 0
        self.process = None

    def run(self, *arguments):
        return subprocess.run(
            [self.command, "--store", self.store, *arguments],
            check=True, capture_output=True, text=True,
        ).stdout

    def record(self, *arguments):
        # Decimals keep their own digits.
        return json.loads(self.run(*arguments, "--json"), parse_float=str)

    def values(self, draft):
        return self.record("draft", "show", draft)["values"]

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
        assert self.process.wait(timeout=10) == 0, "the server did not end well"
