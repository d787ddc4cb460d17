#!/bin/sh
# SPDX-License-Identifier: MIT
# No function or table of ours is called as one inside a library that we use: a program linked with the library's static form would
# take the one for the other, without a word.
set -u
[ -f Makefile ] && [ -f libdana.a ] || { echo "not in the build folder"; exit 99; }
setting() { sed -n "s/^$1 = *//p" Makefile; }
cc=$(setting CC) nm=$(setting NM)
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT

# names FILE...: what they define for others; names with a leading "_" are the compiler's
names() { $nm -g --defined-only "$@" 2>/dev/null | awk 'NF == 3 && $3 !~ /^(_|DW[.]ref[.])/ { print $3 }' | LC_ALL=C sort -u; }

found=0
for library in z zstd uv_a uv curl crypto deflate brotlidec brotlicommon uchardet simdjson svm xxhash utf8proc roaring psl; do
	file=$($cc -print-file-name="lib$library.a")
	[ -f "$file" ] || continue
	names "$file" >>"$tmp/theirs"
	found=$((found + 1))
done
[ "$found" -gt 0 ] || { echo "no static library to look into"; exit 77; }
LC_ALL=C sort -u -o "$tmp/theirs" "$tmp/theirs"
find src plugins -name '*.a' >"$tmp/rooms"
# shellcheck disable=SC2046 # folders of the build have plain names
names $(cat "$tmp/rooms") >"$tmp/ours"
[ "$(grep -c . "$tmp/ours")" -gt 99 ] || { echo "our own names not found"; exit 1; }
LC_ALL=C comm -12 "$tmp/theirs" "$tmp/ours" >"$tmp/both"
echo "$(grep -c . "$tmp/ours") names of ours, $found static libraries"
[ ! -s "$tmp/both" ] || { echo "names in both: $(tr '\n' ' ' <"$tmp/both")"; exit 1; }
