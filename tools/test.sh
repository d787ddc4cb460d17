#!/bin/sh
# SPDX-License-Identifier: MIT
# test.sh [engines|long|all]: on a fresh Debian 12 installs what the tests need, builds in build-test/, runs the whole suite, and ends with the
# line "N passed, M failed". Each fuzz target runs for two seconds (FUZZ_SECONDS), by clang and libFuzzer in build-fuzz/. With `long` it
# runs for a minute, and all patterns of tests/growth.py are tried.
# With `engines` it runs the tests of tests/engines instead: Slurm and others. With `all` other compilers, sanitizers and machines
# follow the suite: tools/matrix.sh, whose legs may be named after it.
set -u
cd "$(dirname "$0")/.." || exit 1
[ "${1:-}" != all ] || { shift; exec sh tools/matrix.sh "$@"; }
sh tools/packages.sh "${1:-test}" || exit 1
[ -x configure ] || autoreconf -fi || exit 1
mkdir -p build-test && cd build-test || exit 1
[ -f Makefile ] || ../configure --enable-werror || exit 1
make -j"$(nproc)" || exit 1
[ "${1:-}" != engines ] || exec sh ../tests/engines/run.sh
# Progress: the tests that have ended, of how many, as each ends; what runs meanwhile are those whose log has no .trs yet.
progress() {
	total=$(make -s print-tests | wc -w) seen=0
	while IFS= read -r line; do
		printf '%s\n' "$line" >>check.log
		case $line in PASS:* | FAIL:* | SKIP:* | XFAIL:* | XPASS:* | ERROR:*)
			seen=$((seen + 1))
			running=$(for log in $(find tests -name '*.log'); do [ -e "${log%.log}.trs" ] || echo "${log%.log}"; done | tr '\n' ' ')
			echo "$seen of $total: $line${running:+ (running: $running)}"
			;;
		esac
	done
}
: >check.log
{ make -k -j"$(nproc)" check 2>&1; echo $? >check.status; } | progress
status=$(cat check.status)
# also WHAT LOG COMMAND...: one test more.
also() {
	what=$1 log=$2 result=PASS
	shift 2
	"$@" >"$log" 2>&1 || { result=FAIL; tail -n 50 "$log"; }
	printf '%s: %s\n# %s: 1\n' "$result" "$what" "$result" >>check.log
}
# fuzz SECONDS: in a folder of its own, where nothing is built before.
fuzz() (
	export FUZZ_SECONDS="${FUZZ_SECONDS:-$1}"
	mkdir -p ../build-fuzz && cd ../build-fuzz || exit 1
	[ -f Makefile ] || CC=clang CXX=clang++ ../configure --enable-fuzzers --enable-sanitizers=address,undefined || exit 1
	make -j"$(nproc)" fuzz
)
also "the recipes of doc/HACKING.md" recipes.log make check-recipes
also "the quick start of the README" quickstart.log sh ../tools/quickstart.sh
case ${1:-} in
long)
	also "each fuzz target, for a minute" fuzz.log fuzz 60
	also "the growth of all patterns" growth.log env srcdir=.. sh ../tests/check_costs.sh all
	;;
*) also "each fuzz target, for two seconds" fuzz.log fuzz 2 ;;
esac
[ "${1:-}" != long ] || also "the Python package under sanitizers" sanitizers.log env srcdir=.. sh ../tests/check_python_sanitizers.sh
grep -E '^(PASS|FAIL|SKIP|ERROR|XPASS)' check.log
if ! grep -q '^# TOTAL' check.log; then
	tail -n 50 check.log
	exit 1
fi
count() { sed -n "s/^# $1: *//p" check.log | awk '{ n += $1 } END { print n + 0 }'; }
failed=$(($(count FAIL) + $(count ERROR) + $(count XPASS)))
[ "$failed" = 0 ] || cat test-suite.log
[ "$failed" != 0 ] || [ "$status" = 0 ] || { tail -n 50 check.log; failed=1; }
echo "$(count SKIP) skipped"
echo "$(count PASS) passed, $failed failed"
[ "$failed" = 0 ]
