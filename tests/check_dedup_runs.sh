#!/bin/sh
# SPDX-License-Identifier: MIT
# Duplicates of generated pages, found by runs of dana and by a program in Python that was written apart from it: the same pages are
# dropped, each in favour of the same page. DEDUP_PAGES says how many there are.
set -u
oracle=${srcdir:-.}/tests/oracle/dedup.py
dana=${DANA:-./src/cli/dana}
corpus=tests/support/dedup_corpus
[ -x "$corpus" ] || { echo "built without what finds duplicates"; exit 77; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
"$dana" plugins | grep -q '^  dedup-near ' || { echo "dedup-near is not built in"; exit 77; }
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM

"$corpus" 0 "${DEDUP_PAGES:-300}" "$tmp/truth" >"$tmp/c.warc" || exit 1

# near BANDS ROWS
near() {
	"$dana" filter -q --force -m plain -o "$tmp/all.jsonl" --plugin "dedup-near:signatures=$tmp/sig,bands=$1,rows=$2" "$tmp/c.warc" &&
		"$dana" dedup cluster --force -o "$tmp/rows" "$tmp/sig" 2>/dev/null &&
		"$dana" filter -q --force -m plain --rejects -o "$tmp/left.jsonl" --plugin "dedup-near:drop=$tmp/rows" "$tmp/c.warc" ||
		exit 1
	python3 "$oracle" drop "$1" "$2" <"$tmp/all.jsonl" >"$tmp/expected" || exit 1
	sed 's/^{"id":"\([^"]*\)".*"duplicate_of":{"id":"\([^"]*\)".*/\1 \2/' "$tmp/left.jsonl.rejects.jsonl" >"$tmp/found"
	[ -s "$tmp/expected" ] || { echo "the oracle drops nothing"; exit 1; }
	cmp "$tmp/expected" "$tmp/found" || exit 1
	echo "$1 bands of $2 rows: $(wc -l <"$tmp/found") of ${DEDUP_PAGES:-300} pages dropped by both"
}
near 14 8
near 20 5
exit 0
