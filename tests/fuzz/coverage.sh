#!/bin/sh
# SPDX-License-Identifier: MIT
# How many lines of the parsers the fuzz targets reach: their seeds, the inputs in fuzz-corpus/, and FUZZ_ROUNDS changes of them. In
# the folder of a build by CC=clang CFLAGS='-O1 -fprofile-instr-generate -fcoverage-mapping', after `make check TESTS=`.
set -eu
seeds=${srcdir:-.}/tests/fuzz
profiles=$(mktemp -d)
trap 'rm -rf "$profiles"' EXIT
objects=
for target in tests/fuzz/fuzz_*; do
	case $target in *.o | *.c | *.in | *.dict) continue ;; esac
	[ -f "$target" ] && [ -x "$target" ] || continue
	name=${target#tests/fuzz/fuzz_}
	corpus=
	[ ! -d "fuzz-corpus/$name" ] || corpus=fuzz-corpus/$name
	# shellcheck disable=SC2086
	LLVM_PROFILE_FILE=$profiles/$name.profraw "$target" -n "${FUZZ_ROUNDS:-20000}" "tests/fuzz/$name.in" $corpus >&2
	objects="$objects -object $target"
done
llvm-profdata merge -o "$profiles/all" "$profiles"/*.profraw
# shellcheck disable=SC2086
llvm-cov export -summary-only -instr-profile="$profiles/all" $objects |
	python3 "$seeds/coverage.py" "$seeds/parsers.txt"
