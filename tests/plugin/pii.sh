#!/bin/sh
# SPDX-License-Identifier: MIT
# The plugin pii against the same rules as regular expressions in Python, on texts that the test makes.
set -u
. "${srcdir:-.}/tests/plugin/common.sh"
command -v python3 >/dev/null || exit 77
"$dana" plugins | grep -q '^  pii ' || { echo "the plugin pii is not built in"; exit 77; }
oracle=$top/tests/oracle/pii.py
python3 "$oracle" make "$tmp" || exit 99
run 0 -j 0 -m plain -o "$tmp/plain.jsonl" "$tmp/in.warc"
for settings in '' email=0 ip=0 phone=0 public=0 ip=0,phone=0; do
	for jobs in 0 2; do
		rm -f "$tmp/o.jsonl"
		run 0 -j "$jobs" -m plain -o "$tmp/o.jsonl" --stats "$tmp/o.stats" --plugin "pii${settings:+:$settings}" "$tmp/in.warc"
		# shellcheck disable=SC2046 # one word each
		python3 "$oracle" check "$tmp" $(echo "$settings" | tr ',' ' ') || wrong "pii:$settings, -j $jobs"
	done
done
exit $status
