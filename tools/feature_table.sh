#!/bin/sh
# SPDX-License-Identifier: MIT
# The table of all features of `learned` with their words, as Markdown, from the lists in src/extract/learned/features.h.
# It is in doc/LEARNED.md between two marks; tests/check_feature_table.sh compares.
set -eu
source=${srcdir:-$(dirname "$0")/..}
awk '
/^#define FEATURE_WORDS/ { print "| feature of stage 1 | reading | none of it | words; # is the value | all of it |\n|---|---|---|---|---|" }
/^#define STAGE2_WORDS/ { print "\n| feature of stage 2 | reading | none of it | words; # is the value | all of it |\n|---|---|---|---|---|" }
/^\tX\([A-Z]/ {
		while (/,[ \t]*\\$/ && (getline more) > 0) {
			sub(/[ \t]*\\$/, ""); sub(/^[ \t]+/, " ", more)
			$0 = $0 more
		}
		sub(/^\tX\(/, ""); sub(/\)[ \t]*\\?$/, "")
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
}' "$source/src/extract/learned/features.h"
