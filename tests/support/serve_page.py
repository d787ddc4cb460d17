#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""serve_page.py CHROMIUM URL FILE [FOLDER]: uses the page of `dana serve` at URL as people do: pastes FILE, and chooses it
as a file, on a telephone and on a desk, light and dark. Text and Markdown must be those of /extract. The page and its
report must fit the width and bring no line to the console. With FOLDER pictures of all are left there. Exit status 1 with a message when something is wrong."""
import base64, json, os, subprocess, sys, tempfile, time, urllib.request


class Browser:
    """Chromium, by its protocol for debuggers over two pipes."""

    def __init__(self, program, profile):
        command_in, command_out = os.pipe()
        answer_in, answer_out = os.pipe()
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                   "--disable-background-networking", "--remote-debugging-pipe", f"--user-data-dir={profile}"]
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec 3<&{command_in} 4>&{answer_out}; exec "$@"', "sh", program, *options, "about:blank"],
            pass_fds=(command_in, answer_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(command_in)
        os.close(answer_out)
        self.commands, self.answers = command_out, os.fdopen(answer_in, "rb")
        self.rest, self.number, self.session = b"", 0, None
        self.events, self.lines = [], []
        pages = [t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        self.session = self.ask("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Log", "Runtime", "DOM"):
            self.ask(domain + ".enable")

    def receive(self):
        while b"\0" not in self.rest:
            more = os.read(self.answers.fileno(), 1 << 20)
            if not more:
                sys.exit("chromium has ended")
            self.rest += more
        message, _, self.rest = self.rest.partition(b"\0")
        message = json.loads(message)
        event = message.get("method")
        if event in ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
            self.lines.append(json.dumps(message["params"])[:300])
        if event:
            self.events.append(event)
        return message

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while (answer := self.receive()).get("id") != self.number:
            pass
        if "error" in answer:
            sys.exit(f"{method}: {answer['error']}")
        return answer["result"]

    def value(self, expression):
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def loaded(self, action):
        """Does `action`, and waits until the page that it leads to is there."""
        self.events.clear()
        action()
        while "Page.loadEventFired" not in self.events:
            self.receive()

    def end(self):
        os.close(self.commands)
        self.process.kill()
        self.process.wait()


def look(browser, name, folder):
    wide = browser.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if wide:
        sys.exit(f"{name}: {wide} pixels too wide")
    if folder:
        picture = browser.ask("Page.captureScreenshot")["data"]
        with open(os.path.join(folder, name + ".png"), "wb") as file:
            file.write(base64.b64decode(picture))


STATUS = "document.querySelector('#status').textContent"


def post(url, html, accept):
    headers = {"Content-Type": "text/html; charset=utf-8", "Accept": accept}
    return urllib.request.urlopen(urllib.request.Request(url + "extract", html.encode(), headers)).read().decode()


def show_texts(browser, url, html, name):
    browser.value("document.querySelector('#extract').click()")
    for _ in range(200):
        if browser.value("!document.querySelector('#result').hidden"):
            break
        time.sleep(0.05)
    else:
        sys.exit(f"{name}: no text: {browser.value(STATUS)}")
    shown = [browser.value(f"document.querySelector('#{i}').textContent") for i in ("text", "markdown", "facts")]
    document = json.loads(post(url, html, "application/json"))
    if shown[:2] != [document["text"], document["markdown"]] or document["title"] not in shown[2]:
        sys.exit(f"{name}: other texts than those of /extract: {shown}")


def use(browser, url, path, width, scheme, folder):
    name = f"{width}-{scheme}"
    with open(path, encoding="utf-8") as file:
        html = file.read()
    browser.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
    browser.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    for way in ("file", "pasted"):
        browser.loaded(lambda: browser.ask("Page.navigate", url=url))
        look(browser, f"page-{name}", folder)
        small = browser.value("[...document.querySelectorAll('button, select, textarea, input')]"
                              ".filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 40).map((e) => e.outerHTML).join()")
        if small:
            sys.exit(f"{name}: too small for a finger: {small}")
        if way == "file":
            root = browser.ask("DOM.getDocument")["root"]["nodeId"]
            field = browser.ask("DOM.querySelector", nodeId=root, selector="input[type=file]")["nodeId"]
            browser.ask("DOM.setFileInputFiles", nodeId=field, files=[os.path.abspath(path)])
        else:
            browser.value(f"document.querySelector('textarea').value = {json.dumps(html)}")
        show_texts(browser, url, html, f"{name}, {way}")
        look(browser, f"texts-{way}-{name}", folder)
        browser.loaded(lambda: browser.value("document.querySelector('#explain').click()"))
        if "kept" not in browser.value("document.body.textContent"):
            sys.exit(f"{name}, {way}: no report: {browser.value('document.body.textContent')[:200]}")
        look(browser, f"report-{way}-{name}", folder)


def main():
    program, url, path = sys.argv[1:4]
    folder = sys.argv[4] if len(sys.argv) > 4 else None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        try:
            for width in (400, 1600):
                for scheme in ("light", "dark"):
                    use(browser, url, path, width, scheme, folder)
        finally:
            browser.end()
    for line in browser.lines:
        print("console:", line)
    return 1 if browser.lines else 0


sys.exit(main())
