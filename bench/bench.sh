#!/bin/sh
# SPDX-License-Identifier: MIT
# make bench: makes the archive once, then times the stages and the whole. BENCH_MB: its size (100), BENCH_ROUNDS: rounds (5),
# BENCH_PAGES: a folder of pages; without it pages are unpacked from ../shared/gold where that is there, else made.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
gold=${DANA_SHARED:-$here/../../shared}/gold
file=bench/bench.warc.gz
if [ ! -e "$file" ]; then
	pages=${BENCH_PAGES:-}
	if [ -z "$pages" ] && [ -x "$gold/unpack.sh" ]; then
		pages=bench/pages
		"$gold/unpack.sh" "$pages"
	fi
	python3 "$here/corpus.py" "$file" "${BENCH_MB:-100}" ${pages:+"$pages"}
	rm -rf bench/pages
fi
rounds=${BENCH_ROUNDS:-5}
bench/stages "$file" "$rounds"
echo
python3 "$here/whole.py" "$PWD/bench/inflate" "$PWD/src/cli/dana" "$file" "$rounds"
