# SPDX-License-Identifier: MIT
# Inputs from the network, from a server on loopback that does what it is told to do wrong (tests/support/fault_server.py).

load ../support/cli
load ../support/fault_server

# The plan is for all tests of this file: each has paths of its own.
write_plan() {
	cat <<-'END'
	{
	"/mixed.warc": [
		{"cut": 1000}, {"reset": 200000}, {"status": 503}, {"cut": 150000, "range": 1}, {"cut": 100000},
		{"gzip": 1}, {"whole": 1, "reset": 500000}, {"etag": "\"other\""}, {"cut": 100000}, {"junk": 1},
		{"fields": {"Content-Type": "text/html"}}, {"cut": 70000}, {"length": 5}, {"reset": 50000},
		{"status": 302, "fields": {"Location": "/loop"}}, {"limit": 30000}, {"cut": 0}
	],
	"/loop": [{"status": 302, "fields": {"Location": "/loop"}}, "repeat"],
	"/chunked.warc": [{"chunked": 1, "cut": 300000}, {"chunked": 1, "whole": 1}],
	"/too-long.warc": [{"length": 9}],
	"/first-chunked.warc": [{"chunked": 1, "cut": 100000}, {"cut": 200000}, {"chunked": 1, "whole": 1, "end": 400000}, {"twice": 1, "chunked": 1}],
	"/no-total.warc": [{"chunked": 1, "cut": 100000}, {"end": 50000, "fields": {"Content-Range": "bytes 100000-149999/*"}}],
	"/early.warc": [{"cut": 100000}, {"whole": 1, "chunked": 1, "end": 300000}, "repeat"],
	"/late.warc": [{"cut": 100000}, {"whole": 1, "chunked": 1, "twice": 1}, "repeat"],
	"/less.warc": [{"cut": 100000}, {"whole": 1, "old": 1, "fields": {"ETag": null, "Last-Modified": null}}, "repeat"],
	"/shrunk.warc": [{"cut": 100000}, {"status": 416, "fields": {"Content-Range": "bytes */100000"}}, "repeat"],
	"/touched.warc": [{"cut": 100000}, {"fields": {"Last-Modified": "Mon, 05 Jan 2026 00:00:00 GMT"}}, "repeat"],
	"/silent.warc": [{"cut": 100000, "fields": {"ETag": null, "Last-Modified": null, "Accept-Ranges": null}},
		{"fields": {"ETag": null, "Last-Modified": null}}],
	"/shown.warc": [{"cut": 300000}, {"cut": 100000, "slow": 0.02}, {"slow": 0.05}],
	"/same.warc": [{"stall": 700000}],
	"/other.warc": [{"stall": 700000}, {"etag": "\"new\""}, "repeat"],
	"/grown.warc": [{"stall": 700000}, {"total": 9}, "repeat"],
	"/later.warc": [{"status": 429, "fields": {"Retry-After": "3"}}, {"status": 503}],
	"/much-later.warc": [{"status": 503, "fields": {"Retry-After": "9999"}}, "repeat"],
	"/long-head.warc": [{"long": 200000}, "repeat"],
	"/mute.warc": [{"delay": 40}, "repeat"],
	"/trickle.warc": [{"trickle": 1}, "repeat"],
	"/slow-head.warc": [{"drip": 1}, "repeat"],
	"agent dead": [{"status": 503}, "repeat"],
	"/forbidden.warc": [{"status": 403}, "repeat"],
	"/forbidden-once.warc": [{"status": 403}],
	"/whole/one.warc.gz": [{"whole": 1}, "repeat"],
	"/unknown/one.warc.gz": [{"chunked": 1, "whole": 1}, "repeat"],
	"/lost/one.warc.gz": [{}, {}, {}, {}, {"status": 404}, "repeat"],
	"/renewed/one.warc.gz": [{}, {}, {}, {"etag": "\"new\""}, "repeat"],
	"/broken/one.warc.gz": [{}, {"cut": 1000}, {}, {}, {"cut": 300}, {"reset": 10}, {"status": 503}],
	"/gone.warc": [{"status": 410}, "repeat"],
	"/busy.warc": [{"status": 503}, "repeat"],
	"/slow-down.warc": [{"status": 200, "body": "<?xml version=\"1.0\"?><Error><Code>SlowDown</Code></Error>"},
		{"status": 503, "body": "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"}],
	"/page.warc": [{"status": 200, "body": "<html>An error</html>"}, {"status": 200, "body": "Wait", "fields": {"Content-Type": "text/html"}}],
	"/page.html": [{"status": 200, "body": "<!doctype html><p>A page", "fields": {"Content-Type": "text/html"}}, "repeat"],
	"/changed.warc": [{"cut": 100000}, {"etag": "\"new\""}, "repeat"],
	"/longer.warc": [{"cut": 100000}, {"total": 5}, "repeat"],
	"/stalled.warc": [{"stall": 100000}],
	"/moved.warc": [{"status": 301, "fields": {"Location": "/plain.warc"}}, "repeat"],
	"/to-file.warc": [{"status": 302, "fields": {"Location": "file:///etc/passwd"}}, "repeat"],
	"/to-ftp.warc": [{"status": 302, "fields": {"Location": "ftp://127.0.0.1/x"}}, "repeat"],
	"/around.warc": [{"status": 302, "fields": {"Location": "/loop"}}, "repeat"],
	"/junk.warc": [{"junk": 1}, "repeat"],
	"/labelled.warc.gz": [{"fields": {"Content-Encoding": "gzip"}}, "repeat"],
	"/again.warc.gz": [{"gzip": 1}],
	"/plain.warc?part=1&sig=old": [{"stall": 700000}],
	"/bucket/broken.warc": [{"cut": 100000}],
	"agent slowly": [{"slow": 0.02}, "repeat"]
	}
	END
}

setup_file() {
	need_fault_server
	cd "$BATS_FILE_TMPDIR"
	mkdir www
	for _ in 1 2 3 4 5 6; do
		cat "$DANA_SOURCE/tests/golden/many/in.warc.gz"
	done >plain.warc.gz
	gzip -dc plain.warc.gz >plain.warc
	for name in mixed chunked silent later forbidden forbidden-once busy slow-down page changed longer stalled plain shown same other grown too-long \
		first-chunked no-total early late less shrunk touched mute trickle slow-head long-head; do
		ln plain.warc "www/$name.warc"
	done
	for name in plain labelled again; do
		ln plain.warc.gz "www/$name.warc.gz"
	done
	: >www/empty.warc
	mkdir www/bucket
	ln plain.warc "www/bucket/a +b.warc"
	ln plain.warc www/bucket/broken.warc
	mkdir www/revisits
	python3 "$DANA_SOURCE/tests/support/make_revisits.py" www/revisits
	for name in whole unknown lost renewed broken; do
		mkdir "www/$name"
		ln www/revisits/one.warc.gz "www/$name"
	done
	write_plan >plan
	start_fault_server --hosts 4
}

teardown_file() {
	stop_fault_server
}

setup() {
	cd "$BATS_FILE_TMPDIR"
	base=http://127.0.0.1:$port
}

# fetched NAME...: the file from the server gives what the local one gives
fetched() {
	for name; do
		run_filter 0 -f warc -v --stats stats "$base/$name"
		"$DANA" filter -f warc -q "www/$name" | cmp - out || { cat err; return 1; }
	done
}

# requests PATH FIELD: a line for each request of the path
requests() {
	jq -r "select(.path == \"$1\") | $2" log
}

@test "a file of a server is read as a file" {
	fetched plain.warc plain.warc.gz empty.warc
	run_filter 0 "$base/plain.warc.gz?x=1"
	[ "$(head -1 out | jq -r .file)" = "$base/plain.warc.gz?x=***" ]
	[ "$("$DANA" filter www/plain.warc.gz | sed 's/"file":"[^"]*"//' | cksum)" = "$(sed 's/"file":"[^"]*"//' out | cksum)" ]
}

@test "the split of what arrives changes nothing" {
	for size in 1 4096; do
		DANA_TEST_READ_SIZE=$size fetched plain.warc.gz
	done
	for jobs in 0 1 3; do
		run_filter 0 -j "$jobs" -f warc "$base/plain.warc"
		"$DANA" filter -f warc -q www/plain.warc | cmp - out
	done
}

@test "workers read nothing of standard input where the input is a server's" {
	# two archives of the same lengths, and so of the same places of members
	python3 - <<-'END'
		import gzip
		def record(i, word):
		    page = b"<html><body><p>" + (word + b" ") * 1200 + b"</p></body></html>"
		    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
		    head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%04d>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n" % i
		    head += b"WARC-Target-URI: http://e.org/%04d\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n" % (i, len(block))
		    return gzip.compress(head + block + b"\r\n\r\n", 0, mtime=0)
		for name, word in ("www/apple", b"apple"), ("peach", b"peach"):
		    open(name + ".warc.gz", "wb").write(b"".join(record(i, word) for i in range(400)))
	END
	run_filter 0 -j 2 "$base/apple.warc.gz" <peach.warc.gz
	[ "$(jq -r .text out | grep -c apple)" -eq 400 ]
	! grep -q peach out
}

@test "all kinds of faults: nothing lost, nothing twice, one attempt a second" {
	fetched mixed.warc
	[ "$(requests /mixed.warc .time | wc -l)" -eq 18 ]
	# Between an attempt that failed and the next at least a second, by the server's clock: it hears of it later.
	requests /mixed.warc '"\(.time) \(.step | has("limit"))"' |
		awk 'NR > 1 && $1 - last < 0.95 && ok == "false" { exit 1 } { last = $1; ok = $2 }'
	# Each request begins at the byte after the last good one: what was sent twice is what the client did not take.
	requests /mixed.warc '.fields.range // "bytes=0-"' | awk -F'[=-]' '$2 < last { exit 1 } { last = $2 }'
	[ "$(jq .http_retries stats)" -eq 16 ]
	[ "$(jq .http_requests stats)" -gt "$(jq .http_retries stats)" ]
	[ "$(grep -c 'mixed.warc: byte [0-9]*: .*; trying again in [0-9.]* s' err)" -eq 16 ]
}

@test "a request that goes on names the version it wants" {
	etag=$(requests /mixed.warc '.fields["if-range"] // empty' | sort -u)
	[[ $etag == '"'*'"' ]]
	[ "$(requests /mixed.warc '.fields["accept-encoding"]' | sort -u)" = identity ]
}

@test "what a reply tells of length and version binds all later ones" {
	fetched first-chunked.warc no-total.warc
	[ "$(requests /no-total.warc .status | tr '\n' ' ')" = "200 206 206 " ]
	local rows=(
		early:'the body ended before its length was reached' late:'the body continues after byte [0-9]*, where it was to end'
		less:'status 200 without a length or a version to compare' shrunk:'changed: its length was [0-9]*, is 100000'
		touched:'Last-Modified was .*, is Mon, 05 Jan 2026' too-long:'changed: its length was [0-9]*, is [0-9]*'
	)
	for row in "${rows[@]}"; do
		rm -f bound.jsonl*
		run_filter 1 --retry-time 8 -o bound.jsonl "$base/${row%%:*}.warc"
		grep -q "^dana: $base/${row%%:*}.warc: .*${row#*:}.*; given up after [2-9] attempts$" err || { cat err; false; }
		[ -s bound.jsonl.part ] && [ ! -e bound.jsonl ]
	done
}

@test "progress shows the rate of the network and the retries" {
	python3 "$DANA_SOURCE/tests/cli/on_terminal.py" 200 0 "$DANA" filter --force -o out.jsonl "$base/shown.warc" >screen
	tr '\r' '\n' <screen | grep -Eq '[0-9.]+ MB/s net [0-9.]+ MB/s retries 2 '
	python3 "$DANA_SOURCE/tests/cli/on_terminal.py" 200 0 "$DANA" filter --force -o out.jsonl www/plain.warc >screen
	! grep -q 'net \|retries' screen
}

@test "an interrupted run goes on at its checkpoint, unless the file has changed" {
	local pid
	for name in same other grown; do
		rm -f "$name.jsonl"*
		"$DANA" filter -m plain --checkpoint-bytes 32K -o "$name.jsonl" "$base/$name.warc" 2>err &
		pid=$!
		wait_until "$pid" grep -qs '^point ' "$name.jsonl.state" # it has what the server gives
		kill -TERM "$pid"
		ends 143 "$pid"
	done
	run_filter 0 -m plain --checkpoint-bytes 32K --resume -o same.jsonl "$base/same.warc"
	cmp <(sed 's/"file":"[^"]*"//' same.jsonl) <("$DANA" filter -m plain www/plain.warc | sed 's/"file":"[^"]*"//')
	local from
	from=$(requests /same.warc '.fields.range // "bytes=0-"' | tail -1)
	[ "${from//[!0-9]/}" -ge 32768 ]
	for name in other:etag grown:size; do
		cp "${name%:*}.jsonl.part" left
		run_filter 3 -m plain --checkpoint-bytes 32K --resume -o "${name%:*}.jsonl" "$base/${name%:*}.warc"
		grep -q "${name%:*}.jsonl cannot be resumed: .*${name%:*}.warc: ${name#*:}" err
		cmp "${name%:*}.jsonl.part" left
	done
}

@test "429 and 503 are waited out, Retry-After is honoured" {
	fetched later.warc
	requests /later.warc .time | awk 'NR == 2 && $1 - last < 3 { exit 1 } { last = $1 } END { exit NR != 3 }'
	grep -q 'status 429 (too many requests); trying again in 3.0 s' err
}

@test "403 twice, 404 and 410 at once; the others go on" {
	run_filter 1 -f warc "$base/forbidden.warc" "$base/missing.warc" "$base/gone.warc" "$base/plain.warc"
	grep -q "^dana: $base/forbidden.warc: status 403 (forbidden); given up after 2 attempts$" err
	grep -q "^dana: $base/missing.warc: status 404 (not found)$" err
	grep -q "^dana: $base/gone.warc: status 410 (gone)$" err
	[ "$(requests /forbidden.warc .path | wc -l)" -eq 2 ]
	[ "$(requests /gone.warc .path | wc -l)" -eq 1 ]
	[ "$(grep -c '^WARC-Type: conversion' out)" -gt 100 ]
	fetched forbidden-once.warc
}

@test "an input is given up when its time for faults is over" {
	run_filter 1 --retry-time 3 --stats stats "$base/busy.warc"
	grep -q "^dana: $base/busy.warc: status 503 (unavailable); given up after [3-5] attempts$" err
	[ "$(jq .http_retries stats)" -ge 2 ]
	run_filter 1 --retry-time 0 "$base/busy.warc"
	[ "$(wc -l <err)" -eq 1 ]
}

@test "a server that brings less than 100 bytes a second is given up when --retry-time is over" {
	for name in mute trickle slow-head; do
		SECONDS=0
		run_filter 1 --retry-time 3 "$base/$name.warc"
		[ "$SECONDS" -lt 15 ]
		grep -q "^dana: $base/$name.warc: no answer in time: less than 100 bytes a second in [0-9]* s" err
	done
}

@test "of a host that does not recover inputs are given up, each told, without asking for all" {
	rm -rf dead
	seq -f 'dead-%.0f.warc' 200 >list
	run_filter 1 --retry-time 2 -O dead --user-agent dead --list list --base "$base/"
	[ "$(grep -c "^dana: $base/dead-[0-9]*.warc: " err)" -ge 200 ]
	[ "$(grep -c 'dead-[0-9]*.warc: not requested: 3 inputs of its host failed, one after the other$' err)" -gt 190 ]
	[ "$(jq -r 'select(.fields["user-agent"] == "dead") | .path' log | wc -l)" -lt 15 ]
	[ -z "$(ls dead)" ]
	# Once it is back, the next attempt finds it so.
	run_filter 0 "$base/plain.warc"
}

@test "what ends an input is told: a wait that is too long, a line of the head that is too long" {
	run_filter 1 --retry-time 5 "$base/much-later.warc"
	grep -q 'status 503 (unavailable); the server asks for a wait of 9999 s, and --retry-time leaves [45].[09] s$' err
	[ "$(requests /much-later.warc .path | wc -l)" -eq 1 ]
	filter_reports 1 "a line of the reply's header is too long" "$base/long-head.warc"
	[ "$(requests /long-head.warc .path | wc -l)" -eq 1 ]
}

@test "a file that changes on the server is an error, and what was read stays a .part" {
	rm -f changed.jsonl*
	run_filter 1 -o changed.jsonl "$base/changed.warc"
	grep -q 'changed.warc: the file on the server has changed: ETag was .* is "new"; given up after 3 attempts' err
	[ -s changed.jsonl.part ] && [ ! -e changed.jsonl ]
	filter_reports 1 'the file on the server has changed: its length was' "$base/longer.warc"
}

@test "error pages, replies without lengths and versions, and the file's own compression as a coding are got over" {
	fetched slow-down.warc
	grep -q 'status 200 with an error in place of the file (SlowDown); trying again' err
	grep -q 'status 503 (unavailable): SlowDown: Please reduce your request rate.; trying again' err
	fetched page.warc
	grep -q 'a page (HTML or XML)' err
	grep -q 'a body of type text/html' err
	fetched chunked.warc silent.warc
	[ "$(requests /silent.warc '.fields["if-range"] // "none"' | tail -1)" = none ]
	fetched labelled.warc.gz
	[ "$(jq .http_requests stats)" -eq 1 ]
	fetched again.warc.gz
	[ "$(jq .http_retries stats)" -eq 1 ]
}

@test "a page that is given by its URL is asked for once, and told with the command for it" {
	filter_reports 1 "dana: $base/page.html: a page, not an archive: dana extract URL fetches it and finds its main text" "$base/page.html"
	[ "$(requests /page.html .path | wc -l)" -eq 1 ]
}

@test "a stalled transfer is noticed within 30 seconds" {
	fetched stalled.warc
	requests /stalled.warc '.end - .time' | head -1 | awk '{ exit $1 < 5 || $1 > 30 }'
	grep -q 'stalled.warc: byte 100000: no answer in time' err
}

@test "redirects: followed, but not without an end, nor out of HTTP" {
	run_filter 0 -f warc "$base/moved.warc"
	[ "$(grep -c '^WARC-Type: conversion' out)" -gt 100 ]
	run_filter 1 "$base/around.warc" "$base/to-file.warc" "$base/to-ftp.warc"
	grep -q 'around.warc: redirects without an end; given up after 2 attempts' err
	grep -q 'to-file.warc: a redirect to what is not allowed' err
	grep -q 'to-ftp.warc: a redirect to what is not allowed' err
	[ ! -s out ]
}

@test "a body that is no HTTP, a host that does not exist, a port where nobody listens" {
	filter_reports 1 'junk.warc: .*HTTP/0.9' --retry-time 2 "$base/junk.warc"
	filter_reports 1 '^dana: http://127.0.0.1:1/x.warc: .*onnect.*; given up after' --retry-time 1 http://127.0.0.1:1/x.warc
	run_filter 1 'http://[/x.warc'
	[ "$(wc -l <err)" -eq 1 ]
}

@test "user, password and values of the query reach the server and nothing else" {
	rm -f secret.jsonl*
	local path='/plain.warc;jsessionid=hidden1?mine=hidden2&hidden3#hidden4'
	ln -f www/plain.warc "www/plain.warc;jsessionid=hidden1"
	run_filter 0 -v --rejects --stats secret.stats -o secret.jsonl "http://me:hidden@127.0.0.1:$port$path"
	[ "$(requests "${path%#*}" .fields.authorization)" = "Basic $(printf me:hidden | base64)" ]
	[ "$(head -1 secret.jsonl | jq -r .file)" = "$base/plain.warc;jsessionid=***?mine=***&***#***" ]
	run_filter 0 -v -o secret.warc "$base$path"
	! grep -q hidden secret.* err
	run_filter 1 -v --retry-time 0 "http://me:hidden@127.0.0.1:$port/missing.warc?a=hidden"
	! grep -q hidden err
	run_filter 1 --list "http://me:hidden@127.0.0.1:$port/missing?a=hidden"
	! grep -q hidden err
	run_filter 0 --print-config --proxy http://me:hidden@h --list 'http://me:hidden@h/l?a=hidden' --base 'http://h/?a=hidden'
	! grep -q hidden out
	grep -qx 'list = http://h/l?a=\*\*\*' out
	run_filter 0 --print-config --cdx 'http://me:hidden@h/x?a=hidden'
	! grep -q hidden out
}

@test "a run goes on with an address that was signed anew, and not with another one" {
	"$DANA" filter -m plain --checkpoint-bytes 32K -o signed.jsonl "$base/plain.warc?part=1&sig=old" 2>/dev/null 3>&- &
	local pid=$!
	wait_until "$pid" grep -qs '^point ' signed.jsonl.state
	! grep -q 'sig=' signed.jsonl.state
	kill -TERM "$pid"
	ends 143 "$pid"
	run_filter 3 -m plain --resume -o signed.jsonl "$base/plain.warc?part=2&sig=old"
	grep -q 'the inputs, their order, or the records of --cdx differ from the earlier run' err
	run_filter 0 -m plain --resume -o signed.jsonl "$base/plain.warc?part=1&sig=new"
	cmp <(sed 's/"file":"[^"]*"//' signed.jsonl) <("$DANA" filter -m plain www/plain.warc | sed 's/"file":"[^"]*"//')
}

@test "what the server is told" {
	run_filter 0 --user-agent 'my-crawl/1 (me@example.org)' "$base/plain.warc?a"
	[ "$(requests '/plain.warc?a' '.fields["user-agent"]')" = 'my-crawl/1 (me@example.org)' ]
	run_filter 0 "$base/plain.warc?b"
	[[ $(requests '/plain.warc?b' '.fields["user-agent"]') == dana/[0-9]* ]]
	[ "$(requests '/plain.warc?b' '.fields.cookie // "none"')" = none ]
	run_filter 3 --user-agent $'a\r\nX-Evil: 1' "$base/plain.warc"
}

@test "no proxy and no .netrc unless asked" {
	echo 'machine 127.0.0.1 login a password b' >.netrc
	http_proxy=http://127.0.0.1:1 HOME=$PWD run_filter 0 "$base/plain.warc?c"
	[ "$(requests '/plain.warc?c' '.fields.authorization // "none"')" = none ]
	http_proxy=http://127.0.0.1:1 run_filter 1 --proxy env --retry-time 0 "$base/plain.warc"
	# The fault server takes the path of what a proxy is asked for as it is.
	no_proxy='*' run_filter 1 --proxy "$base" --retry-time 0 http://example.invalid/x.warc
	[ "$(requests http://example.invalid/x.warc .path | wc -l)" -eq 1 ]
	for proxy in 'no address' ftp://127.0.0.1:1 "http://user:secret@127.0.0.1:99999"; do
		run_filter 3 --proxy "$proxy" "$base/plain.warc"
		[ "$(cat err)" = "dana filter: --proxy: this is not the URL of a proxy; expected http://HOST:PORT or env" ]
	done
}

@test "a list with a base, one connection to a host, outputs by the last part of the address" {
	printf '%s\n' plain.warc.gz "$PWD/www/stalled.warc" '' "http://127.0.0.2:$port/empty.warc" | gzip >list.gz
	rm -rf lists
	run_filter 0 -O lists -J 3 --list list.gz --base "$base/"
	[ "$(ls lists)" = "$(printf '%s\n' empty.jsonl.zst plain.jsonl.zst stalled.jsonl.zst)" ]
	run_filter 3 --base "$base/" "$base/plain.warc"
	run_filter 0 --list <(echo plain.warc.gz) --base "$base"
	[ "$(head -1 out | jq -r .file)" = "$base/plain.warc.gz" ]
}

@test "inputs at once share the connections to a host" {
	rm -rf shared
	for i in 1 2 3 4 5 6 7 8; do
		cp www/plain.warc.gz "www/one-$i.warc.gz"
		echo "one-$i.warc.gz"
	done >list
	for connections in 1 3; do
		run_filter 0 --force -O shared -J 4 --connections "$connections" --user-agent slowly --list list --base "$base/"
		[ "$(ls shared | wc -l)" -eq 8 ]
	done
	# No two replies of one host at the same time in the first of the two runs. The server's clocks of coming and going differ
	# by some milliseconds; a reply takes most of a second.
	jq -r 'select(.path | startswith("/one-")) | "\(.time) \(.end)"' log | head -8 | sort -n |
		awk 'NR > 1 && $1 < end - 0.05 { exit 1 } $2 < $1 + 0.3 { exit 1 } { end = $2 }'
}

@test "an object store is asked with a signature, and without a key unsigned" {
	export AWS_ENDPOINT_URL=$base AWS_REGION=eu-central-1
	unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
	local path='/bucket/a%20%2Bb.warc'
	run_filter 0 's3://bucket/a +b.warc'
	[ "$(head -1 out | jq -r .file)" = 's3://bucket/a +b.warc' ]
	[ "$(requests "$path" '.fields.authorization // "none"')" = none ]
	AWS_ACCESS_KEY_ID=id AWS_SECRET_ACCESS_KEY='se/cr+et' run_filter 0 's3://bucket/a +b.warc'
	AWS_ACCESS_KEY_ID=id AWS_SECRET_ACCESS_KEY='se/cr+et' AWS_SESSION_TOKEN=$(printf '%0900d=' 7) run_filter 0 's3://bucket/a +b.warc'
	[ "$(requests "$path" '.fields["x-amz-security-token"] // empty' | wc -c)" -eq 902 ]
	jq -c "select(.path == \"$path\" and .fields.authorization)" log | python3 "$DANA_SOURCE/tests/oracle/sigv4.py" 'se/cr+et'
	filter_reports 1 'a URL of S3 is s3://BUCKET/KEY' s3://bucket
}

@test "an address in which browsers and libcurl find different hosts is refused" {
	run_filter 1 "http://127.0.0.1:$port\\:hidden@127.0.0.1:$port/plain.warc"
	grep -qF "http://127.0.0.1:$port\\x5c***: the URL has '\\' in front of its path" err
	! grep -q hidden err
}

@test "a signed request that breaks is signed anew for its rest" {
	export AWS_ENDPOINT_URL=$base AWS_ACCESS_KEY_ID=id AWS_SECRET_ACCESS_KEY=secret2
	run_filter 0 s3://bucket/broken.warc
	cmp <(sed 's/"file":"[^"]*"//' out) <("$DANA" filter www/plain.warc | sed 's/"file":"[^"]*"//')
	[ "$(requests /bucket/broken.warc .fields.range | tail -1)" = bytes=100000- ]
	jq -c 'select(.path == "/bucket/broken.warc")' log | python3 "$DANA_SOURCE/tests/oracle/sigv4.py" secret2
}

# resolved STATUS FOLDER OPTION...: with these options one.warc.gz and two.warc.gz of the server give what the files give
resolved() {
	local status=$1 folder=$2
	shift 2
	[ -e from_files ] || run_filter 2 -q --revisits resolve --rejects --force -o from_files www/revisits/one.warc.gz www/revisits/two.warc.gz
	run_filter "$status" --revisits resolve --rejects --force -o from_server "$@" \
		"$base/$folder/one.warc.gz" "$base/revisits/two.warc.gz"
	for name in from_files from_files.rejects.jsonl; do
		sed "s,\"www/revisits/,\"$base/revisits/,g" "$name" | cmp - <(sed "s,/$folder/,/revisits/,g" "from_server${name#from_files}")
	done
}

@test "revisits are resolved from a server as from files, on one connection more" {
	for jobs in 0 1 3; do
		resolved 2 revisits -j "$jobs"
		[ "$(jq -c 'select(.resolved_from != null)' from_server | wc -l)" -gt 8 ]
	done
	DANA_TEST_READ_SIZE=100 resolved 2 revisits -j 2
	resolved 2 broken
	run_filter 2 -q -J 2 --connections 2 --revisits resolve -z none --force -O several "$base/revisits/one.warc.gz" "$base/revisits/two.warc.gz"
	cat several/one.jsonl several/two.jsonl | cmp - <(sed "s,\"www/revisits/,\"$base/revisits/,g" from_files)
	python3 "$DANA_SOURCE/tests/support/make_wacz.py" www/revisits/stored.wacz \
		archive/one.warc.gz=www/revisits/one.warc.gz archive/two.warc.gz=www/revisits/two.warc.gz
	run_filter 2 -q --revisits resolve "$base/revisits/stored.wacz"
	[ "$(jq -c 'select(.resolved_from != null) | [.url, .text, .resolved_from.offset]' out)" = \
		"$(jq -c 'select(.resolved_from != null) | [.url, .text, .resolved_from.offset]' from_files)" ]
	: >www/revisits/empty.warc
	run_filter 0 -q --revisits resolve "$base/revisits/empty.warc"
}

@test "revisits whose records a server does not give again are counted, and reported" {
	for name in whole unknown; do
		filter_reports 0 "--revisits resolve: $base/$name/one.warc.gz: its server does not send ranges of a file whose length it gives, so" \
			--revisits resolve --stats stats --force -o out.jsonl "$base/$name/one.warc.gz"
		! grep -q '"resolved_from":{' out.jsonl
		[ "$(jq .skipped.revisit stats)" -eq "$(zgrep -ac '^WARC-Type: revisit' www/revisits/one.warc.gz)" ]
		[ "$(requests "/$name/one.warc.gz" .number | wc -l)" -eq 2 ] # it is not fetched for the table
	done
	for name in lost renewed; do
		filter_reports 1 "--revisits resolve: $base/$name/one.warc.gz: .*, so revisits of its records are only counted" \
			--revisits resolve -j 0 --rejects --force --retry-time 2 -o out.jsonl "$base/$name/one.warc.gz"
		[ "$(grep -c 'only counted' err)" -eq 1 ]
		grep -q 'the archive of the record that it refers to cannot be read again' out.jsonl.rejects.jsonl
	done
	[ "$(jq -c 'select(.resolved_from == null)' out.jsonl | wc -l)" -eq 6 ]
	python3 "$DANA_SOURCE/tests/support/make_cdx.py" cdxj "$base/revisits/one.warc.gz=www/revisits/one.warc.gz" >index.cdxj
	prints 3 "*--revisits resolve: the archives that --cdx names are on a server and would be fetched whole; *" \
		"$DANA" filter --revisits resolve --cdx index.cdxj
}
