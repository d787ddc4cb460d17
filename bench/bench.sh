#!/bin/sh
# SPDX-License-Identifier: MIT
# make bench: makes the archives once, then times the stages and the whole. BENCH_MB: their size (100), BENCH_ROUNDS: rounds (5),
# BENCH_SHAPES: whose archives (wget cc), BENCH_PAGES: a folder of pages; without it pages are unpacked from ../shared/gold where
# that is there, else made. BENCH_PYTHON: the Python whose FastWARC, warcio, Resiliparse and trafilatura are timed beside.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
gold=${DANA_SHARED:-$here/../../shared}/gold
rounds=${BENCH_ROUNDS:-5} pages=${BENCH_PAGES:-}
for shape in ${BENCH_SHAPES:-wget cc}; do
	file=bench/bench-$shape.warc.gz
	if [ ! -e "$file" ]; then
		if [ -z "$pages" ] && [ -x "$gold/unpack.sh" ]; then
			pages=bench/pages
			"$gold/unpack.sh" "$pages"
		fi
		python3 "$here/corpus.py" "$shape" "$file" "${BENCH_MB:-100}" ${pages:+"$pages"}
	fi
done
rm -rf bench/pages
for shape in ${BENCH_SHAPES:-wget cc}; do
	file=bench/bench-$shape.warc.gz
	echo "$file"
	[ "$shape" = cc ] || bench/stages "$file" "$rounds" # there PDFs would be among the pages
	echo
	python3 "$here/whole.py" "$PWD/bench/inflate" "$PWD/src/cli/dana" "$file" "$rounds"
	python3 "$here/peers.py" "$PWD/bench/inflate" "$file" "${BENCH_PYTHON:-python3}"
	echo
done
