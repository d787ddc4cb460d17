#!/bin/bash
# SPDX-License-Identifier: MIT
# The plugin quality against tests/oracle/quality.py, which knows doc/QUALITY.md only: the rule that drops a page, the text
# that is left, and all measures. The pages: those of the repository, some that are made to break rules, and with
# DANA_GOLD (a folder) up to 2000 pages of it.
set -u
srcdir=${srcdir:-.}
dana=$PWD/src/cli/dana
oracle=$srcdir/tests/oracle/quality.py
words=$srcdir/plugins/quality/stop_words.tsv
"$dana" plugins 2>/dev/null | grep -q '^  quality ' || { echo "the plugin quality is not built in"; exit 77; }
python3 -c 'import unicodedata' 2>/dev/null || { echo "python3 is missing"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT

PYTHONPATH=$srcdir/tests/support PYTHONDONTWRITEBYTECODE=1 python3 - "$dir" "$srcdir" <<'PY' || exit 99
import glob, os, random, sys
out, srcdir = sys.argv[1:]
gold = os.environ.get("DANA_GOLD", "")
random.seed(7)
pages = [open(f, "rb").read() for f in sorted(glob.glob(srcdir + "/tests/data/gold/*/*.html"))]
WORDS = {"en": "the river and a boat of that people have been with to be on it water under old bridge morning".split(),
         "fa": "و به از در که این را با است برای یک آن می رود آب کتاب خانه شهر مردم روز".split(),
         "hi": "के है में की का को से और पर ने भी कि यह नदी पानी घर".split()}
def sentence(lang, n):
    return " ".join(random.choice(WORDS[lang]) for _ in range(n)) + random.choice(
        {"en": [".", "!", "?", "...", "", ":", '."'], "fa": [".", "؟", "۔", ""], "hi": ["।", "॥", ""]}[lang])
def page(lines):
    return ("<!doctype html><meta charset=utf-8><body>" + "\n".join("<p>%s</p>" % l for l in lines)).encode()
for k in range(300):
    lang = random.choice(list(WORDS))
    lines = [" ".join(sentence(lang, random.randint(1, 14)) for _ in range(random.randint(1, 4))) for _ in range(random.randint(1, 30))]
    for _ in range(random.randint(0, 6)):
        i = random.randrange(len(lines))
        lines[i] = random.choice([lines[0], "• " + lines[i], "- x", "lorem ipsum dolor sit amet.", "Enable JavaScript to see it.",
                                  "a { color } b.", "We use cookies on this site.",
                                  "x" * random.randint(0, 4) + " our Terms of Use", "x" * random.randint(0, 4) + "pRIVACY POLICY.",
                                  "say javascript:void[1](0) or java[2]script", "Cookie policies, cookies and use of Cookies.", "text [12] and [edit] more [citation needed].",
                                  "# # # #", "... …", "水的中文，是在不了。有和人！", "ภาษาไทย ที่ การ และ ใน", "q" * 1001 + " a b c.", "“Quoted.” he said (so.)",
                                  "3.14 don't e-mail", "日本語の文。これは文です！はい", "ꙮ \u200b x\u0301y \u00a0 z", "1 2 3 4 5 6 7 8 9 10"])
    pages.append(page(lines))
if gold:
    html = sorted(glob.glob(os.path.join(gold, "**", "*.html"), recursive=True))
    pages += [open(f, "rb").read() for f in html[::max(1, len(html) // 2000)]]
from archive import record
with open(out + "/pages.warc", "wb") as f:
    f.writelines(record(i, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html) for i, html in enumerate(pages))
print(len(pages), "pages")
PY

cd "$dir" || exit 99
filter() { "$dana" filter -q -m plain --rejects "$@" pages.warc; }
filter -o all.jsonl && filter --plugin quality -o kept.jsonl && filter --plugin quality:annotate=1 -o measures.jsonl || exit 1
cd - >/dev/null || exit 99
python3 "$oracle" "$words" <"$dir/all.jsonl" >"$dir/expected" || exit 99
python3 "$oracle" "$words" annotate <"$dir/all.jsonl" >"$dir/expected-measures" || exit 99
python3 - "$dir" <<'PY'
import collections, json, sys
d = sys.argv[1]
got = {}
for line in open(d + "/kept.jsonl"):
    doc = json.loads(line)
    got[doc["id"]] = ("-", str(len(doc["text"])))
for line in open(d + "/kept.jsonl.rejects.jsonl"):
    row = json.loads(line)
    if row["reason"] == "plugin:quality":
        got[row["id"]] = (row["detail"], "-")
bad = 0
rules = collections.Counter()
for line in open(d + "/expected"):
    i, rule, left = line.rstrip("\n").split("\t")
    rules[rule] += 1
    if got.get(i) != (rule, left):
        bad += 1
        print("page", i, "expected", rule, left, "got", got.get(i))
measures = {}
for line in open(d + "/measures.jsonl"):
    doc = json.loads(line)
    measures[doc["id"]] = doc["quality"]
for line in open(d + "/expected-measures"):
    i, expected = line.rstrip("\n").split("\t")
    for key, value in json.loads(expected).items():
        have = measures[i].get(key, "missing")
        if have != value and (have is None or value is None or have == "missing" or abs(have - value) > 2e-6):
            bad += 1
            print("page", i, key, "expected", value, "got", have)
print(sum(rules.values()), "pages compared;", ", ".join("%s %d" % r for r in rules.most_common()))
sys.exit(bad != 0 or len(rules) < 8)
PY
