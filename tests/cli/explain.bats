# SPDX-License-Identifier: MIT
# dana explain: the report is a whole document without network, its data are JSON, and a browser shows its parts.

load ../support/cli

setup() {
	gold=$DANA_SOURCE/tests/data/gold
	cd "$BATS_TEST_TMPDIR"
}

# data REPORT: the JSON in it
data() {
	sed -n 's/^<script id="data" type="application\/json">\(.*\)<\/script>$/\1/p' "$1"
}

# explains FILTER ARGUMENTS...: writes report.html, of whose JSON the filter of jq is true
explains() {
	"$DANA" explain "${@:2}" >report.html
	has "$1"
}

# has FILTER [REPORT]: the filter is true of the JSON in report.html or another one
has() {
	data "${2:-report.html}" | jq -e "$1" >/dev/null
}

# check KIND ARGUMENT...: by a browser without a window, with check_report.py
check() {
	command -v chromedriver >/dev/null || skip "no chromedriver"
	command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip "no Chromium"
	kind=$1
	shift
	python3 "$DANA_SOURCE/tests/cli/check_report.py" "$kind" "$DANA" "$@"
}

@test "the report is complete and loads nothing" {
	"$DANA" explain -m danag "$gold/news/lighthouse.html" >report.html
	[ "$(head -c 15 report.html)" = "<!DOCTYPE html>" ]
	[ "$(tail -n 1 report.html)" = "</html>" ]
	[ "$(grep -c '<script' report.html)" -eq 2 ]
	[ "$(grep -Ec '<link|<iframe|<img|src=|@import|\{\{' report.html)" -eq 0 ]
	# the files of the script are one: a second function of a name would replace the first
	[ "$(grep -c '^function ' report.html)" -gt 50 ]
	[ -z "$(grep -o '^function [A-Za-z0-9]*' report.html | sort | uniq -d)" ]
	has '.charset == "utf-8" and .bytes == 2361 and .visible == 850 and (.methods | length) == 1'
	has '.methods[0] | .kept > 700 and .words.above == "content" and (.segments | length) > 20 and
		(.segments | all(length == 3)) and .regions[0][4] == 1 and ([.numbers[][0]] == ["literal", "tag-limit", "link-limit", "gap", "gap-fill", "chains"])'
	has '.methods[0] as $m | $m.blocks | map(.kept) == [false, true, false] and [.[1].first, .[1].last] == $m.regions[0][0:2] and
		.[1].reason == "region of the chosen chain" and .[0].reason != .[1].reason and (.[1].numbers | test("^weight=[0-9]+ chain=0$"))'
	grep -q '<td>✓ kept<td dir="auto">region of the chosen chain<td dir="auto">weight=[0-9]* chain=0<td dir="auto">' report.html
	grep -q 'storm broke the power line' report.html
}

@test "the policy has the digests of the style and the script, and allows nothing else" {
	"$DANA" explain "$gold/news/lighthouse.html" >page.html
	"$DANA" explain --archive "$DANA_SOURCE/sample/sample.warc.gz" >archive.html
	for report in page.html archive.html; do
		python3 - $report <<-'END'
			import base64, hashlib, re, sys
			text = open(sys.argv[1], "rb").read()
			digest = lambda part: b"'sha256-" + base64.b64encode(hashlib.sha256(part).digest()) + b"'"
			style, script = re.search(rb"<style>(.*?)</style>", text, re.S)[1], re.search(rb"<script>(.*?)</script>", text, re.S)[1]
			policy = re.search(rb'http-equiv="Content-Security-Policy" content="(.*?)"', text)[1].split(b"; ")
			assert policy == [b"default-src 'none'", b"style-src " + digest(style), b"script-src " + digest(script), b"base-uri 'none'",
				b"form-action 'none'", b"require-trusted-types-for 'script'"], policy
		END
	done
}

@test "-o writes a file, and the charset can be told" {
	prints 0 '' "$DANA" explain -m danag --charset gb18030 -o report.html "$gold/stories/postman.html"
	grep -q '老邮递员在山里走了二十六年' report.html
	"$DANA" explain -m danag --charset gb18030 - <"$gold/stories/postman.html" | grep -q '<bdi>-</bdi>'
}

@test "an unknown charset and the page as output are usage errors" {
	cp "$gold/stories/postman.html" page.html
	for options in "--charset nope" "-o ./page.html"; do
		# shellcheck disable=SC2086
		prints_line 3 "$DANA" explain $options page.html
	done
	cmp page.html "$gold/stories/postman.html"
}

@test "every method has a report" {
	for method in $("$DANA" eval -m all -f tsv "$gold" | sed 1d | cut -f 2); do
		explains '.methods[0].blocks | length > 0 and all(.reason != "" and (.text | type) == "string")' -m "$method" "$gold/stories/garden.html"
	done
}

@test "auto shows the method that it chose" {
	"$DANA" explain -m auto "$gold/news/lighthouse.html" >report.html
	grep -q 'Method auto' report.html
	has '.methods[0] | .spec == "auto" and .made == "danag" and (.segments | length) > 0'
	explains '.methods[0] | .made == "danag" and (.numbers | any(. == ["gap", 40]))' -m auto:gap=40,share=20 "$gold/news/lighthouse.html"
}

@test "the plot of dana names code as what is below the axis, that of its slides does not" {
	"$DANA" explain -m dana,dana-slides "$gold/stories/garden.html" >report.html
	data report.html | jq -e '[.methods[].words.below] == ["ASCII part and, unless literal, all code", "ASCII part"]' >/dev/null
}

@test "two methods side by side, three are too many" {
	explains '[.methods[].spec] == ["danag", "dana"]' -m danag,dana "$gold/stories/garden.html"
	[ "$(grep -c '<h2>Method' report.html)" -eq 3 ]
	run -3 "$DANA" explain -m danag,dana,plain "$gold/stories/garden.html"
}

@test "nothing of a page becomes markup" {
	{
		echo '<title>"><script>alert(1)</script></title><p>'
		for i in 1 2 3 4 5 6 7 8 9; do
			echo 'a long line of text &lt;script&gt;alert(1)&lt;/script&gt; &quot;onload=&quot; and so on, with many more words</p><p>'
		done
	} >'"x<y>.html'
	"$DANA" explain -m danag,addanag '"x<y>.html' >report.html
	[ "$(grep -ci '<script' report.html)" -eq 2 ]
	[ "$(grep -ci '</script' report.html)" -eq 2 ]
	[ "$(grep -c '<y>' report.html)" -eq 0 ]
	grep -q '&#60;script&#62;alert(1)&#60;/script&#62;' report.html
	has '.file == "\"x<y>.html" and .title == "\">" + "<script>alert(1)</script>" and
		(.methods[0].blocks[0].text | test("text <script>alert\\(1\\)</script> \"onload=\" and"))'
}

@test "nothing of hostile pages runs, is loaded or becomes an element" {
	check hostile "${HOSTILE_PAGES:-120}"
	check hostile_compare "${HOSTILE_PAGES:-120}"
	check archive 200
}

@test "usage errors and files that are not pages" {
	run -3 "$DANA" explain
	run -3 "$DANA" explain -m none "$gold/news/lighthouse.html"
	run -1 "$DANA" explain /nowhere/page.html
	run -1 "$DANA" explain -o /nowhere/report.html "$gold/news/lighthouse.html"
	: >empty.html
	explains '.methods[0] | .none and .kept == 0 and .blocks == []' empty.html
	grep -q '^<p>This page has no text.$' report.html
	printf '%%PDF-1.4\n' >a.pdf
	prints 1 'dana explain: a.pdf: a PDF, not an HTML page: *' "$DANA" explain a.pdf
	run -1 "$DANA" explain ftp://example.org/page.html
	[ "$output" = "dana explain: ftp://example.org/page.html: this is not the URL of a page; expected https://HOST/PATH or http://HOST/PATH" ]
}

@test "a compressed page is read as it is" {
	"$DANA" explain "$gold/news/lighthouse.html" | sed 's/lighthouse[a-z.]*/NAME/g' >plain.report
	gzip -c "$gold/news/lighthouse.html" >lighthouse.html.gz
	zstd -q -c "$gold/news/lighthouse.html" >lighthouse.html.zst
	for name in lighthouse.html.gz lighthouse.html.zst; do
		"$DANA" explain $name | sed 's/lighthouse[a-z.]*/NAME/g' >packed.report
		[ "$(grep -c '<title>' packed.report)" -eq 1 ]
		cmp <(sed "s|$gold/news/||g" plain.report) packed.report
	done
	{ printf 'MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n'; cat "$gold/news/lighthouse.html"; } | gzip >a.mhtml.gz
	explains '.methods[0].kept > 0' a.mhtml.gz
	cp "$DANA_SOURCE/sample/sample.warc.gz" a.warc.gz
	prints 1 'dana explain: a.warc.gz: an archive (WARC or ARC), not one HTML page*' "$DANA" explain a.warc.gz
	printf '\037\213\010\0\0\0\0\0\0\3\377\377\377' >bad.gz
	prints 1 'dana explain: bad.gz: compressed, and so damaged*' "$DANA" explain bad.gz
}

@test "a browser shows the parts, in light and dark, narrow and wide, on paper, by mouse and keys, and without scripts" {
	check view "$DANA_SOURCE/sample/site/en.html" "$gold/stories/garden.html"
}

@test "no F1 above 1 is expected, of a page of one word, too" {
	echo '<p>Caf of page' >page.html
	explains '.methods[0].numbers | any(.[0] == "expected F1" and .[1] == 1)' page.html
}

@test "the slider of recall decides as the program does" {
	for i in $(seq 30); do
		echo "<div class=post><b>user $i</b><p>Post $i about the lamp, the harbour and the winter, which nobody in the village had seen for $i years.</p>"
		[ $((i % 3)) -ne 0 ] || echo "<blockquote class=quote>Post $((i - 2)) about the lamp, the harbour and the winter, which nobody in the village had seen for $((i - i % 2)) years.</blockquote>"
		echo '<a href=/reply>Reply</a></div>'
	done >forum.html
	run check recall "$DANA_SOURCE/sample/site/en.html" "$DANA_SOURCE/sample/site/index.html" forum.html
	[ "$status" -eq 0 ] || { echo "$output"; false; }
	[[ "$output" != *" 0 "* ]] # neither no decision that differs, nor no copy
}

@test "thousands of blocks share bars" {
	{
		echo '<article><h1>A list</h1>'
		for i in $(seq 1 2600); do echo "<p>Line $i of this long page says something, and ends with a full stop.</p>"; done
	} >long.html
	check many long.html
}

@test "no page is wider than the window, with ten thousand segments too" {
	for i in $(seq 1 4000); do
		echo "<p class=\"paragraph number-$i\">Line $i of a long page of text with many-words-without-any-space-$i-that-cannot-be-broken.</p>"
		[ $((i % 40)) -ne 0 ] || printf '<ul>%s</ul>\n' "$(for k in 1 2 3 4 5 6 7 8 9; do printf '<li><a class="entry" href="/%s">x</a></li>' $k$i$k$i; done)"
	done >long.html
	"$DANA" explain -m danag -o long-report.html long.html
	[ "$(wc -c <long-report.html)" -lt 3000000 ]
	check fits -m danag long.html
	for methods in learned danag,learned; do
		check fits -m $methods "$DANA_SOURCE/sample/site/en.html"
	done
}

@test "the report shows as kept what extract prints, and every link leads somewhere" {
	methods=$("$DANA" eval -m all -f tsv "$gold" | sed 1d | cut -f 2)
	[ "$(echo "$methods" | wc -l)" -gt 20 ]
	for method in $methods; do
		for page in "$gold/stories/garden.html" "$gold/news/lighthouse.html" "$DANA_SOURCE/sample/site/index.html"; do
			python3 "$DANA_SOURCE/tests/cli/check_shown.py" "$DANA" $method "$page"
		done
	done
}

@test "no row of a kept block is left out, and rows of dropped ones from the thousandth on are" {
	for i in $(seq 1 2600); do echo "<p>Line $i of this long page says something, and ends with a full stop.</p>"; done >lines
	{ echo '<article><h1>A list</h1>' && cat lines; } >long.html
	python3 "$DANA_SOURCE/tests/cli/check_shown.py" "$DANA" learned long.html
	"$DANA" explain -m learned long.html >report.html
	[ "$(grep -c '<td>✓ kept' report.html)" -gt 1000 ]
	[ "$(grep -c '^<p>[0-9]* more rows' report.html)" -eq 0 ]
	"$DANA" explain -m r2l long.html >report.html
	[ "$(grep -c '<td>✗ dropped' report.html)" -eq 1 ]
	"$DANA" explain -m fe long.html >report.html
	[ "$(grep -c '<td>✗ dropped' report.html)" -eq 1000 ]
	grep -q '<p>1601 more rows of what was dropped are left out.' report.html
}

@test "learned has probabilities of both stages, and reasons in words for and against each block" {
	explains '.methods[0].blocks | length == 20 and all((.chance | length) == 2 and (.chance | all(. == floor and . >= 0 and . < 65536)) and
		.chance[0] > 0 and (.chance[1] > 0) == (.reason != "its class is of other matter") and .words > 0 and (.reasons | map(.[0]) | unique) == [1, 2])' -m learned "$DANA_SOURCE/sample/site/en.html"
	has '.methods[0].blocks | map(select(.kept)) | length == 5 and all(.reasons | any(.[2] > 0) and any(.[2] < 0))'
	# of each stage at most four for it and four against it, the strongest first
	has '.methods[0].blocks | all(.reasons | all(group_by([.[0], .[2] > 0])[]; length <= 4 and (map(.[2] | fabs) | . == (sort | reverse))))'
	has '[.methods[0].blocks[].reasons[][1]] | any(test("below the best container")) and all(test("(PATH|LEVEL|PAGE)_") | not)'
	has '[.methods[0].numbers[][0]] | index("recall") == 0 and index("threshold")'
	[ "$(grep -c $'\xef\xbf\xbd' report.html)" -eq 0 ]
	"$DANA" explain -m learned "$DANA_SOURCE/sample/site/en.html" | cmp - report.html
}

@test "the report tells the kind of the page in words, and what spoke for and against a block" {
	"$DANA" explain -m learned "$DANA_SOURCE/sample/site/en.html" >report.html
	check kinds report.html
}

@test "what is kept is there as Markdown, whole" {
	{
		echo '<h1>The mill &amp; "the sea"</h1><pre>'
		echo
		echo '  for (i = 0; i &lt; n; i++)</pre><ul><li><a href=/a>one</a><li>two</ul><script>alert(1)</script>'
	} >page.html
	for method in plain danag,plain auto; do
		"$DANA" explain -m $method --url https://one.example/x/ page.html >report.html
		"$DANA" extract -m ${method#*,} --text markdown --url https://one.example/x/ page.html >wanted.md
		data report.html | jq -rj '.methods[-1].markdown + "\n"' | cmp - wanted.md
	done
	grep -q '\[one\](https://one.example/a)' wanted.md
	explains '.methods[0].markdown | test("\n- one\n")' -m plain --markdown links=0 page.html
	: >empty.html
	for page in "-m r2l page.html" empty.html; do
		# shellcheck disable=SC2086
		explains '.methods[0].markdown == ""' $page
	done
	for options in "--markdown links=3 page.html" "--markdown none=1 page.html" "--markdown links=0 -o x.svg page.html" \
		"--markdown links=0 --archive page.html"; do
		# shellcheck disable=SC2086
		prints_line 3 "$DANA" explain $options
	done
}

@test "of two methods, what only one has kept is marked" {
	printf '<body><p>%s</p><div class=menu><a href="/">A menu of links</a></div></body>' \
		'A paragraph of some length that each method takes for the main text of this small page, because it is text.' >page.html
	explains '[.methods[].blocks[].marks[]] == [[0, 0, 1]] and (.methods[0].blocks | map(select(.marks != []).text) == ["A menu of links"])' -m plain,learned page.html
	explains '[.methods[].blocks[].marks[]] == []' -m plain,plain page.html
}

@test "recall moves the threshold of learned smoothly: each 12.5 doubles what a missed word costs" {
	{
		echo '<html><body><div class=content><p>'
		for i in $(seq 400); do echo 'The old lighthouse on the northern shore opens its doors to visitors, the keeper said.'; done
	} >page.html
	# One block of chance c: its threshold is c / (1 + b c), where b is the page's lean at recall 50; between doublings b grows evenly.
	for recall in 50 0 6 12 13 19 25 31 37 38 44 56 62 63 69 75 81 87 88 94 100; do
		printf '%s ' $recall
		"$DANA" explain -m learned:recall=$recall page.html >report.html
		data report.html | jq -r '.methods[0].numbers | map({(.[0]): .[1]}) | add | select(.blocks == 1) | "\(.threshold) \(.lean)"'
	done >thresholds
	awk '
		NR == 1 {
			for (c = 0.01; c / (1 + $3 * c) < $2; c += 0.0001)
				;
		}
		{
			steps = int($1 / 12.5)
			b = $3 * 2 ^ (steps - 4) * (1 + ($1 - steps * 12.5) / 12.5)
			expected = c / (1 + b * c)
			if ($2 < expected - 0.004 || $2 > expected + 0.004) { print $0, "expected", expected; bad = 1 }
		}
		END { exit bad || NR != 21 }
	' thresholds
}

# site N: writes 1.html to N.html, articles with a box of another text in each
site() {
	for i in $(seq "$1"); do
		{
			echo "<!doctype html><title>Story $i</title><body><nav class=menu><a href=/>Home</a> <a href=/news>News</a></nav><article class=story><h1>Story $i of the harbour</h1>"
			for k in 1 2 3 4 5 6 7 8 9; do
				echo "<p>In the year 19$i$k the keeper of the old lighthouse told the visitors that the lamp was lit on every evening, and that it never failed in $k winters.</p>"
			done
			echo "<div class='box promo'><p>This offer number $i is for readers of the harbour news, who have asked us for years when such a thing would come.</p>"
			echo "<p>Take up the offer of today, the keeper told our readers in the evening, before the winter of the year 20$i comes.</p></div>"
			echo "<div class=box><p>The visitors who came in the evening of that day told the keeper that they had never seen a lamp like it in their lives, $i times.</p></div>"
			echo "</article></body>"
		} >"$i.html"
	done
}

@test "what is wrong on pages of a site is marked, and saved as rules and as references" {
	site 3
	check marks 1.html 2.html 3.html
}

@test "selectors are short, hit what is marked, and nothing that is right" {
	command -v node >/dev/null || skip "no Node"
	node "$DANA_SOURCE/tests/cli/check_selectors.js" "$DANA_SOURCE/src/lab/selectors.js"
}

@test "several pages are one report, and one that cannot be read is left out" {
	site 3
	"$DANA" explain -o report.html 1.html 2.html
	has '[.reports[].file] == ["1.html", "2.html"] and ([.reports[].methods | length] == [1, 1])'
	[ "$(grep -c '^<h2>Page' report.html)" -eq 2 ]
	mkdir site && cp 1.html 2.html 3.html site
	"$DANA" explain site | data /dev/stdin | jq -e '[.reports[].file] == ["site/1.html", "site/2.html", "site/3.html"]'
	run -1 --separate-stderr "$DANA" explain -o other.html 1.html /nowhere/page.html 3.html
	[ "$stderr" = "dana explain: /nowhere/page.html: No such file or directory" ]
	has '[.reports[].file] == ["1.html", "3.html"]' other.html
	prints_line 3 "$DANA" explain -o x.svg 1.html 2.html
	prints_line 3 "$DANA" explain - 1.html -
}

@test "each block has the elements that its text is in, and no more" {
	cat >page.html <<-END
		<!doctype html><link rel=canonical href="https://one.example/a?b&amp;c"><body><div id=top class="a  b" data-kind='x "y"' data-long="$(printf '%0200d' 0)" onclick=x><p>One <b>two</b>, three</p>
		<ul role=list><li>four<li><a href=/>five</a></ul><script>six</script></div><table><tr><td>seven</table>
	END
	explains '.canonical == "https://one.example/a?b&c" and (.elements | map(.[1]) == ["body", "div", "p", "b", "ul", "li", "li", "a", "table", "tr", "td"]) and
		(.elements[1] | .[0] == 0 and .[2] == {"id": "top", "class": "a  b", "data-kind": "x \"y\"", "data-long": null}) and .elements[4][2] == {"role": "list"}' -m plain page.html
	has '[.methods[0].blocks[] | [.text, .in]] == [["One two, three", [2, 3]], ["four", [5]], ["five", [7]], ["seven", [10]]]'
}

@test "--rules shows what rules take, and asks for the URL of files" {
	site 1
	printf 'one.example\texclude\t.promo\none.example\texclude\th1\n' >rules
	explains '[.methods[0].blocks[] | select(.ruled != .kept) | .ruled] == [false, false, false] and (.methods[0] | .ruled < .kept)' --rules rules --url https://one.example/ 1.html
	has '.methods[0].markdown | contains("This offer") | not' report.html
	explains '[.methods[0].blocks[] | select(.ruled != .kept)] == [] and .methods[0].ruled == .methods[0].kept' --rules rules --url https://two.example/ 1.html
	prints 3 'dana explain: --rules needs --url URL, the URL of the page' "$DANA" explain --rules rules 1.html
	prints_line 3 "$DANA" explain --rules rules --archive 1.html
	prints_line 1 "$DANA" explain --rules /nowhere/rules --url https://one.example/ 1.html
	echo 'one.example exclude p' >rules
	prints 3 'dana explain: --rules: line 1 of the rules: *' "$DANA" explain --rules rules --url https://one.example/ 1.html
}

@test "a report that exists needs --force" {
	echo '<p>one two three' >page.html
	echo old >report.html
	prints 3 'dana explain: report.html exists; --force overwrites it' "$DANA" explain -o report.html page.html
	[ "$(cat report.html)" = old ]
	"$DANA" explain --force -o report.html page.html
	grep -q '<html' report.html
}

@test "an archive has an overview, with the decisions of each page of its lists" {
	archive=$DANA_SOURCE/sample/sample.warc.gz
	"$DANA" explain --archive "$archive" -o overview.html
	has '.seen == 7 and (.pages | length) == 7 and all(.pages[]; .host == "127.0.0.1" and .type == "text/html" and
		.charset == "utf-8" and (.method.blocks | length) > 10 and (.method.blocks | all(has("text") | not)))' overview.html
	has '[.pages[].shown] == ["most", "most", "most", "most", "least", "least", "least"] and
		([.pages[] | .kept / .visible] | . == (sort | reverse))' overview.html
	[ "$(grep -c '^<tr><td>http://127.0.0.1' overview.html)" -eq 7 ]
	# the share of the whole is that of the texts that filter writes and of all visible text
	kept=$("$DANA" filter -m learned "$archive" | jq -s 'map(.text_chars) | add')
	all=$("$DANA" filter -m plain "$archive" | jq -s 'map(.text_chars) | add')
	[ "$(data overview.html | jq -c '[(.pages | map(.kept) | add), (.pages | map(.visible) | add)]')" = "[$kept,$all]" ]
	"$DANA" explain --archive "$archive" | cmp - overview.html
	"$DANA" explain -m danag --archive "$archive" >overview.html
	has '.pages | all((.method.segments | length) > 0)' overview.html
}

# pages FROM TO: responses with a page each
pages() {
	seq "$1" "$2" | awk '{
		body = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Page " $1 "</p><p>" $1 " words</p>"
		printf "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%d>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://h%d.example/%d\r\n", $1, $1 % 70, $1
		printf "Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", length(body), body
	}'
}

@test "of more than ten thousand pages an overview has a sample of one size, always the same, of all parts" {
	pages 10001 25000 >many.warc
	"$DANA" explain -m plain --archive many.warc -o overview.html
	has '.seen == 15000 and (.pages | length) == 10000 and ([.pages[] | select(.shown)] | length) == 20 and
		([.pages[].url] | unique | length) == 10000' overview.html
	late=$(data overview.html | jq '[.pages[].url | select(. | split("/")[3] | tonumber > 17500)] | length')
	[ "$late" -gt 4500 ] && [ "$late" -lt 5500 ]
	[ "$(wc -c <overview.html)" -lt 3000000 ]
	"$DANA" explain -m plain --archive many.warc | cmp - overview.html
}

@test "text that only scripts hold counts as visible where it is kept" {
	{
		printf '<!doctype html><title>x</title><body><div id=app></div><script type="application/ld+json">{"@type":"Article","articleBody":"'
		for i in $(seq 60); do printf 'Sentence %d of the article that only the data of the page have, and nobody sees. ' "$i"; done
		printf '"}</script></body>'
	} >page.html
	explains '.visible < 100 and .methods[0].kept > 2000' page.html
	response 1 http://h.example/ "$(cat page.html)" >one.warc
	"$DANA" explain --archive one.warc >overview.html
	has '.pages[0] | .kept > 2000 and .visible == .kept' overview.html
	check shares report.html overview.html
}

@test "an archive beside a page, none, standard input and no archive are told" {
	archive=$DANA_SOURCE/sample/sample.warc.gz
	for options in "--archive $archive page.html" "--archive -" "-m danag,dana --archive $archive" "-m none --archive $archive"; do
		# shellcheck disable=SC2086
		prints_line 3 "$DANA" explain $options
	done
	prints_line 1 "$DANA" explain --archive /nowhere/x.warc
	echo text >not.warc
	prints 2 '*not_an_archive*' "$DANA" explain --archive not.warc -o report.html
}

@test "a name that ends with .svg gets the strip alone, and the one of the documentation is such a picture" {
	"$DANA" explain -m learned -o picture.svg "$DANA_SOURCE/sample/site/en.html"
	for picture in picture.svg "$DANA_SOURCE/doc/decision.svg"; do
		python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$picture"
		[ "$(wc -c <"$picture")" -lt 30000 ]
		for part in 'class="chosen"' 'class="other"' 'class="first"' 'class="threshold"' '>11</text>' 'prefers-color-scheme:dark'; do
			grep -qF "$part" "$picture"
		done
		[ "$(grep -c 'class="threshold"' "$picture")" -eq 2 ] # over the bars, and in the legend
		[ "$(grep -Ec '<script|href=|src=' "$picture")" -eq 0 ]
	done
	run -3 "$DANA" explain -m danag -o other.svg "$DANA_SOURCE/sample/site/en.html"
	[ ! -e other.svg ]
}

@test "wlr tells the numbers that its decision rests on" {
	"$DANA" explain -m wlr -o wlr.html "$gold/news/lighthouse.html"
	has '[.methods[0].numbers[][0]] | sort == ["highest words per leaf", "log2 of the best relevance", "words per leaf of the page"]' wlr.html
}

@test "--boilerplate marks lines with the pages that they stand on" {
	if ! "$DANA" dedup estimate --documents 1 --chars 1 >out 2>&1; then
		prints 3 '*built without*' "$DANA" explain --boilerplate table "$gold/news/lighthouse.html"
		skip "built without what finds duplicates"
	fi
	# six pages of one site with a footer, three of another one with the same
	for i in 1 2 3 4 5 6 7 8 9; do
		[ "$i" -gt 6 ] && host=www.two.example || host=www.one.co.uk
		page="<!doctype html><p>Story $i of many words that stand on no other page.</p><p>All rights reserved</p>"
		response "$i" "http://$host/$i" "$page"
	done >crawl.warc
	"$DANA" dedup learn --method plain -o table crawl.warc
	echo '<!doctype html><p>A new story of one.</p><p>all  RIGHTS reserved</p>' >page.html
	# marked OPTION...: the lines that are marked, and on how many of how many pages
	marked() {
		"$DANA" explain --boilerplate table "$@" page.html >report.html
		data report.html | jq -r '.pages as $pages | .methods[0].blocks[] | (.text | split("\n")) as $lines | .marks[] | "\($lines[.[0]]): \(.[1]) of \($pages)"'
	}
	for method in plain danag learned; do
		[ "$(marked -m $method --url http://one.co.uk/x)" = "all RIGHTS reserved: 6 of 6" ]
	done
	[ "$(marked -m plain --url http://two.example)" = "all RIGHTS reserved: 3 of 3" ]
	[ -z "$(marked -m plain --url http://three.example)" ]
	# without an address: a site of the table that has the line
	[[ "$(marked -m plain)" =~ ^"all RIGHTS reserved: "(6 of 6|3 of 3)$ ]]
	prints 1 'dana explain: page.html: is not a file of dana dedup' "$DANA" explain --boilerplate page.html page.html
	run -3 "$DANA" explain --boilerplate table --archive crawl.warc
}
