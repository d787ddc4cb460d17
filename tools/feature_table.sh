#!/bin/sh
# SPDX-License-Identifier: MIT
# The table of all features of `learned` with their words, as Markdown, from the lists in src/extract/learned/features.h.
# It is in doc/LEARNED.md between two marks; tests/check_feature_table.sh compares.
set -eu
source=${srcdir:-$(dirname "$0")/..}
# rows STAGE LIST: a row for each feature; adjacent strings are one
rows()
{
	printf '| feature of stage %s | reading | none of it | words; # is the value | all of it |\n|---|---|---|---|---|\n' "$1"
	{
		sed -n '/clang-format off/,/clang-format on/p' "$source/src/extract/learned/features.h"
		printf '%s(ROW)\n' "$2"
	} | ${CC:-cc} -E -P -x c - | sed 's/ *ROW(/\
/g; s/" *"//g' | awk '
		/^[A-Z]/ {
			name = $0; sub(/,.*/, "", name); sub(/^[^,]*, /, "")
			reading = $0; sub(/,.*/, "", reading); sub(/^[^,]*, /, "")
			for (i = 0; i < 3; i++) {
				if (match($0, /^NULL/) || match($0, /^"[^"]*"/))
					word[i] = substr($0, 1, RLENGTH)
				$0 = substr($0, RLENGTH + 3)
				gsub(/^"|"$/, "", word[i])
				if (word[i] == "NULL")
					word[i] = ""
			}
			printf "| `%s` | %s | %s | %s | %s |\n", name, tolower(reading), word[0], word[1], word[2]
		}'
}

rows 1 FEATURE_WORDS
echo
rows 2 STAGE2_WORDS
