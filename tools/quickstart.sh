#!/bin/sh
# SPDX-License-Identifier: MIT
# quickstart.sh: on a fresh Debian 12 installs what dana needs, builds the program in build-quick/ without what a first look does not
# need (optimised is only what takes most of a run's time), cleans the sample archive, shows the beginning of a document, and ends
# with what to type next. A line a step; the output of each step is in build-quick/quickstart.log, which is shown where one fails.
set -eu
cd "$(dirname "$0")/.."
mkdir -p build-quick
log=build-quick/quickstart.log
: >$log
# step WHAT COMMAND...; on a terminal the line shows the seconds, and the end of the log
step() {
	what=$1
	shift
	if [ -t 1 ]; then
		"$@" >>$log 2>&1 &
		seconds=0
		while kill -0 $! 2>/dev/null; do
			last=$(tail -n 1 $log | tr -cd '[:print:]' | cut -c1-30)
			printf '\r%s ... %d s  %-30s' "$what" $seconds "$last"
			sleep 1
			seconds=$((seconds + 1))
		done
		printf '\r%s ... %-40s\n' "$what" ''
		wait $! && return
	else
		echo "$what ..."
		"$@" >>$log 2>&1 && return
	fi
	tail -n 20 $log
	echo "failed; all of the output is in $log" >&2
	exit 1
}

configure() { # as autoreconf -i, which runs aclocal twice; configure comes last, so that it shows that all is there
	[ -x configure ] || {
		libtoolize -q -i -c && aclocal -I m4 && autoheader && automake -a -c && autoconf
	} || return
	cd build-quick
	lean='--disable-shared --disable-dependency-tracking'
	for library in simdjson cld2 fasttext cmocka jansson wget2 roaring; do
		lean="$lean --without-$library"
	done
	for plugin in boilerplate dedup-exact dedup-lines dedup-near language metadata pii quality url; do
		lean="$lean --with-plugin-$plugin=no"
	done
	# shellcheck disable=SC2086 # the list is meant to be split
	[ -f Makefile ] || CONFIG_SHELL=/bin/sh sh ../configure -q $lean CFLAGS=-O0 CPPFLAGS='-DCPU_WITHOUT_AVX -DQUICK_BUILD'
}

dana=build-quick/src/cli/dana
clean_sample() {
	rm -f build-quick/sample.jsonl
	"$dana" filter -q -o build-quick/sample.jsonl --stats build-quick/stats sample/sample.warc.gz
}

step "1/4 installing Debian packages" sh tools/packages.sh
step "2/4 configuring" eval '(configure)'
step "3/4 building, about a minute" make -s -j"$(nproc)" -C build-quick quick
step "4/4 cleaning sample/sample.warc.gz" clean_sample
# number KEY: of the counters
number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" build-quick/stats; }
bold= plain=
[ ! -t 1 ] || { bold=$(printf '\033[1;32m') plain=$(printf '\033[0m'); }
echo "$(number documents) pages of main text of $(number records) records in build-quick/sample.jsonl:"
"$dana" extract sample/site/en.html | head -n 3 | cut -c1-76 | sed "1s/.*/$bold&$plain/; s/^/    /"
echo 'To type dana:  PATH=$PWD/build-quick/src/cli:$PATH'
echo "Your archive:  $dana filter FILE.warc.gz -o pages.jsonl"
echo "One page:      $dana extract PAGE.html"
echo "Left out here: --plugin, --site, dana dedup, libraries, most optimisation"
echo "All of dana:   mkdir -p build && cd build && ../configure && make install"
