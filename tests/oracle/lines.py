#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Line ends in the text that methods write, compared with what libxml2 reads of the page.

A page is parsed by lxml, apart from all code of this project, and laid out as doc/FORMATS.md says of the field `text`: white space
collapses but in pre, textarea, listing, xmp, plaintext and under `white-space: pre...` in a style attribute; br ends a line, so do
the start and the end of each element that is not inline (custom elements too, which mostly stand for blocks), but between two
cells a method may write a tab.

A method keeps a part of the page, so its text is looked up in that of the page, without white space, in pieces as long as they go.
Inside of a piece, what stands between two neighbouring characters is compared: a line end or none, and, where the page keeps white
space, which, with the empty lines between two lines of one block. Example: the page has "Tide table.|Low water at six", the method wrote "table. Low water": one piece, "table.Lowwater",
in which the line end after "table." is missed.

usage: lines.py --dana DANA [--every N] [--most PERCENT] [--show METHOD] GOLD   (a folder with index.tsv)
       lines.py --dana DANA --most PERCENT --pages FILE                         (pages between lines of "=== NAME")
"""
import argparse, bisect, collections, csv, json, os, re, subprocess, sys

from lxml import etree

INLINE = set("a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small span"
             " strike strong sub sup time tt u var wbr".split())
UNSEEN = set("iframe math noscript object script select style svg template textarea title".split())  # no text of theirs is content, and none ends a line
KEPT = set("pre textarea listing xmp plaintext".split())
STYLE = re.compile(r"(?<![-\w])white-space\s*:\s*(normal|nowrap|pre-wrap|pre-line|break-spaces|pre)(?![-\w])", re.I)
SPACES = {"normal": "", "nowrap": "", "pre": "pre", "pre-wrap": "pre", "break-spaces": "pre", "pre-line": "lines"}
CONTROLS = {c: None for c in range(32) if c not in (9, 10, 11, 12, 13, 28, 29, 30, 31)} | {127: None}
PROBE = 24  # characters by which a piece is looked up
CHANCE = 8  # characters at both ends of a piece that may be alike by chance, where something of the page was left out


class Text:
    """Characters that are no white space, and what stands before some of them: {place: white space}."""

    def __init__(self):
        self.parts, self.len, self.gaps, self.gap, self.block = [], 0, {}, "", False
        self.cell, self.cells = False, set()  # whether a cell begins; places where one does

    def line_end(self):
        self.gap, self.block = "\n", True

    def add(self, text, space):
        for part in re.findall(r"\s+|\S+", text.translate(CONTROLS)):
            if not part.isspace():
                if self.gap:
                    self.gaps[self.len] = self.gap
                if self.cell:
                    self.cells.add(self.len)
                self.cell = False
                self.parts.append(part)
                self.len += len(part)
                self.gap, self.block = "", False
            elif not space:
                self.gap = self.gap or " "
            else:
                self.add_kept(part.replace("\r\n", "\n").replace("\r", "\n"), space)

    def add_kept(self, white, space):
        if "\n" in white:
            self.gap = "\n" if self.block else "\n" * (self.gap.count("\n") + white.count("\n"))
        rest = re.sub(r"[^\t]", " ", white[white.rfind("\n") + 1:])
        if space == "pre":
            self.gap += rest
        elif rest:
            self.gap = self.gap or " "

    def end(self):
        self.gaps.pop(0, None)
        self.all = "".join(self.parts)
        self.ends = sorted(place for place, gap in self.gaps.items() if "\n" in gap)
        return self


def laid_out(html):
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    root = etree.fromstring(html.replace("\0", "").encode("utf-8", "replace") or b"<p>", parser)
    text = Text()
    # each step: an element with its white space, or the text after it
    steps = [] if root is None else [(root, "", True)]
    while steps:
        node, space, begins = steps.pop()
        tag = node.tag if isinstance(node.tag, str) else None
        block = tag is not None and tag not in INLINE and tag not in UNSEEN
        if not begins:
            if block:
                text.line_end()
            if node.tail:
                text.add(node.tail, space)
            continue
        steps.append((node, space, False))
        if block:
            text.line_end()
            text.cell |= tag in ("td", "th")
        if tag is None or tag in UNSEEN:
            continue
        styles = STYLE.findall(node.get("style") or "")
        space = SPACES[styles[-1].lower()] if styles else "pre" if tag in KEPT else space
        if node.text:
            text.add(node.text, space)
        steps.extend((child, space, True) for child in reversed(node))
    return text.end()


def written(output):
    text = Text()
    text.add(output, "pre")
    return text.end()


def common(a, i, b, k):
    """Length of what a[i:] and b[k:] begin with alike."""
    n = 0
    while a[i + n:i + n + 4096] == b[k + n:k + n + 4096] and i + n < len(a) and k + n < len(b):
        n += min(4096, len(a) - i - n, len(b) - k - n)
    low, high = 0, min(4096, len(a) - i - n, len(b) - k - n)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a[i + n:i + n + middle] == b[k + n:k + n + middle] else (low, middle - 1)
    return n + low


def pieces(page, method):
    at = after = 0
    while at + PROBE <= len(method):
        place = page.find(method[at:at + PROBE], after)
        place = place if place >= 0 else page.find(method[at:at + PROBE])
        if place < 0:
            at += 1
            continue
        n = common(method, at, page, place)
        first = CHANCE if at else 0
        last = CHANCE if at + n < len(method) else 0
        yield place + first, at + first, n - first - last
        at, after = at + n, place + n


def between(places, low, high):
    return places[bisect.bisect_right(places, low):bisect.bisect_left(places, high)]


class Figures(collections.Counter):
    def percent(self):
        return 100 * (self["missed"] + self["invented"]) / max(1, self["ends"])


def compare(page, method, figures, show):
    if method.all and len(method.all) < PROBE and method.all in page.all:
        found = [(page.all.find(method.all), 0, len(method.all))]
    else:
        found = pieces(page.all, method.all)
    for place, at, n in found:
        # the cells of a row of a data table are parted by tabs
        tabs = {end for end in page.cells if "\t" in method.gaps.get(end - place + at, "")}
        theirs = {end - place for end in between(page.ends, place, place + n) if end not in tabs}
        ours = {end - at for end in between(method.ends, at, at + n)}
        figures["ends"] += len(theirs)
        figures["missed"] += len(theirs - ours)
        figures["invented"] += len(ours - theirs)
        figures["seen"] += n
        for k in sorted(theirs ^ ours) if show else ():
            what = "missed" if k in theirs else "invented"
            print(f"  {what}: ...{method.all[max(0, at + k - 30):at + k]} | {method.all[at + k:at + k + 30]}...")
        for k in between(page.kept, place, place + n):
            figures["kept"] += 1
            same = page.gaps[k] == method.gaps.get(k - place + at)
            figures["kept differs"] += not same
            if show and not same:
                print(f"  kept {page.gaps[k]!r}, written {method.gaps.get(k - place + at)!r}: {page.all[k - 20:k]} | "
                      f"{page.all[k:k + 20]}")


def gold_pages(folder, every):
    rows = list(csv.DictReader(open(folder + "/index.tsv", encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows[::every]:
        name = f"{row['corpus']}/{row['id']}.html"
        if os.path.exists(folder + "/" + name):
            data = open(folder + "/" + name, "rb").read()
            try:
                yield name, data.decode(row.get("charset") or "utf-8", "replace")
            except LookupError:
                pass


def own_pages(file):
    parts = re.split(r"^=== (.*)\n", open(file, encoding="utf-8").read(), flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


def texts(dana, method, lines):
    made = subprocess.run([dana, "extract", "--jsonl", "-m", method], input=lines, check=True, stdout=subprocess.PIPE)
    return [json.loads(line)["text"] or "" for line in made.stdout.splitlines()]


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--dana", required=True)
    options.add_argument("--every", type=int, default=1)
    options.add_argument("--most", type=float, default=100)
    options.add_argument("--show", default="")
    options.add_argument("--methods", default="")
    options.add_argument("--pages")
    options.add_argument("gold", nargs="?")
    args = options.parse_args()

    listed = subprocess.run([args.dana, "methods"], check=True, stdout=subprocess.PIPE).stdout.decode().split("\n\n")[0]
    methods = args.methods.split(",") if args.methods else [line.split()[0] for line in listed.splitlines()[1:]]
    pages = own_pages(args.pages) if args.pages else list(gold_pages(args.gold, args.every))
    read = [laid_out(html) for name, html in pages]
    for page in read:
        page.kept = sorted(place for place, gap in page.gaps.items() if gap not in (" ", "\n"))
    bad = 0
    print("method        pages     ends  missed  invented  percent    kept  differs")
    lines = "".join(json.dumps({"html": html}) + "\n" for _, html in pages).encode()
    for method in methods:
        figures = Figures()
        for page, (name, _), text in zip(read, pages, texts(args.dana, method, lines), strict=True):
            if method == args.show:
                print(name)
            compare(page, written(text), figures, method == args.show)
            figures["pages"] += 1
        differs = figures["kept differs"] / max(1, figures["kept"]) * 100
        good = figures["ends"] and figures.percent() <= args.most and differs <= args.most
        bad += not good
        print(f"{method:12} {figures['pages']:6} {figures['ends']:8} {figures['missed']:7} {figures['invented']:9} "
              f"{figures.percent():8.3f} {figures['kept']:7} {figures['kept differs']:8}{'' if good else '  !'}")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
