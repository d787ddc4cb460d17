# SPDX-License-Identifier: MIT
# dana site, and --site of filter and eval: what other pages of a page's site have.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	filter_options='-q --force'
	if "$DANA" dedup info x 2>&1 | grep -q 'built without'; then
		skip "built without what finds duplicates"
	fi
}

# record URL HTML
record() {
	printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%08d-0000-4000-8000-000000000000>\r\n' $((++records))
	printf 'WARC-Date: 2024-05-06T07:08:09Z\r\nWARC-Target-URI: %s\r\n' "$1"
	printf 'Content-Type: text/html\r\nContent-Length: %s\r\n\r\n%s\r\n\r\n' "$(printf %s "$2" | wc -c)" "$2"
}

# site HOST FIRST LAST: pages that differ, each with the same offer near its end
site() {
	local k n story
	for k in $(seq "$2" "$3"); do
		story=
		for n in 1 2 3 4 5 6; do
			story+="<p>On day $n of week $k the keeper of $1 walked $((k * n)) steps to the lamp, lit it, and wrote down who had come.</p>"
		done
		record "http://$1/$k" "<html><body><div class=content><h1>Week $k</h1>$story<div class=letter><p>Follow our letter again</p></div></div></body></html>"
	done
}

crawl() {
	records=0
	{ site www.harbour.example 1 8; site 127.0.0.1:8000 1 8; } >a.warc
	{ site old.harbour.example 9 12; site alone.example 1 1; } >b.warc
}

offers() {
	grep -o 'Follow our letter again' "$1" | wc -l
}

method=learned:recall=70

@test "text of other pages is dropped by a table, the same for all workers and reads" {
	crawl
	"$DANA" site learn -o site a.warc b.warc
	run -0 "$DANA" dedup info site
	[[ $output == *"pages        21"* && $output == *"sites        3"* ]]
	run_filter 0 -m $method -o off.jsonl a.warc b.warc
	[ "$(offers off.jsonl)" -eq 21 ]
	run_filter 0 -m $method -o zero.jsonl -j 0 --site site a.warc b.warc
	[ "$(offers zero.jsonl)" -eq 1 ] # the page that is alone
	[ "$(sed 's/Follow our letter again//' off.jsonl | grep -c 'On day 6')" -eq 21 ]
	[ "$(grep -c 'On day 6' zero.jsonl)" -eq 21 ]
	for options in '-j 1' '-j 2' '-j 2 --max-in-flight 1M'; do
		# shellcheck disable=SC2086 # words
		run_filter 0 -m $method -o more.jsonl $options --site site a.warc b.warc
		cmp zero.jsonl more.jsonl
	done
	cat a.warc b.warc | run_filter 0 -m $method --site site -
	cmp <(sed 's/"file":"[^"]*","offset":[0-9]*//' zero.jsonl) <(sed 's/"file":"[^"]*","offset":[0-9]*//' out)
	# other methods do not change, and learned does as one of several
	run_filter 0 -m danag -o plain.jsonl a.warc
	run_filter 0 -m danag -o site.jsonl --site site a.warc
	cmp plain.jsonl site.jsonl
	run_filter 0 -m danag -m $method -o two.jsonl --site site a.warc
	[ "$(sed 's/.*"texts"//' two.jsonl | grep -c 'Follow our letter again')" -eq 0 ]
}

@test "parts of an archive judge by the table of the whole" {
	crawl
	cat a.warc b.warc >c.warc
	gzip -c a.warc >c.warc.gz && gzip -c b.warc >>c.warc.gz
	for archive in c.warc c.warc.gz; do
		size=$(wc -c <$archive)
		"$DANA" site learn --force -o site $archive
		run_filter 0 -m $method -o whole.jsonl --site site $archive
		for parts in 2 3 7; do
			for n in $(seq 0 $((parts - 1))); do
				run_filter 0 -m $method -o part.$n.jsonl --site site --range $((size * n / parts))-$((size * (n + 1) / parts)) $archive
			done
			cmp whole.jsonl <(for n in $(seq 0 $((parts - 1))); do cat part.$n.jsonl; done)
			rm part.*
		done
		echo $archive >list
		for share in 0 1; do
			run_filter 0 -m $method -O shares -z none --site site --list list --split-bytes 5K --shard $share/2
		done
		cmp whole.jsonl <(find shares -name '*.jsonl' | sort -V | xargs cat)
		rm -r shares
	done
}

@test "copies of a page cost it nothing" {
	records=0
	site page.example 1 1 >page.warc
	run_filter 0 -m $method -o alone.jsonl page.warc
	[ "$(offers alone.jsonl)" -eq 1 ]
	text=$(jq -r .text alone.jsonl | sed '1d; s/.*/<p>&<\/p>/')
	html=$(sed -n '/^<html/p' page.warc)
	for copies in query print front quotes1 quotes2 quotes4 queries9; do
		records=9
		{
			case $copies in
			query) record 'http://page.example/1?utm_source=x' "$html" ;;
			print) record 'http://page.example/print/1' "<html><body><h1>Week 1</h1>$text<hr><p>From page.example</p></body></html>" ;;
			front) record 'http://page.example/' "<html><body><div id=main><h2>Week 1</h2>$text<h2>Week 0</h2><p>On day 6 of week 0 the keeper had not yet come, and nobody lit the lamp.</p></div></body></html>" ;;
			quotes*) for n in $(seq 1 "${copies#quotes}"); do
				record "http://page.example/x$n" "<html><body><div class=x$n><h1>Offer $n</h1><p>Cheap lamps number $n are here, and now, and for you.</p>$text</div></body></html>"
			done ;;
			queries9) for n in 1 2 3 4 5 6 7 8 9; do record "http://page.example/1?fbclid=$n" "$html"; done ;;
			esac
		} >copies.warc
		for order in 'page.warc copies.warc' 'copies.warc page.warc'; do
			# shellcheck disable=SC2086 # words
			cat $order >all.warc
			"$DANA" site learn --force -o site all.warc
			for options in '--site site -j 0' '--site site -j 2' '--site auto -j 1' '--site window -j 0' '--site window -j 2'; do
				# shellcheck disable=SC2086 # words
				run_filter 0 -m $method -o with.jsonl $options all.warc
				cmp <(jq -r .text alone.jsonl) <(jq -r 'select(.url == "http://page.example/1").text' with.jsonl)
			done
		done
	done
	# what the site repeats is still left out
	{ site page.example 2 9 | cat page.warc copies.warc -; } >all.warc
	run_filter 0 -m $method -o with.jsonl --site window all.warc
	[ "$(jq -r 'select(.url | test("/[2-9]$")).text' with.jsonl | offers /dev/stdin)" -eq 0 ]
	[ "$(jq -r 'select(.url == "http://page.example/1").text' with.jsonl | grep -c 'On day')" -eq 6 ]
}

@test "a first pass makes the table of all inputs" {
	crawl
	"$DANA" site learn -o site a.warc b.warc
	run_filter 0 -m $method -o table.jsonl --site site a.warc b.warc
	for jobs in 0 1 2; do
		run_filter 0 -m $method -o auto.jsonl -j $jobs --site auto a.warc b.warc
		cmp table.jsonl auto.jsonl
	done
	printf 'a.warc\nb.warc\n' >list
	run_filter 0 -m $method --site auto --list list
	cmp table.jsonl out
	run_filter 0 -m $method -O dir -z none -J 2 --site auto a.warc b.warc
	cmp table.jsonl <(cat dir/a.jsonl dir/b.jsonl)
	# nothing is left of it
	[ -z "$(find . -name '*site.*' -o -name '*.part')" ]
	# archives without a page
	printf 'WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:x>\r\nWARC-Date: 2024-05-06T07:08:09Z\r\nContent-Length: 0\r\n\r\n\r\n\r\n' >none.warc
	run_filter 0 -o none.jsonl --site auto none.warc
	[ ! -s none.jsonl ]
	[ ! -s err ]
}

@test "of a large site a first pass learns from a sample" {
	records=0
	{ site www.harbour.example 1 6; site other.example 1 5; } >a.warc
	{ printf 'garbage\r\n\r\n'; site harbour.example 7 70; } >b.warc # the first pages end in the middle of the site
	{ # pages that come again; and what is no page of the sample: a picture, damage, no site
		site www.harbour.example 3 3
		record http://harbour.example/p "$(printf 'GIF89a%9000s' x)"
		site harbour.example 60 62
		record urn:x '<p>Follow our letter again</p>'
	} >c.warc
	for name in a b c; do gzip -c <$name.warc >$name.warc.gz; done
	# a member for each record, and several spans of a file
	for _ in $(seq 12); do cat a.warc b.warc c.warc; done | "$DANA" filter -q -m plain -f warc -z gzip -o long.warc.gz - || [ $? -eq 2 ]
	options='-m learned:recall=70 --text blocks --dropped'
	strip='s/"file":"[^"]*","offset":[0-9]*,"length":[0-9a-z]*//'
	# shellcheck disable=SC2086 # words
	{
		run_filter 2 $options -o first.jsonl -j 0 --site auto a.warc b.warc c.warc
		for jobs in 0 1 2 4; do
			for size in 3 1000 1000000; do
				DANA_TEST_READ_SIZE=$size run_filter 2 $options -o more.jsonl -j $jobs --site auto a.warc b.warc c.warc
				cmp first.jsonl more.jsonl
			done
			run_filter 2 $options -o packed.jsonl -j $jobs --site auto a.warc.gz b.warc.gz c.warc.gz
			cmp <(sed "$strip" first.jsonl) <(sed "$strip" packed.jsonl)
		done
		run_filter 2 $options -O dir -z none -J 3 --site auto a.warc b.warc c.warc
		cmp first.jsonl <(cat dir/a.jsonl dir/b.jsonl dir/c.jsonl)
		cat a.warc b.warc c.warc >all.warc
		run_filter 2 $options -o all.jsonl --site auto all.warc
		cmp <(sed "$strip" first.jsonl) <(sed "$strip" all.jsonl)
		run_filter 0 $options -o long.jsonl -j 0 --site auto long.warc.gz
		for jobs in 1 2 3; do
			run_filter 0 $options -o more.jsonl -j $jobs --site auto long.warc.gz
			cmp long.jsonl more.jsonl
		done
		rm -f out.jsonl*
		run_filter 2 $options -o whole.jsonl --checkpoint-bytes 1 --site auto b.warc c.warc a.warc
		! (ulimit -f 100; "$DANA" filter -q $options -o out.jsonl --checkpoint-bytes 1 --site auto b.warc c.warc a.warc)
		[ -s out.jsonl.part ]
		filter_options=-q
		run_filter 2 $options -o out.jsonl --checkpoint-bytes 1 --site auto --resume b.warc c.warc a.warc
		filter_options='-q --force'
		cmp whole.jsonl out.jsonl
	}
	# all pages are without the offer, which is on so many others: one less for those of the sample
	[ "$(sed 's/,"blocks":.*//' first.jsonl | grep -c 'Follow our letter again')" -eq 1 ]
	jq -r 'select(.url != "urn:x") | (.url | sub("www."; "") | sub("/[0-9]*$"; "")) + " " + (.blocks[] |
		select(.text | startswith("Follow")) | "\(.site_pages) \(.site_others)")' first.jsonl | sort | uniq -c >counts
	awk '$3 != $4 { exit 1 }' counts
	grep -qx ' *5 http://other.example 4 4' counts
	run -0 awk '/harbour/ { print $1, $3 }' counts
	read -r sampled others <<<"${lines[0]}"
	[ ${#lines[@]} -eq 2 ]
	[ "$sampled" -eq $((others + 1)) ]
	[ "$sampled" -ge 9 ] && [ "$sampled" -le 20 ] # 3 comes again
	[ "${lines[1]}" = "$((74 - sampled)) $sampled" ]
	jq -s -e --argjson others "$others" '[.[] | select(.url | test("harbour.example/[1-8]$")) | .blocks[] |
		select(.text | startswith("Follow")) | .site_others == $others] | length == 9 and all' first.jsonl >/dev/null
	# a table of all pages knows all
	"$DANA" site learn -o site a.warc b.warc c.warc 2>/dev/null || [ $? -eq 2 ]
	# shellcheck disable=SC2086 # words
	run_filter 2 $options -o table.jsonl --site site a.warc b.warc c.warc
	[ "$(grep -c '"site_others":73' table.jsonl)" -eq 74 ]
	cmp <(jq -c '.text' table.jsonl) <(jq -c '.text' first.jsonl)
}

@test "what cannot be read twice is refused" {
	crawl
	mkfifo pipe
	echo http://127.0.0.1:9/a.warc >addresses
	echo s3://bucket/a.warc.gz | gzip >addresses.gz
	printf 'a.warc\npipe\n' >pipes
	for arguments in - '' pipe http://127.0.0.1:9/a.warc s3://bucket/a.warc '--list addresses' '--list addresses.gz' \
		'a.warc --list addresses' '--list http://127.0.0.1:9/list' '--list pipes' 'a.warc -' 'a.warc@0-100' '--range 0-100 a.warc' '--split-bytes 1M a.warc' '--list -' \
		'--cdx x.cdx' '--watch . -O dir'; do
		# shellcheck disable=SC2086 # words
		filter_reports 3 'make a table with dana site learn' --site auto $arguments </dev/null
	done
	[ ! -e out.jsonl ]
}

@test "a signal ends the first pass with a message and leaves no file" {
	crawl
	for _ in $(seq 20); do cat a.warc; done >some.warc
	for _ in $(seq 30); do cat some.warc; done >long.warc
	mkdir tmp
	export TMPDIR=$PWD/tmp
	for row in "INT 130 -o out.jsonl" "TERM 143 -O dir" "HUP 129 -o -" "TERM 143 -q -o out.jsonl"; do
		read -r name status options <<<"$row"
		# byte by byte, which takes long; a hangup ends it also where these tests are run by nohup
		# shellcheck disable=SC2086 # words
		DANA_TEST_READ_SIZE=1 env --default-signal=HUP "$DANA" filter -j 0 $options --site auto long.warc >out 2>err 3>&- &
		until [ -n "$(find . -name '*site.*')" ] || ! kill -0 $!; do :; done
		kill -"$name" $!
		code=0
		wait $! || code=$?
		[ "$code" -eq "$status" ]
		[ -z "$(find . -name '*site.*' -o -name 'out.jsonl*')" ]
		[ ! -s out ]
		if [[ $options == *-q* ]]; then
			[ ! -s err ]
		else
			grep -qx 'dana filter: stopped in the first pass of --site auto: nothing was written; the same command starts over' err
		fi
	done
	# a hangup that is ignored ends nothing
	(trap '' HUP; DANA_TEST_READ_SIZE=1 exec "$DANA" filter -q -j 0 -o out.jsonl --site auto some.warc 3>&-) &
	until [ -n "$(find . -name '*site.*')" ] || ! kill -0 $!; do :; done
	kill -HUP $! 2>kill.err || true
	wait $!
	[ -s out.jsonl ]
}

@test "a first pass leaves no file when the run is killed" {
	records=0
	site www.harbour.example 1 8 >one.warc
	# as long, of many sites, and read at once: it ends before it looks for signals
	for n in $(seq 100001 100250); do sed "s/harbour/h$n/" one.warc; done | gzip >many.warc.gz
	mkfifo ends
	# between the end of the first pass and the removal of its table there is an instant in which nobody removes it, and
	# on a busy machine a run may end before it is killed
	clean=0
	for try in $(seq 32); do
		# whoever reads the pipe knows when both processes have ended
		"$DANA" filter -q -j 0 -o out.jsonl --site auto many.warc.gz 3>&- 9>ends &
		exec 8<ends
		until compgen -G 'out.jsonl.site.*' >out || ! kill -0 $!; do :; done
		for _ in $(seq $((try % 8 + 1))); do find . >out; done
		kill -KILL $! 2>kill.err || true
		status=0
		wait $! || status=$?
		cat <&8
		exec 8<&-
		[ "$status" -ne 137 ] || [ -n "$(find . -name 'out.*')" ] || clean=$((clean + 1))
		rm -f out.*
		[ "$clean" -lt 6 ] || break
	done
	[ "$clean" -eq 6 ]
}

@test "outputs that exist are refused before the first pass" {
	crawl
	touch out.jsonl
	filter_options=
	filter_reports 3 'out.jsonl' -o out.jsonl --site auto a.warc
	[ -z "$(find . -name '*site.*')" ]
}

@test "a run resumes with the same table only" {
	crawl
	"$DANA" site learn -o site a.warc b.warc
	"$DANA" site learn -o other b.warc
	for table in site auto; do
		filter_options=-q
		rm -f out.jsonl*
		run_filter 0 -m $method -o out.jsonl --checkpoint-bytes 1 --site $table a.warc b.warc
		mv out.jsonl whole.jsonl
		! (ulimit -f 8; "$DANA" filter -q -m $method -o out.jsonl --checkpoint-bytes 1 --site $table a.warc b.warc)
		[ -s out.jsonl.part ]
		if [ $table = site ]; then
			mv site right
			cp other site
			filter_reports 3 site-content -m $method -o out.jsonl --checkpoint-bytes 1 --site site --resume a.warc b.warc
			mv right site
		fi
		run_filter 0 -m $method -o out.jsonl --checkpoint-bytes 1 --site $table --resume a.warc b.warc
		cmp whole.jsonl out.jsonl
	done
}

@test "a window of all pages is a table of them" {
	crawl
	{ # what gives no page is not counted, and keeps its place: a picture, text in vain, damage, an empty page; what
	  # the method has judged is, also if nothing is written of it: text that cannot be read, a page of links
		record http://127.0.0.1:8000/p "$(printf '\211PNG%9000s' x)"
		record http://127.0.0.1:8000/e '<html><body></body></html>'
		printf 'garbage\r\n\r\n'
		record http://www.harbour.example/u "<p>$(printf '\357\277\275%.0s' {1..200})</p><p>Follow our letter again</p>"
		record http://www.harbour.example/l '<ul><li><a href=/>Home</a><li><a href=/a>Follow our letter again</a></ul>'
		site 127.0.0.1 20 22 | sed 's/text.html/text\/plain/'
		record urn:x '<p>Follow our letter again</p>'
	} >>a.warc
	"$DANA" site learn -o a.site a.warc 2>/dev/null || [ $? -eq 2 ]
	"$DANA" site learn -o b.site b.warc
	mkdir table window
	for options in '' '--text plain,markdown,blocks --dropped' '--min-chars 0 --mime any --type any' \
		'-m danag --require-digest' '--min-chars 700' '-f warc --text markdown' '--plugin boilerplate:streaming=1'; do
		[[ $options == *warc* ]] || options+=' -f jsonl'
		options+=' -z none'
		# shellcheck disable=SC2086 # words
		{
			run_filter 2 -m $method $options -o table/a --rejects --site a.site a.warc
			run_filter 0 -m $method $options -o table/b --site b.site b.warc
			for jobs in 0 1 2 4; do
				run_filter 2 -m $method $options -o window/a --rejects -j $jobs --site window a.warc
				cmp table/a window/a
				cmp table/a.rejects.jsonl window/a.rejects.jsonl
			done
			DANA_TEST_READ_SIZE=3 run_filter 2 -m $method $options -o window/a --site window:1M a.warc
			cmp table/a window/a
			# each input has windows of its own
			[[ $options == *warc* || $options == *plugin* ]] && continue
			run_filter 2 -m $method $options -o both --site window:1G a.warc b.warc
			cmp <(cat table/a table/b) both
		}
	done
	strip='s/"file":"[^"]*","offset":[0-9]*//'
	run_filter 2 -m $method -o a.jsonl --site a.site a.warc
	cat a.warc | run_filter 2 -m $method --site window -
	cmp <(sed "$strip" a.jsonl) <(sed "$strip" out)
	run_filter 2 -m $method -O dir -z none -J 2 --site window a.warc b.warc
	cmp a.jsonl dir/a.jsonl
	# a record by its place
	run_filter 2 -m $method --range "0-$(wc -c <a.warc)" --site window a.warc
	cmp a.jsonl out
}

@test "windows are cut by the bytes of their records" {
	records=0
	{ site www.harbour.example 11 18; site other.example 11 14; } >c.warc
	one=$(wc -c < <(site www.harbour.example 11 11)) # more than its window counts of it is less than another one
	pages() { grep -o '"text":"Follow our letter again","p":[0-9.]*,"site_pages":[0-9]*' "$1" | sed 's/.*://' | tr '\n' ' '; }
	run_filter 0 --text blocks --dropped -o whole.jsonl --site window c.warc
	[ "$(pages whole.jsonl)" = '7 7 7 7 7 7 7 7 3 3 3 3 ' ]
	run_filter 0 --text blocks --dropped -o off.jsonl c.warc
	for bytes in 1 $((one * 5 / 2)) $((one * 5)) $((one * 100)); do
		rm -f first.jsonl
		for jobs in 0 1 2 4; do
			for size in 1 100 1000000; do
				DANA_TEST_READ_SIZE=$size run_filter 0 --text blocks --dropped -j $jobs -o tiny.jsonl --site window:$bytes c.warc
				[ -e first.jsonl ] || cp tiny.jsonl first.jsonl
				cmp first.jsonl tiny.jsonl
			done
		done
		case $bytes in
		1) cmp off.jsonl first.jsonl ;; # each page is alone
		$((one * 100))) cmp whole.jsonl first.jsonl ;;
		*)
			# as many pages in each window, so that those of a site know as many others
			run -0 pages first.jsonl
			[[ $output =~ ^((1\ 1\ )+|(2\ 2\ 2\ )+|(3\ 3\ 3\ 3\ )+)+(1\ 1\ |2\ 2\ 2\ )*$ ]] || { echo "$output"; false; }
			! cmp -s off.jsonl first.jsonl && ! cmp -s whole.jsonl first.jsonl
			;;
		esac
	done
	# a part of the input, and each piece of an index, begin anew
	size=$(wc -c <c.warc)
	for jobs in 0 2; do
		run_filter 0 --text blocks --dropped -j $jobs -o one.jsonl --range "0-$((one * 4))" --site window c.warc
		run_filter 0 --text blocks --dropped -j $jobs -o two.jsonl --range "$((one * 4))-$size" --site window c.warc
		[ "$(cat one.jsonl two.jsonl | wc -l)" -eq 12 ]
		[ "$(pages one.jsonl | cut -d' ' -f1)" -lt 7 ]
	done
}

@test "a run with windows resumes with the same bytes" {
	records=0
	crawl
	{ site www.harbour.example 11 40; site other.example 11 40; } >once.warc
	for _ in 1 2 3 4 5 6; do cat once.warc; done >c.warc # more than a batch of records
	gzip -k c.warc
	filter_options='-q -z none --text blocks --dropped' # which have the number of pages of the window
	for input in c.warc c.warc.gz; do
		for arguments in '-j 0 --site window:20K' '-j 2 --site window:20K' '-j 1 --site window:1' '-j 0 --site window'; do
			rm -f out.jsonl* whole.jsonl*
			# shellcheck disable=SC2086 # words
			{
				run_filter 0 -m $method -o whole.jsonl --checkpoint-bytes 1 $arguments b.warc $input
				for blocks in 20 110 250 433; do
					! (ulimit -f $blocks; "$DANA" filter $filter_options -m $method -o out.jsonl --resume \
						--checkpoint-bytes 1 $arguments b.warc $input 2>err)
					[ -s out.jsonl.state ]
				done
				filter_reports 3 'site' -m $method -o out.jsonl --checkpoint-bytes 1 $arguments --site window:7K \
					--resume b.warc $input
				run_filter 0 -m $method -o out.jsonl --checkpoint-bytes 1 $arguments --resume b.warc $input
				cmp whole.jsonl out.jsonl
			}
		done
	done
}

@test "windows are bounded in memory" {
	records=0
	site www.harbour.example 11 30 >page.warc
	for _ in $(seq 300); do cat page.warc; done >c.warc
	for jobs in 0 2; do
		for window in off window:1M window:16M; do
			run_filter 0 -j $jobs -o out.jsonl --stats "$window.json" --site $window c.warc
		done
		jq -e -n --slurpfile off off.json --slurpfile some window:1M.json --slurpfile more window:16M.json \
			'$some[0].documents == 6000 and $some[0].peak_rss_bytes - $off[0].peak_rss_bytes < 24e6 and
			$more[0].peak_rss_bytes - $off[0].peak_rss_bytes < 64e6'
	done
}

@test "a window has a number of bytes" {
	crawl
	for window in window: window:0 window:x window:1T window:-1 window:1M,2 window:1048577G window:9223372036854775807; do
		filter_reports 3 '--site window: expected a number of bytes above 0' --site $window a.warc
	done
	filter_reports 1 'No such file' --site windows a.warc
	printf 'site = window:2K\n' >conf
	run_filter 0 --config conf --print-config
	grep -q '^site = window:2K$' out
	sum() { "$DANA" filter --print-limits -j 0 "$@" | sed -n 's/^sum *\([0-9]*\)M.*/\1/p'; }
	[ $(($(sum --site window:100M) - $(sum))) -ge 200 ]
	[ "$(sum --site window:1048576G)" -gt 2147483648 ]
}

@test "tables are merged, and are the same in any order" {
	crawl
	"$DANA" site learn -o all --least 1 a.warc b.warc
	"$DANA" site learn -o reverse --least 1 -j 0 b.warc a.warc
	cmp all reverse
	"$DANA" site learn -o a --least 1 a.warc
	"$DANA" site learn -o b --least 1 b.warc
	"$DANA" site merge -o merged a b
	"$DANA" site learn -o usual a.warc b.warc
	"$DANA" site merge -o two --least 2 a b
	cmp usual two
	run_filter 0 -m $method -o one.jsonl --site all a.warc b.warc
	run_filter 0 -m $method -o two.jsonl --site merged a.warc b.warc
	cmp one.jsonl two.jsonl
	# the table serves the plugin, too
	run_filter 0 -m plain -o plugin.jsonl --plugin boilerplate:table=merged,min-pages=3 a.warc b.warc
	[ "$(offers plugin.jsonl)" -eq 1 ]
	prints 3 '*exists; --force overwrites it' "$DANA" site merge -o merged a b
}

@test "wrong and damaged tables" {
	crawl
	"$DANA" site learn -o site a.warc
	"$DANA" dedup learn --scope all -o all a.warc
	filter_reports 3 'counts lines of all pages, not by site' --site all -o x.jsonl a.warc
	filter_reports 1 'No such file' --site missing -o x.jsonl a.warc
	filter_reports 1 'is not a file of dana dedup' --site a.warc -o x.jsonl a.warc
	size=$(wc -c <site)
	for at in 8 40 $((size / 2)) $((size - 20)); do
		cp site bad
		printf '\377\376' | dd of=bad bs=1 seek="$at" conv=notrunc status=none
		cmp -s site bad || filter_reports 1 bad --site bad -o x.jsonl a.warc
	done
	head -c $((size - 1)) site >bad
	filter_reports 1 bad --site bad -o x.jsonl a.warc
	[ ! -e x.jsonl ]
	prints 3 '*expected learn|merge*' "$DANA" site lern -o x a.warc
	prints 3 '*-o FILE is missing' "$DANA" site learn a.warc
	"$DANA" site learn --force -o least --memory 8192 --least 1 a.warc # in as little memory as is allowed
	"$DANA" site learn --force -o usual --least 1 a.warc
	cmp least usual
	prints 3 '*--memory*' "$DANA" site learn --force -o least --memory 8191 a.warc
	prints 3 '*' "$DANA" site
}

@test "blocks name the pages that have them" {
	crawl
	"$DANA" site learn -o site a.warc b.warc
	run_filter 0 -m $method --text plain,blocks --dropped --site site a.warc
	[ "$(grep -o '"text":"Follow our letter again","p":[0-9.]*,"site_pages":11,' out | wc -l)" -eq 8 ]
	[ "$(grep -o '"text":"Follow our letter again","p":[0-9.]*,"site_pages":7,' out | wc -l)" -eq 8 ]
	# of 11 and 7 other pages that are known; p is below p_alone, which is p without a table
	[ "$(grep -o '"site_pages":11,"site_others":11,"p_alone":' out | wc -l)" -ge 8 ]
	[ "$(grep -o '"site_pages":7,"site_others":7,"p_alone":' out | wc -l)" -ge 8 ]
	jq -r '.blocks[] | select(.text == "Follow our letter again") | .p_alone' out >alone
	jq -e 'all(.blocks[]; .p_alone == null or .p_alone != .p)' out >judged
	! grep -q false judged
	run_filter 0 -m $method --text plain,blocks --dropped a.warc
	cmp alone <(jq -r '.blocks[] | select(.text == "Follow our letter again") | .p' out)
	! grep -q 'site_pages\|site_others\|p_alone' out
	run_filter 0 -m $method --text plain,blocks a.warc
	! grep -q site_pages out
}

@test "reference pages are scored with their sites" {
	mkdir -p gold/one
	printf 'corpus\tid\turl\n' >gold/index.tsv
	for k in 1 2 3 4; do
		story="On day $k the keeper walked to the lamp of the harbour, lit it, and wrote down who had come. "
		echo "<html><body><div class=content><h1>Week $k</h1><p>$story$story</p><p>$k $story</p><div class=letter><p>Follow our letter again</p></div></div>" >gold/one/$k.html
		printf 'Week %s\n%s%s\n%s %s\n' "$k" "$story" "$story" "$k" "$story" >gold/one/$k.txt
		printf 'one\t%s\thttp://w%s.lamps.example/%s\n' $k $k $k >>gold/index.tsv
	done
	f1() { "$DANA" eval -m $method -f tsv "$@" gold | awk -F'\t' '$1 == "lamps.example" || $1 == "all" { print $6, $8 }' | tail -1; }
	[ "$(f1 --per site | cut -d' ' -f2)" = 1 ]
	[ "$(f1 --per site --site auto)" = "1.000000 1" ]
	[ "$(f1 --site off)" != "1.000000 1" ]
	# no room for the table
	(
		ulimit -f 0
		TMPDIR=$PWD prints 1 '*File too large*' "$DANA" eval --site auto gold
	)
	[ -z "$(find . -name '*site.*')" ]
	# nothing is known of sites
	cut -f1,2 gold/index.tsv >without && mv without gold/index.tsv
	run -0 "$DANA" eval -m $method --site auto gold
	[[ $output == *"--site changes nothing: no page has a URL; expected the column url in index.tsv"* ]]
	run -0 "$DANA" eval -m $method gold
	[[ $output != *"--site"* ]]
}

@test "explain shows why text of other pages is dropped" {
	crawl
	"$DANA" site learn -o site a.warc b.warc
	sed -n '/^<html>/p' a.warc | head -1 >page.html
	"$DANA" explain -m $method --site site --url http://harbour.example/1 page.html >report.html
	grep -q 'its place has little text on 11 other pages of this site' report.html
	grep -q 'site_pages=11 site_others=11' report.html
	"$DANA" explain -m $method --url http://harbour.example/1 page.html >report.html
	! grep -q 'other pages of this site' report.html
	prints 3 '*--site needs --url URL*' "$DANA" explain --site site page.html
	prints 3 '*excludes --site*' "$DANA" explain --site site --url http://x/ --archive a.warc
	prints 1 '*No such file*' "$DANA" explain --site missing --url http://x/ page.html
}
