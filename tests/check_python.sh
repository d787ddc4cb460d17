#!/bin/sh
# SPDX-License-Identifier: MIT
# The Python package: makes the wheel, as its users get it, and runs its tests and the Python of the pages in an empty environment beside
# packages that read Arrow, all by the oldest Python. Skipped where there is no Python of 3.9 or later, or no index of packages can be reached.
set -u
top=$(cd "${srcdir:-.}" && pwd)
dana=$PWD/src/cli/dana
[ -x "$dana" ] || { echo "not in the build folder"; exit 99; }
case $(sed -n 's/^DANA_LDFLAGS = *//p' Makefile) in *-fsanitize*) echo "a build with sanitizers: tests/check_python_sanitizers.sh"; exit 77 ;; esac
python=$("$top/tools/pythons.sh" | head -n 1)
[ -n "$python" ] || { echo "no python of 3.9 or later"; exit 77; }
stage=$PWD/tests/python.stage
rm -rf "$stage"
trap 'rm -rf "$stage"' EXIT
"$python" -m venv "$stage/venv" >/dev/null 2>&1 || { echo "$python cannot make an environment (Debian: python3-venv)"; exit 77; }
"$stage/venv/bin/pip" install -q --disable-pip-version-check pytest || { echo "no index of packages can be reached"; exit 77; }
PYTHON=$python sh "$top/tools/wheel.sh" "$stage/dist" || exit 1
"$stage/venv/bin/pip" install -q --no-index "$stage"/dist/*.whl || exit 1
# What serves single tests, which are skipped without it.
for package in pyarrow polars duckdb pandas fsspec aiohttp mypy trafilatura lxml_html_clean; do
	"$stage/venv/bin/pip" install -q --disable-pip-version-check "$package" || echo "not installed: $package; its tests are skipped"
done
(cd / && DANA=$dana "$stage/venv/bin/python" -m pytest -q -rs -p no:cacheprovider "$top/python/tests") || exit 1
srcdir=$top "$stage/venv/bin/python" "$top/tests/check_examples.py" python
