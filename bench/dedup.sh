#!/bin/sh
# SPDX-License-Identifier: MIT
# dedup.sh [PAGES [DIR]]: in a build folder. Makes pages of which is known what they repeat (tests/support/dedup_corpus), lets the
# plugins and `dana dedup` look for it, and prints by kind what they have found, and what memory, disk and CPU time it took against
# what `dana dedup estimate` says. The archive is never on disk: it is made again for each run. DIR holds signatures and outputs.
# THRESHOLD is that of signatures, SIMILARITY that of the cluster step; without them their defaults.
set -eu
pages=${1:-1000000}
bench=$(cd "$(dirname "$0")" && pwd)
dana=${DANA:-$PWD/src/cli/dana}
corpus=${CORPUS:-$PWD/tests/support/dedup_corpus}
if [ $# -gt 1 ]; then
	tmp=$2
	mkdir -p "$tmp"
else
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	trap 'exit 1' HUP INT TERM
fi
cd "$tmp"

# run NAME PLUGIN...: a run over all pages, its documents and rejects, and its statistics
run() {
	name=$1
	shift
	set -- $(for plugin; do printf -- '--plugin %s ' "$plugin"; done)
	# shellcheck disable=SC2086
	"$corpus" 0 "$pages" "$name.truth" | "$dana" filter -q --force -m plain -j 1 --rejects --stats "$name.stats" -z zstd:1 -o "$name.jsonl.zst" "$@" -
}

run none &
run exact dedup-exact:index=texts.index &
run lines dedup-lines:annotate=1,index=lines.index &
run learn boilerplate:learn=lines.table,memory=256M &
run sign "dedup-near:signatures=sig${THRESHOLD:+,threshold=$THRESHOLD}"
wait
# verb NAME ARGUMENT...: its messages in NAME.txt, its CPU time in NAME.times
verb() {
	(
		"$dana" dedup "$@" 2>"$1.txt"
		times >"$1.times"
	)
}

verb cluster --force --similarity "${SIMILARITY:-0}" -o rows sig
verb apply --force -o applied.jsonl.zst --rows rows sign.jsonl.zst
run near dedup-near:drop=rows &
run boilerplate boilerplate:table=lines.table
wait
python3 "$bench/dedup_tables.py" "$pages" "$dana"
