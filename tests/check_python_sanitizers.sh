#!/bin/sh
# SPDX-License-Identifier: MIT
# check_python_sanitizers.sh [address|thread]...: the extension and the library in it, built with sanitizers, under the Python tests.
# In a build folder; it needs Python's headers, and an index of packages for pytest. Without arguments: both.
set -u
top=$(cd "${srcdir:-.}" && pwd)
unset srcdir MAKEFLAGS MFLAGS MAKELEVEL
[ $# -gt 0 ] || set -- address thread
dana=$PWD/src/cli/dana
python=$("$top/tools/pythons.sh" | head -n 1)
[ -x "$dana" ] && [ -n "$python" ] || { echo "not in the build folder, or no python of 3.9 or later"; exit 77; }
bad=0
for kind; do
	stage=$PWD/tests/python-$kind.stage
	rm -rf "$stage"
	mkdir -p "$stage"
	cp -RL "$top/python" "$stage/python"
	chmod -R u+w "$stage/python"
	rm -rf "$stage/python/build" "$stage/python/danatext/"*.so
	ln -s "$top" "$stage/python/dana"
	"$python" -m venv "$stage/venv" && "$stage/venv/bin/pip" install -q --disable-pip-version-check -U pytest setuptools ||
		{ echo "no index of packages can be reached"; exit 77; }
	flags="-fsanitize=$kind -fno-omit-frame-pointer -g -O1"
	(cd "$stage/python" && DANATEXT_CONFIGURE="--enable-sanitizers=$kind" DANATEXT_BUILD="$stage/c" CFLAGS=$flags CXXFLAGS=$flags LDFLAGS="-fsanitize=$kind" \
		"$stage/venv/bin/pip" install -q --no-deps --no-build-isolation . >"$stage/log" 2>&1) || { tail -n 50 "$stage/log"; exit 1; }
	# The interpreter is not built so: its sanitizer is loaded first. What it leaves at its end is not looked at.
	case $kind in address) name=asan ;; thread) name=tsan ;; esac
	# Limits of memory and of time are for builds without.
	(cd / && DANA=$dana CHECK_WARCS_EVERY=32 LD_PRELOAD=$(${CC:-cc} -print-file-name=lib$name.so) PYTHONMALLOC=malloc \
		ASAN_OPTIONS="detect_leaks=0 log_path=$stage/report" TSAN_OPTIONS="die_after_fork=0 log_path=$stage/report exitcode=66 suppressions=$top/tests/tsan.supp" \
		"$stage/venv/bin/python" -m pytest -q -x -p no:cacheprovider "$top/python/tests" \
		-k "not memory_that_ends and not interrupt and not leaks and not types" >"$stage/log" 2>&1) || bad=1
	tail -n 3 "$stage/log"
	# The tests' own output is kept from sight, so reports go to files.
	for report in "$stage"/report*; do
		[ -f "$report" ] || continue
		head -n 60 "$report"
		bad=1
	done
	[ $bad = 1 ] || rm -rf "$stage"
done
exit $bad
