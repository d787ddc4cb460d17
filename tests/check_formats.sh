#!/bin/sh
# SPDX-License-Identifier: MIT
# doc/FORMATS.md names every field, reason and problem that the sources write. Fields of documents are declared by the classes of
# Python, which have them from the same table, and named in python/API.md.
set -u
top=${srcdir:-.}
words=$({
	sed -n '/words\[/,/};/p' "$top/src/archive/record.c" "$top/src/archive/document.c" | grep -o '"[a-z_]*"'
	sed -n 's/^\tX([A-Z_]*, \("[a-z_]*"\),.*/\1/p' "$top/src/archive/document.h"
	sed -n 's/^\tX([A-Z_]*, \([a-z_]*\), [a-z]*, .*/\1/p' "$top/src/archive/document.h"
	grep -Eho '(json|put)_[a-z_]*\(&?[a-z]*, "[a-z_]*"' "$top/src/archive/sink/jsonl.c" "$top/src/archive/stats.c" |
		grep -o '"[a-z_]*"'
} | tr -d '"' | sort -u | grep -vx -e none -e unknown -e additions)
missing=0
for word in $words; do
	# shellcheck disable=SC2016 # the backquotes are the page's
	grep -q '`'"$word"'`' "$top/doc/FORMATS.md" || { echo "doc/FORMATS.md lacks a row for $word"; missing=1; }
done
lacks()
{
	echo "$1 lacks the field $name${2:-}"
	missing=1
}
# declares CLASS NEXT: the lines of Python from one class to another
declares() { sed -n "/^class $1(/,/^class $2(/p" "$top/python/danatext/document.py" | grep -Eq "^    ($name:|def $name\()"; }
fields=$(sed -n 's/^\tX([A-Z_]*, \([a-z_]*\), [a-z]*, [a-z_]*, \([0-9]*\)).*/\1 \2/p' "$top/src/archive/document.h" | grep -v '^additions ')
json_only=" media resolved_from " # the library gives these in JSON alone
while read -r name place; do
	case $json_only in *" $name "*) continue ;; esac
	grep -Eq "\`([a-z]*\.)?$name\`" "$top/python/API.md" || lacks python/API.md
	declares Document Reject || lacks python/danatext/document.py " in Document"
	[ "$place" != 0 ] || continue
	grep -q "^| \`-f json\` .*\`$name\`" "$top/doc/FORMATS.md" || lacks doc/FORMATS.md " of single pages (-f json)"
	declares _Page Document || lacks python/danatext/document.py " in Page"
done <<-END
	$fields
END
[ "$(echo "$fields" | wc -l)" -ge 20 ] || { echo "only $(echo "$fields" | wc -l) fields found"; exit 1; }
[ "$(echo "$words" | wc -l)" -ge 45 ] || { echo "only $(echo "$words" | wc -l) words found: the sources look otherwise now"; exit 1; }
exit $missing
