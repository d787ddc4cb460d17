# SPDX-License-Identifier: MIT
# dana filter from outside: options, names of outputs, exit statuses, reports.

load ../support/cli

# record ID URL TYPE HTTP-STATUS CONTENT-TYPE BODY
record() {
	local http
	http=$(printf 'HTTP/1.1 %s x\r\nContent-Type: %s\r\n\r\n%s' "$4" "$5" "$6")
	printf 'WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-00000000000%s>\r\n' "$3" "$1"
	printf 'WARC-Date: 2024-05-06T07:08:09Z\r\nWARC-Target-URI: %s\r\n' "$2"
	printf 'Content-Type: application/http; msgtype=response\r\nContent-Length: %s\r\n\r\n' "$(printf %s "$http" | wc -c)"
	printf '%s\r\n\r\n' "$http"
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	page='<html><body>'
	for n in 1 2 3 4 5 6; do
		page+="<p>Paragraph $n is a sentence that is long enough to be main content of a page.</p>"
	done
	{
		record 1 http://example.org/1 response 200 text/html "$page"
		record 2 http://example.org/2 response 404 text/html "$page"
		record 3 http://example.org/3 response 200 image/png "not a page"
		record 4 http://example.org/4 request 200 text/html "$page"
		record 5 http://example.org/5 response 200 text/html "<html></html>"
		record 6 http://example.org/6 response 200 text/plain "$page"
	} >in.warc
	gzip -c in.warc >in.warc.gz
}

documents() {
	grep -c '^{"text":' "$1" || true
}

@test "filters can be opened" {
	for row in "2" "3 --status any" "3 --type any" "3 --min-chars 0" "0 --min-chars 10K" "1 --status 404,500" "3 --mime any -m plain"; do
		"$DANA" filter -q ${row#?} in.warc >out
		[ "$(documents out)" -eq "${row%% *}" ] || { echo "$row"; false; }
	done
}

@test "what is no archive is told with the command for a page" {
	echo '<html><p>A page.</p></html>' >page.html
	run -2 bash -c '"$DANA" filter page.html 2>&1 >/dev/null'
	[[ "${lines[0]}" == *"not_an_archive: "*"; the text of an HTML page: dana extract FILE" ]]
	[ "${lines[1]}" = "dana: 1 record: 0 documents, 0 skipped, 1 damaged" ]
	mkdir pages
	cp page.html pages
	prints 1 "*no archive is in this folder*; dana extract -O DIR FOLDER reads HTML pages*" "$DANA" filter pages
}

@test "a configuration file is read and the command line wins" {
	printf 'status = any\nmin-chars = 0\n' >dana.conf
	"$DANA" filter -q --config dana.conf in.warc >out
	[ "$(documents out)" -eq 4 ]
	"$DANA" filter -q --config dana.conf --status 404 in.warc >out
	[ "$(documents out)" -eq 1 ]
	run -0 "$DANA" filter --config dana.conf --print-config
	grep -qx 'status = any' <<<"$output"
	echo 'stats 1' >>dana.conf
	prints 3 "dana filter: dana.conf:3: no '=' in the line; expected key = value" "$DANA" filter --config dana.conf in.warc
}

@test "a configuration file that others may write is refused" {
	echo 'min-chars = 0' >dana.conf
	for mode in 600 644 400 664 660 640 755 444 770 620; do
		chmod "$mode" dana.conf
		"$DANA" filter -q --config dana.conf in.warc >out || { echo "$mode"; false; }
	done
	ln -s dana.conf link
	for mode in 666 646 606 602 622 777 757 642 667 1666; do
		chmod "$mode" dana.conf
		for name in dana.conf link "$PWD/dana.conf"; do
			run -3 "$DANA" filter --config "$name" in.warc
			[ "$output" = "dana filter: --config: $name can be written by everyone; expected a file that only its owner can (chmod o-w)" ] ||
				{ echo "$mode: $output"; false; }
		done
	done
	# What is no file belongs to nobody else.
	"$DANA" filter -q --config /dev/null in.warc >out
	"$DANA" filter -q --config <(cat dana.conf) in.warc >out
	cat dana.conf | "$DANA" filter -q --config /dev/stdin in.warc >out
	run -3 "$DANA" filter --config /dev/stdin in.warc <dana.conf
	# Its group may write what is the user's or root's, and not what is another's.
	[ "$(id -u)" -eq 0 ] || skip "only root can give a file away"
	chown 12345 dana.conf
	for mode in 644 600 444; do
		chmod "$mode" dana.conf
		"$DANA" filter -q --config dana.conf in.warc >out
	done
	for mode in 664 660 620 674; do
		chmod "$mode" dana.conf
		prints 3 '*dana.conf can be written by a group of another user; *chmod g-w\)' "$DANA" filter --config dana.conf in.warc
	done
}

@test "limits have their promised values, and each is an option" {
	diff - <("$DANA" filter --print-limits | awk '$1 ~ /^max-/ { print $1, $2 }') <<-'END'
		max-head 8M
		max-head-line 64K
		max-head-fields 100K
		max-block 32M
		max-http-head 256K
		max-http-lines 1000
		max-body 16M
		max-codings 4
		max-expansion 1000
		max-window 8M
		max-text 8M
		max-depth 512
		max-work 64
		max-in-flight 64M
		max-revisits 64M
	END
	[ "$("$DANA" filter --help-all | grep -c '^ *--max-')" -eq "$("$DANA" filter --print-limits | grep -c '^max-')" ]
	[[ $("$DANA" filter --print-limits | tail -n 1) == sum* ]]
	while read -r name value _; do
		other=$((${value//[!0-9]/} / 2))${value//[0-9]/}
		"$DANA" filter "--$name" "$other" --print-limits | grep -q "^$name  *$other "
	done < <("$DANA" filter --print-limits | grep '^max-')
	"$DANA" filter --max-window 128M --print-limits | grep -q '^max-window  *128M '
	run -3 "$DANA" filter --max-window 129M --print-limits
}

@test "a page that asks for more work than its size allows is skipped" {
	heavy="<p>Text of a page."
	heavy+=$(printf '<oa>%.0s' {1..512})$(printf '</xx>%.0s' {1..20000})
	{
		record 1 http://example.org/1 response 200 text/html "$page"
		record 2 http://example.org/2 response 200 text/html "$heavy"
		record 3 http://example.org/3 response 200 text/html "$page"
	} >heavy.warc
	for jobs in 0 2; do
		"$DANA" filter -q -j $jobs -m crunch --rejects --stats stats.json -o out$jobs.jsonl heavy.warc
		[ "$(documents out$jobs.jsonl)" -eq 2 ]
		grep -q '"records":3,"documents":2,"skipped":{"work_limit":1},"damaged":{}' stats.json
		grep -q '000000000002",.*"reason":"work_limit"' out$jobs.jsonl.rejects.jsonl
	done
	cmp out0.jsonl out2.jsonl
	"$DANA" filter -q -m crunch --max-work 200 -o all.jsonl heavy.warc
	[ "$(documents all.jsonl)" -eq 3 ]
	printf %s "$heavy" >heavy.html
	prints 1 'dana extract: heavy.html: the page asks for more work than its size allows' "$DANA" extract -m crunch heavy.html
	run -0 "$DANA" extract heavy.html
}

@test "a word that no record can have is refused" {
	run -3 "$DANA" filter --type respones in.warc
	[ "$output" = "dana filter: --type: 'respones' is unknown; expected a record type of WARC, one that begins with x-, or any; did you mean response?" ]
	prints 3 "*did you mean text/html\?" "$DANA" filter --mime html in.warc
	prints 3 "*did you mean 200\?" "$DANA" filter --status 20x in.warc
	run -0 "$DANA" filter --type RESPONSE,x-own --mime any --status any in.warc
}

@test "--comments apart is a field of JSON, whatever the number of workers" {
	{
		record 1 http://example.org/1 response 200 text/html "$page<ol class=commentlist><li>yes</ol>"
		record 2 http://example.org/2 response 200 text/html "$page"
	} >in.warc
	for jobs in 0 2; do
		"$DANA" filter -q -j $jobs -m plain --comments apart in.warc >out.jsonl
		[ "$(grep -o '"comments":[^,]*' out.jsonl | tr '\n' ' ')" = '"comments":"yes" "comments":null ' ]
	done
	prints 3 '*--comments apart is for JSON; it does not go with --format warc*' "$DANA" filter --comments apart -f warc in.warc
}

@test "--exclude and --rules are for the pages of an archive, by their addresses" {
	"$DANA" filter -q -m plain --exclude p "$DANA_SOURCE/sample/sample.warc.gz" >without.jsonl
	printf '127.0.0.1\texclude\tp\n' >rules
	"$DANA" filter -q -m plain --rules rules "$DANA_SOURCE/sample/sample.warc.gz" | cmp - without.jsonl
	"$DANA" filter -q -j 2 -m plain --rules rules "$DANA_SOURCE/sample/sample.warc.gz" | cmp - without.jsonl
	[ "$(wc -l <without.jsonl)" = 7 ]
	run -1 grep 'rotted away' without.jsonl
}
