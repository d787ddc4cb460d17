#!/bin/sh
# SPDX-License-Identifier: MIT
# tarball.sh [DIR]: the release archive of the commit that is checked out, in DIR (default: dist). The same commit gives the same bytes
# in whatever folder, at whatever time, with whatever umask and locale. Prints its name.
set -eu
unset srcdir MAKEFLAGS MFLAGS MAKELEVEL # of a make that calls this
top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${1:-dist}"
dist=$(cd "${1:-dist}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct)}"
export LC_ALL=C TZ=UTC0
tar='tar --format=ustar --sort=name --mtime=@$$SOURCE_DATE_EPOCH --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX,go-w'

umask 022
mkdir "$work/source" "$work/build"
git -C "$top" archive HEAD | tar -xf - -C "$work/source"
{
	(cd "$work/source" && autoreconf -fi) &&
		(cd "$work/build" && ../source/configure -q && make -s dist am__tar="$tar -chf - \"\$\$tardir\"")
} >"$work/log" 2>&1 || { tail -n 50 "$work/log" >&2; exit 1; }
cp "$work"/build/dana-*.tar.xz "$dist/"
(cd "$work/build" && echo dana-*.tar.xz)
