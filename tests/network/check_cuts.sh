#!/bin/sh
# SPDX-License-Identifier: MIT
# An archive from a server that fails at random: a short run. CUTS, HOSTS and SEED in the environment ask for others;
# `make check-cuts` makes 10,000 cuts.
set -u
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
tests=${srcdir:-.}/tests
exec python3 "$tests/network/cuts.py" "${DANA:-./src/cli/dana}" "$tests/support/fault_server.py" \
	--cuts "${CUTS:-48}" --hosts "${HOSTS:-16}" --megabytes "${MEGABYTES:-2}" --seed "${SEED:-1}"
