#!/bin/sh
# SPDX-License-Identifier: MIT
# examples/index prints the table of doc/INDEX.md, but for the sizes, which depend on the versions of the indexes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/common.sh"
rows() { grep '^| [STL][a-z]* *' "$1" | cut -d '|' -f 2-4,6-8 | sed 's/ *| */|/g'; }

say "three indexes, three texts: what doc/INDEX.md says"
DANA="$DANA" PYTHON="$VENV/bin/python" sh "$here/../../examples/index/run.sh" "$tmp/index" >"$tmp/table"
cat "$tmp/table"
rows "$tmp/table" >"$tmp/got"
rows "$here/../../doc/INDEX.md" >"$tmp/wanted"
[ "$(wc -l <"$tmp/got")" = 9 ]
diff "$tmp/wanted" "$tmp/got"

say "each text takes less room than the one before"
awk -F '|' '/^\| [STL]/ { if ($2 == index_name && $5 >= size) exit 1; index_name = $2; size = $5 + 0 }' "$tmp/table"

say "the action lines and documents of the bulk layout come in pairs, each id once"
awk 'NR % 2' "$tmp/index/clean.jsonl" | jq -e -s '(map(keys) | unique) == [["index"]] and (map(.index._id) | unique | length) == length'
awk 'NR % 2 == 0' "$tmp/index/clean.jsonl" | jq -e -s 'all(.text and .url)'
