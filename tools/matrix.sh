#!/bin/sh
# SPDX-License-Identifier: MIT
# matrix.sh [LEG...]: builds dana in each of the ways below, in build-LEG/, and runs the unit tests and, but for s390x, whole runs with
# known outputs there; without LEG all of them, after the whole suite with gcc. A line for each, with its time, and after several
# "N passed, M failed".
#   clang    with clang
#   address  ASan and UBSan
#   thread   TSan, with a seventh of the ways to cut and of random inputs, since all threads see the same code
#   bare     without any optional library
#   i386     32-bit, in a root of Debian 12 for i386, which this kernel runs; needs root, mmdebstrap and arch-test
#   s390x    big-endian, built here by a cross compiler against libraries of s390x, run by qemu, with a seventh
#            of the same; needs root and mmdebstrap
set -u
cd "$(dirname "$0")/.." || exit 1
top=$PWD
unset srcdir MAKEFLAGS MFLAGS MAKELEVEL
[ -x configure ] || autoreconf -fi || exit 1
libraries='uchardet simdjson cld2 fasttext jansson roaring wget2'
units='base extract archive dedup io run lab serve cli plugins'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM

# show WORDS: of the Makefile here
show() { printf 'include Makefile\nshow:\n\t@echo %s\n' "$1" | make -s -f - show; }

# native FOLDER OPTION...: on this machine; units that need a library which the build lacks do not exist.
native() (
	folder=$1
	shift
	mkdir -p "$folder" && cd "$folder" || exit 1
	[ -f Makefile ] || "$top/configure" -q --enable-werror "$@" || exit 1
	make -s -j"$(nproc)" || exit 1
	tests=$(show '$(TESTS)' | tr ' ' '\n' | grep '^tests/unit/') || exit 1
	# shellcheck disable=SC2086
	VERBOSE=1 make -j"$(nproc)" check TESTS="$(echo $tests) tests/golden/run.sh"
)
leg_clang() { native build-clang CC=clang CXX=clang++; }
leg_address() { native build-address --enable-sanitizers=address,undefined CFLAGS='-g -O1'; }
leg_thread() { SPLIT_EVERY=7 TSAN_OPTIONS=halt_on_error=1 native build-thread --enable-sanitizers=thread CFLAGS='-g -O1'; }
# shellcheck disable=SC2046
leg_bare() { native build-bare $(for each in $libraries; do echo "--without-$each"; done); }

# Libraries and what builds, as debian/control names them, and what is in no package of it.
needed() {
	sed -n '/^Build-Depends:/,/^[A-Z]/{s/^ \([a-z0-9.+-]*\).*/\1/p}' debian/control | grep -- '-dev$' | grep -v -e '^python3-' -e '^wget2-'
}
leg_i386() (
	. "$top/tools/root.sh"
	command -v arch-test >/dev/null || { echo "missing: apt-get install arch-test"; exit 1; }
	include=$(needed | tr '\n' ',')gcc,g++,make,pkg-config,python3,gawk
	# what a release of Debian began with is enough, and mirrors of its updates for i386 are often half made
	root_image i386 --variant=apt --architectures=i386 --include="$include" \
		--setup-hook='sed -i "/security\|updates/d" "$1/etc/apt/sources.list"' || exit 1
	root_make root i386 && sh tools/tarball.sh "$work" && tar -xf "$work"/dana-*.tar.xz -C "$work/root" || exit 1
	in_root root sh -c "cd /dana-* && ./configure -q && make -s -j$(nproc) &&
		VERBOSE=1 make -j$(nproc) check TESTS='$(for unit in $units; do printf 'tests/unit/%s ' "$unit"; done)tests/golden/run.sh'"
)
leg_s390x() (
	. "$top/tools/root.sh"
	command -v s390x-linux-gnu-gcc >/dev/null && command -v s390x-linux-gnu-g++ >/dev/null && command -v qemu-s390x-static >/dev/null ||
		{ echo "missing: apt-get install gcc-s390x-linux-gnu g++-s390x-linux-gnu qemu-user-static"; exit 1; }
	root=$work/s390x
	mmdebstrap --variant=extract --architectures=s390x --include="$(needed | grep -v -e cld2 -e roaring | tr '\n' ',')libc6-dev,libstdc++-12-dev" \
		bookworm "$root" || exit 1
	find "$root/lib" "$root/usr" -type l -lname '/*' | while read -r link; do ln -sfr "$root$(readlink "$link")" "$link"; done
	export PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_LIBDIR="$root/usr/lib/s390x-linux-gnu/pkgconfig:$root/usr/share/pkgconfig"
	mkdir "$work/build" && cd "$work/build" || exit 1
	"$top/configure" -q --host=s390x-linux-gnu CC="s390x-linux-gnu-gcc --sysroot=$root" CXX="s390x-linux-gnu-g++ --sysroot=$root" \
		PKG_CONFIG=pkg-config || exit 1
	units=$(show '$(TESTS)' | tr ' ' '\n' | sed -n 's,^tests/unit/\([a-z]*\)$,\1,p') # what no library is missing for
	# The programs of the units alone: the manual pages are printed by the program.
	# shellcheck disable=SC2046,SC2086
	make -s -j"$(nproc)" $(show '$(BUILT_SOURCES)') && make -s -j"$(nproc)" $(for unit in $units; do echo "tests/unit/$unit"; done) || exit 1
	# shellcheck disable=SC2086,SC2016
	echo $units | tr ' ' '\n' | SPLIT_EVERY=7 srcdir=$top ROOT=$root xargs -P "$(nproc)" -I '{}' \
		sh -c 'qemu-s390x-static -L "$ROOT" "tests/unit/{}" >"{}.out" 2>&1; echo $? >"{}.status"'
	failed=
	for unit in $units; do
		[ "$(cat "$unit.status")" = 0 ] || { failed="$failed $unit"; grep -A 8 -e FAILED -e ERROR "$unit.out"; tail -n 5 "$unit.out"; }
		echo "$unit: $(grep -c '       OK' "$unit.out") passed"
	done
	[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
)
leg_gcc() { sh tools/test.sh; }

# The suite runs alone, since tests of it wait for other programs. Of the others two run at a time: each ends with one long unit.
legs=${*:-gcc thread address s390x i386 clang bare}
if [ $# = 1 ]; then
	begun=$(date +%s) result=PASS
	"leg_$1" >"$work/$1.log" 2>&1 || { result=FAIL; tail -n 60 "$work/$1.log" | cut -c 1-200; }
	echo "$result: $1, $(($(date +%s) - begun)) s"
	[ "$result" = PASS ]
	exit
fi
case " $legs " in *" gcc "*) sh tools/matrix.sh gcc ;; esac | tee "$work/lines"
echo "$legs" | tr ' ' '\n' | grep -vx gcc | xargs -P 2 -n 1 sh tools/matrix.sh | tee -a "$work/lines"
failed=$(grep -c '^FAIL: [a-z0-9]*, ' "$work/lines")
echo "$(grep -c '^PASS: [a-z0-9]*, ' "$work/lines") passed, $failed failed"
[ "$failed" = 0 ]
