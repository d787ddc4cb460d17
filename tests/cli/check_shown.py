#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_shown.py DANA METHOD PAGE: the kept text of the report is what extract prints, and every kept block has its row and links."""
import html.parser
import subprocess
import sys


class Report(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.kept = self.line = None
        self.depth, self.lines, self.ids, self.links, self.blocks, self.rows = 0, [], [], [], 0, 0

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        classes = (attrs.get("class") or "").split()
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if "href" in attrs:
            self.links.append(attrs["href"])
        if tag == "div" and classes and classes[0] == "block":
            self.kept, self.depth = "kept" in classes, 0
            self.blocks += self.kept
        if tag == "div":
            self.depth += 1
        if tag == "p" and self.kept and "dir" in attrs:
            self.line = ""
        if tag == "td" and "yes" in classes:
            self.rows += 1

    def handle_endtag(self, tag):
        if tag == "p" and self.line is not None:
            self.lines.append(self.line)
            self.line = None
        if tag == "div":
            self.depth -= 1
            self.kept = self.kept and self.depth > 0

    def handle_data(self, data):
        if self.line is not None:
            self.line += data


def run(*words):
    return subprocess.run(words, capture_output=True, check=True, encoding="utf-8").stdout


def main():
    dana, method, page = sys.argv[1:]
    report = Report()
    report.feed(run(dana, "explain", "-m", method, page))
    text = "".join(line + "\n" for line in report.lines)
    wanted = run(dana, "extract", "-m", method, page)
    if text != wanted:
        sys.exit(f"{method} {page}: the report shows\n{text}\nextract prints\n{wanted}")
    if len(set(report.ids)) != len(report.ids):
        sys.exit(f"{method} {page}: an id is there twice")
    for link in report.links:
        if link[:1] != "#" or link[1:] not in report.ids:
            sys.exit(f"{method} {page}: {link} leads nowhere")
    if report.rows < report.blocks:
        sys.exit(f"{method} {page}: {report.blocks} kept blocks and {report.rows} rows of them")


main()
