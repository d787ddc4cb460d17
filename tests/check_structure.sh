#!/bin/sh
# SPDX-License-Identifier: MIT
# Markdown against what others make of it. The cases of tests/data/structure.txt, and every 40th development page and the pages with
# Markdown of their own where there are some, read back by cmark-gfm have the letters of the plain text (tests/oracle/structure.py); the
# shared cases are as they should be, but for three that expect readings of ruby, raised text without its tags, and no TeX of MathML.
# Random hostile pages give no tag, link, picture or code that is not on the page
# (tests/oracle/markdown_attacks.py; with --count 100000 --nests 1 in two minutes).
# Skipped where cmark-gfm is missing.
set -u
dana=${DANA:-./src/cli/dana}
shared=${DANA_SHARED-${srcdir:-.}/../shared}
command -v cmark-gfm >/dev/null || { echo "no cmark-gfm"; exit 77; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
bad=0
for page in "$shared"/structure/cases/*.html; do
	[ -e "$page" ] || break
	case ${page##*/} in ruby.html | sub-sup.html | math-mathml-only.html) continue ;; esac
	"$dana" extract -m plain --text markdown --markdown images=1 --url https://site.example/dir/page.html "$page" >"$work/out.md"
	cmp -s "$work/out.md" "${page%.html}.md" || { echo "${page##*/}: not as ${page%.html}.md"; bad=1; }
done
python3 "${srcdir:-.}/tests/oracle/structure.py" --dana "$dana" --cases "${srcdir:-.}/tests/data/structure.txt" || bad=1
python3 "${srcdir:-.}/tests/oracle/markdown_attacks.py" --dana "$dana" --count 4000 --nests 7 || bad=1
python3 "${srcdir:-.}/tests/oracle/markdown_attacks.py" --dana "$dana" --count 2000 --style title=1,frontmatter=1,images=1 || bad=1
if [ -e "$shared/gold/unpack.sh" ]; then
	"$shared/gold/unpack.sh" "$work/pages" >/dev/null || exit 99
	find "$work/pages" -name '*.html' | LC_ALL=C sort | awk 'NR % 40 == 0' >"$work/list"
	python3 "${srcdir:-.}/tests/oracle/structure.py" --dana "$dana" --pages "$work/list" || bad=1
fi
if [ -e "$shared/structure/gold.tar.zst" ]; then
	mkdir "$work/gold"
	zstd -dcq --long=27 "$shared/structure/gold.tar.zst" | tar -xC "$work/gold" || exit 99
	find "$work/gold" -name '*.html' | LC_ALL=C sort >"$work/list"
	python3 "${srcdir:-.}/tests/oracle/structure.py" --dana "$dana" --pages "$work/list" || bad=1
fi
exit $bad
