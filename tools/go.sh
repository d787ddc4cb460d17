#!/bin/sh
# SPDX-License-Identifier: MIT
# go.sh [DIR]: the module danatext of Go, danatext-go-VERSION.tar.gz, in DIR (default: dist), and unpacked in DIR/danatext-go-VERSION: the
# files of go/ with the module of WebAssembly that they embed, the list of what is linked, and the licences of that. DANATEXT=FOLDER
# takes the last three from a package that tools/js.sh has built; else tools/portable.sh builds them. The same sources give the same bytes.
set -eu
unset srcdir MAKEFLAGS MFLAGS MAKELEVEL
top=$(cd "$(dirname "$0")/.." && pwd)
umask 022
mkdir -p "${1:-dist}"
dist=$(cd "${1:-dist}" && pwd)
name=danatext-go-$(sed -n 's/^AC_INIT(\[dana\], \[\([^]]*\)\].*/\1/p' "$top/configure.ac")
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || stat -c %Y "$top/configure.ac")}"
if [ -z "${DANATEXT:-}" ]; then
	DANATEXT=$dist/wasm32-wasi
	sh "$top/tools/portable.sh" wasm32-wasi "$DANATEXT"
fi
rm -rf "${dist:?}/$name"
mkdir "$dist/$name"
cp "$top"/go/*.go "$top/go/go.mod" "$top/go/go.sum" "$dist/$name/"
cp "$top/doc/GO.md" "$dist/$name/README.md"
cp "$top/COPYING" "$dist/$name/LICENSE"
cp -R "$DANATEXT/danatext.wasm" "$DANATEXT/danatext.cdx.json" "$DANATEXT/licences" "$dist/$name/"
chmod 644 "$dist/$name/danatext.wasm"
LC_ALL=C tar --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX,go-w \
	-C "$dist" -cf - "$name" | gzip -9n >"$dist/$name.tar.gz"
echo "$name.tar.gz"
