#!/bin/sh
# SPDX-License-Identifier: MIT
# Against a program in Python that was written apart from ours: normal forms, hashes, signatures and buckets of DEDUP_TEXTS texts made
# at random; and of DEDUP_PAGES generated pages the same are dropped, each in favour of the same page.
set -u
oracle=${srcdir:-.}/tests/oracle/dedup.py
dana=${DANA:-./src/cli/dana}
ours=tests/support/dedup_hashes corpus=tests/support/dedup_corpus
[ -x "$ours" ] && [ -x "$corpus" ] || { echo "built without what finds duplicates"; exit 77; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM

python3 "$oracle" make "${DEDUP_SEED:-1}" "${DEDUP_TEXTS:-200}" >"$tmp/texts" || exit 1
for shape in '14 8' '9 13'; do
	# shellcheck disable=SC2086 # two arguments
	python3 "$oracle" hashes $shape <"$tmp/texts" >"$tmp/expected" && "$ours" $shape <"$tmp/texts" >"$tmp/found" || exit 1
	[ "$(wc -l <"$tmp/expected")" = "${DEDUP_TEXTS:-200}" ] || { echo "the oracle printed too little"; exit 1; }
	cmp "$tmp/expected" "$tmp/found" || exit 1
done

"$dana" plugins | grep -q '^  dedup-near ' || { echo "dedup-near is not built in"; exit 77; }
"$corpus" 0 "${DEDUP_PAGES:-300}" "$tmp/truth" >"$tmp/c.warc" || exit 1
for shape in '14 8' '20 5'; do
	"$dana" filter -q --force -m plain -o "$tmp/all.jsonl" --plugin "dedup-near:signatures=$tmp/sig,bands=${shape% *},rows=${shape#* }" "$tmp/c.warc" &&
		"$dana" dedup cluster --force -o "$tmp/rows" "$tmp/sig" 2>/dev/null &&
		"$dana" filter -q --force -m plain --rejects -o "$tmp/left.jsonl" --plugin "dedup-near:drop=$tmp/rows" "$tmp/c.warc" || exit 1
	# shellcheck disable=SC2086
	python3 "$oracle" drop $shape <"$tmp/all.jsonl" >"$tmp/expected" || exit 1
	sed 's/^{"id":"\([^"]*\)".*"duplicate_of":{"id":"\([^"]*\)".*/\1 \2/' "$tmp/left.jsonl.rejects.jsonl" >"$tmp/found"
	[ -s "$tmp/expected" ] || { echo "the oracle drops nothing"; exit 1; }
	cmp "$tmp/expected" "$tmp/found" || exit 1
	echo "bands and rows $shape: $(wc -l <"$tmp/found") of ${DEDUP_PAGES:-300} pages dropped by both"
done
