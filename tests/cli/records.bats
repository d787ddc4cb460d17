# SPDX-License-Identifier: MIT
# dana filter: pages that are in more than one record, or in another one.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# segments KIND NUMBER: KIND.warc.gz, of NUMBER pages
segments() {
	python3 "$DANA_SOURCE/tests/support/make_segments.py" "$1" "$2" >"$1.warc.gz"
}

@test "segmented records give the pages of whole ones, for any number of workers" {
	segments whole 60
	segments parts 60
	gzip -dc parts.warc.gz >plain.warc
	gzip -c plain.warc >member.warc.gz
	run_filter 0 --check-digests always whole.warc.gz
	jq -c '{id, url, title, text, html_bytes, problems, truncated}' out >want
	[ "$(wc -l <want)" -eq 60 ]
	for file in parts.warc.gz plain.warc member.warc.gz; do
		for jobs in 0 1 2 4; do
			DANA_TEST_SPAN_SIZE=4000 run_filter 0 --check-digests always --require-digest --stats stats -j "$jobs" "$file"
			jq -c '{id, url, title, text, html_bytes, problems, truncated}' out | cmp - want
			[ "$(jq .skipped.type stats)" -eq "$(zgrep -ac '^WARC-Type: continuation' "$file")" ]
		done
		[ "$(jq .length out | grep -c null)" -ge "$(zgrep -ac '^WARC-Segment-Number: 1' "$file")" ]
		run_filter 0 - <"$file"
		jq -c '{id, url, title, text, html_bytes, problems, truncated}' out | cmp - want
	done
}

@test "parts of a file join its segmented records, too" {
	segments parts 40
	size=$(stat -c %s parts.warc.gz)
	"$DANA" filter -q --stats all --rejects --force -o whole.jsonl parts.warc.gz
	for step in $((size / 2)) $((size / 7)) 3001; do
		: >joined
		for ((at = 0; at < size; at += step)); do
			"$DANA" filter -q -j 2 --stats "stats.$at" --rejects --force -o part.jsonl --range "$at-$((at + step))" parts.warc.gz
			cat part.jsonl >>joined
		done
		cmp joined whole.jsonl
		"$DANA" stats merge stats.* >sum || true
		[ "$(jq -c '[.records, .documents, .skipped, .bytes_in, .bytes_decoded]' sum)" = \
			"$(jq -c '[.records, .documents, .skipped, .bytes_in, .bytes_decoded]' all)" ]
		rm stats.*
	done
}

@test "what is missing of a segmented record is a problem, and told" {
	segments parts 30
	gzip -dc parts.warc.gz >plain.warc
	# without one of its continuations, the first one of three or more
	python3 - <<'END'
import re
data = open("plain.warc", "rb").read()
records = re.split(rb"(?=WARC/1\.1\r\nWARC-Type: )", data)[1:]
many = {re.search(rb"Origin-ID: (\S+)", r)[1] for r in records if re.search(rb"Segment-Number: 4\r", r)}
out = [r for r in records if not (re.search(rb"Segment-Number: 3\r", r) and re.search(rb"Origin-ID: (\S+)", r)[1] in many)]
open("less.warc", "wb").write(b"".join(out))
open("wanted", "w").write("%d" % len(many))
END
	wanted=$(cat wanted)
	[ "$wanted" -gt 2 ]
	for jobs in 0 2; do
		filter_reports 0 'offset [0-9]*: truncated_source: segment 3 of the record does not follow in the input, or not within --max-block; the page is written$' \
			-j "$jobs" --min-chars 0 --rejects --force -o out.jsonl --stats stats less.warc
		[ "$(jq 'select(.problems | index("truncated_source")) | .truncated' out.jsonl | grep -c true)" -eq "$wanted" ]
		[ "$(jq .problems.truncated_source stats)" -eq "$wanted" ]
		[ "$(jq -c 'select(.reason == "truncated_source") | .detail' out.jsonl.rejects.jsonl | grep -c '"segment 3 ')" -eq "$wanted" ]
	done
}

@test "revisits are counted by themselves" {
	printf '%s\r\n' WARC/1.1 'WARC-Type: revisit' 'WARC-Record-ID: <urn:r>' 'WARC-Date: 2026-01-02T03:04:05Z' \
		'WARC-Target-URI: http://example.org/' 'Content-Length: 0' '' '' '' >one.warc
	filter_reports 0 'nothing was written: 1 record was skipped for ' --rejects --stats stats -o out.jsonl one.warc
	grep -q '"skipped":{"revisit":1}' stats
	[ "$(jq -r .reason out.jsonl.rejects.jsonl)" = revisit ]
	run_filter 0 --type revisit --stats stats one.warc
	grep -q '"skipped":{"mime":1}' stats
}
