#!/bin/sh
# SPDX-License-Identifier: MIT
# What `dana extract` and `dana filter` load: none of the libraries that few runs need and that take long to load, nor one that a module or a table
# of functions (src/base/library.h) stands for. The loader itself tells what it maps.
set -u
srcdir=${srcdir:-.}
dana=$PWD/src/cli/dana
[ -x "$dana" ] || { echo "not in the build folder"; exit 99; }
[ -n "$(ls src/lib/dana 2>/dev/null)" ] || { echo "the modules are linked (--disable-shared), or were not built"; exit 77; }
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT

cat >"$tmp/page.html" <<'PAGE' || exit 99
<!DOCTYPE html><html><head><title>A page</title></head><body><h1>A page</h1>
<p>Everything that a page in UTF-8 needs is a part of the program, so no library is opened for it.</p></body></html>
PAGE
# mapped ARGUMENTS...: the libraries that a run of dana loads, one a line
mapped() { LD_DEBUG=files LD_DEBUG_OUTPUT="$tmp/log" "$dana" "$@" >"$tmp/out" 2>"$tmp/err" || return 1
	sed -n 's/.*calling init: .*\/\(lib[^ ]*\)$/\1/p' "$tmp"/log.* | LC_ALL=C sort -u; rm -f "$tmp"/log.*; }

mapped extract "$tmp/page.html" >"$tmp/extract" || { cat "$tmp/err"; exit 1; }
grep -q '^libc[.]' "$tmp/extract" || { echo "the loader does not tell what it loads"; exit 77; }
if grep -q -E '^lib(asan|tsan|ubsan)' "$tmp/extract"; then
	echo "a sanitizer brings libraries of its own"
	exit 77
fi
bad=0
# spare COMMAND FILE: none of the libraries that few runs need is in FILE
spare() {
	for library in cld2 crypto curl fasttext idn2 psl simdjson ssl stdc++ svm uchardet unistring; do
		if grep -q "^lib$library[-.]" "$2"; then
			echo "dana $1 loads lib$library"
			bad=1
		fi
	done
}
spare extract "$tmp/extract"
# An archive with digests, in gzip, to a file: identities of inputs and checkpoints are made, too.
for sandbox in auto off; do
	mapped filter --sandbox $sandbox -j 1 --force -o "$tmp/pages.jsonl" "$srcdir/sample/sample.warc.gz" >"$tmp/filter" ||
		{ cat "$tmp/err"; exit 1; }
	spare "filter --sandbox $sandbox" "$tmp/filter"
done
# The check itself sees a library that is loaded on demand.
mapped filter --sandbox off -f warc "$srcdir/sample/sample.warc.gz" >"$tmp/filter" || { cat "$tmp/err"; exit 1; }
grep -q '^libcrypto[.]' "$tmp/filter" || { echo "a library that is loaded on demand is not seen"; bad=1; }
echo "$(grep -c . "$tmp/extract") libraries: $(tr '\n' ' ' <"$tmp/extract")"
exit $bad
