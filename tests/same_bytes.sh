#!/bin/sh
# SPDX-License-Identifier: MIT
# same_bytes.sh REFERENCE PROGRAM PAGES ARCHIVES: whether PROGRAM writes the bytes that REFERENCE writes, two builds of dana for any
# machines (for another machine PROGRAM is a script that runs it by qemu). The golden cases; pages of the folder PAGES by all methods,
# and as Markdown and blocks; archives of the folder ARCHIVES, with and without plugins; 300 and 60 of them, or as N_PAGES and
# N_ARCHIVES say. A line for each, last "N passed, M failed".
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
reference=$(realpath "$1") program=$(realpath "$2") pages=$(realpath "$3") archives=$(realpath "$4")
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0
# spread N: takes N lines of those that it reads, evenly
spread() { LC_ALL=C sort >"$tmp/list" && awk -v wanted="$1" -v all="$(wc -l <"$tmp/list")" 'int(NR * wanted / all) > int((NR - 1) * wanted / all)' "$tmp/list"; }
# same WHAT N COMMAND...: what both write, and how they end; PROGRAM stands in place of the word dana
same() {
	what=$1 n=$2
	shift 2
	{ "$reference" "$@" 2>/dev/null; echo "ends with $?"; } >"$tmp/expected"
	{ "$program" "$@" 2>"$tmp/messages"; echo "ends with $?"; } >"$tmp/out"
	if cmp -s "$tmp/expected" "$tmp/out"; then
		passed=$((passed + n))
		echo "PASS: $what: $n, $(wc -c <"$tmp/out") bytes"
	else
		failed=$((failed + n))
		echo "FAIL: $what: $(cmp "$tmp/expected" "$tmp/out" 2>&1)"
		head -n 5 "$tmp/messages" | cut -c 1-200
	fi
}

echo "$program: $("$program" --version | sed -n 's/^cpu path *//p'), reference: $("$reference" --version | sed -n 's/^cpu path *//p')"
if found=$(srcdir=$top DANA=$program sh "$top/tests/golden/run.sh" 2>&1); then
	passed=$((passed + ${found%% *}))
	echo "PASS: $found"
else
	failed=$((failed + 1))
	echo "$found" | head -n 20
	echo "FAIL: golden runs"
fi
find "$pages" -type f -name '*.html' | spread "${N_PAGES:-300}" >"$tmp/pages"
n=$(wc -l <"$tmp/pages")
[ "$n" -gt 0 ] || { echo "$pages: no pages, *.html" >&2; exit 99; }
for method in $("$reference" methods | awk '/^$/ { exit } NR > 1 { print $1 }'); do
	# shellcheck disable=SC2046 # names of pages have no spaces
	same "pages by $method" "$n" extract -j 0 -m "$method" -f jsonl $(cat "$tmp/pages")
done
# shellcheck disable=SC2046
same "Markdown and blocks of pages" "$n" extract -j 0 --text plain,markdown,blocks --dropped -f jsonl $(cat "$tmp/pages")
find "$archives" -type f -size +20k -size -4M | grep -E '\.(warc|arc)(\.(gz|zst))?$' | spread "${N_ARCHIVES:-60}" >"$tmp/archives"
while read -r archive; do
	same "${archive#"$archives"/}" 1 filter -q -j 0 --text plain,markdown,blocks --plugin metadata --plugin language --plugin quality:annotate=yes \
		--plugin pii "$archive"
done <"$tmp/archives"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
