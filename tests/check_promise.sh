#!/bin/sh
# SPDX-License-Identifier: MIT
# check_promise.sh [--write]: what tests/promise/ promises still holds: the interfaces of the libraries and of plugins, the fields of
# documents, exit statuses. With --write the descriptions of the interfaces are made anew, for a release.
set -u
. "${srcdir:-.}/tests/plugin/common.sh"
promise=$top/tests/promise
broken='it is a major version (tests/promise/README)'

# ---- interfaces ----

# describe FILE.so: on standard output, of the public types only
describe() {
	abidw --headers-dir "$top/include/dana" --drop-private-types --exported-interfaces-only --no-corpus-path --no-comp-dir-path \
		--no-show-locs --no-parameter-names --no-elf-needed "$1"
}
# differs OLD NEW: abidiff's report if NEW lacks or changes what OLD has
differs() { ! abidiff --no-added-syms --suppressions "$promise/grows.suppr" "$1" "$2"; }
interfaces() {
	$cc -g -fPIC -shared -I"$top/include" -Wl,-soname,plugin.so -o "$tmp/plugin.so" "$promise/plugin_types.c" || exit 99
	cp .libs/libdana.so .libs/libdana-archive.so "$tmp" || exit 99
	for name in libdana libdana-archive plugin; do
		describe "$tmp/$name.so" >"$tmp/$name.abi" || wrong "abidw fails at $name.so"
		[ "${1:-}" != --write ] || sed "s,'$top/,',g" "$tmp/$name.abi" >"$promise/$name.abi" # no path of this machine
		differs "$promise/$name.abi" "$tmp/$name.abi" >"$tmp/report" || continue
		cat "$tmp/report"
		wrong "$name: an interface that programs were built against is gone or changed; restore it, or $broken"
	done
	# The comparison must be able to fail: a loss is noticed.
	for name in dana_feed dana_archive_push; do
		library=libdana
		[ "$name" = dana_feed ] || library=libdana-archive
		sed "s/\\b$name\\b/${name}_was_here/" "$promise/$library.abi" >"$tmp/lost.abi"
		differs "$tmp/lost.abi" "$tmp/$library.abi" >/dev/null || wrong "a function that is gone from $library is not noticed"
	done
}
if ! command -v abidiff >/dev/null; then
	echo "abidiff is not installed (Debian: abigail-tools): interfaces are not compared"
elif [ "$(setting host_cpu)" != x86_64 ] || ! setting CFLAGS | grep -q -- -g ||
	setting DANA_LDFLAGS | grep -q -- -fsanitize; then
	echo "another machine, sanitizers, or no debug information: interfaces are not compared"
else
	interfaces "$@" # of x86-64: that is where they were described
fi

# ---- a plugin of the first release ----

$cc -std=c99 -Wall -Wextra -Werror -O1 -fPIC -shared -fvisibility=hidden -I"$top/include" -o "$tmp/first.so" "$promise/plugin_1.c" ||
	wrong "a plugin of ABI 1 does not build with this header: $broken"
chmod 755 "$tmp/first.so"
run 0 -j 0 --plugin "$tmp/first.so:words=2,share=0.5,strict=yes,kinds=a,b,file=none" --stats "$tmp/stats" "$top/sample/sample.warc.gz"
[ "$(grep -c '"first":{"url":true,"blocks":true,"share":0.5,"words":2,"kinds":\["a","b"\],"json":\[1\],"note":"kept"}' "$tmp/out")" = 6 ] ||
	wrong "a plugin of ABI 1 does not run as it did: $broken: $(head -c 600 "$tmp/err"; head -n 1 "$tmp/out" | tail -c 300)"
grep -q '"first":{[^}]*"seen":7' "$tmp/stats" || wrong "its counters are not in --stats: $(cat "$tmp/stats")"

# ---- fields ----

grep -v '^#' "$promise/fields.txt" >"$tmp/promised"
while read -r schema keys; do
	run 0 -j 0 --schema "$schema" "$top/sample/sample.warc.gz"
	got=$(sed -n 's/^{"index".*//; /./{p;q;}' "$tmp/out" |
		jq -rc 'def names: to_entries | map(if .key == "metadata" then "metadata(" + (.value | names) + ")" else .key end) | join(","); names')
	[ "$got" = "$keys" ] || wrong "--schema $schema: fields $got; promised: $keys; a field that is gone, renamed or moved: $broken"
done <"$tmp/promised"
[ "$(wc -l <"$tmp/promised")" -ge 4 ] || wrong "fields.txt lacks schemas"

# ---- exit statuses ----

cp "$top/sample/sample.warc.gz" "$tmp"
gzip -dc "$tmp/sample.warc.gz" | head -c -100 >"$tmp/damaged.warc"
printf '<p>A page' >"$tmp/page.html"
: >"$tmp/empty"
grep -v '^#' "$promise/statuses.txt" >"$tmp/promised"
while read -r want arguments; do
	# shellcheck disable=SC2086 # words
	(cd "$tmp" && "$dana" $arguments >/dev/null 2>err </dev/null)
	got=$?
	[ "$got" = "$want" ] || wrong "dana $arguments: status $got, promised: $want: $broken"
done <"$tmp/promised"
exit $status
