#!/bin/sh
# SPDX-License-Identifier: MIT
# make bench: makes the archives once, then times the stages and the whole. BENCH_MB: their size (100), BENCH_ROUNDS: rounds (5),
# BENCH_SHAPES: whose archives (wget cc), BENCH_PAGES: a folder of pages; without it pages are unpacked from ../shared/gold where
# that is there, else made. Archives stay until size or pages are named anew. BENCH_PYTHON: the Python whose FastWARC, warcio, Resiliparse
# and trafilatura are timed beside.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
gold=${DANA_SHARED:-$here/../../shared}/gold
rounds=${BENCH_ROUNDS:-5} pages=${BENCH_PAGES:-}
rm -rf bench/pages
for shape in ${BENCH_SHAPES:-wget cc}; do
	file=bench/bench-$shape.warc.gz made_of="${BENCH_MB:-100} MB of $pages"
	if [ ! -e "$file" ] || [ "$(cat "$file.of" 2>/dev/null)" != "$made_of" ]; then
		from=$pages
		if [ -z "$from" ] && [ -x "$gold/unpack.sh" ]; then
			from=bench/pages
			[ -d "$from" ] || "$gold/unpack.sh" "$from"
		fi
		python3 "$here/corpus.py" "$shape" "$file" "${BENCH_MB:-100}" ${from:+"$from"}
		echo "$made_of" >"$file.of"
	fi
done
rm -rf bench/pages
for shape in ${BENCH_SHAPES:-wget cc}; do
	file=bench/bench-$shape.warc.gz
	echo "$file"
	[ "$shape" = cc ] || bench/stages "$file" "$rounds" # there PDFs would be among the pages
	echo
	python3 "$here/whole.py" "$PWD/bench/inflate" "$PWD/src/cli/dana" "$file" "$rounds"
	python3 "$here/peers.py" "$PWD/bench/inflate" "$file" "$rounds" "${BENCH_PYTHON:-python3}"
	echo
done
