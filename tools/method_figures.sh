#!/bin/sh
# SPDX-License-Identifier: MIT
# method_figures.sh GOLD [DANA] >src/cli/method_figures.h: the figures that `dana methods` shows, measured anew.
#
# GOLD is a folder of gold pages as `dana eval` reads them. Its corpora named in $UNSEEN (default: wcxb-more) are those from which
# no method has learned; they have a column of their own. The rows are the methods of DANA. On the other pages `learned` was
# trained, so its row there takes the figure cross-validated by site from doc/LEARNED.md, which says how that one is made.
set -eu
gold=$1 dana=${2:-src/cli/dana} unseen=${UNSEEN:-wcxb-more}
source=$(cd "$(dirname "$0")/.." && pwd)
validated=$(sed -n 's/^| all pages | [0-9,]* | \(0\.[0-9]*\) |$/\1/p' "$source/doc/LEARNED.md")
: "${validated:?doc/LEARNED.md has no cross-validated F1 of all pages}"
processor=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)

"$dana" eval -m all --per corpus -f tsv -j 1 "$gold" |
	awk -F '\t' -v unseen="$unseen" -v validated="$validated" -v processor="${processor:-unknown processor}" \
		-v date="$(date -u +%Y-%m-%d)" '
	BEGIN { n = split(unseen, names, ","); for (i = 1; i <= n; i++) is_unseen[names[i]] = 1 }
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ method = $at["method"]; pages = $at["pages"]; group = $1 }
	group == "all" { order[++methods] = method; speed[method] = $at["mb_per_s"]; next }
	group in is_unseen { unseen_sum[method] += pages * $at["f1"]; unseen_pages[method] += pages; next }
	{ sum[method] += pages * $at["f1"]; all_pages[method] += pages }
	END {
		first = order[1]
		if (!all_pages[first] || !unseen_pages[first]) {
			print "method_figures.sh: no pages in corpora " unseen ", or none in others" >"/dev/stderr"
			exit 1
		}
		print "/* SPDX-License-Identifier: MIT */"
		print "/* Made by tools/method_figures.sh from gold pages: do not edit. The F1 of `learned` is that of doc/LEARNED.md. */"
		print "#ifndef DANA_CLI_METHOD_FIGURES_H\n#define DANA_CLI_METHOD_FIGURES_H\n"
		print "/* clang-format off */"
		print "#define METHOD_FIGURES_DATE \"" date "\""
		print "#define METHOD_FIGURES_PROCESSOR \"" processor "\""
		print "#define METHOD_FIGURES_PAGES " all_pages[first]
		print "#define METHOD_FIGURES_UNSEEN " unseen_pages[first]
		print "/* name, F1 in thousandths, F1 of the pages from which no method has learned, MB/s */"
		printf "#define METHOD_FIGURES(X)"
		for (i = 1; i <= methods; i++) {
			m = order[i]
			f1 = m == "learned" ? validated : sum[m] / all_pages[m]
			printf " \\\n\tX(\"%s\", %.0f, %.0f, %.0f)", m, f1 * 1000, unseen_sum[m] / unseen_pages[m] * 1000, speed[m]
		}
		print "\n/* clang-format on */\n\n#endif"
	}'
