#!/bin/sh
# SPDX-License-Identifier: MIT
# doc/FORMATS.md names every field, reason and problem that the sources write.
set -u
top=${srcdir:-.}
words=$({
	sed -n '/words\[/,/};/p' "$top/src/archive/record.c" "$top/src/archive/document.c" | grep -o '"[a-z_]*"'
	sed -n 's/^\tX([A-Z_]*, \("[a-z_]*"\),.*/\1/p' "$top/src/archive/document.h"
	sed -n 's/^\tX([A-Z]*, \([a-z_]*\), [a-z]*, .*/\1/p' "$top/src/archive/document.h"
	grep -Eho '(json|put)_[a-z_]*\(&?[a-z]*, "[a-z_]*"' "$top/src/archive/sink/jsonl.c" "$top/src/archive/stats.c" |
		grep -o '"[a-z_]*"'
} | tr -d '"' | sort -u | grep -vx -e none -e unknown)
missing=0
for word in $words; do
	# shellcheck disable=SC2016 # the backquotes are the page's
	grep -q '`'"$word"'`' "$top/doc/FORMATS.md" || { echo "doc/FORMATS.md lacks a row for $word"; missing=1; }
done
[ "$(echo "$words" | wc -l)" -ge 45 ] || { echo "only $(echo "$words" | wc -l) words found: the sources look otherwise now"; exit 1; }
exit $missing
