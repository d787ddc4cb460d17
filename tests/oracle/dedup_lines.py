#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dedup_lines.py OPTIONS: what the plugin dedup-lines leaves of documents in JSON: a line "ID TEXT" for each that it keeps."""
import collections
import json
import sys
import unicodedata
import urllib.parse

options = dict(pair.split("=") for pair in sys.argv[1].split(","))
scope, keep = options.get("scope", "all"), options.get("keep", "first")
most, least, left_least = int(options.get("max-count", 1)), int(options.get("min-chars", 20)), float(options.get("min-left", 0))


def form(line):
    return " ".join(unicodedata.normalize("NFC", line).lower().split())


seen = collections.Counter()
for document in map(json.loads, sys.stdin):
    host = ".".join(urllib.parse.urlsplit(document["url"]).hostname.split(".")[-2:])
    lines = document["text"].split("\n")
    forms = [form(line) for line in lines]
    count = collections.Counter() if scope == "page" else seen
    on_page = collections.Counter(forms)
    kept = []
    for line, key in zip(lines, forms):
        if len(key) >= least:
            place = (host if scope == "host" else "", key)
            count[place] += 1
            if count[place] > most or keep == "none" and on_page[key] > most:
                continue
        kept.append(line)
    left, chars = sum(len(form(line)) for line in kept), sum(map(len, forms))
    if left and left >= left_least * chars or kept == lines:
        print(document["id"], json.dumps("\n".join(kept)))
