#!/bin/bash
# SPDX-License-Identifier: MIT
# The day of publication that the plugin metadata finds, against labels that a person made (tests/data/dates.tsv): F1 of at
# least 0.9. The pages are those of the development set (tests/support/gold_pages.sh).
set -u
srcdir=${srcdir:-.}
dana=$PWD/src/cli/dana
"$dana" plugins 2>/dev/null | grep -q '^  metadata ' || { echo "the plugin metadata is not built in"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
. "${srcdir:-.}/tests/support/gold_pages.sh"
python3 - "$srcdir/tests/data/dates.tsv" "$gold" "$dir" "$dana" <<'PY'
import glob, hashlib, json, os, subprocess, sys
labels_file, gold, out, dana = sys.argv[1:]
labels = dict(l.rstrip("\n").split("\t") for l in open(labels_file) if not l.startswith("#"))
pages = {}
for f in glob.glob(os.path.join(gold, "*", "*.html")):
    name = os.path.relpath(f, gold)[:-5]
    key = hashlib.sha256(name.encode()).hexdigest()[:16]
    if key in labels:
        pages[key] = f
if not pages:
    print("no page of the labels is in", gold)
    sys.exit(77)
with open(out + "/pages.warc", "wb") as w:
    for key, f in sorted(pages.items()):
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + open(f, "rb").read()
        w.write(b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:page:%s>\r\nWARC-Target-URI: http://a.example/\r\n"
                b"WARC-Date: 2026-11-01T00:00:00Z\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n" % (key.encode(), len(block)))
        w.write(block + b"\r\n\r\n")
run = subprocess.run([dana, "filter", "-q", "--min-chars", "0", "-m", "plain", "--plugin", "metadata", out + "/pages.warc"],
                     stdout=subprocess.PIPE, check=True)
right = told = known = 0
for line in run.stdout.splitlines():
    doc = json.loads(line)
    key = doc["id"].split(":")[-1]
    found = doc.get("metadata", {}).get("published", "-")[:10]
    told += found != "-"
    known += labels[key] != "-"
    right += found != "-" and found == labels[key]
    if found != labels[key]:
        print(os.path.relpath(pages[key], gold), "labelled", labels[key], "found", found, doc.get("metadata", {}).get("published_from", ""))
precision, recall = right / max(1, told), right / max(1, known)
f1 = 2 * precision * recall / max(1e-9, precision + recall)
print("%d pages, %d with a date: precision %.3f, recall %.3f, F1 %.3f" % (len(pages), known, precision, recall, f1))
sys.exit(f1 < 0.9)
PY
