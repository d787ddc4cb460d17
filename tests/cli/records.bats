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

# revisits [COPIES]: one.warc.gz and two.warc.gz, whose revisits become as `want` says
revisits() {
	python3 "$DANA_SOURCE/tests/support/make_revisits.py" . "$@"
}

# as_wanted OUTPUT REJECTS: what became of the revisits
as_wanted() {
	python3 - "$1" "$2" <<'END'
import json, sys
pages = {d["url"]: d for d in map(json.loads, open(sys.argv[1], encoding="utf-8"))}
rejects = {d["url"]: d for d in map(json.loads, open(sys.argv[2], encoding="utf-8"))}
for line in open("want"):
    url, want = line.rstrip("\n").split(" ", 1)
    if not want.startswith("!"):
        page, source = pages[url], pages["http://example.org/" + want]
        assert page["title"] == want and page["text"] == source["text"], line
        assert page["resolved_from"] == {"file": source["file"], "offset": source["offset"]}, line
        assert page["date"] == "2026-01-20T03:04:05Z" and source["resolved_from"] is None, line
    elif want == "!":
        assert rejects[url]["reason"] in ("status", "mime"), line
    else:
        assert rejects[url]["reason"] == "revisit" and rejects[url]["detail"].startswith(want[1:]), (line, rejects[url])
END
}

@test "revisits are resolved, as crawlers write them, for any number of workers" {
	revisits
	for jobs in 0 1 2 4; do
		DANA_TEST_SPAN_SIZE=1500 run_filter 2 -q -j "$jobs" --revisits resolve --rejects --force -o "out.$jobs.jsonl" --stats "stats.$jobs" \
			one.warc.gz two.warc.gz
		as_wanted "out.$jobs.jsonl" "out.$jobs.jsonl.rejects.jsonl"
		cmp out.0.jsonl "out.$jobs.jsonl"
		cmp out.0.jsonl.rejects.jsonl "out.$jobs.jsonl.rejects.jsonl"
		[ "$(jq -c '[.records, .documents, .skipped, .damaged]' "stats.$jobs")" = "$(jq -c '[.records, .documents, .skipped, .damaged]' stats.0)" ]
	done
	[ "$(jq .records stats.0)" -eq "$(jq '.documents + ([.skipped[], .damaged[]] | add)' stats.0)" ]
	run_filter 2 -q one.warc.gz two.warc.gz
	! grep -q resolved_from out
	jq -c 'select(.resolved_from == null) | del(.resolved_from)' out.0.jsonl | cmp - <(jq -c . out)
}

@test "revisits are resolved in archives of any kind, and in a WACZ" {
	revisits
	head -c "$(cat good)" two.warc.gz >good.warc.gz # without its damaged member
	mkdir kinds
	for kind in plain member zstd; do
		gzip -dc one.warc.gz >kinds/one.warc
		gzip -dc good.warc.gz >kinds/two.warc
		case $kind in
		member) gzip kinds/*.warc ;;
		zstd) zstd -q --rm kinds/*.warc ;;
		esac
		run_filter 0 -q --revisits resolve --rejects --force -o out.jsonl kinds/*
		[ "$(jq -r 'select(.resolved_from != null) | .title' out.jsonl | sort | uniq -c | tr -s ' \n' ' ')" = " 4 a 2 b 1 c 1 d 1 e 1 parts " ]
		rm kinds/*
	done
	revisits
	python3 "$DANA_SOURCE/tests/support/make_wacz.py" stored.wacz archive/one.warc.gz=one.warc.gz archive/two.warc.gz=two.warc.gz
	run_filter 2 -q --revisits resolve --rejects --force -o out.jsonl stored.wacz
	as_wanted out.jsonl out.jsonl.rejects.jsonl
	grep -q '"resolved_from":{"file":"stored.wacz/archive/one.warc.gz","offset":' out.jsonl
	python3 "$DANA_SOURCE/tests/support/make_wacz.py" --deflate deflated.wacz archive/one.warc.gz=one.warc.gz
	filter_reports 0 '--revisits resolve: deflated.wacz/archive/one.warc.gz: deflated in its zip, so revisits' \
		--revisits resolve --stats stats --force -o out.jsonl deflated.wacz
	! grep -q '"resolved_from":{' out.jsonl
	[ "$(jq .skipped.revisit stats)" -eq "$(zgrep -ac '^WARC-Type: revisit' one.warc.gz)" ]
}

@test "revisits are resolved in parts, lists, shares, indexes, several outputs and all formats" {
	revisits
	run_filter 0 -q --revisits resolve --rejects --force -o whole.jsonl one.warc.gz
	size=$(stat -c %s one.warc.gz)
	: >joined
	for ((at = 0; at < size; at += 1700)); do
		run_filter 0 -q --revisits resolve --force -o part.jsonl --range "$at-$((at + 1700))" one.warc.gz
		cat part.jsonl >>joined
	done
	cmp joined whole.jsonl
	printf '%s\n' one.warc.gz two.warc.gz >list
	run_filter 2 -q -J 2 --revisits resolve --rejects -z none -O several --list list
	cat several/one.jsonl several/two.jsonl >all
	cat several/one.jsonl.rejects.jsonl several/two.jsonl.rejects.jsonl >rejects
	as_wanted all rejects
	run_filter 2 -q --split-bytes 2000 -J 2 --revisits resolve -z none -O split --list list
	# shellcheck disable=SC2046 # words
	cat $(ls split/one.* | sort -t. -k2n) $(ls split/two.* | sort -t. -k2n) | cmp - all
	for jobs in 0 2; do
		run_filter 2 -q -f warc --revisits resolve -j "$jobs" one.warc.gz two.warc.gz
		[ "$(grep -ac '^WARC-Type: conversion' out)" -eq "$(wc -l <all)" ]
		run_filter 2 -q --revisits resolve -j "$jobs" --site window --schema datatrove one.warc.gz two.warc.gz
		[ "$(jq -c 'select(.metadata.resolved_from != null) | .metadata.url' out)" = \
			"$(jq -c 'select(.resolved_from != null) | .url' all)" ]
	done
	python3 "$DANA_SOURCE/tests/support/make_cdx.py" cdxj --revisits one.warc.gz=one.warc.gz >index.cdxj
	run_filter 0 -q --revisits resolve --cdx index.cdxj
	jq -c 'select(.resolved_from != null) | [.url, .text, .resolved_from]' out |
		cmp - <(jq -c 'select(.resolved_from != null) | [.url, .text, .resolved_from]' whole.jsonl)
}

@test "what cannot be read twice is refused, and a full table told" {
	revisits 300
	prints 3 "*--revisits resolve: standard input is read once; it reads files twice" "$DANA" filter --revisits resolve - <one.warc.gz
	mkdir new
	prints 3 "*--revisits resolve: --watch does not know all inputs; it reads files twice" "$DANA" filter --revisits resolve --watch new -O out
	filter_reports 0 '--revisits resolve: [0-9]* records have no room in the table (--max-revisits)' \
		--revisits resolve --max-revisits 64K -o out.jsonl one.warc.gz
}
