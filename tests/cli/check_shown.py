#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_shown.py DANA METHOD PAGE: the kept text of the report, in its data and in its table, is what extract prints."""
import html
import json
import re
import subprocess
import sys


def run(*words):
    return subprocess.run(words, capture_output=True, check=True, encoding="utf-8").stdout


def main():
    dana, method, page = sys.argv[1:]
    report = run(dana, "explain", "-m", method, page)
    wanted = run(dana, "extract", "-m", method, page)
    blocks = json.loads(re.search('<script id="data" type="application/json">(.*)</script>\n', report)[1])["methods"][0]["blocks"]
    table = re.search("<tbody>|</thead>(.*?)</table>", report, re.S)[1]
    rows = [[html.unescape(cell) for cell in re.split("<td[^>]*>", row)[1:]] for row in table.split("\n<tr>")[1:]]
    texts = {"data": [b["text"] for b in blocks if b["kept"]], "table": [row[4].rstrip("\n") for row in rows if row[1] == "\u2713 kept"]}
    for where, lines in texts.items():
        text = "".join(line + "\n" for line in lines if line)
        if text != wanted:
            sys.exit(f"{method} {page}: the {where} of the report have\n{text}\nextract prints\n{wanted}")
    if len(texts["table"]) != sum(b["kept"] for b in blocks):
        sys.exit(f"{method} {page}: {len(texts['table'])} rows of kept blocks")


main()
