# SPDX-License-Identifier: MIT
# dana serve for applications: what a request chooses by Accept, JSON and lines, pages that are fetched, other origins and
# hosts, and the description of all of it.

load ../support/cli
load ../support/serve

setup() {
	cd "$BATS_TEST_TMPDIR"
	command -v curl >/dev/null || skip "curl is not installed"
	SUPPORT=$DANA_SOURCE/tests/support
	PAGES=$DANA_SOURCE/sample/site
	page=$PAGES/en.html
	export no_proxy=127.0.0.1 HOME=$PWD
	ulimit -c 0
}

teardown() {
	[ -z "$SERVICE" ] || stop
	[ -z "$SITE" ] || { kill "$SITE" && wait "$SITE" || true; }
}

# json PROGRAM: writes what the expression of Python gives of the page `html`
json() {
	python3 -c 'import json, sys
html = open(sys.argv[1], encoding="utf-8").read()
print(json.dumps(eval(sys.argv[2])))' "$page" "$1"
}

# status ARGUMENTS...: the status; the reply is in `got`
status() {
	curl -sS -o got -w '%{http_code}' --max-time 20 "$@"
}

@test "Accept chooses the format, the parameter before it" {
	serve
	while read -r accept format type; do
		post -D head -H "Accept: $accept" --data-binary "@$page" "$URL/extract" |
			cmp - <("$DANA" extract -f "$format" --text "$([ "$format" = json ] && echo plain,markdown || echo plain)" "$page" 2>err2 ||
				"$DANA" extract -f "$format" "$page")
		tr -d '\r' <head | grep -qix "content-type: $type"
	done <<-'END'
		text/markdown markdown text/markdown; charset=utf-8
		text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8 text text/plain; charset=utf-8
		text/html html text/html; charset=utf-8
		application/xml xml application/xml
		application/tei+xml tei application/tei+xml
		application/json json application/json
		*/* text text/plain; charset=utf-8
		image/png text text/plain; charset=utf-8
	END
	post -D head -H 'Accept: text/html' --data-binary "@$page" "$URL/extract?format=markdown" |
		cmp - <("$DANA" extract -f markdown "$page")
	post -D head -H 'Accept: text/html' --data-binary "@$page" "$URL/extract" >got
	grep -qi "^content-security-policy: default-src 'none'; sandbox" head
	# a method without Markdown has the text
	post -H 'Accept: text/markdown' --data-binary "@$page" "$URL/extract?method=r2l" | cmp - <("$DANA" extract -m r2l "$page")
	[ "$(status -H 'Accept: application/json' --data-binary "@$page" "$URL/extract?format=pdf")" = 400 ]
	[ "$(jq -r .reason got)" = "the parameter format is none of text, json, markdown, html, xml and tei" ]
}

@test "a body of JSON has the page and the parameters" {
	serve
	send() {
		json "$1" | post -H 'Content-Type: application/json' --data-binary @- "$URL/extract${2:-}"
	}
	send '{"html": html}' | cmp - <("$DANA" extract "$page")
	send '{"html": html, "format": "json", "text": ["plain"], "method": ["learned", "danag"], "recall": 70}' |
		cmp - <("$DANA" extract -f json --text plain --charset utf-8 -m learned:recall=70 -m danag "$page")
	send '{"html": html, "format": "json", "text": "blocks", "dropped": True, "exclude": ["nav", ".share > p"], "charset": None}' |
		cmp - <("$DANA" extract -f json --text blocks --dropped --charset utf-8 --exclude 'nav,.share > p' "$page")
	send '{"html": html, "format": "markdown", "markdown": {"links": 0, "title": False}}' |
		cmp - <("$DANA" extract -f markdown --markdown links=0,title=0 "$page")
	send '{"html": html, "text_field": "markdown", "format": "json", "text": "plain"}' |
		cmp - <("$DANA" extract -f json --charset utf-8 --text plain --text-field markdown "$page")
	send '{"html": html, "format": "text"}' '?format=json' | cmp - <("$DANA" extract "$page")
	send '{"html_base64": __import__("base64").b64encode("<p>Ärger".encode("latin-1")).decode(), "charset": "latin1"}' | grep -qx Ärger
	for body in '' '[]' '{' '{"url":"http://a/"}' '{"html":1}' '{"html":"a","html_base64":"YQ=="}' '{"html_base64":"%"}' \
		'{"html":"a","metod":"danag"}' '{"html":"a","method":"nothing"}' '{"html":"a","exclude":[[]]}' \
		'{"html":"a","recall":101}' '{"html":"a","exclude":"a\u0000"}' '{"html":"a","html":"b"}' '{"html":"a","plugin":"none"}'; do
		[ "$(status -H 'Content-Type: application/json' --data-binary "$body" "$URL/extract")" = 400 ]
		[ -s got ]
	done
	post --data-binary "@$page" "$URL/extract" | cmp - <("$DANA" extract "$page")
}

@test "lines of JSON become lines, in their order, whatever is wrong with one" {
	serve --max-body 100K
	export page
	python3 - <<-'END'
		import json, os
		html = open(os.environ["page"], encoding="utf-8").read()
		with open("in.jsonl", "w") as out:
		    for i in range(200):
		        out.write(json.dumps({"html": html, "url": f"http://a.example/{i}", "n": i}) + "\n")
		        out.write(("", "no JSON", '{"html":5}', '{"html_base64":"YQ=="}')[i % 4] + "\n")
		    out.write('{"html":"<p>the last, without an end"}')
	END
	lines=(-H 'Content-Type: application/jsonl' --data-binary @in.jsonl)
	for query in '' 'text=markdown&method=danag' 'comments=apart&exclude=nav&url=http://b.example/'; do
		post -D head "${lines[@]}" "$URL/extract?$query" >got
		case $query in
		'') options=(--text plain,markdown) ;;
		text*) options=(--text markdown -m danag) ;;
		*) options=(--text plain,markdown --comments apart --exclude nav --url http://b.example/) ;;
		esac
		cmp got <("$DANA" extract --jsonl "${options[@]}" in.jsonl 2>err2)
		[ "$(wc -l <got)" -eq 401 ]
	done
	tr -d '\r' <head | grep -qix 'content-type: application/jsonl'
	# a line that is too long is one line, those around it are read
	{
		head -n 1 in.jsonl
		printf '{"html":"%0200000d"}\n' 0
		tail -n 1 in.jsonl
	} >long.jsonl
	post -H 'Content-Type: application/x-ndjson; charset=utf-8' --data-binary @long.jsonl "$URL/extract" >got
	[ "$(jq -r '.reason // "good"' got | paste -sd,)" = "good,the line is longer than 102400 bytes (--max-body),good" ]
	[ "$(post -H 'Content-Type: application/jsonl' --data-binary '' "$URL/extract" | wc -c)" -eq 0 ]
	refuses 'name that is unknown' "${lines[@]}" "$URL/extract?method=nothing"
	# a client that sends all before it reads
	python3 -c 'import sys, urllib.request
reply = urllib.request.urlopen(urllib.request.Request(sys.argv[1], open("in.jsonl", "rb").read() * 10, {"Content-Type": "application/jsonl"}))
sys.exit(len(reply.read().splitlines()) != 4001)' "$URL/extract?text=plain"
	refuses 'format is json for lines' "${lines[@]}" "$URL/extract?format=markdown"
	post "${lines[@]}" "$URL/extract?charset=nothing" >got
	[ "$(jq -c 'select(.reason // "" | startswith("the charset is not known"))' got | wc -l)" -eq 50 ]
	[ "$(wc -l <got)" -eq 401 ]
	# HTTP/1.0 has no chunks; what is broken off is no answer
	curl -sS --http1.0 "${lines[@]}" "$URL/extract" | cmp - <("$DANA" extract --jsonl --text plain,markdown in.jsonl 2>err2)
	curl -sS --max-time 0.05 "${lines[@]}" "$URL/extract" >got || true
	post --data-binary "@$page" "$URL/extract" | cmp - <("$DANA" extract "$page")
	post "$URL/metrics" | grep -qx 'dana_memory_bytes 0'
}

@test "lines are answered while others come, and a process that ends is one line" {
	serve -j 2
	python3 "$SUPPORT/serve_lines.py" "${URL#http://}" "$SERVICE"
}

@test "--allow-origin lets scripts of other sites use the service" {
	serve --allow-origin https://app.example --allow-origin http://localhost:3000
	ask() {
		curl -sS -i -H "Origin: $1" "${@:2}" "$URL/extract" | tr -d '\r' >got
	}
	for origin in https://app.example http://localhost:3000; do
		ask $origin --data-binary "@$page"
		grep -qx "Access-Control-Allow-Origin: $origin" got
		grep -qx 'Vary: Origin' got
		ask $origin -X OPTIONS -H 'Access-Control-Request-Method: POST' -H 'Access-Control-Request-Headers: content-type'
		grep -q '^HTTP/1.1 204 ' got
		grep -qx 'Access-Control-Allow-Methods: POST' got
		grep -qix 'access-control-allow-headers: .*content-type' got
		ask $origin --data-binary "$(printf '\211PNG\r\n\032\n')"
		grep -qx "Access-Control-Allow-Origin: $origin" got
	done
	for origin in https://app.example.org http://app.example https://app.example:444 null https://other.example; do
		ask $origin --data-binary "@$page"
		grep -q '^HTTP/1.1 403 ' got
		! grep -qi '^access-control' got
	done
	ask https://app.example -H 'Content-Type: application/jsonl' --data-binary '{"html":"<p>a"}'
	grep -qx 'Access-Control-Allow-Origin: https://app.example' got
	stop
	serve --allow-origin '*'
	ask https://any.example --data-binary "@$page"
	grep -qx 'Access-Control-Allow-Origin: https://any.example' got
	stop
	for origin in app.example https://app.example/ 'https://*.example' https://; do
		run -3 "$DANA" serve --allow-origin "$origin"
		[[ $output == *"--allow-origin: '$origin' is no origin"* ]]
	done
}

@test "a preflight needs no token, what follows it does" {
	(umask 077 && echo 0123456789abcdef >token)
	serve --allow-origin https://app.example --token-file token
	[ "$(status -X OPTIONS -H 'Origin: https://app.example' -H 'Access-Control-Request-Method: POST' "$URL/extract")" = 204 ]
	[ "$(status -H 'Origin: https://app.example' --data-binary "@$page" "$URL/extract")" = 401 ]
	[ "$(status -X OPTIONS -H 'Origin: https://b.example' -H 'Access-Control-Request-Method: POST' "$URL/extract")" = 403 ]
	[ "$(status "$URL/openapi.json")" = 401 ]
	status -u a:0123456789abcdef "$URL/openapi.json"
	[ "$(jq -c .security got)" = '[{"bearer":[]},{"basic":[]}]' ]
}

@test "what is no page is answered with the request that is right, not with a command" {
	serve
	[ "$(status -H 'Content-Type:' --data-binary '{"html":"<p>a"}' "$URL/extract")" = 415 ]
	grep -q 'JSON, not an HTML page: its Content-Type is application/json for one object .*, application/jsonl for lines' got
	[ "$(status --data-binary "@$DANA_SOURCE/tests/golden/damaged/in.warc" "$URL/extract")" = 415 ]
	grep -q 'an archive (WARC or ARC), not one HTML page: POST it to /filter' got
	[ "$(status -T "$page" "$URL/extract")" = 405 ]
	grep -q 'it is POST (curl -X POST -T FILE URL)' got
	[ "$(status -X POST -T "$page" "$URL/extract")" = 200 ]
}

@test "--host is the name that a proxy hands on" {
	serve --host text.example --host Other.Example
	for host in text.example TEXT.example:443 other.example localhost 127.0.0.1:1; do
		[ "$(status -H "Host: $host" "$URL/healthz")" = 200 ]
	done
	for host in example text.example.org a.text.example text.example. text.example:x; do
		[[ $(status -H "Host: $host" "$URL/healthz") = 4?? ]]
	done
	# a page of that name is one of this service
	[ "$(status -H 'Host: text.example' -H 'Origin: https://text.example' --data-binary "@$page" "$URL/extract")" = 200 ]
	[ "$(status -H 'Origin: https://text.example' --data-binary "@$page" "$URL/extract")" = 200 ]
	[ "$(status -H 'Origin: https://a.example' --data-binary "@$page" "$URL/extract")" = 403 ]
	for host in 'a b' a/b '*' '' a:80; do
		run -3 "$DANA" serve --host "$host"
	done
	# what --host is in other programs
	run -3 "$DANA" serve --host 0.0.0.0
	[[ $output == *"is an address to listen on; expected the name of a host, or --listen 0.0.0.0:8472 --token-file FILE" ]]
	run -3 "$DANA" serve --host ::
	[[ $output == *"or --listen [::]:8472 --token-file FILE" ]]
}

@test "nginx as doc/SERVICE.md sets it up" {
	nginx=$(PATH=$PATH:/usr/sbin command -v nginx) || skip "nginx is missing"
	serve --host text.example.org
	port=$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')
	cat >nginx.conf <<-END
		user $(id -un) $(id -gn);
		pid $PWD/nginx.pid;
		error_log $PWD/error.log;
		events {}
		http { access_log off; client_body_temp_path $PWD/t1; proxy_temp_path $PWD/t2; fastcgi_temp_path $PWD/t3;
		uwsgi_temp_path $PWD/t4; scgi_temp_path $PWD/t5; server { listen 127.0.0.1:$port; server_name text.example.org;
		$(sed -n '/^```nginx/,/^```$/p' "$DANA_SOURCE/doc/SERVICE.md" | sed '1d;$d' | sed "s|http://127.0.0.1:8472|$URL|")
		} }
	END
	"$nginx" -p "$PWD" -c "$PWD/nginx.conf" 2>error.start || { cat error.start; false; }
	proxy=(--connect-to "text.example.org:80:127.0.0.1:$port")
	post "${proxy[@]}" -H 'Accept: text/markdown' --data-binary "@$page" http://text.example.org/extract |
		cmp - <("$DANA" extract -f markdown "$page")
	post "${proxy[@]}" -H 'Origin: http://text.example.org' --data-binary "@$page" http://text.example.org/extract | cmp - <("$DANA" extract "$page")
	# more than what sockets hold, so that nginx has to forward it while lines are answered
	python3 -c 'import json, sys
html = open(sys.argv[1], encoding="utf-8").read()
for i in range(3000):
    print(json.dumps({"html": html, "n": i}))' "$page" >many.jsonl
	result=0
	post "${proxy[@]}" --max-time 60 -H 'Content-Type: application/jsonl' --data-binary @many.jsonl "http://text.example.org/extract?text=plain" >got || result=$?
	kill -TERM "$(cat nginx.pid)"
	[ $result -eq 0 ]
	[ "$(wc -l <got)" -eq 3000 ]
	[ "$(tail -n 1 got | jq .metadata.n)" -eq 2999 ]
}

# fetching OPTIONS: the service with a resolver that lies, and a site
fetching() {
	python3 "$SUPPORT/serve_site.py" "$page" >port 2>>asked 3>\&- &
	SITE=$!
	while [ ! -s port ]; do sleep 0.05; done
	shim=$(dirname "$DANA")/../../tests/support/.libs/lying_names.so
	[ -e "$shim" ] || skip "no $shim"
	shim=$(readlink -f "$shim")
	if ! LD_PRELOAD=$shim "$DANA" --version >/dev/null 2>&1; then skip "nothing can be loaded before libc"; fi
	LYING_NAMES=$PWD/lied LD_PRELOAD=$shim serve --fetch "$@"
	port=$(cat port)
}

# fetch URL: the status; the reply is in `got`
fetch() {
	status -G --data-urlencode "url=$1" "$URL/extract?format=${2:-text}"
}

@test "GET /extract?url= fetches a page, with --fetch" {
	fetching --page-time 2 --max-body 1M
	[ "$(fetch "http://public.test:$port/")" = 200 ]
	cmp got <("$DANA" extract "$page")
	[ "$(fetch "http://public.test:$port/to/http://public.test:$port/a%20b" 'markdown&markdown=frontmatter=1')" = 200 ]
	cmp got <("$DANA" extract -f markdown --markdown frontmatter=1 --url "http://public.test:$port/a%20b" "$page")
	[ "$(fetch "http://public.test:$port/" markdown)" = 200 ]
	cmp got <("$DANA" extract -f markdown --url "http://public.test:$port/" "$page")
	[ "$(fetch "http://public.test:$port/404")" = 502 ]
	grep -q 'status 404' got
	[ "$(fetch "http://public.test:$port/data")" = 415 ]
	[ "$(fetch "http://public.test:$port/big")" = 413 ]
	[ "$(fetch "http://public.test:$port/slow")" = 504 ]
	[ "$(fetch "http://public.test:1/")" = 502 ]
	[ "$(status "$URL/extract")" = 400 ]
	grep -q 'the parameter url is needed' got
	[ "$(status "$URL/extract?url=example.org")" = 400 ]
	grep -q 'the parameter url is no URL of a page: https://HOST/PATH' got
	[ "$(status "$URL/extract?url=http://public.test:$port/&method=nothing")" = 400 ]
	[ "$(status -I "$URL/extract?url=http://public.test:$port/")" = 200 ]
	post "$URL/metrics" | grep -qx 'dana_memory_bytes 0'
	stop
	serve
	[ "$(status "$URL/extract?url=http://a.test/")" = 405 ]
	grep -q 'GET needs a service with --fetch' got
}

@test "only public addresses are fetched from, whatever a name or a redirect says" {
	fetching --page-time 5
	public=http://public.test:$port
	for url in http://127.0.0.1:$port/ http://127.1:$port/ http://2130706433:$port/ http://0x7f.1:$port/ \
		http://0177.0.0.1:$port/ http://0:$port/ "http://[::1]:$port/" "http://[::]:$port/" \
		"http://[::ffff:127.0.0.1]:$port/" "http://[::ffff:7f00:1]:$port/" "http://[64:ff9b::7f00:1]/" \
		http://10.0.0.1/ http://172.16.0.1/ http://192.168.0.1/ http://169.254.169.254/latest/meta-data/ \
		http://100.64.0.1/ "http://[fe80::1]/" "http://[fd00:ec2::254]/" "http://[2002:7f00:1::]/" http://255.255.255.255/ \
		http://localhost:$port/ http://a@127.0.0.1:$port/ "http://public.test:$port@127.0.0.1:$port/" \
		http://inside.test:$port/ "http://mapped.test:$port/" "http://both.test:$port/"; do
		: >asked
		[ "$(fetch "$url")" = 403 ]
		[ ! -s asked ]
		[ "$(fetch "$public/to/$url")" = 403 ]
		[ "$(grep -vc 'GET /to/' asked)" -eq 0 ]
	done
	for url in file:///etc/passwd ftp://public.test/ gopher://public.test/ dict://127.0.0.1:11211/ s3://a/b /etc/passwd data:text/html,a ''; do
		[ "$(fetch "$url")" = 400 ]
	done
	for url in file:///etc/passwd ftp://public.test/ gopher://127.0.0.1:$port/ dict://127.0.0.1:11211/; do
		[ "$(fetch "$public/to/$url")" = 502 ]
	done
	# the name means a public address at first, and this machine when it is asked for again
	: >asked
	[ "$(fetch "http://changes.test:$port/")" = 200 ]
	[ "$(fetch "http://changes.test:$port/")" = 403 ]
	[ "$(grep -c GET asked)" -eq 1 ]
	rm lied
	[ "$(fetch "$public/to/http://changes.test:$port/")" = 200 ]
	[ "$(fetch "$public/to/http://changes.test:$port/")" = 403 ]
}

@test "a page as curl sends it, in a form or with curl's own type, is extracted and explained" {
	serve
	cp "$page" "How the mill – 1.html"
	curl -sS -F "page=@How the mill – 1.html" -F format=markdown "$URL/extract" | cmp - <("$DANA" extract -f markdown "$page")
	curl -sS -F "html=<$page" -H 'Accept: application/json' "$URL/extract" | jq -e '.charset == "utf-8" and .text_chars == 940' >/dev/null
	gzip -c "$page" >page.html.gz
	for form in -F "file=@page.html.gz" --data-binary "@page.html.gz" --data-binary "@$page"; do
		[ "${form:0:1}" = - ] && { way=$form; continue; }
		[ "$(status "$way" "$form" "$URL/explain")" = 200 ]
		grep -q 'How the old mill came back to life' got
		curl -sS "$way" "$form" "$URL/extract" | cmp - <("$DANA" extract "$page")
	done
	[ "$(status -d 'some words' "$URL/explain")" = 400 ]
	[[ $(cat got) == *"with curl: -H 'Content-Type: text/html' --data-binary @page.html" ]]
	[ "$(status -F "a=@$page" -F "b=@$page" "$URL/extract")" = 400 ]
	[ "$(cat got)" = "the form has several files; expected one page" ]
}

@test "GET /report shows all pages since the start, where the service was started with --report" {
	serve
	[ "$(status "$URL/report")" = 404 ]
	stop
	serve --report -j 2
	for i in 1 2 3; do
		for page in "$PAGES"/*.html; do
			post --data-binary "@$page" "$URL/extract?url=http://site$i.example/${page##*/}" >/dev/null
		done
	done
	{ json '{"html": html, "url": "http://lines.example/"}' && echo '{"html":"<p>Some words</p>"}' && echo nothing; } |
		post -H 'Content-Type: application/jsonl' --data-binary @- "$URL/extract" >/dev/null
	json '{"html": html, "url": "http://json.example/<b>"}' | post -H 'Content-Type: application/json' --data-binary @- "$URL/extract" >/dev/null
	[ "$(status --data-binary '%PDF-1.4' "$URL/extract")" = 415 ]
	n=$((3 * $(ls "$PAGES"/*.html | wc -l) + 3))
	post -D head "$URL/report" >report.html
	grep -qi "^content-security-policy: default-src 'none'" head
	grep -q "^<p>$((n + 1)) records came in. $n of them are pages, and $n of these were written" report.html
	for site in site1 site2 site3 lines json; do grep -q "<bdi>$site.example</bdi>" report.html; done
	grep -q '<code>mime</code>' report.html
	! grep -q '<b>' report.html
	post "$URL/report" | cmp - report.html
}

@test "GET /openapi.json describes the service, and a client that is made from it runs" {
	serve --fetch
	python3 "$SUPPORT/serve_client.py" "$URL" "$PAGES"/*.html
	curl -sS "$URL/openapi.json" | jq -e '.paths["/extract"].get.operationId == "extractUrl"' >/dev/null
	stop
	serve
	curl -sS "$URL/openapi.json" | jq -e '.paths["/extract"].get == null' >/dev/null
	# the table of statuses in the documents is this one
	curl -sS "$URL/openapi.json" | jq -r '.components.responses | to_entries[] | "| \(.key) | \(.value.description) |"' >statuses
	grep -E '^\| [45][0-9][0-9] \|' "$DANA_SOURCE/doc/SERVICE.md" | diff - statuses
}

@test "mutated requests get statuses that are documented, and the service lives" {
	serve --max-body 100K --fetch --page-time 3
	python3 "$SUPPORT/serve_mutate.py" "${URL#http://}" "$SERVICE" "${MUTATIONS:-400}" "${SEED:-1}"
	[ "$(curl -sS "$URL/healthz")" = ok ]
	stop
	[ $ended -eq 143 ]
	[ "$(wc -l <err)" -eq 2 ]
}
