#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs each fuzz target that is built. `fuzz.sh libfuzzer`: each for FUZZ_SECONDS (0: no end) or FUZZ_RUNS inputs, or up to its first
# fault; inputs that reach new code are kept in fuzz-corpus/. X.dict has words of the format. Without it: by FUZZ_ROUNDS changes of
# its seeds.
set -eu
seeds=${srcdir:-.}/tests/fuzz
# Much of the time of a run goes into what these keep or weigh; long inputs and many kept blocks find little more.
flags="-max_len=2048 -entropic=0"
: "${ASAN_OPTIONS:=malloc_context_size=4:quarantine_size_mb=16}"
export ASAN_OPTIONS
if [ "${1-}" != libfuzzer ]; then
	FUZZ_ROUNDS=${FUZZ_ROUNDS:-50000} exec sh "$seeds/check_fuzz.sh"
fi
status=0
for target in tests/fuzz/fuzz_*; do
	case $target in *.o | *.c | *.in) continue ;; esac
	[ -f "$target" ] && [ -x "$target" ] || continue
	name=${target#tests/fuzz/fuzz_}
	dictionary=
	[ ! -f "$seeds/$name.dict" ] || dictionary=-dict=$seeds/$name.dict
	mkdir -p "fuzz-corpus/$name"
	echo "$target"
	# shellcheck disable=SC2086
	"$target" $flags $dictionary ${FUZZ_RUNS:+-runs=$FUZZ_RUNS} -max_total_time="${FUZZ_SECONDS:-60}" -timeout=20 \
		-verbosity=0 -print_final_stats=1 -artifact_prefix="fuzz-corpus/$name-fault-" "fuzz-corpus/$name" "tests/fuzz/$name.in" || status=1
done
exit $status
