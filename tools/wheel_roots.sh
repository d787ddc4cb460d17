#!/bin/sh
# SPDX-License-Identifier: MIT
# wheel_roots.sh DIR: tries danatext-*.whl and danatext-*.tar.gz in DIR in roots of Debian 12 that reach no index of packages. The wheel
# in one that has python3 and python3-venv, and no compiler; the source distribution in one that has what tools/packages.sh installs,
# and setuptools. Each reads the sample. A line for each. As root, with mmdebstrap.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
dist=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$top/tools/root.sh"

# try ROOT FILE WHAT: in an empty environment, FILE and the wheels beside it are all that pip finds
try() {
	mkdir "$work/$1/try"
	cp "$dist"/$2 "$top/sample/sample.warc.gz" "$work/$1/try"
	find "$work/wheels" -type f -exec cp {} "$work/$1/try" \;
	cat >"$work/$1/try/try.py" <<-'PYTHON'
		import danatext
		texts = [document.text for document in danatext.open("/try/sample.warc.gz")]
		assert len(texts) == 7 and all(texts), texts
	PYTHON
	in_root "$1" sh -c "cd /try && python3 -m venv v && v/bin/pip install --no-index --find-links /try $2 && v/bin/python try.py" \
		>"$work/log" 2>&1 || { tail -n 40 "$work/log" | cut -c 1-200 >&2; echo "FAIL: $3"; exit 1; }
	echo "PASS: $3"
}

mkdir "$work/wheels"
root_image bare --variant=apt --include=python3,python3-venv
root_make wheel bare
if in_root wheel sh -c 'command -v cc gcc'; then echo "FAIL: the root has a compiler"; exit 1; fi
try wheel "danatext-*manylinux*_$(uname -m).whl" "the wheel, in an empty environment of a root without a compiler"

python3 -m venv "$work/venv"
"$work/venv/bin/pip" download -q --no-deps -d "$work/wheels" 'setuptools >= 77'
root_make source bare
cp "$top/tools/packages.sh" "$work/source/"
in_root source sh /packages.sh >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; echo "FAIL: tools/packages.sh"; exit 1; }
try source 'danatext-*.tar.gz' "the source distribution, with what tools/packages.sh installs"
