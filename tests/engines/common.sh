# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034
# Sourced by the tests of engines: $DANA is the program, $archives has the archives of make_archives.py, $tmp is a folder
# that goes at the end, $tmp/list names the archives.
DANA=${DANA:-$PWD/src/cli/dana}
export DANA
SPLIT=1M
tmp=$(mktemp -d)
ends="rm -rf $tmp"
trap 'status=$?; eval "$ends"; [ $status = 0 ] || echo "FAILED: ${said:-}"; exit $status' EXIT
trap 'exit 143' INT TERM
archives=$tmp/archives
python3 "$here/make_archives.py" "$archives"
ls "$archives"/*.warc.gz >"$tmp/list"

# at_end COMMAND: before the folder goes
at_end() { ends="$*; $ends"; }

say() {
	said=$1
	echo "$(date +%T) $1"
}

# same_outputs WANTED GOT: the same files with the same bytes; folders and hidden files apart
same_outputs() {
	(cd "$1" && find . -maxdepth 1 -type f ! -name '.*' ! -name stats.json -exec sha256sum {} + | LC_ALL=C sort -k 2) >"$tmp/wanted"
	(cd "$2" && find . -maxdepth 1 -type f ! -name '.*' ! -name stats.json -exec sha256sum {} + | LC_ALL=C sort -k 2) >"$tmp/got"
	[ -s "$tmp/wanted" ] && diff "$tmp/wanted" "$tmp/got"
}

# same_counts WANTED GOT: what --stats counts, without times and memory, whatever the order of the inputs
same_counts() {
	for file in "$1" "$2"; do
		jq -S '.done |= sort | del(.seconds, .cpu_seconds, .peak_rss_bytes)' "$file" >"$tmp/counts.$(basename "$file")" || return 1
	done
	diff "$tmp/counts.$(basename "$1")" "$tmp/counts.$(basename "$2")"
}
