#!/bin/sh
# SPDX-License-Identifier: MIT
# merge.sh N OUT: when all N shares of task.sh are done, adds up their counters in OUT/stats.json; else reports on standard
# error which are missing, and fails.
set -eu
[ $# -eq 2 ] || { echo "usage: merge.sh N OUT" >&2; exit 3; }
shares=$1 out=$2
missing=$(seq 0 $((shares - 1)) | while read -r share; do
	[ -e "$out/done/$share.json" ] || echo "$share"
done | paste -s -d , -)
if [ -z "$missing" ]; then # an archive came while they ran: they lack parts of it
	missing=$(find "$out/done" -name '*.json' -exec grep -l '"missing":' {} + | sed 's|.*/||;s|[.]json$||' | sort -n | paste -s -d , -)
fi
if [ -n "$missing" ]; then
	echo "$out: shares $missing of $shares are not done; the same command again does them" >&2
	exit 1
fi
find "$out/done" -name '*.json' -exec cat {} + | ${DANA:-dana} stats merge - >"$out/stats.json.part" || {
	rm "$out/stats.json.part"
	exit 1
}
mv "$out/stats.json.part" "$out/stats.json"
