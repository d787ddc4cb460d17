# SPDX-License-Identifier: MIT
# Sourced: sets `gold` to the folder of development pages (CORPUS/ID.html and index.tsv): DANA_GOLD, or what is unpacked into the
# folder `dir` from the folder of foreign data. Ends the test as skipped where there is neither.
gold=${DANA_GOLD:-}
packed=${DANA_SHARED-${srcdir:-.}/../shared}/gold
if [ -z "$gold" ] && [ -e "$packed/unpack.sh" ]; then
	gold=$dir/gold
	"$packed/unpack.sh" "$gold" >/dev/null || exit 99
fi
[ -f "$gold/index.tsv" ] || { echo "DANA_GOLD names no folder of gold pages"; exit 77; }
