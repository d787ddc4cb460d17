#!/bin/sh
# SPDX-License-Identifier: MIT
# The installed libdana-archive as others see it: it shows dana_* and nothing else, asks for no library of the command's (libuv,
# libcurl), and a program that knows only its header and pkg-config writes what `dana filter` writes, in both forms of the library.
# More archives are compared where a folder of foreign ones is there.
set -u
src=${srcdir:-.}
[ -f libdana-archive.a ] || { echo "not in the build folder"; exit 99; }
setting() { sed -n "s/^$1 = *//p" Makefile; }
cc=$(setting CC) nm=$(setting NM) objdump=$(setting OBJDUMP)
sanitizers=$(setting DANA_LDFLAGS | tr ' ' '\n' | grep '^-fsanitize=')
stage=$PWD/tests/archive.stage
rm -rf "$stage"
trap 'rm -rf "$stage"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
make -s install-libLTLIBRARIES install-staticlibDATA install-dist_danaincludeHEADERS install-pkgconfigDATA install-modulesLTLIBRARIES \
	DESTDIR="$stage" >"$stage.log" 2>&1 || { cat "$stage.log"; exit 1; }
rm -f "$stage.log"
pc=$(find "$stage" -name dana-archive.pc)
lib=$(dirname "$(dirname "$pc")")
status=0
wrong() { echo "$*"; status=1; }

sed -n 's/^DANA_API .*[ *]\(dana_[a-z_]*\)(.*/\1/p' "$src/include/dana/dana.h" "$src/include/dana/archive.h" "$src/include/dana/signature.h" |
	LC_ALL=C sort >"$stage/declared"
[ "$(grep -c . "$stage/declared")" -gt 20 ] || wrong "declarations not found"
shown() { $nm "$@" --defined-only | awk 'NF == 3 { print $3 }' | LC_ALL=C sort; }
shown -D "$lib/libdana-archive.so" >"$stage/shared"
shown -g "$lib/libdana-archive.a" >"$stage/static"
for form in shared static; do
	diff "$stage/declared" "$stage/$form" >"$stage/differs" ||
		wrong "$form library, declared (<) and shown (>): $(grep '^[<>]' "$stage/differs" | tr '\n' ' ')"
done
$nm -D --undefined-only "$lib/libdana-archive.so" | grep -E ' (uv_|curl_|pthread_create)' && wrong "wants a symbol of the command's"
$objdump -p "$lib/libdana-archive.so" | grep -E 'NEEDED.*(uv|curl|crypto)' && wrong "is linked to a library of the command's"

export PKG_CONFIG_SYSROOT_DIR="$stage" PKG_CONFIG_LIBDIR="$lib/pkgconfig"
$cc -std=c99 -Wall -Wextra -pedantic -Werror $(pkg-config --cflags dana-archive) -c "$src/tests/support/archive_user.c" \
	-o "$stage/user.o" || wrong "not C99"
$cc $sanitizers -o "$stage/user" "$stage/user.o" $(pkg-config --libs dana-archive) -Wl,-z,defs || wrong "does not link"
$cc $sanitizers -o "$stage/user-static" "$stage/user.o" "$lib/libdana-archive.a" $(make -s archive-static-libs) ||
	wrong "does not link with libdana-archive.a"
export LD_LIBRARY_PATH="$lib"

# same ARCHIVE: the program and the command write the same.
same()
{
	"$stage/$1" "$2" >"$stage/got" 2>"$stage/said" || { wrong "$1 $2: $(cat "$stage/said")"; return; }
	src/cli/dana filter -q -j 0 "$2" >"$stage/want" 2>/dev/null
	cmp -s "$stage/got" "$stage/want" || wrong "$1 $2: other documents than dana filter"
	compared=$((compared + 1))
}
compared=0
same user "$src/sample/sample.warc.gz"
[ "$(grep -c . "$stage/got")" = 7 ] || wrong "the sample has seven articles"
same user-static "$src/sample/sample.warc.gz"
shared=${DANA_SHARED:-$src/../shared}
if [ -d "$shared/warcs" ]; then
	find "$shared/warcs" -type f -size -8M \( -name '*arc.gz' -o -name '*arc' -o -name '*arc.zst' \) | LC_ALL=C sort | head -n 60 >"$stage/list"
	while read -r archive; do same user "$archive"; done <"$stage/list"
fi
echo "$compared archives compared"
exit $status
