#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh DIR: crawls a generated site into three indexes, as it is, by its main text, and without boilerplate and copies, and
# prints a table. DIR is empty or missing. PYTHON (python3) has tantivy; LUCENE is a folder of lucene-core and gson, made by
# Maven when it is missing. An index of which a part is missing here is left out, and said so.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dana=${DANA:-dana} python=${PYTHON:-python3}
mkdir -p "$1" && cd "$1"
lucene=${LUCENE:-$PWD/lucene}

"$python" "$here/site.py" .
"$python" -c 'import json; print("\n".join(json.load(open("truth.json"))["queries"]))' >queries
# All text of a page, as an index gets that is fed by taking the tags away.
"$dana" filter -q -m plain --schema bulk -o raw.jsonl site.warc.gz
"$dana" filter -q --schema bulk -o learned.jsonl site.warc.gz
# What repeats on the pages of the site, then pages that are nearly the same.
"$dana" dedup learn -o lines.table site.warc.gz
clean="--plugin boilerplate:table=lines.table"
# shellcheck disable=SC2086 # an option and its value
"$dana" filter -q $clean --plugin dedup-near:signatures=signatures -o first.jsonl site.warc.gz
"$dana" dedup cluster -o drop.rows signatures >/dev/null 2>&1
# shellcheck disable=SC2086
"$dana" filter -q $clean --plugin dedup-near:drop=drop.rows --schema bulk -o clean.jsonl site.warc.gz

fts5() { "$python" "$here/fts5.py" "$@"; }
tantivy() { "$python" "$here/tantivy_index.py" "$@"; }
lucene() { java -cp "$lucene/*" "$here/LuceneIndex.java" "$@"; }

indexes=fts5
if "$python" -c 'import tantivy' 2>/dev/null; then indexes="$indexes tantivy"; else echo "no tantivy: left out" >&2; fi
if [ ! -d "$lucene" ]; then
	for jar in org.apache.lucene:lucene-core:9.12.1 com.google.code.gson:gson:2.11.0; do
		mvn -q -B dependency:copy -Dartifact="$jar" -DoutputDirectory="$lucene" || true
	done
fi
if ls "$lucene"/lucene-core-*.jar >/dev/null 2>&1; then indexes="$indexes lucene"; else echo "no Lucene: left out" >&2; fi

for index in $indexes; do
	for text in raw learned clean; do
		mkdir -p "$index.$text"
		"$index" "$text.jsonl" "$index.$text" queries >"$index.$text.found"
	done
done
# shellcheck disable=SC2086
"$python" "$here/table.py" $indexes
