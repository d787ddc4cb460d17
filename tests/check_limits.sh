#!/bin/sh
# SPDX-License-Identifier: MIT
# Every limit of dana filter at its boundary, and one a little beyond it (tests/limits.py).
set -u
[ -x src/cli/dana ] || { echo "not in a build folder with a program"; exit 99; }
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
dana=$(pwd)/src/cli/dana
source=$(cd "${srcdir:-.}" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" && python3 "$source/tests/limits.py" "$dana"
