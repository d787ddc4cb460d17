# SPDX-License-Identifier: MIT
# What dana filter writes, read by others: gzip, zstd, Python's gzip with a plain WARC parser, and a JSON reader.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	for i in 1 2 3; do
		page="<html><head><title>Page $i</title></head><body><ul><li><a href=/>Home</a></ul>"
		for n in 1 2 3 4 5 6; do
			page+="<p>Page $i, paragraph $n: a \"quoted\" sentence that is long enough to be main content, café.</p>"
		done
		page+="</body></html>"
		response "$i" "http://example.org/a b/$i" "$page" | sed "s/^WARC-Date: .*Z/WARC-Date: 2024-05-06T07:08:0${i}Z/"
	done >in.warc
}

@test "names of the output decide format and compression" {
	for name in a.jsonl a.jsonl.gz a.jsonl.zst a.warc a.warc.gz a.warc.zst; do
		run -0 "$DANA" filter -q -o "$name" in.warc
		[ -s "$name" ]
		[ ! -e "$name.part" ]
	done
	gzip -t a.jsonl.gz a.warc.gz
	zstd -qt a.jsonl.zst a.warc.zst
	cmp a.jsonl <(gzip -dc a.jsonl.gz)
	[ "$(wc -l <a.jsonl)" -eq 3 ]
	[ "$(head -c 8 a.warc)" = WARC/1.1 ]
}

@test "an output without documents can be tested too" {
	: >empty
	for name in none.jsonl.gz none.warc.gz; do
		run -0 "$DANA" filter -q -o "$name" empty
		gzip -t "$name"
	done
}

@test "the WARC keeps the rules, and its records name what they are made of" {
	"$DANA" filter -q -o out.warc.gz in.warc
	python3 "$DANA_SOURCE/tests/warc_rules.py" out.warc.gz
	[ "$(head -c 8 out.warc.gz | od -An -tx1)" = " 1f 8b 08 00 00 00 00 00" ] # no name, time 0
	gzip -dc out.warc.gz | tr -d '\r' >out.warc
	[ "$(head -n 1 out.warc)" = WARC/1.1 ]
	grep -qx 'WARC-Filename: out.warc.gz' out.warc
	while IFS='|' read -r field values; do
		[ "$(sed -n "s/^WARC-$field: //p" out.warc | paste -sd' ')" = "$values" ] || { echo "$field"; false; }
	done <<-END
		Type|warcinfo conversion conversion conversion
		Date|2024-05-06T07:08:01Z 2024-05-06T07:08:01Z 2024-05-06T07:08:02Z 2024-05-06T07:08:03Z
		Target-URI|http://example.org/a%20b/1 http://example.org/a%20b/2 http://example.org/a%20b/3
		Refers-To|<urn:x:1> <urn:x:2> <urn:x:3>
	END
}

@test "members of JSONL end after a mebibyte" {
	for i in $(seq 1 1200); do cat in.warc; done >many.warc
	"$DANA" filter -q -o many.jsonl.gz many.warc
	python3 - <<'END'
import zlib
data = open("many.jsonl.gz", "rb").read()
sizes = []
while data:
    member = zlib.decompressobj(31)
    text = member.decompress(data)
    assert member.eof and text.endswith(b"\n")
    sizes.append((len(text), len(text.rsplit(b"\n", 2)[-2]) + 1))
    data = member.unused_data
assert len(sizes) > 1
for size, last_line in sizes[:-1]:
    assert size >= 1 << 20 and size - last_line < 1 << 20
END
}

@test "a record whose URI is empty is no conversion record" {
	sed 's/^WARC-Target-URI: .*b\/2\r$/WARC-Target-URI: \r/' in.warc >empty.warc
	for jobs in 0 2; do
		"$DANA" filter -q -j $jobs --stats stats.json -f warc -o "$jobs.warc" empty.warc
		[[ $(cat stats.json) == *'"documents":2,"skipped":{"no_uri":1}'* ]]
		[ "$(grep -c '^WARC-Target-URI' "$jobs.warc")" -eq "$(grep -c '^WARC-Type: conversion' "$jobs.warc")" ]
	done
	run -0 "$DANA" filter -q empty.warc
	[ "${#lines[@]}" -eq 3 ]
	# One that has none is no document in any format, and the message says so.
	sed '/^WARC-Target-URI/d' in.warc >none.warc
	run -0 "$DANA" filter --mime any none.warc
	[[ $output == *"skipped for a missing address, which every page has"* ]]
}

@test "the articles of the sample are exact by default" {
	"$DANA" filter -q "$DANA_SOURCE/sample/sample.warc.gz" >sample.jsonl
	python3 - "$DANA_SOURCE/sample/site" <<'END'
import html, json, re, sys
docs = [json.loads(line) for line in open("sample.jsonl", encoding="utf-8")]
assert len(docs) == 7
for doc in docs:
    page = open(sys.argv[1] + "/" + doc["url"].rsplit("/", 1)[1], encoding="utf-8").read()
    article = re.search("<article.*?</article>", page, re.S).group()
    blocks = re.findall("<(?:h1|p)>(.*?)</(?:h1|p)>", article, re.S)
    assert doc["text"] == "\n".join(html.unescape(b) for b in blocks), doc["url"]
    assert doc["method"] == "learned"
END
}

@test "dolma has strings for dates and a source of choice, datatrove a file path" {
	sed 's/^WARC-Date: 2024-05-06T07:08:02Z/WARC-Date: yesterday/; /^WARC-Date: 2024-05-06T07:08:03Z/d' in.warc >dates.warc
	"$DANA" filter -q --schema dolma --source my-crawl dates.warc >dolma
	"$DANA" filter -q --schema datatrove dates.warc >datatrove
	python3 - <<'END'
import json
dolma = [json.loads(line) for line in open("dolma", encoding="utf-8")]
assert [d["source"] for d in dolma] == ["my-crawl"] * 3
assert dolma[0]["added"] == dolma[0]["created"] == "2024-05-06T07:08:01Z"
for doc in dolma[1:]:
    assert doc["added"] == doc["created"] == "1970-01-01T00:00:00Z", doc
assert dolma[1]["metadata"]["date"] == "yesterday" and "bad_date" in dolma[1]["metadata"]["problems"]
for line in open("datatrove", encoding="utf-8"):
    data = json.loads(line)["metadata"]
    assert data["file_path"] == data["file"] == "dates.warc"
END
	prints 3 'dana filter: --source is a field of --schema dolma; give both, or neither' "$DANA" filter --source my-crawl in.warc
}
