#!/bin/sh
# SPDX-License-Identifier: MIT
# The features of `learned` are those of an oracle in Python that shares nothing with it. Skipped without python3.
set -u
python3 -c '' 2>/dev/null || exit 77
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
python3 "${srcdir:-.}/tests/oracle/learned_features.py" "${DANA:-./src/cli/dana}" "$work"
