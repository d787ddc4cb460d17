#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh [NAME...]: the tests of engines, one after the other, or those named (slurm, spark, ...), in the build folder.
# Ends with "N passed, M failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
passed=0 failed=0
[ $# -gt 0 ] || set -- parallel slurm index
# What they need from PyPI, in an environment that later runs find again.
VENV=${VENV:-$PWD/engines}
export VENV
if [ ! -e "$VENV/complete" ]; then
	python3 -m venv "$VENV" && "$VENV/bin/pip" install -q -r "$here/requirements.txt" && touch "$VENV/complete" || exit 1
fi
for name; do
	if timeout -k 10 900 sh "$here/check_$name.sh" >"engine_$name.log" 2>&1; then
		echo "PASS: $name"
		passed=$((passed + 1))
	else
		echo "FAIL: $name"
		tail -n 50 "engine_$name.log"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
