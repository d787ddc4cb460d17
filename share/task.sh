#!/bin/sh
# SPDX-License-Identifier: MIT
# task.sh R N LIST OUT [OPTION...]: share R of N of the archives that LIST names, to the folder OUT, by `dana filter`.
#
# OUT/done/R.json, the counters of the share, is there when the share is done; a task that is started again then does
# nothing, and one that was killed resumes from its last checkpoint. Where an archive was not there (`missing`), of which
# --split-bytes may give the share a part, the same task looks again. OPTIONs are handed to `dana filter`: --split-bytes,
# -z, -m, --base and others, the same ones for all tasks.
#
# DANA          the program (dana)
# DANA_SPREAD   most seconds of a random wait before the start, so that a thousand tasks do not ask a server at once (0)
set -eu
[ $# -ge 4 ] || { echo "usage: task.sh R N LIST OUT [OPTION...]" >&2; exit 3; }
share=$1 shares=$2 list=$3 out=$4
shift 4
mkdir -p "$out/done"
counters=$out/done/$share
if [ -e "$counters.json" ]; then
	grep -q '"missing":' "$counters.json" || exit 0
	mv "$counters.json" "$counters.part"
fi
# Adds what a try has counted, as `sed $1` leaves it, to what earlier tries have, unless it has that, too.
add() {
	[ -s "$counters.part" ] || return 0
	[ ! -e "$counters.tries" ] || ${DANA:-dana} stats merge "$counters.tries" "$counters.part" >/dev/null 2>&1 ||
		[ $? -eq 1 ] || rm "$counters.tries"
	sed "$1" "$counters.part" >>"$counters.tries"
	rm "$counters.part"
}
add 's/"missing":[0-9]*,//'
if [ "${DANA_SPREAD:-0}" -gt 0 ]; then
	sleep "$(awk -v most="$DANA_SPREAD" -v seed="$(($(date +%N | sed 's/^0*//;s/^$/0/') + $$))" \
		'BEGIN { srand(seed); print rand() * most }')"
fi
${DANA:-dana} filter -q --damaged-ok --rejects --resume -j 0 --list "$list" --shard "$share/$shares" -O "$out" \
	--stats "$counters.part" "$@"
add ''
mv "$counters.tries" "$counters.json"
