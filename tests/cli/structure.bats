# SPDX-License-Identifier: MIT
# Markdown beside the plain text, in all the places where texts are written.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	cat >page.html <<'END'
<html><head><title>T</title></head><body><h1>Lamp</h1><ul><li>one <b>two</b></li><li><a href="x.html">three</a></li></ul>
<p>Call 555-0100 or write to keeper@shore.example today.</p></body></html>
END
	printf '%s\n' '# Lamp' '' '- one **two**' '- [three](https://shore.example/d/x.html)' '' \
		'Call 555-0100 or write to keeper@shore.example today.' >page.md
}

# archive FILE...: a WARC of the pages
archive() {
	python3 - "$@" <<'END'
import sys
from archive import record, response
for n, name in enumerate(sys.argv[1:]):
    sys.stdout.buffer.write(record(n, response(open(name, "rb").read()), url=b"https://shore.example/d/%d" % n))
END
}

@test "extract prints Markdown, writes it to .md, and adds it to JSON" {
	"$DANA" extract -m plain --text markdown --url https://shore.example/d/page page.html >out.md
	cmp out.md page.md
	"$DANA" extract -m plain --text markdown --url https://shore.example/d/page -O out page.html
	cmp out/page.md page.md
	"$DANA" extract -m plain --text markdown --markdown links=0 page.html | grep -qx -- '- three'
	"$DANA" extract -m plain -f json --text plain,markdown page.html | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["text"].startswith("Lamp\none two\nthree\n"), d
assert d["markdown"].startswith("# Lamp\n\n- one **two**\n- [three](x.html)\n"), d
keys = list(d)
assert keys[keys.index("truncated") - 1] == "markdown", d'
}

@test "a file of Markdown begins with the title, once, and with front matter where that is asked for" {
	words='is long enough to look like the main content of a page, with many words and few tags, and some more words.'
	article="<p>Lamps $words</p><p>Wicks $words</p><p>Oil $words</p>"
	begins() { # FIRST-LINES OPTIONS...
		local wanted=$1
		shift
		run -0 "$DANA" extract "$@" t.html
		[[ $output = "$wanted"* ]] || { echo "$output" | head -n 4; return 1; }
	}
	bare='-m plain --exclude div'
	menu='<div>Home News</div>'
	echo "<title>On lamps | The Shore</title>$menu<h1>On <i>lamps</i></h1>$menu$article" >t.html
	begins $'# On *lamps*\n\nLamps is' $bare -f markdown
	begins $'# On lamps\n\nLamps is' $bare -f markdown --markdown heading=0
	begins $'# On lamps\n\nLamps is' $bare --text markdown --markdown heading=0
	begins 'Lamps is' $bare -f markdown --markdown heading=0,title=0
	"$DANA" extract $bare --markdown heading=0 -o t.md t.html
	"$DANA" extract $bare --markdown heading=0 -f markdown -O out t.html
	"$DANA" extract $bare --markdown heading=0 -f markdown t.html | tee >(cmp - t.md) | cmp - out/t.md
	[ "$("$DANA" extract $bare -f json --text markdown --markdown heading=0 t.html | jq -r .markdown | head -n 1)" = "Lamps $words" ]
	[ "$("$DANA" extract $bare -f json --text markdown --markdown heading=0,title=1 t.html | jq -r .markdown | head -n 1)" = '# On lamps' ]
	# without an h1, with that of the site, with a heading that is elsewhere or of another level
	echo "<title>On lamps | The Shore</title>$article" >t.html
	begins $'# On lamps\n\nLamps is' $bare -f markdown
	echo "<title>On lamps | The Shore</title><h1>The Shore</h1>$menu$article" >t.html
	begins $'# On lamps\n\nLamps is' $bare -f markdown --markdown heading=0
	echo "<title>On lamps</title><p>News<h1>On <i>lamps</i></h1>$article" >t.html
	begins $'# On *lamps*\n\nNews\n\nLamps is' -m plain -f markdown
	echo "<title>On lamps</title><h2>On lamps</h2>$article" >t.html
	begins $'## On lamps\n\nLamps is' -m plain -f markdown
	echo "<title>On lamps</title><p>On lamps</p>$article" >t.html
	begins $'# On lamps\n\nLamps is' -m plain -f markdown
	echo "<title>On lamps</title><p>On lamps</p>" >t.html
	[ "$("$DANA" extract -m plain -f markdown t.html)" = '# On lamps' ]
	echo "<title>On lamps</title>" >t.html
	[ -z "$("$DANA" extract -m plain -f markdown --markdown frontmatter=1 t.html)" ]
	# front matter
	cat >t.html <<END
<html lang=en><title>"On" lamps &lt;b>: \\ | The Shore</title><meta name=author content="Ann Lee"><meta name=keywords content="oil, wick: x">
<meta property="article:published_time" content="2024-05-31"><meta property="og:site_name" content="The Shore">$article
END
	begins $'---\ntitle: "\\"On\\" lamps \\u003Cb>: \\\\"\nauthor: "Ann Lee"\npublished: "2024-05-31"\nlanguage: "en"\nsite: "The Shore"\nurl: "https://shore.example/t"\ntags: ["oil", "wick: x"]\n---\n\n# "On" lamps' \
		-f markdown --markdown frontmatter=1 --url https://shore.example/t
	archive t.html >a.warc
	"$DANA" filter -q --text markdown --markdown frontmatter=1 a.warc | jq -e '(.markdown | startswith("---\ntitle: ") and contains("author: \"Ann Lee\"\n")) and .metadata.author == "Ann Lee"'
	# elements have author and date, too
	begins '<doc title="&quot;On&quot; lamps &lt;b&gt;: \ | The Shore" url="" author="Ann Lee" date="2024-05-31"><main>' -f xml
	"$DANA" extract -f html t.html | grep -q '<meta name="author" content="Ann Lee"/><meta property="article:published_time" content="2024-05-31"/></head>'
	"$DANA" extract -f tei t.html | grep -q '</title><author>Ann Lee</author></titleStmt>.*<bibl><date type="published">2024-05-31</date><ptr '
}

@test "short items of kept lists stay in the Markdown: tasks, and items without links in an item" {
	words='When the ferry came in that evening the crew carried nine lamps ashore, and the keeper wrote each of them into his book.'
	list() { echo "<title>Lamps</title><body><ul class=menu><li><a href=/>Home</a></li><li><a href=/n>News</a></li></ul><h1>Lamps</h1><p>$words</p><p>$words</p><ul>$1</ul><p>$words</p><p>$words</p>" >t.html; }
	lines() { "$DANA" extract -f markdown t.html | grep '^ *- ' | tr '\n' '|'; }
	box='<input type=checkbox disabled>'
	list "<li>$box Lit<ul><li>$box Trimmed</li></ul></li><li><label>$box Cleaned</label></li>"
	[ "$(lines)" = '- [ ] Lit|  - [ ] Trimmed|- [ ] Cleaned|' ]
	list "<li>Fill the tank of each lamp before the sun goes down<ul><li>Open valve</li><li>Pour oil</li></ul></li><li>Trim the wick with the small pair of scissors</li>"
	[ "$(lines)" = '- Fill the tank of each lamp before the sun goes down|  - Open valve|  - Pour oil|- Trim the wick with the small pair of scissors|' ]
}

@test "extract --jsonl has Markdown, and --text-field puts it into text" {
	python3 -c 'import json; print(json.dumps({"html": open("page.html").read(), "url": "https://shore.example/d/page"}))' >in.jsonl
	"$DANA" extract -m plain --jsonl --text markdown <in.jsonl | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["markdown"] == open("page.md").read()[:-1], d'
	"$DANA" extract -m plain --jsonl --text-field markdown <in.jsonl | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["text"] == open("page.md").read()[:-1] and "markdown" not in d, d
assert d["text_chars"] == len(d["text"]), d'
}

@test "filter adds Markdown; without --text nothing of its output changes" {
	archive page.html page.html >a.warc
	"$DANA" filter -m plain -q -o plain.jsonl a.warc
	"$DANA" filter -m plain -q --text plain,markdown -o both.jsonl a.warc
	"$DANA" filter -m plain -q --text plain,markdown -j 2 -o workers.jsonl a.warc
	cmp both.jsonl workers.jsonl
	python3 - <<'END'
import json
want = open("page.md").read()[:-1]
for a, b in zip(open("plain.jsonl"), open("both.jsonl")):
    a, b = json.loads(a), json.loads(b)
    assert b.pop("markdown") == want, b
    assert a == b
END
	for schema in datatrove dolma bulk; do
		"$DANA" filter -m plain -q --text markdown --schema $schema a.warc | grep -q '"markdown":"# Lamp'
	done
}

@test "WARC output has a record of text/markdown, after the plain one or alone" {
	archive page.html >a.warc
	"$DANA" filter -m plain -q --text plain,markdown -o both.warc a.warc
	"$DANA" filter -m plain -q --text markdown -o one.warc a.warc
	[ "$(grep -ac '^Content-Type: text/plain; charset=utf-8' both.warc)" -eq 1 ]
	[ "$(grep -ac '^Content-Type: text/markdown; charset=utf-8' both.warc)" -eq 1 ]
	[ "$(grep -ac '^WARC-Type: conversion' one.warc)" -eq 1 ]
	[ "$(grep -ac '^Content-Type: text/markdown; charset=utf-8' one.warc)" -eq 1 ]
	[ "$(grep -a '^WARC-Record-ID' both.warc | sort -u | wc -l)" -eq 3 ]
	[ "$(grep -ac '^WARC-Refers-To: <urn:x:0>' both.warc)" -eq 2 ]
	run -3 "$DANA" filter -q --text-field markdown -o x.warc a.warc
}

@test "what a plugin takes out of the text does not stand in the Markdown" {
	archive page.html >a.warc
	"$DANA" filter -m plain -q --plugin pii --text plain,markdown a.warc >out.jsonl
	python3 - <<'END'
import json
d = json.loads(open("out.jsonl").readline())
assert "keeper@" not in json.dumps(d), d
assert d["markdown"] is None and "structure_cut" in d["problems"], d
END
}

@test "blocks have kind, place and probability, and with --dropped also those that are not kept" {
	{
		echo '<html><body><ul><li><a href=/>Home</a></li><li><a href=/news>News</a></li></ul><h1>Lamp</h1>'
		for i in 1 2 3 4 5 6 7 8; do
			echo "<p>Paragraph $i is long enough to look like the main content of a page, with many words and few tags.</p>"
		done
		echo '<table><tr><th>a<th>b<tr><td>c<td>d</table><pre class=language-c>x;</pre></body></html>'
	} >article.html
	"$DANA" extract --text blocks -f json article.html >kept.json
	"$DANA" extract --text blocks --dropped -f json article.html >all.json
	"$DANA" extract -m plain --text plain,markdown,blocks -f json article.html >plain.json
	python3 - <<'END'
import json
kept, every, plain = (json.load(open(name))["blocks"] for name in ("kept.json", "all.json", "plain.json"))
assert all("kept" not in b and 0 < b["p"] <= 1 for b in kept if b["t"] == "p"), kept
assert [b for b in every if "kept" not in b] == kept, every
assert any(b.get("kept") is False and b["text"] == "Home" and b["t"] == "li" for b in every), every
page = open("article.html").read()
for b in every:
    if "text" in b:
        assert page[b["start"]:].startswith(b["text"]), b
assert plain[-2:] == [{"t": "table", "rows": [["a", "b"], ["c", "d"]], "start": page.index("a<th>")},
                      {"t": "code", "lang": "c", "text": "x;", "start": page.index("x;")}], plain
END
	archive article.html >a.warc
	"$DANA" filter -q --text blocks a.warc | grep -q '"blocks":\[{"t":'
	run -3 "$DANA" filter -q --text blocks -o x.warc a.warc
	run -3 "$DANA" extract --text blocks article.html
	run -3 "$DANA" extract --dropped -f json article.html
}

@test "wrong texts, keys and methods are refused with what would be right" {
	prints 3 "*'html' is unknown; expected plain|markdown|blocks*" "$DANA" extract --text html page.html
	prints 3 "*did you mean images\?*" "$DANA" extract --text markdown --markdown image=1 page.html
	prints 3 '*--markdown needs --text markdown or --text blocks*' "$DANA" extract --markdown images=1 page.html
	prints 3 '*the method r2l has no markdown; expected one of*learned*' "$DANA" extract -m r2l --text markdown page.html
	prints 3 '*--format json*' "$DANA" extract --text plain,markdown page.html
}

@test "the title is that of the page, not of its section or site" {
	local words='is long enough to look like the main content of a page, with many words and few tags, and some more words.'
	first() { # HEAD BODY [URL]
		printf '%s' "<head>$1</head><body>$2<p>Lamps $words</p><p>Wicks $words</p><p>Oil $words</p>" >t.html
		"$DANA" extract -m plain --exclude h1,h2 -f markdown --url "${3:-http://shore.example/a/b/c}" t.html | head -n 1
	}
	local og='<meta property="og:title" content='
	# og:title has all of <title> but its last part
	[ "$(first "<title>Mill at the river reopens - Culture</title>$og'Mill at the river reopens'>" '<h1><a href=/>Paper - Culture</a></h1>')" = '# Mill at the river reopens' ]
	[ "$(first "<title>Mill at the river reopens - Culture</title>$og'Mill at the river reopens - Culture'>" '')" = '# Mill at the river reopens' ]
	# the first part stands there twice
	[ "$(first '<title>High Tide - High Tide - Mill at the river reopens</title>' '')" = '# Mill at the river reopens' ]
	# the site and its section begin alike
	[ "$(first '<title>磨坊重新开放的消息传来了 - 新华社会 - 新华网</title>' '')" = '# 磨坊重新开放的消息传来了' ]
	[ "$(first '<title>磨坊重新开放的消息传来了 - 社会 - 新华网</title>' '')" = '# 磨坊重新开放的消息传来了 - 社会' ]
	# <title> is of the site, and the address has the words of og:title
	local slogan='<title>TIDE LAB | Plans and drawings for all</title>'
	[ "$(first "$slogan$og'Old Mills'>" '' http://shore.example/old-mills/)" = '# Old Mills' ]
	[ "$(first "$slogan$og'Old Mills'><meta property='og:url' content='http://shore.example/old_mills/'>" '')" = '# Old Mills' ]
	[ "$(first "$slogan$og'Old Mills'>" '')" = '# TIDE LAB | Plans and drawings for all' ]
	# <title> is the site's name and the host
	[ "$(first '<title>Shore, shore.example</title><meta property=og:site_name content=Shore>' '')" = "Lamps $words" ]
}

@test "text that a page keeps in noscript has its structure" {
	local words='is long enough to look like the main content of a page, with many words and few tags, and some more words.'
	{
		echo "<html><head><title>Lamps</title></head><body><div id=app></div><noscript><div class=topic><h1>Lamps</h1>"
		for name in Oil Gas Wax Tin Fat Sun; do
			echo "<div class=post><p>$name $words <b>Truly $name.</b></p><blockquote><p>Is $name so?</p></blockquote><ul><li>$name in a <a href=/$name>lamp</a> $words</ul></div>"
		done
		echo '</div></noscript><script>start()</script></body></html>'
	} >page.html
	"$DANA" extract -f markdown --url https://shore.example/a page.html >out.md
	grep -qx '# Lamps' out.md
	grep -qx "Gas $words \*\*Truly Gas.\*\*" out.md
	grep -qx '> Is Wax so?' out.md
	grep -qx -- "- Sun in a \[lamp\](https://shore.example/Sun) $words" out.md
}

@test "a heading that is surely none of the article is not kept for what follows it" {
	{
		echo '<title>The pier opens again</title><div class=nav><ul><li><a href=/>Home</a></li><li><a href=/n>News</a></li></ul></div>'
		echo '<h2 class="breadcrumb nav"><a href=/>Home</a> &gt; <a href=/n>News</a> &gt; <a href=/n/l>Local</a></h2>'
		echo '<article><h1>The pier opens again</h1><p>The ferry to the outer islands leaves at seven each morning, and on most days it carries more crates than people.</p>'
		echo '<h2>What it cost</h2><p>In the second year of the survey the team walked the whole coast with a tape and a notebook, and found forty wells.</p></article>'
	} >page.html
	[ "$("$DANA" extract -f markdown page.html | grep '^#' | paste -sd'|')" = '# The pier opens again|## What it cost' ]
	# a method without probabilities keeps it
	"$DANA" extract -m danag -f markdown page.html | grep -q '^## .*Local'
}

@test "a heading that is the title but for a count, a date or the site's name is not written twice" {
	local words='is long enough to look like the main content of a page, with many words and few tags, and some more words.'
	first() { # TITLE HEADING
		echo "<title>$1</title><h2>$2</h2><p>Lamps $words</p><p>Wicks $words</p>" >t.html
		"$DANA" extract -m plain -f markdown t.html | head -n 1
	}
	[ "$(first 'Mill reopens after years' 'Mill reopens after years <span>29 August 2011</span>')" = '## Mill reopens after years 29 August 2011' ]
	[ "$(first "Ann's blog: Mill reopens after years" 'Mill reopens after years')" = '## Mill reopens after years' ]
	[ "$(first 'Mill reopens after years - Football News' 'Football News')" = '# Mill reopens after years' ]
	[ "$(first 'Mill reopens' 'Mill reopens after years and so does the old baker of the town')" = '# Mill reopens' ]
}
