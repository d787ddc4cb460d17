# SPDX-License-Identifier: MIT
# dana serve: what it returns is what dana extract, filter and explain write of the same input.

load ../support/cli
load ../support/serve

setup() {
	cd "$BATS_TEST_TMPDIR"
	command -v curl >/dev/null || skip "curl is not installed"
	SUPPORT=$DANA_SOURCE/tests/support
	. "$SUPPORT/skip_host.bash"
	PAGES=$DANA_SOURCE/sample/site
	ARCHIVE=$DANA_SOURCE/sample/sample.warc.gz
	export no_proxy=127.0.0.1 HOME=$PWD
	ulimit -c 0
}

teardown() {
	[ -z "$SERVICE" ] || stop
}

@test "POST /extract returns what dana extract writes" {
	serve
	for page in "$PAGES"/*.html; do
		post --data-binary "@$page" "$URL/extract" >got
		"$DANA" extract "$page" | cmp - got
		post -H 'Accept: application/json' --data-binary "@$page" "$URL/extract" >got
		"$DANA" extract -f json --text plain,markdown "$page" | cmp - got
	done
	# Many at once, over one connection and over several, by the socket too.
	for ((i = 0; i < 40; i++)); do
		printf 'url = %s/extract\ndata-binary = @%s\noutput = many.%d\n' "$URL" "$PAGES/en.html" $i
		[ $i -eq 39 ] || echo next
	done >config
	curl -sS -Z --parallel-max 10 -K config
	for ((i = 0; i < 40; i++)); do
		"$DANA" extract "$PAGES/en.html" | cmp - many.$i
	done
	post --unix-socket sock --data-binary "@$PAGES/fa.html" http://a/extract | cmp - <("$DANA" extract "$PAGES/fa.html")
	stop
	[ $ended -eq 143 ]
	[ ! -e sock ]
	[ ! -s out ]
}

@test "POST /extract?text= chooses the texts" {
	page=$PAGES/en.html
	"$DANA" extract --text plain "$page" >plain
	"$DANA" extract --text markdown "$page" >markdown
	run cmp -s plain markdown
	[ "$status" -ne 0 ]
	serve --text plain,markdown
	post --data-binary "@$page" "$URL/extract" | cmp - plain
	post --data-binary "@$page" "$URL/extract?text=plain" | cmp - plain
	post -D head --data-binary "@$page" "$URL/extract?text=markdown" | cmp - markdown
	grep -qi '^content-type: text/markdown; charset=utf-8' head
	printf 'a<b and\n\n\tc>d\n' >text
	post -H 'Content-Type: text/plain' --data-binary @text "$URL/extract" | cmp - text
	post -H 'Content-Type: text/markdown' --data-binary @text "$URL/extract?text=markdown" | cmp - text
	post -H 'Accept: application/json' --data-binary "@$page" "$URL/extract" >got
	"$DANA" extract -f json --text plain,markdown "$page" | cmp - got
	"$DANA" extract -f markdown --markdown frontmatter=1 "$page" >front
	post --data-binary "@$page" "$URL/extract?format=markdown&markdown=frontmatter=1" | cmp - front
	[ "$(head -n 2 front)" = $'---\ntitle: "How the old mill came back to life"' ]
	stop
	# without --text the service makes both, and of a method without Markdown the plain text
	serve
	post --data-binary "@$page" "$URL/extract" | cmp - plain
	post --data-binary "@$page" "$URL/extract?text=markdown" | cmp - markdown
	stop
	serve -m r2l
	post --data-binary "@$page" "$URL/extract" | cmp - <("$DANA" extract -m r2l "$page")
	refuses 'the method r2l has no markdown' --data-binary "@$page" "$URL/extract?text=markdown"
	stop
	serve --text markdown
	post --data-binary "@$page" "$URL/extract" | cmp - markdown
	stop
	# the request decides, whatever the service makes by default
	for texts in plain plain,blocks; do
		serve --text "$texts"
		post --data-binary "@$page" "$URL/extract?text=markdown" | cmp - markdown
		stop
	done
}

@test "options of a page are parameters of /extract and /filter" {
	serve -j 2
	page=$PAGES/en.html
	json=(-H 'Accept: application/json' --data-binary "@$page")
	# the same options, as a query and for the program; few readers serve many kinds of requests
	for round in 1 2; do
		while IFS='|' read -r query options; do
			eval "options=($options)"
			post "${json[@]}" "$URL/extract?$query" >got
			"$DANA" extract -f json "${options[@]}" "$page" | cmp - got
		done <<-'END'
			text=plain|--text plain
			method=danag&text=plain,markdown|-m danag --text plain,markdown
			method=r2l|-m r2l
			method=learned,plain&text=plain|-m learned -m plain
			recall=90&text=plain|-m learned:recall=90
			method=learned&recall=20&kind=forum&text=plain|-m learned:recall=20,kind=forum
			text=plain,blocks&dropped=1|--text plain,blocks --dropped
			text=markdown&markdown=links=0|--text markdown --markdown links=0
			text=plain&text-field=markdown|--text plain --text-field markdown
			text=plain&exclude=nav,%20.share%20%3E%20p|--exclude 'nav, .share > p'
			text=plain&only=main|--only main
			text=plain&comments=apart&tables=drop|--comments apart --tables drop
			format=json&text=plain|--text plain
		END
	done 2>err2 || { cat err2; false; }
	printf 'example.org\texclude\tp\n' >rules
	post "${json[@]}" "$URL/extract?text=plain&url=https%3A%2F%2Fexample.org%2F&rules=example.org%09exclude%09p" |
		cmp - <("$DANA" extract -f json --rules rules --url https://example.org/ "$page")
	for format in markdown html xml tei; do
		post --data-binary "@$page" "$URL/extract?format=$format" | cmp - <("$DANA" extract -f $format "$page")
	done
	post -H 'Accept: application/json' --data-binary "@$page" "$URL/extract?format=text" | cmp - <("$DANA" extract "$page")
	refuses 'exclude: selector' --data-binary "@$page" "$URL/extract?exclude=p:hover"
	refuses "comments: 'no' is unknown; expected keep|drop|apart" --data-binary "@$page" "$URL/extract?comments=no"
	refuses 'recall of learned' --data-binary "@$page" "$URL/extract?recall=101"
	refuses 'recall is a key of the method learned, not of danag' --data-binary "@$page" "$URL/extract?recall=10&method=danag"
	refuses 'method has a name that is unknown' --data-binary "@$page" "$URL/extract?method=mountain:model=/etc/passwd"
	refuses 'given twice' --data-binary "@$page" "$URL/extract?method=plain,plain"
	refuses 'format is none of' --data-binary "@$page" "$URL/extract?format=pdf"
	# the service is as it was
	post --data-binary "@$page" "$URL/extract" | cmp - <("$DANA" extract "$page")
	post -X POST -T "$ARCHIVE" "$URL/filter?exclude=nav%2C%20.ad%20%3E%20p&only=body&dropped=1&text=blocks&recall=80&comments=apart" |
		cmp - <("$DANA" filter --exclude 'nav, .ad > p' --only body --dropped --text blocks -m learned:recall=80 --comments apart - <"$ARCHIVE")
	post -X POST -T "$ARCHIVE" "$URL/filter?method=learned,danag&recall=80" | cmp - <("$DANA" filter -m learned:recall=80 -m danag - <"$ARCHIVE")
	refuses 'neither 0 nor 1' -X POST -T "$ARCHIVE" "$URL/filter?dropped=maybe"
	# rules reach the process as a file that has no name of its own
	open=$(($(ls "/proc/$SERVICE/fd" | wc -l) + 3)) # connections that curl has left
	printf '127.0.0.1\texclude\tp\nexample.org\texclude\th1\n' >rules
	post -X POST "$URL/filter?rules=$(jq -sRr @uri rules)" -T "$DANA_SOURCE/sample/sample.warc.gz" >got
	cmp got <("$DANA" filter --rules rules - <"$DANA_SOURCE/sample/sample.warc.gz")
	! cmp -s got <("$DANA" filter - <"$DANA_SOURCE/sample/sample.warc.gz")
	for n in $(seq 200); do printf 'h%d.example\texclude\t.a\n' "$n"; done >many
	cat rules many >long
	post -X POST "$URL/filter?rules=$(jq -sRr @uri long)" -T "$DANA_SOURCE/sample/sample.warc.gz" | cmp got -
	post -X POST -T "$ARCHIVE" "$URL/filter?rules=" | cmp - <("$DANA" filter - <"$ARCHIVE")
	refuses "line 2 of the rules: 'foo': expected HOST" -X POST -T "$ARCHIVE" "$URL/filter?rules=a.example%09exclude%09p%0Afoo"
	refuses "line 1 of the rules: '/etc/passwd'" -X POST -T "$ARCHIVE" "$URL/filter?rules=/etc/passwd"
	refuses "line 1 of the rules: selector 'p:hover'" -X POST -T "$ARCHIVE" "$URL/filter?rules=a.example%09exclude%09p:hover"
	refuses 'cannot be decoded' -X POST -T "$ARCHIVE" "$URL/filter?rules=a%00b"
	for n in $(seq 2000); do printf 'h%d.example\texclude\t.a\n' "$n"; done >many
	[ "$(curl -sS -X POST "$URL/filter?rules=$(jq -sRr @uri many)" -T "$ARCHIVE" -o /dev/null -w '%{http_code}')" = 414 ]
	[ "$(ls "/proc/$SERVICE/fd" | wc -l)" -le "$open" ]
	stop
}

@test "a service with several methods returns their texts in JSON, the first one's as text" {
	page=$PAGES/en.html
	serve -m learned -m danag -m plain
	post --data-binary "@$page" "$URL/extract" | cmp - <("$DANA" extract "$page")
	post -H 'Accept: application/json' --data-binary "@$page" "$URL/extract" >got
	"$DANA" extract -f json --text plain,markdown -m learned -m danag -m plain "$page" | cmp - got
	grep -q '"texts":{"danag":"[^"]*","plain":"' got
	# of archives the query says which methods
	post -X POST -T "$ARCHIVE" "$URL/filter?method=plain,danag,r2l" | cmp - <("$DANA" filter -m plain -m danag -m r2l - <"$ARCHIVE")
	refuses 'plain is given twice' -X POST -T "$ARCHIVE" "$URL/filter?method=plain,plain"
	refuses 'too many items' -X POST -T "$ARCHIVE" "$URL/filter?method=a,b,c,d,e,f,g,h,i,j,k,l,m"
	post -X POST -T "$ARCHIVE" \
		"$URL/filter?method=r2l,dana,danag,plain,learned,auto,addanag,mountain&format=jsonl&compress=none&schema=dolma&source=a&min-chars=9&status=200&mime=text/html&type=response&warc-version=1.0&text=plain,markdown&markdown=links=0&text-field=plain" \
		-o got && false # r2l has no Markdown
	grep -q 'the method r2l has no markdown' got
	stop
}

@test "url, charset, Content-Type and an empty page count as they do for dana extract" {
	serve
	{
		printf '<title>\344\366\374</title>'
		for i in 1 2 3 4 5; do
			printf '<p>\304rger \374ber Stra\337en, die lang genug sind, um als Haupttext einer Seite zu gelten, %d.</p>' $i
		done
	} >page
	post -H 'Content-Type: text/html; charset=koi8-r' --data-binary @page "$URL/extract" |
		cmp - <("$DANA" extract --content-type 'text/html; charset=koi8-r' page)
	post -H 'Content-Type: text/html' --data-binary @page "$URL/extract?charset=latin1" >got
	cmp got <("$DANA" extract --charset latin1 page)
	grep -q 'Ärger über Straßen' got
	post -H 'Accept: application/json' --data-binary @page "$URL/extract?charset=windows-1252&url=http%3A%2F%2Fexample.org%2F" |
		cmp - <("$DANA" extract -f json --text plain,markdown --charset windows-1252 --url http://example.org/ page)
	[ "$(post --data-binary '' "$URL/extract" -w '%{http_code}')" = 200 ]
	run curl -sS -H 'Accept: application/json' -H 'Content-Type: application/pdf' --data-binary @page "$URL/extract"
	[[ $output == '{"reason":"'*'"}' ]]
}

@test "POST /filter returns what dana filter writes" {
	serve
	post -X POST -T "$ARCHIVE" "$URL/filter" | cmp - <("$DANA" filter - <"$ARCHIVE")
	post -X POST -T - "$URL/filter?format=warc" <"$ARCHIVE" | cmp - <("$DANA" filter -f warc - <"$ARCHIVE")
	post -X POST -T "$ARCHIVE" "$URL/filter?method=danag&min-chars=500&schema=dolma&source=a" |
		cmp - <("$DANA" filter -m danag --min-chars 500 --schema dolma --source a - <"$ARCHIVE")
	post -X POST -T "$ARCHIVE" "$URL/filter?compress=gzip" | gzip -dc | cmp - <("$DANA" filter - <"$ARCHIVE")
	curl -sS --raw -X POST -T "$ARCHIVE" "$URL/filter" | tail -2 | tr -d '\r' | grep -qx 'Dana-Status: good'
	head -c 5000 "$ARCHIVE" | curl -sS --raw -X POST -T - "$URL/filter" >cut
	tail -2 cut | tr -d '\r' | grep -qx 'Dana-Status: damaged'
	refuses 'min-chars' -X POST -T "$ARCHIVE" "$URL/filter?min-chars=many"
}

@test "GET /healthz and /metrics" {
	serve
	[ "$(post "$URL/healthz")" = ok ]
	post --data-binary "@$PAGES/en.html" "$URL/extract" >text
	curl -sS "$URL/nothing" >/dev/null
	post "$URL/metrics" >metrics
	grep -qx 'dana_pages_total 1' metrics
	grep -qx "dana_html_bytes_total $(wc -c <"$PAGES/en.html")" metrics
	grep -qx 'dana_responses_total{status="404"} 1' metrics
	grep -qx 'dana_extract_seconds_count 1' metrics
	# Every line is a comment or a number with a name, and every name has a type.
	! grep -vqE '^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"\})? [0-9.e+-]+)$' metrics
	[ "$(grep -c '^# TYPE' metrics)" -eq "$(grep -c '^# HELP' metrics)" ]
}

@test "GET / is a form, and POST /explain the report of dana explain" {
	serve
	post -i "$URL/" >page
	grep -q "^Content-Security-Policy: default-src 'none'" page
	grep -q '<form action="/explain" method="post" enctype="multipart/form-data"' page
	grep -q '<option value="learned" selected>learned: ' page
	for method in learned danag; do
		post -F "file=@$PAGES/en.html" -F "html=" -F "method=$method" "$URL/explain" |
			cmp - <("$DANA" explain -m $method - <"$PAGES/en.html")
		post -F "file=;filename=" -F "html=<$PAGES/en.html" -F "method=$method" "$URL/explain" |
			cmp - <("$DANA" explain --charset utf-8 -m $method - <"$PAGES/en.html")
	done
	post -H 'Content-Type: text/html' --data-binary "@$PAGES/fa.html" "$URL/explain?method=plain" |
		cmp - <("$DANA" explain -m plain - <"$PAGES/fa.html")
	refuses '' -F html= -F method=danag "$URL/explain"
	refuses '' -F html=a -F method=../danag "$URL/explain"
}

@test "a browser draws the report that the form leads to" {
	command -v python3 >/dev/null && command -v chromedriver >/dev/null && command -v chromium >/dev/null || skip "no python3, Chromium or chromedriver"
	serve
	python3 "$DANA_SOURCE/tests/cli/check_report.py" served "$DANA" "$URL/" "$PAGES/en.html"
}

@test "requests of odd kinds get the statuses that they should" {
	serve --max-body 1M
	python3 "$SUPPORT/serve_requests.py" "${URL#http://}"
	python3 "$SUPPORT/serve_requests.py" "$PWD/sock"
	stop
	[ $ended -eq 143 ]
	[ "$(wc -l <err)" -eq 2 ]
}

@test "other machines need a token" {
	prints 3 '*can be reached from the network; give --token-file FILE*' "$DANA" serve --listen 0.0.0.0:0
	(umask 077 && echo short >token)
	run -3 "$DANA" serve --listen 0.0.0.0:0 --token-file token
	run -1 "$DANA" serve --token-file missing
	echo 0123456789abcdef >token
	serve --token-file token
	status_of() {
		curl -sS -o got -w '%{http_code}' "$@"
	}
	[ "$(status_of "$URL/healthz")" = 200 ]
	[ "$(status_of "$URL/metrics")" = 401 ]
	[ "$(status_of -i --data-binary a "$URL/extract")" = 401 ]
	grep -q '^WWW-Authenticate: Basic' got
	[ "$(status_of -H 'Authorization: Bearer 0123456789abcdeg' "$URL/metrics")" = 401 ]
	[ "$(status_of -H 'Authorization: Bearer 0123456789abcde' "$URL/metrics")" = 401 ]
	[ "$(status_of -H 'Authorization: Bearer ' "$URL/metrics")" = 401 ]
	[ "$(status_of -H 'Authorization: Bearer 0123456789abcdef' "$URL/metrics")" = 200 ]
	[ "$(status_of -u a:0123456789abcdef "$URL/")" = 200 ]
	[ "$(status_of -u a:b "$URL/")" = 401 ]
	[ "$(status_of "$URL/nothing")" = 401 ]
}

@test "a token that others can read or replace is refused" {
	mkdir -m 700 kept
	echo 0123456789abcdef >kept/token
	for mode in 644 640 604 620 602 666; do
		chmod $mode kept/token
		run -3 "$DANA" serve --listen 127.0.0.1:0 --token-file kept/token
		[[ $output == *"--token-file: $PWD/kept/token can be "*" by group or others; expected chmod go-"* ]]
	done
	chmod 600 kept/token
	chmod 777 kept
	prints 3 "*the folder $PWD/kept can be written by group or others*" "$DANA" serve --listen 127.0.0.1:0 --token-file kept/token
	chmod 700 kept
	prints 3 '*is not a regular file*' "$DANA" serve --listen 127.0.0.1:0 --token-file kept
	ln -s kept/token token
	serve --token-file token
	stop
	[ "$(id -u)" -eq 0 ] || return 0
	chown 65534 kept/token
	prints 3 '*belongs to another user*' "$DANA" serve --listen 127.0.0.1:0 --token-file kept/token
}

@test "sockets of a supervisor" {
	cat >activate.py <<-'END'
	import os, socket, sys
	s = socket.create_server(("127.0.0.1", 0))
	print(s.getsockname()[1], file=open("port.new", "w"), flush=True)
	os.rename("port.new", "port")
	os.dup2(os.dup(s.fileno()), 3)
	os.set_inheritable(3, True)
	os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
	os.execv(sys.argv[1], sys.argv[1:])
	END
	python3 activate.py "$DANA" serve 2>err 3>&- &
	SERVICE=$!
	for ((i = 0; i < 600; i++)); do
		[ -e port ] && break
		kill -0 $SERVICE
		sleep 0.1
	done
	# It listens already; who comes waits until the service is there.
	[ "$(curl -sS --retry-connrefused "http://127.0.0.1:$(cat port)/healthz")" = ok ]
	stop
	[ $ended -eq 143 ]
	LISTEN_FDS=1 run bash -c 'exec 3</dev/null; LISTEN_PID=$$ exec "$DANA" serve'
	[ "$status" -eq 3 ]
	[[ $output == *"LISTEN_FDS: descriptor 3 is not a socket that listens"* ]]
}

@test "addresses that are none, or taken" {
	prints_line 3 "$DANA" serve --listen nowhere
	run -3 "$DANA" serve -m none
	# A path fills the address but for its zero.
	local path
	path=$(printf '%107s' '' | tr ' ' s)
	run "$DANA" serve --listen "unix:$path,nowhere"
	[[ $output == *"'nowhere' is not an address"* ]]
	prints 3 '*a path of a unix socket has 1 to 107 bytes*' timeout 10 "$DANA" serve --listen "unix:${path}s"
	serve
	prints 1 '*Address already in use*' "$DANA" serve --listen "${URL#http://}"
	run -1 "$DANA" serve --listen "unix:$PWD/sock"
	[ "$(post --unix-socket sock http://a/healthz)" = ok ]
	# That of a killed service is taken over.
	kill -KILL $SERVICE
	wait $SERVICE || true
	[ -S sock ]
	serve
	[ "$(post --unix-socket sock http://a/healthz)" = ok ]
	[ "$(stat -c %a sock)" = 600 ]
}

@test "limits of time, connections, requests, bytes and archives hold, and no request that was taken is lost" {
	for scenario in slow_head slow_body idle connections requests memory memory_of_responses children back_pressure small_chunks \
		floods floods_of_refused floods_of_the_end unread resets drain drain_ends kills slow_pages slow_archives \
		mutated; do
		python3 "$SUPPORT/serve_limits.py" "$DANA" "$ARCHIVE" $scenario || { echo "$scenario"; false; }
	done
}

@test "the page in a browser: a telephone and a desk, light and dark, a file and HTML that is pasted" {
	browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || skip "no Chromium is installed"
	serve
	timeout 200 python3 "$SUPPORT/serve_page.py" "$browser" "$URL/" "$PAGES/en.html"
}

@test "examples/heritrix_dana.bsh, as Heritrix runs it" {
	command -v java >/dev/null || skip_host "java is not installed"
	[ -e /usr/share/java/bsh.jar ] || skip_host "BeanShell (libbsh-java) is not installed"
	serve
	mkdir site
	cp "$PAGES"/*.html site
	echo %PDF-1.4 >site/other.pdf
	printf '\211PNG\r\n\032\n' >site/picture.html
	java -cp /usr/share/java/bsh.jar "$SUPPORT/HeritrixDriver.java" "$DANA_SOURCE/examples/heritrix_dana.bsh" \
		"${URL##*:}" text.jsonl site >annotations
	grep -qx 'http://site.example/other \[\]' annotations
	grep -qx 'http://site.example/picture \[dana:415\]' annotations
	for page in "$PAGES"/*.html; do
		name=$(basename "$page" .html)
		grep -qx "http://site.example/$name \[dana:200\]" annotations
		jq -c "select(.url == \"http://site.example/$name\") | del(.url)" text.jsonl |
			cmp - <("$DANA" extract -f json --text plain,markdown --content-type 'text/html; charset=utf-8' \
				--url "http://site.example/$name" "$page" | jq -c 'del(.url)')
	done
	[ "$(wc -l <text.jsonl)" -eq "$(ls "$PAGES"/*.html | wc -l)" ]
}

@test "examples/DanaParseFilter.java, as StormCrawler calls it" {
	command -v javac >/dev/null || skip_host "javac is not installed"
	serve
	mkdir classes texts
	"$SUPPORT/make_stormcrawler.sh" classes
	javac -Xlint:all -Werror -d classes -sourcepath classes classes/Driver.java "$DANA_SOURCE/examples/DanaParseFilter.java"
	printf '\211PNG\r\n\032\n' >picture.html
	java -cp classes Driver "$URL" texts "$PAGES"/*.html picture.html >statuses
	grep -qx 'picture.html 415' statuses
	[ "$(cat texts/picture.html)" = "what was there before" ]
	for page in "$PAGES"/*.html; do
		grep -qx "$(basename "$page") 200" statuses
		"$DANA" extract "$page" | cmp - "texts/$(basename "$page")"
	done
	stop
	[ "$(java -cp classes Driver "$URL" texts picture.html)" = "picture.html 0" ]
}

@test "the units of systemd" {
	command -v systemd-analyze >/dev/null || skip "systemd-analyze is not installed"
	sed "s|^ExecStart=.*|ExecStart=$DANA serve|" "$DANA_SOURCE/examples/dana-serve.service" >dana-serve.service
	cp "$DANA_SOURCE/examples/dana-serve.socket" .
	run -0 systemd-analyze verify --man=no ./dana-serve.service ./dana-serve.socket
	[[ $output != *dana-serve* ]]
}
