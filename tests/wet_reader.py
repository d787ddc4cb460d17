# SPDX-License-Identifier: MIT
"""Reads a WET file as cc_net does, line by line and field by the number of its line: wet_reader.py FILE JSONL.

FILE is WARC 1.0 output, JSONL the same documents as JSON lines. Exit status 1 unless all of them are read, each with
its address, date, digest, length and text.
"""
import base64
import gzip
import hashlib
import json
import sys


def documents(lines):
    """Heads and texts: a head begins with a line WARC/1.0 and ends with an empty line; empty lines of texts are lost."""
    head, text, in_head = [], [], True
    for line in lines:
        line = line.strip()
        if in_head:
            head.append(line)
            in_head = line != ""
        elif line == "WARC/1.0":
            yield head, text
            head, text, in_head = [line], [], True
        elif line:
            text.append(line)
    yield head, text


def read(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        for head, text in documents(file):
            if head[1].split()[1] == "conversion" and text:
                yield {"url": head[2].split()[1], "date": head[3].split()[1], "digest": head[6].split()[1],
                       "length": int(head[8].split()[1]), "text": text}


def expected(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            document = json.loads(line)
            text = document["text"].encode()
            if text:
                yield {"url": document["url"], "date": document["date"],
                       "digest": "sha1:" + base64.b32encode(hashlib.sha1(text).digest()).decode(), "length": len(text),
                       "text": [part.strip() for part in document["text"].split("\n") if part.strip()]}


found, wanted = list(read(sys.argv[1])), list(expected(sys.argv[2]))
for place, (one, other) in enumerate(zip(found, wanted)):
    for key in other:
        if one[key] != other[key]:
            sys.exit("document %d: %s is %r, expected %r" % (place, key, one[key], other[key]))
if len(found) != len(wanted) or not wanted:
    sys.exit("%d documents read, expected %d" % (len(found), len(wanted)))
print("%d of %d documents" % (len(found), len(wanted)))
