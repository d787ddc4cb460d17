#!/bin/sh
# SPDX-License-Identifier: MIT
# The installed libraries as others see them: each shows what its headers declare and nothing else, and none of its names is one of a
# library that we use, which a program linked with the static form would take for it without a word. libdana asks for libc and libm
# only, libdana-archive for no library of the command's (libuv, libcurl). Headers, pkg-config files and both forms work for programs
# in strict C99, that of dana.h for C++ too; the one of archives writes what `dana filter` writes, of more archives where a folder of
# foreign ones is there.
set -u
src=${srcdir:-.}
[ -f libdana.a ] && [ -f libdana-archive.a ] || { echo "not in the build folder"; exit 99; }
setting() { sed -n "s/^$1 = *//p" Makefile; }
cc=$(setting CC) nm=$(setting NM) objdump=$(setting OBJDUMP)
sanitizers=$(setting DANA_LDFLAGS | tr ' ' '\n' | grep '^-fsanitize=')
stage=$PWD/tests/libraries.stage
rm -rf "$stage"
trap 'rm -rf "$stage"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
make -s install-libLTLIBRARIES install-staticlibDATA install-dist_danaincludeHEADERS install-pkgconfigDATA install-modulesLTLIBRARIES \
	DESTDIR="$stage" >"$stage.log" 2>&1 || { cat "$stage.log"; exit 1; }
rm -f "$stage.log"
pc=$(find "$stage" -name dana.pc)
lib=$(dirname "$(dirname "$pc")")
status=0
wrong() { echo "$*"; status=1; }

# shows LIBRARY LEAST HEADER...: what is declared, at least so much, is what is shown
shows() {
	library=$1 least=$2
	shift 2
	(cd "$src/include/dana" && sed -n 's/^DANA_API .*[ *]\(dana_[a-z_]*\)(.*/\1/p' "$@") | LC_ALL=C sort >"$stage/declared"
	[ "$(grep -c . "$stage/declared")" -gt "$least" ] || wrong "$library: declarations not found"
	for form in -D.so -g.a; do
		$nm "${form%.*}" "$lib/$library.${form#*.}" --defined-only | awk 'NF == 3 { print $3 }' | LC_ALL=C sort >"$stage/shown"
		diff "$stage/declared" "$stage/shown" >"$stage/differs" ||
			wrong "$library.${form#*.}, declared (<) and shown (>): $(grep '^[<>]' "$stage/differs" | tr '\n' ' ')"
	done
}
shows libdana 9 dana.h
shows libdana-archive 20 dana.h archive.h signature.h site.h

# needs LIBRARY: what it is linked to
needs() { $objdump -p "$lib/$1.so" | awk '$1 == "NEEDED" { print $2 }'; }
others=$(needs libdana | grep -vE '^(libc|libm|ld-linux.*)\.so')
[ -n "$sanitizers" ] || [ -z "$others" ] || wrong "libdana.so needs $others"
needs libdana-archive | grep -E 'uv|curl|crypto' && wrong "is linked to a library of the command's"
$nm -D --undefined-only "$lib/libdana-archive.so" | grep -E ' (uv_|curl_|pthread_create)' && wrong "wants a symbol of the command's"

# names FILE...: what they define for others; names with a leading "_" are the compiler's
names() { $nm -g --defined-only "$@" 2>/dev/null | awk 'NF == 3 && $3 !~ /^(_|DW[.]ref[.])/ { print $3 }' | LC_ALL=C sort -u; }
found=0
for library in z zstd uv_a uv curl crypto deflate brotlidec brotlicommon uchardet simdjson svm xxhash utf8proc roaring psl; do
	file=$($cc -print-file-name="lib$library.a")
	[ -f "$file" ] && names "$file" >>"$stage/theirs" && found=$((found + 1))
done
if [ "$found" -gt 0 ]; then
	LC_ALL=C sort -u -o "$stage/theirs" "$stage/theirs"
	# shellcheck disable=SC2046 # folders of the build have plain names
	names $(find src plugins -name '*.a') >"$stage/ours"
	[ "$(grep -c . "$stage/ours")" -gt 99 ] || wrong "our own names not found"
	LC_ALL=C comm -12 "$stage/theirs" "$stage/ours" >"$stage/both"
	[ ! -s "$stage/both" ] || wrong "names in both: $(tr '\n' ' ' <"$stage/both")"
fi

# who uses libdana
export PKG_CONFIG_SYSROOT_DIR="$stage" PKG_CONFIG_LIBDIR="$lib/pkgconfig"
strict='-Wall -Wextra -pedantic -Werror'
user=$src/tests/support/library_user.c
$cc -std=c99 $strict -Wstrict-prototypes $(pkg-config --cflags dana) -c "$user" -o "$stage/user.o" || wrong "not C99"
$cc $sanitizers -o "$stage/user" "$stage/user.o" $(pkg-config --libs dana) -Wl,-z,defs || wrong "does not link with libdana.so"
LD_LIBRARY_PATH=$lib "$stage/user" || wrong "user of libdana.so failed"
$cc $sanitizers -o "$stage/user-static" "$stage/user.o" "$lib/libdana.a" -lm || wrong "does not link with libdana.a"
"$stage/user-static" || wrong "user of libdana.a failed"
# for another machine there is no telling which compiler is the right one
if [ "$(setting build)" = "$(setting host)" ] && cxx=$(command -v c++ || command -v g++ || command -v clang++); then
	$cxx -x c++ -std=c++11 $strict $(pkg-config --cflags dana) -c "$user" -o "$stage/user-cxx.o" || wrong "not C++"
	$cxx $sanitizers -o "$stage/user-cxx" "$stage/user-cxx.o" "$lib/libdana.a" -lm && "$stage/user-cxx" || wrong "user in C++ failed"
fi

# who uses libdana-archive
$cc -std=c99 $strict $(pkg-config --cflags dana-archive) -c "$src/tests/support/archive_user.c" -o "$stage/user.o" || wrong "not C99"
$cc $sanitizers -o "$stage/user" "$stage/user.o" $(pkg-config --libs dana-archive) -Wl,-z,defs || wrong "does not link"
$cc $sanitizers -o "$stage/user-static" "$stage/user.o" "$lib/libdana-archive.a" $(make -s archive-static-libs) ||
	wrong "does not link with libdana-archive.a"
export LD_LIBRARY_PATH="$lib"
compared=0
# same PROGRAM ARCHIVE: the program and the command write the same.
same() {
	"$stage/$1" "$2" >"$stage/got" 2>"$stage/said" || { wrong "$1 $2: $(cat "$stage/said")"; return; }
	src/cli/dana filter -q -j 0 "$2" >"$stage/want" 2>/dev/null
	cmp -s "$stage/got" "$stage/want" || wrong "$1 $2: other documents than dana filter"
	compared=$((compared + 1))
}
same user "$src/sample/sample.warc.gz"
[ "$(grep -c . "$stage/got")" = 7 ] || wrong "the sample has seven articles"
same user-static "$src/sample/sample.warc.gz"
shared=${DANA_SHARED:-$src/../shared}
if [ -d "$shared/warcs" ]; then
	find "$shared/warcs" -type f -size -8M \( -name '*arc.gz' -o -name '*arc' -o -name '*arc.zst' \) | LC_ALL=C sort | head -n 60 >"$stage/list"
	while read -r archive; do same user "$archive"; done <"$stage/list"
fi
echo "$compared archives compared; names of $found static libraries"
exit $status
