# SPDX-License-Identifier: MIT
# dana filter --range: parts of a file, whose outputs join to that of the whole.

load ../support/cli

setup() {
	golden=$DANA_SOURCE/tests/golden
	cd "$BATS_TEST_TMPDIR"
	cp "$golden/many/in.warc.gz" many.warc.gz
	cp "$golden/plain/in.warc" plain.warc
	cp "$golden/damaged/in.warc" damaged.warc
	cp "$golden/frames/in.warc.zst" frames.warc.zst
	cp "$golden/arc/in.arc.gz" old.arc.gz
}

# refused WORDS ARGUMENTS...: status 3, and a line with the words
refused() {
	local words=$1
	shift
	prints 3 "*$words*" "$DANA" filter "$@"
}

@test "the parts of a file are the whole, rejects too, for any number of workers" {
	for file in many.warc.gz plain.warc damaged.warc frames.warc.zst old.arc.gz; do
		size=$(stat -c %s "$file")
		"$DANA" filter -q --rejects --force -o whole.jsonl "$file" || [ $? = 2 ]
		for parts in 2 3 7; do
			for jobs in 0 2; do
				: >joined >rejects
				step=$(((size + parts - 1) / parts))
				for ((at = 0; at < size; at += step)); do
					"$DANA" filter -q -j "$jobs" --rejects --force -o part.jsonl --range "$at-$((at + step))" "$file" || [ $? = 2 ]
					cat part.jsonl >>joined
					cat part.jsonl.rejects.jsonl >>rejects
				done
				cmp joined whole.jsonl
				cmp rejects whole.jsonl.rejects.jsonl
			done
		done
	done
}

@test "counters of the parts add up" {
	size=$(stat -c %s many.warc.gz)
	"$DANA" filter -q --stats whole -o whole.jsonl many.warc.gz
	"$DANA" filter -q --stats first -o first.jsonl --range "0-$((size / 3))" many.warc.gz
	"$DANA" filter -q --stats rest -o rest.jsonl --range "$((size / 3))-" many.warc.gz
	for name in bytes_in bytes_decoded records documents text_chars; do
		[ "$(jq ".$name" whole)" -eq $(($(jq ".$name" first) + $(jq ".$name" rest))) ]
	done
}

@test "parts are inputs of -O and of a list, each with an output of its own" {
	size=$(stat -c %s many.warc.gz)
	half=$((size / 2))
	printf 'many.warc.gz@0-%s\nmany.warc.gz@%s-\n' "$half" "$half" >parts
	"$DANA" filter -q -O out -J 2 --list parts
	[ "$(ls out | tr '\n' ' ')" = "many.$half.jsonl.zst many.0.jsonl.zst " ] ||
		[ "$(ls out | tr '\n' ' ')" = "many.0.jsonl.zst many.$half.jsonl.zst " ]
	"$DANA" filter -q many.warc.gz >whole
	zstd -dcq out/many.0.jsonl.zst "out/many.$half.jsonl.zst" | cmp - whole
	[ "$(zstd -dcq out/*.zst | jq -r .file | sort -u)" = many.warc.gz ]
	"$DANA" filter -q "many.warc.gz@0-$half" "many.warc.gz@$half-" | cmp - whole
}

@test "a part of standard input" {
	size=$(stat -c %s many.warc.gz)
	"$DANA" filter -q --range "0-$((size / 2))" many.warc.gz | jq -c 'del(.file)' >want
	"$DANA" filter -q --range "0-$((size / 2))" - <many.warc.gz | jq -c 'del(.file)' | cmp - want
}

@test "conversion records of two parts have no id in common" {
	size=$(stat -c %s many.warc.gz)
	"$DANA" filter -q -f warc --range "0-$((size / 2))" many.warc.gz >a
	"$DANA" filter -q -f warc --range "$((size / 2))-" many.warc.gz >b
	grep -ahA 4 '^WARC-Type: conversion' a b | grep '^WARC-Record-ID' >ids
	[ "$(wc -l <ids)" -gt 5 ]
	sort ids | uniq -d | (! grep .)
}

@test "a part that was interrupted goes on" {
	size=$(stat -c %s many.warc.gz)
	range=$((size / 4))-$((size * 3 / 4))
	"$DANA" filter -q -o whole.jsonl --range "$range" many.warc.gz
	DANA_TEST_READ_SIZE=512 timeout -s INT 0.05 "$DANA" filter -q --checkpoint-bytes 512 -o out.jsonl --range "$range" many.warc.gz || true
	[ -e out.jsonl ] || "$DANA" filter -q --checkpoint-bytes 512 -o out.jsonl --range "$range" --resume many.warc.gz
	cmp out.jsonl whole.jsonl
	[ ! -e other.jsonl.part ]
}

@test "what is no range is refused with what would be right" {
	refused "'5' is not a range; expected BEGIN-END" --range 5 plain.warc
	refused "'9-3' is not a range" --range 9-3 plain.warc
	refused "'-3' is not a range" --range -3 plain.warc
	refused "--range is a part of one input" --range 0-9 plain.warc many.warc.gz
	refused "--range is a part of one input" --range 0-9 plain.warc@0-5
	refused "--cdx names the parts" --range 0-9 --cdx index.cdxj
}

@test "a range after the end of a file is empty" {
	"$DANA" filter -q --range 999999999- many.warc.gz >out
	[ ! -s out ]
	"$DANA" filter -q --range 0-1 many.warc.gz >out
	[ "$(jq -s 'map(.offset) | max' out)" -eq 0 ] || [ ! -s out ]
}
