"""Kinto on this machine, behind a proxy that keeps what was asked."""

import base64
import decimal
import http.client
import http.server
import json
import os
import socket
import subprocess
import threading
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
ACCOUNT = "tester:s3cret-of-the-tests"
COLLECTION = "/v1/buckets/forms/collections/drafts"


class Kinto:
    """A server with an account, a bucket and a collection, for as long as it is entered."""

    def __enter__(self):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        self.process = subprocess.Popen(
            [os.environ["KINTO"], "start", "--ini",
             os.path.join(ROOT, "Tests", "Servers", "kinto.ini"), "--port", str(self.port)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.requests = []
        self.proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        threading.Thread(target=self.proxy.serve_forever, daemon=True).start()
        try:
            self.wait()
            password = ACCOUNT.split(":")[1]
            self.ask("PUT", "/v1/accounts/tester", {"data": {"password": password}}, account=None)
            self.ask("PUT", "/v1/buckets/forms", {})
            self.ask("PUT", COLLECTION, {})
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.proxy.shutdown()
        self.process.kill()
        self.process.wait()

    def wait(self):
        end = time.monotonic() + 60
        while True:
            try:
                return self.ask("GET", "/v1/__heartbeat__")
            except OSError:
                assert self.process.poll() is None, "Kinto ended"
                assert time.monotonic() < end, "Kinto does not answer"
                time.sleep(0.05)

    def ask(self, method, path, body=None, account=ACCOUNT):
        headers = {"Content-Type": "application/json"}
        if account:
            headers["Authorization"] = "Basic " + base64.b64encode(account.encode()).decode()
        status, _, answer = self.forward(method, path, headers, body and json.dumps(body).encode())
        assert status < 300, (method, path, status, answer)
        return json.loads(answer, parse_float=decimal.Decimal)

    def record(self, draft):
        """A record without what Kinto adds."""
        data = self.ask("GET", f"{COLLECTION}/records/{draft}")["data"]
        return {key: value for key, value in data.items() if key not in ("id", "last_modified")}

    def settings(self, path):
        """The settings that the examples have, for the proxy."""
        with open(os.path.join(ROOT, "Examples", "Settings", "kinto.json"), encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(":8888", f":{self.proxy.server_address[1]}"))
        return path

    def forward(self, method, path, headers, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, answer.getheaders(), content

    def handler(self):
        kinto = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                kinto.requests.append((self.command, body.decode()))
                status, headers, content = kinto.forward(
                    self.command, self.path, dict(self.headers), body)
                self.send_response_only(status)
                for name, value in headers:
                    if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_PUT = do_PATCH = do_POST = answer

            def log_message(self, *_):
                pass

        return Handler
