#!/bin/sh
# SPDX-License-Identifier: MIT
# Normal forms, hashes, signatures and buckets of texts made at random, against a program in Python that was written apart from ours.
# DEDUP_TEXTS says how many.
set -u
oracle=${srcdir:-.}/tests/oracle/dedup.py
ours=tests/support/dedup_hashes
[ -x "$ours" ] || { echo "built without what finds duplicates"; exit 77; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT

bad=0
for shape in '14 8' '9 13'; do
	python3 "$oracle" make "${DEDUP_SEED:-1}" "${DEDUP_TEXTS:-200}" >"$tmp/texts" || exit 1
	# shellcheck disable=SC2086 # two arguments
	python3 "$oracle" hashes $shape <"$tmp/texts" >"$tmp/expected" || exit 1
	# shellcheck disable=SC2086
	"$ours" $shape <"$tmp/texts" >"$tmp/found" || exit 1
	[ "$(wc -l <"$tmp/expected")" = "${DEDUP_TEXTS:-200}" ] || { echo "the oracle printed too little"; exit 1; }
	cmp "$tmp/expected" "$tmp/found" || bad=1
done
exit $bad
