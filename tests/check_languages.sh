#!/bin/bash
# SPDX-License-Identifier: MIT
# The language that the plugin language finds in main texts of the development set (tests/support/gold_pages.sh),
# whose languages are known: a table of recall and precision by script, which doc/PLUGINS.md shows. And whether the answer is
# that of CLD2 (asked through ctypes) when it is shown the whole text, which the plugin does not do.
set -u
dana=$PWD/src/cli/dana
"$dana" plugins 2>/dev/null | grep -q '^  language ' || { echo "the plugin language is not built in"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
. "${srcdir:-.}/tests/support/gold_pages.sh"
PYTHONPATH=${srcdir:-.}/tests/support PYTHONDONTWRITEBYTECODE=1 python3 - "$gold" "$dir/texts.warc" "$dana" <<'PY'
import collections, csv, ctypes, html, json, os, re, subprocess, sys
from archive import record, response
gold, warc, dana = sys.argv[1:]
ENGLISH = {"dragnet", "wcxb", "wcxb-more", "cleaneval-dev", "cleaneval-final", "l3s-gn1", "cleanportaleval"}
COUNTRIES = {"de": "de", "at": "de", "fr": "fr", "it": "it", "jp": "ja", "no": "no", "pl": "pl", "dk": "da", "se": "sv", "tr": "tr",
             "cz": "cs", "uk": "en", "us": "en", "au": "en"}
SCRIPTS = {"Greek": "el", "Cyrillic": "ru", "Han": "zh", "Kana": "ja", "Hangul": "ko", "Devanagari": "hi"}
def known(row):
    corpus, name, script = row["corpus"], row["id"], row["script"]
    if corpus in ENGLISH:
        return "en"
    if corpus in ("rtl", "hand", "htmltotext"):
        return name.split("_")[0]
    if corpus == "fundus":
        return COUNTRIES.get(name.split("_")[0])
    if corpus == "daniel" and script == "Latin":
        return "pl" if re.search(r"\.pl_|goodcontents\.net|wirtualnapolonia", name) else "en"
    return SCRIPTS.get(script) if corpus in ("daniel", "newsx") else None
try:
    cld2 = ctypes.CDLL("libcld2.so.0")
    cld2._ZN4CLD212LanguageCodeENS_8LanguageE.restype = ctypes.c_char_p
except OSError:
    cld2 = None
def of_whole(text):
    """CLD2's answer to the whole text as BCP 47; None: it is not sure."""
    data, three, number, reliable = text.encode(), ctypes.c_int * 3, ctypes.c_int(), ctypes.c_bool()
    languages, percents = three(), three()
    # DetectLanguageSummary(text, length, is plain text, three languages, their percents, bytes of text, is reliable)
    cld2._ZN4CLD221DetectLanguageSummaryEPKcibPNS_8LanguageEPiS4_Pb(data, len(data), ctypes.c_bool(True), languages, percents,
                                                                   ctypes.byref(number), ctypes.byref(reliable))
    code = cld2._ZN4CLD212LanguageCodeENS_8LanguageE(languages[0]).decode()
    return {"iw": "he", "jw": "jv", "mo": "ro"}.get(code, code) if reliable.value and code != "un" else None
whole = collections.Counter()
pages = {}
with open(warc, "wb") as w:
    for row in csv.DictReader(open(os.path.join(gold, "index.tsv")), delimiter="\t"):
        text = os.path.join(gold, row["corpus"], row["id"] + ".txt")
        language = known(row)
        body = open(text, encoding="utf-8", errors="replace").read() if language and os.path.exists(text) else ""
        if len(body) < 200:
            continue
        w.write(record(len(pages), response(("<!doctype html>" + "\n".join("<p>" + html.escape(l) for l in body.splitlines())).encode())))
        pages["urn:x:%d" % len(pages)] = (row["corpus"] + "/" + row["id"], row["script"], language)
run = subprocess.run([dana, "filter", "-q", "-m", "plain", "--plugin", "language", warc], stdout=subprocess.PIPE, check=True)
total, right, answered = (collections.Counter() for _ in range(3))
for line in run.stdout.splitlines():
    doc = json.loads(line)
    name, script, language = pages[doc["id"]]
    sure = cld2 and of_whole(doc["text"])
    if sure:
        whole["the same" if doc["language"] == sure else "another" if doc["language"] else "unknown"] += 1
    found = (doc["language"] or "").split("-")[0]
    found = {"nb": "no", "nn": "no"}.get(found, found)
    total[script] += 1
    answered[script] += bool(found)
    right[script] += found == language
    if found != language and os.environ.get("VERBOSE"):
        print(name, language, found or "unknown", doc["language_score"])
bad = False
for script, n in total.most_common():
    recall, precision = right[script] / n, right[script] / max(1, answered[script])
    print("| %s | %d | %.3f | %.3f |" % (script, n, recall, precision))
    bad = bad or (n >= 50 and (recall < 0.95 or precision < 0.95))
print("| all | %d | %.3f | %.3f |" % (sum(total.values()), sum(right.values()) / sum(total.values()), sum(right.values()) / sum(answered.values())))
if whole:
    n = sum(whole.values())
    print("of %d texts of which CLD2 is sure when shown all of each, the answer is the same for %d, unknown for %d, another for %d"
          % (n, whole["the same"], whole["unknown"], whole["another"]))
    bad = bad or whole["the same"] < 0.99 * n
sys.exit(bad)
PY
