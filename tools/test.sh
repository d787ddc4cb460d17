#!/bin/sh
# SPDX-License-Identifier: MIT
# test.sh: on a fresh Debian 12 installs what the tests need, builds in build-test/, runs the whole suite, and ends with the
# line "N passed, M failed".
set -u
cd "$(dirname "$0")/.." || exit 1
sh tools/packages.sh test || exit 1
[ -x configure ] || autoreconf -fi || exit 1
mkdir -p build-test && cd build-test || exit 1
[ -f Makefile ] || ../configure --enable-werror || exit 1
make -j"$(nproc)" || exit 1
make -k -j"$(nproc)" check >check.log 2>&1
status=$?
recipes=PASS
make check-recipes >recipes.log 2>&1 || { recipes=FAIL; tail -n 50 recipes.log; }
echo "$recipes: the recipes of doc/HACKING.md" >>check.log
echo "# $recipes: 1" >>check.log
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
