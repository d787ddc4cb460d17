#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""table.py INDEX...: in the folder of run.sh, a table of what the indexes found, as doc/INDEX.md has it."""
import json
import pathlib
import sys

NAMES = {"fts5": "SQLite FTS5", "tantivy": "Tantivy", "lucene": "Lucene",
         "raw": "all text (`-m plain`)", "learned": "main text (`learned`)", "clean": "`boilerplate`, then `dedup-near`"}
truth = json.load(open("truth.json"))


def score(name):
    hits = menus = copies = 0
    for query, line in zip(truth["queries"], open(name + ".found")):
        seen = set()
        for url in json.loads(line):
            page = truth["pages"][url]
            hits += 1
            menus += query not in page["subjects"]
            copies += page["article"] in seen
            seen.add(page["article"])
    return hits, menus, copies


print("| index | text | pages | size, KB | hits in the first ten | only in menus, teasers, footers | copies of a hit above |")
print("|---|---|--:|--:|--:|--:|--:|")
for index in sys.argv[1:]:
    for text in "raw", "learned", "clean":
        pages = sum(1 for _ in open(text + ".jsonl")) // 2
        size = sum(f.stat().st_size for f in pathlib.Path("%s.%s" % (index, text)).rglob("*") if f.is_file())
        hits, menus, copies = score("%s.%s" % (index, text))
        print("| %s | %s | %d | %.0f | %d | %d | %d |"
              % (NAMES[index], NAMES[text], pages, size / 1e3, hits, menus, copies))
