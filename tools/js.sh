#!/bin/sh
# SPDX-License-Identifier: MIT
# js.sh [DIR]: the package danatext of npm, danatext-VERSION.tgz, in DIR (default: dist), and unpacked in DIR/package: the files of js/
# with the modules that tools/portable.sh builds for wasm32-wasi, in a file of text for places that have one file, too, and with the
# list of what is linked and the licences of that. And the page that shows it, dana-try-VERSION.html. Needs what portable.sh needs, node
# and npm. The same sources give the same bytes.
set -eu
unset srcdir MAKEFLAGS MFLAGS MAKELEVEL
top=$(cd "$(dirname "$0")/.." && pwd)
umask 022
mkdir -p "${1:-dist}"
dist=$(cd "${1:-dist}" && pwd)
version=$(sed -n 's/^AC_INIT(\[dana\], \[\([^]]*\)\].*/\1/p' "$top/configure.ac")
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || stat -c %Y "$top/configure.ac")}"
sh "$top/tools/portable.sh" wasm32-wasi "$dist/wasm32-wasi"
rm -rf "$dist/package"
mkdir -p "$dist/package"
cd "$dist/package"
(cd "$top/js" && tar -cf - ./*.js ./*.d.ts README.md src package.json) | tar -xf -
cp "$top/COPYING" LICENSE
cp -R "$dist/wasm32-wasi"/*.wasm "$dist/wasm32-wasi/licences" "$dist/wasm32-wasi/danatext.cdx.json" .
chmod 644 ./*.wasm
sed -i "s/\"version\": \"0.0.0\"/\"version\": \"$version\"/" package.json
sed -i "s/VERSION/$version/" README.md
for name in core danatext; do
	to=bytes.js
	[ $name = danatext ] || to=core-bytes.js
	{ printf '// SPDX-License-Identifier: MIT\nexport const text = "'; base64 -w 0 $name.wasm; echo '";'; } >$to
done
cd "$dist"
rm -f danatext-*.tgz dana-try-*.html
npm pack --silent ./package
node "$top/tools/try_page.mjs" package "dana-try-$version.html"
echo "dana-try-$version.html"
