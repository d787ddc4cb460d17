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

@test "a plain reader understands the WARC" {
	"$DANA" filter -q -o out.warc.gz in.warc
	python3 - <<'END'
import base64, hashlib, struct, zlib
data = open("out.warc.gz", "rb").read()
records = []
while data:
    assert data[:4] == b"\x1f\x8b\x08\0" and data[4:8] == b"\0\0\0\0"  # no name, time 0
    member = zlib.decompressobj(31)
    raw = member.decompress(data)
    assert member.eof
    data = member.unused_data
    head, block = raw.split(b"\r\n\r\n", 1)
    lines = head.decode("ascii").split("\r\n")
    assert lines[0] == "WARC/1.1"
    fields = dict(line.split(": ", 1) for line in lines[1:])
    assert len(fields) == len(lines) - 1
    size = int(fields["Content-Length"])
    assert block[size:] == b"\r\n\r\n"  # one record in the member
    records.append((fields, block[:size]))
info = records.pop(0)[0]
assert info["WARC-Type"] == "warcinfo" and info["WARC-Filename"] == "out.warc.gz"
assert info["WARC-Date"] == "2024-05-06T07:08:01Z"
assert len(records) == 3
for number, (fields, block) in enumerate(records, 1):
    assert fields["WARC-Type"] == "conversion"
    assert fields["WARC-Target-URI"] == "http://example.org/a%%20b/%d" % number
    assert fields["WARC-Refers-To"] == "<urn:x:%d>" % number
    assert fields["WARC-Warcinfo-ID"] == info["WARC-Record-ID"] != fields["WARC-Record-ID"]
    digest = "sha1:" + base64.b32encode(hashlib.sha1(block).digest()).decode()
    assert fields["WARC-Block-Digest"] == fields["WARC-Payload-Digest"] == digest
    assert fields["WARC-Date"] == "2024-05-06T07:08:0%dZ" % number
    block.decode("utf-8")
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
