#!/bin/sh
# SPDX-License-Identifier: MIT
# Replays the seeds of each fuzz target that is built, X.tar of fuzz_X, and some thousand random changes of them.
set -u
status=77
for target in tests/fuzz/fuzz_*; do
	case $target in *.o | *.c | *.in) continue ;; esac
	[ -f "$target" ] && [ -x "$target" ] || continue
	[ "$status" = 77 ] && status=0
	echo "$target"
	"$target" -n "${FUZZ_ROUNDS:-3000}" "tests/fuzz/${target#tests/fuzz/fuzz_}.in" || status=1
done
exit $status
