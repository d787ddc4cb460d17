# SPDX-License-Identifier: MIT
# dana beside crawlers: the real program crawls a site on loopback, and each page must become the document that dana
# extract makes of it.

setup() {
	cd "$BATS_TEST_TMPDIR"
	"$DANA" --version | grep -q 'jansson *not built in' && skip "jansson is not built in"
	SUPPORT=$DANA_SOURCE/tests/support
	export no_proxy=127.0.0.1
	mkfifo site.in
	python3 "$SUPPORT/crawl_site.py" . 120 <site.in >site.log 2>&1 3>&- &
	SITE_PID=$!
	exec 8>site.in
	for ((i = 0; i < 600; i++)); do
		[ -e port ] && break
		kill -0 $SITE_PID || break
		sleep 0.1
	done
	URL=http://127.0.0.1:$(cat port)/
	"$DANA" extract --jsonl pages >expected.jsonl
}

teardown() {
	exec 8>&-
	[ -z "$SITE_PID" ] || wait $SITE_PID
}

need() {
	command -v "$1" >/dev/null || skip "$1 is not installed"
}

crawl() {
	wget --no-config -q -r -l inf -e robots=off --compression=gzip -P mirror "$@" "$URL" 8>&- || [ $? -eq 8 ] # some pages are errors
}

@test "wget --warc-file into a named pipe that dana filter reads" {
	need wget
	mkfifo crawl.warc
	"$DANA" filter -o docs.jsonl crawl.warc 2>err 3>&- 8>&- &
	local filter=$!
	crawl --warc-file=crawl --no-warc-compression
	wait $filter
	python3 "$SUPPORT/crawl_compare.py" expected.jsonl docs.jsonl
}

@test "wget --warc-file that tail follows into dana filter -" {
	need wget
	: >crawl.warc
	# Not compressed: wget writes the head of a gzip member after its data, when tail has passed it.
	crawl --warc-file=crawl --no-warc-compression 3>&- &
	local wget=$!
	tail -q -c +1 -f -s 0.2 --pid=$wget crawl.warc 2>tail.err | "$DANA" filter - >docs.jsonl 2>err
	python3 "$SUPPORT/crawl_compare.py" expected.jsonl docs.jsonl
}
