# SPDX-License-Identifier: MIT
# Several methods of a page in one pass: `texts` beside `text`, wherever documents are written.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	golden=$DANA_SOURCE/tests/golden
	sample=$DANA_SOURCE/sample/sample.warc.gz
}

# same_as_alone FILE FIRST OTHER...: each document of FILE has the texts that a run with one method gives, and nothing else
# differs from that of the first; documents whose text is empty are there too (--min-chars 0).
same_as_alone() {
	local file=$1
	shift
	for method; do
		"$DANA" filter -q -j 0 --min-chars 0 -m "$method" "$sample" >"alone.$method"
	done
	python3 - "$file" "$@" <<'END'
import json, sys
name, first, *others = sys.argv[1:]
read = lambda name: [json.loads(line) for line in open(name)]
alone = {m: read("alone." + m) for m in (first, *others)}
documents = read(name)
assert len(documents) == len(alone[first]) > 3
for i, d in enumerate(documents):
    assert list(d)[list(d).index("truncated") - 1] == "texts", d
    texts = d.pop("texts")
    assert list(texts) == others, texts
    assert d == alone[first][i], (d, alone[first][i])
    for m in others:
        assert texts[m] == alone[m][i]["text"], (m, texts[m])
END
}

@test "each method gives what it gives alone, in the order given, for every number of workers" {
	"$DANA" filter -q -j 0 --min-chars 0 -m learned -m danag -m r2l -m danag:gap=40 -m auto "$sample" >out.jsonl
	same_as_alone out.jsonl learned danag r2l danag:gap=40 auto
	"$DANA" filter -q -j 0 --min-chars 0 -m auto -m plain "$sample" >other.jsonl
	same_as_alone other.jsonl auto plain
	for jobs in 1 2 3; do
		DANA_TEST_SPAN_SIZE=1000 "$DANA" filter -q -j $jobs --min-chars 0 -m learned -m danag -m r2l -m danag:gap=40 -m auto \
			"$sample" >jobs.jsonl
		cmp out.jsonl jobs.jsonl
	done
	for cut in 1000 5000; do
		for range in 0-$cut $cut-; do
			"$DANA" filter -q --min-chars 0 -m learned -m danag -m r2l -m danag:gap=40 -m auto --range $range "$sample"
		done | cmp - out.jsonl
	done
}

@test "auto chooses for each page, as the first method and as another" {
	for pages in "auto danag dana" "danag auto dana" "dana danag auto"; do
		set -- $pages
		"$DANA" filter -q --min-chars 0 -m "$1" -m "$2" -m "$3" "$sample" >out.jsonl
		python3 - <<'END'
import json
seen = set()
for line in open("out.jsonl"):
    d = json.loads(line)
    texts = {d["method"]: d["text"], **d["texts"]} if "auto" in d["texts"] else {"auto": d["text"], **d["texts"]}
    foreign = sum(c > "\x7f" for c in texts["dana"]) * 2 > sum(c.isalpha() for c in texts["dana"])
    chosen = "dana" if foreign else "danag"
    assert texts["auto"] == texts[chosen], (chosen, texts)
    assert "auto" in d["texts"] or d["method"] == chosen, d
    seen.add(chosen)
assert seen == {"dana", "danag"}, seen
END
	done
}

@test "all schemas have texts among their fields" {
	for schema in dana bulk datatrove dolma; do
		"$DANA" filter -q -m learned -m plain --schema $schema "$sample" | python3 -c '
import json, sys
lines = [json.loads(line) for line in sys.stdin]
for d in lines:
    if "index" not in d:
        d = d.get("metadata", d)
        assert list(d["texts"]) == ["plain"] and d["method"] == "learned", d
assert len(lines) > 3'
	done
	"$DANA" filter -q -m learned -m plain --text plain,markdown,blocks "$sample" | head -n 1 | python3 -c '
import json, sys
keys = list(json.load(sys.stdin))
at = keys.index("markdown")
assert keys[at:at + 4] == ["markdown", "blocks", "texts", "truncated"], keys'
}

@test "a method twice, an unknown one, and outputs with a place for one text are refused" {
	check() {
		local wanted=$1
		shift
		run -3 "$@"
		[ "$output" = "$wanted" ] || { echo "$output"; return 1; }
	}
	check "dana filter: --method: danag is given twice; expected each method once, or with other keys" \
		"$DANA" filter -m danag -m learned -m danag "$sample"
	check "dana filter: --method: 'danog' is unknown; expected one of those that dana methods lists; did you mean danag?" \
		"$DANA" filter -m learned -m danog "$sample"
	check "dana extract: --format text writes one text of a page; give one --method, or --format json" \
		"$DANA" extract -m learned -m danag "$DANA_SOURCE/sample/site/en.html"
}

@test "WARC has a record of each method, which says whose it is" {
	texts="-m auto -m danag -m danag:gap=40"
	"$DANA" filter -q --min-chars 0 --text plain,markdown $texts "$sample" >texts.jsonl
	"$DANA" filter -q --min-chars 0 --text plain,markdown $texts -o texts.warc "$sample"
	for jobs in 0 2; do
		"$DANA" filter -q --min-chars 0 --text plain,markdown $texts -j $jobs -f warc -o jobs.warc --force "$sample"
		sed s/jobs.warc/texts.warc/ jobs.warc | grep -av '^WARC-\(Record\|Warcinfo\)-ID' >jobs
		grep -av '^WARC-\(Record\|Warcinfo\)-ID' texts.warc | cmp - jobs
	done
	grep -aq '^description: .*, method auto,danag,danag:gap=40' texts.warc
	python3 "$DANA_SOURCE/tests/warc_rules.py" texts.warc
	python3 - <<'END'
import json, re
data = open("texts.warc", "rb").read()
found, ids, at = {}, [], 0
while at < len(data):
    end = data.index(b"\r\n\r\n", at)
    head = dict(re.findall(r"^([\w-]+): (.*?)\r?$", data[at:end].decode(), re.M))
    at = end + 4 + int(head["Content-Length"]) + 4
    ids.append(head["WARC-Record-ID"])
    if head["WARC-Type"] == "conversion":
        record = (head["Dana-Method"], head["Content-Type"].split(";")[0], data[end + 4:at - 4].decode())
        found.setdefault(head["WARC-Refers-To"][1:-1], []).append(record)
assert len(ids) == len(set(ids)), "an id is there twice"
pages = [json.loads(line) for line in open("texts.jsonl")]
assert len(pages) == len(found) > 3
for d in pages:
    want = [(d["method"], "text/plain", d["text"]), (d["method"], "text/markdown", d["markdown"])]
    assert found[d["id"]] == want + [(m, "text/plain", text) for m, text in d["texts"].items()], found[d["id"]]
END
	"$DANA" filter -q -m danag -f warc "$sample" >alone.warc
	! grep -aq '^Dana-Method' alone.warc
}

@test "extract has texts in JSON, for files and for lines" {
	page=$DANA_SOURCE/sample/site/en.html
	"$DANA" extract -f json -m learned -m danag -m plain "$page" >page.json
	"$DANA" extract -f jsonl -m learned -m danag -m plain "$page" "$page" >pages.jsonl
	python3 -c 'import json, sys; print(json.dumps({"html": open(sys.argv[1]).read(), "n": 1})); print("{}")' "$page" >in.jsonl
	"$DANA" extract --jsonl -m learned -m danag -m plain <in.jsonl >lines.jsonl
	for m in learned danag plain; do "$DANA" extract -m $m "$page" >$m.txt; done
	python3 - <<'END'
import json
lines = open("lines.jsonl").readlines()
found = [json.load(open("page.json")), *map(json.loads, open("pages.jsonl")), json.loads(lines[0])]
for d in found:
    assert d["text"] + "\n" == open("learned.txt").read() and d["method"] == "learned"
    assert list(d["texts"]) == ["danag", "plain"]
    for m in d["texts"]:
        assert d["texts"][m] + "\n" == open(m + ".txt").read(), m
assert json.loads(lines[1])["text"] is None and "texts" not in json.loads(lines[1])
END
}

@test "a plugin that changes the text takes the other texts away, too" {
	response 1 http://a.example/ \
		'<p>Call 555-0100 or write to keeper@shore.example today, and you will learn more of what there is to know.</p>' >a.warc
	"$DANA" filter -q -m plain -m learned -m danag --stats stats --plugin pii a.warc >out.jsonl
	! grep -q 'keeper@' out.jsonl
	grep -q '"texts":{"learned":null,"danag":null},"truncated":false,"problems":\["texts_missing"\]' out.jsonl
	grep -q '"problems":{"texts_missing":1}' stats
	"$DANA" filter -q -m plain -m learned -m danag --plugin pii -f warc a.warc >out.warc
	! grep -q 'keeper@' out.warc
	[ "$(grep -c '^WARC-Type: conversion' out.warc)" -eq 1 ]
	"$DANA" filter -q -m plain -m learned -m danag --plugin metadata a.warc | grep -q '"texts":{"learned":"Call 555-0100 or '
}

@test "a page that is too much work for one method has the texts of the others" {
	python3 - <<'END'
import random
from archive import record, response
random.seed(1)
page = b"".join(random.choice((b"a\n",) * 7 + (b"<b>aaaaaaaa\n",)) for i in range(500000))
open("heavy.warc", "wb").write(record(1, response(page)))
END
	for jobs in 0 2; do
		"$DANA" filter -q -j $jobs -m plain -m cetr -m danag --max-work 1 heavy.warc |
			grep -q '"texts":{"cetr":null,"danag":"a.*"problems":\["texts_missing"\]'
		"$DANA" filter -q -j $jobs -m cetr -m plain --max-work 1 --stats stats heavy.warc >out
		[ ! -s out ]
		grep -q '"skipped":{"work_limit":1}' stats
	done
}

@test "a run with several methods goes on, and not with others" {
	for i in $(seq 40); do cat "$sample"; done >many.warc.gz
	"$DANA" filter -q -m learned -m danag -o whole.jsonl many.warc.gz
	status=0
	DANA_TEST_READ_SIZE=1 "$DANA" filter -q -m learned -m danag --checkpoint-bytes 10K -o a.jsonl many.warc.gz &
	pid=$!
	wait_until "$pid" [ -s a.jsonl.part ]
	kill -TERM "$pid" || true
	wait "$pid" || status=$?
	if [ "$status" -eq 143 ]; then
		run -3 "$DANA" filter -q -m learned --checkpoint-bytes 10K --resume -o a.jsonl many.warc.gz
		[[ $output == *"method-2 was danag"* ]] || { echo "$output"; return 1; }
		run -3 "$DANA" filter -q -m learned -m r2l --resume -o a.jsonl many.warc.gz
		[[ $output == *"method-2 was danag, and is r2l now"* ]] || { echo "$output"; return 1; }
		"$DANA" filter -q -m learned -m danag --checkpoint-bytes 10K --resume -o a.jsonl many.warc.gz
	fi
	cmp whole.jsonl a.jsonl
}

@test "a configuration file may name several methods, which the command line replaces" {
	printf 'method = learned\nmethod = danag\n' >conf
	"$DANA" filter --config conf --print-config | grep '^method' >got
	printf 'method = learned\nmethod = danag\n' | cmp - got
	[ "$("$DANA" filter --config conf -m plain --print-config | grep '^method')" = "method = plain" ]
	"$DANA" filter -q --config conf "$sample" >a.jsonl
	"$DANA" filter -q -m learned -m danag "$sample" | cmp - a.jsonl
}

@test "the limits count the text of each method" {
	sum() { "$DANA" filter -j 1 --print-limits "$@" | sed -n 's/^sum *\([0-9]*\)M .*/\1/p'; }
	[ "$(($(sum -m plain) + 48))" -eq "$(sum -m plain -m danag -m r2l)" ]
}

@test "the example makes a union of the methods, with no line twice" {
	example=$DANA_SOURCE/examples/union_of_methods.py
	"$DANA" filter -q -m learned -m danag -m plain "$sample" >texts.jsonl
	"$DANA" filter -q -m learned -m danag -m plain --schema datatrove "$sample" | python3 "$example" >other.jsonl
	python3 "$example" <texts.jsonl >page.jsonl 2>lines
	python3 "$example" --scope all --min-chars 1 texts.jsonl >all.jsonl
	cmp page.jsonl other.jsonl
	python3 - <<'END'
import collections, json
read = lambda name: [json.loads(line) for line in open(name)]
pages, page, every = read("texts.jsonl"), read("page.jsonl"), read("all.jsonl")
norm = lambda line: " ".join(line.lower().split())
firsts = [d for d in page if "#" not in d["id"]]
assert [d["text"] for d in firsts] == [d["text"] for d in pages if len(d["text"]) >= 100]
lines = collections.defaultdict(list)
for d in page:
    assert len(d["text"]) >= 100 and d["method"] in ("learned", "danag", "plain") and d["url"].startswith("http")
    lines[d["id"].split("#")[0]] += map(norm, d["text"].split("\n"))
assert any(d["method"] == "plain" for d in page)
for found in lines.values():
    assert len(found) == len(set(found)), collections.Counter(found).most_common(1)
# with no limit of characters all lines of all texts are there, each once
want = {norm(line) for d in pages for text in (d["text"], *d["texts"].values()) for line in text.split("\n")}
got = [norm(line) for d in every for line in d["text"].split("\n")]
assert set(got) >= want - {""} and len(got) == len(set(got))
END
	grep -qx 'learned: [0-9]* of [0-9]* lines' lines
}

@test "what --watch finds has the texts of each method" {
	mkdir in
	cp "$sample" in/a.warc.gz
	touch -d '1 hour ago' in/a.warc.gz
	"$DANA" filter -q -j 0 -m learned -m danag "$sample" >once.jsonl
	"$DANA" filter -q -m learned -m danag --watch in -O out 2>err 3>&- &
	pid=$!
	wait_until "$pid" [ -e out/a.jsonl.zst ]
	kill -TERM "$pid"
	ends 143 "$pid"
	zstd -dc out/a.jsonl.zst | sed 's|"file":"[^"]*"||' >got
	sed 's|"file":"[^"]*"||' once.jsonl | cmp - got
}
