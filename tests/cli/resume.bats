# SPDX-License-Identifier: MIT
# dana filter --resume: what an interrupted run leaves, and going on with it (tests/fault kills runs at many more places).

load ../support/cli

setup() {
	filter_options='-m plain'
	golden=$DANA_SOURCE/tests/golden
	cd "$BATS_TEST_TMPDIR"
	for i in $(seq 40); do
		cat "$golden/many/in.warc.gz"
		[ $((i % 10)) -ne 3 ] || head -c 100000 "$golden/broken/in.warc.gz"
	done >many.warc.gz
	cp "$golden/plain/in.warc" plain.warc
	export DANA_TEST_SPAN_SIZE=3000 # so that workers read ahead in such small files too
}

# Stops the run of these arguments when something has been written to $1.part. It reads byte by byte, so as not to end before; where
# it does all the same, on a busy machine, another try is made.
leave() {
	local name=$1 status
	shift
	for try in $(seq 20); do
		status=0
		DANA_TEST_READ_SIZE=1 "$DANA" filter -q -m plain --checkpoint-bytes 10K "$@" &
		local pid=$!
		wait_until "$pid" [ -s "$name.part" ]
		kill -TERM "$pid" || true
		wait "$pid" || status=$?
		[ "$status" -ne 143 ] || break
		case $name in */*) rm -rf "${name%/*}" ;; *) rm -f "$name" "$name.rejects.jsonl" ;; esac
	done
	[ "$status" -eq 143 ]
	[ ! -e "$name" ] && [ -s "$name.part" ] && [ -s "$name.state" ]
	! grep -q '^documents 1:0$' "$name.state"
}

# Counters without times.
counters() {
	sed -E 's/"(seconds|cpu_seconds|peak_rss_bytes)":[0-9.e+-]*//g' "$1"
}

@test "a run is gone on with, in every format, with all counters and rejects" {
	for name in a.jsonl a.jsonl.gz a.jsonl.zst a.warc a.warc.gz a.warc.zst; do
		for jobs in 0 2; do
			rm -rf whole
			mkdir -p whole
			run_filter 2 -j $jobs --rejects --stats whole/stats -o "whole/$name" many.warc.gz
			leave "$name" -j $jobs --rejects --stats stats -o "$name" many.warc.gz
			run_filter 2 -j $((2 - jobs)) --rejects --stats stats --resume -o "$name" many.warc.gz
			cmp "$name" "whole/$name"
			cmp "$name.rejects.jsonl" "whole/$name.rejects.jsonl"
			[ "$(counters stats)" = "$(counters whole/stats)" ]
			[ -z "$(find . -name '*.part' -o -name '*.state' -o -name '*.new')" ]
			rm "$name" "$name.rejects.jsonl"
		done
	done
}

@test "the output does not depend on checkpoints" {
	for name in a.jsonl.zst a.warc.gz; do
		for bytes in 1 3000 64M; do
			run_filter 2 -o "$bytes.$name" --force --checkpoint-bytes $bytes many.warc.gz
			[ "$bytes" = 1 ] || [ "$name" = a.warc.gz ] || cmp "1.$name" "$bytes.$name"
		done
	done
}

@test "a folder is gone on with: complete outputs are passed over" {
	for i in 1 2 3; do cp many.warc.gz "m$i.warc.gz"; done
	run_filter 2 -O whole --rejects --stats whole.stats plain.warc m*.warc.gz
	leave dir/m1.jsonl.zst -O dir --rejects --stats stats plain.warc m*.warc.gz
	[ -e dir/plain.jsonl.zst ]
	[ ! -e dir/plain.jsonl.zst.state ]
	for jobs in 0 2; do
		rm -rf try
		cp -r dir try
		cp --preserve=timestamps try/plain.jsonl.zst before
		run_filter 2 --resume -j $jobs -J 2 -O try --rejects --stats stats plain.warc m*.warc.gz
		grep -Eq '[1-4] outputs? in try (was|were) complete already' err
		diff -r try whole
		[ "$(counters stats)" = "$(counters whole.stats)" ]
		[ -z "$(find try -name '*.state' -o -name '.*.state')" ]
	done
	filter_reports 0 '5 outputs in whole were complete already' --resume -O whole --rejects plain.warc m*.warc.gz
}

@test "pages of records with a wrong length come once, wherever a run is interrupted" {
	python3 - <<'END'
import gzip
from archive import record, response
wrong = [0, -1, 5, 0, -40, 1000, 7777, 17, 0, -2]
records = []
for n in range(3000):
    block = response(b"<title>%d</title><p>%s</p>" % (n, b" ".join(b"word%d" % (n * i) for i in range(90))))
    records.append(record(n, block, length=len(block) + wrong[n % 10]))
open("wrong.warc", "wb").write(b"".join(records))
open("wrong.warc.gz", "wb").write(b"".join(gzip.compress(r, mtime=0) for r in records))
END
	mkdir whole
	for input in wrong.warc wrong.warc.gz; do
		for jobs in 0 2; do
			run_filter 2 --force -j $jobs --stats whole/stats -o whole/a.jsonl $input
			grep -q '"documents":3000,"skipped":{},"damaged":{},"problems":{"bad_length":2100}' whole/stats
			leave a.jsonl -j $jobs --stats stats -o a.jsonl $input
			run_filter 2 -j $((2 - jobs)) --stats stats --resume -o a.jsonl $input
			cmp a.jsonl whole/a.jsonl
			[ "$(counters stats)" = "$(counters whole/stats)" ]
			rm a.jsonl
		done
	done
}

@test "an input that could not be opened is taken by --resume, and what the others had counted stays" {
	cp many.warc.gz third.warc.gz
	filter_reports 1 '^dana: second.warc.gz: No such file or directory$' -O dir --stats stats many.warc.gz second.warc.gz third.warc.gz
	cp plain.warc second.warc.gz
	run_filter 2 -O dir --stats stats --resume many.warc.gz second.warc.gz third.warc.gz
	run_filter 2 -O whole --stats whole.stats many.warc.gz second.warc.gz third.warc.gz
	[ "$(counters stats)" = "$(counters whole.stats)" ]
	diff -r dir whole
}

@test "with an ordered plugin an input that could not be opened is taken by --resume too" {
	"$DANA" plugins | grep -q '^  dedup-exact ' || skip "dedup-exact is not built in"
	cp plain.warc third.warc
	run_filter 1 -O dir --plugin dedup-exact:index=index many.warc.gz second.warc third.warc
	[ ! -e index.journal ]
	cp plain.warc second.warc
	run_filter 0 -O dir --plugin dedup-exact:index=index --resume many.warc.gz second.warc third.warc
	[ ! -e index.journal ]
	[ "$(ls -A dir)" = $'many.jsonl.zst\nsecond.jsonl.zst\nthird.jsonl.zst' ]
	zstd -dcq dir/second.jsonl.zst >second
	[ ! -s second ] # its pages are those of the third
}

@test "a complete output is passed over, and its statistics stay" {
	run_filter 2 --stats stats -o a.jsonl many.warc.gz
	cp stats kept
	filter_reports 0 'a.jsonl is complete already' --resume --stats stats -o a.jsonl many.warc.gz
	cmp stats kept
	grep -q 'this run counts nothing; if stats has the counters of an earlier run, they stay' err
	run_filter 0 --resume -q -o a.jsonl many.warc.gz
	[ ! -s err ]
}

@test "--resume begins where there is nothing to go on with" {
	run_filter 2 --resume -o a.jsonl many.warc.gz
	run_filter 2 -o b.jsonl many.warc.gz
	cmp a.jsonl b.jsonl
	run_filter 2 --resume -O dir -z none many.warc.gz
	cmp dir/many.jsonl b.jsonl
}

@test "--force starts over" {
	run_filter 2 -o whole.jsonl many.warc.gz
	leave a.jsonl -o a.jsonl many.warc.gz
	filter_reports_once 3 -o a.jsonl many.warc.gz
	grep -q 'a.jsonl.part exists; --resume continues it, --force starts over' err
	run_filter 2 --force -o a.jsonl many.warc.gz
	cmp a.jsonl whole.jsonl
	[ ! -e a.jsonl.state ]
}

@test "a full disk is gone on with when there is room again" {
	run_filter 2 --rejects -o whole.jsonl many.warc.gz
	for kib in 1 20 150 1500; do
		local status=0
		(ulimit -f $kib; exec "$DANA" filter -q -m plain --rejects --checkpoint-bytes 10K -o a.jsonl many.warc.gz) 2>err || status=$?
		[ "$status" -eq 1 ]
		grep -q 'a.jsonl.*: File too large' err
		run_filter 2 --resume --rejects -o a.jsonl many.warc.gz
		cmp a.jsonl whole.jsonl
		cmp a.jsonl.rejects.jsonl whole.jsonl.rejects.jsonl
		rm a.jsonl a.jsonl.rejects.jsonl
	done
}

@test "another run is refused, and told what differs" {
	leave a.jsonl -o a.jsonl many.warc.gz
	cp a.jsonl.part part
	cp a.jsonl.state state
	try() { # WORDS ARGUMENTS...
		local words=$1
		shift
		filter_reports_once 3 --resume "$@"
		grep -q "a.jsonl cannot be resumed: .*$words.*; --force starts over" err
		cmp a.jsonl.part part
		cmp a.jsonl.state state
	}
	try 'min-chars was 1, and is 7 now' --min-chars 7 -o a.jsonl many.warc.gz
	filter_options='-m danag' try 'method was plain, and is danag now' -o a.jsonl many.warc.gz
	try 'max-text was 8M, and is 1M now' --max-text 1M -o a.jsonl many.warc.gz
	try 'format was jsonl, and is warc now' -f warc -o a.jsonl many.warc.gz
	try 'compress was none:0, and is gzip:9 now' -z gzip:9 -o a.jsonl many.warc.gz
	try 'rejects was no, and is yes now' --rejects -o a.jsonl many.warc.gz
	try 'the inputs, their order, or the records of --cdx' -o a.jsonl plain.warc
	try 'the inputs, their order, or the records of --cdx' -o a.jsonl many.warc.gz plain.warc
	# What changes no byte may be another.
	sed 's/program dana [0-9.]*/&x/' state >changed
	cp changed a.jsonl.state
	run_filter 3 --resume -o a.jsonl many.warc.gz
	cp state a.jsonl.state
	touch -d '2001-02-03' many.warc.gz
	try 'many.warc.gz: time was [0-9.]*, and is 981[0-9.]* now' -o a.jsonl many.warc.gz
	echo x >>many.warc.gz
	try 'many.warc.gz: size was' -o a.jsonl many.warc.gz
	rm many.warc.gz
	run_filter 1 --resume -o a.jsonl many.warc.gz
	cmp a.jsonl.part part
}

@test "what changes no byte may be another" {
	run_filter 2 -o whole.jsonl many.warc.gz
	leave a.jsonl -j 2 -o a.jsonl many.warc.gz
	run_filter 2 --resume -j 0 --checkpoint-bytes 7M --max-in-flight 2M --stats s -v -o ./a.jsonl many.warc.gz
	cmp a.jsonl whole.jsonl
}

@test "a damaged state is refused at every byte, and so is a part without one" {
	leave a.jsonl -o a.jsonl many.warc.gz
	cp a.jsonl.state state
	cp a.jsonl.part part
	size=$(stat -c %s state)
	for at in 0 5 11 12 $(seq 17 97 "$size") $((size - 2)) $((size - 1)); do
		cp state a.jsonl.state
		byte=$(od -An -tu1 -j "$at" -N 1 state)
		printf "\\$(printf %o $((byte ^ 1)))" | dd of=a.jsonl.state bs=1 seek="$at" conv=notrunc 2>dd.err
		filter_reports_once 3 --resume -o a.jsonl many.warc.gz
	done
	head -c 100 state >a.jsonl.state
	run_filter 3 --resume -o a.jsonl many.warc.gz
	sed 's/^dana state 3/dana state 4/' state >a.jsonl.state
	filter_reports 3 'newer version' --resume -o a.jsonl many.warc.gz
	rm a.jsonl.state
	filter_reports 3 'FILE.state is missing' --resume -o a.jsonl many.warc.gz
	cp state a.jsonl.state
	head -c 100 part >a.jsonl.part
	filter_reports 3 'fewer bytes' --resume -o a.jsonl many.warc.gz
	cp part a.jsonl.part
	run_filter 2 --resume -o a.jsonl many.warc.gz
}

@test "standard streams, pipes and devices cannot be resumed" {
	filter_reports 3 'standard output cannot be resumed' --resume many.warc.gz
	run_filter 3 --resume -o - many.warc.gz
	filter_reports 3 'standard input cannot be resumed' --resume -o a.jsonl <many.warc.gz
	run_filter 3 --resume -O dir - plain.warc <many.warc.gz
	mkfifo pipe
	run_filter 3 --resume -o a.jsonl pipe
	run_filter 3 --resume -o pipe many.warc.gz
	run_filter 3 --resume -o /dev/null many.warc.gz
	filter_reports_once 3 --resume --force -o a.jsonl many.warc.gz
	# They leave no state that promises what cannot be kept.
	local status=0
	(ulimit -f 100; exec "$DANA" filter -q -m plain -o a.jsonl - <many.warc.gz) 2>err || status=$?
	[ "$status" -eq 1 ]
	[ -s a.jsonl.part ]
	[ ! -e a.jsonl.state ]
	filter_reports 3 'a.jsonl.part exists; --force overwrites it' -o a.jsonl many.warc.gz
}

@test "a signal leaves a run that can be gone on with, and says how" {
	for i in $(seq 40); do cat many.warc.gz; done >big.warc.gz
	for jobs in 0 2; do
		DANA_TEST_READ_SIZE=50 "$DANA" filter -m plain -j $jobs -o big.jsonl.zst big.warc.gz 2>err &
		wait_until $! [ -s big.jsonl.zst.part ]
		kill -TERM $!
		ends 143 $!
		grep -q 'stopped: the first [0-9]* pages are in big.jsonl.zst.part, each whole; --resume continues' err
		# The checkpoint is that of the last member, not one of long ago.
		! grep -q '^documents 1:0$' big.jsonl.zst.state
		run_filter 2 --resume -j $jobs -o big.jsonl.zst big.warc.gz
		[ "$jobs" -eq 2 ] || mv big.jsonl.zst first.zst
	done
	cmp big.jsonl.zst first.zst
	run_filter 2 --force -o big.jsonl.zst big.warc.gz
	cmp big.jsonl.zst first.zst
}

@test "an input that breaks off is read again" {
	[ "$(id -u)" -eq 0 ] || skip "needs a file that breaks off in the middle"
	command -v strace >/dev/null || skip "strace is not installed"
	run_filter 2 -o whole.jsonl plain.warc many.warc.gz plain.warc
	# Bytes of the first input fail, after what identifies it was read twice, or of the second in the middle.
	for at in plain.warc:5 many.warc.gz:4; do
		local status=0
		DANA_TEST_READ_SIZE=20000 ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 strace -f -qq -o trace -P "$PWD/${at%:*}" \
			-e trace=pread64 -e inject=pread64:error=EIO:when="${at#*:}" \
			"$DANA" filter -q -m plain --checkpoint-bytes 1000 -o a.jsonl plain.warc many.warc.gz plain.warc 2>err || status=$?
		grep -q 'pread64.*EIO.*INJECTED' trace || skip "strace cannot inject faults here"
		[ "$status" -eq 1 ]
		grep -q ' Input/output error' err
		[ ! -e a.jsonl ] && [ -s a.jsonl.state ]
		run_filter 2 --resume -o a.jsonl plain.warc many.warc.gz plain.warc
		cmp a.jsonl whole.jsonl
		rm a.jsonl
	done
}
