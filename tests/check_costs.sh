#!/bin/sh
# SPDX-License-Identifier: MIT
# check_costs.sh [all]: time and memory that hostile input costs (tests/costs.py), also of a folder of hostile files where there is
# one (`shared/hostile` beside the source, or in $DANA_SHARED): every CHECK_WARCS_EVERYth of them. Then how what a page costs grows
# with it (tests/growth.py, by valgrind). With `all` only that, of all patterns. In a build with sanitizers, which take time and
# memory of their own, their reports instead.
set -u
[ -x src/cli/dana ] && [ -f Makefile ] || { echo "not in a build folder with a program"; exit 99; }
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
if grep -q '^DANA_LDFLAGS = .*-fsanitize' Makefile; then
	export COSTS_REPORTS=99
	export ASAN_OPTIONS="exitcode=$COSTS_REPORTS:${ASAN_OPTIONS-}" TSAN_OPTIONS="exitcode=$COSTS_REPORTS:${TSAN_OPTIONS-}"
	export UBSAN_OPTIONS="halt_on_error=1:exitcode=$COSTS_REPORTS:${UBSAN_OPTIONS-}"
fi
dana=$(pwd)/src/cli/dana
source=$(cd "${srcdir:-.}" && pwd)
shared=${DANA_SHARED:-$source/../shared}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
if [ "${1:-}" != all ]; then
	set --
	[ ! -d "$shared/hostile" ] || set -- "$(cd "$shared/hostile" && pwd)"
	python3 "$source/tests/costs.py" "$dana" "$@" || exit 1
	set -- sample
fi
[ -z "${COSTS_REPORTS-}" ] || exit 0
command -v valgrind >/dev/null || { echo "valgrind is missing: growth is not measured"; exit 0; }
python3 "$source/tests/growth.py" "$dana" "$1"
