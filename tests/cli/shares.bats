# SPDX-License-Identifier: MIT
# Many tasks over one list: dana filter --shard, --split-bytes, and dana stats merge.

load ../support/cli

setup() {
	golden=$DANA_SOURCE/tests/golden
	cd "$BATS_TEST_TMPDIR"
	cp "$golden/many/in.warc.gz" many.warc.gz
	cp "$golden/plain/in.warc" plain.warc
	cp "$golden/damaged/in.warc" damaged.warc
	printf '%s\n' many.warc.gz plain.warc damaged.warc >list
	unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_MAX SLURM_ARRAY_TASK_STEP PARALLEL_SEQ
}

@test "the shares of a list are its inputs, each once" {
	for n in 1 2 3 5; do
		rm -rf out && mkdir out
		for ((r = 0; r < n; r++)); do
			"$DANA" filter -q --damaged-ok -O out --stats "stats.$r" --shard "$r/$n" --list list
		done
		[ "$(ls out | tr '\n' ' ')" = "damaged.jsonl.zst many.jsonl.zst plain.jsonl.zst " ]
		"$DANA" stats merge $(seq -f stats.%.0f 0 $((n - 1))) >all
		[ "$(jq -c .done all)" = '["damaged.warc","many.warc.gz","plain.warc"]' ]
	done
}

@test "parts of files in shares: the same documents, and no share has more than a part above the others" {
	"$DANA" filter -q --damaged-ok --stats whole --list list >whole.jsonl
	for n in 1 2 3; do
		rm -rf out && mkdir out
		for ((r = 0; r < n; r++)); do
			"$DANA" filter -q --damaged-ok -O out --stats "stats.$r" --shard "$r/$n" --split-bytes 8K --list list
		done
		zstd -dcq out/*.zst | LC_ALL=C sort >got
		LC_ALL=C sort whole.jsonl | cmp - got
		"$DANA" stats merge $(seq -f stats.%.0f 0 $((n - 1))) >all
		for name in records documents text_chars skipped damaged problems methods bytes_in; do
			[ "$(jq -cS ".$name" all)" = "$(jq -cS ".$name" whole)" ] || { echo "$name, $n shares"; false; }
		done
		for ((r = 0; r < n; r++)); do jq .bytes_in "stats.$r"; done | sort -n >bytes
		[ $(($(tail -n 1 bytes) - $(head -n 1 bytes))) -le $((2 * 8192)) ]
	done
	[ "$(ls out | grep -c '^many[.][0-9]*[.]jsonl')" -eq 12 ]
}

@test "parts without shares, in threads: one output is that of the whole" {
	"$DANA" filter -q many.warc.gz >whole.jsonl
	"$DANA" filter -q --split-bytes 8K -o parts.jsonl many.warc.gz
	cmp whole.jsonl parts.jsonl
	"$DANA" filter -q --split-bytes 8K -O out -J 4 -z none many.warc.gz
	ls -v out/many.*.jsonl | xargs cat | cmp - whole.jsonl
}

@test "a file that is not there fails the share of its first part alone, and the same tasks do its parts later" {
	sed '1i gone.warc.gz' list >more
	"$DANA" filter -q --damaged-ok --list list | LC_ALL=C sort >whole
	tasks() {
		for r in 0 1 2; do
			sh "$DANA_SOURCE/share/task.sh" $r 3 more out --split-bytes 8K -z none 2>"err.$r" || echo -n "$r failed "
		done
	}
	export DANA
	[ "$(tasks)" = "0 failed " ]
	grep -q 'gone.warc.gz: No such file or directory' err.0
	for r in 1 2; do
		grep -q "gone.warc.gz: No such file or directory; share 0 of 3 fails by it" err.$r
		[ "$(jq .missing out/done/$r.json)" -eq 1 ]
	done
	run ! sh "$DANA_SOURCE/share/merge.sh" 3 out
	[[ $output == *"shares 0 of 3 are not done; the same command again does them" ]]
	find out -name '*.jsonl' ! -name '*.rejects.*' -exec cat {} + | LC_ALL=C sort | cmp - whole
	cp many.warc.gz gone.warc.gz
	"$DANA" filter -q --damaged-ok --list more --stats whole.json | LC_ALL=C sort >whole
	[ -z "$(tasks)" ]
	find out -name '*.jsonl' ! -name '*.rejects.*' -exec cat {} + | LC_ALL=C sort | cmp - whole
	sh "$DANA_SOURCE/share/merge.sh" 3 out
	[ "$(jq -c '[.records, .documents, .missing]' out/stats.json)" = "$(jq -c '[.records, .documents, null]' whole.json)" ]
	# Done meanwhile by others, a part is missing that no share reports.
	sed -i 's/"done"/"missing":1,"done"/' out/done/2.json
	run ! sh "$DANA_SOURCE/share/merge.sh" 3 out
	[[ $output == *"shares 2 of 3 are not done"* ]]
	# Without shares it fails the run.
	rm gone.warc.gz
	prints 1 '*gone.warc.gz: No such file or directory*' "$DANA" filter -q --damaged-ok -O one --split-bytes 8K --list more
}

@test "in a job array of Slurm the share of a list is that of the task, and it says so" {
	array="SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_MAX=30 SLURM_ARRAY_TASK_STEP=10 SLURM_ARRAY_TASK_COUNT=3"
	run -0 --separate-stderr env $array SLURM_ARRAY_TASK_ID=20 "$DANA" filter -q --stats stats --list list
	[ "$(jq -r .file <<<"$output" | sort -u)" = plain.warc ]
	[[ $stderr == *"this task takes share 1 of 3 of the inputs"*"--shard 0/1 takes all" ]]
	[ "$(jq -r .shard stats)" = 1/3 ]
	# By itself it is numbered from 0.
	SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=3 "$DANA" filter -q --stats stats --list list >/dev/null
	[ "$(jq -c '[.shard, .done]' stats)" = '["1/3",["plain.warc"]]' ]
	# All shares together are the list, each input once.
	for task in 10 20 30; do
		env $array SLURM_ARRAY_TASK_ID=$task "$DANA" filter -q --damaged-ok --stats "s.$task" --list list 2>/dev/null
	done | LC_ALL=C sort >got
	"$DANA" filter -q --damaged-ok --list list | LC_ALL=C sort | cmp - got
	[ "$("$DANA" stats merge s.10 s.20 s.30 | jq -c '[.shard, (.done | length)]')" = '[null,3]' ]
}

@test "in a job array an option, an input without a list, and a range take what they say, without a word" {
	export SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=3
	run --separate-stderr "$DANA" filter -q --damaged-ok --shard 0/1 --stats stats --list list
	[ "$status" -eq 0 ] && [ -z "$stderr" ]
	[ "$(jq -c '[.shard, (.done | length)]' stats)" = '["0/1",3]' ]
	run --separate-stderr "$DANA" filter -q --stats stats plain.warc many.warc.gz
	[ "$status" -eq 0 ] && [ -z "$stderr" ]
	[ "$(jq -c '[.shard, (.done | length)]' stats)" = '[null,2]' ]
	run --separate-stderr "$DANA" filter -q --shard 2/3 --stats stats --list list
	[[ $stderr != *"this task"* ]]
	[ "$(jq -r .shard stats)" = 2/3 ]
	echo many.warc.gz >one
	"$DANA" filter -q --range 0-9000 --list one 2>err >/dev/null
	[ ! -s err ]
}

@test "an array with holes has no shares" {
	array="SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=3"
	prints 3 "*expected --shard R/N, or --shard 0/1*" env $array SLURM_ARRAY_TASK_ID=3 "$DANA" filter --list list
	prints 3 "*has holes*" env SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_ID=3 "$DANA" filter --list list
	array="SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=4 SLURM_ARRAY_TASK_COUNT=3"
	prints 3 "*has holes*" env $array SLURM_ARRAY_TASK_ID=3 "$DANA" filter --list list
	# Without a number of tasks it is no share.
	[ "$(SLURM_ARRAY_TASK_ID=3 "$DANA" filter -q --damaged-ok --list list | jq -r .file | sort -u | wc -l)" -eq 3 ]
}

@test "the number of the share comes from GNU parallel" {
	[ "$(PARALLEL_SEQ=2 "$DANA" filter -q --shard auto/3 --list list | jq -r .file | sort -u)" = plain.warc ]
	prints 3 "*PARALLEL_SEQ*" "$DANA" filter --shard auto/3 --list list
	prints 3 "*is not a share*" env PARALLEL_SEQ=4 "$DANA" filter --shard auto/3 --list list
	for bad in 3/3 1 /3 1/ 1/0 x/2 -1/2 1/2/3 auto; do
		prints 3 "*--shard: '$bad' is not a share*" "$DANA" filter --shard "$bad" --list list
	done
}

@test "an empty share is done" {
	"$DANA" filter -q -O out --stats stats --shard 4/5 --list list
	[ -z "$(ls out)" ]
	[ "$(jq -c .done stats)" = '[]' ]
	# Others like it may run meanwhile: they share no journal, whose name is the hash of no outputs.
	mkdir "out/.dana-$(printf '' | sha256sum | cut -c 1-16).state"
	"$DANA" filter -q -O out --resume --shard 4/5 --list list
}

@test "parts are not cut of what has no size, nor with ranges, indexes and folders that are watched" {
	prints 3 "*the size of - is not known*" "$DANA" filter --split-bytes 1K -
	prints 3 "*the size of http://127.0.0.1:1/a.warc is not known*" "$DANA" filter --split-bytes 1K http://127.0.0.1:1/a.warc
	prints 3 "*expected no --watch*" "$DANA" filter --shard 0/2 --range 0-9 plain.warc
}

@test "a range in the list is cut within its ends" {
	"$DANA" filter -q many.warc.gz@20000-60000 >want
	"$DANA" filter -q --split-bytes 9000 --stats stats many.warc.gz@20000-60000 | cmp - want
	[ "$(jq -r '.done | join(" ")' stats)" = "many.warc.gz@20000-29000 many.warc.gz@29000-38000 many.warc.gz@38000-47000 many.warc.gz@47000-56000 many.warc.gz@56000-60000" ]
}

@test "done names what was read to its end, also after --resume" {
	"$DANA" filter -q --stats stats -o a.jsonl gone.warc plain.warc || [ $? -eq 1 ]
	[ "$(jq -c .done stats)" = '["plain.warc"]' ]
	"$DANA" filter -q --stats stats -O out plain.warc gone.warc || [ $? -eq 1 ]
	cp plain.warc gone.warc
	"$DANA" filter -q --stats stats -O out --resume plain.warc gone.warc
	[ "$(jq -c .done stats)" = '["plain.warc","gone.warc"]' ]
}

@test "stats merge adds up, takes the largest memory, and its output is its input" {
	"$DANA" filter -q --plugin dedup-lines:memory=1M --stats one many.warc.gz >/dev/null
	"$DANA" filter -q --plugin dedup-lines:memory=1M --damaged-ok --stats two plain.warc damaged.warc >/dev/null
	"$DANA" stats merge one two >all
	[ "$(wc -l <all)" -eq 1 ]
	for name in documents seconds; do
		jq -e -s ".[0].$name + .[1].$name - .[2].$name | fabs < 0.0015" one two all
	done
	jq -e -s '[.[0].peak_rss_bytes, .[1].peak_rss_bytes] | max == $all[0].peak_rss_bytes' --slurpfile all all one two
	jq -e -s '(.[0].plugins["dedup-lines"] | keys) == ($all[0].plugins["dedup-lines"] | keys)' --slurpfile all all one
	"$DANA" stats merge all | cmp - all
	cat one two | "$DANA" stats merge - | jq -S 'del(.seconds, .cpu_seconds)' >joined
	jq -S 'del(.seconds, .cpu_seconds)' all | cmp - joined
}

@test "stats merge refuses an input or a part that two runs have read, and what --stats has not written" {
	"$DANA" filter -q --stats one plain.warc@0-9000 >/dev/null
	"$DANA" filter -q --stats two plain.warc@8000- >/dev/null
	"$DANA" filter -q --stats three plain.warc@9000- >/dev/null
	"$DANA" filter -q --stats four plain.warc >/dev/null
	"$DANA" stats merge one three
	prints 3 "*one and two have both read plain.warc from byte 8000 on*" "$DANA" stats merge one two
	prints 3 "*have both read plain.warc*" "$DANA" stats merge four three
	prints 3 "*have both read plain.warc*" "$DANA" stats merge four four
	for text in '{"records":1}' '{"done":[]}' '[]' 'x' '' '{"records":1,"done":[1]}' '{"records":-1,"done":[]}' '{"records":1,"done":[],"x":"y"}'; do
		echo "$text" >bad
		run -1 "$DANA" stats merge one bad
		[[ $output == "dana stats: bad: "* ]] || { echo "$text: $output"; false; }
	done
	run -1 "$DANA" stats merge one nowhere
	prints 3 "*expected dana stats merge|report*" "$DANA" stats sum one
	run -3 "$DANA" stats merge
}

@test "stats merge names the shares that are missing, and what it prints can be merged with them" {
	for i in $(seq 0 9); do
		cp plain.warc "c$i.warc"
		echo "c$i.warc"
	done >copies
	for i in $(seq 0 9); do
		"$DANA" filter -q --shard "$i/10" --stats "s$i" --list copies >/dev/null
	done
	run -0 --separate-stderr "$DANA" stats merge s?
	[ -z "$stderr" ]
	[ "$(jq -c '[.shard, .shards, (.done | length)]' <<<"$output")" = '[null,null,10]' ]
	echo "$output" >all
	missing() { # FILES, NUMBER, NAMES
		run -1 --separate-stderr "$DANA" stats merge $1
		[ "$stderr" = "dana stats: $2 missing, so that these are not the sums of all: $3" ] || { echo "$1: $stderr"; false; }
		echo "$output" >part
	}
	for share in $(seq 0 9); do # each one
		missing "$(ls s? | grep -v "s$share" | tr '\n' ' ')" "1 share is" "$share/10"
		[ "$(jq '.done | length' part)" -eq 9 ]
		"$DANA" stats merge part "s$share" >whole
		jq -S 'del(.seconds, .cpu_seconds)' all >wanted
		jq -S 'del(.seconds, .cpu_seconds)' whole | cmp - wanted
	done
	missing "s0" "9 shares are" "1/10, 2/10, 3/10, 4/10, 5/10, ..."
	missing "s9" "9 shares are" "0/10, 1/10, 2/10, 3/10, 4/10, ..."
	missing "s3 s4 s5 s6 s8" "5 shares are" "0/10, 1/10, 2/10, 7/10, 9/10"
	# In a tree: two halves, neither of which is whole.
	missing "s0 s2 s4 s6 s8" "5 shares are" "1/10, 3/10, 5/10, 7/10, 9/10"
	cp part even
	[ "$(jq -c .shards even)" = '["0/10","2/10","4/10","6/10","8/10"]' ]
	missing "s1 s3 s5 s7 s9" "5 shares are" "0/10, 2/10, 4/10, 6/10, 8/10"
	"$DANA" stats merge part even | jq -S 'del(.seconds, .cpu_seconds)' | cmp - wanted
	# Beside runs without shares, and beside those of another number.
	"$DANA" filter -q --stats other many.warc.gz >/dev/null
	"$DANA" stats merge other s? | jq -e '.done | length == 11'
	"$DANA" filter -q --shard 0/2 --stats two many.warc.gz >/dev/null
	missing "two $(echo s?)" "1 share is" "1/2"
	"$DANA" filter -q --shard 0/1 --stats one many.warc.gz >/dev/null
	"$DANA" stats merge one s? | jq -e '.done | length == 11'
	"$DANA" filter -q --shard 0/4294967295 --stats most many.warc.gz >/dev/null
	missing "most" "4294967294 shares are" "1/4294967295, 2/4294967295, 3/4294967295, 4/4294967295, 5/4294967295, ..."
}

@test "stats merge refuses a file that is damaged" {
	"$DANA" filter -q --plugin dedup-lines:memory=1M --damaged-ok --shard 0/1 --stats good plain.warc damaged.warc >/dev/null
	"$DANA" stats merge good >/dev/null
	refuse() { # WHY, then the file in `bad`
		run -1 "$DANA" stats merge bad
		[[ $output == "dana stats: bad: "* ]] || { echo "$1: $output"; false; }
	}
	local i n change
	n=$(($(wc -c <good) - 2))
	for i in $(seq 1 7 $n); do
		head -c "$i" good >bad
		refuse "cut after $i"
	done
	while read -r change; do
		jq -c "$change" good >bad
		! cmp -s good bad
		refuse "$change"
	done <<-'END'
		.records += 1
		.documents -= 1
		.documents += 1 | .records += 1 | .skipped.status -= 9
		.skipped.type = -1
		.skipped.type += 1
		.damaged = {}
		.damaged.truncated = 1e3
		.damaged.nothing = 0
		.problems.bad_http = 1e9
		.problems.bad_html = 1
		.problems = null
		.methods.learned += 1
		.methods = {"lerned": 1}
		.methods = []
		.inputs = "2"
		.inputs = 2.5
		.inputs = {}
		.bytes_in = -5
		.bytes_out = 18446744073709551616
		.text_chars = null
		.text_chars = true
		del(.bytes_decoded)
		del(.skipped)
		del(.http_retries)
		.docvments = 7
		.http_retries = 1
		.seconds = -0.5
		.seconds = 1
		.cpu_seconds = "0.5"
		.peak_rss_bytes = 1.5
		.plugins = 1
		.plugins["dedup-lines"] = [1]
		.plugins["dedup-lines"].lines = "1"
		.shard = "1/1"
		.shard = "0/0"
		.shard = "-1/2"
		.shard = "auto/2"
		.shard = "0/1 "
		.shard = 0
		.shards = "0/1"
		.shards = ["0/1", 1]
		.done = {}
		.done = [""]
		.done = [null]
		.done = [.done]
		[.]
		.records
	END
	sed 's/"records":/"records":0,"records":/' good >bad
	refuse "a member twice"
	{ cat good; head -c 200 good; } >bad
	refuse "a second line that is cut"
	{ cat good; echo; } >bad
	refuse "a line without anything"
	tr 0-9 ' ' <good >bad
	refuse "no digits"
	sed 's/:\([0-9]\)/:0\1/' good >bad
	refuse "a number that begins with 0"
}

@test "--metrics is what --stats says at the end, and stands there while the run goes on" {
	"$DANA" filter -q --damaged-ok --plugin url:block=/dev/null --stats stats --metrics metrics -O out -J 2 --list list
	value() { sed -n "s/^$1 //p" metrics; }
	[ "$(value dana_over)" = 1 ]
	for pair in inputs:inputs input_bytes:bytes_in decoded_bytes:bytes_decoded records:records documents:documents \
		text_chars:text_chars output_bytes:bytes_out; do
		[ "$(value "dana_${pair%:*}_total")" = "$(jq ".${pair#*:}" stats)" ] || { echo "$pair"; false; }
	done
	[ "$(value 'dana_skipped_records_total{reason="type"}')" = "$(jq .skipped.type stats)" ]
	[ "$(value 'dana_damaged_records_total{reason="bad_head"}')" = "$(jq .damaged.bad_head stats)" ]
	[ "$(value 'dana_skipped_records_total{reason="plugin:url"}')" = 0 ]
	[ -z "$(grep -vE '^(# (HELP|TYPE) dana_[a-z_]+ .+|dana_[a-z_]+(\{[a-z]+="[a-z0-9_:.]+"\})? [0-9.]+)$' metrics)" ]
	[ ! -e metrics.new ]
	mkfifo slow
	"$DANA" filter -q -j 0 --metrics under-way - <slow >/dev/null 3>&- &
	exec 9>slow
	cat plain.warc >&9
	for try in $(seq 150); do
		grep -qs '^dana_documents_total [1-9]' under-way && break
		sleep 0.2
	done
	grep -qx 'dana_over 0' under-way
	[ "$(sed -n 's/^dana_documents_total //p' under-way)" -gt 5 ]
	exec 9>&-
	wait $!
	grep -qx 'dana_over 1' under-way
}

@test "--metrics goes on from what an earlier run has counted" {
	"$DANA" filter -q -O out many.warc.gz gone.warc || [ $? -eq 1 ]
	cp plain.warc gone.warc
	"$DANA" filter -q -O out --resume --stats stats --metrics metrics many.warc.gz gone.warc
	grep -qx "dana_documents_total $(jq .documents stats)" metrics
	[ "$(jq .inputs stats)" -eq 2 ]
}

@test "--metrics cannot be a device, an input, or a file of another output" {
	for path in /dev/null out nowhere/x; do
		mkdir -p out
		prints 1 "dana filter: --metrics: $path*" "$DANA" filter --metrics "$path" plain.warc
	done
	run -3 "$DANA" filter --metrics plain.warc plain.warc
	prints 3 "*--metrics a.jsonl is a file of the output a.jsonl*" "$DANA" filter -o a.jsonl --metrics a.jsonl plain.warc
	prints 3 "*--metrics ./s is a file of the output s*" "$DANA" filter --stats s --metrics ./s plain.warc
}
