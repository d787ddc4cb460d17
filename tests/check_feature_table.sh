#!/bin/sh
# SPDX-License-Identifier: MIT
# The table of features in doc/LEARNED.md is what tools/feature_table.sh makes of the program's own words.
set -eu
source=${srcdir:-$(dirname "$0")/..}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh "$source/tools/feature_table.sh" >"$work/made"
sed -n '/^<!-- features: begin -->$/,/^<!-- features: end -->$/p' "$source/doc/LEARNED.md" | sed '1d;$d' >"$work/written"
[ "$(wc -l <"$work/made")" -gt 100 ]
diff "$work/written" "$work/made"
