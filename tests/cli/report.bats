# SPDX-License-Identifier: MIT
# The report of a run: dana filter --report, dana stats report, and the commands that the page names.

load ../support/cli

setup() {
	golden=$DANA_SOURCE/tests/golden
	cd "$BATS_TEST_TMPDIR"
	cp "$golden/many/in.warc.gz" many.warc.gz
	cp "$golden/plain/in.warc" plain.warc
	cp "$golden/damaged/in.warc" damaged.warc
	cp "$DANA_SOURCE/sample/sample.warc.gz" .
	unset SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_MAX SLURM_ARRAY_TASK_STEP PARALLEL_SEQ
}

# report STATS: the page of a file of --stats
report() {
	"$DANA" stats report "$@"
}

# The page of a run itself, without what depends on the machine.
timeless() {
	python3 -c 'import re, sys; print(re.sub(r"<section aria-labelledby=\"time\">.*?</section>\n|<li><a href=\"#time\">time</a>", "", sys.stdin.read(), flags=re.S), end="")' <"$1"
}

@test "the page is the same for any number of workers, and but for its section on time that of its counters" {
	for method in learned danag; do
		for plugins in "" "--plugin quality --plugin dedup-exact"; do
			for jobs in 0 1 2 3 4; do
				# shellcheck disable=SC2086 # words
				DANA_TEST_SPAN_SIZE=3000 "$DANA" filter -q -m $method -j $jobs $plugins --damaged-ok --report "$jobs.html" --stats "$jobs.json" \
					-o out.jsonl --force many.warc.gz plain.warc damaged.warc sample.warc.gz
				report "$jobs.json" >"counters.html"
				timeless "$jobs.html" | cmp - counters.html
				cmp counters.html <(report 0.json)
			done
			grep -q 'id="time"' 0.html
			grep -q '<a href="#time">' 0.html
		done
	done
	! grep -qi '<script' 0.html
}

@test "a hundred parts, joined in any order and in steps, are one run" {
	mkdir in
	for i in $(seq 100); do cp "$(ls *.warc *.warc.gz | sed -n "$((i % 4 + 1))p")" "in/$i.warc"; done
	"$DANA" filter -q --damaged-ok -m plain -J 4 -O whole --stats whole.json --report whole.html in
	for i in $(seq 100); do
		"$DANA" filter -q --damaged-ok -m plain -O parts --stats "part.$i" --report part.html "in/$i.warc"
	done
	report whole.json >wanted.html
	timeless whole.html | cmp - wanted.html
	report $(seq -f part.%.0f 100 -1 1) | cmp - wanted.html
	"$DANA" stats merge $(seq -f part.%.0f 1 3 100) >first
	"$DANA" stats merge $(seq -f part.%.0f 2 3 100) $(seq -f part.%.0f 3 3 100) >rest
	cat first rest | report - | cmp - wanted.html
}

@test "parts of files are one run, too" {
	"$DANA" filter -q --damaged-ok -z none -O whole --stats whole.json --report whole.html many.warc.gz plain.warc damaged.warc
	for r in 0 1 2; do
		"$DANA" filter -q --damaged-ok -z none -O parts --stats "part.$r" --report part.html --shard $r/3 --split-bytes 8K many.warc.gz plain.warc damaged.warc
	done
	report part.0 part.1 part.2 | cmp - <(report whole.json)
	prints 1 "*1 share is missing*2/3*" "$DANA" stats report -o two.html part.0 part.1
	grep -q 'Shares of the run are missing' two.html
}

@test "the page says what came in, what came out, why not, and where" {
	"$DANA" filter -q --damaged-ok --report run.html -o out.jsonl --stats run.json --plugin quality many.warc.gz damaged.warc sample.warc.gz
	grep -q "^<p>$(jq .records run.json) records came in" run.html
	for group in skipped damaged problems; do
		for word in $(jq -r ".$group | keys[]" run.json); do
			grep -q "<code>$word</code>" run.html || { echo "$group $word"; false; }
		done
	done
	grep -q '<code>type</code>.*<td>not a response record, or of' run.html
	# each document of the sample is there, with its place
	jq -r '.report.samples.random[] | "\(.file)@\(.offset)"' run.json >places
	[ "$(wc -l <places)" -gt 5 ]
	jq -r '"\(.file)@\(.offset)"' out.jsonl | sort -u >all
	[ -z "$(sort -u places | comm -23 - all)" ]
	while read -r place; do grep -qF "$place" run.html; done <places
	[ "$(jq -c '.report.settings | length' run.json)" -eq 1 ]
	[ "$(jq '[.report.sites.words[][2]] | add' run.json)" -eq "$(jq .text_chars run.json)" ]
	for histogram in length share margin; do
		[ "$(jq "[.report.$histogram[]] | add" run.json)" -eq "$(jq .documents run.json)" ]
	done
}

@test "pages that are left out have a place, the beginning of their text if one was made, and a command" {
	cp sample.warc.gz again.warc.gz
	"$DANA" extract -f text "$DANA_SOURCE/sample/site/en.html" >text
	for way in short quality dedup; do
		case $way in
		short) options="--min-chars 50000" ;;
		quality) options="--plugin quality" ;;
		dedup) options="--plugin dedup-exact" ;;
		esac
		for jobs in 0 1 3; do
			# shellcheck disable=SC2086 # words
			DANA_TEST_SPAN_SIZE=3000 "$DANA" filter -q -j $jobs $options --report run.html --stats $way.json --force \
				-o out.jsonl sample.warc.gz again.warc.gz many.warc.gz
			report $way.json >$jobs.html
		done
		cmp 0.html 1.html
		cmp 0.html 3.html
		jq -c ".report.samples | to_entries[] | select(.key | test(\"$way\")) | .value[]" $way.json >samples
		[ "$(jq -c 'select(.text and .title and .file)' samples | wc -l)" -ge 5 ] || { cat samples; false; }
	done
	# the first bytes of the whole text
	"$DANA" filter -q --min-chars 50000 --report run.html --stats short.json --force -o out.jsonl sample.warc.gz
	jq -j '.report.samples["skipped:short"][] | select(.url | endswith("/en.html")) | .text' short.json >begin
	cmp begin <(head -c "$(wc -c <begin)" text)
	[ "$(wc -c <begin)" -gt 200 ]
	grep -A8 '<summary>Left out: short' <("$DANA" stats report short.json) | grep -q '<p class="text"'
}

@test "the commands of the page work" {
	"$DANA" filter -q --damaged-ok --report run.html -o out.jsonl damaged.warc sample.warc.gz
	python3 - <<-'END' >commands
		import html, re
		text = open("run.html").read()
		for command in dict.fromkeys(re.findall(r"<p><code>(dana .*?)</code></p>", text)):
		    print(html.unescape(command))
	END
	grep -q '^dana explain' commands
	grep -q '^dana filter -v --range' commands
	mkdir bin
	ln -s "$DANA" bin/dana
	while read -r command; do
		status=0
		PATH=$PWD/bin:$PATH bash -c "$command" 2>err || status=$?
		[ "$status" -eq 0 ] || [ "$status" -eq 2 ] || { echo "$command: $status"; cat err; false; }
		case $command in
		*explain*) grep -q '<title>' page.html || { echo "$command"; false; } ;;
		*) grep -q 'offset' err || { echo "$command"; cat err; false; } ;;
		esac
	done <commands
}

@test "a place names the page of a record" {
	"$DANA" filter -q -o out.jsonl sample.warc.gz
	jq -r '"\(.offset) \(.url)"' out.jsonl | while read -r offset url; do
		"$DANA" explain "sample.warc.gz@$offset" >at.html
		"$DANA" extract "$DANA_SOURCE/sample/site/${url##*/}" >wanted
		python3 - at.html wanted <<-'END'
			import json, re, sys
			data = json.loads(re.search(r'<script id="data" type="application/json">(.*)</script>\n', open(sys.argv[1]).read()).group(1))
			text = "\n".join(b["text"] for b in data["methods"][0]["blocks"] if b["kept"])
			assert text.split() == open(sys.argv[2]).read().split(), text
		END
	done
	[ "$(grep -c '^<p>This is the page of the first of several' at.html)" -eq 0 ]
	# one member with many records: all begin at its offset; and what the page's bytes say of its charset
	for i in 1 2; do response $i http://h.example/$i "<meta charset=windows-1252><title>$i</title><p>Caf"$'\351'" of page $i, which is open."; done | gzip >member.warc.gz
	"$DANA" explain member.warc.gz@0 >at.html
	[ "$(grep -c '^<p>This is the page of the first of several records at this offset' at.html)" -eq 1 ]
	grep -q '"url":"http://h.example/1",.*"charset":"windows-1252","first":true' at.html
	"$DANA" explain --url http://h.example/2 member.warc.gz@0 >at.html
	grep -q '"url":"http://h.example/2",.*"title":"2".*"charset":"windows-1252"' at.html
	[ "$(grep -c '"first":true' at.html)" -eq 0 ]
	"$DANA" explain --url http://h.example/ member.warc.gz@0 | grep -q '"title":"1".*"first":true'
	prints 1 "dana explain: sample.warc.gz: no record with a page begins at offset 1" "$DANA" explain sample.warc.gz@1
	prints 1 "dana explain: none.warc.gz: No such file or directory" "$DANA" explain none.warc.gz@1
	cp "$DANA_SOURCE/sample/site/en.html" page@1
	"$DANA" explain page@1 | cmp - <("$DANA" explain page@1)
}

@test "a resumed run has the report of the whole, or none" {
	for i in $(seq 40); do cat many.warc.gz; done >long.warc.gz
	"$DANA" filter -q -m plain -o whole.jsonl --report whole.html --stats whole.json long.warc.gz
	stopped() { # stopped OPTIONS...: a run that a signal ends on the way
		rm -f a.jsonl*
		for _ in $(seq 20); do
			status=0
			DANA_TEST_READ_SIZE=1 "$DANA" filter -q -m plain --checkpoint-bytes 10K -o a.jsonl "$@" long.warc.gz &
			local pid=$!
			wait_until "$pid" [ -s a.jsonl.part ]
			kill -TERM "$pid" || true
			wait "$pid" || status=$?
			[ "$status" -ne 143 ] || return 0
			rm -f a.jsonl*
		done
		false
	}
	stopped --report a.html --stats a.json
	"$DANA" filter -q -m plain --resume -o a.jsonl --report a.html --stats a.json long.warc.gz
	cmp a.jsonl whole.jsonl
	report a.json | cmp - <(report whole.json)
	stopped --stats a.json
	rm -f b.html
	prints 3 "*a.jsonl cannot be resumed: its earlier part was run without --report*" \
		"$DANA" filter -q -m plain --resume -o a.jsonl --report b.html long.warc.gz
	[ ! -s b.html ]
	"$DANA" filter -q -m plain --resume -o a.jsonl long.warc.gz
	cmp a.jsonl whole.jsonl
	# nothing is done any more, and nothing known: the page stays
	prints 0 "*" "$DANA" filter -m plain --resume -o a.jsonl --report a.html long.warc.gz
	grep -q 'records came in' a.html
}

@test "a resumed folder has the report of all outputs, or none" {
	for i in 1 2 3 4; do cp many.warc.gz "m$i.warc.gz"; done
	"$DANA" filter -q -m plain -O whole --report whole.html --stats whole.json m?.warc.gz
	folder() { # folder OPTIONS...: two outputs are complete, and an input is not there yet
		rm -rf out
		run -1 "$DANA" filter -q -m plain -O out "$@" m1.warc.gz m2.warc.gz m3.warc.gz m4.warc.gz
	}
	mv m3.warc.gz away
	folder --report a.html --stats a.json
	mv away m3.warc.gz
	"$DANA" filter -q -m plain -O out --resume --report a.html --stats a.json m?.warc.gz
	report a.json | cmp - <(report whole.json)
	mv m3.warc.gz away
	folder --stats a.json
	mv away m3.warc.gz
	rm -f b.html
	prints 3 "*out: the run cannot be resumed with --report: its earlier part was run without*" \
		"$DANA" filter -q -m plain -O out --resume --report b.html m?.warc.gz
	[ ! -e b.html ]
	"$DANA" filter -q -m plain -O out --resume m?.warc.gz
	# a new run over outputs of which nothing is known any more, and one that is missing
	rm out/m2.jsonl.zst
	prints 1 "*b.html is not written: 3 outputs were complete already*" "$DANA" filter -q -m plain -O out --resume --report b.html m?.warc.gz
	[ ! -s b.html ]
}

@test "a report replaces a page, but no archive, output or other report" {
	printf 'old' >run.html
	"$DANA" filter -q -o out.jsonl --report run.html sample.warc.gz
	grep -q 'records came in' run.html
	prints 3 "*--report: sample.warc.gz is an archive*" "$DANA" filter -o new.jsonl --report sample.warc.gz plain.warc
	prints 3 "*plain.warc*" "$DANA" filter -o new.jsonl --report plain.warc plain.warc
	prints 3 "*--report out.jsonl is a file of the output*" "$DANA" filter --force -o out.jsonl --report out.jsonl sample.warc.gz
	prints 3 "*--report x is a file of*" "$DANA" filter -o new.jsonl --stats x --report x sample.warc.gz
	prints 3 "*--report - is not a file*" "$DANA" filter -o new.jsonl --report - sample.warc.gz
	[ ! -e new.jsonl ] && [ ! -e new.jsonl.part ]
	"$DANA" filter -q -o new.jsonl --stats run.json --report run.html sample.warc.gz
	prints 3 "*run.html*--force*" "$DANA" stats report -o run.html run.json
	prints 3 "*run.json*" "$DANA" stats report --force -o run.json run.json
	"$DANA" stats report --force -o run.html run.json
	[ "$("$DANA" filter -q --report /dev/full sample.warc.gz 2>&1 >docs | tail -n 1)" = "dana filter: --report: /dev/full: No space left on device" ]
}

@test "what is no counters of a report is refused by name" {
	"$DANA" filter -q -o out.jsonl --stats a.json sample.warc.gz
	prints 1 "dana stats: a.json: it has no \`report\`*" "$DANA" stats report a.json
	"$DANA" filter -q --force -o out.jsonl --stats b.json --report run.html plain.warc
	[ "$("$DANA" stats merge a.json b.json | jq 'has("report")')" = false ]
	[ "$("$DANA" stats merge b.json | jq 'has("report")')" = true ]
	sed 's/"length":\[0,/"length":[/' b.json >c.json
	prints 1 "dana stats: c.json: its members are not those that --stats writes" "$DANA" stats report c.json
}

@test "a browser shows the page: wide, narrow, dark, by keys, without names missing, and nothing hostile runs" {
	command -v chromedriver >/dev/null || skip "no chromedriver"
	command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip "no Chromium"
	PYTHONPATH="$DANA_SOURCE/tests/cli:$DANA_SOURCE/tests/support" python3 "$DANA_SOURCE/tests/cli/check_run_report.py" "$DANA"
}
