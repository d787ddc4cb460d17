# SPDX-License-Identifier: MIT
# dana extract --jsonl: a line out for each line in; and how crawlers call dana extract for single pages.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	SITE=$DANA_SOURCE/sample/site
}

# The pages of the sample as lines: bytes in base64, the name as `name`.
sample_lines() {
	for page in "$SITE"/*.html; do
		printf '{"html_base64":"%s","name":"%s","url":"http://example.org/%s"}\n' "$(base64 -w0 "$page")" "${page##*/}" "${page##*/}"
	done
}

# keys FILE: the keys of the objects of each line, in their order.
keys() {
	jq -r 'keys_unsorted | join(" ")' "$1" | sort -u
}

@test "one line out for each line in, in their order, for every -j and read size" {
	for i in $(seq 300); do
		printf '{"n":%d,"html":"<title>%d</title><p>%s</p>"}\n' "$i" "$i" "$(printf 'word%.0s ' $(seq $((i * 37 % 400 + 1))))"
		[ $((i % 50)) != 0 ] || echo 'no object'
	done >in
	"$DANA" extract --jsonl -m plain -j 0 in >expected 2>err
	[ "$(wc -l <expected)" -eq 306 ]
	[ "$(cat err)" = "dana extract: 6 of 306 lines gave no text; see \"reason\" in the output" ]
	[ "$(jq -r '.metadata.n // "none"' expected | paste -sd' ')" = "$(sed 's/.*"n":\([0-9]*\).*/\1/; s/no object/none/' in | paste -sd' ')" ]
	[ "$(jq -r 'select(.text) | .title' expected | paste -sd' ')" = "$(seq 300 | paste -sd' ')" ]
	for j in 1 2 8; do
		"$DANA" extract --jsonl -m plain -j $j <in 2>err | cmp - expected
		DANA_TEST_READ_SIZE=7 "$DANA" extract --jsonl -m plain -j $j -o out --force <in 2>err
		cmp out expected
	done
}

@test "a page as a line has the text that it has as a file" {
	sample_lines | "$DANA" extract --jsonl >lines
	for page in "$SITE"/*.html; do
		"$DANA" extract -f json --url "http://example.org/${page##*/}" "$page" >alone
		jq -c --arg name "${page##*/}" 'select(.metadata.name == $name) | .metadata = .page_metadata | del(.url, .page_metadata)' lines | jq -S . >line
		jq -S . alone | cmp - line
	done
	[ "$(keys lines)" = "text title $page_keys url metadata page_metadata" ]
}

@test "a string is characters, whatever its page says; bytes are decoded by charset, else by the page" {
	printf '<meta charset=windows-1256><p>\xd3\xe1\xc7\xe3 and more words</p>' >arabic
	printf '<p>\xd3\xe1\xc7\xe3 and more words</p>' >bare
	{
		jq -nc '{html: "<meta charset=windows-1256><p>سلام and more words</p>", charset: "windows-1256"}'
		printf '{"html_base64":"%s"}\n' "$(base64 -w0 arabic)"
		printf '{"html_base64":"%s","charset":"windows-1256"}\n' "$(base64 -w0 bare)"
		printf '{"html_base64":"%s","charset":"no-such-charset"}\n' "$(base64 -w0 arabic)"
	} >in
	run -0 "$DANA" extract --jsonl -m plain in
	[ "$(jq -r .text <<<"$output" | sort -u)" = "سلام and more words" ]
	[ "$(jq -r .charset <<<"$output" | paste -sd' ')" = "utf-8 windows-1256 windows-1256 windows-1256" ]
	run bash -c '"$DANA" extract --jsonl -m plain --charset windows-1256 <<<"{\"html_base64\":\"$(base64 -w0 bare)\"}"'
	[ "$(jq -r .text <<<"$output")" = "سلام and more words" ]
}

@test "charset of a line is never doubted, as --charset; that of a content type is" {
	printf '<p>été déjà là, sûr</p>' >utf8
	printf '<meta charset=koi8-r><p>\xeb\xc1\xcd\xc5\xce\xdd\xc9\xcb</p>' >legacy
	for case in utf8:windows-1252 legacy:utf-8 utf8:gbk; do
		page=${case%:*} charset=${case#*:}
		line=$(printf '{"html_base64":"%s","charset":"%s"}' "$(base64 -w0 "$page")" "$charset")
		run "$DANA" extract --jsonl -m plain <<<"$line"
		[ "$(jq -r .charset <<<"$output")" = "$charset" ]
		! grep -q charset_label <<<"$output"
		text=$(jq -r .text <<<"$output")
		[ "$text" = "$("$DANA" extract -m plain --charset "$charset" "$page")" ]
		run "$DANA" extract -m plain -f json --content-type "text/html; charset=$charset" "$page"
		grep -q charset_label <<<"$output"
		[ "$text" != "$(jq -r .text <<<"$output")" ]
	done
}

@test "other members are handed through as they are written" {
	cat >in <<-'END'
		{"html":"<p>x","id":12345678901234567890123,"r":0.10}
		 { "html" : "<p>x" , "a" : [ 1 , { "b c" : " d  e " } ] , "text" : "mine" , "metadata" : { } , "\u0068tml2" : "\u00e9\"}" }
		{"html":"<p>x"}
		{"url":"http://a/","n":1}
	END
	"$DANA" extract --jsonl -m plain in >out 2>err
	sed -n 1p out | grep -qF '"metadata":{"id":12345678901234567890123,"r":0.10}}'
	sed -n 2p out | grep -qF '"metadata":{"a":[1,{"b c":" d  e "}],"text":"mine","metadata":{},"\u0068tml2":"\u00e9\"}"}}'
	sed -n 3p out | grep -qF '"url":null,"metadata":{}}'
	sed -n 4p out | grep -qF '"url":"http://a/","metadata":{"n":1},"reason":"no page: expected html or html_base64"}'
}

@test "half a pair of surrogates and a number out of range are handed through; in html U+FFFD stands for the half" {
	cat >in <<-'END'
		{"html":"<p>x","a":"\ud800","b":{"\udc00":[1e999,-1e-999]},"\ud83d":"\ud83d\ude00"}
		{"html":"<p>x\ud83d\ude00 \ude00y\ud83d"}
		{"html":"<p>x\ufffd","url":"http://a/\ud800"}
	END
	"$DANA" extract --jsonl -m plain in >out 2>err
	sed -n 1p out | grep -qF '"problems":[],"url":null,"metadata":{"a":"\ud800","b":{"\udc00":[1e999,-1e-999]},"\ud83d":"\ud83d\ude00"}}'
	sed -n 2p out | jq -e '.text == "x😀 \ufffdy\ufffd" and .problems == ["bad_charset"]'
	sed -n 3p out | jq -e '.text == "x\ufffd" and .problems == [] and .url == "http://a/\ufffd"'
}

@test "what base64 holds, with white space in it or none, of all lengths" {
	for length in $(seq 0 70); do
		text=$(printf '%*s' "$length" '' | tr ' ' x)
		for width in 0 1 5 64; do
			printf '<p>%s</p>' "$text" | base64 -w "$width" | jq -Rsc '{html_base64: ("\t " + . + "\r\n")}'
		done
	done >in
	"$DANA" extract --jsonl -m plain in >out
	[ "$(jq -r '.text | length' out | uniq -c | awk '{ print $1 ":" $2 }' | paste -sd' ')" = "$(seq 0 70 | sed 's/^/4:/' | paste -sd' ')" ]
}

@test "hostile lines of 32 MB cost as much as others, and the next line is read" {
	cat >hostile.py <<-'END'
		n = 31 << 20
		lines = ["[" * n, '{"a":' * (n // 5), '{"html":"' + "\\ud800" * (n // 6) + '"}', '{"html":"<p>x","a":[' + "0," * (n // 2) + "0]}",
		         '{"html":"<p>x","' + '":0,"'.join(str(i) for i in range(n // 12)) + '":0}', '"' * n, "\\" * n, '{"html":"' + "\\" * n + '"}']
		for line in lines:
		    print(line)
		    print('{"html":"<p>next"}')
	END
	python3 hostile.py >in
	"$DANA" extract --jsonl -m plain in >out 2>err
	[ "$(jq -r 'if .reason then "-" else .text[0:4] end' out | paste -sd' ')" = '- next - next ���� next x next x next - next - next \\\\ next' ]
}

@test "a line that is no page has null text and a reason" {
	while IFS='|' read -r line reason; do
		run -1 "$DANA" extract --jsonl -o out --force - <<<"$line"
		[ "$output" = 'dana extract: 1 of 1 lines gave no text; see "reason" in the output' ]
		[ "$(wc -l <out)" -eq 1 ]
		jq -e --arg reason "$reason" '.text == null and (.reason | contains($reason)) and (keys_unsorted | last) == "reason"' out
		[ "$(keys out)" = "text title $page_keys url metadata reason" ]
	done <<-'END'
		|the line is empty
		   |the line is empty
		junk|not JSON: byte 0: expected a value
		{"html":"<p>x"|not JSON: byte 14: expected ',' or '}'
		{"html":"<p>x"} {"html":"<p>y"}|not JSON: byte 16: expected nothing more
		{"html":"<p>x","html":"<p>y"}|not JSON: byte 15: duplicate object key
		{"html":"<p>x","a":[{"b":1,"\u0062":2}]}|not JSON: byte 27: duplicate object key
		{"html":"<p>\x"}|not JSON: byte 8: a string with an escape that is not valid
		["html"]|not a JSON object
		7|not a JSON object
		{}|no page: expected html or html_base64
		{"html":null}|no page: expected html or html_base64
		{"html":7}|html is not a string
		{"html_base64":{}}|html_base64 is not a string
		{"html":"x","url":1}|url is not a string
		{"html":"x","charset":[]}|charset is not a string
		{"html":"x","html_base64":"eA=="}|html and html_base64 exclude each other
		{"html_base64":"e"}|html_base64 is not base64
		{"html_base64":"eHh4-eHh4"}|html_base64 is not base64
		{"html_base64":"JVBERi0xLjQK"}|a PDF, not an HTML page
		{"n":1e999}|no page: expected html or html_base64
		{"html_base64":"eA==eA=="}|html_base64 is not base64
		{"html_base64":"eA==="}|html_base64 is not base64
		{"html_base64":"=eA="}|html_base64 is not base64
	END
	printf '{"html":"\xff"}\n' | "$DANA" extract --jsonl 2>err | jq -e '.text == null and (.reason | contains("not JSON"))'
}

@test "the status is 1 where no line gave text, and 0 where one did" {
	local bad='{"n":1}' good='{"html":"<p>a few words"}'
	for j in 0 3; do
		for lines in "$bad" "$bad\n$bad\n$bad" "\n\n" "no JSON\n$bad"; do
			printf "$lines\n" >in
			run -1 "$DANA" extract --jsonl -j $j in
		done
		for lines in "$good" "$bad\n$good\n$bad" "$good\n" '{"html":""}' "$bad\n{\"html\":\"\"}"; do
			printf "$lines\n" >in
			run -0 "$DANA" extract --jsonl -j $j in
		done
		run -0 "$DANA" extract --jsonl -j $j /dev/null
	done
	# the output is complete all the same
	printf '%s\n' "$bad" >in
	run -1 "$DANA" extract --jsonl -o whole in
	[ "$(wc -l <whole)" -eq 1 ]
}

@test "an empty page, an empty input and a last line without its end are no errors" {
	run -0 "$DANA" extract --jsonl <<<'{"html":""}'
	jq -e '.text == "" and (has("reason") | not)' <<<"$output"
	prints 0 '' "$DANA" extract --jsonl </dev/null
	run -0 bash -c 'printf "{\"html\":\"<p>a\"}\r\n{\"html\":\"<p>b\"}" | "$DANA" extract --jsonl -m plain'
	[ "$(jq -r .text <<<"$output" | paste -sd' ')" = "a b" ]
}

@test "each line is answered before the next one comes" {
	for j in 0 2; do
		coproc CHILD { exec "$DANA" extract --jsonl -m plain -j $j; }
		local child=$CHILD_PID in=${CHILD[1]} out=${CHILD[0]}
		for word in one two three; do
			printf '{"html":"<p>%s"}\n' $word >&"$in"
			read -r -t 60 line <&"$out"
			[ "$(jq -r .text <<<"$line")" = $word ]
		done
		exec {in}>&-
		wait "$child"
	done
}

@test "a signal ends the run after the lines that were taken" {
	coproc CHILD { exec "$DANA" extract --jsonl -m plain; }
	local child=$CHILD_PID in=${CHILD[1]} out=${CHILD[0]}
	printf '{"html":"<p>one"}\n{"html":"<p>tw' >&"$in"
	read -r -t 60 line <&"$out"
	kill -TERM "$child"
	ends 143 "$child"
	exec {in}>&-
}

@test "a reader that has gone ends the run quietly" {
	run bash -c 'yes "{\"html\":\"<p>some words of a page\"}" | "$DANA" extract --jsonl -m plain 2>err | head -1; echo "${PIPESTATUS[1]}"; cat err'
	[ "${lines[1]}" = 0 ]
	[ "${#lines[@]}" -eq 2 ]
}

@test "a line beyond --max-line is passed over in bounded memory" {
	cat >run.py <<-'END'
		import resource, subprocess, sys
		child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=open("out", "wb"), stderr=open("err", "wb"))
		child.stdin.write(b'{"html":"<p>first"}\n{"html":"')
		for i in range(int(sys.argv[1])):
		    child.stdin.write(b"x" * (1 << 20))
		child.stdin.write(b'"}\n{"html":"<p>last"}\n')
		child.stdin.close()
		status = child.wait()
		print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)
	END
	read -r status small < <(python3 run.py 1 "$DANA" extract --jsonl -m plain -j 2 --max-line 64K)
	[ "$status" -eq 0 ]
	read -r status large < <(python3 run.py 96 "$DANA" extract --jsonl -m plain -j 2 --max-line 64K)
	[ "$status" -eq 0 ]
	[ "$((large - small))" -lt 32 ]
	[ "$(jq -c .text out | paste -sd' ')" = '"first" null "last"' ]
	sed -n 2p out | grep -qF '"reason":"the line is longer than 65536 bytes; --max-line allows more"}'
	printf '{"html":"%s"}\n' xxxx >in
	[ "$("$DANA" extract --jsonl --max-line "$(($(wc -c <in) - 1))" in | jq -c .text)" != null ]
	[ "$("$DANA" extract --jsonl --max-line "$(($(wc -c <in) - 2))" in 2>err | jq -c .text)" = null ]
}

@test "-o is complete or not there; wrong usage is one line and status 3" {
	sample_lines >in
	mkdir -p empty pages
	cp in pages/page.html
	"$DANA" extract --jsonl -o out in
	"$DANA" extract --jsonl in | cmp - out
	[ ! -e out.part ]
	for arguments in "--jsonl -o out in" "--jsonl -O folder in" "--jsonl -f json in" "--jsonl in in" "--jsonl empty" "--jsonl pages" "--jsonl --charset none in" \
		"--jsonl --content-type text/html in" "--jsonl -m nosuch in" "--jsonl --max-line 0 in" "--jsonl --force -o in in"; do
		prints_line 3 "$DANA" extract $arguments
	done
	prints 1 'dana extract: missing: No such file or directory' "$DANA" extract --jsonl missing
}

@test "as the external parser of Nutch: content type as an argument, page on standard input" {
	printf '<title>t</title><p>\xd3\xe1\xc7\xe3 and more words</p>' >page
	prints 0 'سلام and more words' "$DANA" extract -m plain --content-type 'text/html; charset=windows-1256' <page
	[ "$("$DANA" extract -m plain --content-type application/xhtml+xml --charset windows-1256 <page)" = "$output" ]
	[ "$("$DANA" extract -m plain --content-type text/plain --charset windows-1256 <page)" = "$output" ]
	for type in application/pdf text/css image/png application/json; do
		run -1 "$DANA" extract --content-type $type <<<"body { color: red }"
		[ "$output" = "dana extract: standard input: the media type is $type; expected text/html, application/xhtml+xml, text/plain or text/markdown" ]
	done
	printf 'a<b and\n\n\tc>d\n' >text
	for type in text/plain 'text/markdown; charset=utf-8' TEXT/PLAIN; do
		"$DANA" extract --content-type "$type" text | cmp - text
		[ "$("$DANA" extract -f json --content-type "$type" text | jq -c '[.text,.title,.method]')" = '["a<b and\n\n\tc>d",null,null]' ]
	done
	run -1 "$DANA" extract --content-type text/html <<<"%PDF-1.4"
}
