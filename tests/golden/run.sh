#!/bin/sh
# SPDX-License-Identifier: MIT
# Golden runs: for each CASE the same documents, counters, messages and exit status, whatever the number of workers and the
# size of reads. `run.sh --write` makes the expected files anew: look at the difference before you commit it.
set -u
here=$(cd "${srcdir:-$(dirname "$0")/../..}/tests/golden" && pwd) || exit 99
dana=${DANA:-$PWD/src/cli/dana}
[ -x "$dana" ] || { echo "no $dana"; exit 99; }
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
bad=0 runs=0

# run CASE JOBS READ_SIZE: leaves out, stats.json, messages and status in $tmp
run() {
	input=$(cd "$here/$1" && echo in.*)
	rm -f "$tmp"/*
	# shellcheck disable=SC2046
	(cd "$here/$1" && DANA_TEST_READ_SIZE=$3 DANA_TEST_SPAN_SIZE=2000 "$dana" filter $(cat args) -j "$2" --stats "$tmp/all.json" "$input") \
		>"$tmp/out" 2>"$tmp/all"
	echo $? >"$tmp/status"
	grep -v '^dana filter: --sandbox auto: ' "$tmp/all" >"$tmp/messages" # what this system or build lacks for it
	# Times and memory differ from run to run; what is 0 is left out, so that a new counter changes no case.
	sed -E -e 's/,"(seconds|cpu_seconds|peak_rss_bytes)":[0-9.e+-]+//g' -e 's/,"[a-z_]+":0([,}])/\1/g' \
		-e 's/,"[a-z_]+":0([,}])/\1/g' "$tmp/all.json" >"$tmp/stats.json"
	rm "$tmp/all" "$tmp/all.json"
}

for args in "$here"/*/args; do
	case=$(basename "$(dirname "$args")")
	if [ "${1-}" = --write ]; then
		run "$case" 0 1048576
		cp "$tmp"/* "$here/$case/"
		echo "$case is written"
		continue
	fi
	for jobs in 0 1 4; do
		for size in 1 4096 1048576; do
			run "$case" "$jobs" "$size"
			runs=$((runs + 1))
			for file in out stats.json messages status; do
				if ! cmp -s "$tmp/$file" "$here/$case/$file"; then
					echo "$case, -j $jobs, reads of $size: $file differs"
					diff "$here/$case/$file" "$tmp/$file" | head -n 5 | cut -c 1-300
					bad=1
				fi
			done
		done
	done
done
[ "${1-}" = --write ] || echo "$runs golden runs"
exit $bad
