#!/bin/sh
# SPDX-License-Identifier: MIT
# python.sh PAGES...: the Python package beside Resiliparse and trafilatura, in one process, on pages at hand: HTML files, folders of
# them, archives. Makes the wheel (or takes $WHEEL), and installs it and the others in an environment of its own. The goal: at least 6
# and 60 times as fast in CPU time, which is what the exit status says.
set -eu
[ $# -gt 0 ] || { echo "usage: python.sh PAGES...; HTML files, folders of them, archives" >&2; exit 3; }
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${WHEEL:-}" ]; then
	sh "$top/tools/wheel.sh" "$work/dist" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
	WHEEL=$(find "$work/dist" -name '*.whl')
fi
"${PYTHON:-python3}" -m venv "$work/venv"
"$work/venv/bin/pip" install -q "$WHEEL[compare]"
"$work/venv/bin/python" -m danatext.compare "$@" | tee "$work/table"
awk '$1 == "resiliparse" { r = $6 } $1 == "trafilatura" { t = $6 } END { exit !(r >= 6 && t >= 60) }' "$work/table"
