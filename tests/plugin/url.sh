#!/bin/sh
# SPDX-License-Identifier: MIT
# The plugin url against the same rules in plain Python, on some thousand URLs and lists that the test makes.
set -u
. "${srcdir:-.}/tests/plugin/common.sh"
command -v python3 >/dev/null || exit 77
"$dana" plugins | grep -q '^  url ' || { echo "the plugin url is not built in"; exit 77; }
oracle=$top/tests/oracle/url.py
python3 "$oracle" make "$tmp" || exit 99

# agrees SETTINGS...: the same decisions and reasons, for each number of workers
agrees() {
	settings=$(echo "$*" | sed "s|@|$tmp/|g")
	for jobs in 0 2; do
		rm -f "$tmp"/o.*
		run 0 -j "$jobs" -m plain --rejects -o "$tmp/o.jsonl" --stats "$tmp/o.stats" --plugin "url:$settings" "$tmp/in.warc"
		python3 "$oracle" check "$tmp" "$@" || wrong "$*, -j $jobs"
	done
}

agrees block=@block.txt
agrees block=@block.txt.gz
agrees block=@hosts.txt,@few.txt
agrees block=@block.txt,allow=@allow.txt
agrees allow=@allow.txt
agrees substring=/ads/,Casino,?Q
agrees substrings=@substrings.txt
agrees patterns=@patterns.txt
agrees block=@few.txt,substrings=@substrings.txt,patterns=@patterns.txt,allow=@allow.txt

# What cannot be read is refused with its place.
refused() {
	run_said 3 "plugin url: $1" --plugin "url:$2" /nowhere/input
	[ "$(wc -l <"$tmp/err")" -eq 1 ] || wrong "$2: not one line"
}
run_said 3 'plugin url: no rule is set; expected block, allow, substring, substrings, pattern or patterns' --plugin url /nowhere/input
refused "$tmp/none: No such file or directory" "block=$tmp/none"
printf 'a.example\n\n# b\nbad domain/x\n' >"$tmp/bad.txt"
refused "$tmp/bad.txt:4: 'bad domain/x' is not a domain" "allow=$tmp/bad.txt"
printf 'good\n(\n' >"$tmp/bad.txt"
refused "$tmp/bad.txt:2: pattern '(': missing closing parenthesis, at character 2" "patterns=$tmp/bad.txt"
refused "pattern 'a[': missing terminating ]" "pattern=a["
head -c 300 "$tmp/block.txt.gz" >"$tmp/cut.gz"
refused "$tmp/cut.gz: the compressed data is damaged or cut off" "block=$tmp/cut.gz"
head -c 70000 /dev/zero | tr '\0' a >"$tmp/long.txt"
refused "$tmp/long.txt:1: a line of more than 64K" "block=$tmp/long.txt"
printf 'com\nco.uk\nexample.co.uk\n' >"$tmp/suffixes.txt"
run_said 0 'dana: plugin url: block: 2 entries are public suffixes, such as co.uk, and were left out' -v -j 0 --plugin "url:block=$tmp/suffixes.txt" "$tmp/in.warc"
said 'dana: plugin url: 1 domains blocked, 0 allowed'

# A pattern that takes too many steps matches nothing, and is counted; the run goes on.
run 0 -j 0 --stats "$tmp/stats" --plugin 'url:pattern=(a+)+$' "$tmp/in.warc"
grep -q '"patterns_stopped":[1-9]' "$tmp/stats" || wrong "a pattern that takes too long is not counted"
exit $status
