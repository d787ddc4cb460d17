# SPDX-License-Identifier: MIT
# dana explain: the report is a whole document without script or network, and a browser shows its parts.

setup() {
	gold=$DANA_SOURCE/tests/data/gold
	cd "$BATS_TEST_TMPDIR"
}

browser() {
	command -v chromium || command -v chromium-browser || command -v google-chrome
}

# headless [FLAGS...] URL; what the page says to the console goes to `console`
headless() {
	timeout 60 "$(browser)" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync \
		--disable-background-networking --disable-component-update --hide-scrollbars --enable-logging=stderr \
		--user-data-dir="$BATS_TEST_TMPDIR/profile" "$@" 2>console
	! grep CONSOLE console
}

# measured WIDTH REPORT: what measure_report.js says of the report in a frame of that width goes to `told`. The policy of the report
# forbids scripts, so the copy that measures itself has none.
measured() {
	{
		sed '/Content-Security-Policy/d' "$2"
		echo "<script>$(cat "$DANA_SOURCE/tests/cli/measure_report.js")</script>"
	} >framed.html
	echo "<title>nothing was told</title><script>addEventListener('message', (e) => { document.title = e.data; })</script>
		<iframe width=$1 height=900 src=framed.html></iframe>" >frame.html
	headless --window-size=1700,1000 --virtual-time-budget=20000 --dump-dom "file://$PWD/frame.html" | grep -o '<title>.*</title>' >told
}

@test "the report is complete and loads nothing" {
	"$DANA" explain -m danag "$gold/news/lighthouse.html" >report.html
	[ "$(head -c 15 report.html)" = "<!DOCTYPE html>" ]
	[ "$(tail -n 1 report.html)" = "</html>" ]
	! grep -Eq '<script|<link|<iframe|<img|src=|href=|@import' report.html
	for part in 'class="plot signal"' 'class="plot smoothed"' 'class="plot strip"' 'Table of regions' 'Table of decisions' \
		'Text of the page' 'prefers-color-scheme:dark' 'storm broke the power line' 'class="block kept"' \
		'class="block dropped"' 'role="img"' 'aria-label='; do
		grep -qF "$part" report.html
	done
}

@test "-o writes a file, and the charset can be told" {
	run "$DANA" explain -m danag --charset gb18030 -o report.html "$gold/stories/postman.html"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	grep -q '老邮递员在山里走了二十六年' report.html
	"$DANA" explain -m danag --charset gb18030 - <"$gold/stories/postman.html" | grep -q '<bdi>-</bdi>'
}

@test "an unknown charset and the page as output are usage errors" {
	cp "$gold/stories/postman.html" page.html
	for options in "--charset nope" "-o ./page.html"; do
		# shellcheck disable=SC2086
		run "$DANA" explain $options page.html
		[ "$status" -eq 3 ]
		[ "${#lines[@]}" -eq 1 ]
	done
	cmp page.html "$gold/stories/postman.html"
}

@test "every method has a report" {
	for method in $("$DANA" eval -m all -f tsv "$gold" | sed 1d | cut -f 2); do
		"$DANA" explain -m "$method" "$gold/stories/garden.html" >report.html
		grep -q 'Table of decisions' report.html
		grep -q 'Text of the page' report.html
	done
}

@test "auto shows the method that it chose" {
	"$DANA" explain -m auto "$gold/news/lighthouse.html" >report.html
	grep -q 'Method auto' report.html
	grep -q 'class="plot smoothed"' report.html
}

@test "two methods side by side, three are too many" {
	"$DANA" explain -m danag,dana "$gold/stories/garden.html" >report.html
	grep -q 'class="methods two"' report.html
	[ "$(grep -c '<section' report.html)" -eq 2 ]
	run "$DANA" explain -m danag,dana,plain "$gold/stories/garden.html"
	[ "$status" -eq 3 ]
}

@test "nothing of a page becomes markup" {
	{
		echo '<title>"><script>alert(1)</script></title><p>'
		for i in 1 2 3 4 5 6 7 8 9; do
			echo 'a long line of text &lt;script&gt;alert(1)&lt;/script&gt; &quot;onload=&quot; and so on, with many more words</p><p>'
		done
	} >'"x<y>.html'
	"$DANA" explain -m danag,addanag '"x<y>.html' >report.html
	! grep -qi '<script\|<y>' report.html
	grep -q '&lt;script&gt;alert(1)&lt;/script&gt;' report.html
}

@test "usage errors and files that are not pages" {
	run "$DANA" explain
	[ "$status" -eq 3 ]
	run "$DANA" explain -m none "$gold/news/lighthouse.html"
	[ "$status" -eq 3 ]
	run "$DANA" explain /nowhere/page.html
	[ "$status" -eq 1 ]
	run "$DANA" explain -o /nowhere/report.html "$gold/news/lighthouse.html"
	[ "$status" -eq 1 ]
	: >empty.html
	"$DANA" explain empty.html | grep -q 'found no main content'
	printf '%%PDF-1.4\n' >a.pdf
	run "$DANA" explain a.pdf
	[ "$status" -eq 1 ]
	[[ "$output" == "dana explain: a.pdf: a PDF, not an HTML page: "* ]]
	run "$DANA" explain https://example.org/page.html
	[ "$status" -eq 1 ]
	[ "$output" = "dana explain: https://example.org/page.html: pages from the network are not fetched: fetch it, and give the file" ]
}

@test "a browser shows the parts in light and dark, narrow and wide" {
	browser >/dev/null || skip "no Chromium"
	command -v python3 >/dev/null || skip "no python3"
	"$DANA" explain -m danag,dana -o report.html "$gold/stories/garden.html"
	headless --dump-dom "file://$PWD/report.html" >dom
	[ "$(grep -Eo '<svg role="(img|group)"' dom | wc -l)" -eq 6 ]
	for width in 420 1600; do
		headless --window-size=$width,1500 --screenshot="$PWD/light.png" "file://$PWD/report.html"
		python3 "$DANA_SOURCE/tests/cli/check_picture.py" light.png ffffff 1a5fb4 a04100 1c7c3c
		headless --blink-settings=preferredColorScheme=0 --window-size=$width,1500 --screenshot="$PWD/dark.png" \
			"file://$PWD/report.html"
		python3 "$DANA_SOURCE/tests/cli/check_picture.py" dark.png 15181c 74b0ff ffab6b 6fd58d
	done
}

@test "no page is wider than the window, with ten thousand segments too" {
	browser >/dev/null || skip "no Chromium"
	for i in $(seq 1 4000); do
		echo "<p class=\"paragraph number-$i\">Line $i of a long page of text with many-words-without-any-space-$i-that-cannot-be-broken.</p>"
		[ $((i % 40)) -ne 0 ] || printf '<ul>%s</ul>\n' "$(for k in 1 2 3 4 5 6 7 8 9; do printf '<li><a class="entry" href="/%s">x</a></li>' $k$i$k$i; done)"
	done >long.html
	"$DANA" explain -m danag -o report.html long.html
	[ "$(wc -c <report.html)" -lt 3000000 ]
	grep -q 'segments in 600 columns' report.html
	for width in 400 1600; do
		measured $width report.html
		grep -q '>fits ' told
	done
}

@test "nothing is cut and lines are short, with all that can be opened open" {
	browser >/dev/null || skip "no Chromium"
	for method in learned danag,learned; do
		"$DANA" explain -m $method "$DANA_SOURCE/sample/site/en.html" | sed 's/<details /<details open /' >report.html
		for width in 400 1600; do
			measured $width report.html
			grep -q '>fits [0-9]* short<' told || { cat told; false; }
		done
	done
}

@test "the report shows as kept what extract prints, and every link leads somewhere" {
	command -v python3 >/dev/null || skip "no python3"
	methods=$("$DANA" eval -m all -f tsv "$gold" | sed 1d | cut -f 2)
	[ "$(echo "$methods" | wc -l)" -gt 20 ]
	for method in $methods; do
		for page in "$gold/stories/garden.html" "$gold/news/lighthouse.html" "$DANA_SOURCE/sample/site/index.html"; do
			python3 "$DANA_SOURCE/tests/cli/check_shown.py" "$DANA" $method "$page"
		done
	done
}

@test "no row of a kept block is left out" {
	command -v python3 >/dev/null || skip "no python3"
	{
		echo '<article><h1>A list</h1>'
		for i in $(seq 1 2600); do echo "<p>Line $i of this long page says something, and ends with a full stop.</p>"; done
	} >long.html
	python3 "$DANA_SOURCE/tests/cli/check_shown.py" "$DANA" learned long.html
	"$DANA" explain -m learned long.html >report.html
	[ "$(grep -c 'data-name="decision">✓ kept' report.html)" -gt 1000 ]
	! grep -q 'left out' report.html
	[ "$(grep -c 'class="bar chosen"' report.html)" -le 1400 ]
}

@test "learned has a strip, probabilities of both stages and reasons in words" {
	"$DANA" explain -m learned "$DANA_SOURCE/sample/site/en.html" >report.html
	for part in 'class="plot chances"' 'class="bar chosen"' 'class="bar other"' 'class="first"' 'class="threshold"' \
		'href="#m1b11"' 'id="m1p11"' 'href="#m1p11"' 'id="m1b11"' '<dt>Stage 1: 0.' '<dt>Stage 2: 0.' \
		'aria-label="block 11, kept, probability 0.'; do
		grep -qF "$part" report.html
	done
	grep -Eq '<summary>[a-z0-9][^<]*: [-+][0-9]\.[0-9]{2}; ' report.html
	grep -Eq 'below the best container: \+[0-9]' report.html
	! grep -Eq '(PATH|LEVEL|PAGE)_' report.html
	! grep -q $'\xef\xbf\xbd' report.html
	"$DANA" explain -m learned "$DANA_SOURCE/sample/site/en.html" | cmp - report.html
}

@test "what is kept stands as Markdown below the text, whole and without markup of its own" {
	command -v python3 >/dev/null || skip "no python3"
	{
		echo '<h1>The mill &amp; "the sea"</h1><pre>'
		echo
		echo '  for (i = 0; i &lt; n; i++)</pre><ul><li><a href=/a>one</a><li>two</ul><script>alert(1)</script>'
	} >page.html
	for method in plain danag,plain auto; do
		"$DANA" explain -m $method --url https://one.example/x/ page.html >report.html
		"$DANA" extract -m ${method#*,} --text markdown --url https://one.example/x/ page.html >wanted.md
		python3 - report.html wanted.md $method <<-'END'
			import html, re, sys
			report, wanted = (open(name, encoding="utf-8", newline="").read() for name in sys.argv[1:3])
			shown = [html.unescape(part) + "\n" for part in re.findall(r'<pre dir="auto">\n(.*?)</pre>', report, re.S)]
			assert len(shown) == len(sys.argv[3].split(",")) and shown[-1] == wanted, (shown, wanted)
		END
	done
	grep -q '\[one\](https://one.example/a)' report.html
	"$DANA" explain -m plain --markdown links=0 page.html >report.html
	grep -q '^- one$' report.html
	"$DANA" explain -m r2l page.html >report.html
	! grep -q '<pre' report.html
	: >empty.html
	"$DANA" explain empty.html >report.html
	! grep -q '<pre' report.html
	for options in "--markdown links=3 page.html" "--markdown none=1 page.html" "--markdown links=0 -o x.svg page.html" \
		"--markdown links=0 --archive page.html"; do
		# shellcheck disable=SC2086
		run "$DANA" explain $options
		[ "$status" -eq 3 ]
		[ "${#lines[@]}" -eq 1 ]
	done
}

@test "of two methods, what only one has kept is marked" {
	printf '<body><p>%s</p><div class=menu><a href="/">A menu of links</a></div></body>' \
		'A paragraph of some length that each method takes for the main text of this small page, because it is text.' >page.html
	"$DANA" explain -m plain,learned page.html >report.html
	[ "$(grep -c 'class="only"' report.html)" -eq 1 ]
	grep -q 'class="only">A menu of links</p>' report.html
	grep -q 'lines that only this method kept</dt><dd>1</dd>' report.html
	"$DANA" explain -m plain,plain page.html >report.html
	! grep -q 'class="only"' report.html
}

@test "recall moves the threshold of learned smoothly: each 12.5 doubles what a missed word costs" {
	{
		echo '<html><body><div class=content><p>'
		for i in $(seq 400); do echo 'The old lighthouse on the northern shore opens its doors to visitors, the keeper said.'; done
	} >page.html
	# One block of chance c: its threshold is c / (1 + b c), where b is 1 at recall 50; between doublings b grows evenly. The cut of
	# the kind of page then moves it.
	for recall in 50 0 6 12 13 19 25 31 37 38 44 56 62 63 69 75 81 87 88 94 100; do
		printf '%s ' $recall
		"$DANA" explain -m learned:recall=$recall page.html | sed 's/<[^>]*>/ /g' |
			sed -n 's/.*threshold  *\(0\.[0-9]*\)  *expected F1.*blocks  *1 .* cut  *\([0-9.]*\) .*/\1 \2/p'
	done >thresholds
	awk '
		function moved(t) { return $3 <= 1 ? t * $3 : t + 2 * ($3 - 1) * t * (1 - t) }
		NR == 1 {
			for (c = 0.01; moved(c / (1 + c)) < $2; c += 0.0001)
				;
		}
		{
			steps = int($1 / 12.5)
			b = 2 ^ (steps - 4) * (1 + ($1 - steps * 12.5) / 12.5)
			expected = moved(c / (1 + b * c))
			if ($2 < expected - 0.004 || $2 > expected + 0.004) { print $0, "expected", expected; bad = 1 }
		}
		END { exit bad || NR != 21 }
	' thresholds
}

@test "a report that exists needs --force" {
	cd "$BATS_TEST_TMPDIR"
	echo '<p>one two three' >page.html
	echo old >report.html
	run "$DANA" explain -o report.html page.html
	[ "$status" -eq 3 ]
	[ "$output" = "dana explain: report.html exists; --force overwrites it" ]
	[ "$(cat report.html)" = old ]
	"$DANA" explain --force -o report.html page.html
	grep -q '<html' report.html
}

@test "an archive has an overview, with a strip for each page of its lists" {
	archive=$DANA_SOURCE/sample/sample.warc.gz
	"$DANA" explain --archive "$archive" -o overview.html
	grep -q 'pages</dt><dd>7</dd>' overview.html
	[ "$(grep -c '<section id="page' overview.html)" -eq 7 ]
	[ "$(grep -c 'class="plot chances"' overview.html)" -eq 7 ]
	[ "$(grep -c 'id="row[0-9]*" href="#page' overview.html)" -eq 7 ]
	! grep -Eq '<script|src=|href="[^#]' overview.html
	# the share of the whole is that of the texts that filter writes and of all visible text
	kept=$("$DANA" filter -m learned "$archive" | python3 -c 'import json, sys; print(sum(json.loads(l)["text_chars"] for l in sys.stdin))')
	all=$("$DANA" filter -m plain "$archive" | python3 -c 'import json, sys; print(sum(json.loads(l)["text_chars"] for l in sys.stdin))')
	grep -q "percent of these kept</dt><dd>$(python3 -c "print(1000 * $kept // $all / 10)")<" overview.html
	"$DANA" explain --archive "$archive" | cmp - overview.html
	"$DANA" explain -m danag --archive "$archive" | grep -q 'class="plot smoothed"'
}

@test "an archive beside a page, none, standard input and no archive are told" {
	archive=$DANA_SOURCE/sample/sample.warc.gz
	for options in "--archive $archive page.html" "--archive -" "-m danag,dana --archive $archive" "-m none --archive $archive"; do
		# shellcheck disable=SC2086
		run "$DANA" explain $options
		[ "$status" -eq 3 ]
		[ "${#lines[@]}" -eq 1 ]
	done
	run "$DANA" explain --archive /nowhere/x.warc
	[ "$status" -eq 1 ]
	[ "${#lines[@]}" -eq 1 ]
	echo text >not.warc
	run "$DANA" explain --archive not.warc -o report.html
	[ "$status" -eq 2 ]
	[[ "$output" == *not_an_archive* ]]
}

@test "a name that ends with .svg gets the strip alone, and the one of the documentation is such a picture" {
	command -v python3 >/dev/null || skip "no python3"
	"$DANA" explain -m learned -o picture.svg "$DANA_SOURCE/sample/site/en.html"
	for picture in picture.svg "$DANA_SOURCE/doc/decision.svg"; do
		python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$picture"
		[ "$(wc -c <"$picture")" -lt 30000 ]
		for part in 'class="chosen"' 'class="other"' 'class="first"' 'class="threshold"' '>11</text>' 'prefers-color-scheme:dark'; do
			grep -qF "$part" "$picture"
		done
		[ "$(grep -c 'class="threshold"' "$picture")" -eq 2 ] # over the bars, and in the legend
		! grep -Eq '<script|href=|src=' "$picture"
	done
	run "$DANA" explain -m danag -o other.svg "$DANA_SOURCE/sample/site/en.html"
	[ "$status" -eq 3 ]
	[ ! -e other.svg ]
}

@test "wlr tells the numbers that its decision rests on" {
	"$DANA" explain -m wlr -o wlr.html "$gold/news/lighthouse.html"
	for name in "highest words per leaf" "words per leaf of the page" "log2 of the best relevance"; do
		grep -q "$name" wlr.html || { echo "no $name" && false; }
	done
}

@test "--boilerplate marks lines with the pages that they stand on" {
	if ! "$DANA" dedup estimate --documents 1 --chars 1 >out 2>&1; then
		run "$DANA" explain --boilerplate table "$gold/news/lighthouse.html"
		[ "$status" -eq 3 ]
		[[ $output == *"built without"* ]]
		skip "built without what finds duplicates"
	fi
	# six pages of one site with a footer, three of another one with the same
	for i in 1 2 3 4 5 6 7 8 9; do
		[ "$i" -gt 6 ] && host=www.two.example || host=www.one.co.uk
		page="<!doctype html><p>Story $i of many words that stand on no other page.</p><p>All rights reserved</p>"
		body=$(printf 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n%s' "$page")
		printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n' "$i"
		printf 'WARC-Target-URI: http://%s/%s\r\nContent-Type: application/http;msgtype=response\r\n' "$host" "$i"
		printf 'Content-Length: %s\r\n\r\n%s\r\n\r\n' "${#body}" "$body"
	done >crawl.warc
	"$DANA" dedup learn --method plain -o table crawl.warc
	echo '<!doctype html><p>A new story of one.</p><p>all  RIGHTS reserved</p>' >page.html
	for method in plain danag learned; do
		"$DANA" explain -m $method --boilerplate table --url http://one.co.uk/x page.html >report.html
		[ "$(grep -o '<b class="often">' report.html | wc -l)" -eq 1 ]
		grep -q '<b class="often">on 6 of 6 pages</b> all RIGHTS reserved' report.html
	done
	"$DANA" explain -m plain --boilerplate table --url http://two.example page.html | grep -q 'on 3 of 3 pages</b> all'
	"$DANA" explain -m plain --boilerplate table --url http://three.example page.html >report.html
	! grep -q '<b class="often">' report.html
	# without an address: a site of the table that has the line
	"$DANA" explain -m plain --boilerplate table page.html | grep -Eq 'on (6 of 6|3 of 3) pages</b> all'
	run "$DANA" explain --boilerplate page.html page.html
	[ "$status" -eq 1 ]
	[ "$output" = "dana explain: page.html: is not a file of dana dedup" ]
	run "$DANA" explain --boilerplate table --archive crawl.warc
	[ "$status" -eq 3 ]
}
