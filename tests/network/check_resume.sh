#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs over HTTP that are killed, or ended by a signal, and gone on with: some. RUNS and SEED in the environment ask for
# others; `make check-http-resume` makes 200.
set -u
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
tests=${srcdir:-.}/tests
exec python3 "$tests/network/resume.py" "${DANA:-./src/cli/dana}" "$tests/support/fault_server.py" \
	--names "$PWD/tests/support/.libs/slow_names.so" --runs "${RUNS:-12}" --seed "${SEED:-1}"
