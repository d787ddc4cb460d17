#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C file of the build, those of the tests too, is free of clang's warnings. Nothing is compiled; where the build itself is
# by clang, its compiler has looked at them.
set -u
[ -f Makefile ] && [ -f config.h ] || { echo "not in a build folder"; exit 99; }
command -v clang >/dev/null || { echo "clang is missing"; exit 77; }
source=${srcdir:-.}
value() { printf 'include Makefile\nvalue:\n\t@printf "%%s\\\\n" %s\n' "$1" | MAKEFLAGS='' make -s -f - value; }

# Flags that only matter to code are left out, clang does not know all of them. Some rules define the name of a folder.
flags=$(value '$(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(AM_CFLAGS)' | grep -E '^-(D|I|U|W|std)')
for folder in DANA_MODULE_FOLDER DANA_PLUGIN_FOLDER DANA_PROGRAM PKGDATADIR; do
	flags="$flags -D$folder=\"\""
done
files=$(value '$(SOURCES)' | grep '\.c$' | sort -u | while read -r file; do
	[ -f "$file" ] || file=$source/$file
	echo "$file"
done)
[ "$(echo "$files" | wc -l)" -gt 100 ] || { echo "too few files: $files"; exit 1; }
# shellcheck disable=SC2086
echo "$files" | xargs -P "$(nproc)" -n 16 clang -fsyntax-only -Werror -Wno-unknown-warning-option $flags \
	-U_FORTIFY_SOURCE -I. -DDANA_PLUGIN_BUILT_IN
