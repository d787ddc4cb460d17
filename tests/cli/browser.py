#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A browser without a window, by the WebDriver protocol of chromedriver: HTTP and JSON, nothing but Python's own library."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request


class Browser:
    """with Browser() as b: b.open(path); b.run("return document.title")"""

    def __init__(self, width=1400, height=1000):
        driver, program = shutil.which("chromedriver"), shutil.which("chromium") or shutil.which("chromium-browser")
        if not driver or not program:
            sys.exit("no chromium and chromedriver")
        self.folder = tempfile.TemporaryDirectory()
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = None
        for line in self.driver.stdout:
            if "started successfully on port" in line:
                port = line.rstrip(".\n").split()[-1]
                break
        self.base = f"http://127.0.0.1:{port}/session"
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync", "--disable-background-networking",
                 "--disable-component-update", "--hide-scrollbars", f"--window-size={width},{height}", f"--user-data-dir={self.folder.name}"]
        options = {"binary": program, "args": flags}
        # a busy machine needs longer than the 30 seconds that a script has by default
        wish = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"},
                "timeouts": {"script": 300_000, "pageLoad": 300_000}}
        self.session = self.call("POST", "", {"capabilities": {"alwaysMatch": wish}})["sessionId"]
        self.call("POST", f"/{self.session}/url", {"url": "about:blank"})
        self.requests()  # of the page that every new window shows

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=320) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"].splitlines()[0]) from None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("DELETE", f"/{self.session}")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.folder.cleanup()

    def open(self, path, fragment=""):
        # another address in between: a new fragment alone would not load the file again
        self.call("POST", f"/{self.session}/url", {"url": "about:blank"})
        self.call("POST", f"/{self.session}/url", {"url": "file://" + os.path.abspath(path) + fragment})

    def run(self, script, *arguments):
        return self.call("POST", f"/{self.session}/execute/sync", {"script": script, "args": list(arguments)})

    def tell(self, command, **parameters):
        """A command of Chrome's own protocol."""
        return self.call("POST", f"/{self.session}/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height=1000):
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def prefer(self, scheme="light", medium="screen"):
        self.tell("Emulation.setEmulatedMedia", media=medium, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def scripts(self, allowed):
        self.tell("Emulation.setScriptExecutionDisabled", value=not allowed)

    def keys(self, text):
        actions = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self.call("POST", f"/{self.session}/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def click(self, selector):
        element = self.call("POST", f"/{self.session}/element", {"using": "css selector", "value": selector})
        self.call("POST", f"/{self.session}/element/{next(iter(element.values()))}/click", {})

    def complaints(self):
        """What the browser wrote to its console since the last call: errors, and what a policy refused."""
        return [entry["message"] for entry in self.call("POST", f"/{self.session}/se/log", {"type": "browser"})]

    def requests(self):
        """The addresses that were asked for since the last call."""
        messages = (json.loads(entry["message"])["message"] for entry in self.call("POST", f"/{self.session}/se/log", {"type": "performance"}))
        urls = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if url != "about:blank"]
