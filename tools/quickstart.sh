#!/bin/sh
# SPDX-License-Identifier: MIT
# quickstart.sh: on a fresh Debian 12 installs what dana needs, builds the program in build-quick/ without what a first look does not
# need (plugins, the service, shared libraries, tests, AVX; optimised is only what takes most of a run's time), cleans the sample
# archive, and says in five lines what to type next.
set -eu
cd "$(dirname "$0")/.."
sh tools/packages.sh
if [ ! -x configure ]; then # as autoreconf -i, which runs aclocal twice; configure comes last, so that it shows that all is there
	libtoolize -q -i -c
	aclocal -I m4
	autoheader
	automake -a -c
	autoconf
fi
mkdir -p build-quick
cd build-quick
if [ ! -f Makefile ]; then
	lean='--disable-shared --disable-dependency-tracking'
	for library in simdjson cld2 fasttext cmocka jansson wget2 roaring; do
		lean="$lean --without-$library"
	done
	for plugin in boilerplate dedup-exact dedup-lines dedup-near language metadata pii quality url; do
		lean="$lean --with-plugin-$plugin=no"
	done
	# shellcheck disable=SC2086 # the list is meant to be split
	CONFIG_SHELL=/bin/sh sh ../configure -q $lean CFLAGS=-O0 CPPFLAGS=-DCPU_WITHOUT_AVX
fi
make -s -j"$(nproc)" quick
dana=build-quick/src/cli/dana
cd ..
rm -f build-quick/sample.jsonl
"$dana" filter -q -o build-quick/sample.jsonl --stats build-quick/stats sample/sample.warc.gz
# number KEY: of the counters
number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" build-quick/stats; }
first=$(sed -n '1s/^{"text":"\([^\\"]*\).*/\1/p' build-quick/sample.jsonl)
echo "$(number documents) pages of main text in $(number records) records of sample/sample.warc.gz:"
echo "build-quick/sample.jsonl, which begins with \"$first\""
echo "Your archive:  $dana filter FILE.warc.gz -o pages.jsonl"
echo "One page:      $dana extract PAGE.html"
echo "All of dana:   mkdir build && cd build && ../configure && make install"
