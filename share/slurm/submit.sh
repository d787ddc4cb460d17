#!/bin/sh
# SPDX-License-Identifier: MIT
# submit.sh N LIST OUT [OPTION...]: a job array of N tasks (task.sh beside this folder), and a job that adds up their
# counters. The same command again does what is missing. Prints the numbers of both jobs.
#
# OUT is a folder that all nodes see. Partition, account, time limit and the like come from the variables of sbatch:
# SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_TIMELIMIT. DANA_AT_ONCE is the most tasks at once (no limit), DANA and
# DANA_SPREAD are as in task.sh; DANA_RESTARTS is how often a task that fails is queued again (3).
set -eu
[ $# -ge 3 ] || { echo "usage: submit.sh N LIST OUT [OPTION...]" >&2; exit 3; }
shares=$1 out=$3
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out/done" "$out/log"
# Another number would make other shares.
[ -e "$out/done/shares" ] || echo "$shares" >"$out/done/shares"
if [ "$(cat "$out/done/shares")" != "$shares" ]; then
	echo "$out was begun with $(cat "$out/done/shares") shares; expected this number again, or another folder" >&2
	exit 3
fi
export DANA_SHARE="${here%/*}"
array=$(sbatch --parsable --array="0-$((shares - 1))${DANA_AT_ONCE:+%$DANA_AT_ONCE}" --output="$out/log/%a" \
	"$here/dana.sbatch" "$@")
array=${array%%;*}
merge=$(sbatch --parsable --dependency="afterany:$array" --output="$out/log/merge" "$here/dana-merge.sbatch" "$shares" "$out")
echo "$array ${merge%%;*}"
