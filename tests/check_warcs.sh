#!/bin/sh
# SPDX-License-Identifier: MIT
# Extra check on foreign archives, skipped where there are none: for every file below WARCS no crash, accounts that add up,
# and the same bytes for -j 0, 2, 5 and standard input (but for `file`, `offset` being the same).
# `make check` looks at a part of them, every file number N by $CHECK_WARCS_EVERY; `make check-warcs` at all.
# Usage: check_warcs.sh [FOLDER...]; default: $DANA_SHARED/warcs, else the folder `shared` beside the sources.
set -u
shared=${DANA_SHARED-${srcdir:-.}/../shared}
[ $# -gt 0 ] || set -- "$shared/warcs"
[ -d "$1" ] || { echo "no $1"; exit 77; }
dana=${DANA:-$PWD/src/cli/dana}
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
options=${DANA_OPTIONS---status any --mime any --type any --min-chars 0}

# run NAME SPAN ARGUMENTS...: output, messages, stats and status of one run; workers read ahead by SPAN bytes
run() {
	name=$1 span=$2
	shift 2
	# shellcheck disable=SC2086
	DANA_TEST_SPAN_SIZE=$span timeout 120 "$dana" filter $options --stats "$tmp/$name.stats" "$@" >"$tmp/$name.out" 2>"$tmp/$name.messages"
	echo $? >"$tmp/$name.status"
	sed -E 's/"(seconds|cpu_seconds|peak_rss_bytes)":[0-9.e+-]*//g' "$tmp/$name.stats" >"$tmp/$name.counts"
}

accounts='
import json, sys
s = json.load(open(sys.argv[1]))
total = s["documents"] + sum(s["skipped"].values()) + sum(s["damaged"].values())
sys.exit(0 if s["records"] == total else 1)
'

find "$@" -type f ! -name '*.tsv' ! -name '*.md' ! -name '*.json*' | LC_ALL=C sort |
	awk -v every="${CHECK_WARCS_EVERY:-1}" 'NR % every == 0' >"$tmp/files"
bad=0 n=0
while IFS= read -r file; do
	n=$((n + 1))
	why=
	run a 0 -j 0 "$file"
	run b 3000 -j 2 "$file"
	run d 700 -j 5 "$file"
	run c 0 -j 0 - <"$file"
	case $(cat "$tmp/a.status") in 0 | 2) ;; *) why="exit status $(cat "$tmp/a.status")" ;; esac
	for part in out status messages counts; do
		cmp -s "$tmp/a.$part" "$tmp/b.$part" || why="$why; -j 2: $part differs"
		cmp -s "$tmp/a.$part" "$tmp/d.$part" || why="$why; -j 5: $part differs"
	done
	# What a pipe cannot know (a length beyond the end) shows in reports only where the input is damaged.
	# A WACZ is read by its directory, which a pipe has at its end.
	case $file in *.wacz) cp "$tmp/a.out" "$tmp/c.out"; cp "$tmp/a.status" "$tmp/c.status" ;; esac
	sed 's/"file":"[^"]*"/"file":"-"/' "$tmp/a.out" >"$tmp/a.nofile"
	sed 's/"file":"[^"]*"/"file":"-"/' "$tmp/c.out" >"$tmp/c.nofile"
	cmp -s "$tmp/a.nofile" "$tmp/c.nofile" || why="$why; standard input: out differs"
	cmp -s "$tmp/a.status" "$tmp/c.status" || why="$why; standard input: status differs"
	python3 -c "$accounts" "$tmp/a.stats" 2>/dev/null || why="$why; accounts do not add up"
	if [ -n "$why" ]; then
		echo "$file: $why"
		tail -n 3 "$tmp/a.messages"
		bad=$((bad + 1))
	fi
done <"$tmp/files"
echo "$n files, $bad bad"
[ "$bad" = 0 ]
