#!/bin/sh
# SPDX-License-Identifier: MIT
# check_fault.sh [--long] [NAME...] [OPTION...]: runs the tests of faults of this folder, or those named, against the
# program that was built: `interrupt`, `plugins`, `errors`, `memory`,
# `disk_full`, `readers`. Options go to each: --seed N, --rounds N.
# One that this machine has no means for says so; it counts as passed beside others, and as skipped alone.
set -u
[ -x src/cli/dana ] || { echo "not in a build folder with a program"; exit 99; }
[ -f tests/fault/.libs/shim.so ] || { echo "tests/fault/shim.la is not built, or built without shared libraries"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
source=$(cd "${srcdir:-.}" && pwd)
names='' options=''
while [ $# -gt 0 ]; do
	case $1 in
	--long) options="$options --long" ;;
	--*) options="$options $1 $2"; shift ;;
	*) names="$names $1" ;;
	esac
	shift
done
skipped=77 status=0
for name in ${names:-interrupt errors plugins memory disk_full readers}; do
	# shellcheck disable=SC2086
	PYTHONDONTWRITEBYTECODE=1 python3 "$source/tests/fault/$name.py" src/cli/dana tests/fault/.libs $options
	case $? in
	0) skipped=0 ;;
	77) ;;
	*) status=1 ;;
	esac
done
[ "$status" = 1 ] || status=$skipped
exit $status
