# SPDX-License-Identifier: MIT
"""structure.py --dana DANA --cases FILE | --pages LIST: Markdown, read back by cmark-gfm, has the letters of the plain text.

What differs by intent is allowed, by its name among the cases and by what a page has: formulas (TeX stands for them),
footnotes and terms (other Markdown than cmark-gfm reads), links of headings to themselves, numbers of lines, what the
page hides, boxes of tasks, rows of tables, which are kept whole."""
import argparse
import html.parser
import json
import re
import subprocess
import sys
import tempfile

INTENT_CASES = ("formula", "note", "terms", "heading-anchors", "code-gutter", "code-tools", "hidden", "list-tasks",
                "code-raw", "nothing")
INTENT_PAGES = re.compile(
    r"<math|mathjax|katex|type=.?math/tex|<dd|<table|display:\s*none|\shidden\b|type=.?checkbox|"
    r"class=[^>]*\b(?:math|tex|footnotes?|gutter|lineno|line-numbers?|sr-only|visually-hidden|screen-reader-text|"
    r"headerlink|header-anchor|anchor|hash-link|permalink|ln|lnt|copy)\b", re.I)
WHITE = re.compile(r"[\s\u200b\x1c-\x1f\x85]+")


class Text(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.parts = []

    def handle_data(self, data):
        self.parts.append(data)


def letters(text):
    return WHITE.sub("", text)


def read_back(markdown):
    command = ["cmark-gfm", "-e", "table", "-e", "strikethrough", "-e", "tasklist", "--unsafe"]
    made = subprocess.run(command, input=markdown.encode(), stdout=subprocess.PIPE, check=True).stdout.decode()
    text = Text()
    text.feed(made)
    text.close()
    return letters("".join(text.parts))


def extract(dana, method, names):
    command = [dana, "extract", "-m", method, "-f", "jsonl", "--text", "plain,markdown", "--markdown", "heading=chosen"]
    return [json.loads(line) for line in subprocess.run(command + names, stdout=subprocess.PIPE).stdout.splitlines()]


def difference(page):
    """Where the letters part, or nothing."""
    got, want = read_back(page["markdown"]), letters(page["text"])
    if got == want:
        return ""
    at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
    return f"Markdown {got[max(0, at - 30):at + 30]!r}, text {want[max(0, at - 30):at + 30]!r}"


def check_cases(dana, path):
    compared = wrong = 0
    with open(path, encoding="utf-8") as file, tempfile.TemporaryDirectory() as folder:
        for part in re.split(r"^=== ", file.read(), flags=re.M)[1:]:
            name, rest = part.split("\n", 1)
            if name.startswith(INTENT_CASES):
                continue
            with open(f"{folder}/page.html", "w", encoding="utf-8") as page:
                page.write(rest.split("\n--->\n", 1)[0])
            found = difference(extract(dana, "plain", [f"{folder}/page.html"])[0])
            if found:
                print(f"{name}: {found}")
            wrong += found != ""
            compared += 1
    print(f"{compared} cases, {wrong} differ")
    return wrong == 0 and compared > 60


def check_pages(dana, path):
    same = intended = wrong = 0
    with open(path, encoding="utf-8") as file:
        names = file.read().split()
    for page in extract(dana, "learned", names):
        found = difference(page) if page["text"] is not None else ""
        if not found:
            same += 1
            continue
        with open(page["file"], encoding="utf-8", errors="replace") as file:
            if INTENT_PAGES.search(file.read()):
                intended += 1
                continue
        print(f"{page['file']}: {found}")
        wrong += 1
    print(f"{len(names)} pages: {same} the same, {intended} differ where they may, {wrong} elsewhere")
    return wrong == 0 and same > len(names) * 3 // 4


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dana", required=True)
    parser.add_argument("--cases")
    parser.add_argument("--pages")
    given = parser.parse_args()
    good = check_cases(given.dana, given.cases) if given.cases else check_pages(given.dana, given.pages)
    sys.exit(not good)


main()
