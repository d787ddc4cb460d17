#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh [NAME...]: the tests of engines, one after the other, or those named (slurm, spark, ...), in the build folder.
# Ends with "N passed, M failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
passed=0 failed=0
[ $# -gt 0 ] || set -- parallel slurm index formulas datatrove tables wacz ray spark java go hosts windows
# What they need from PyPI, in an environment that later runs find again.
VENV=${VENV:-$PWD/engines}
export VENV
if [ ! -e "$VENV/complete" ]; then
	python3 -m venv "$VENV" && "$VENV/bin/pip" install -q -r "$here/requirements.txt" && touch "$VENV/complete" || exit 1
fi
DANA=$PWD/src/cli/dana
# Ray gives up early on a machine that has other work; Spark runs one python for the driver and its workers.
RAY_raylet_start_wait_time_s=300 PYSPARK_PYTHON=$VENV/bin/python JAVA_HOME=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
export DANA RAY_raylet_start_wait_time_s PYSPARK_PYTHON JAVA_HOME
# The package of this checkout.
"$VENV/bin/pip" install -q --no-deps --force-reinstall "$here/../../python" || exit 1
run_one() {
	if [ -e "$here/check_$1.sh" ]; then
		timeout -k 10 1500 sh "$here/check_$1.sh"
	else
		timeout -k 10 1500 "$VENV/bin/python" -m pytest -q -p no:cacheprovider "$here/test_$1.py"
	fi
}
for name; do
	(run_one "$name") >"engine_$name.log" 2>&1 && status=0 || status=$?
	case $status in
	0)
		echo "PASS: $name"
		passed=$((passed + 1))
		;;
	77) echo "SKIP: $name: $(tail -n 1 "engine_$name.log")" ;;
	*)
		echo "FAIL: $name"
		tail -n 50 "engine_$name.log"
		failed=$((failed + 1))
		;;
	esac
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
