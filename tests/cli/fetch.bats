# SPDX-License-Identifier: MIT
# Pages by their URLs: dana extract URL, dana explain URL.

load ../support/cli
load ../support/fault_server

# of each path what its requests get
write_plan() {
	local html='"fields": {"Content-Type": "text/html; charset=UTF-8"}'
	cat <<-END
	{
	"/page": [{$html}, "repeat"],
	"/page?id=1": [{$html}, "repeat"],
	"/page?id=2": [{$html}, "repeat"],
	"/greek": [{"fields": {"Content-Type": "text/html; charset=iso-8859-7"}}, "repeat"],
	"/gzip": [{"gzip": 1, $html}, "repeat"],
	"/chunked": [{"chunked": 1, $html}, "repeat"],
	"/old": [{"old": 1, $html}, "repeat"],
	"/long": [{$html}, "repeat"],
	"/bomb": [{"gzip": 1, $html}, "repeat"],
	"/stall": [{"stall": 100, $html}, "repeat"],
	"/cut": [{"cut": 100, $html}, "repeat"],
	"/short": [{"length": 100, $html}, "repeat"],
	"/slow-1": [{"delay": 0.3, $html}, "repeat"],
	"/slow-2": [{"delay": 0.3, $html}, "repeat"],
	"/slow-3": [{"delay": 0.3, $html}, "repeat"],
	"/data": [{"fields": {"Content-Type": "application/json"}}, "repeat"],
	"/plain": [{"fields": {"Content-Type": "text/plain"}}, "repeat"],
	"/no-type": [{"fields": {"Content-Type": null}}, "repeat"],
	"/moved": [{"status": 302, "fields": {"Location": "/page?id=2#place"}}, "repeat"],
	"/consent": [{"status": 302, "fields": {"Location": "/page", "Set-Cookie": "yes=1"}}, "repeat"],
	"/away": [{"status": 301, "fields": {"Location": "http://127.0.0.2:PORT/page"}}, "repeat"],
	"/around": [{"status": 302, "fields": {"Location": "/around"}}, "repeat"],
	"/to-file": [{"status": 302, "fields": {"Location": "file:///etc/passwd"}}, "repeat"],
	"/to-missing": [{"status": 302, "fields": {"Location": "/missing"}}, "repeat"],
	"/no-location": [{"status": 302}, "repeat"],
	"/forbidden": [{"status": 403}, "repeat"],
	"/teapot": [{"status": 418}, "repeat"],
	"/junk": [{"junk": 1}, "repeat"]
	}
	END
}

setup_file() {
	need_fault_server
	cd "$BATS_FILE_TMPDIR"
	mkdir www
	cp "$DANA_SOURCE/sample/site/en.html" www/page
	for name in gzip chunked old stall cut short slow-1 slow-2 slow-3 no-type; do
		ln www/page "www/$name"
	done
	iconv -f utf-8 -t iso-8859-7 >www/greek <<-'END'
	<title>&mdash;</title><p>Ο παλιός μύλος στη στροφή του ποταμού γύρισε ξανά αυτή την άνοιξη, και όλο το χωριό ήρθε να τον δει.</p>
	END
	echo '{"a": "<p>b"}' >www/data
	echo 'A line of <p> text.' >www/plain
	cp "$DANA_SOURCE/tests/golden/plain/in.warc" www/crawl.warc
	yes '<p>A line of a page that is far too long for a page of the web.</p>' | head -c 17000000 >www/long
	ln www/long www/bomb
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	write_plan | sed "s/PORT/$port/" >plan
	start_fault_server --hosts 2 --port "$port"
}

teardown_file() {
	stop_fault_server
}

setup() {
	cd "$BATS_FILE_TMPDIR"
	base=http://127.0.0.1:$port
	unset http_proxy https_proxy no_proxy
}

# fetches ARGUMENTS...: what comes is the text of the file
fetches() {
	[ "$("$DANA" extract "$@")" = "$("$DANA" extract www/page)" ] || { "$DANA" extract "$@"; return 1; }
}

# refuses MESSAGE ARGUMENTS...: one line, and status 1
refuses() {
	run -1 "$DANA" extract "${@:2}"
	[ "$output" = "dana extract: ${*: -1}: $1" ] || { echo "$output"; return 1; }
}

# sent PATH FIELD: of the last request of the path
sent() {
	jq -r "select(.path == \"$1\") | .fields[\"$2\"] // \"none\"" log | tail -n 1
}

@test "a page by its URL is the page: encodings, lengths and redirects of HTTP" {
	local path
	for path in page gzip chunked old moved away consent no-type "page?id=1#place"; do
		fetches "$base/$path"
	done
	fetches "-u" "$base/page"
	fetches "-u$base/page"
	fetches "--URL=$base/page"
	[[ $("$DANA" extract "$base/greek") == *"Ο παλιός μύλος"* ]]
	[ "$("$DANA" extract "$base/plain")" = 'A line of <p> text.' ]
	[ "$("$DANA" extract -m plain --charset utf-8 "$base/page" | head -c 20)" = "$("$DANA" extract -m plain www/page | head -c 20)" ]
}

@test "JSON has the URL that was reached; links of Markdown are complete by it" {
	[ "$("$DANA" extract -f json "$base/moved" | jq -r .url)" = "$base/page?id=2" ]
	[ "$("$DANA" extract -f json "$base/away" | jq -r .url)" = "http://127.0.0.2:$port/page" ]
	[ "$("$DANA" extract -f json www/page | jq -r '.url // "none"')" = none ]
	echo '<p>A line with <a href="x">a link</a> to something that is worth to be read, in a long text.</p>' >www/links
	[[ $("$DANA" extract -m plain --text markdown "$base/links") == *"($base/x)"* ]]
	[[ $("$DANA" extract -m plain --text markdown --url http://h/a/ "$base/links") == *"(http://h/a/x)"* ]]
}

@test "several pages: as files, one after the other for each host, faults told" {
	run -1 --separate-stderr "$DANA" extract -j 4 -f jsonl "$base/slow-1" "$base/missing" www/page "$base/slow-2" "$base/slow-3" "http://127.0.0.2:$port/page"
	[ "$(jq -r .file <<<"$output")" = "$(printf '%s\n' "$base/slow-1" "$base/missing" www/page "$base/slow-2" "$base/slow-3" "http://127.0.0.2:$port/page")" ]
	[ "$(jq -c '[.text_chars, .reason]' <<<"$output" | uniq -c | tr -s ' ')" = $' 1 [940,null]\n 1 [0,"the server answers with status 404 (not found)"]\n 4 [940,null]' ]
	[ "$stderr" = "dana extract: $base/missing: the server answers with status 404 (not found)" ]
	# no request came before the reply of the one before had ended
	[ "$(jq -s '[.[] | select(.path | startswith("/slow-")) | [.time, .["end"]]] | sort | [.[1:], .[:-1]] | transpose | map(.[0][0] >= .[1][1]) | all' log)" = true ]
	prints 3 'dana extract: several pages need --format jsonl or csv, or --output-dir DIR; the URL of a page that is a file *' "$DANA" extract "$base/page" "$base/page"
	"$DANA" extract -O out "$base/page?id=1" "http://127.0.0.2:$port/"  2>err || :
	cmp out/page.txt <("$DANA" extract www/page)
	grep -q "127.0.0.2:$port/: the server answers with status 404" err
}

@test "what is no page is told: status, type, form, redirects" {
	refuses 'the server answers with status 404 (not found)' "$base/missing"
	refuses 'the server answers with status 403 (forbidden)' "$base/forbidden"
	refuses 'the server answers with status 418' "$base/teapot"
	refuses 'the server answers with status 302' "$base/no-location"
	refuses "the server answers with status 404 (not found) at $base/missing" "$base/to-missing"
	refuses 'the media type is application/json; expected text/html, application/xhtml+xml, text/plain or text/markdown' "$base/data"
	refuses 'an archive (WARC or ARC), not one HTML page: dana filter FILE finds the main text of all its pages' "$base/crawl.warc"
	refuses 'more than 10 redirects' "$base/around"
	run -1 "$DANA" extract "$base/to-file"
	[[ $output == "dana extract: $base/to-file: a redirect to what is not fetched: "* ]]
	local path
	for path in cut short junk; do
		run -1 "$DANA" extract "$base/$path"
		[ "${#lines[@]}" -eq 1 ]
	done
	refuses 'Could not resolve host: h.invalid' http://h.invalid/
	prints 1 'dana extract: http://h*: this is not the URL of a page; expected https://HOST/PATH or http://HOST/PATH' "$DANA" extract 'http://h\@g/'
	refuses 'this is not the URL of a page; expected https://HOST/PATH or http://HOST/PATH' s3://bucket/key
	refuses 'no such file; the URL of a page begins with a scheme: https://www.example.org' www.example.org
}

@test "a page is cut where it is too long, also behind an encoding, and given up where it does not come" {
	local path
	for path in long bomb; do
		[ "$("$DANA" extract -m bte -f json "$base/$path" | jq -c '[.html_bytes, .truncated, .problems[0]]')" = '[16777216,true,"truncated_limit"]' ]
	done
	run -1 timeout 20 "$DANA" extract --max-time 1 "$base/stall"
	[[ $output == "dana extract: $base/stall: no page within 1 seconds: "* ]]
	"$DANA" extract "$base/stall" >stalled 2>err 3>&- &
	local pid=$!
	sleep 0.5
	kill -TERM "$pid"
	ends 143 "$pid"
}

@test "what the server is told, and who is told secrets" {
	fetches "$base/page?id=1"
	[[ $(sent '/page?id=1' user-agent) == dana/[0-9]* ]]
	[[ $(sent '/page?id=1' accept) == text/html,* ]]
	fetches --header 'X-A: b' --header 'Accept: text/*' --header 'Cookie: a=b' --user-agent me/1 "$base/page?id=1"
	[ "$(sent '/page?id=1' x-a)$(sent '/page?id=1' accept)$(sent '/page?id=1' cookie)$(sent '/page?id=1' user-agent)" = 'btext/*a=bme/1' ]
	fetches "http://me:hidden@127.0.0.1:$port/page?id=1"
	[ "$(sent '/page?id=1' authorization)" = "Basic $(printf me:hidden | base64)" ]
	run -1 "$DANA" extract -f jsonl "http://me:hidden@127.0.0.1:$port/page?id=1" "http://me:hidden@127.0.0.1:$port/missing"
	[[ $output != *hidden* ]]
	# another host gets neither password nor cookie
	fetches --header 'Authorization: Bearer hidden' --header 'Cookie: a=b' "$base/away"
	[ "$(jq -r 'select(.host == "127.0.0.2" and .path == "/page") | .fields | (.authorization // "none") + (.cookie // "none")' log | tail -n 1)" = nonenone ]
	fetches "$base/consent" # with a cookie; it does not outlive the page
	[ "$(sent /page cookie)" = yes=1 ]
	fetches "$base/page"
	[ "$(sent /page cookie)" = none ]
	for header in nothing 'a b: c' ': x' $'a: b\r\nc: d'; do
		prints_line 3 "$DANA" extract --header "$header" "$base/page"
	done
	prints 3 'dana extract: --user-agent: expected printable ASCII characters' "$DANA" extract --user-agent $'a\nb' "$base/page"
	prints_line 3 "$DANA" extract --ca-file nowhere "$base/page"
	prints_line 3 "$DANA" extract --proxy 'no address' "$base/page"
}

@test "the proxy of the environment is asked, and another one, or none" {
	http_proxy=$base run -1 "$DANA" extract http://h.invalid/x
	[ "$(jq -r 'select(.path == "http://h.invalid/x") | .path' log | wc -l)" -eq 1 ]
	http_proxy=http://127.0.0.1:1 no_proxy=127.0.0.1 fetches "$base/page"
	run -1 "$DANA" extract --proxy "$base" http://h.invalid/y
	[ "$(jq -r 'select(.path == "http://h.invalid/y") | .path' log | wc -l)" -eq 1 ]
}

@test "names of other letters are sent percent-encoded" {
	cp www/page 'www/журнал 1'
	fetches "$base/журнал 1"
	[ "$(jq -r .path log | tail -n 1)" = '/%d0%b6%d1%83%d1%80%d0%bd%d0%b0%d0%bb%201' ]
}

@test "dana explain shows a page by its URL" {
	"$DANA" explain -o report.html --force "$base/moved"
	"$DANA" explain -o file.html --force --url "$base/page?id=2" www/page
	cmp <(sed "s|$base/moved|www/page|g" report.html) file.html
	prints 1 "dana explain: $base/missing: the server answers with status 404 (not found)" "$DANA" explain "$base/missing"
	"$DANA" explain "$base/greek" | grep -q 'Ο παλιός μύλος'
}
