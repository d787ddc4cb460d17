# SPDX-License-Identifier: MIT
# How dana filter runs: exit statuses, inputs, outputs, reports, signals (doc/FORMATS.md).

load ../support/cli

setup() {
	golden=$DANA_SOURCE/tests/golden
	cd "$BATS_TEST_TMPDIR"
	cp "$golden/many/in.warc.gz" many.warc.gz
	cp "$golden/damaged/in.warc" damaged.warc
	cp "$golden/plain/in.warc" plain.warc
}

@test "good input is status 0 and says nothing" {
	run_filter 0 plain.warc
	[ ! -s err ]
	[ "$(wc -l <out)" -gt 5 ]
}

@test "empty input is done" {
	: >empty
	run_filter 0 empty
	[ ! -s out ]
	[ "$(cat err)" = "dana: empty: nothing was written: the input is empty" ]
	run_filter 0 - <empty
	run_filter 0 <empty
}

@test "damage is status 2, told with file, offset and reason" {
	filter_reports 2 '^dana: damaged.warc: offset 1502: garbage' damaged.warc
	grep -q '^dana: damaged.warc: offset [0-9]*: bad_length: ' err
	[ -s out ]
	run_filter 2 -q damaged.warc
	[ ! -s err ]
}

@test "a page whose record has a wrong length is written where its end is certain, and is damage all the same" {
	python3 - <<'END'
import gzip
from archive import record, response
def page(number, wrong):
    block = response(b"<title>%d</title><p>%s</p>" % (number, b" ".join(b"word%d" % (number * i) for i in range(90))))
    return record(number, block, length=len(block) + wrong)
for name, lengths in ("right", [0] * 12), ("wrong", [0, 0, -1, -20, 5, 0, 17, -300, 1000, 0, 99999999, -2]):
    records = [page(number, wrong) for number, wrong in enumerate(lengths)]
    open(name + ".warc", "wb").write(b"".join(records))
    open(name + ".warc.gz", "wb").write(b"".join(gzip.compress(r, mtime=0) for r in records))
END
	for name in wrong.warc wrong.warc.gz; do
		run_filter 0 -j 0 "right${name#wrong}"
		sed -E 's/"(file|offset|length)":[^,]*,//g' out >right
		for options in "-j 0" "-j 2" "-j 5"; do
			DANA_TEST_SPAN_SIZE=700 run_filter 2 $options --stats stats $name
			[ "$(grep -c ': bad_length: .*; the page is written$' err)" -eq 8 ]
			grep -q '^dana: 12 records: 12 documents (8 in spite of damage), 0 skipped, 0 damaged$' err
			grep -q '"records":12,"documents":12,"skipped":{},"damaged":{},"problems":{"bad_length":8}' stats
			[ "$(grep -c '"problems":\["bad_length"\]' out)" -eq 8 ]
			sed -E 's/"(file|offset|length)":[^,]*,//g; s/"bad_length"//' out | cmp - right
		done
		run_filter 0 --damaged-ok $name
		run_filter 2 -j 0 - <$name
		sed -E 's/"(file|offset|length)":[^,]*,//g; s/"bad_length"//' out | cmp - right
		for at in $(seq 0 97 "$(wc -c <$name)"); do
			"$DANA" filter -q --damaged-ok --range "$at-$((at + 97))" $name
		done | sed -E 's/"(file|offset|length)":[^,]*,//g; s/"bad_length"//' | cmp - right
	done
	# What is not written is damaged, as every record is one of the three.
	run_filter 2 --status 404 --stats stats --rejects -o all.jsonl wrong.warc
	grep -q '"documents":0,"skipped":{"status":4},"damaged":{"bad_length":8}' stats
	[ "$(grep -c '"reason":"bad_length"' all.jsonl.rejects.jsonl)" -eq 8 ]
}

@test "many reports are summed up" {
	for i in $(seq 60); do
		printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/\r\n'
		printf 'WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:x:%s>\r\nContent-Length: 3\r\n\r\nlonger\r\n\r\n' "$i"
	done >start
	run_filter 2 start
	[ "$(grep -c ': offset ' err)" -eq 20 ]
	grep -q 'more damaged' err
}

@test "an input that cannot be read is status 1 after the others, whose output is whole" {
	run_filter 0 plain.warc
	cp out whole
	mkdir empty
	for row in "nowhere.warc|^dana: nowhere.warc: No such file or directory$" "empty|empty"; do
		filter_reports 1 "${row#*|}" --force -o some.jsonl "${row%%|*}" plain.warc
		cmp some.jsonl whole
		[ ! -e some.jsonl.part ]
	done
	run_filter 1 nowhere.warc damaged.warc
	run_filter 1 -o none.jsonl nowhere.warc empty
	[ ! -e none.jsonl ] && [ ! -e none.jsonl.part ]
}

# The output of plain.warc appears while the input before it is read: too late to refuse the whole run.
late_output() {
	local wanted=$1
	shift
	rm -rf there slow && mkdir there && mkfifo slow
	"$DANA" filter -J 1 -O there slow "$@" >out 2>err 3>&- &
	exec 9>slow # when it is open, the run is under way
	: >there/plain.jsonl.zst
	cat damaged.warc >&9
	exec 9>&-
	ends "$wanted" $! || { echo "not $wanted: $*"; cat err; return 1; }
}

@test "--damaged-ok: damage is reported and counted, and the exit status is 0" {
	run_filter 2 --rejects -o strict.jsonl damaged.warc
	run_filter 0 --damaged-ok --rejects -o mild.jsonl --stats stats.json damaged.warc
	cmp strict.jsonl mild.jsonl
	cmp strict.jsonl.rejects.jsonl mild.jsonl.rejects.jsonl
	[ "$(jq '.damaged | add' stats.json)" -gt 0 ]
	run_filter 1 --damaged-ok nowhere.warc damaged.warc
}

@test "of an input's failure, a refused output and damage the gravest is the exit status" {
	late_output 2
	late_output 3 plain.warc
	grep -q 'plain.jsonl.zst exists; --force overwrites it' err
	late_output 1 plain.warc nowhere.warc
	grep -q 'plain.jsonl.zst exists; --force overwrites it' err
	grep -q 'nowhere.warc: No such file' err
	late_output 1 nowhere.warc plain.warc
	run_filter 1 --stats /nowhere/stats.json damaged.warc
}

@test "an output that cannot be written is told before any input is read" {
	mkfifo input
	# A writer would be waited for: nobody opens the pipe, so a run that opens its input does not come back.
	refused() { # STATUS PATTERN ARGUMENTS...
		prints "$1" "$2" timeout 10 "$DANA" filter "${@:3}"
		[ "${#lines[@]}" -eq 1 ]
	}
	refused 1 'dana filter: --stats: /nowhere/stats.json: No such file or directory' --stats /nowhere/stats.json input
	refused 1 '*/nowhere/out.jsonl: the folder does not exist; make it first*' -o /nowhere/out.jsonl input
	for folder in /nowhere/out plain.warc/out plain.warc; do
		refused 1 '*' -O $folder input
	done
	refused 3 '*' --stats x.jsonl -o x.jsonl input
	[ ! -e x.jsonl ]
	if [ "$(id -u)" -ne 0 ]; then
		mkdir -m 555 sealed
		refused 1 '*' -O sealed input
	fi
	prints 1 'dana: standard output: Bad file descriptor' bash -c 'timeout 10 "$DANA" filter input >&-'
}

@test "statistics of an earlier run stay until the new ones are written" {
	seq 100000 >stats.json
	run_filter 3 --stats stats.json -m nosuch plain.warc
	[ "$(wc -l <stats.json)" -eq 100000 ]
	run_filter 0 --stats stats.json plain.warc
	[ "$(wc -l <stats.json)" -eq 1 ]
	run_filter 0 --stats /dev/null plain.warc
}

# on_terminal COLUMNS STATUS COMMAND...: runs it on a terminal of so many columns; what it shows is in `screen`.
on_terminal() {
	python3 "$DANA_SOURCE/tests/cli/on_terminal.py" "$@" >screen
}

@test "standard input of a terminal is said to be waited for" {
	on_terminal 80 0 "$DANA" filter --progress never -o waited.jsonl
	grep -q 'dana filter: waits for standard input, which is this terminal: Ctrl-D ends it' screen
	grep -q 'dana filter FILE' screen
	on_terminal 80 0 "$DANA" filter -q
	[ ! -s screen ]
	on_terminal 80 0 "$DANA" extract
	grep -q 'dana extract FILE' screen
	run_filter 0 </dev/null
	[ "$(cat err)" = "dana: standard input: nothing was written: the input is empty" ]
}

@test "an address of another kind is told to be none that can be read" {
	filter_reports 1 '^dana: ftp://127.0.0.1/x.warc.gz: this address cannot be read here: fetch it' ftp://127.0.0.1/x.warc.gz plain.warc
	one_line
}

@test "usage errors are one line and status 3" {
	local arguments
	for arguments in --no-such-option "-m nosuch" "-m dana:nosuch=1" "-m danag:gap=x" "-z brotli" "--jobs many" "-o a -O b" "-J 2" --rejects \
		"--status 2x" "--status 20" "--status 200," "-f xml" "--max-text 1" "--max-window 1G" "--min-chars -1" "--schema x" "- -" \
		"--mime text/*" "--mime html" "--config nosuch" -o; do
		# shellcheck disable=SC2086
		filter_reports_once 3 $arguments </dev/null
		[ ! -s out ]
		grep -q '^dana filter: ' err
	done
	filter_reports_once 3 ''
	filter_reports 3 '^dana filter: --config: the value is empty; expected FILE$' --config '' plain.warc
	filter_reports 3 '^dana filter: -j: 99999999999999999999 is out of range; expected 0 to 1K$' -j 99999999999999999999 plain.warc
}

@test "a configuration may begin with a byte order mark" {
	printf '\xef\xbb\xbfquiet = yes\r\n' >conf
	run_filter 0 --config conf plain.warc
}

@test "--force and --stats write over no input" {
	cp plain.warc kept
	filter_reports_once 3 --force -f jsonl -o ./plain.warc many.warc.gz plain.warc
	run_filter 3 --force -f jsonl -o plain.warc <plain.warc
	run_filter 3 --force -f warc -z none -O . plain.warc
	cmp plain.warc kept
	run_filter 0 --force -o /dev/null plain.warc /dev/null
	filter_reports_once 3 --stats ./plain.warc many.warc.gz plain.warc
	run_filter 3 --stats plain.warc <plain.warc
	cmp plain.warc kept
}

@test "a folder is no output file" {
	mkdir folder
	filter_reports 3 'folder is a folder; ' -o folder plain.warc
	filter_reports_once 3 --force -o folder plain.warc
	mkdir $'a\e[31m\\'
	run_filter 3 -o $'a\e[31m\\' plain.warc
	grep -qF 'dana filter: a\x1b[31m\ is a folder' err
}

@test "a message tells the reason after the longest name" {
	local name
	name=$(printf 'x%.0s' $(seq 250))
	filter_reports 1 'xxx\.\.\.: the folder does not exist; make it first$' -o "nowhere/$name/$name/$name/$name/$name" plain.warc
	filter_reports 1 'xxx\.\.\.: No such file or directory$' "$name/$name/$name/$name/$name/$name/$name" plain.warc
}

@test "output goes to .part first, and nothing is overwritten" {
	run_filter 0 -o out.jsonl plain.warc
	[ ! -e out.jsonl.part ]
	cp out.jsonl kept
	filter_reports_once 3 -o out.jsonl many.warc.gz
	cmp out.jsonl kept
	run_filter 0 --force -o out.jsonl many.warc.gz
	[ "$(wc -l <out.jsonl)" -eq 120 ]
	rm out.jsonl
	echo foreign >out.jsonl.part
	run_filter 3 -o out.jsonl plain.warc
	[ "$(cat out.jsonl.part)" = foreign ]
	run_filter 0 --force -o out.jsonl plain.warc
	cmp out.jsonl kept
	ln -s elsewhere link.jsonl.part
	run_filter 3 -o link.jsonl plain.warc
	[ ! -e elsewhere ]
}

@test "nothing is written through a link that was planted" {
	mkdir planted
	for name in out.jsonl out.jsonl.part out.jsonl.state out.jsonl.state.part out.jsonl.rejects.jsonl out.jsonl.rejects.jsonl.part; do
		for options in "" --force --resume; do
			echo mine >mine
			ln -sf ../mine planted/$name
			"$DANA" filter -q --rejects --checkpoint-bytes 1K $options -o planted/out.jsonl many.warc.gz 2>err || :
			[ "$(cat mine)" = mine ]
			rm planted/*
		done
	done
	echo mine >mine
	ln -s mine stats.json
	filter_reports 1 'stats.json' --stats stats.json plain.warc
	[ "$(cat mine)" = mine ]
}

@test "messages are printable, whatever archives and names hold" {
	local nasty=$'\e]0;x\a\e[2J\u202e\u2066\u2028\u009b31m\x7f\xff\r'
	{
		printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:%s:1>\r\nWARC-Target-URI: http://a/%s\r\n' "${nasty%?}" "${nasty%?}"
		printf 'WARC-Date: %s\r\nContent-Type: application/http\r\nContent-Length: 90\r\n\r\nHTTP/1.1 404 %s\r\n\r\n' "${nasty%?}" "${nasty%?}"
		printf 'WARC/9%s\r\nContent-Length: %s\r\n\r\nWARC/1.0\r\n%s: x\r\n\r\n' "$nasty" "$nasty" "$nasty"
	} >"in$nasty.warc"
	for options in "-v -j 0" "-v -j 2" "-q --progress always"; do
		run_filter 2 $options "in$nasty.warc"
		[[ $options == -q* ]] || grep -qF '\x1b[2J' err
		case $options in *progress*) tr -d '\r' <err | sed 's/\x1b\[K//g' ;; *) cat err ;; esac >bare
		LC_ALL=C grep -q '[^ -~]' bare && { od -c bare | head -40; false; }
	done
	run_filter 2 --force --rejects -o out.warc "in$nasty.warc"
	LC_ALL=C grep -q '[^ -~]' err && false
	"$DANA" filter -m no$'\e'such plain.warc 2>err && false
	LC_ALL=C grep -q '[^ -~]' err && false
	[ -s err ]
}

@test "closed standard streams are faults, told once" {
	prints_line 1 bash -c '"$DANA" filter plain.warc >&-'
	prints_line 1 bash -c '"$DANA" filter - <&-'
	"$DANA" filter -o closed.jsonl plain.warc <&- >&- 2>&-
	[ "$(wc -l <closed.jsonl)" -gt 5 ]
	[ -w /dev/full ] || return 0
	prints 1 'dana: *No space left*' bash -c '"$DANA" filter plain.warc >/dev/full'
	[ "${#lines[@]}" -eq 1 ]
	run_filter 1 -o /dev/full plain.warc
}

@test "-O makes one output for each input" {
	cp plain.warc b.warc
	run_filter 0 -O dir -z none many.warc.gz b.warc
	[ "$(ls dir | tr '\n' ' ')" = "b.jsonl many.jsonl " ]
	run_filter 0 -O zipped many.warc.gz b.warc
	[ "$(ls zipped | tr '\n' ' ')" = "b.jsonl.zst many.jsonl.zst " ]
	run_filter 0 -O warcs -f warc -z gzip b.warc - <many.warc.gz
	[ "$(ls warcs | tr '\n' ' ')" = "b.warc.gz stdin.warc.gz " ]
	run_filter 0 many.warc.gz
	cmp out dir/many.jsonl
	run_filter 3 -O dir -z none b.warc
	run_filter 1 -O part -z none nowhere.warc b.warc
	[ "$(ls part)" = b.jsonl ]
}

@test "-O refuses names that collide" {
	mkdir a b
	cp plain.warc a/x.warc
	cp plain.warc b/x.warc.gz
	filter_reports_once 3 -O dir a/x.warc b/x.warc.gz
	grep -q 'the inputs a/x.warc and b/x.warc.gz would both' err
	cp plain.warc x.jsonl.rejects.warc
	filter_reports_once 3 -O dir -z none --rejects a/x.warc x.jsonl.rejects.warc
	grep -q 'of input a/x.warc and the input x.jsonl.rejects.warc would both' err
	[ -z "$(ls dir 2>/dev/null)" ]
}

@test "-J gives the same files as one after the other" {
	for i in 1 2 3 4 5 6 7; do cp many.warc.gz "m$i.warc.gz"; done
	cp damaged.warc m8.warc
	run_filter 2 -O one --rejects --stats s1 m*.warc*
	run_filter 2 -O two -J 3 -j 0 --rejects --stats s2 m*.warc*
	run_filter 2 -O three -J 2 -j 2 --rejects --stats s3 m*.warc*
	diff -r one two
	diff -r one three
	strip='s/"(seconds|cpu_seconds|peak_rss_bytes)":[0-9.e+-]*//g'
	[ "$(sed -E "$strip" s1)" = "$(sed -E "$strip" s2)" ]
	[ "$(sed -E "$strip" s1)" = "$(sed -E "$strip" s3)" ]
}

@test "several inputs into one output are the outputs one after the other" {
	run_filter 0 plain.warc
	cp out first
	run_filter 0 many.warc.gz
	cat first out >both
	for jobs in 0 2; do
		run_filter 0 -j "$jobs" plain.warc many.warc.gz
		cmp out both
		run_filter 0 -j "$jobs" -o "o$jobs.jsonl" plain.warc many.warc.gz
		cmp "o$jobs.jsonl" both
	done
}

@test "--list gives more inputs, plain, gzip or from standard input" {
	printf 'plain.warc\r\n\nmany.warc.gz' >list
	gzip -k list
	run_filter 0 plain.warc many.warc.gz
	cp out both
	for name in list list.gz -; do
		run_filter 0 --list $name <list
		cmp out both
	done
	printf 'many.warc.gz\n' | run_filter 0 --list - plain.warc
	cmp out both
	# A line that cannot be read costs that line.
	printf 'plain.warc\r\nplain.warc\0x\n\nmany.warc.gz' >zero
	run_filter 1 --list zero
	cmp out both
	grep -qx 'dana filter: --list: zero: 1 line cannot be read; the first is line 2: it holds a zero byte; expected one input a line' err
	(echo plain.warc; head -c 65537 /dev/zero | tr '\0' x; echo; head -c 200000 /dev/zero | tr '\0' x; echo; echo many.warc.gz) >long
	run_filter 1 --list long
	cmp out both
	grep -qx 'dana filter: --list: long: 2 lines cannot be read; the first is line 2: it has more than 64K' err
	(printf "plain.warc\n\nmany.warc.gz\n" | gzip -c; echo x | gzip -c | head -c 12) >cut.gz
	run_filter 1 --list cut.gz
	cmp out both
	grep -q '^dana filter: --list: cut.gz: 1 line cannot be read; the first is line 4: compressed data' err
	run_filter 1 --list nowhere
	run_filter 3 --list - - <list
}

@test "a line of --list is a name as it stands, whatever it begins with" {
	cp plain.warc '#plain.warc'
	cp plain.warc ' plain.warc'
	printf '#plain.warc\n plain.warc\n# none\n' >list
	run_filter 1 --list list
	[ "$(grep -c . out)" -eq "$((2 * $("$DANA" filter -q plain.warc | grep -c .)))" ]
	grep -qx 'dana: # none: No such file or directory' err
}

@test "a pipe, one byte at a time, gives what the file gives" {
	local file
	for file in plain.warc many.warc.gz damaged.warc "$golden/frames/in.warc.zst" "$golden/arc/in.arc.gz"; do
		"$DANA" filter -q -j 0 --stats s1 "$file" >one || [ $? -eq 2 ]
		python3 -c 'import os, sys
for byte in open(sys.argv[1], "rb").read(): os.write(1, bytes([byte]))' "$file" |
			{ "$DANA" filter -q -j 2 --stats s2 - || [ $? -eq 2 ]; } >two
		cmp <(sed "s#\"file\":\"[^\"]*\"#\"file\":\"-\"#" one) two
		[ "$(grep -o '"records.*"bytes_out' s1)" = "$(grep -o '"records.*"bytes_out' s2)" ]
	done
}

@test "every record is a document, skipped or damaged" {
	run_filter 2 --stats stats.json plain.warc damaged.warc many.warc.gz
	python3 - <<'END'
import json
s = json.load(open("stats.json"))
assert s["inputs"] == 3
assert s["records"] == s["documents"] + sum(s["skipped"].values()) + sum(s["damaged"].values()) == 21 + 9 + 160
docs = [json.loads(line) for line in open("out", encoding="utf-8")]
assert len(docs) == s["documents"] == sum(s["methods"].values())
assert sum(d["text_chars"] for d in docs) == s["text_chars"]
assert s["problems"] == {w: n for w in s["problems"] if (n := sum(w in d["problems"] for d in docs))}
import os
assert s["bytes_out"] == os.path.getsize("out")
assert s["bytes_in"] == sum(os.path.getsize(f) for f in ("plain.warc", "damaged.warc", "many.warc.gz"))
END
	filter_reports 0 '^{"inputs":1,' --stats - plain.warc
}

@test "--rejects tells of every record that gave no document" {
	run_filter 2 --rejects -o o.jsonl --stats stats.json plain.warc damaged.warc
	[ ! -e o.jsonl.rejects.jsonl.part ]
	python3 - <<'END'
import collections, json
lines = [json.loads(line) for line in open("o.jsonl.rejects.jsonl", encoding="utf-8")]
assert all(list(line) == ["id", "url", "file", "offset", "reason", "detail"] for line in lines)
s = json.load(open("stats.json"))
want = collections.Counter(s["skipped"]) + collections.Counter(s["damaged"])
del want["type"]
assert collections.Counter(line["reason"] for line in lines) == want
assert {line["file"] for line in lines} == {"plain.warc", "damaged.warc"}
END
	run_filter 3 --rejects -o o.jsonl plain.warc
	run_filter 3 --rejects plain.warc
	rm o.jsonl
	run_filter 3 --rejects -o o.jsonl plain.warc
}

@test "a reader that goes away ends the run quietly" {
	for i in $(seq 300); do cat many.warc.gz; done >big.warc.gz
	for jobs in 0 2; do
		{ "$DANA" filter -j "$jobs" big.warc.gz 2>err; echo $? >status; } | head -n 1 >line
		[ "$(cat status)" -eq 0 ]
		[ ! -s err ]
		[ "$(wc -l <line)" -eq 1 ]
	done
}

@test "SIGINT and SIGTERM end cleanly with 130 and 143" {
	for signal in INT TERM; do
		for jobs in 0 2; do
			local status=0
			timeout -s "$signal" --preserve-status 1 "$DANA" filter -j "$jobs" -o "s$signal$jobs.jsonl" --stats stats - \
				< <(cat many.warc.gz; sleep 4) || status=$?
			[ "$signal-$status" = INT-130 ] || [ "$signal-$status" = TERM-143 ]
			# What was complete is there, and not under the final name.
			[ ! -e "s$signal$jobs.jsonl" ]
			[ "$(wc -l <"s$signal$jobs.jsonl.part")" -ge 119 ]
			grep -q '"documents"' stats
		done
	done
}

@test "a signal in the middle of a file leaves whole lines" {
	for i in $(seq 2000); do cat many.warc.gz; done >big.warc.gz
	"$DANA" filter -j 0 -o big.jsonl.gz big.warc.gz &
	wait_until $! [ -s big.jsonl.gz.part ]
	kill -TERM $!
	ends 143 $!
	[ ! -e big.jsonl.gz ]
	gzip -t big.jsonl.gz.part
	[ "$(gzip -dc big.jsonl.gz.part | tail -c 1)" = "" ]
}

# One signal ends the process $1, which waits.
one_signal_ends() {
	sleep 0.5
	kill -TERM "$1"
	wait_until "$1" false 2>kill.err
	kill -KILL "$1" 2>kill.err || true
	ends 143 "$1"
}

@test "a signal ends the wait for a named pipe's reader" {
	mkfifo pipe o.rejects.jsonl
	"$DANA" filter -j 2 -o pipe plain.warc 2>err &
	one_signal_ends $!
	[ ! -s err ]
	"$DANA" filter -j 2 -o o --rejects plain.warc 2>err &
	one_signal_ends $!
	[ ! -s err ]
	[ ! -e o ] && [ ! -e o.part ]
	# One that reads later is waited for, and takes all.
	run_filter 0 many.warc.gz
	cp out wanted
	(sleep 0.2 && cat pipe >got) &
	run_filter 0 -o pipe many.warc.gz
	wait
	cmp got wanted
}

@test "a signal ends the wait for a named pipe's writer" {
	mkfifo pipe
	"$DANA" filter pipe >out &
	one_signal_ends $!
	[ ! -s out ]
	# One that writes later is waited for.
	(sleep 0.2 && cat plain.warc >pipe) &
	run_filter 0 pipe
	wait
	cp out got
	run_filter 0 plain.warc
	sed 's/"file":"pipe"/"file":"plain.warc"/' got | cmp - out
}

@test "standard input blocks as before when the run is over" {
	cat many.warc.gz | (run_filter 0 - && python3 -c 'import fcntl, os; assert not fcntl.fcntl(0, fcntl.F_GETFL) & os.O_NONBLOCK')
}

@test "a second signal ends at once" {
	# Nobody reads the pipe, so the drain cannot come to its end.
	mkfifo pipe
	for i in $(seq 100); do cat many.warc.gz; done >big.warc.gz
	sleep 30 <>pipe &
	local sleeper=$!
	# The second signal has to come after the first one was heard, and before the reader is given up, which is said:
	# on a busy machine that may take more than one try.
	for try in 1 2 3 4 5; do
		# ThreadSanitizer would sleep for a second before the end.
		TSAN_OPTIONS="$TSAN_OPTIONS atexit_sleep_ms=0" "$DANA" filter -j 0 big.warc.gz >pipe 2>err &
		local pid=$!
		sleep 0.3
		kill -TERM "$pid"
		sleep 0.1
		kill -STOP "$pid" # the time until the reader is given up does not go on
		sleep 0.3
		kill -TERM "$pid"
		kill -CONT "$pid"
		ends 143 "$pid"
		[ -s err ] || break
	done
	kill "$sleeper"
	[ ! -s err ]
}

@test "a signal ends a run whose reader takes nothing" {
	mkfifo pipe
	for i in $(seq 100); do cat many.warc.gz; done >big.warc.gz
	exec 7<>pipe
	for jobs in 0 2; do
		"$DANA" filter -j $jobs big.warc.gz >pipe 2>err 7>&- &
		one_signal_ends $!
		grep -q 'took nothing' err
		# What the pipe had taken is there.
		dd bs=4096 count=1 <&7 2>dd.err | head -n 1 | grep -q '^{"text"'
		dd bs=65536 count=1 iflag=nonblock <&7 >rest 2>dd.err || true
	done
	exec 7>&-
}

@test "two runs do not write one output" {
	mkfifo pipe
	exec 7<>pipe
	"$DANA" filter -o out.jsonl --rejects pipe 2>err.first 7>&- &
	local pid=$!
	wait_until $pid [ -e out.jsonl.part ]
	sleep 0.1
	for force in '' --force; do
		filter_reports_once 1 $force -o out.jsonl plain.warc
		grep -q "out.jsonl.part is being written by process $pid;" err
	done
	kill -KILL "$pid"
	wait "$pid" || true
	exec 7>&-
	run_filter 3 -o out.jsonl plain.warc
	run_filter 0 --force -o out.jsonl plain.warc
}

@test "--stats, --rejects and -o are different files" {
	ln -s . link
	filter_reports_once 3 -o a.jsonl --stats a.jsonl plain.warc
	for name in ./a.jsonl link/a.jsonl.part a.jsonl.state a.jsonl.rejects.jsonl; do
		run_filter 3 -o a.jsonl --rejects --stats $name plain.warc
	done
	filter_reports 3 'dir/plain.jsonl' -O dir -z none --stats dir/plain.jsonl plain.warc many.warc.gz
	[ ! -e a.jsonl ] && [ ! -e a.jsonl.part ]
	cp plain.warc b.jsonl.part
	run_filter 3 --force -o b.jsonl b.jsonl.part
	cmp plain.warc b.jsonl.part
	run_filter 0 -o a.jsonl --stats a.jsonl.json plain.warc
}

@test "a file that may not grow is a fault that names each output" {
	cp many.warc.gz more.warc.gz
	cp many.warc.gz most.warc.gz
	for jobs in 0 2; do
		local status=0
		(ulimit -f 16; exec "$DANA" filter -j $jobs -O "dir$jobs" -z none many.warc.gz more.warc.gz most.warc.gz) 2>err || status=$?
		[ "$status" -eq 1 ]
		for name in many more most; do
			grep -q "^dana: dir$jobs/$name.jsonl.part: File too large: allow larger ones" err
		done
		grep -q '^dana filter: --resume continues' err
		[ "$(wc -l <err)" -eq 4 ]
	done
}

@test "too few descriptors are told with what helps" {
	local options descriptors got with_library="-j 0"
	if "$DANA" plugins | grep -q '^  language '; then
		with_library="-j 0 --plugin language"
	fi
	for options in "-j 0" "-j 2" "$with_library"; do
		run_filter 0 $options plain.warc
		mv out right
		for descriptors in $(seq 4 24); do
			got=0
			(ulimit -n "$descriptors" && exec "$DANA" filter -q $options plain.warc) >out 2>err || got=$?
			[ "$got" -ne 127 ] || continue # so few that its libraries are not loaded
			if [ "$got" -eq 0 ]; then
				cmp out right
			else
				[ "$got" -eq 1 ] && one_line
				grep -q 'open files.*(ulimit -n)$' err
			fi
		done
		[ "$got" -eq 0 ]
	done
}

@test "a record larger than all that may be in flight is read" {
	python3 - <<'END'
from archive import record, response
open("large.warc", "wb").write(b"".join(record(i, response(b"<p>" + b"some words of text " * 200000)) for i in range(3)))
END
	timeout 60 "$DANA" filter -j 0 large.warc >alone
	timeout 60 "$DANA" filter -j 2 --max-in-flight 1M large.warc >out
	cmp alone out
	[ "$(wc -l <out)" -eq 3 ]
}

@test "--print-limits and --print-config print and end" {
	run_filter 0 --print-limits
	grep -q '^max-block .*32M' out
	run_filter 0 --print-config -m plain --jobs 3
	cp out conf
	run_filter 0 --config conf --print-config
	cmp out conf
}

@test "--progress draws a line on standard error only" {
	run_filter 0 --progress always plain.warc
	cp out with
	run_filter 0 plain.warc
	cmp out with
	[ ! -s err ]
}

@test "devices and named pipes take output as it comes" {
	run_filter 0 plain.warc
	cp out wanted
	mkfifo fifo
	cat fifo >got &
	run_filter 0 -o fifo plain.warc
	wait
	cmp got wanted
	run_filter 0 -o /dev/null plain.warc
	[ ! -e /dev/null.part ]
}

@test "an input of which nothing is taken says why, and what would take it" {
	passed() {
		printf 'WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:0>\r\nWARC-Date: 2024-05-06T07:08:09Z\r\n' "$1"
		printf 'WARC-Target-URI: http://example.org/\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\ntext\r\n\r\n'
	}
	passed conversion >one.warc
	run_filter 0 one.warc
	[ "$(cat err)" = "dana: one.warc: nothing was written: 1 record of type conversion was skipped; --type conversion takes it" ]
	for i in $(seq 1204); do passed conversion; done >many.warc
	for jobs in 0 2; do
		run_filter 0 -j $jobs many.warc
		[ "$(cat err)" = "dana: many.warc: nothing was written: 1,204 records of type conversion were skipped; --type conversion takes them" ]
	done
	passed resource >resource.warc
	run_filter 0 resource.warc
	[ "$(cat err)" = "dana: resource.warc: nothing was written: 1 record was skipped for the media type; --mime any takes all" ]
	passed warcinfo >info.warc
	run_filter 0 info.warc
	[ ! -s err ]
	run_filter 0 -q many.warc
	[ ! -s err ]
	run_filter 0 plain.warc
	! grep -q 'nothing was written' err
}

@test "on a terminal a run ends with a summary of two lines, on any width" {
	local columns
	for columns in 2 20 40 80 200; do
		on_terminal $columns 2 "$DANA" filter --force -o out.jsonl plain.warc damaged.warc
		# each state of the progress line leaves the last column free
		tr '\r' '\n' <screen | sed -n 's/^\x1b\[K\([^d].*\)/\1/p' | grep -v '^dana' >lines
		[ -s lines ]
		! grep -E ".{$columns}" lines || { cat lines; false; }
		grep -q '^100 %' lines || [ $columns -lt 20 ]
		[ "$(tr '\r' '\n' <screen | grep -c 'pages written (')" -eq 1 ]
		grep -Eq '[0-9]+ pages written \(1 in spite of damage\); left out [0-9]+( \(.*\))?; not pages [0-9]+ \(type [0-9]+.*\); damaged [0-9]+ \(.*truncated [0-9]+.*\)' screen
		[ "$(tail -n 1 screen | sed 's/[0-9.]\+/N/g')" = "dana: N kB in N s, N MB/s; N kB to outNjsonl" ]
		[ "$(wc -l <out.jsonl)" -eq "$(sed -n 's/.*dana: \([0-9]*\) pages written.*/\1/p' screen)" ]
	done
	# what is no page is not counted as left out
	on_terminal 200 0 "$DANA" filter --force -o out.jsonl "$DANA_SOURCE/sample/sample.warc.gz"
	tr '\r' '\n' <screen | grep -qF 'dana: 7 pages written; left out 0; not pages 10 (type 9, mime 1); damaged 0'
	on_terminal 200 0 "$DANA" filter --force --min-chars 5000 --status 404 -o out.jsonl "$DANA_SOURCE/sample/sample.warc.gz"
	tr '\r' '\n' <screen | grep -q 'dana: 0 pages written; left out 7 (status 7); not pages 10 (type 9, mime 1); damaged 0'
	# what plugins leave out is counted by plugin, in the summary as in --stats
	for jobs in 0 1 4; do
		on_terminal 200 0 "$DANA" filter --force -j $jobs --stats stats --plugin url:substring=en.html --plugin quality:min-words=100000 -o out.jsonl "$DANA_SOURCE/sample/sample.warc.gz"
		tr '\r' '\n' <screen | grep -qF 'dana: 0 pages written; left out 7 (plugin:quality 6, plugin:url 1); not pages'
		[ "$(jq -c .skipped stats)" = '{"type":9,"mime":1,"plugin:url":1,"plugin:quality":6}' ]
	done
	on_terminal 80 0 "$DANA" filter -q --force -o out.jsonl plain.warc
	[ ! -s screen ]
	run_filter 0 plain.warc
	[ ! -s err ]
	run_filter 0 --progress always plain.warc
	[ "$(tail -n 1 err | sed 's/[0-9.]\+/N/g')" = "dana: N kB in N s, N MB/s; N kB to standard output" ]
}

@test "the progress line follows the size of the terminal, and Ctrl-C says what lies in the .part" {
	mkfifo input
	python3 - >screen <<'END'
import fcntl, os, pty, re, select, struct, sys, termios, time
def size(columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
terminal, inner = pty.openpty()
size(200)
child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(inner, termios.TIOCSCTTY, 0)
    for stream in range(3):
        os.dup2(inner, stream)
    os.execv(os.environ["DANA"], ["dana", "filter", "-o", "cut.jsonl", "input"])
os.close(inner)
writer = os.open("input", os.O_WRONLY)
os.write(writer, open("plain.warc", "rb").read())
shown = b""
def read_until(pattern):
    global shown
    end = time.monotonic() + 20
    while not re.search(pattern, shown):
        left = end - time.monotonic()
        if left <= 0 or not select.select([terminal], [], [], left)[0]:
            sys.exit("not shown: %r in %r" % (pattern, shown))
        try:
            shown += os.read(terminal, 65536)
        except OSError:
            break
    assert re.search(pattern, shown), shown
read_until(rb"rec/s kept \d+ skipped \d+ damaged 0")
shown = b""
size(20)
read_until(rb"\x1b\[K[^\r]*kept \d+$")
assert b"rec/s" not in shown, shown
os.write(terminal, b"\x03")
read_until(rb"kB to cut.jsonl")
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 130
sys.stdout.buffer.write(shown)
END
	written=$(sed -n 's/.*dana filter: stopped: the first \([0-9]*\) pages are in cut.jsonl.part, each whole; --force starts over.*/\1/p' screen)
	[ "$(wc -l <cut.jsonl.part)" -eq "$written" ]
	[ ! -e cut.jsonl ]
}

@test "zstd outputs have level 3 where none is given" {
	for options in "-z zstd -o named" "-z zstd:3 -o third" "-o ending.jsonl.zst"; do
		# shellcheck disable=SC2086
		"$DANA" filter -q -m plain $options "$DANA_SOURCE/sample/sample.warc.gz"
	done
	"$DANA" filter -q -m plain -z zstd:1 -o first "$DANA_SOURCE/sample/sample.warc.gz"
	cmp named third
	cmp ending.jsonl.zst third
	[ "$(zstd -dcq third)" = "$(zstd -dcq first)" ]
	run cmp -s third first
	[ "$status" -ne 0 ]
}

@test "what workers read ahead gives the same outputs, rejects and counters, damage too" {
	for i in 1 2 3; do
		cat many.warc.gz
		[ "$i" != 2 ] || head -c 100000 "$golden/broken/in.warc.gz"
	done >mixed.warc.gz
	for name in out.jsonl out.warc; do
		for jobs in 0 2 5; do
			mkdir -p "$name.$jobs"
			(cd "$name.$jobs" && DANA_TEST_SPAN_SIZE=2000 run_filter 2 -v --type any --rejects --stats stats -j "$jobs" \
				-o "$name" ../mixed.warc.gz)
			sed -i -E 's/"(seconds|cpu_seconds|peak_rss_bytes)":[0-9.e+-]*//g' "$name.$jobs/stats"
			diff -r "$name.0" "$name.$jobs"
		done
	done
	grep -q damaged out.jsonl.0/err
}

@test "what workers read ahead keeps the names of records that a plugin drops later" {
	cat many.warc.gz many.warc.gz many.warc.gz >copies.warc.gz
	for jobs in 0 2 5; do
		rm -f texts
		DANA_TEST_SPAN_SIZE=2000 "$DANA" filter -q -m plain -j "$jobs" --rejects -o "out.$jobs.jsonl" --plugin dedup-exact:index=texts,small=0 \
			copies.warc.gz
		cmp out.0.jsonl "out.$jobs.jsonl"
		cmp out.0.jsonl.rejects.jsonl "out.$jobs.jsonl.rejects.jsonl"
	done
	grep -q '"reason":"plugin:dedup-exact"' out.0.jsonl.rejects.jsonl
}

@test "a report replaces no archive" {
	cp plain.warc other.warc
	for option in --stats --metrics; do
		filter_reports 3 "$option: other.warc is an archive; name a file for the report" "$option" other.warc plain.warc
	done
	cmp plain.warc other.warc
}
