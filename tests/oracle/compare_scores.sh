#!/bin/bash
# SPDX-License-Identifier: MIT
# compare_scores.sh GOLD N: figures of `dana eval` on N development pages agree with GOLD/score.py to four digits, page by page.
# GOLD: a folder with score.py and the pages (unpacked), or an archive of them with unpack.sh.
set -euo pipefail
gold=$1 count=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pages=$gold
if [ ! -e "$pages/index.tsv" ]; then
	"$gold/unpack.sh" "$work/pages" >/dev/null
	pages=$work/pages
fi
# Every page becomes a corpus of its own, so that --per corpus tells the figures of single pages.
{
	head -n 1 "$pages/index.tsv"
	sed 1d "$pages/index.tsv" | awk -v n="$count" '{ line[NR] = $0 } END { for (i = 0; i < n; i++) print line[1 + int(i * NR / n)] }'
} >"$work/chosen.tsv"
mkdir "$work/set" "$work/out"
head -n 1 "$work/chosen.tsv" >"$work/set/index.tsv"
number=0
sed 1d "$work/chosen.tsv" | while IFS= read -r line; do
	number=$((number + 1))
	name=$(printf 'p%05d' $number)
	corpus=$(cut -f 1 <<<"$line") id=$(cut -f 2 <<<"$line") charset=$(cut -f 4 <<<"$line")
	mkdir "$work/set/$name" "$work/out/$name"
	cp "$pages/$corpus/$id.html" "$work/set/$name/page.html"
	cp "$pages/$corpus/$id.txt" "$work/set/$name/page.txt"
	printf '%s\tpage\t%s\n' "$name" "$(cut -f 3- <<<"$line")" >>"$work/set/index.tsv"
	"$DANA" extract -m danag --charset "$charset" "$work/set/$name/page.html" >"$work/out/$name/page.txt"
done
python3 "$gold/score.py" "$work/out" -g "$work/set" -s all -j 1 --tsv "$work/theirs.tsv" >/dev/null
"$DANA" eval -m danag --per corpus -f tsv "$work/set" >"$work/ours.tsv"
awk -F'\t' -v n="$count" '
	function differ(a, b) { return a - b > 0.00005001 || b - a > 0.00005001 }
	FNR == 1 { file++; next }
	file == 1 { p[$1] = $5; r[$1] = $6; f[$1] = $7; next }
	$1 in p { seen++; if (differ($4, p[$1]) || differ($5, r[$1]) || differ($6, f[$1])) { print "differs: " $0 " against " p[$1], r[$1], f[$1]; bad++ } }
	END { if (seen != n) { print seen " pages compared, not " n; bad++ } exit bad > 0 }' "$work/theirs.tsv" "$work/ours.tsv"
