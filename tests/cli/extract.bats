# SPDX-License-Identifier: MIT
# dana extract: one page to its text.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	{
		echo '<html><head><title>A &amp; B</title></head><body><ul><li><a href=/>Home</a></li></ul>'
		for i in 1 2 3 4 5 6 7 8; do
			echo "<p>Paragraph $i is long enough to look like the main content of a page, with many words and few tags.</p>"
		done
		echo '<div><a href=/x>Imprint</a></div></body></html>'
	} >page.html
}

@test "text from a file, a pipe and -" {
	prints 0 '*Paragraph 1 is long enough*Paragraph 8 is long enough*' "$DANA" extract -m danag page.html
	expected=$output
	[ "$("$DANA" extract -m danag <page.html)" = "$expected" ]
	[ "$("$DANA" extract -m danag - <page.html)" = "$expected" ]
	[ "$("$DANA" extract --method=danag -- page.html | tail -c 1 | od -An -tx1)" = " 0a" ]
}

@test "JSON has the keys of the interface in order" {
	run -0 "$DANA" extract -m plain -f json page.html
	[[ $output == '{"text":"'*'","title":"A & B","page_kind":null,"charset":"'*'","method":"plain",'*',"truncated":false,"problems":[],"metadata":{"title":"A & B","title_from":"html"}}' ]]
	[ "$(jq -r 'keys_unsorted | join(" ")' <<<"$output")" = "text title $page_keys metadata" ]
	grep -q "\"html_bytes\":$(wc -c <page.html)," <<<"$output"
	# the kind is the one that filter writes, of learned alone
	response 1 http://h.example/ "$(cat page.html)" >one.warc
	kind=$("$DANA" filter one.warc | jq -c .page_kind)
	[ "$kind" != null ]
	for options in "-f json" "-f jsonl" "-f json -m learned -m plain"; do
		[ "$("$DANA" extract $options page.html | jq -c .page_kind)" = "$kind" ]
	done
	[ "$("$DANA" extract -f jsonl -m danag page.html | jq -c .page_kind)" = null ]
}

@test "documentation has code, or terms with definitions; news articles are articles in each language" {
	for page in "$DANA_SOURCE"/sample/site/??.html; do
		[ "$("$DANA" extract -f json "$page" | jq -r .page_kind)" = article ]
		sed '0,/<p>/s//<pre>mill --grind rye\n  --out bread<\/pre><p>/' "$page" >code.html
		[ "$("$DANA" extract -f json code.html | jq -r .page_kind)" = documentation ]
	done
	sed 's/<p>/<dl><dt>mill<dd>/' "$DANA_SOURCE/sample/site/en.html" >terms.html
	[ "$("$DANA" extract -f json terms.html | jq -r .page_kind)" = documentation ]
	[ "$("$DANA" extract -m learned:kind=documentation -f json page.html | jq -r .page_kind)" = documentation ]
}

@test "terms have their numbers also after a list in a meaning" {
	echo '<p>Some words.</p><dl><dt>a<dd>b<dl><dt>x<dd>y<dt>z<dd>w</dl><dt>c<dd>d</dl>' >dl.html
	[ "$("$DANA" extract -m plain -f xml dl.html | grep -o 'd[td]-[0-9]' | tr '\n' ' ')" = "dt-1 dd-1 dt-1 dd-1 dt-2 dd-2 dt-2 dd-2 " ]
}

@test "an empty page is no error" {
	: >empty
	prints 0 '' "$DANA" extract empty
	run "$DANA" extract -f json empty
	[[ $output == '{"text":"","title":null,'* ]]
}

@test "usage errors are one line and status 3" {
	prints 3 "dana extract: unknown option --metod; did you mean --method\?" "$DANA" extract --metod=plain page.html
	prints_line 3 "$DANA" extract -m nosuch page.html
	run -3 "$DANA" extract -m danag:nokey=1 page.html
	local arguments
	prints 3 'dana extract: --output-dir writes text; for a table give --format csv and --output FILE' "$DANA" extract -O out -f csv page.html
	for arguments in "page.html page.html" . "-f json page.html other.html" "-O out -o file page.html" "-O out -f jsonl page.html" \
		"-f jsonl - -" "-O out page.html ./page.html"; do
		prints_line 3 "$DANA" extract $arguments
		[ ! -e out ]
	done
	run "$DANA" extract -f yaml page.html
	[ "$output" = "dana extract: -f: 'yaml' is unknown; expected text|json|jsonl|csv|tsv|markdown|html|xml|tei; did you mean html?" ]
}

@test "what is wrong with an option is told in words" {
	while IFS='|' read -r arguments message; do
		prints 3 "dana extract: $message" bash -c "\"\$DANA\" extract $arguments page.html"
	done <<-END
		-m nosuch|--method: 'nosuch' is unknown; expected one of those that dana methods lists
		-m danag:nokey=1|--method: key of danag: 'nokey' is unknown; expected segment|gap|gap-fill|unit|tag-limit|link-limit|literal
		-m learned:model=/none|--method: /none: cannot be read: No such file or directory
	END
}

@test "a file that cannot be read is status 1, and what the system says" {
	prints 1 'dana extract: nothing.html: No such file or directory' "$DANA" extract nothing.html
	run -1 "$DANA" extract "$(printf 'no\nthing\033')"
	[ "$output" = 'dana extract: no\x0athing\x1b: No such file or directory' ]
	prints 1 'dana extract: standard input: Bad file descriptor' bash -c '"$DANA" extract <&-'
}

@test "text that cannot be written is status 1" {
	[ -w /dev/full ] || skip
	prints 1 'dana extract: standard output: No space left on device' bash -c '"$DANA" extract -m plain page.html 2>&1 >/dev/full'
}

@test "a charset can be forced, and named as iconv and Python name it" {
	while read -r name charset text bytes; do
		printf "$bytes" >page
		prints 0 "{\"text\":\"$text\",*,\"charset\":\"$charset\",*" "$DANA" extract -m plain -f json --charset $name page
	done <<-'END'
		windows-1256 windows-1256 سلام <p>\xd3\xe1\xc7\xe3
		macroman macintosh café <p>caf\x8e
		mac-roman macintosh café <p>caf\x8e
		Mac_Roman macintosh café <p>caf\x8e
		macintosh macintosh café <p>caf\x8e
		cp949 euc-kr 한국 <p>\xc7\xd1\xb1\xb9
		CP437 cp437 café <p>caf\x82
	END
	: >dos.html
	run -3 "$DANA" extract --charset windows-1265 dos.html
	[[ $output == *"expected a charset of the web or of iconv, as windows-1256 or cp437; did you mean windows-125"* ]]
	run -3 "$DANA" extract --charset cp437//IGNORE dos.html
}

@test "a table of iconv for which no descriptor is left is reported as a fault of the system" {
	local descriptors told=0
	printf '{"html_base64":"%s","charset":"euc-tw"}\n' "$(printf '<p>\xc4\xe3' | base64 -w0)" >line
	for descriptors in $(seq 4 24); do
		(ulimit -n "$descriptors" && exec "$DANA" extract -m plain --jsonl line) >out 2>err || true
		[ -s out ] || continue # not even the program's libraries, or its loop
		if grep -q '"reason":' out; then
			grep -q "no file descriptor is left to load a charset's table: allow more open files (ulimit -n)" out
			told=$((told + 1))
		else
			grep -q '"text":"中"' out
		fi
	done
	[ "$told" -gt 0 ]
}

# refused FILE MESSAGE: it is no page, and the message names the command that is right.
refused() {
	prints 1 "dana extract: $1: $2" "$DANA" extract "$1"
	prints 1 "dana extract: standard input: $2" "$DANA" extract <"$1"
}

@test "what is no page is refused with the command that is right" {
	local golden=$DANA_SOURCE/tests/golden archive
	archive="an archive (WARC or ARC), not one HTML page: dana filter FILE finds the main text of all its pages"
	cp "$golden/plain/in.warc" a.warc
	refused a.warc "$archive"
	gzip -k a.warc
	refused a.warc.gz "$archive"
	printf '\37\213\10' >a.gz
	refused a.gz "compressed, and so damaged that nothing in it can be read"
	tar -czf a.html.gz page.html
	refused a.html.gz "a tar archive, not an HTML page: unpack it, and give the pages in it \(tar -xf FILE\)"
	printf '{"html":"<p>x"}\n' >a.jsonl
	refused a.jsonl "JSON, not an HTML page: dana extract --jsonl reads the pages in lines of JSON (html or html_base64)"
	printf 'bplist00\322<html><p>x' >a.webarchive
	refused a.webarchive "a page that Safari has saved (.webarchive), or another property list, not an HTML page: textutil -convert html FILE makes a page of it on a Mac"
	printf '%%PDF-1.7\n' >a.pdf
	refused a.pdf "a PDF, not an HTML page: pdftotext FILE makes text of it"
	run -1 "$DANA" extract ftp://example.org/page.html
	[ "$output" = "dana extract: ftp://example.org/page.html: this is not the URL of a page; expected https://HOST/PATH or http://HOST/PATH" ]
}

@test "a URL without its scheme is told with it, a name of a file is not" {
	for name in example.org/x www.example.org example.org example.org:8080/x a.b-2.example/x?y=1; do
		prints 1 "dana extract: $name: no such file; the URL of a page begins with a scheme: https://$name" "$DANA" extract "$name"
		prints 1 "dana explain: $name: no such file; the URL of a page begins with a scheme: https://$name" "$DANA" explain "$name"
	done
	for name in localhost:8911/x localhost:80 127.0.0.1:8911/x 127.0.0.1 10.0.0.7/x; do
		prints 1 "dana extract: $name: no such file; the URL of a page begins with a scheme: http://$name" "$DANA" extract "$name"
	done
	for name in none.html none.md p.warc.gz ./example.org/x ../a.b/x a..org/x site/page.html example.org7/x "a b.org/x" a:b x:80a 1.2.3 :80; do
		prints 1 "dana extract: $name: No such file or directory" "$DANA" extract "$name"
	done
}

@test "a page in UTF-16, or with a few control characters, is a page" {
	command -v iconv >/dev/null || skip
	for charset in UTF-16 UTF-16LE UTF-32; do
		iconv -f UTF-8 -t $charset page.html >wide.html
		"$DANA" extract wide.html >text
		[ -s text ]
	done
	printf '<p>\1\2\3\4%0200d, a paragraph of words and numbers.' 7 >odd.html
	run -0 "$DANA" extract -m plain odd.html
}

@test "many pages: one object each in the order given, folders sorted" {
	mkdir -p site/sub/deep site/.hidden empty
	for name in site/b.html site/a.HTM site/sub/deep/c.xhtml site/sub/d.html site/.hidden/x.html site/.y.html site/z.txt; do
		sed "s/Paragraph/$(basename "$name")/" page.html >"$name"
	done
	ln -s ../page.html site/link.html
	ln -s .. site/sub/loop
	local jobs
	for jobs in 0 1 2 7; do
		"$DANA" extract -j $jobs -m danag -f jsonl page.html site/ site/sub/d.html >out$jobs.jsonl
		cmp out0.jsonl out$jobs.jsonl
	done
	run sed 's/^{"file":"\([^"]*\)","text":"[^"].*"problems":\[\],"metadata":{"title":"A & B",.*}}$/\1/' out0.jsonl
	[ "$output" = "page.html
site/a.HTM
site/b.html
site/link.html
site/sub/d.html
site/sub/deep/c.xhtml
site/sub/d.html" ]
	# the rest of each object is that of -f json
	[ "$(sed -n '1s/"file":"page.html",//p' out0.jsonl)" = "$("$DANA" extract -m danag -f json page.html)" ]
	"$DANA" extract -f jsonl - <page.html | grep -q '^{"file":"-","text":"'
	prints 0 'dana extract: empty: no file in it is an HTML page, by its name or its first bytes' "$DANA" extract -f jsonl empty
	for several in empty site "page.html page.html"; do
		prints 3 'dana extract: several pages need --format jsonl or csv, or --output-dir DIR' "$DANA" extract $several
	done
}

@test "a page that fails is told, has an object with the reason, and the others are done" {
	printf '%%PDF-1.7\n' >b.html
	local jobs
	for jobs in 0 2; do
		run -1 "$DANA" extract -j $jobs -m plain -f jsonl page.html nothing.html b.html page.html
		[ "$(grep -c '^{"file":"page.html","text":"' <<<"$output")" -eq 2 ]
		grep -qx 'dana extract: nothing.html: No such file or directory' <<<"$output"
		grep -qx '{"file":"nothing.html","text":null,"title":null,.*,"reason":"No such file or directory"}' <<<"$output"
		grep -qx '{"file":"b.html","text":null,.*,"problems":\[\],"reason":"a PDF, not .*"}' <<<"$output"
	done
	run -1 "$DANA" extract -m plain -O texts nothing.html b.html page.html
	[ "$(ls texts)" = page.txt ]
	run -1 "$DANA" extract -o never.txt nothing.html
	[ ! -e never.txt ]
	[ ! -e never.txt.part ]
	if [ "$(id -u)" -ne 0 ]; then
		mkdir -m 0 locked
		run -1 "$DANA" extract -f jsonl locked page.html
		grep -q '^dana extract: locked: Permission denied' <<<"$output"
	fi
}

@test "outputs: .part and rename, nothing written over without --force" {
	"$DANA" extract -m plain page.html >expected
	"$DANA" extract -m plain -o page.txt page.html
	cmp expected page.txt
	[ ! -e page.txt.part ]
	prints 3 'dana extract: page.txt exists; --force overwrites it' "$DANA" extract -m plain -o page.txt page.html
	"$DANA" extract --force -m danag -o page.txt page.html
	run -3 "$DANA" extract --force -o page.html page.html
	grep -q Paragraph page.html
	"$DANA" extract -m plain -O texts page.html - <page.html
	[ "$(ls texts)" = $'page.txt\nstdin.txt' ]
	cmp expected texts/page.txt
	prints 3 'dana extract: texts/page.txt exists; --force overwrites it' "$DANA" extract -O texts page.html
	mkfifo page_pipe.html
	# told before the page is read: nobody writes to the pipe
	run -1 timeout 10 "$DANA" extract -o /nowhere/x page_pipe.html
	prints 1 'dana extract: --output-dir: /nowhere/x: No such file or directory' timeout 10 "$DANA" extract -O /nowhere/x page_pipe.html
	run -1 bash -c '"$DANA" extract -m plain -f jsonl page.html page.html >&-'
	[ "$(for i in $(seq 300); do echo page.html; done | xargs "$DANA" extract -f jsonl | head -n 1 | wc -l)" -eq 1 ]
}

@test "without -f the name of -o is the format, and an ending of none is refused" {
	mkdir x.y
	sed -i 's/<ul>/<h1>A heading<\/h1><ul>/' page.html
	while read -r name format; do
		"$DANA" extract $format page.html >expected
		"$DANA" extract -o "$name" page.html
		cmp expected "$name"
	done <<-END
		x.txt -f text
		y.TXT -f text
		x.json -f json
		x.jsonl -f jsonl
		x.md -f markdown
		a.b.md --text markdown
		x.html -f html
		x.XML -f xml
		x -f text
		./x.y/x -f text
		.md -f text
	END
	[ "$("$DANA" extract -f markdown page.html | head -n 1)" = '# A heading' ]
	"$DANA" extract -o all.jsonl page.html page.html
	[ "$(wc -l <all.jsonl)" -eq 2 ]
	# what is asked for counts more than the name
	"$DANA" extract -f json page.html >expected
	"$DANA" extract -f json -o other.md page.html
	"$DANA" extract -f json -o other.unknown page.html
	cmp expected other.md
	cmp expected other.unknown
	"$DANA" extract -f markdown -O texts page.html
	cmp x.md texts/page.md
	for format in html xml tei; do
		"$DANA" extract -f $format --url https://e.org/ page.html >expected
		"$DANA" extract -f $format --url https://e.org/ -O $format page.html
		cmp expected $format/page.${format/tei/xml}
	done
	"$DANA" extract -f json --text plain,markdown --markdown images=1,format=xml page.html | grep -q '"markdown":"<doc '
	[ "$("$DANA" extract -f html --markdown links=0 page.html | grep -c '<a ')" -eq 0 ]
	for name in x.htm x.xmd x.mdd x.json.gz x. x.md.; do
		prints 3 "dana extract: --output: '.${name##*.}' is unknown; expected .txt, .json, .jsonl, .csv, .tsv, .md, .html or .xml, or --format*" "$DANA" extract -o "$name" page.html
		[ ! -e "$name" ]
	done
	prints 3 "dana extract: --output: '.mdd' is unknown; *; did you mean .md\?" "$DANA" extract -o x.mdd page.html
	for options in "-f markdown --text blocks" "-o y.md --text plain,markdown" "-o y.md -m plain -m danag" "-o y.md page.html" "-f markdown --jsonl" "-f html --jsonl" "-f xml --text blocks" "-f tei -m r2l"; do
		prints_line 3 "$DANA" extract $options page.html
		[ ! -e y.md ]
	done
}

@test "thousands of pages need few descriptors and little memory" {
	mkdir pages
	for i in $(seq 2000); do printf '<p>Page %s, with some words and a comma.' "$i" >pages/$i.html; done
	(
		ulimit -n 24
		"$DANA" extract -j 2 -m plain -f jsonl pages >few.jsonl
		"$DANA" extract -j 2 -m plain -O texts pages
	)
	[ "$(wc -l <few.jsonl)" -eq 2000 ]
	[ "$(ls texts | wc -l)" -eq 2000 ]
	[ "$(cat texts/1234.txt)" = "Page 1234, with some words and a comma." ]
	python3 - <<'END'
import os, resource, subprocess
def peak(*folders):
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open("/dev/null", os.O_WRONLY), 1)
        os.execv(os.environ["DANA"], ["dana", "extract", "-j", "2", "-m", "danag", "-f", "jsonl", *folders])
    return os.wait4(pid, 0)[2].ru_maxrss
few, many = peak("pages/1.html", "pages/2.html"), peak(*["pages"] * 5)
assert many < few + 8 * 1024, (few, many)
END
}

@test "Ctrl-C ends a run of many pages: what is done stays in the .part" {
	mkfifo waiting.html
	"$DANA" extract -j 2 -m plain -f jsonl -o out.jsonl page.html waiting.html page.html 2>err &
	local pid=$! code=0
	exec 9>waiting.html # both workers are at work when this returns, or have been
	sleep 0.3
	kill -INT $pid
	wait $pid || code=$?
	exec 9>&-
	[ "$code" -eq 130 ]
	grep -qx 'dana extract: stopped: 1 of 3 pages are in out.jsonl.part' err
	[ "$(wc -l <out.jsonl.part)" -eq 1 ]
	[ ! -e out.jsonl ]
}

@test "--comments and --tables leave out what readers and tables say, or set it apart" {
	local words='This is the text of an article, which has some words more than the least that is asked of it, so that it counts as text'
	printf '<title>T</title><p>%s</p><p>%s</p><table><tr><th>cell<th>b</table><div id=comments><p>I agree</p><form>Name</form></div>' \
		"$words" "$words" >page.html
	"$DANA" extract -m plain page.html | grep -q 'I agree'
	for method in plain wlr danag:segment=1 learned:recall=100; do
		"$DANA" extract -m "$method" --comments drop --tables drop page.html >out.txt
		grep -q 'counts as text' out.txt
		run -1 grep -e agree -e Name -e cell out.txt
	done
	"$DANA" extract -m plain -f json --comments apart page.html | grep -q '"comments":"I agree","truncated"'
	"$DANA" extract -m plain -m danag:segment=1 -f json --comments apart page.html >out.json
	run -1 grep 'text.*agree.*comments' out.json
	"$DANA" extract -m plain -f json --comments apart --tables drop - <<<"<p>$words" | grep -q '"comments":null,'
	"$DANA" extract -m plain --text markdown --tables drop page.html >out.md
	run -1 grep cell out.md
	printf '{"html":"<p>%s<p>%s<div class=comment>yes</div>"}\n' "$words" "$words" |
		"$DANA" extract -m plain --jsonl --comments apart | grep -q '"comments":"yes"'
	prints 3 '*--comments apart is for JSON; give --format json or jsonl*' "$DANA" extract --comments apart page.html
	prints 3 "*--tables: 'apart'*" "$DANA" extract --tables apart page.html
}

@test "--exclude, --only and --rules choose parts of pages, for every method and for Markdown" {
	echo '<title>T</title><nav>menu</nav><div id=a><h2>Head</h2><p class="x ad">buy</p><p>text</p></div>' >page.html
	for method in plain wlr danag:segment=1 learned:recall=100; do
		"$DANA" extract -m "$method" --exclude '.ad, nav' page.html >out.txt
		run -1 grep -e buy -e menu out.txt
	done
	[ "$("$DANA" extract -m plain --exclude 'nav, #a > p.ad' page.html | tr '\n' ' ')" = 'Head text ' ]
	[ "$("$DANA" extract -m plain --only '#a p' --exclude .ad page.html)" = text ]
	[ "$("$DANA" extract -m plain --text markdown --markdown title=0 --only h2 page.html)" = '## Head' ]
	printf '# sites\nexample.org\texclude\tp\nexample.org\texclude\tnav\n' >rules
	[ "$(MALLOC_PERTURB_=1 "$DANA" extract -m plain --rules rules --url https://www.example.org/x page.html)" = Head ]
	"$DANA" extract -m plain --rules rules page.html | grep -q menu
	run -3 "$DANA" extract --only 'p:first-child' page.html
	[[ $output == *"--only: selector 'p:first-child': pseudo-classes"* ]]
	run -1 "$DANA" extract --rules none page.html
	[[ $output == *"--rules none: No such file"* ]]
	printf 'example.org only p\n' >rules
	run -3 "$DANA" extract --rules rules page.html
	[[ $output == *"line 1 of the rules"* ]]
}
