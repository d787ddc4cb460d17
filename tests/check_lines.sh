#!/bin/sh
# SPDX-License-Identifier: MIT
# Line ends in the text of all methods against what libxml2 reads of the pages (tests/oracle/lines.py): none may differ on the pages
# of tests/data/lines.txt, in `plain`, which keeps all of them, and `wlr`; at most two in a hundred on development pages, of which it
# takes every 40th; those are left out where there are none. Empty lines are compared too: what differs there is mostly one with nothing
# but a no-break space, which to the DANA family and `plain` is white space. Skipped where Python lacks lxml.
# Usage: check_lines.sh [N [FOLDER]]: every Nth page of the folder with index.tsv
set -u
dana=${DANA:-./src/cli/dana} every=${1:-40}
shared=${DANA_SHARED-${srcdir:-.}/../shared}
oracle=${srcdir:-.}/tests/oracle/lines.py
python=
for each in python3 /usr/bin/python3; do
	"$each" -c 'import lxml' 2>/dev/null && python=$each && break
done
[ -n "$python" ] || { echo "no lxml"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
"$python" "$oracle" --dana "$dana" --most 0 --methods plain,wlr --pages "${srcdir:-.}/tests/data/lines.txt" || exit 1
pages=${2:-$shared/gold}
[ -e "$pages/index.tsv" ] || [ -e "$pages/unpack.sh" ] || exit 0
if [ ! -e "$pages/index.tsv" ]; then
	"$pages/unpack.sh" "$work/pages" >/dev/null || exit 99
	pages=$work/pages
fi
"$python" "$oracle" --dana "$dana" --most 2 --every "$every" "$pages"
