#!/bin/sh
# SPDX-License-Identifier: MIT
# circles.py finds nothing wrong in the build folder, and sees each kind of breach: one at a time is made in what nm
# says of the objects, and must be named. check_walls.sh runs this.
set -u
circles=${srcdir:-.}/tests/circles.py
if ! command -v python3 >/dev/null; then
	echo "circles are not looked for: python3 is missing"
	exit 0
fi
NM=$(sed -n 's/^NM = *//p' Makefile) || exit 99
export NM
python3 "$circles" || exit 1

dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
bad=0
printf '%s\n' "$NM"' "$@" | grep -v -e "$WITHOUT" && printf "%s\n" "$AND"' >"$dir/nm" || exit 99
utf8=$(find src/base -name '*utf8.o' ! -path '*/.libs/*')
wide=$(find src/base -name '*utf8_wide.o' ! -path '*/.libs/*')

# refused WHAT WORDS WITHOUT AND: after what nm says without the lines like WITHOUT, and with the line AND, WORDS stand
# in a complaint.
refused()
{
	if complaint=$(WITHOUT=$3 AND=$4 NM="sh $dir/nm" python3 "$circles"); then
		echo "not seen: $1"
		bad=1
	elif ! printf '%s\n' "$complaint" | grep -qF -- "$2"; then
		printf 'seen for another reason: %s\n%s\n' "$1" "$complaint"
		bad=1
	fi
}

refused "a circle" 'src/base/utf8_wide.c calls src/base/utf8.c in a circle' '^$' "$wide: U utf8_put"
refused "a call of a room above" 'src/base/utf8.c calls src/archive/warc/framer.c, which is in a room above it' \
	'^$' "$utf8: U warc_framer_finish"
refused "a circle of the list with another file" \
	'src/extract/family/chain_lines.c calls src/extract/family/chain_selector.c in a circle' \
	'chain_text.*: *U ' "$utf8: U free"
refused "a circle of the list that is gone" \
	'circles.txt: src/extract/family/chain_lines.c src/extract/family/chain_selector.c src/extract/family/chain_text.c are not a circle' \
	'chain_text.*: *U ' "$utf8: U free"
exit $bad
