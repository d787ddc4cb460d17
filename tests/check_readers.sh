#!/bin/sh
# SPDX-License-Identifier: MIT
# Other programs read what dana writes: the table "Readers" of doc/FORMATS.md, row by row. Readers that are missing are named.
set -u
[ -x src/cli/dana ] || { echo "not in a build folder with a program"; exit 99; }
dana=$(pwd)/src/cli/dana
source=$(cd "${srcdir:-.}" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99

# Enough documents for two members: one begins after each MiB.
i=0
while [ $i -lt 150 ]; do cat "$source/sample/sample.warc.gz"; i=$((i + 1)); done >many.warc.gz
for name in dana.jsonl dana.jsonl.gz dana.jsonl.zst; do "$dana" filter -o $name many.warc.gz || exit 1; done
for name in trove.jsonl.gz trove.jsonl.zst; do "$dana" filter --schema datatrove -o $name many.warc.gz || exit 1; done
lines=$(wc -l <dana.jsonl)
[ "$lines" -eq 1050 ] || { echo "$lines documents"; exit 1; }
ran=0 bad=0

# reads NAME WANTED COMMAND...: COMMAND prints how many documents it has read.
reads()
{
	name=$1 wanted=$2
	shift 2
	if found=$("$@" 2>error) && [ "$found" = "$wanted" ]; then
		ran=$((ran + 1))
	else
		echo "$name: '$found' documents, expected $wanted; $(cat error)"
		bad=1
	fi
}

if command -v jq >/dev/null; then
	for name in dana.jsonl dana.jsonl.gz dana.jsonl.zst; do
		case $name in *.gz) unpack='gzip -dc' ;; *.zst) unpack='zstd -dcq' ;; *) unpack=cat ;; esac
		command -v "${unpack%% *}" >/dev/null || { echo "skipped: ${unpack%% *} is missing"; continue; }
		reads "jq, $name" "$lines" sh -c "$unpack $name | jq -r 'select(.text_chars > 0) | .id' | wc -l"
	done
else
	echo "skipped: jq is missing"
fi

# Modules of the system are not seen by a Python that somebody else has put before it.
one=$(python3 -c 'import json, zlib; print(zlib.decompressobj(31).decompress(open("dana.jsonl.gz", "rb").read()).count(b"\n"))') || exit 77
for python in python3 /usr/bin/python3; do
	command -v "$python" >/dev/null || continue
	"$python" "$source/tests/readers.py" "$one" >calls || exit 1
	while read -r call count found; do
		case $found in
		missing) echo "skipped: $call: module missing in $python" ;;
		"$count") ran=$((ran + 1)) ;;
		*) echo "$call: $found documents, expected $count"; bad=1 ;;
		esac
	done <calls
done

# npm install @duckdb/node-api; NODE_PATH says where.
if command -v node >/dev/null && node -e 'require("@duckdb/node-api")' 2>/dev/null; then
	for name in dana.jsonl dana.jsonl.gz dana.jsonl.zst; do
		reads "DuckDB, $name" "$lines" node "$source/tests/readers.js" $name
	done
else
	echo "skipped: DuckDB (npm package @duckdb/node-api, found by NODE_PATH) is missing"
fi
echo "$ran readings were right"
exit $bad
