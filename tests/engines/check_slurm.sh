#!/bin/sh
# SPDX-License-Identifier: MIT
# share/slurm on a cluster of two nodes: the bytes of a single run, also after a kill; what is missing is named.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
. "$here/slurm_cluster.sh"
share=$here/../../share
slurm_start "$tmp/slurm"
at_end slurm_stop
submit() { sh "$share/slurm/submit.sh" "$@"; }
options="--split-bytes $SPLIT --checkpoint-bytes 64K -z none"

# shellcheck disable=SC2086 # the options are meant to be split
whole() {
	"$DANA" filter -q --damaged-ok --rejects -O "$tmp/whole" --stats "$tmp/whole.json" --list "$tmp/list" $options
	rm -f "$tmp"/whole/.dana*
}
whole

say "six tasks: each output is that of a single run, counters add up, damage is counted and no failure"
# shellcheck disable=SC2046,SC2086
slurm_wait $(submit 6 "$tmp/list" "$tmp/out" $options)
same_outputs "$tmp/whole" "$tmp/out"
same_counts "$tmp/whole.json" "$tmp/out/stats.json"
[ "$(jq .damaged.bad_member "$tmp/out/stats.json")" = 1 ]

say "the plain command in an array takes the share of its task, and its log says so"
slurm_wait "$(sbatch --parsable --array=10-25:5 --output="$tmp/log.%a" --wrap \
	"'$DANA' filter -q --damaged-ok --rejects -O '$tmp/plain' --list '$tmp/list' $options")"
[ "$(cat "$tmp"/log.* | grep -c 'takes share [0-3] of 4 of the inputs')" = 4 ]
rm -f "$tmp"/plain/.dana*
same_outputs "$tmp/whole" "$tmp/plain"

say "a task that is killed in the middle is queued again, goes on, and the bytes are the same"
export KILLED="$tmp/killed" REAL_DANA="$DANA"
# shellcheck disable=SC2046,SC2086
slurm_wait $(DANA="sh $here/killed_dana.sh" submit 6 "$tmp/list" "$tmp/again" $options)
[ -d "$KILLED" ]
grep -q 'status 137; queued again' "$tmp"/again/log/*
same_outputs "$tmp/whole" "$tmp/again"
same_counts "$tmp/whole.json" "$tmp/again/stats.json"

say "a missing input fails its task, the merge says which, and the same command does it later"
echo "$tmp/late.warc.gz" >>"$tmp/list"
# shellcheck disable=SC2046,SC2086
slurm_wait $(DANA_RESTARTS=1 submit 6 "$tmp/list" "$tmp/late" $options)
grep -q 'late.warc.gz: No such file' "$tmp"/late/log/*
grep -qE "shares [0-5] of 6 are not done" "$tmp/late/log/merge"
[ ! -e "$tmp/late/stats.json" ]
cp "$archives/crawl-01.warc.gz" "$tmp/late.warc.gz"
# shellcheck disable=SC2046,SC2086
slurm_wait $(submit 6 "$tmp/list" "$tmp/late" $options)
rm -r "$tmp/whole"
whole
same_outputs "$tmp/whole" "$tmp/late"

say "another number of shares for the same folder is refused"
! submit 5 "$tmp/list" "$tmp/late" 2>"$tmp/err"
grep -q 'begun with 6 shares' "$tmp/err"

say "a random wait before the start is not a failure"
# shellcheck disable=SC2046,SC2086
slurm_wait $(DANA_SPREAD=2 submit 3 "$tmp/list" "$tmp/spread" $options)
same_outputs "$tmp/whole" "$tmp/spread"
