#!/bin/sh
# SPDX-License-Identifier: MIT
# clang has no warning about any C file of the build and of its tests. It only checks them, and makes no objects.
set -u
[ -f Makefile ] && [ -f config.h ] || { echo "not in a build folder"; exit 99; }
command -v clang >/dev/null || { echo "clang is missing"; exit 77; }
source=${srcdir:-.}
value() { printf 'include Makefile\nvalue:\n\t@printf "%%s\\\\n" %s\n' "$1" | MAKEFLAGS='' make -s -f - value; }

# Only flags of the preprocessor, the language and the warnings: clang does not know all the others. Some files get the name of
# a folder by a flag of their own.
flags=$(value '$(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(AM_CFLAGS)' | grep -E '^-(D|I|U|W|std)')
for folder in DANA_MODULES DANA_MODULE_FOLDER DANA_PLUGIN_FOLDER DANA_PROGRAM PKGDATADIR; do
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
