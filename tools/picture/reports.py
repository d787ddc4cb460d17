#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reports.py DANA FOLDER: the pictures of doc/SEE.md: report.png, the page of a run over the sample, and marks.png, marks in a report of
`dana explain` with the rule that follows from them. Needs chromium and chromium-driver (Debian), and fonts-dejavu-core."""
import base64
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(TOP, "tests", "cli"))
sys.dont_write_bytecode = True
from browser import Browser  # noqa: E402

PAGE = """<!doctype html><title>{title} | Valley News</title><article><h1>{title}</h1>
<p>The bridge over the Arle was opened on Sunday after two years of work. It is forty metres long, and carries two lanes and a path.</p>
<div class="promo"><p>Our weekly letter brings the news of the valley to your door. Ask for it at the office in the market hall, {title}.</p></div>
<p>About three hundred people came to see the first cars cross it. The old one, of wood, stays for walkers until a new roof is built for it.</p>
<p>The mayor thanked the masons, who had worked through two winters, and the neighbours, who had borne the noise of it.</p>
<p>Before, whoever lived beyond the river went by the ferry, which stood still when the water was high, or by the road over the pass, which took an hour.
The school bus came twice a day. From Monday on it comes six times, and the doctor of the village has moved to the house beside the bridge, as most of
those who come to her live on the other side.</p></article>"""


def shoot(browser, path, height):
    browser.size(1000, height)
    with open(path, "wb") as f:
        f.write(base64.b64decode(browser.tell("Page.captureScreenshot", format="png")["data"]))


def main():
    dana, out = map(os.path.abspath, sys.argv[1:])
    with tempfile.TemporaryDirectory() as work, Browser() as browser:
        os.chdir(work)
        subprocess.run([dana, "filter", "-q", "--report", "run.html", "-o", "pages.jsonl", "--plugin", "language", "--plugin", "quality",
                        os.path.join(TOP, "sample", "sample.warc.gz")], check=True)
        browser.open("run.html")
        shoot(browser, os.path.join(out, "report.png"), 840)
        for name, title in ("a", "A bridge is opened"), ("b", "The bridge in winter"):
            with open(name + ".html", "w") as f:
                f.write(PAGE.format(title=title))
        subprocess.run([dana, "explain", "-o", "report.html", "--url", "https://valley.example/", "a.html", "b.html"], check=True)
        browser.open("report.html")
        browser.run("document.querySelectorAll('.block')[2].querySelector('button').focus()")
        browser.keys("x")
        browser.run("document.querySelector('.list').scrollIntoView(); scrollBy(0, -220)")
        shoot(browser, os.path.join(out, "marks.png"), 760)


if __name__ == "__main__":
    main() if len(sys.argv) == 3 else sys.exit(__doc__)
