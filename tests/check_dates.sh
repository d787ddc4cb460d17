#!/bin/bash
# SPDX-License-Identifier: MIT
# The day of publication and the authors that the plugin metadata finds, against labels that a person made
# (tests/data/dates.tsv, tests/data/authors.tsv): F1 of at least 0.9 and AUTHORS_LEAST. The pages are those of the
# development set (tests/support/gold_pages.sh). Authors are right when the names are, in any order.
set -u
srcdir=${srcdir:-.}
dana=$PWD/src/cli/dana
"$dana" plugins 2>/dev/null | grep -q '^  metadata ' || { echo "the plugin metadata is not built in"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
. "${srcdir:-.}/tests/support/gold_pages.sh"
PYTHONPATH=$srcdir/tests/support PYTHONDONTWRITEBYTECODE=1 python3 - "$srcdir/tests/data" "$gold" "$dir" "$dana" <<'PY'
import glob, hashlib, json, os, re, subprocess, sys
from archive import record
data, gold, out, dana = sys.argv[1:]
AUTHORS_LEAST = 0.7

def read(name):
    return dict(l.rstrip("\n").split("\t") for l in open(os.path.join(data, name), encoding="utf-8") if not l.startswith("#"))

def names(text):
    return {" ".join(n.split()).casefold() for n in text.split(";") if n.strip() and n.strip() != "-"}

def score(what, found, labels, same):
    right = told = known = 0
    for key in sorted(pages):
        told += found[key][0] != "-"
        known += labels[key] != "-"
        ok = same(found[key][0], labels[key])
        right += ok and found[key][0] != "-"
        if not ok:
            print(os.path.relpath(pages[key], gold), "labelled", labels[key], "found", *found[key])
    precision, recall = right / max(1, told), right / max(1, known)
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    print("%d pages, %d with %s: right %d, wrong %d, missing %d; precision %.3f, recall %.3f, F1 %.3f" %
          (len(pages), known, what, right, told - right, sum(labels[k] != "-" and found[k][0] == "-" for k in pages), precision, recall, f1))
    return f1

dates, authors = read("dates.tsv"), read("authors.tsv")
pages = {}
for f in glob.glob(os.path.join(gold, "*", "*.html")):
    key = hashlib.sha256(os.path.relpath(f, gold)[:-5].encode()).hexdigest()[:16]
    if key in dates:
        pages[key] = f
if not pages:
    print("no page of the labels is in", gold)
    sys.exit(77)
with open(out + "/pages.warc", "wb") as w:
    for key, f in sorted(pages.items()):
        page = record(key, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + open(f, "rb").read(), url=b"http://a.example/")
        w.write(page.replace(b"WARC-Date: 2024-05", b"WARC-Date: 2026-11", 1))
run = subprocess.run([dana, "filter", "-q", "--min-chars", "0", "-m", "plain", "--plugin", "metadata", out + "/pages.warc"],
                     stdout=subprocess.PIPE, check=True)
days, people = {}, {}
for line in run.stdout.splitlines():
    doc = json.loads(line)
    key, facts = doc["id"].split(":")[-1], doc.get("metadata", {})
    days[key] = facts.get("published", "-")[:10], facts.get("published_from", "")
    people[key] = facts.get("author", "-"), facts.get("author_from", "")
of_dates = score("a date", days, dates, lambda found, label: found == label)
of_authors = score("an author", people, authors,
                   lambda found, label: any(names(found) == names(l) for l in label.split(" | ")))
sys.exit(of_dates < 0.9 or of_authors < AUTHORS_LEAST)
PY
