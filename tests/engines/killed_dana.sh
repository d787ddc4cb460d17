#!/bin/sh
# SPDX-License-Identifier: MIT
# A dana that is killed (-9) once, in the middle of the first output that grows to 256K. KILLED is a file that is there
# when it has happened, REAL_DANA the program.
out=$(printf '%s\n' "$@" | grep -A 1 -x -e -O | tail -n 1)
[ ! -e "$KILLED" ] || exec "$REAL_DANA" "$@"
DANA_TEST_READ_SIZE=200 "$REAL_DANA" "$@" &
child=$!
while kill -0 $child 2>/dev/null; do
	for part in "$out"/*.part; do
		if [ "$(stat -c %s "$part" 2>/dev/null || echo 0)" -gt 262144 ] && mkdir "$KILLED" 2>/dev/null; then
			kill -9 $child
		fi
	done
done
wait $child
