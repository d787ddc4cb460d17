# SPDX-License-Identifier: MIT
# CSV, TSV and --fields, of dana filter and dana extract. Tables are read back by three readers: Python's csv, sqlite3 and 15 lines of awk.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	{
		response 1 'http://h.example/a,b' '<title>One, "two"</title><p>A line with a comma, and "quotes".<p>A second line.'
		response 2 http://h.example/b $'<p>No title.<pre>a\tb\n  c</pre>'
		response 3 'http://h.example/\xff' '<title> </title><meta name=author content="Ann &quot;B&quot;, \ C"><p>журнал 中文'
		response 4 http://h.example/d '<p>x' | sed 's/2024-05-01T10:00:00Z/no date at all ....../'
	} >in.warc
}

# As JSON, an array of arrays of texts: read_python SEPARATOR, read_sqlite SEPARATOR, read_awk SEPARATOR <TABLE
read_python() {
	python3 -c 'import csv, json, sys
sys.stdin.reconfigure(newline="", encoding="utf-8", errors="strict")
print(json.dumps(list(csv.reader(sys.stdin, delimiter=sys.argv[1], strict=True)), ensure_ascii=False))' "$1"
}

read_sqlite() {
	command -v sqlite3 >/dev/null || skip "sqlite3 is missing"
	cat >table.txt
	printf '.mode csv\n.separator "%s" "\\n"\n.import table.txt t\n.headers on\n.mode json\nselect * from t;\n' "$1" | sqlite3 :memory: | sqlite_rows
}

# The same from an array of objects; the header is the keys of the first.
sqlite_rows() {
	jq -c '[(.[0] | keys_unsorted)] + [.[] | [.[]]]'
}

read_awk() {
	awk -v separator="$1" 'BEGIN { RS = "\003" } {
		text = $0; n = length(text); quoted = 0
		for (i = 1; i <= n; i++) {
			c = substr(text, i, 1)
			if (quoted && c == "\"" && substr(text, i + 1, 1) == "\"") { printf "%s", c; i++ }
			else if (c == "\"") quoted = !quoted
			else if (!quoted && c == separator) printf "\037"
			else if (!quoted && c == "\n") printf "\037\036"
			else if (quoted || c != "\r") printf "%s", c
		}
	}' | jq -Rsc 'split("\u001e")[:-1] | map(split("\u001f")[:-1])'
}

# The rows that JSON lines with the same fields should be.
rows_of_json() {
	jq -sc '[(.[0] | keys_unsorted)] + [.[] | [.[] | if . == null then "" elif type == "string" then . else tojson end]]'
}

fields=url,id,title,author,text,text_chars,truncated,problems,metadata,http_status,length,metadata.title_from

@test "three readers find in CSV and TSV what JSON has" {
	"$DANA" filter --plugin metadata --fields "$fields" -o a.jsonl in.warc
	[ "$(jq -c 'keys_unsorted' a.jsonl | sort -u)" = "$(jq -Rc 'split(",")' <<<"$fields")" ]
	rows_of_json <a.jsonl >wanted
	[ "$(jq length wanted)" -eq 5 ]
	"$DANA" filter --plugin metadata --fields "$fields" -o a.csv in.warc
	"$DANA" filter --plugin metadata --fields "$fields" -o a.tsv.gz in.warc
	gzip -dc a.tsv.gz >a.tsv
	local kind separator reader
	for kind in csv tsv; do
		separator=,
		[ "$kind" = csv ] || separator=$'\t'
		for reader in read_python read_awk; do
			"$reader" "$separator" <"a.$kind" >got
			cmp <(jq -c . got) wanted || { diff got wanted; return 1; }
		done
	done
	[ "$(tail -c 2 a.csv | od -An -tx1)" = " 0d 0a" ] # as RFC 4180 ends a record
	read_sqlite , <a.csv | sed 's/\\r"/"/g' >got
	cmp got <(jq -c . wanted) || { diff got wanted; return 1; }
}

@test "without --fields a table has what JSON has" {
	local options
	for options in "" "--text plain,markdown --comments apart" "--plugin metadata" "-m learned -m danag"; do
		[ "$("$DANA" filter $options -f csv in.warc | read_python , | jq -c '.[0][]')" = "$("$DANA" filter $options in.warc | head -n 1 | jq -c 'keys_unsorted[]')" ]
	done
}

@test "null is nothing, an empty text is two quotes; a table without documents is its header" {
	"$DANA" filter -f csv --fields title,text,author --plugin metadata --min-chars 0 in.warc >a.csv
	grep -q '^,"No title' a.csv
	grep -q '^"",' a.csv
	[ "$("$DANA" filter -f csv --fields url,title --min-chars 1000 in.warc)" = $'url,title\r' ]
}

@test "the output is the same for any number of workers, and a resumed run ends with it" {
	for i in $(seq 9); do cat in.warc in.warc in.warc; done >some.warc
	for i in $(seq 60); do cat some.warc; done >many.warc
	"$DANA" filter -j 0 -o many.csv many.warc
	"$DANA" filter -j 3 -f csv many.warc | cmp - many.csv
	[ "$(read_python , <many.csv | jq length)" -eq 6481 ]
	DANA_TEST_READ_SIZE=512 "$DANA" filter --checkpoint-bytes 16K -j 0 -o cut.csv many.warc 2>err 3>&- &
	local pid=$!
	wait_until "$pid" grep -qs '^point ' cut.csv.state
	kill -TERM "$pid"
	ends 143 "$pid"
	"$DANA" filter --checkpoint-bytes 16K -j 0 --resume -o cut.csv many.warc
	cmp <(sed 's/cut.csv/many.csv/' cut.csv) many.csv
	"$DANA" filter -f tsv --fields url,text -O out -z none some.warc
	[ "$(head -n 1 out/some.tsv)" = $'url\ttext' ]
}

@test "names that are unknown, given twice, or need an option" {
	local message arguments
	while IFS='|' read -r arguments message; do
		prints 3 "dana filter: $message" "$DANA" filter $arguments in.warc
	done <<-END
	--fields ulr|--fields: 'ulr' is unknown; expected a field of JSON, PLUGIN or PLUGIN.KEY; did you mean url\?
	--fields quality.words|--fields: 'quality.words' is unknown; expected a field of JSON, PLUGIN or PLUGIN.KEY
	--fields url,url|--fields: url is given twice
	--fields url,,text|--fields: an item of the list is empty; expected item,item,...
	--fields author|--fields: documents have author only with --plugin metadata; give that, too
	--fields markdown|--fields: documents have markdown only with --text plain,markdown; give that, too
	--fields resolved_from|--fields: documents have resolved_from only with --revisits resolve; give that, too
	--fields url -f warc|--fields is for --format jsonl, csv and tsv, not for warc
	--fields url --schema dolma|--schema has its own layout; it does not go with --fields
	-f csv --schema bulk|--schema has its own layout; it does not go with --format csv and tsv
	-f parquet|*Parquet is written by the Python package: python3 -c 'import danatext; *
	-o x.parquet|*Parquet is written by the Python package: python3 -c 'import danatext; *
	END
	"$DANA" filter --schema bulk --fields url,text in.warc | jq -c keys | sort -u >got
	[ "$(cat got)" = $'["index"]\n["text","url"]' ]
}

@test "pages: a row for each, also for those that cannot be read" {
	mkdir pages
	cp "$DANA_SOURCE"/sample/site/??.html pages
	printf '%%PDF-1.4\n' >pages/a.html
	run -1 --separate-stderr "$DANA" extract -f csv --fields file,title,language,text_chars,reason pages
	read_python , <<<"$output" | jq -c '.[]' >rows
	[ "$(wc -l <rows)" -eq 9 ]
	[ "$(sed -n 1,2p rows)" = $'["file","title","language","text_chars","reason"]\n["pages/a.html","","","","a PDF, not an HTML page: pdftotext FILE makes text of it"]' ]
	grep -q '^\["pages/ru.html",".*","ru","891",""\]$' rows
	rm pages/a.html
	"$DANA" extract -o pages.tsv pages
	[ "$(head -n 1 pages.tsv | tr '\t' ,)" = file,text,url,title,page_kind,charset,method,html_bytes,text_chars,truncated,problems,metadata,reason ]
	"$DANA" extract -f json --fields title,author pages/en.html | jq -c 'keys_unsorted' | grep -qx '\["title","author"\]'
	"$DANA" extract -f jsonl --fields file,text pages | jq -r .file | cmp - <(ls -d pages/*)
	prints 3 'dana extract: --fields is for --format json, jsonl, csv and tsv' "$DANA" extract --fields title pages/en.html
	prints 3 'dana extract: --jsonl writes a line for each line; --format csv does not go with it' "$DANA" extract --jsonl -f csv </dev/null
}
