# SPDX-License-Identifier: MIT
# Records that an index names (--cdx): fetched as ranges, joined where they are near, written in the order of the index.

load ../support/cli
load ../support/fault_server

setup_file() {
	need_fault_server
	cd "$BATS_FILE_TMPDIR"
	mkdir www
	local golden=$DANA_SOURCE/tests/golden
	cp "$golden/many/in.warc.gz" www/a.warc.gz
	cp "$golden/many/in.warc.gz" www/b.warc.gz
	# Large enough that pieces of it are far apart.
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
		cat "$golden/many/in.warc.gz"
	done >www/large.warc.gz
	cp www/large.warc.gz www/broken.warc.gz
	cp www/large.warc.gz www/whole.warc.gz
	cp www/large.warc.gz www/held.warc.gz
	cp www/a.warc.gz www/gone.warc.gz
	cat >plan <<-'END'
	{
	"/broken.warc.gz": [{"cut": 100}, {"status": 503}, {"reset": 5}, {"range": 3}, {"limit": 7}],
	"/whole.warc.gz": [{"whole": 1}, "repeat"],
	"/held.warc.gz": [{"stall": 40000}],
	"/gone.warc.gz": [{}, {"status": 404}, "repeat"]
	}
	END
	for form in cdxj cdx11 cdx9; do
		for sort in key place; do
			index $form --sort $sort --every 7 large.warc.gz >large.$form.$sort
		done
	done
	cp large.cdxj.key www/
	start_fault_server
}

teardown_file() {
	stop_fault_server
}

setup() {
	cd "$BATS_FILE_TMPDIR"
	base=http://127.0.0.1:$port/ filter_options='--stats stats'
	: >log
}

# index FORM OPTIONS... NAME...: of files of the server
index() {
	local -a arguments=()
	for word; do
		case $word in
		*.gz) arguments+=("$word=www/$word") ;;
		*) arguments+=("$word") ;;
		esac
	done
	python3 "$DANA_SOURCE/tests/support/make_cdx.py" "${arguments[@]}"
}

# told WORDS LINES: so many lines of standard error tell of it
told() {
	[ "$(grep -c -- "$1" err)" -eq "$2" ] || { echo "not $2 times: $1"; cat err; return 1; }
}

# in_order INDEX: the documents are those that the index names and that are documents, in its order
in_order() {
	"$DANA" filter -q www/large.warc.gz | jq -r .url | sort -u >documents
	grep -o 'http://example.org/[0-9]*' "$1" | grep -Fx -f documents >wanted
	jq -r .url out | cmp - wanted
}

@test "the records of an index, in its order, from files and from a server" {
	for form in cdxj cdx11 cdx9; do
		for sort in key place; do
			run_filter 0 --cdx large.$form.$sort --base www/
			in_order large.$form.$sort
			sed 's/"file":"[^"]*"//' out >local
			for jobs in 0 2; do
				run_filter 0 -j $jobs --cdx large.$form.$sort --base "$base"
				sed 's/"file":"[^"]*"//' out | cmp - local
			done
		done
	done
}

@test "offsets and lengths are those of the file" {
	run_filter 0 --cdx large.cdxj.place --base "$base"
	"$DANA" filter www/large.warc.gz | jq -c '[.offset,.length,.text]' >whole
	jq -c '[.offset,.length,.text]' out | while read -r line; do
		grep -Fxq -- "$line" whole
	done
	[ "$(head -1 out | jq -r .file)" = "${base}large.warc.gz" ]
	[ "$(jq .inputs stats)" -eq 1 ]
}

@test "only what is wanted is fetched, and what lies between near pieces" {
	# Every 60th record is farther from the next one than what is joined.
	index cdx11 --every 200 large.warc.gz >far
	run_filter 0 --cdx far --base "$base"
	local wanted
	wanted=$(awk 'NR > 1 { sum += $9 } END { print sum }' far)
	[ "$(jq .bytes_fetched stats)" -eq "$wanted" ]
	[ "$(jq -s 'map(.sent) | add' log)" -eq "$wanted" ]
	[ "$(wc -l <log)" -eq "$(($(wc -l <far) - 1))" ]
	# Nearer ones are fetched with what lies between.
	index cdx11 --sort key --every 3 --from 1 large.warc.gz | head -40 >near
	run_filter 0 --cdx near --base "$base"
	[ "$(wc -l <log)" -lt 40 ]
}

@test "where most of a file is wanted one request reads it" {
	index cdxj --sort key large.warc.gz >all
	run_filter 0 --cdx all --base "$base"
	[ "$(jq .http_requests stats)" -eq 1 ]
	in_order all
}

@test "a connection that breaks loses and doubles nothing" {
	index cdxj --sort key --every 7 broken.warc.gz >broken
	run_filter 0 -v --cdx broken --base "$base"
	in_order broken
	[ "$(grep -c 'trying again' err)" -eq 4 ]
}

@test "a server that knows no ranges is asked once" {
	index cdxj --every 200 whole.warc.gz >far
	run_filter 0 --cdx far --base "$base"
	in_order far
	[ "$(wc -l <log)" -le 2 ]
}

@test "a file that is not there: the records of the others" {
	index cdxj --every 9 a.warc.gz b.warc.gz >three
	sed 's/a\.warc/missing.warc/' three >missing
	run_filter 1 --cdx missing --base "$base"
	[ "$(grep -c '^dana: ' err)" -eq 1 ]
	grep -q "^dana: ${base}missing.warc.gz: status 404 (not found)$" err
	jq -e -s 'length > 3 and all(.file | endswith("b.warc.gz"))' out >/dev/null
	run_filter 1 --cdx missing --base www/
	[ "$(grep -c '^dana: ' err)" -eq 1 ]
	jq -e -s 'length > 3 and all(.file | endswith("b.warc.gz"))' out >/dev/null
}

@test "a file that goes away: its output is not complete" {
	index cdxj --every 20 gone.warc.gz >gone
	sed -i -e '$!d' -e 'h;p;x;s/"offset": "[0-9]*"/"offset": "90000"/;s/"length": "[0-9]*"/"length": "10"/' gone
	rm -f gone.jsonl*
	sed -n 1p gone >first
	index cdxj --from 3 --every 1000 gone.warc.gz >>first
	run_filter 1 -o gone.jsonl --retry-time 0 --cdx first --base "$base" --connections 1
	[ -e gone.jsonl.part ] || [ -e gone.jsonl ]
}

@test "with -O each file has an output, and its records the order of the index" {
	index cdxj --sort key --every 3 a.warc.gz b.warc.gz >two
	rm -rf apart
	for jobs in 1 2; do
		run_filter 0 --force -O apart -z none -J $jobs --cdx two --base "$base"
		[ "$(ls apart)" = "$(printf '%s\n' a.jsonl b.jsonl)" ]
		"$DANA" filter -q www/a.warc.gz | jq -r .url | sort -u >documents
		for name in a b; do
			grep "\"$name.warc.gz\"" two | grep -o 'http://example.org/[0-9]*' | grep -Fx -f documents >wanted
			jq -r .url apart/$name.jsonl | cmp - wanted
		done
	done
}

@test "an index comes compressed, in parts, from a server, from standard input" {
	run_filter 0 --cdx large.cdxj.key --base "$base"
	cp out once
	(head -20 large.cdxj.key | gzip; tail -n +21 large.cdxj.key | gzip) >www/cdx-00000.gz
	run_filter 0 --cdx "${base}cdx-00000.gz" --base "$base"
	cmp out once
	run_filter 0 --cdx - --base "$base" <www/cdx-00000.gz
	cmp out once
	head -20 large.cdxj.key | gzip >www/cdx-00001.gz
	tail -n +21 large.cdxj.key | gzip >www/cdx-00002.gz
	printf '%s\n' cdx-00001.gz cdx-00002.gz cluster.idx metadata.yaml | gzip >www/cc-index.paths.gz
	run_filter 0 --cdx "${base}cc-index.paths.gz" --base "$base"
	cmp out once
	run_filter 0 --cdx www/cdx-00001.gz --cdx www/cdx-00002.gz --base "$base"
	cmp out once
}

@test "--cdx-match takes lines by their fields" {
	run_filter 0 --cdx large.cdxj.key --base www/ --cdx-match url=example.org/1
	jq -e -s 'length > 0 and all(.url | startswith("http://example.org/1"))' out >/dev/null
	run_filter 0 --cdx large.cdxj.key --base www/ --cdx-match url=example.org/1 --cdx-match 'status=40*|500'
	[ ! -s out ]
	grep -q -- '--cdx: no record of the index is wanted' err
	run_filter 0 --cdx large.cdxj.key --base www/ --cdx-match languages=eng --cdx-match 'mime=text/*'
	[ -s out ]
	for bad in mime =x url=; do
		run_filter 3 --cdx large.cdxj.key --cdx-match "$bad"
	done
	run_filter 3 --cdx-match mime=x www/a.warc.gz
	run_filter 3 --cdx large.cdxj.key www/a.warc.gz
}

@test "lines that cannot be read are told, and status 1" {
	(echo 'one two three'; cat large.cdxj.key; echo 'k 2024 {"offset":') >bad
	filter_reports 1 '^dana filter: --cdx: bad: 2 lines cannot be read; the first is line 1: expected CDXJ' --cdx bad --base www/
	in_order large.cdxj.key
	filter_reports 1 '^dana filter: --cdx: nowhere: ' --cdx nowhere
}

# both STATUS INDEX: from files and from a server the same documents, rejects and counters come, without workers and with some
both() {
	rm -f both both.*
	run_filter "$1" --rejects -o both --cdx "$2" --base www/
	sed 's/"file":"[^"]*"//' both both.rejects.jsonl >both.first
	jq -S '[.records, .documents, .damaged, .inputs]' stats >both.stats
	for jobs in 0 2; do
		run_filter "$1" --force --rejects -j $jobs -o both --cdx "$2" --base "$base"
		sed 's/"file":"[^"]*"//' both both.rejects.jsonl | cmp - both.first
		jq -S '[.records, .documents, .damaged, .inputs]' stats | cmp - both.stats
	done
}

@test "a line of bytes that are no index costs that line, wherever it is" {
	local -a bad=('\xef\xbb\xbf{}' '\0\0' word 'k 2024' 'k 2024 {"filename":"a","offset":-1}' 'k 2024 {"filename":"a","offset":"1e3"}'
		'k 2024 {"filename":"a","offset":1,"length":1.5}' 'k 2024 {"filename":"a","offset":1,"length":"-5"}'
		'k 2024 {"filename":"a","offset":9223372036854775807,"length":1}' 'k 2024 {"filename":"a\xff","offset":1}'
		'k 2024 {"filename":"a",\0"offset":1}' 'k 2024 {"offset":1,"length":1}' 'k 2024 {"filename":"a","offset":1} x')
	head -20 large.cdxj.key >good
	run_filter 0 --cdx good --base www/
	cp out once
	for line in "${bad[@]}"; do
		for after in 0 7 20; do
			(head -n $after good; printf "$line\r\n"; tail -n +$((after + 1)) good | head -c -1) >bad
			run_filter 1 --cdx bad --base www/
			told "^dana filter: --cdx: bad: 1 line cannot be read; the first is line $((after + 1)): " 1
			cmp out once
		done
	done
}

@test "a line that is too long, or what a cut index lacks, costs no line before" {
	run_filter 0 --cdx large.cdxj.key --base www/
	cp out once
	local long=$BATS_TEST_TMPDIR/long
	head -c 70000 /dev/zero | tr '\0' x >$long
	(head -3 large.cdxj.key; cat $long; echo; tail -n +4 large.cdxj.key; cat $long) >bad
	for name in bad bad.gz bad.zst; do
		[ -e $name ] || case $name in *gz) gzip -k bad ;; *) zstd -q bad ;; esac
		run_filter 1 --cdx $name --base www/
		told "^dana filter: --cdx: $name: 2 lines cannot be read; the first is line 4: it has more than 64K$" 1
		cmp out once
	done
	(gzip -c large.cdxj.key; gzip -c large.cdxj.key | head -c 300) >www/cut.gz
	(gzip -c large.cdxj.key; echo garbage) >www/more.gz
	for name in cut more; do
		for at in www/ "$base"; do
			run_filter 1 --cdx "$at$name.gz" --base www/
			grep -q "^dana filter: --cdx: [^ ]*$name.gz: 1 line cannot be read; the first is line [0-9]*: compressed data" err
			head -n "$(wc -l <once)" out | cmp - once
		done
	done
}

@test "offsets that are no record's: damage with the line of the index, and no record of its own making" {
	# In the midst of a member, or beyond the end of the file.
	sed 's/"offset": "\([0-9]*\)"/"offset": "1\1"/' large.cdxj.place | head -30 >wrong
	both 1 wrong
	jq -e '.[0] == 30 and .[1] == 0 and .[2].garbage + .[2].truncated == 30' both.stats
	told '^dana: [^ ]*large.warc.gz: offset 1204: garbage: wrong, line 1: ' 1
	[ "$(jq -r .detail both.rejects.jsonl | grep -c '^wrong, line [0-9]*: ')" -eq 30 ]
}

@test "offsets and lengths that are wrong in every way, in archives of five kinds" {
	mkdir cases
	cd cases
	python3 "$DANA_SOURCE/tests/support/index_cases.py" "$DANA"
}

@test "an offset beyond the end of a file costs its line, and is status 1" {
	local size
	size=$(wc -c <www/a.warc.gz)
	index cdxj --sort place a.warc.gz | head -6 >good
	both 0 good
	cp both.first good.first
	for beyond in $size $((size + 1)) 9223372036854770000; do
		sed -n "2s/\"offset\": \"[0-9]*\"/\"offset\": \"$beyond\"/p" good >bad
		cat bad good bad >beyond
		both 1 beyond
		told "^dana: [^ ]*a.warc.gz: offset $beyond: truncated: beyond, line 1: the file ends before this offset$" 1
		told "offset $beyond: truncated: beyond, line 8: " 1
		[ "$(grep -c '"reason":"truncated"' both.first)" -eq 2 ]
		grep -v '"reason":"truncated"' both.first | cmp - good.first
	done
}

@test "a length that is no border of members: the record that the line names, and damage" {
	index cdx11 --sort place a.warc.gz | sed -n '1p;5,7p' >good
	both 0 good
	cp both.first good.first
	jq -e '.[1] == 3' both.stats
	for length in 700 5000 999999999; do
		awk -v n="$length" 'NR == 3 { $9 = n } 1' good >long
		both 2 long
		told "bad_length: long, line 3: its length is $length; the record has [0-9]*$" 1
		grep '"text"' both.first | cmp - good.first
	done
	for less in 1 8 9 100 600; do
		awk -v n="$less" 'NR == 3 { $9 -= n } 1' good >short
		both 2 short
		told "bad_length: short, line 3: its length, [0-9]*, ends inside the record$" 1
		[ "$(grep -c '"text"' both.first)" -eq 2 ]
	done
}

@test "a run that was stopped goes on at a record of the index, and refuses another index" {
	index cdxj --sort place --every 2 held.warc.gz >held
	# The server says nothing more after some records, until the run has been stopped.
	"$DANA" filter -q -z none --checkpoint-bytes 1K --cdx held --base "$base" -o held.jsonl 3>&- 7>&- &
	while kill -0 $! && ! grep -q '^point ' held.jsonl.state 2>/dev/null; do
		read -r -t 0.02 <>hold || true
	done
	kill -INT $!
	wait $! || [ $? -eq 130 ]
	[ -e held.jsonl.state ]
	head -n -1 held >shorter
	run_filter 3 -z none --checkpoint-bytes 1K --resume --cdx shorter --base "$base" -o held.jsonl
	grep -q 'the records of --cdx differ from the earlier run' err
	: >log
	run_filter 0 -z none --checkpoint-bytes 1K --resume --cdx held --base "$base" -o held.jsonl
	[ ! -e held.jsonl.state ]
	# No request is for the first record.
	first=$(sed -n '1s/.*"offset": "\([0-9]*\)".*/\1/p' held)
	jq -r 'select(.path == "/held.warc.gz") | .fields.range' log >ranges
	[ -s ranges ]
	[ "$(grep -c "^bytes=$first-" ranges)" -eq 0 ]
	"$DANA" filter -q -z none --cdx held --base "$base" | cmp - held.jsonl
}
