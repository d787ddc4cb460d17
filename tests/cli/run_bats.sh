#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs every tests/cli/*.bats against the program that was built; skipped where bats is missing.
# Tests get $DANA, the program, and $TMPDIR of their own.
command -v bats >/dev/null 2>&1 || exit 77
DANA=${DANA:-$(pwd)/src/cli/dana}
DANA_SOURCE=$(cd "${srcdir:-.}" && pwd)
export DANA DANA_SOURCE
exec bats "$DANA_SOURCE"/tests/cli/*.bats
