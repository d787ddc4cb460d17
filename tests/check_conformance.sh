#!/bin/sh
# SPDX-License-Identifier: MIT
# WARC output, and the sample archive, keep the rules of WARC 1.0 and 1.1 (tests/warc_rules.py), and a reader of Common
# Crawl's WET files reads all of it (tests/wet_reader.py).
set -u
[ -x src/cli/dana ] || { echo "not in a build folder with a program"; exit 99; }
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
dana=$(pwd)/src/cli/dana
source=$(cd "${srcdir:-.}" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
bad=0

suffixes='warc warc.gz'
if command -v zstd >/dev/null; then suffixes="$suffixes warc.zst"; else echo "zstd is missing: its frames are not checked"; fi
# Ids of records hang on the names of the inputs.
set -- "$source/sample/sample.warc.gz"
for case in plain many arc damaged whole; do
	cp "$source/tests/golden/$case"/in.* "$case" && set -- "$@" "$case" || exit 99
done
for version in 1.0 1.1; do
	for suffix in $suffixes; do
		"$dana" filter -q -m plain --min-chars 0 --status any --mime any --type any --warc-version $version \
			-o "$version.$suffix" "$@"
		[ -e "$version.$suffix" ] || exit 1
		python3 "$source/tests/warc_rules.py" "$version.$suffix" || bad=1
	done
done
python3 "$source/tests/warc_rules.py" "$source/sample/sample.warc.gz" || bad=1

# The checker sees what is wrong.
for change in 's/WARC-Block-Digest: sha1:./WARC-Block-Digest: sha1:9/' 's/^WARC-Refers-To:/WARC-Concurrent-To:/' \
	's/^WARC-Date:/WARC-Datum:/' 's/^Content-Length: /Content-Length: 1/' 's/^WARC-Type: conversion/WARC-Type: response/'; do
	LC_ALL=C sed "$change" 1.1.warc >wrong.warc
	if python3 "$source/tests/warc_rules.py" wrong.warc >/dev/null 2>&1; then
		echo "not seen: $change"
		bad=1
	fi
done

# cc_net takes conversion records of a source with an id and without white space in the address.
shift $#
set -- "$source/sample/sample.warc.gz" "$source/tests/golden/many"/in.*
"$dana" filter -q -f warc --warc-version 1.0 -o wet.warc.gz "$@" && "$dana" filter -q -o wet.jsonl "$@" || exit 1
python3 "$source/tests/wet_reader.py" wet.warc.gz wet.jsonl || bad=1
exit $bad
