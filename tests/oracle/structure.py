# SPDX-License-Identifier: MIT
"""structure.py --dana DANA --cases FILE | --pages LIST: Markdown, read back by cmark-gfm, has the letters of the plain text.

What differs by intent is allowed, among the cases by their names. Among pages each difference must be of one of the
classes of structure_classes.py: what a page has of it is taken out of both texts, and the rest must be equal."""
import argparse
import collections
import functools
import html.parser
import json
import re
import subprocess
import sys
import tempfile
import unicodedata

import structure_classes

INTENT_CASES = ("formula", "note", "terms", "heading-anchors", "heading-edit", "code-gutter", "code-in-editor", "code-numbers",
                "code-tools", "code-of-numbers", "code-without-pre", "hidden", "list-tasks", "meaning-", "task-of-code",
                "code-raw", "nothing", "class-", "code-with-a-label", "first-letters", "pictures-that-are", "table-foot-first",
                "caption-button")
WHITE = re.compile(r"[\s\u200b-\u200d\x1c-\x1f\x85]+")
RAISED = re.compile(r"[\^_]\(([^()]*)\)")
# raised and lowered letters, as what they are made of: tags in Markdown, characters in the text
FORMS = {c: unicodedata.decomposition(chr(c)).split()[-1] for c in range(0x80, 0x2E80)
         if re.fullmatch("<su(per|b)> [0-9A-F]+", unicodedata.decomposition(chr(c)))}
FORMS = {c: chr(int(code, 16)).replace("\u2212", "-") for c, code in FORMS.items()}
FORMS[0x2212] = "-"


class Text(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.parts = []

    def handle_data(self, data):
        self.parts.append(data)


def letters(text):
    return RAISED.sub(r"\1", WHITE.sub("", text).translate(FORMS))


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


def difference(got, want):
    """Where the letters part, or nothing."""
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
            made = extract(dana, "plain", [f"{folder}/page.html"])[0]
            found = difference(read_back(made["markdown"]), letters(made["text"]))
            if found:
                print(f"{name}: {found}")
            wrong += found != ""
            compared += 1
    print(f"{compared} cases, {wrong} differ")
    return wrong == 0 and compared > 60


def compare(page):
    """The classes that explain how Markdown and text of a page differ, as few as do, and where they differ elsewhere."""
    got, want = read_back(structure_classes.without_notes(page["markdown"])), letters(page["text"])
    used, done = [], [letters]
    if got == want:
        return used, ""
    with open(page["file"], encoding=page["charset"], errors="replace") as file:
        html = file.read()
    parts = structure_classes.parts_of(html)
    for name, leave_out in structure_classes.of_page(parts, html, letters):
        done.append(leave_out)
        before = len(got) - len(want)
        got, want = leave_out(got), leave_out(want)
        if len(got) - len(want) != before:
            used.append(name)
        if got == want:
            return used, ""
    more = structure_classes.wholes(parts, lambda text: functools.reduce(lambda t, f: f(t), done, text), got, want)
    return used + more, "" if more else difference(got, want)


def check_pages(dana, path):
    same = wrong = 0
    found = collections.Counter()
    with open(path, encoding="utf-8") as file:
        names = file.read().split()
    pages = [page for page in extract(dana, "learned", names) if page["text"]]
    for page in pages:
        used, elsewhere = compare(page)
        same += not used and not elsewhere
        if elsewhere:
            print(f"{page['file']}: {elsewhere}")
            wrong += 1
        else:
            found.update(used)
    explained = ", ".join(f"{name} {n}" for name, n in found.most_common())
    print(f"{len(names)} pages, {len(pages)} with text: {same} the same, {len(pages) - same - wrong} but for: {explained or '-'}; "
          f"{wrong} differ elsewhere")
    return wrong == 0 and same > 0 and len(pages) * 10 > len(names) * 9


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dana", required=True)
    parser.add_argument("--cases")
    parser.add_argument("--pages")
    given = parser.parse_args()
    good = check_cases(given.dana, given.cases) if given.cases else check_pages(given.dana, given.pages)
    sys.exit(not good)


main()
