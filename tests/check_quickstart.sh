#!/bin/sh
# SPDX-License-Identifier: MIT
# tools/quickstart.sh in a copy of the sources, without a compiler's cache: a line a step that fits a terminal, commands
# that run at its end, within a minute of CPU time. Needs autotools and a machine with nothing else to do, so it is `make check-quickstart`.
set -u
command -v automake >/dev/null || exit 77
top=$(cd "${srcdir:-.}" && pwd)
copy=$(mktemp -d) || exit 99
trap 'rm -rf "$copy"' EXIT
trap 'exit 99' HUP INT TERM
builds=$(cd "$top" && for made in */config.status; do [ ! -f "$made" ] || echo "--exclude=./${made%/*}"; done)
# shellcheck disable=SC2086
(cd "$top" && tar -cf - --exclude=./.git $builds --exclude=./configure .) | (cd "$copy" && tar -xf -) || exit 99
cd "$copy" || exit 99
bad=0
say()
{
	echo "$*"
	bad=1
}
unset CC CXX CFLAGS MAKEFLAGS
CCACHE_DISABLE=1 sh tools/quickstart.sh >quick.log 2>&1 || { tail -n 30 quick.log; exit 1; }
# User and system time of children: the last line of `times`, as 0m52.1s 0m3.4s.
times >spent.log
spent=$(awk 'NR == 2 { for (i = 1; i <= NF; i++) { split($i, t, "m"); s += 60 * t[1] + t[2] } print int(s + 0.5) }' spent.log)
echo "$spent s of CPU time"
[ "$spent" -le "${QUICKSTART_SECONDS:-60}" ] || say "more than a minute"
cp quick.log last
[ "$(wc -l <last)" -le 13 ] || say "more than a line a step"
awk 'length > 80 { bad = 1 } END { exit bad }' last || say "a line does not fit a terminal"
grep -q '^7 pages of main text' last || say "no line about the sample"
grep -q '^    [A-Z]' last || say "no beginning of a document"
grep -q '^Left out here: ' last || say "no line about what the quick build leaves out"
[ -s build-quick/quickstart.log ] || say "no log"
[ "$(wc -l <build-quick/sample.jsonl)" -eq 7 ] || say "not the seven pages of the sample"
command=$(sed -n 's/^One page: *\([^ ]*\) .*/\1/p' last)
[ -n "$("$command" extract sample/site/en.html)" ] || say "the command for one page does not run"
sh tools/quickstart.sh >again.log 2>&1 && cmp -s again.log last || { cat again.log; say "a second run says something else"; }
[ "$bad" = 0 ] || cat last
exit "$bad"
