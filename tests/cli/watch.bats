# SPDX-License-Identifier: MIT
# dana filter --watch: archives of a folder are done as they are finished, each once, also over restarts.

load ../support/cli

setup() {
	golden=$DANA_SOURCE/tests/golden
	cd "$BATS_TEST_TMPDIR"
	mkdir in elsewhere
	WATCH=
	for i in $(seq 20); do cat "$golden/many/in.warc.gz"; done >many.warc.gz
	cp "$golden/plain/in.warc" plain.warc
}

teardown() {
	[ -z "$WATCH" ] || kill -KILL "$WATCH" 2>kill.err || :
}

# An archive that nobody has touched for long.
old() {
	cp "$1" "elsewhere/${2##*/}"
	touch -d '1 hour ago' "elsewhere/${2##*/}"
	mv "elsewhere/${2##*/}" "$2"
}

# watch ARGUMENTS...: begins; standard error is appended to `err`.
watch() {
	"$DANA" filter -m plain --watch in -O out "$@" 2>>err 3>&- &
	WATCH=$!
}

# wait_for TEST...: until `test TEST...` is true, at most for a minute.
wait_for() {
	for ((i = 0; i < 1200; i++)); do
		test "$@" && return
		kill -0 "$WATCH" || break
		sleep 0.05
	done
	echo "waited for nothing: $*"
	cat err
	ls -la in out
	return 1
}

# end SIGNAL STATUS
end() {
	kill -"$1" "$WATCH"
	ends "$2" "$WATCH"
	WATCH=
}

# The folder `out` holds what a run over these inputs makes, and nothing else.
same_as_batch() {
	"$DANA" filter -m plain -q --damaged-ok -O whole "$@"
	diff -r out whole
}

@test "archives that are there, that come, and that get their name are done once" {
	old many.warc.gz in/a.warc.gz
	old plain.warc in/b.warc
	ln -s ../plain.warc in/f.warc # a later one could not lead out of the folder
	watch
	wait_for -e out/a.jsonl.zst
	wait_for -e out/b.jsonl.zst
	old many.warc.gz in/c.warc.gz
	wait_for -e out/c.jsonl.zst
	# Heritrix: written under another name, which goes when the file is complete.
	cp many.warc.gz in/d.warc.gz.open
	mv in/d.warc.gz.open in/d.warc.gz
	ln in/b.warc in/e.arc
	ln -s b.warc in/g.warc
	for name in d e f g; do wait_for -e out/$name.jsonl.zst; done
	end TERM 143
	same_as_batch in/*
	grep -q 'stopped: .* pages .* out; the same command continues' err
}

@test "names of files under way, growing files, and folders are left alone" {
	mkdir -p in/folder.warc in/below
	old many.warc.gz in/below/x.warc.gz
	for name in a.warc.gz.open a.warc.gz.part a.warc.gz.tmp .a.warc.gz a.warc.gz.Xy12 a.cdx a.jsonl; do old plain.warc "in/$name"; done
	old many.warc.gz in/held.warc.gz
	exec 7>>in/held.warc.gz
	touch -d '1 hour ago' in/held.warc.gz
	: >in/grows.warc.gz
	while [ ! -e enough ]; do
		head -c 100 many.warc.gz >>in/grows.warc.gz
		sleep 0.1
	done 3>&- 7>&- &
	local grower=$!
	watch 7>&-
	old plain.warc in/z1.warc
	wait_for -e out/z1.jsonl.zst
	# The folder was looked at; once more, by another event.
	old plain.warc in/z2.warc
	wait_for -e out/z2.jsonl.zst
	[ "$(ls out)" = "$(printf 'z1.jsonl.zst\nz2.jsonl.zst')" ]
	touch enough
	wait $grower
	cp many.warc.gz in/grows.warc.gz
	touch -d '1 hour ago' in/grows.warc.gz
	exec 7>&-
	wait_for -e out/held.jsonl.zst
	wait_for -e out/grows.jsonl.zst
	end INT 130
	same_as_batch in/z1.warc in/z2.warc in/held.warc.gz in/grows.warc.gz
	! grep -q 'left alone' err
}

@test "a run that is killed at any time knows after a restart what was done" {
	for i in 1 2 3; do old many.warc.gz "in/m$i.warc.gz"; done
	old plain.warc in/p.warc
	export DANA_TEST_READ_SIZE=5
	# It reads slowly, so as not to be over when it is killed.
	for name in m1 m2 m3; do
		watch -j 1 -z none --rejects --checkpoint-bytes 10K -J 1
		wait_for -s "out/$name.jsonl.part" -o -e "out/$name.jsonl"
		end KILL 137
	done
	unset DANA_TEST_READ_SIZE
	cp --preserve=timestamps out/m1.jsonl m1
	watch -z none --rejects
	for name in m2 m3 p; do wait_for -e "out/$name.jsonl"; done
	end TERM 143
	[ ! out/m1.jsonl -nt m1 ]
	rm -rf whole
	"$DANA" filter -m plain -q --rejects -O whole -z none in/*
	diff -r out whole
}

@test "a signal leaves a checkpoint, and --resume changes nothing" {
	old many.warc.gz in/a.warc.gz
	DANA_TEST_READ_SIZE=5 watch -j 1 -z none --checkpoint-bytes 10K
	wait_for -s out/a.jsonl.part
	end TERM 143
	[ -s out/a.jsonl.part ]
	[ -s out/a.jsonl.state ]
	[ ! -e out/a.jsonl ]
	watch -z none --resume --stats stats
	wait_for -e out/a.jsonl
	end INT 130
	same_as_batch -z none in/a.warc.gz
	grep -q '"inputs":1,' stats
	# What was done is counted by nobody else.
	watch -z none --stats stats
	old plain.warc in/b.warc
	wait_for -e out/b.jsonl
	end TERM 143
	grep -q '"inputs":1,' stats
	grep -q '1 output in out was complete already' err
	watch -z none --force
	wait_for out/a.jsonl -nt in/b.warc
	end TERM 143
}

@test "several inputs at once give the same bytes" {
	for i in 1 2 3 4 5; do old many.warc.gz "in/m$i.warc.gz"; done
	watch -J 3 -f warc -z gzip
	for i in 1 2 3 4 5; do wait_for -e "out/m$i.warc.gz"; done
	end TERM 143
	"$DANA" filter -m plain -q -f warc -z gzip -O whole in/*
	diff -r out whole
}

@test "what is wrong with one file does not end the run" {
	echo 'no archive' >text
	old text in/a.warc
	old plain.warc 'in/b d.warc'
	old plain.warc in/c.warc
	old many.warc.gz in/c.warc.gz
	old "$golden/broken/in.warc.gz" in/d.warc.gz
	watch
	for name in a 'b d' c d; do wait_for -e "out/$name.jsonl.zst"; done
	old plain.warc in/e.warc
	wait_for -e out/e.jsonl.zst
	end TERM 143
	grep -q 'in/a.warc: .*not_an_archive' err
	grep -q 'in/c.warc.gz is left alone: in/c.warc is what out/c.jsonl.zst is made of' err
	[ "$(grep -c 'left alone' err)" -eq 1 ]
	same_as_batch in/a.warc 'in/b d.warc' in/c.warc in/d.warc.gz in/e.warc
}

@test "an output of other options is refused, and the next file is done" {
	old many.warc.gz in/a.warc.gz
	DANA_TEST_READ_SIZE=5 watch -j 1 -z none --checkpoint-bytes 10K
	wait_for -s out/a.jsonl.part
	end TERM 143
	old plain.warc in/b.warc
	watch -z none --min-chars 7
	wait_for -e out/b.jsonl
	end TERM 143
	grep -q 'a.jsonl cannot be resumed: .*min-chars was 1, and is 7 now' err
	[ -s out/a.jsonl.part ]
}

@test "a file that changes after all is told of" {
	old many.warc.gz in/a.warc.gz
	DANA_TEST_READ_SIZE=5 watch -j 1
	wait_for -e out/a.jsonl.zst.part
	touch in/a.warc.gz
	wait_for -e out/a.jsonl.zst
	old plain.warc in/b.warc
	wait_for -e out/b.jsonl.zst
	end TERM 143
	grep -q 'in/a.warc.gz changed after it seemed finished: remove out/a.jsonl.zst' err
}

@test "the run ends when the folder goes, after what was found in it" {
	old plain.warc in/a.warc
	watch
	wait_for -e out/a.jsonl.zst
	rm -r in
	ends 1 "$WATCH"
	WATCH=
	grep -q -e '--watch: in: No such file or directory' err
}

@test "without events of the system the folder is looked into all the same" {
	command -v strace >/dev/null || skip "strace is not installed"
	# Leaks cannot be looked for in a program that is traced.
	ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 strace -f -qq -o trace -e trace=inotify_add_watch -e inject=inotify_add_watch:error=ENOSPC \
		"$DANA" filter -m plain --watch in -O out 2>err 3>&- &
	WATCH=$!
	wait_for -s err
	grep -q 'the system does not report new files (.*): looks every 2 seconds instead' err || skip "strace cannot inject faults here"
	old plain.warc in/a.warc
	wait_for -e out/a.jsonl.zst
	kill -TERM "$(pgrep -P "$WATCH")"
	ends 143 "$WATCH"
	WATCH=
}

@test "wrong usage of --watch" {
	while IFS='|' read -r wanted arguments message; do
		run "$DANA" filter --watch $arguments
		[ "$status" -eq "$wanted" ]
		[ "${#lines[@]}" -eq 1 ]
		[[ $output == *"$message"* ]]
	done <<-'END'
		3|in|--watch needs --output-dir DIR
		3|in -o out.jsonl|--watch needs --output-dir DIR
		3|in -O out plain.warc|--watch takes the archives of its folder; give no INPUT besides
		3|in -O out --list plain.warc|--watch excludes --list and --cdx; give one of them
		3|in -O out --cdx plain.warc|--watch excludes --list and --cdx; give one of them
		3|in -O in -f warc|--watch and --output-dir name one folder
		1|missing -O out|--watch: missing: No such file or directory
		1|plain.warc -O out|--watch: plain.warc: Not a directory
	END
	if "$DANA" plugins | grep -q '^dedup-exact'; then
		prints 3 '*--watch excludes the plugin dedup-exact*' "$DANA" filter --watch in -O out --plugin dedup-exact
	fi
}
