#!/bin/sh
# SPDX-License-Identifier: MIT
# run_bats.sh [NAME...]: runs every tests/cli/*.bats, or those named, against the program that was built; skipped where
# bats, jq, python3 or zstd is missing.
# Tests get $DANA, the program, and $TMPDIR of their own. Those that failed are printed once more at the end: a log of 600 lines is cut.
for program in bats jq python3 zstd; do command -v $program >/dev/null 2>&1 || exit 77; done
DANA=${DANA:-$(pwd)/src/cli/dana}
DANA_SOURCE=$(cd "${srcdir:-.}" && pwd)
export DANA DANA_SOURCE
cd "$DANA_SOURCE/tests/cli" || exit 99
[ $# -gt 0 ] || set -- *.bats
for name; do
	shift
	set -- "$@" "${name%.bats}.bats"
done
log=$(mktemp -d) || exit 99
{
	bats "$@" 2>&1
	echo $? >"$log/status"
} | tee "$log/tap"
awk '/^(not )?ok / { failed = /^not / } failed && !said++ { print "\nThose that failed:" } failed' "$log/tap"
read -r status <"$log/status"
rm -r "$log"
exit "$status"
