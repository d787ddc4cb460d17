#!/bin/sh
# SPDX-License-Identifier: MIT
# The installed library as others see it: it shows what dana.h declares and nothing else, asks for libc and libm only, and its
# header, its pkg-config file and both its forms work for a program in strict C99 (the header also for C++).
set -u
src=${srcdir:-.}
[ -f libdana.a ] || { echo "not in the build folder"; exit 99; }
setting() { sed -n "s/^$1 = *//p" Makefile; }
cc=$(setting CC) nm=$(setting NM) objdump=$(setting OBJDUMP)
sanitizers=$(setting DANA_LDFLAGS | tr ' ' '\n' | grep '^-fsanitize=')
stage=$PWD/tests/symbols.stage
rm -rf "$stage"
trap 'rm -rf "$stage"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
make -s install-libLTLIBRARIES install-staticlibDATA install-dist_danaincludeHEADERS install-pkgconfigDATA \
	DESTDIR="$stage" >"$stage.log" 2>&1 || { cat "$stage.log"; exit 1; }
rm -f "$stage.log"
pc=$(find "$stage" -name dana.pc)
lib=$(dirname "$(dirname "$pc")")
status=0
wrong() { echo "$*"; status=1; }

# what is declared, what is shown
sed -n 's/^DANA_API .*[ *]\(dana_[a-z_]*\)(.*/\1/p' "$src/include/dana/dana.h" | LC_ALL=C sort >"$stage/declared"
[ "$(grep -c . "$stage/declared")" -gt 9 ] || wrong "dana.h: declarations not found"
shown() { $nm "$@" --defined-only | awk 'NF == 3 { print $3 }' | LC_ALL=C sort; }
shown -D "$lib/libdana.so" >"$stage/shared"
shown -g "$lib/libdana.a" >"$stage/static"
for form in shared static; do
	diff "$stage/declared" "$stage/$form" >"$stage/differs" ||
		wrong "$form library, declared (<) and shown (>): $(grep '^[<>]' "$stage/differs" | tr '\n' ' ')"
done

# what it needs
if [ -z "$sanitizers" ]; then
	others=$($objdump -p "$lib/libdana.so" | awk '$1 == "NEEDED" && $2 !~ /^(libc|libm|ld-linux.*)\.so/ { print $2 }')
	[ -z "$others" ] || wrong "libdana.so needs $others"
fi

# who uses it
export PKG_CONFIG_SYSROOT_DIR="$stage" PKG_CONFIG_LIBDIR="$lib/pkgconfig"
strict='-Wall -Wextra -pedantic -Wstrict-prototypes -Werror'
$cc -std=c99 $strict $(pkg-config --cflags dana) -c "$src/tests/support/library_user.c" -o "$stage/user.o" || wrong "not C99"
$cc $sanitizers -o "$stage/user" "$stage/user.o" $(pkg-config --libs dana) -Wl,-z,defs || wrong "does not link with libdana.so"
LD_LIBRARY_PATH=$lib "$stage/user" || wrong "user of libdana.so failed"
$cc $sanitizers -o "$stage/user-static" "$stage/user.o" "$lib/libdana.a" -lm || wrong "does not link with libdana.a"
"$stage/user-static" || wrong "user of libdana.a failed"
# for another machine there is no telling which compiler is the right one
if [ "$(setting build)" = "$(setting host)" ] && cxx=$(command -v c++ || command -v g++ || command -v clang++); then
	$cxx -x c++ -std=c++11 -Wall -Wextra -pedantic -Werror $(pkg-config --cflags dana) -c "$src/tests/support/library_user.c" \
		-o "$stage/user-cxx.o" || wrong "not C++"
	$cxx $sanitizers -o "$stage/user-cxx" "$stage/user-cxx.o" "$lib/libdana.a" -lm && "$stage/user-cxx" || wrong "user in C++ failed"
fi
exit $status
