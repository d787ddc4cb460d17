# SPDX-License-Identifier: MIT
# dana compare: how the texts of two settings differ, in figures and as a page.

load ../support/cli

setup() {
	gold=$DANA_SOURCE/tests/data/gold
	sample=$DANA_SOURCE/sample/sample.warc.gz
	cd "$BATS_TEST_TMPDIR"
}

# site N: writes site/1.html to site/N.html, page I with I words in a box
site() {
	mkdir -p site
	for i in $(seq "$1"); do
		printf '<title>%d</title><p>one two three four</p><p class=box>%s</p><p>five six</p>' "$i" "$(seq -s ' ' "$i")" >site/"$i".html
	done
}

@test "words are counted on each side, by kind and in all" {
	site 3
	run -0 "$DANA" compare -m plain --against "--exclude .box" -f json site
	jq -e '.a == "plain" and .b == "plain --exclude .box" and .seen == 3 and
		(.all | [.pages, .differ, .words_a, .words_b, .only_a, .only_b, .references] == [3, 3, 24, 18, 6, 0, 0]) and
		[.kinds[] | [.kind, .pages]] == [["unknown", 3]] and [.differences[] | [.page, .only_a]] == [["site/3.html", 3], ["site/2.html", 2], ["site/1.html", 1]]' <<<"$output"
	run -0 "$DANA" compare -m plain -m plain --against "--exclude .none" -f tsv site/1.html site/2.html
	[ "${lines[1]}" = $'all\t2\t0\t15\t15\t0\t0\t0\t0\t0\t0.000000\t0.000000' ]
	run -0 "$DANA" compare -m plain --against "--only .box" site
	[ "${lines[2]}" = "3 of 3 pages; the texts of 3 differ (100.0 %)" ]
	[[ "$output" == *"         24          6         18          0"* ]]
	[[ "$output" == *$'\nlargest differences, in words\n'* ]]
}

@test "all options of a setting may differ, with values in quotes" {
	site 2
	mkdir "a b"
	printf 'one.example\texclude\t.box\n' >"a b/rules"
	for against in "--rules 'a b/rules'" '--rules "a b/rules"' "--rules='a b/rules'"; do
		run -0 "$DANA" compare -m plain --against "$against" --url https://www.one.example/ -f json site
		jq -e '.all | [.only_a, .only_b] == [3, 0]' <<<"$output"
	done
	# what is given before is there for both, unless it differs
	run -0 "$DANA" compare -m plain --exclude .box --against "--exclude p" -f json site
	jq -e '.all | [.words_a, .words_b, .empty_a, .empty_b] == [12, 0, 0, 2]' <<<"$output"
	run -0 "$DANA" compare -m plain --exclude .box --against "-m learned:recall=60" -f json site
	jq -e '.a == "plain" and .b == "-m learned:recall=60"' <<<"$output"
	for against in "--format json" "words" "--rules" "--exclude 'x" "-x y" "--rules /nowhere/x" "--exclude ::x" "-m none"; do
		run "$DANA" compare -m plain --against "$against" site
		[ "$status" -eq 3 ] || [ "$status" -eq 1 ]
		[ "${#lines[@]}" -eq 1 ]
	done
	prints_line 3 "$DANA" compare -m plain site
	prints_line 3 "$DANA" compare -m plain -m dana -m danag site
	prints_line 3 "$DANA" compare -m plain -m dana
}

@test "a sample is the same in every run, wherever the pages lie" {
	seq 200 | awk '{
		body = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Page " $1 "</p><b class=x>" $1 " words</b>"
		printf "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%d>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://h.example/%d\r\n", $1, $1
		printf "Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", length(body), body
	}' >all.warc
	chosen() {
		"$DANA" compare -m plain --against "--exclude .x" -f json --sample 20 "$@" | jq -r '.differences[].url' | sort
	}
	chosen all.warc >once
	[ "$(wc -l <once)" -eq 20 ]
	mkdir other && split -C 20000 all.warc other/part # anywhere: damaged records are passed over
	cp all.warc other/copy.warc
	chosen other/copy.warc | cmp - once
	# of more pages a smaller sample is a part of the larger one
	"$DANA" compare -m plain --against "--exclude .x" -f json --sample 5 all.warc | jq -r '.differences[].url' | sort | comm -13 once - | cmp - /dev/null
	run -0 "$DANA" compare -m plain --against "--exclude .x" --sample 20 all.warc
	[[ "$output" == *"20 of 200 pages; the texts of 20 differ (100.0 %)"* ]]
}

@test "archives and pages go together, and what cannot be read is reported" {
	site 1
	run -0 "$DANA" compare -m learned -m plain -f json "$sample" site
	jq -e '.seen == 8 and .all.pages == 8 and ([.kinds[].pages] | add) == 8 and (.differences[0].page | test("@[0-9]+$"))' <<<"$output"
	run -1 --separate-stderr "$DANA" compare -m learned -m plain -f json /nowhere/x.html site/1.html /nowhere/x.warc
	[ "$(jq .all.pages <<<"$output")" -eq 1 ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	zcat "$sample" | head -c 20000 >cut.warc
	run -2 --separate-stderr "$DANA" compare -m learned -m plain -f json cut.warc
	jq -e '.all.pages > 0' <<<"$output"
}

@test "a URL is answered with how to compare its page, and makes no report" {
	prints 3 'dana compare: http://127.0.0.1:1/x.html: nothing is fetched, *; curl -sL URL >page.html, *' \
		"$DANA" compare -m learned -m danag -o c.html http://127.0.0.1:1/x.html
	[ ! -e c.html ]
}

@test "the text of each setting is what extract prints" {
	for page in "$gold"/news/lighthouse.html "$gold"/stories/garden.html "$DANA_SOURCE/sample/site/en.html"; do
		one=$("$DANA" extract -m plain "$page" | wc -w)
		two=$("$DANA" extract -m danag "$page" | wc -w)
		run -0 "$DANA" compare -m plain -m danag -f json "$page"
		jq -e --argjson one "$one" --argjson two "$two" '.all | .words_a == $one and .words_b == $two and .words_a - .only_a == .words_b - .only_b' <<<"$output"
	done
}

@test "with references it says which setting is nearer to them" {
	run -0 --separate-stderr "$DANA" compare -m learned -m plain --references -f json "$gold"
	json=$output
	for side in a:learned b:plain; do
		f1=$("$DANA" eval -m "${side#*:}" -f json "$gold" | jq '[.. | .f1? // empty] | first')
		jq -e --argjson f1 "$f1" --arg name "f1_${side%%:*}" '.all | (.[$name] - $f1 | fabs) < 0.00001 and .references == .pages and .nearer_a + .nearer_b <= .pages' <<<"$json"
	done
	run -0 "$DANA" compare -m learned -m plain --references "$gold"
	[[ "$output" == *"pages with a reference A is nearer to it on "* ]]
	site 1
	run -0 "$DANA" compare -m plain -m danag --references -f json site
	jq -e '.all.references == 0' <<<"$output"
}

@test "a page shows the differences, the largest first, by mouse and keys, and runs nothing of them" {
	command -v chromedriver >/dev/null || skip "no chromedriver"
	command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip "no Chromium"
	python3 "$DANA_SOURCE/tests/cli/check_report.py" compare "$DANA"
}

@test "a page that exists needs --force" {
	site 1
	echo old >compare.html
	prints 3 'dana compare: compare.html exists; --force overwrites it' "$DANA" compare -m plain -m danag -o compare.html site
	[ "$(cat compare.html)" = old ]
	"$DANA" compare -m plain -m danag --force -o compare.html site >table
	grep -q '<html' compare.html
	grep -q '^A: plain$' table
	prints_line 3 "$DANA" compare -m plain -m danag --force -o site/1.html site
}

@test "a terminal shows how far it is, a pipe nothing" {
	site 30
	python3 "$DANA_SOURCE/tests/cli/on_terminal.py" 80 1 "$DANA" compare -m plain -m danag -f tsv site/1.html "$sample" missing.html >screen
	head -n 1 screen | grep -q $'^\r\033\\[Kinput 1 of 3, 1 pages.*\r\033\\[Kdana compare: missing.html: No such file'
	[ "$(sed -n '2p' screen | cut -f 1,2)" = $'kind\tpages' ]
	run -0 --separate-stderr "$DANA" compare -m plain -m danag site "$sample"
	[ -z "$stderr" ]
}
