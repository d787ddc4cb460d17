# SPDX-License-Identifier: MIT
# dana dedup: files of signatures, joined, described, checked; usage.

load ../support/cli

setup() {
	make=$(dirname "$DANA")/../../tests/support/make_signatures
	corpus=$(dirname "$DANA")/../../tests/support/dedup_corpus
	cd "$BATS_TEST_TMPDIR"
	"$DANA" dedup --help | grep -q verify
	if ! [ -x "$make" ]; then
		prints 1 '*built without*' "$DANA" dedup info x
		skip "built without what finds duplicates"
	fi
}

filter() {
	"$DANA" filter -q -m plain "$@"
}

# Three files of 500 documents each, a third of them copies of one before.
make_three() {
	mkdir -p "$1"
	"$make" "$1/a.sig" crawl-a.warc.gz 0 500 33
	"$make" "$1/b.sig" crawl-b.warc.gz 500 500 33
	"$make" "$1/c.sig" crawl-c.warc.gz 1000 500 33
}

@test "cluster lists the rows to drop, whatever the order of the files" {
	make_three s
	run -0 "$DANA" dedup cluster -o rows s
	[[ $output =~ ^"dana dedup cluster: 1500 documents, "[0-9]+" groups of two and more, "([0-9]+)" rows to drop"$ ]]
	dropped=${BASH_REMATCH[1]}
	[ "$dropped" -gt 400 ] && [ "$dropped" -lt 560 ]
	"$DANA" dedup cluster -o rows2 s/c.sig s/a.sig s/b.sig
	cmp rows rows2
	run -0 "$DANA" dedup info rows
	[ "${lines[0]}" = "rows: a list of rows to drop" ]
	[[ $output == *"documents    1500"* ]]
	[[ $output == *"to drop      $dropped"* ]]
	[[ $output == *" of 500 in crawl-b.warc.gz"* ]]
	[ -z "$(find . -name '*.part' -o -name '.dana-*')" ]
	# of merged files it is the same
	"$DANA" dedup merge -o ab.sig s/a.sig s/b.sig
	"$DANA" dedup cluster -o rows3 ab.sig s/c.sig
	cmp rows rows3
	run "$DANA" dedup info ab.sig
	[[ $output == *"documents    1000"* ]]
	[[ $output == *"         500 crawl-a.warc.gz"* ]]
	[[ $output == *"bands        14 of 8 rows"* ]]
	[[ $output == *"  0.80  0.92"* ]]
}

@test "cluster drops less with a higher similarity, and keeps what it is told to" {
	make_three s
	"$DANA" dedup cluster -o all s 2>all.txt
	"$DANA" dedup cluster -o some --similarity 0.7 s 2>some.txt
	"$DANA" dedup cluster -o none --similarity 0.99 s 2>none.txt
	grep -q ' 0 rows to drop' none.txt
	[ "$(sed 's/.* \([0-9]*\) rows.*/\1/' some.txt)" -le "$(sed 's/.* \([0-9]*\) rows.*/\1/' all.txt)" ]
	"$DANA" dedup cluster -o longest --keep longest s
	! cmp -s all longest
	# an output that exists stays
	echo kept >rows
	prints 3 'dana dedup cluster: rows exists; --force overwrites it' "$DANA" dedup cluster -o rows s
	[ "$(cat rows)" = kept ]
	"$DANA" dedup cluster --force -o rows s
	"$DANA" dedup verify rows
}

# A file of every kind: signatures, rows, texts, lines.
make_kinds() {
	"$corpus" 700 100 truth >a.warc
	filter -o all.jsonl --plugin dedup-near:signatures=sig --plugin dedup-exact:index=texts a.warc
	mv sig/a.sig signatures
	"$DANA" dedup cluster -o rows signatures
	"$DANA" dedup learn -o lines a.warc
	"$corpus" 100 50 truth >b.warc
	filter -o b.jsonl --plugin dedup-near:signatures=sig --plugin dedup-exact:index=texts.good b.warc
	mv sig/b.sig signatures.good
	"$DANA" dedup cluster -o rows.good signatures.good
	"$DANA" dedup learn -o lines.good b.warc
	echo '<!doctype html><p>A page' >page.html
}
# The commands that read a file of a kind, called bad, by the arguments of dana.
readers() {
	filter="filter -q -m plain -o out.jsonl a.warc --plugin"
	printf '%s\n' "dedup verify bad"
	case $1 in
	signatures) printf '%s\n' "dedup cluster --force -o out bad" "dedup merge --force -o out bad $1.good" "dedup merge -o out2 $1.good bad" ;;
	rows) printf '%s\n' "$filter dedup-near:drop=bad" "dedup apply --force -o out --rows bad all.jsonl" "dedup merge --force -o out bad $1.good" "dedup merge --force -o out $1.good bad" ;;
	texts) printf '%s\n' "$filter dedup-exact:index=bad" "dedup merge --force -o out bad $1.good" "dedup merge --force -o out $1.good bad" ;;
	lines) printf '%s\n' "$filter dedup-lines:index=bad" "$filter dedup-lines:keep=none,scope=host,table=bad" "$filter boilerplate:table=bad" \
		"dedup merge --force -o out bad $1.good" "dedup merge --force -o out $1.good bad" "explain --boilerplate bad page.html" ;;
	esac
}

@test "every reader of every kind of file names one that is cut, damaged, foreign or of another version, and writes nothing" {
	make_kinds
	echo kept >out
	for kind in signatures rows texts lines; do
		good=$kind
		size=$(stat -c %s $good)
		for damage in cut head empty flipped older newer foreign other; do
			case $damage in
			cut) head -c $((size - 10)) $good >bad ;;
			head) head -c 100 $good >bad ;;
			empty) : >bad ;;
			flipped) { head -c $((size / 2)) $good; head -c 3 /dev/zero | tr '\0' '\245'; tail -c +$((size / 2 + 4)) $good; } >bad ;;
			older) { head -c 12 $good; printf '\0'; tail -c +14 $good; } >bad ;;
			newer) { head -c 12 $good; printf '\2'; tail -c +14 $good; } >bad ;;
			foreign) head -c 5000 a.warc >bad ;;
			other) if [ $kind = rows ]; then cp texts bad; else cp rows bad; fi ;;
			esac
			case $damage in
			cut | head) words="is cut" ;;
			empty) words="is empty" ;;
			flipped) words="is damaged" ;;
			older) words="has version 0 of its layout, and this dana reads 1" ;;
			newer) words="has version 2 of its layout, and this dana reads 1" ;;
			foreign) words="is not a file of dana dedup" ;;
			other) words="; expected " ;;
			esac
			find . -type f -exec md5sum {} + | sort -k 2 >before
			while read -r command; do
				# verify takes every kind
				[ "$damage" != other ] || [ "$command" != "dedup verify bad" ] || continue
				# shellcheck disable=SC2086
				run "$DANA" $command
				echo "$kind, $damage: dana $command: $status $output"
				[ "$status" -ne 0 ]
				[ "$command" != "dedup verify bad" ] || [ "$status" -eq 2 ]
				[[ $output == *"$words"* ]]
				# of files that are merged the second one is named that is not as the first
				[ "$damage" = other ] || [[ $output == *"bad: "*"$words"* ]]
				find . -type f ! -name before -exec md5sum {} + | sort -k 2 | cmp - <(grep -v ' ./before$' before)
			done < <(readers $kind)
		done
	done
}

@test "each plugin writes the same for every number of workers" {
	"$corpus" 700 200 truth >a.warc
	"$corpus" 900 100 truth >b.warc
	"$DANA" dedup learn -o table a.warc b.warc
	filter -o signed.jsonl --plugin dedup-near:signatures=sig a.warc b.warc
	"$DANA" dedup cluster -o rows sig
	for plugin in dedup-exact:index=made dedup-lines:index=made dedup-lines:scope=host,index=made dedup-lines:set=bloom,memory=1M \
		dedup-lines:scope=page dedup-lines:keep=none,scope=host,table=table boilerplate:table=table boilerplate:table=table,keep=first \
		boilerplate:streaming=1 boilerplate:learn=made dedup-near:signatures=made dedup-near:drop=rows; do
		for method in plain learned; do
			[ "$method" = plain ] || [ "$plugin" != dedup-near:drop=rows ] || continue
			for jobs in 0 1 2 3; do
				rm -rf made
				"$DANA" filter -q --force -m $method -j $jobs -o $jobs.jsonl --rejects --stats $jobs.stats --plugin "$plugin" a.warc b.warc
				! [ -e made ] || find made -type f -exec cat {} + >$jobs.made
				[ "$jobs" != 0 ] || continue
				cmp 0.jsonl $jobs.jsonl
				cmp 0.jsonl.rejects.jsonl $jobs.jsonl.rejects.jsonl
				cmp <(sed 's/,"seconds":.*//' 0.stats) <(sed 's/,"seconds":.*//' $jobs.stats)
				! [ -e made ] || cmp 0.made $jobs.made
			done
		done
	done
}

@test "wrong usage is one line" {
	for arguments in "" "cluter x" "cluster" "cluster x" "cluster -o rows" "info" "info --keep first x" \
		"cluster -o rows --similarity 2 x" "cluster -o rows --keep any x"; do
		prints_line 3 "$DANA" dedup $arguments
	done
	mkdir empty
	prints 1 'dana dedup cluster: empty: holds no file that ends with .sig' "$DANA" dedup cluster -o rows empty
}

@test "dedup-near signs pages, and drops those that cluster has listed" {
	"$corpus" 0 300 truth >c.warc
	filter -o all.jsonl --stats stats.json --plugin dedup-near:signatures=sig c.warc
	grep -q '"dedup-near":{"signed":300,"without_words":0}' stats.json
	[ "$(ls sig)" = c.sig ]
	"$DANA" dedup cluster -o rows sig
	filter -o left.jsonl --rejects --plugin dedup-near:drop=rows c.warc
	dropped=$(wc -l <left.jsonl.rejects.jsonl)
	[ "$dropped" -gt 20 ]
	[ $(($(wc -l <left.jsonl) + dropped)) -eq 300 ]
	[[ $(head -n 1 left.jsonl.rejects.jsonl) == *'"reason":"plugin:dedup-near","detail":"duplicate","duplicate_of":{"id":"urn:uuid:'*'","file":"c.warc","offset":'*'},"similarity":'* ]]
}

@test "shards that were signed apart are joined, in any order" {
	"$corpus" 0 200 truth >a.warc
	"$corpus" 200 200 truth >b.warc
	filter -o ab.jsonl --plugin dedup-near:signatures=both a.warc b.warc
	filter -o b.jsonl --plugin dedup-near:signatures=sig b.warc
	filter -o a.jsonl --plugin dedup-near:signatures=sig a.warc
	"$DANA" dedup cluster -o rows both
	"$DANA" dedup cluster -o rows2 sig/b.sig sig/a.sig
	cmp rows rows2
	filter -o left-b.jsonl --plugin dedup-near:drop=rows b.warc
	filter -o left.jsonl --plugin dedup-near:drop=rows2 a.warc b.warc
	[ "$(wc -l <left-b.jsonl)" -lt 200 ]
	cmp left-b.jsonl <(grep '"file":"b.warc"' left.jsonl)
}

@test "lists of rows of several inputs are merged" {
	"$corpus" 0 200 truth >a.warc
	"$corpus" 400 200 truth >b.warc
	for name in a b; do
		filter -o $name.jsonl --plugin dedup-near:signatures=$name $name.warc
		"$DANA" dedup cluster -o $name.rows $name
		filter --rejects -o $name.left.jsonl --plugin dedup-near:drop=$name.rows $name.warc
	done
	"$DANA" dedup merge -o rows b.rows a.rows
	run "$DANA" dedup info rows
	[[ $output == *"documents    400"*"inputs       2"*" of 200 in b.warc"*" of 200 in a.warc"* ]]
	filter --rejects -o left.jsonl --plugin dedup-near:drop=rows a.warc b.warc
	cat a.left.jsonl b.left.jsonl | cmp - left.jsonl
	cat a.left.jsonl.rejects.jsonl b.left.jsonl.rejects.jsonl | cmp - left.jsonl.rejects.jsonl
	[ "$(wc -l <left.jsonl)" -lt 400 ]
	"$DANA" dedup verify rows
	prints 3 'dana dedup merge: a.rows and an earlier list both hold rows of input a.warc' "$DANA" dedup merge -o twice rows a.rows
	[ ! -e twice ]
}

@test "a list of rows of other pages is refused" {
	"$corpus" 0 200 truth >a.warc
	"$corpus" 200 200 truth >b.warc
	filter -o a.jsonl --plugin dedup-near:signatures=sig a.warc
	"$DANA" dedup cluster -o rows sig
	prints 1 '*b.warc is not among the inputs that the list of rows was made of*' filter -o b.jsonl --plugin dedup-near:drop=rows b.warc
	cp b.warc a.warc
	prints 1 '*is not the one that the list of rows was made of*' filter -o b2.jsonl --plugin dedup-near:drop=rows a.warc
	"$corpus" 0 100 truth >a.warc
	prints 1 '*a.warc had 200 documents when the list of rows was made, and has 100 now*' filter -o b3.jsonl --plugin dedup-near:drop=rows a.warc
	prints 3 '*expected one of signatures=DIR and drop=FILE' "$DANA" filter -q -o b5.jsonl --plugin dedup-near a.warc
}

@test "signatures of another input are not overwritten" {
	mkdir one two
	"$corpus" 0 50 truth >one/c.warc
	"$corpus" 50 50 truth >two/c.warc
	filter -o 1.jsonl --plugin dedup-near:signatures=sig one/c.warc
	cp sig/c.sig kept
	run -1 filter -o 2.jsonl --plugin dedup-near:signatures=sig two/c.warc
	[[ $output == *"sig/c.sig holds signatures of one/c.warc; choose another folder than sig" ]]
	cmp sig/c.sig kept
	filter --force -o 1.jsonl --plugin dedup-near:signatures=sig one/c.warc
	cmp sig/c.sig kept
}

@test "a threshold chooses bands and rows, and prints the detection rates" {
	"$corpus" 0 20 truth >c.warc
	run -0 "$DANA" filter -m plain -o c.jsonl --plugin dedup-near:signatures=sig,threshold=0.8 c.warc
	[[ $output =~ "plugin dedup-near: "([0-9]+)" bands of "([0-9]+)" rows: similarity and detection rate   0.50" ]]
	[ $((BASH_REMATCH[1] * BASH_REMATCH[2])) -le 128 ]
	"$DANA" dedup info sig/c.sig | grep -q "bands        ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} rows"
}

@test "dedup-exact keeps the first of equal texts, within a run and over runs" {
	"$corpus" 0 300 truth >a.warc
	"$corpus" 300 300 truth2 >b.warc
	filter -o both.jsonl --rejects --plugin dedup-exact:index=both.index a.warc b.warc
	filter -o a.jsonl --rejects --stats a.json --plugin dedup-exact:index=index a.warc
	filter -j 0 -o b.jsonl --rejects --plugin dedup-exact:index=index b.warc
	cmp index both.index
	cat a.jsonl b.jsonl | cmp - both.jsonl
	cat a.jsonl.rejects.jsonl b.jsonl.rejects.jsonl | cmp - both.jsonl.rejects.jsonl
	grep -q '"dedup-exact":{"texts":'"$(wc -l <a.jsonl)"',"duplicates":'"$(wc -l <a.jsonl.rejects.jsonl)"',' a.json
	[ "$(wc -l <both.jsonl.rejects.jsonl)" -gt 10 ]
	[[ $(tail -n 1 b.jsonl.rejects.jsonl) == *'"reason":"plugin:dedup-exact","detail":"duplicate","duplicate_of":{"id":"urn:uuid:'*'","file":"'?'.warc","offset":'* ]]
	[ -z "$(find . -name '*.journal' -o -name '*.part' -o -name '.dana-*')" ]

	run "$DANA" dedup info index
	[ "${lines[0]}" = "index: an index of texts" ]
	[[ $output == *"texts        $(wc -l <both.jsonl)"*"inputs       2"* ]]
	"$DANA" dedup verify index

	# without an index: the same run, and nothing is left
	filter -j 3 -o none.jsonl --plugin dedup-exact a.warc b.warc
	cmp none.jsonl both.jsonl

	# an index of each archive, merged
	filter -o b2.jsonl --plugin dedup-exact:index=b.index b.warc
	filter -o a2.jsonl --plugin dedup-exact:index=a.index a.warc
	"$DANA" dedup merge -o merged.index a.index b.index
	cmp merged.index index
}

@test "the oracle finds the same equal texts" {
	"$corpus" 0 300 truth >a.warc
	filter -o all.jsonl a.warc
	filter -o left.jsonl --plugin dedup-exact a.warc
	python3 -c '
import json, sys, unicodedata
seen = set()
for line in open("all.jsonl"):
    text = " ".join(unicodedata.normalize("NFC", json.loads(line)["text"]).split())
    if text not in seen:
        sys.stdout.write(line)
    seen.add(text)' >expected.jsonl
	cmp expected.jsonl left.jsonl
}

@test "dedup-exact names an index of other settings, and one in use" {
	"$corpus" 0 50 truth >a.warc
	filter -o a.jsonl --plugin dedup-exact:index=index a.warc
	cp index kept
	run -3 filter -o b.jsonl --plugin dedup-exact:index=index,small=1 a.warc
	[[ $output == *"plugin dedup-exact: index was made with small=0: use the same, or another file" ]]
	mkfifo pipe
	exec 7<>pipe
	"$DANA" filter -q -m plain -o first.jsonl --plugin dedup-exact:index=index <pipe 7>&- &
	local pid=$!
	wait_until $pid [ -e first.jsonl.part ]
	prints 3 '*index.journal: is in use by another run' filter -o b.jsonl --plugin dedup-exact:index=index a.warc
	cmp index kept
	# its lock ends with it, however it ends
	kill -KILL "$pid"
	wait "$pid" || true
	exec 7>&-
	filter -o c.jsonl --plugin dedup-exact:index=index a.warc
	cmp index kept
	[ ! -e b.jsonl ]
}

@test "dedup-exact stops where its memory is full" {
	"$corpus" 0 3000 truth >a.warc
	run -1 filter -o a.jsonl --plugin dedup-exact:index=index,memory=64K a.warc
	[[ $output == *"memory is full after "*" texts; raise memory=, or split the run"* ]]
	[ ! -e index ]
	[ ! -e a.jsonl ]
}

@test "an input that does not exist costs the others nothing" {
	"$corpus" 0 100 truth >a.warc
	run -1 filter -o a.jsonl --plugin dedup-exact:index=index none.warc a.warc
	[ "$(wc -l <a.jsonl)" -gt 50 ]
	filter -o b.jsonl --plugin dedup-exact:index=index2 a.warc
	cmp index index2
	# an output that is not complete does not reach the index
	run bash -c 'ulimit -f 20; exec "$DANA" filter -q -m plain -o c.jsonl --plugin dedup-exact:index=index3 a.warc'
	[ "$status" -ne 0 ]
	[ ! -e index3 ]
}

@test "dedup-lines: page, host, all; first, none; annotated; oracle" {
	"$corpus" 700 300 truth >a.warc
	filter -o all.jsonl a.warc
	for options in scope=all scope=all,max-count=2 scope=host scope=page scope=page,keep=none scope=all,min-chars=60,min-left=0.5; do
		filter --force -o left.jsonl --rejects --stats stats.json --plugin dedup-lines:$options a.warc
		python3 "$DANA_SOURCE/tests/oracle/dedup_lines.py" "$options" <all.jsonl >expected
		python3 -c '
import json
for line in open("left.jsonl"):
    d = json.loads(line)
    print(d["id"], json.dumps(d["text"]))' >found
		cmp expected found
	done
	[ "$(wc -l <found)" -lt 300 ]
	grep -q '"reason":"plugin:dedup-lines","detail":"little_left","dropped_lines":' left.jsonl.rejects.jsonl

	filter -o bloom.jsonl --stats stats.json --plugin dedup-lines:set=bloom a.warc
	filter -o exact.jsonl --plugin dedup-lines a.warc
	cmp bloom.jsonl exact.jsonl
	grep -q '"false_positive_rate":' stats.json

	filter -o noted.jsonl --plugin dedup-lines:annotate=1 a.warc
	[ "$(wc -l <noted.jsonl)" -eq 300 ]
	grep -q '"dedup-lines":{"lines":\[[0-9,]*\],"marks":\[[1,]*\]}' noted.jsonl
}

@test "dedup-lines takes up the lines of earlier runs" {
	"$corpus" 700 200 truth >a.warc
	"$corpus" 900 200 truth >b.warc
	for scope in all host; do
		filter --force -o both.jsonl --plugin dedup-lines:index=both.$scope,scope=$scope a.warc b.warc
		filter --force -o a.jsonl --plugin dedup-lines:index=index.$scope,scope=$scope a.warc
		filter --force -o b.jsonl --plugin dedup-lines:index=index.$scope,scope=$scope b.warc
		cat a.jsonl b.jsonl | cmp - both.jsonl
		cmp index.$scope both.$scope
	done
	prints 3 '*index.all was made with scope=all' filter -o c.jsonl --plugin dedup-lines:index=index.all,scope=host a.warc
	prints 3 '*keep=none needs table=FILE*' filter -o c.jsonl --plugin dedup-lines:keep=none a.warc
	run -1 filter -o c.jsonl --plugin dedup-lines:set=bloom,memory=4K,false-positives=0.0000001 a.warc
	[[ $output == *"the Bloom filter of 4096 bytes takes more than 1e-07 of new lines for old ones"* ]]
	prints 1 '*memory is full after * lines*' filter --force -o c.jsonl --plugin dedup-lines:memory=4K a.warc
}

@test "dedup-lines drops all copies by a table" {
	"$corpus" 700 300 truth >a.warc
	"$DANA" dedup learn -o table --scope all a.warc
	filter -o first.jsonl --stats first.json --plugin dedup-lines a.warc
	filter -o none.jsonl --stats none.json --plugin dedup-lines:keep=none,table=table a.warc
	dropped() { sed 's/.*"dropped_lines":\([0-9]*\).*/\1/' "$1"; }
	[ "$(dropped none.json)" -gt "$(dropped first.json)" ]
	! grep -q "$(sed -n 's/.*"text":"\([^\\"]*\)\\n.*/\1/p' first.jsonl | sort | uniq -d | head -n 1)xx" none.jsonl
	prints 3 '*table was made with --scope all' filter -o x.jsonl --plugin dedup-lines:keep=none,table=table,scope=host a.warc
}

@test "boilerplate:learn writes no table of nothing" {
	"$corpus" 300 200 truth >a.warc
	learn() { run filter -o a.jsonl --plugin boilerplate:learn=table "$@" a.warc; }
	learn
	[ "$status" -eq 0 ]
	rm table
	# Its outputs are complete, and nothing shows any more what was counted.
	learn --resume
	[ "$status" -eq 1 ]
	[[ $output == *"plugin boilerplate: no page was counted, so table is not written" ]]
	[ ! -e table ]
}

@test "learn makes the same table for any memory and any order; boilerplate drops by it" {
	"$corpus" 600 200 truth >a.warc
	"$corpus" 800 200 truth2 >b.warc
	"$DANA" dedup learn -o table a.warc b.warc
	"$DANA" dedup learn -o table2 --memory 20K -j 0 b.warc a.warc
	cmp table table2
	"$DANA" dedup learn -o a.table a.warc
	"$DANA" dedup learn -o b.table b.warc
	"$DANA" dedup merge -o merged.table b.table a.table
	cmp merged.table table
	run "$DANA" dedup info table
	[[ $output == *"counted      by site"*"pages        400"*"sites        2"* ]]
	"$DANA" dedup learn -o small.table --size 1K a.warc b.warc
	[ "$(stat -c %s small.table)" -le 1250 ]
	prints 3 '*table exists; --force overwrites it' "$DANA" dedup learn -o table a.warc

	# host 3 (600 to 799) has a template of twelve lines, host 4 has none
	filter -o left.jsonl --stats stats.json --plugin boilerplate:table=table a.warc b.warc
	grep -q '"boilerplate":{"dropped_lines":2400,"dropped_chars":[0-9]*,"changed_pages":200,"spared_pages":0,"pages_before_known":0}' stats.json
	[ "$(grep -c '"boilerplate":{"dropped_lines":12,"dropped_chars":' left.jsonl)" -eq 200 ]

	filter -o kept.jsonl --stats stats.json --plugin boilerplate:table=table,keep=first a.warc b.warc
	grep -q '"boilerplate":{"dropped_lines":2388,' stats.json
	[[ $(head -n 1 kept.jsonl) != *'"dropped_lines"'* ]]

	filter -o noted.jsonl --plugin boilerplate:table=table,annotate=1 a.warc
	[ "$(grep -c '"boilerplate":{"lines":\[0,1,2,3,4,5,[0-9,]*\],"marks":\[200,200,200,200,200,200,200,200,200,200,200,200\]}' noted.jsonl)" -eq 200 ]
}

@test "learn speaks as itself" {
	"$corpus" 600 20 truth >a.warc
	prints 1 '*none.warc: No such file*' "$DANA" dedup learn -o table none.warc a.warc
	prints 3 'dana dedup learn: *' "$DANA" dedup learn -o other -j 99999999 a.warc
	! [[ $output == *filter* ]]
}

@test "boilerplate learns while it runs, and reports what it missed" {
	"$corpus" 600 400 truth >a.warc
	filter -o left.jsonl --stats stats.json --plugin boilerplate:streaming=1 a.warc
	# four pages of each host go by before it is known
	grep -q '"boilerplate":{"dropped_lines":2352,"dropped_chars":[0-9]*,"changed_pages":196,"spared_pages":0,"pages_before_known":8,"sites":2' stats.json
	prints 1 '*the sketch of 8192 bytes counts up to * pages too many*' filter -o x.jsonl --plugin boilerplate:streaming=1,memory=8K a.warc
	prints 3 '*expected one of table=FILE, learn=FILE and streaming=1' filter -o y.jsonl --plugin boilerplate a.warc
}

@test "boilerplate asks fewer pages for a line that learned doubts, and more for one that it keeps" {
	# of the last lines of these pages learned is sure of the first (probability .99), and doubts the second (.48)
	pages() {
		for i in $(seq "$1"); do
			page=$(printf '<!doctype html><title>Page %s</title><body><div class="nav"><a href="/">Home</a></div><div class="post"><h1>Kitchen %s</h1>' "$i" "$i"
				for k in 1 2 3 4 5; do
					printf '<p>The river and the stone of market %s had a teacher at window %s, whose garden was in winter a letter to the bridge, and in the morning music from a forest. Its doctor wrote paper %s, summer and history. An engine of the village came from the ocean to the kitchen, where the paper of the morning stood by the window.</p>' "$i$k" "$k$i" "$i.$k"
				done
				printf '<p>Written by the staff of this paper.</p><div class="author-bio"><p><a href="/a">She</a> writes with two dogs.</p></div></div></body>')
			response "$i" "http://one.example/$i" "$page"
		done
	}
	# left PAGES OPTIONS METHOD: how often each of the two lines is left
	left() {
		pages "$1" >a.warc
		"$DANA" dedup learn --force -m "$3" -o table a.warc
		"$DANA" filter -q --force -m "$3" -o left.jsonl --plugin "boilerplate:$2" a.warc
		echo "$(grep -c 'Written by the staff' left.jsonl) $(grep -c 'two dogs' left.jsonl)"
	}
	[ "$(left 1 table=table learned:recall=62)" = "1 1" ]
	[ "$(left 2 table=table learned:recall=62)" = "2 0" ]
	[ "$(left 14 table=table learned:recall=62)" = "14 0" ]
	[ "$(left 15 table=table learned:recall=62)" = "0 0" ]
	[ "$(left 3 table=table,min-pages=3 learned:recall=62)" = "0 0" ]
	[ "$(left 2 table=table,min-pages=3 learned:recall=62)" = "2 2" ]
	# the page that makes a line known loses it already
	[ "$(left 17 streaming=1 learned:recall=62)" = "14 1" ]
	# of other methods nothing is known but the lines
	[ "$(left 4 table=table plain)" = "4 4" ]
	[ "$(left 5 table=table plain)" = "0 0" ]
}

@test "a page that is nothing but boilerplate stays as it is" {
	"$corpus" 600 100 truth >a.warc
	for i in 1 2 3 4 5 6; do response $i http://one.co.uk/$i '<!doctype html><p>All rights reserved</p>'; done >b.warc
	"$DANA" dedup learn -o table b.warc
	filter -o left.jsonl --stats stats.json --plugin boilerplate:table=table b.warc
	[ "$(grep -c 'All rights reserved' left.jsonl)" -eq 6 ]
	grep -q '"spared_pages":6' stats.json
}

@test "apply writes what the plugin would write" {
	"$corpus" 0 300 truth >a.warc
	"$corpus" 300 200 truth2 >b.warc
	for schema in dana datatrove dolma; do
		filter --force --schema $schema -o all.jsonl.zst --plugin dedup-near:signatures=sig a.warc b.warc
		filter --force --schema $schema -o b.jsonl.gz b.warc
		"$DANA" dedup cluster --force -o rows sig
		filter --force --schema $schema --rejects -o left.jsonl --plugin dedup-near:drop=rows a.warc b.warc
		run -0 "$DANA" dedup apply --force -o applied.jsonl --rejects --rows rows all.jsonl.zst
		[ "$output" = "dana dedup apply: 500 documents, $(wc -l <left.jsonl.rejects.jsonl) dropped" ]
		cmp applied.jsonl left.jsonl
		[ $schema != dana ] || cmp applied.jsonl.rejects.jsonl left.jsonl.rejects.jsonl
		# an input alone; compressed by the name
		"$DANA" dedup apply --force -o b.applied.jsonl.zst --rows rows b.jsonl.gz
		zstd -dqc b.applied.jsonl.zst | cmp - <(grep 'b.warc' left.jsonl)
		# however the input is cut
		DANA_TEST_READ_SIZE=37 "$DANA" dedup apply --force -o applied.jsonl --rows rows all.jsonl.zst
		cmp applied.jsonl left.jsonl
	done
}

@test "apply writes WARC that the plugin would write" {
	"$corpus" 0 300 truth >a.warc
	"$corpus" 300 200 truth2 >b.warc
	mkdir left applied
	filter -o ab.jsonl --plugin dedup-near:signatures=sig a.warc b.warc
	"$DANA" dedup cluster -o rows sig
	for name in out.warc out.warc.gz out.warc.zst; do
		filter -o $name a.warc b.warc
		filter --rejects -o left/$name --plugin dedup-near:drop=rows a.warc b.warc
		run -0 "$DANA" dedup apply --rejects -o applied/$name --rows rows $name
		[ "$output" = "dana dedup apply: 500 documents, $(wc -l <left/$name.rejects.jsonl) dropped" ]
		cmp applied/$name left/$name
		DANA_TEST_READ_SIZE=37 "$DANA" dedup apply --force -o applied/$name --rows rows $name
		cmp applied/$name left/$name
		cmp applied/$name.rejects.jsonl <(sed 's/"offset":[0-9]*,"reason"/"offset":null,"reason"/' left/$name.rejects.jsonl)
	done
	# one input alone, found by its ids
	filter -o b.warc.gz b.warc
	filter -o left/b.warc.gz --plugin dedup-near:drop=rows b.warc
	"$DANA" dedup apply -o applied/b.warc.gz --rows rows b.warc.gz
	cmp applied/b.warc.gz left/b.warc.gz
	# what the list was not made of, what is cut, what is something else
	"$corpus" 700 200 truth3 >c.warc
	filter -o c.warc.gz c.warc
	run -3 "$DANA" dedup apply -o no.warc --rows rows c.warc.gz
	[[ $output == *"c.warc.gz: its documents match no inputs of the list of rows, in their order" ]]
	zcat b.warc.gz | head -c 100000 >cut.warc
	prints 1 '*cut.warc: is cut inside of a record' "$DANA" dedup apply -o no.warc --rows rows cut.warc
	run -3 "$DANA" dedup apply -o no.jsonl --rows rows b.warc.gz
	[[ $output == *"b.warc.gz: is WARC; expected an output name that ends with .warc, .warc.gz or .warc.zst" ]]
	run -3 "$DANA" dedup apply -o no.warc --rows rows ab.jsonl
	[ ! -e no.warc ] && [ ! -e no.jsonl ]
}

@test "apply refuses what the list was not made of, and damaged input" {
	"$corpus" 0 100 truth >a.warc
	filter -o a.jsonl --plugin dedup-near:signatures=sig a.warc
	"$DANA" dedup cluster -o rows sig
	head -n 50 a.jsonl >half.jsonl
	prints 3 '*a.warc had 100 documents when the list of rows was made, and has 50 now*' "$DANA" dedup apply -o x.jsonl --rows rows half.jsonl
	prints 1 '*rows: line 1 is not a JSON object' "$DANA" dedup apply -o x.jsonl --rows rows rows
	zstd -q a.jsonl -o a.jsonl.zst
	head -c 5000 a.jsonl.zst >cut.jsonl.zst
	prints 1 '*cut.jsonl.zst: *' "$DANA" dedup apply -o x.jsonl --rows rows cut.jsonl.zst
	prints 3 'dana dedup apply: --rows FILE is missing' "$DANA" dedup apply -o x.jsonl a.jsonl
	run -1 "$DANA" dedup apply -o x.jsonl --rows rows none.jsonl
	[ -z "$(ls x.jsonl*)" ]
}

@test "estimate prints what files and memory will be" {
	run -0 "$DANA" dedup estimate --documents 1000 --chars 2500
	# the process; and buckets to be sorted, twice, of many documents what the plugin may use
	[[ $output =~ "dedup-near: signatures "+"15.4 MiB" ]]
	# 376 bytes a document, as the file has
	"$corpus" 0 1000 truth >a.warc
	filter -o a.jsonl --plugin dedup-near:signatures=sig a.warc
	[[ $output =~ "dedup-near: signatures "+"15.4 MiB "+"367.2 KiB" ]]
	size=$(stat -c %s sig/a.sig)
	[ "$size" -gt 370000 ] && [ "$size" -lt 380000 ]

	# told how many lines and duplicates there are, it knows those files, too
	filter --force -o a.jsonl --stats stats.json --plugin dedup-lines:index=lines a.warc
	different=$(sed 's/.*"lines_in_memory":\([0-9]*\).*/\1/' stats.json)
	run -0 "$DANA" dedup estimate --documents 1000 --lines "$different" --duplicates 0
	[[ $output =~ "dedup-lines:index= "+[0-9.]+" MiB "+([0-9.]+)" KiB" ]]
	size=$(stat -c %s lines)
	said=${BASH_REMATCH[1]%.*}
	[ $((size / 1024)) -ge "$said" ] && [ $((size / 1024)) -le $((said + said / 20)) ]
	[[ $output =~ "cluster --keep first "+[0-9.]+" MiB "+"0 B" ]]
	[[ $output == *" $different different lines; 0 % of the documents dropped."* ]]
	# counting has half of its memory for the table, and as much for what is sorted: 128 MiB, and a table that grows to 64 takes 96
	run "$DANA" dedup estimate --lines 100000000
	[[ $output =~ "learn "+"239.0 MiB" ]]
	[[ $output =~ "dedup-near: signatures "+"79.0 MiB" ]]
	run "$DANA" dedup estimate --lines 5000000 --memory 2G
	[[ $output =~ "learn "+"219.3 MiB" ]]
}

@test "estimate counts temporary files where memory does not hold all" {
	run "$DANA" dedup estimate --documents 100000 --lines 1000000
	[[ $output =~ "dedup-lines:index= "+[0-9.]+" MiB "+"15.3 MiB "+"7.6 MiB" ]] # the journal
	[[ $output =~ "learn "+[0-9.]+" MiB "+"<=15.3 MiB "+"0 B" ]]
	[[ $output =~ "dedup-near: signatures "+[0-9.]+" MiB "+"35.9 MiB "+"32.6 MiB" ]]
	# A sorter of 4 MiB holds 131,072 lines, one of 64 MiB the 14 buckets of 149,796 documents.
	run "$DANA" dedup estimate --documents 1000000 --lines 1000000 --memory 8M
	[[ $output =~ "dedup-lines:index= "+[0-9.]+" MiB "+"15.3 MiB "+"22.9 MiB" ]]
	[[ $output =~ "learn "+[0-9.]+" MiB "+"<=15.3 MiB "+"457.8 MiB" ]]
	[[ $output =~ "dedup-near: signatures "+"79.0 MiB "+"358.6 MiB "+"539.8 MiB" ]]
}

@test "estimate prints what a table of learn takes: at most, or as told" {
	"$corpus" 0 3000 truth >a.warc
	"$DANA" dedup learn -o table a.warc
	counted=$("$DANA" dedup info table | awk '$1 == "lines" || $1 == "sites" { n += $2 } END { print n }')
	run -0 "$DANA" dedup estimate --documents 3000 --repeated "$counted"
	[[ $output =~ "learn "+[0-9.]+" MiB "+([0-9.]+)" KiB " ]]
	size=$(stat -c %s table)
	said=${BASH_REMATCH[1]%.*}
	[ $((size * 10 / 1024)) -ge $((said * 9)) ] && [ $((size * 10 / 1024)) -le $((said * 11 + 11)) ]
	[[ $output == *"and sites: $counted."* ]]
	run "$DANA" dedup estimate --documents 3000 --lines 1024
	[[ $output =~ "learn "+[0-9.]+" MiB "+"<=16.0 KiB" ]]
	[[ $output == *"and sites: at most 1024."* ]]
}

@test "rows makes of lines of JSON the list that cluster makes of signatures" {
	python3 - "$DANA_SOURCE/tests/golden/many/in.warc.gz" <<-'PYTHON'
		import gzip, re, sys
		records = re.split(rb"(?=WARC/1\.0\r\n)", gzip.open(sys.argv[1]).read())[1:]
		pages = [r for r in records if b"WARC-Type: response" in r[:200]][:60]
		for name, some in ("a.warc", pages[:40]), ("b.warc", pages[20:]):
		    open(name, "wb").write(b"".join(re.sub(rb"-(\w{12})>", b"-%012d>" % (i + 1000 * len(name)), r, count=1) for i, r in enumerate(some)))
	PYTHON
	"$DANA" filter -q -o a.jsonl --plugin dedup-near:signatures=sig a.warc
	"$DANA" filter -q -o b.jsonl --plugin dedup-near:signatures=sig b.warc
	"$DANA" dedup cluster -o want.rows sig 2>/dev/null
	cat a.jsonl b.jsonl >both.jsonl
	"$DANA" dedup apply --rejects --rows want.rows -o want.jsonl both.jsonl 2>/dev/null
	[ "$(wc -l <want.jsonl.rejects.jsonl)" -gt 15 ]
	python3 - >lines <<-'PYTHON'
		import json
		rejects = {(r["file"], r["offset"]): r for r in map(json.loads, open("want.jsonl.rejects.jsonl"))}
		print(json.dumps({"bands": 14, "rows": 8, "keep": "first", "similarity": 0}))
		for name in "a", "b":
		    pages = [json.loads(line) for line in open(name + ".jsonl")]
		    print(json.dumps({"file": name + ".warc", "pages": len(pages)}))
		    for number, page in enumerate(pages):
		        r = rejects.get((page["file"], page["offset"]))
		        if r:
		            print(json.dumps({"row": number, "id": r["id"], "similarity": r["similarity"], "kept": r["duplicate_of"]}))
	PYTHON
	prints 0 "dana dedup rows: $(wc -l <want.jsonl.rejects.jsonl) rows to drop" "$DANA" dedup rows -o got.rows lines
	"$DANA" dedup apply --rejects --rows got.rows -o got.jsonl both.jsonl 2>/dev/null
	cmp want.jsonl got.jsonl
	cmp want.jsonl.rejects.jsonl got.jsonl.rejects.jsonl
	"$DANA" filter -q -o c.jsonl --plugin dedup-near:drop=got.rows a.warc b.warc
	cmp want.jsonl c.jsonl
	[ "$("$DANA" dedup info got.rows | sed 1d)" = "$("$DANA" dedup info want.rows | sed 1d)" ]
	"$DANA" dedup rows --force -o got.rows - <lines
	"$DANA" dedup verify got.rows
}

@test "rows names the line that is wrong, and writes nothing" {
	settings='{"bands":14,"rows":8,"keep":"first","similarity":0}' part='{"file":"a.warc","pages":2}'
	kept='"kept":{"file":"a.warc","id":null,"offset":5}'
	while IFS='|' read -r line words text; do
		printf '%b' "$text" >lines
		run -1 "$DANA" dedup rows -o out lines
		[[ $output == "dana dedup rows: lines: line $line: "*"$words"* ]] || { echo "$text: $output"; false; }
		[ ! -e out ]
	done <<-END
		1|expected the settings|$part
		2|the first input|$settings\n{"row":0}
		3|rising order|$settings\n$part\n{"row":2,"id":null,"similarity":1,$kept}
		4|rising order|$settings\n$part\n{"row":1,"id":null,"similarity":1,$kept}\n{"row":1,"id":null,"similarity":1,$kept}
		3|expected row, id|$settings\n$part\n{"row":1,"id":7,"similarity":1,$kept}
		3|expected row, id|$settings\n$part\n{"row":1,"id":null,"similarity":"x",$kept}
		2|file and pages|$settings\n{"file":"","pages":2}
		2|expected a JSON object|$settings\n[]
	END
	printf '' >lines
	prints 1 '*lines: it is empty*' "$DANA" dedup rows -o out lines
	: >out
	printf '%s\n%s\n' "$settings" "$part" >lines
	run -3 "$DANA" dedup rows -o out lines
}
