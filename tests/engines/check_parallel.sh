#!/bin/sh
# SPDX-License-Identifier: MIT
# share/parallel: the bytes of a single run, also after a kill; what is missing is named.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
run() { sh "$here/../../share/parallel/dana-parallel.sh" "$@"; }
options="--split-bytes $SPLIT --checkpoint-bytes 64K -z none"
export DANA_PARALLEL="-j 2"

# shellcheck disable=SC2086 # the options are meant to be split
"$DANA" filter -q --damaged-ok --rejects -O "$tmp/whole" --stats "$tmp/whole.json" --list "$tmp/list" $options

say "six tasks, one of them killed in the middle: the bytes and counters of a single run"
export KILLED="$tmp/killed" REAL_DANA="$DANA"
# shellcheck disable=SC2086
DANA="sh $here/killed_dana.sh" run 6 "$tmp/list" "$tmp/out" $options
[ -d "$KILLED" ]
same_outputs "$tmp/whole" "$tmp/out"
same_counts "$tmp/whole.json" "$tmp/out/stats.json"

say "the same command again does nothing"
printf '[ "$1" != filter ] || exit 9\nexec "%s" "$@"\n' "$DANA" >"$tmp/no_filter"
# shellcheck disable=SC2086
DANA="sh $tmp/no_filter" run 6 "$tmp/list" "$tmp/out" $options
same_outputs "$tmp/whole" "$tmp/out"
[ "$(awk 'NR > 1 { failed += $7 != 0 } END { print failed + 0 }' "$tmp/out/log/joblog")" = 0 ]

say "a missing input fails its task, which is named"
echo "$tmp/late.warc.gz" >>"$tmp/list"
# shellcheck disable=SC2086
run 2 "$tmp/list" "$tmp/late" -z none 2>"$tmp/err" && exit 1
grep -q 'late.warc.gz: No such file' "$tmp/err"
grep -q 'shares 1 of 2 are not done' "$tmp/err"
