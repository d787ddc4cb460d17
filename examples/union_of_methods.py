#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""union_of_methods.py [--scope page|all] [--min-chars N] [FILE]: one corpus of what several methods extract, no line twice.

    dana filter -m learned -m danag -m plain crawl.warc.gz | python3 examples/union_of_methods.py >union.jsonl

Each text of a page is a document of its own, because corpora filter each by itself: a page of which one method's text is
refused may be kept with another's. Of the second text and those after it only the lines are left that no text before had: of
this page, or with --scope all of the whole input, where each different line takes some 60 bytes of memory. Lines count as
equal as for the plugin dedup-lines: in small letters, with white space as one space. A text of fewer than N characters
(100) is left out. The number of lines that each method has added is on standard error.
"""

import argparse
import collections
import hashlib
import json
import sys


def key_of(line):
    return hashlib.blake2b(" ".join(line.lower().split()).encode(), digest_size=8).digest()


def texts_of(document):
    """(method, text) for each text of a page, the first method's first. A text may be null: its method gave none."""
    fields = document.get("metadata", document)
    return [(fields["method"], document["text"]), *fields["texts"].items()]


def fresh(text, seen):
    """The lines that are not in `seen`, which gets them."""
    lines = []
    for line in text.split("\n"):
        key = key_of(line)
        if key not in seen:
            seen.add(key)
            lines.append(line)
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--scope", choices=["page", "all"], default="page")
    parser.add_argument("--min-chars", type=int, default=100)
    parser.add_argument("file", nargs="?", type=argparse.FileType(encoding="utf-8"), default=sys.stdin)
    options = parser.parse_args()
    seen, had, added = set(), collections.Counter(), collections.Counter()
    for row in options.file:
        document = json.loads(row)
        fields = document.get("metadata", document)
        if options.scope == "page":
            seen.clear()
        for number, (method, text) in enumerate(texts_of(document)):
            lines = fresh(text or "", seen)
            had[method] += (text or "").count("\n") + bool(text)
            left = "\n".join(lines)
            if len(left) < options.min_chars:
                continue
            added[method] += len(lines)
            name = document["id"] if number == 0 else f"{document['id']}#{method}"
            made = {"text": left, "id": name, "url": fields["url"], "date": fields["date"], "method": method}
            sys.stdout.write(json.dumps(made, ensure_ascii=False) + "\n")
    for method in had:
        print(f"{method}: {added[method]} of {had[method]} lines", file=sys.stderr)


if __name__ == "__main__":
    main()
