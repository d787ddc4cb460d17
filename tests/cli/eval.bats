# SPDX-License-Identifier: MIT
# dana eval: accuracy and speed over a small gold folder.

load ../support/cli

setup() {
	gold=$DANA_SOURCE/tests/data/gold
	cd "$BATS_TEST_TMPDIR"
}

# column NAME of the line of method METHOD and group GROUP in TSV
field() {
	awk -F'\t' -v name="$1" -v group="$2" -v method="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		$1 == group && $2 == method { print $at }'
}

@test "plain keeps all of the gold text, in every script and charset" {
	"$DANA" eval -m plain --per corpus -f tsv "$gold" >out
	[ "$(field recall all plain <out)" = 1.000000 ]
	[ "$(field pages all plain <out)" = 4 ]
	[ "$(field pages news plain <out)" = 2 ]
	"$DANA" eval -m plain --per script -f tsv "$gold" >out
	[ "$(cut -f 1 out | sort -u | tr '\n' ' ')" = "Arabic Han Latin all script " ]
}

@test "danag finds the content" {
	"$DANA" eval -m danag -f tsv "$gold" >out
	awk -v f1="$(field f1 all danag <out)" 'BEGIN { exit !(f1 > 0.9) }'
	awk -v speed="$(field mb_per_s all danag <out)" 'BEGIN { exit !(speed > 0) }'
}

@test "the number of threads changes no figure" {
	for j in 0 1 3; do
		"$DANA" eval -m all -j $j --per corpus -f tsv "$gold" | awk -F'\t' -v OFS='\t' '{ NF--; print }' >out.$j
	done
	cmp out.0 out.1
	cmp out.1 out.3
}

@test "all is every method" {
	"$DANA" methods | sed -n '2,/^$/s/^\([a-z0-9-]\+\) .*/\1/p' | sort >methods
	[ "$(wc -l <methods)" -ge 7 ]
	"$DANA" eval -m all -f tsv "$gold" | sed 1d | cut -f 2 | sort | cmp - methods
}

@test "commas part methods and keys" {
	"$DANA" eval -m dana,danag:gap=40,segment=80,plain -f tsv "$gold" | sed 1d | cut -f 2 >out
	[ "$(cat out)" = "$(printf 'dana\ndanag:gap=40,segment=80\nplain')" ]
}

@test "a folder without index" {
	mkdir -p plain/one
	cp "$gold"/news/lighthouse.* plain/one
	"$DANA" eval -m plain -f tsv --per script plain >out
	[ "$(field recall unknown plain <out)" = 1.000000 ]
	! grep -q f1_by_site out
}

@test "an empty text where the gold is empty counts 1" {
	mkdir -p empty/one
	echo '<p></p>' >empty/one/a.html
	: >empty/one/a.txt
	echo '<p></p>' >empty/one/b.html
	echo gold >empty/one/b.txt
	[ "$("$DANA" eval -m plain -f tsv empty | field f1 all plain)" = 0.500000 ]
}

@test "sentence and block measures" {
	"$DANA" eval -m plain,danag --measure sentence -f tsv "$gold" >out
	[ "$(field complete all plain <out)" = 4 ]
	"$DANA" eval -m plain,danag --measure block -f tsv "$gold" >out
	awk -v r="$(field micro_recall all plain <out)" 'BEGIN { exit !(r > 0.9 && r < 1) }' # a picture is in the gold
}

@test "JSON is one object" {
	"$DANA" eval -m dana,danag --per corpus -f json "$gold" >out
	[ "$(wc -l <out)" -eq 1 ]
	grep -q '^{"measure":"lcs","methods":\[{"method":"dana","pages":4,.*"groups":\[{"corpus":"news",' out
	python3 -c 'import json; r = json.load(open("out")); assert [m["method"] for m in r["methods"]] == ["dana", "danag"]'
}

@test "the papers' table has methods by corpora" {
	"$DANA" eval -m dana,danag --paper-table "$gold" >out
	grep -Eq '^ +news +stories +all +MB/s$' out
	grep -Eq '^danag:literal=1 +[01]\.[0-9]{4}\*? ' out
	"$DANA" eval -m dana,danag --paper-table -f tsv "$gold" >out
	[ "$(head -n 1 out)" = "$(printf 'method\tnews\tstories\tall\tMB/s')" ]
	"$DANA" eval -m dana:gap=9,danag:literal=0,plain --paper-table -f tsv "$gold" >out
	[ "$(tail -n +2 out | cut -f1 | tr '\n' ' ')" = "dana:gap=9,literal=1 danag:literal=0 plain " ]
	run -3 "$DANA" eval --paper-table -f json "$gold"
}

@test "usage errors and folders that are not gold pages" {
	for arguments in "" "a b" "-m none $gold" "-m danag:gap=x $gold" "--per host $gold"; do
		prints_line 3 "$DANA" eval $arguments
	done
	run -1 "$DANA" eval /nowhere/at/all
	mkdir nothing
	prints 1 '*no pages with reference texts*' "$DANA" eval nothing
}

@test "a page that cannot be read is told, and the others are scored" {
	[ "$(id -u)" -ne 0 ] || skip "root reads everything"
	mkdir -p some/one
	cp "$gold"/news/lighthouse.* some/one
	cp some/one/lighthouse.txt some/one/locked.txt
	echo '<p>x' >some/one/locked.html
	chmod 0 some/one/locked.html
	run -1 --separate-stderr "$DANA" eval -m plain -f tsv some
	[[ $stderr == *"locked.html"* ]]
	[ "$(field pages all plain <<<"$output")" = 1 ]
}

@test "compressed pages are scored as the pages in them, and a page that is there twice once" {
	cp -r "$gold" packed
	"$DANA" eval -m plain,learned -f tsv packed | cut -f 1-7 >plain
	gzip packed/*/*.html
	"$DANA" eval -m plain,learned -f tsv packed | cut -f 1-7 | cmp - plain
	for page in packed/*/*.html.gz; do
		gzip -dc "$page" | zstd -q >"${page%.gz}.zst"
	done
	"$DANA" eval -m plain,learned -f tsv packed | cut -f 1-7 | cmp - plain
	rm packed/*/*.gz
	"$DANA" eval -m plain,learned -f tsv packed | cut -f 1-7 | cmp - plain
	printf '\050\265\057\375xxxxxxxx' | tee packed/*/lighthouse.html.zst >/dev/null
	run -1 --separate-stderr "$DANA" eval -m plain packed
	[[ $stderr == *"lighthouse.html.zst: compressed, and so damaged"* ]]
}

@test "figures agree with a scorer written apart" {
	shared=${DANA_SHARED:-$DANA_SOURCE/../shared}
	[ -e "$shared/gold/score.py" ] && python3 -c 'import numpy' 2>/dev/null || skip "no such scorer here"
	bash "$DANA_SOURCE/tests/oracle/compare_scores.sh" "$shared/gold" 200
}

@test "only pages of the index are scored, and how many are left out is said" {
	cp -r "$gold" indexed
	"$DANA" eval -m plain -f tsv indexed >out 2>err
	[ ! -s err ]
	cp indexed/news/lighthouse.html indexed/news/other.html
	cp indexed/news/lighthouse.txt indexed/news/other.txt
	"$DANA" eval -m plain -f tsv indexed >again 2>err
	[ "$(cat err)" = "dana eval: 1 page is left out: index.tsv does not list it" ]
	[ "$(field pages all plain <again)" = 4 ]
	sed -n '1,2p' indexed/index.tsv >index && mv index indexed/index.tsv
	"$DANA" eval -m plain -f tsv indexed >again 2>err
	[ "$(cat err)" = "dana eval: 4 pages are left out: index.tsv does not list them" ]
	[ "$(field pages all plain <again)" = 1 ]
	printf 'corpus\tid\n' >indexed/index.tsv
	prints 1 'dana eval: indexed: no pages with reference texts (CORPUS/ID.html with CORPUS/ID.txt beside it) that its index.tsv lists' "$DANA" eval indexed
}

@test "the index may name charsets as iconv does; one that nobody knows is refused" {
	mkdir -p macs/old
	printf '<p>caf\x8e' >macs/old/a.html
	echo 'café' >macs/old/a.txt
	printf 'corpus\tid\tcharset\nold\ta\tmacroman\n' >macs/index.tsv
	"$DANA" eval -m plain -f tsv macs >out
	[ "$(field f1 all plain <out)" = 1.000000 ]
	printf 'corpus\tid\tcharset\nold\ta\tmakroman-1\n' >macs/index.tsv
	for command in 'eval' 'features -o made' 'train -o made.model mountain'; do
		prints 3 "*index.tsv: charset of old/a: 'makroman-1' is unknown; expected a charset of the web or of iconv*" "$DANA" $command macs
	done
}

@test "a method that does not exist is told before the pages are looked at" {
	mkdir none
	prints 3 "*'danagg' is unknown*did you mean danag\?" "$DANA" eval -m danag,danagg none
}
