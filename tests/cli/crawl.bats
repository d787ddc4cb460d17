# SPDX-License-Identifier: MIT
# dana beside crawlers: the real program crawls a site on loopback, and each page must become the document that dana
# extract makes of it.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	SUPPORT=$DANA_SOURCE/tests/support
	. "$SUPPORT/skip_host.bash"
	export PLUGIN=${DANA%/src/cli/dana}/plugins/wget2/.libs/libdana.so
	export no_proxy=127.0.0.1 HOME=$PWD
	ulimit -c 0
}

# site PAGES [SECONDS]: begins the site; `expected.jsonl` gets what dana extract makes of its pages.
site() {
	mkfifo site.in
	python3 "$SUPPORT/crawl_site.py" . "$@" <site.in >site.log 2>&1 3>&- &
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
	[ -z "$SITE_PID" ] || exec 8>&-
	[ -z "$SITE_PID" ] || wait $SITE_PID
}

need() {
	command -v "$1" >/dev/null || skip_host "$1 is not installed"
}

crawl() {
	wget --no-config -q -r -l inf -e robots=off --compression=gzip -P mirror "$@" "$URL" 8>&- || [ $? -eq 8 ] # some pages are errors
}

@test "wget --warc-file into a named pipe that dana filter reads" {
	need wget
	site 120
	mkfifo crawl.warc
	"$DANA" filter -o docs.jsonl crawl.warc 2>err 3>&- 8>&- &
	local filter=$!
	crawl --warc-file=crawl --no-warc-compression
	wait $filter
	python3 "$SUPPORT/crawl_compare.py" expected.jsonl docs.jsonl
}

@test "wget --warc-file that tail follows into dana filter -" {
	need wget
	site 120
	: >crawl.warc
	# Not compressed: wget writes the head of a gzip member after its data, when tail has passed it.
	crawl --warc-file=crawl --no-warc-compression 3>&- &
	local wget=$!
	tail -q -c +1 -f -s 0.2 --pid=$wget crawl.warc 2>tail.err | "$DANA" filter - >docs.jsonl 2>err
	python3 "$SUPPORT/crawl_compare.py" expected.jsonl docs.jsonl
}

@test "wget --warc-max-size into a folder that dana filter --watch has" {
	need wget
	site 120
	mkdir warcs
	"$DANA" filter --watch warcs -O text -z none 2>err 3>&- 8>&- &
	local filter=$! output
	crawl --warc-file=warcs/crawl --warc-max-size=100K --no-warc-cdx
	[ "$(ls warcs | wc -l)" -gt 2 ]
	for name in warcs/*; do
		output="text/$(basename "$name" .warc.gz).jsonl"
		for ((i = 0; i < 600; i++)); do
			[ ! -e "$output" ] || break
			sleep 0.1
		done
	done
	kill -TERM $filter
	ends 143 $filter
	cat text/*.jsonl >docs.jsonl
	python3 "$SUPPORT/crawl_compare.py" expected.jsonl docs.jsonl
}

@test "Scrapy keeps one child for a crawl" {
	local python code=77
	site 120
	for python in python3 /usr/bin/python3; do
		code=0
		"$python" "$DANA_SOURCE/tests/cli/scrapy_site.py" "$DANA_SOURCE/examples" "$URL" "$DANA" docs.jsonl 3>&- 8>&- || code=$?
		[ "$code" -eq 77 ] || break
	done
	[ "$code" -ne 77 ] || skip_host "Scrapy is not installed"
	[ "$code" -eq 0 ]
	python3 "$SUPPORT/crawl_compare.py" expected.jsonl docs.jsonl
}

# The pages of the site as files, and `calls`: lines of number, content type, URL.
pages_as_files() {
	python3 - <<-'END'
		import base64, json
		with open("calls", "w") as calls:
		    for number, line in enumerate(open("pages")):
		        page = json.loads(line)
		        with open("%d.html" % number, "wb") as f:
		            f.write(base64.b64decode(page["html_base64"]))
		        charset = "; charset=" + page["charset"] if "charset" in page else ""
		        calls.write("%d|text/html%s|%s\n" % (number, charset, page["url"]))
	END
}

@test "each page by a program of its own, as Nutch and Norconex call it, has the same text" {
	site 64
	pages_as_files
	while IFS='|' read -r number type url; do
		# parse-ext of Nutch: the command, then the content type as one argument; the page on standard input.
		"$DANA" extract --content-type "$type" <"$number.html" >"$number.nutch"
		# ExternalTransformer of Norconex: names of two files, of which the second is there.
		: >"$number.norconex"
		"$DANA" extract --force -f text -o "$number.norconex" --url "$url" "$number.html"
		jq -r --arg url "$url" 'select(.url == $url) | .text | select(. != "")' expected.jsonl >text
		cmp text "$number.nutch"
		[[ $type == *charset* ]] || cmp text "$number.norconex"
	done <calls
}

@test "GNU parallel as HPLT runs it: the lines of extract --jsonl, in their order, and a log without failures" {
	need parallel
	parallel --version 2>version.err | grep -q 'GNU parallel' || skip_host "parallel is not that of GNU"
	site 300
	parallel --will-cite --halt now,fail=1 --block 200k --pipe --keep-order --joblog log -j 2 "$DANA" extract --jsonl -j 0 <pages >out
	cmp out expected.jsonl
	[ "$(wc -l <log)" -ge 4 ]
	[ "$(awk 'NR > 1 && $7 != 0' log | wc -l)" -eq 0 ]
}

need_plugin() {
	need wget2
	[ -e "$PLUGIN" ] || skip_host "the plugin of wget2 is not built"
	# A plugin that was built with sanitizers needs their library in wget2 from the start. With it wget2 never ends: a library of its
	# own frees a locale at the exit, and waits for a lock that nobody has. What wget2 itself leaks is not looked for.
	SANITIZERS=$(ldd "$PLUGIN" | sed -n 's/.*=> \(.*\/lib[at]san[^ ]*\) .*/\1/p')
	if [ -n "$SANITIZERS" ]; then
		echo 'void freelocale(void *locale) { (void)locale; }' | "${CC:-gcc}" -shared -fPIC -o locale.so -x c -
		SANITIZERS="$SANITIZERS $PWD/locale.so"
	elif nm -D "$PLUGIN" | grep -q '__asan_init\|__tsan_init\|__ubsan'; then
		skip "the library of the sanitizers is not shared"
	fi
	export SANITIZERS
}

# with_plugin NAME[=VALUE]... -- ARGUMENTS...
with_plugin() {
	local options=()
	while [ "$1" != -- ]; do
		options+=("--plugin-opt=dana.$1")
		shift
	done
	shift
	[ -z "$SANITIZERS" ] || export LD_PRELOAD=$SANITIZERS ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0
	exec wget2 --no-config --local-plugin="$PLUGIN" --plugin-opt=dana.program="$DANA" "${options[@]}" "$@" 3>&- 8>&-
}

crawl2() {
	(with_plugin "$@" -- -q -r -l inf --no-robots -P mirror "$URL") || [ $? -eq 8 ] # some pages are errors
}

# wait_for FILE [LINES]: waits for a file that a process writes which is not a child of ours, and for its lines, 1 without
# LINES.
wait_for() {
	for ((i = 0; i < 600; i++)); do
		[ -s "$1" ] && [ "$(wc -l <"$1")" -ge "${2:-1}" ] && return
		sleep 0.1
	done
	return 1
}

@test "wget2: each page of a crawl by several threads becomes a document" {
	need_plugin
	site 500
	crawl2 output=docs.jsonl stats=stats.json
	python3 "$SUPPORT/crawl_compare.py" expected.jsonl docs.jsonl
	[ ! -e docs.jsonl.part ]
	[ "$(jq .damaged stats.json)" = '{}' ]
	# Errors and redirections are no files; style, script, data and picture are no pages.
	jq -e '.skipped.mime == 4 and .documents >= 501' stats.json
	[ "$(jq -r '.http_status' docs.jsonl | sort -u)" = 200 ]
}

@test "wget2: options are those of dana filter" {
	need_plugin
	site 40
	crawl2 output=docs.warc.gz method=plain min-chars=2000 warc-version=1.0
	gzip -t docs.warc.gz
	gzip -dc docs.warc.gz | grep -aq '^WARC/1.0'
	"$DANA" extract --jsonl -m plain pages | jq -r 'select(.text_chars >= 2000) | .url' | sort >expected
	gzip -dc docs.warc.gz | tr -d '\r' | sed -n 's/^WARC-Target-URI: //p' | grep -v "^$URL\$" | sort >urls
	python3 - <<-'END'
		import urllib.parse
		read = lambda name: [urllib.parse.unquote(line.strip()) for line in open(name)]
		assert sorted(read("expected")) == sorted(read("urls"))
	END
}

@test "wget2: Markdown and how it is written are options of the child as well" {
	need_plugin
	site 40
	crawl2 output=docs.jsonl warc=crawl.warc text=plain,markdown,blocks markdown=links=0,heading=chosen
	python3 "$SUPPORT/crawl_compare.py" expected.jsonl docs.jsonl
	jq -e '(.markdown | length > 0) and (.blocks | length > 0)' docs.jsonl >/dev/null
	"$DANA" filter -q -o again.jsonl --text plain,markdown,blocks --markdown links=0,heading=chosen crawl.warc
	[ "$(jq -c '[.markdown, .blocks]' docs.jsonl | sort)" = "$(jq -c '[.markdown, .blocks]' again.jsonl | sort)" ]
	"$DANA" filter -q -o links.jsonl --text plain,markdown crawl.warc
	[ "$(jq .markdown docs.jsonl | grep -c '](http')" -eq 0 ]
	[ "$(jq .markdown links.jsonl | grep -c '](http')" -gt 0 ]
	run bash -c "$(declare -f with_plugin); with_plugin output=x.jsonl text=markup -- -r --no-robots -P mirror $URL 2>&1 </dev/null"
	[[ $output == *"dana filter: --text"* ]]
}

@test "wget2: the archive of a crawl gives the same documents" {
	need_plugin
	site 120
	crawl2 warc=crawl.warc.gz output=docs.jsonl
	gzip -t crawl.warc.gz
	"$DANA" filter -o again.jsonl crawl.warc.gz 2>err
	[ ! -s err ]
	python3 "$SUPPORT/crawl_compare.py" expected.jsonl again.jsonl
	[ "$(jq -r .id docs.jsonl | sort)" = "$(jq -r .id again.jsonl | sort)" ]
	gzip -dc crawl.warc.gz | tr -d '\r' >crawl.txt
	# The request belongs to its response, and the head tells what the server said and what is there.
	[ "$(grep -ac '^WARC-Type: request' crawl.txt)" -eq "$(grep -ac '^WARC-Type: response' crawl.txt)" ]
	grep -aq '^GET /p/with%20space%201.html HTTP/1.1' crawl.txt
	grep -aq '^X-Crawler-Content-Encoding: gzip' crawl.txt
	grep -aq '^X-Crawler-Transfer-Encoding: chunked' crawl.txt
	! grep -aq '^Content-Encoding:\|^Transfer-Encoding:' crawl.txt
	crawl2 warc=other.warc.zst
	zstd -q -t other.warc.zst
	"$DANA" filter -o other.jsonl other.warc.zst
	python3 "$SUPPORT/crawl_compare.py" expected.jsonl other.jsonl
}

@test "wget2: a body beyond max-block is cut, and says so" {
	need_plugin
	site 40
	crawl2 output=docs.jsonl warc=crawl.warc max-block=4K
	# A page whose name ends in .gz is kept in its coding, so its first 4096 bytes are more of a page.
	[ "$(jq -r 'select(.html_bytes > 4096) | .url' docs.jsonl | grep -cv 'gz$')" -eq 0 ]
	jq -e 'select(.html_bytes == 4096) | .truncated and (.problems | index("truncated_source"))' docs.jsonl
	"$DANA" filter -q -o again.jsonl crawl.warc
	[ "$(jq -c .text docs.jsonl | sort)" = "$(jq -c .text again.jsonl | sort)" ]
}

@test "wget2: however a signal ends it, the pages until then are there" {
	need_plugin
	site 200 0.02
	for signal in INT TERM KILL; do
		rm -rf mirror docs.* crawl.*
		(with_plugin output=docs.jsonl warc=crawl.warc.gz -- -q -r -l inf --no-robots -P mirror "$URL") 2>err &
		local crawler=$! status=0
		wait_for docs.jsonl.part 6 # the index, and the five that are asked for below
		kill -$signal $crawler
		wait $crawler || status=$?
		[ "$signal" = INT ] || [ "$status" -gt 128 ]
		wait_for docs.jsonl
		python3 "$SUPPORT/crawl_compare.py" expected.jsonl docs.jsonl 5
		local archive=crawl.warc.gz
		[ "$signal" = INT ] || archive=crawl.warc.gz.part
		"$DANA" filter -q -o again.jsonl --force $archive
		python3 "$SUPPORT/crawl_compare.py" expected.jsonl again.jsonl 5
	done
}

@test "wget2: what is wrong with the options is said before anything is downloaded" {
	need_plugin
	: >exists.jsonl
	while IFS='|' read -r options message; do
		prints 2 "*$message*" bash -c "$(declare -f with_plugin); with_plugin $options -- -q -O page http://127.0.0.1:1/ 2>&1 </dev/null"
		[ ! -e page ]
	done <<-'END'
		verbose|dana: nothing to do: give --plugin-opt=dana.output=FILE or --plugin-opt=dana.warc=FILE
		output=exists.jsonl|dana: exists.jsonl exists; --force overwrites it
		warc=exists.jsonl|dana: exists.jsonl exists; --force overwrites it
		warc=/no/such/crawl.warc|dana: /no/such/crawl.warc
		warc=a output=a|dana: dana.warc and dana.output are both a; give two files
		output=a program=/no/such|dana: /no/such: No such file or directory; --plugin-opt=dana.program=FILE names the program dana
		output|dana: dana.output: expected a value
		output=a max-block=many|dana: dana.max-block: expected a number of bytes such as 32M
	END
	run bash -c "$(declare -f with_plugin); with_plugin -- --plugin-help"
	[[ $output == *--plugin-opt=dana.output=FILE* ]]
}

@test "wget2: a filter that ends at once ends the crawl" {
	need_plugin
	site 100 0.2
	run bash -c "$(declare -f with_plugin); with_plugin output=docs.jsonl method=nosuch -- -r --no-robots -P mirror $URL 2>&1 </dev/null"
	[[ $output == *"dana filter: --method: 'nosuch' is unknown"* ]]
	[[ $output == *"dana: dana filter has ended; the download stops"* ]]
	[[ $output == *"dana: dana filter has ended with exit status 3"* ]]
	# What wget2 had in its queue by then is still downloaded, but nothing that is found later.
	[[ $output == *" 0 redirects"* ]]
}

@test "wget2: the plugin takes the names of both versions of the interface" {
	[ -e "$PLUGIN" ] || skip_host "the plugin of wget2 is not built"
	sed '/HAVE_WGET_PLUGIN_REGISTER_ARGP/d' "${DANA%/src/cli/dana}/config.h" >config.h
	for source in "$DANA_SOURCE"/plugins/wget2/*.c; do
		${CC:-gcc} -std=c17 -Wall -Wextra -Werror -fsyntax-only -DDANA_PROGRAM='"dana"' \
			-I. -I"$SUPPORT/libwget2" -I"$DANA_SOURCE" -I"$DANA_SOURCE/src" "$source"
	done
}
