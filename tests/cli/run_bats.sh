#!/bin/sh
# SPDX-License-Identifier: MIT
# run_bats.sh [NAME...]: runs every tests/cli/*.bats, or those named, against the program that was built; skipped where
# bats, jq, python3 or zstd is missing.
# Tests get $DANA, the program, and $TMPDIR of their own.
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
exec bats "$@"
