# SPDX-License-Identifier: MIT
# The plugin metadata: where facts come from, which one wins, dates, links.

load ../support/cli

setup() {
	cd "$BATS_TEST_TMPDIR"
	if ! "$DANA" plugins | grep -q '^  metadata '; then
		skip "the plugin metadata is not built in"
	fi
}

# fact HTML KEY: the fact and where it came from, of one page.
fact() {
	response a "${url:-http://a.example/x/y.html}" "<!doctype html>$1<p>The river rose in the night and the people went up the hill.</p>" |
		sed 's/^WARC-Date: .*T/WARC-Date: 2024-06-10T/' >page.warc
	"$DANA" filter -q -m plain --min-chars 0 --plugin "metadata${options:-}" page.warc | jq -r --arg k "$2" '[.metadata[$k], .metadata[$k + "_from"]] | map(. // "-") | join(" ")'
}

@test "of several dates the one from the best place wins" {
	ld='<script type="application/ld+json">{"@graph":[{"@type":"BreadcrumbList","datePublished":"2001-01-01"},{"@type":["NewsArticle"],"datePublished":"2024-05-31T10:00:00+02:00","author":[{"name":"A. Writer"},{"name":"B. &amp; C."}]}]}</script>'
	[ "$(fact "<meta property=article:published_time content=2024-04-01>$ld" published)" = "2024-05-31T10:00:00+02:00 json-ld" ]
	[ "$(fact "$ld" author)" = "A. Writer; B. & C. json-ld" ]
	[ "$(fact '<meta name=date content=2024-03-01><meta property=article:published_time content="2024-04-01T08:00:00Z">' published)" = "2024-04-01T08:00:00Z open-graph" ]
	[ "$(fact '<h1>H</h1><time datetime="2024-02-03">3 Feb</time>' published)" = "2024-02-03 time" ]
	[ "$(fact '<meta itemprop="datePublished" content="2024-02-05">' published)" = "2024-02-05 microdata" ]
	[ "$(fact '<h1>H</h1><div>By A. Writer, 2 March 2024</div>' published)" = "2024-03-02 text" ]
	[ "$(url=http://a.example/2023/11/05/x fact '<h1>H</h1>' published)" = "2023-11-05 url" ]
	[ "$(fact '<h1>H</h1>' published)" = "- -" ]
	# facts move in memory while dates of an address that is one of them are refused
	for n in 3 11 27 59 123; do
		p=$(printf '%*s' $n '' | tr ' ' p)
		[ "$(MALLOC_PERTURB_=1 fact "<link rel=canonical href='https://example.org/$p/2024-13-45/a/2024-14-46/2024-05-31/'>" published)" = "2024-05-31 url" ]
	done
}

@test "dates are read as people write them" {
	while IFS='|' read -r written date; do
		[ "$(fact "<meta name=date content=\"$written\">" published)" = "$date meta" ] || { echo "$written"; false; }
	done <<-END
		2024/5/31|2024-05-31
		31.05.2024|2024-05-31
		31. Mai 2024, 10:00 Uhr|2024-05-31
		May 31, 2024|2024-05-31
		Fri, 31 May 2024 10:00:00 GMT|2024-05-31
		31 мая 2024|2024-05-31
		2024年5月31日|2024-05-31
		31/12/2023|2023-12-31
		2024-05-31 10:20:30|2024-05-31T10:20:30
	END
	[ "$(fact '<html lang=en-US><meta name=date content=5/6/2024>' published)" = "2024-05-06 meta" ]
	[ "$(fact '<html lang=en-GB><meta name=date content=5/6/2024>' published)" = "2024-06-05 meta" ]
	[ "$(fact '<meta name=date content="99 problems, 2 of 31">' published)" = "- -" ]
}

@test "a page is not dated after it was fetched" {
	[ "$(fact '<meta name=date content=2024-07-01><meta name=pubdate content=2024-06-01>' published)" = "2024-06-01 meta" ]
}

@test "a line of date close to any main heading counts, as the first may be the name of the site" {
	menu=$(printf '<li><a href=/%d>Entry</a></li>' $(seq 500))
	[ "$(fact "<h1>Site</h1><ul>$menu</ul><h1>Warm it was</h1><p class=info>10.06.2018 22:00</p>" published)" = "2018-06-10 text" ]
	[ "$(fact "<h1>Site</h1><ul>$menu</ul><h2>Warm it was</h2><p class=info>10.06.2018 22:00</p>" published)" = "- -" ]
}

@test "a line that ends in lower case is no name, but a pen name is" {
	[ "$(fact '<h1>H</h1><p>Von Steuerungsanlagen veröffentlicht hat</p>' author)" = "- -" ]
	[ "$(fact '<h1>H</h1><p>By <a href=/a>danah boyd</a></p>' author)" = "danah boyd text" ]
}

@test "an author is a name, near the heading where no tag names one" {
	[ "$(fact '<h1>H</h1><p>By Ann Lee, Paris' author)" = "Ann Lee text" ]
	[ "$(fact '<h1>H</h1><p>Posted by <b>ann</b> on 3 May' author)" = "ann text" ]
	[ "$(fact '<h1>H</h1><p>May 3, 2024 by<br>Ann Lee' author)" = "Ann Lee text" ]
	[ "$(fact '<h1>H</h1><p>Von Ann Lee in News' author)" = "Ann Lee text" ]
	[ "$(fact '<h1>H</h1><p>By Bo <a rel=author href=/ann>Ann Lee</a>' author)" = "Ann Lee link" ]
	[ "$(fact '<h1>H</h1><p>by: Ann Lee<meta name=author content="Bo">' author)" = "Bo meta" ]
	[ "$(fact '<meta name=author content=http://a.example/bo><meta name=author content=b@a.example>' author)" = "- -" ]
	[ "$(fact '<h1>H</h1><p>By using this site you agree<p>By 31 May<p>Byron<script>By Ann Lee</script>' author)" = "- -" ]
}

@test "a site is not taken for the author" {
	ld='<script type="application/ld+json">{"@type":"NewsArticle","author":[{"name":"The Site"},{"name":"Ann Lee"}],"publisher":{"name":"The Site"}}</script>'
	[ "$(fact "$ld" author)" = "Ann Lee json-ld" ]
	[ "$(fact '<meta property=og:site_name content="The Site"><meta name=author content="the site"><h1>H</h1><p>By Ann Lee' author)" = "Ann Lee text" ]
	[ "$(fact '<meta property=og:site_name content="The Site"><h1>H</h1><p>By The Site' author)" = "- -" ]
}

@test "with links the other facts are the same, after an attribute that nothing ends too" {
	html='<html lang=en-GB><meta property="og:published_time" content="31/5/2024"><meta name=author content="Ann><link rel=canonical href="http://x.example/?h1><p>May 31, 2024</p><span itemprop=author>B</span><time datetime="2024-05-30T12:00Z">x</time>'
	fact "$html" author >/dev/null
	for o in 0 1; do
		"$DANA" filter -q -m plain --min-chars 0 --plugin metadata:links=$o page.warc | jq -c '.metadata | del(.links)' >facts$o
	done
	diff facts0 facts1
	[ "$(jq -r .published facts0)" = 2024-05-31 ]
}

@test "canonical address, site, language, description, keywords, image" {
	html='<html lang=fa><head><link rel=canonical href="/a/../b?x=1&amp;y=2"><meta property=og:site_name content="A  site"><meta name=description content="Of
		rivers"><meta name=keywords content="a, b"><meta property=og:image content="//i.example/p.png">'
	[ "$(fact "$html" canonical)" = "http://a.example/b?x=1&y=2 link" ]
	[ "$(fact "<meta property=og:url content=/c>$html" canonical)" = "http://a.example/b?x=1&y=2 link" ]
	[ "$(fact '<meta property=og:url content=/c>' canonical)" = "http://a.example/c open-graph" ]
	[ "$(fact "$html" site)" = "A site open-graph" ]
	[ "$(fact "$html" description)" = "Of rivers meta" ]
	[ "$(fact "$html" keywords)" = "a, b meta" ]
	[ "$(fact "$html" image)" = "http://i.example/p.png open-graph" ]
	[ "$(fact "$html" language)" = "fa html" ]
	[ "$(fact '<meta property=og:locale content=ar><html lang=fa>' language)" = "fa html" ]
	[ "$(fact '<meta property=og:locale content=ar><meta http-equiv=content-language content=fa>' language)" = "ar open-graph" ]
	[ "$(fact '<html lang=fa><script type="application/ld+json">{"@type":"Article","inLanguage":"ur"}</script>' language)" = "ur json-ld" ]
}

@test "links are absolute, with their text and rel" {
	options=:links=1
	html='<a href="z.html" rel="nofollow">One <b>two</b>
		three</a><a href="#here">no</a><a href="../up/./q?a=1#f">Up</a><a href="mailto:a@b.example">no</a><a href="?k=v">&lt;</a><!-- <a href=no>no</a> -->'
	fact "$html" site >/dev/null
	"$DANA" filter -q -m plain --plugin metadata:links=1 page.warc | jq -c '.metadata.links' >links
	[ "$(cat links)" = '[{"url":"http://a.example/x/z.html","text":"One two three","rel":"nofollow"},{"url":"http://a.example/up/q?a=1#f","text":"Up"},{"url":"http://a.example/x/y.html?k=v","text":"<"}]' ]
}

@test "scripts that are no JSON, or end the page, harm nothing" {
	[ "$(fact '<script type="application/ld+json">{"@type":"Article","datePublished":</script><meta name=date content=2024-01-02>' published)" = "2024-01-02 meta" ]
	[ "$(fact '<meta name=date content=2024-01-02><script type="application/ld+json">{"@type"' published)" = "2024-01-02 meta" ]
	deep=$(printf '[%.0s' $(seq 3000))
	[ "$(fact "<meta name=date content=2024-01-02><script type=\"application/ld+json\">$deep</script>" published)" = "2024-01-02 meta" ]
}

@test "the day in the canonical address counts where nothing else tells one" {
	[ "$(fact '<link rel=canonical href=http://a.example/2024/02/07/title>' published)" = "2024-02-07 url" ]
	[ "$(url=http://a.example/2023/11/05/x fact '<link rel=canonical href=http://a.example/2024/02/07/title>' published)" = "2023-11-05 url" ]
}

@test "the title is the article's, else the heading, else that of the page" {
	[ "$(fact '<title>T - Site</title><meta property=og:title content="T &amp; U"><h1>H</h1>' title)" = "T & U open-graph" ]
	[ "$(fact '<script type=application/ld+json>{"@type":"Article","headline":"L"}</script><meta property=og:title content=T>' title)" = "L json-ld" ]
	[ "$(fact '<title>T - Site</title><h1 class=x>The <b>river</b>
 rose</h1>' title)" = "The river rose text" ]
	[ "$(fact '<title>T - Site</title><h2>H</h2>' title)" = "T - Site html" ]
	[ "$(fact '<h1></h1>' title)" = "- -" ]
}

@test "what is far from the heading, or before it, is a date or a name where a word or a class names it" {
	far=$(printf '<p>%0130d' $(seq 100))
	while IFS='|' read -r page published author; do
		page=${page/FAR/$far}
		[ "$(fact "$page" published)" = "$published" ] || { echo "$page: $(fact "$page" published)" | cut -c1-300; false; }
		[ "$(fact "$page" author)" = "$author" ] || { echo "$page: $(fact "$page" author)" | cut -c1-300; false; }
	done <<-END
		<p>May 31, 2024</p><h1>H</h1>|2024-05-31 text|- -
		<p>May 31, 2024</p>FAR<h1>H</h1>|- -|- -
		<h1>H</h1><p>$(printf '%0200d' 0 | tr 0 ' ')May 31, 2024$(printf '%0200d' 0 | tr 0 ' ')</p>|2024-05-31 text|- -
		<p class=pub-date>June 1, 2023</p><p class=pub-date>May 31, 2024</p><h1>H</h1>|2024-05-31 text|- -
		<div class=eyebrow>Published: <b>31.05.2024</b></div><h1>H</h1>FAR<p>4 May 2024|2024-05-31 text|- -
		<h1>H</h1>FAR<p>May 31, 2024|- -|- -
		<h1>H</h1>FAR<p>Published on May 31, 2024|2024-05-31 text|- -
		<h1>H</h1>FAR<p>Veröffentlicht am 31. Mai 2024|2024-05-31 text|- -
		<h1>H</h1>FAR<p>发布于 2024-05-31 09:16:25|2024-05-31T09:16:25 text|- -
		<h1>H</h1>FAR<li><span>입력</span> 2024-05-31|2024-05-31 text|- -
		<h1>H</h1>FAR<p class="x newspaper-date">May 31, 2024|2024-05-31 text|- -
		<h1>H</h1><p class=author-name>Ann Lee</p>|- -|Ann Lee text
		<h1>H</h1><div class='byline'><span>By</span> <a>Ann Lee</a></div>|- -|Ann Lee text
		<div class=byline>Ann Lee</div><h1>H</h1>|- -|Ann Lee text
		<h1>H</h1><div class=author-bio>About Ann</div><p class=author>About the author</p>|- -|- -
		<h1>H</h1><p class=author>Share</p><p class=author>7 comments</p><p class=author>lower case</p>|- -|- -
		<h1>H</h1><p class=comment-author>Bob Ray</p><p class="related byline">Bob Ray</p>|- -|- -
		<h1>H</h1><p class=authorization>Sign in here now or never, or write to us and wait for us|- -|- -
	END
}

@test "addresses have their day in several forms" {
	while read -r address date; do
		[ "$(url=$address fact '<h1>H</h1>' published)" = "$date" ] || { echo "$address: $(url=$address fact '<h1>H</h1>' published)"; false; }
	done <<-END
		http://a.example/2023/11/05/x 2023-11-05 url
		http://a.example/x/2023-11-05-river 2023-11-05 url
		http://a.example/4031311-20231105-river 2023-11-05 url
		http://a.example/a_20231105.html 2023-11-05 url
		http://a.example/2023/nov/05/x 2023-11-05 url
		http://a.example/archive/2023/November/5/x 2023-11-05 url
		http://a.example/news/2023-11/05/content_1.htm 2023-11-05 url
		http://a.example/x_2023_11/05/1.shtml 2023-11-05 url
		http://a.example/2023/11/5/x 2023-11-05 url
		http://a.example/2023/1/5 2023-01-05 url
		http://a.example/2023/11/5-ways-to-x - -
		http://a.example/2023/11/ - -
		http://a.example/2023/11 - -
		http://a.example/2023/ - -
		http://a.example/2023 - -
		http://a.example/2023/novel/05/ - -
		http://a.example/2023/market/05/ - -
		http://a.example/2023/13/05/ - -
		http://a.example/202311051 - -
		http://a.example/20231305 - -
		http://a.example/2023-11-051 - -
		http://a.example/x20231105 - -
		http://a.example/20991105 - -
	END
	[ "$(fact '<meta property=og:image content=/img/2023/11/05/river.jpg>' published)" = "2023-11-05 url" ]
}

@test "an address, a path or an account of software is no author" {
	for no in http://a.example/ann www.facebook.com/ann AnnBlog/ ann@example.com admin WP '&nbsp;' '&#8203;' '·' '«' '©' '&times;' '&#xFEFF;'; do
		[ "$(fact "<meta property=article:author content=\"$no\"><meta name=author content='Ann Lee'>" author)" = "Ann Lee meta" ] || { echo "$no"; false; }
	done
}

@test "several authors are joined wherever they come from" {
	ld='<script type=application/ld+json>{"@graph":[{"@type":"Article","author":[{"@id":"#a"},{"@id":"#b"},{"@id":"#c"}]},{"@id":"#a","name":"Ann Lee"},{"@id":"#b","name":"Bo Ek"}]}</script>'
	while IFS='|' read -r page author; do
		[ "$(fact "$page" author)" = "$author" ] || { echo "$page: $(fact "$page" author)"; false; }
	done <<-END
		$ld|Ann Lee; Bo Ek json-ld
		<script type=application/ld+json>{"@type":"Article","author":{"name":["Ann Lee","Bo Ek"]}}</script>|Ann Lee; Bo Ek json-ld
		<meta name=author content="Ann Lee"><meta name=date content=2024-01-02><meta name=author content="Bo Ek"><meta name=author content="ann lee">|Ann Lee; Bo Ek meta
		<meta name=citation_author content="Lee, Ann"><meta name=citation_author content="Ek, Bo">|Lee, Ann; Ek, Bo meta
		<meta name=author content="Ann Lee"><meta name=dc.creator content="Bo Ek">|Ann Lee meta
		<meta name=byl content="By Ann Lee and Bo Ek">|Ann Lee; Bo Ek meta
		<h1>H</h1><p class=byline>By ANN LEE, BO EK and CY DAY</p>|ANN LEE; BO EK; CY DAY text
		<h1>H</h1><p>By Ann Lee and Bo Ek, Paris</p>|Ann Lee; Bo Ek text
		<h1>H</h1><p>By Ann and Bo</p>|Ann and Bo text
		<h1>H</h1><p class=byline>By rural reporter <a href=/k>Kath Sully</a></p>|Kath Sully text
		<h1>H</h1><p class=byline>By the Village Press</p>|the Village Press text
		<h1>H</h1><span class="author vcard"><a class="url fn n" href=/a>Ann Lee</a></span>|Ann Lee text
		<h1>H</h1><div class="author card"><a href=/a>Ann Lee</a></div>|- -
		<meta name=citation_authors content="Lee, Ann; Ek, Bo">|Lee, Ann; Ek, Bo meta
		<meta name=author content="أحمد منصور، ليلى حداد">|أحمد منصور; ليلى حداد meta
		<meta name=author content="山田花子、田中太郎">|山田花子; 田中太郎 meta
		<meta name=author content="山田花子、&#13; 田中太郎">|山田花子; 田中太郎 meta
		<h1>H</h1><div class=author><button>Unfollow</button></div>|- -
		<meta name=author content="&nbsp;">|- -
		<script type=application/ld+json>{"@type":"Article","author":{"@type":"Organization","name":"The Post"}}</script><h1>H</h1><p>By Ann Lee|Ann Lee text
		<script type=application/ld+json>{"@type":"Article","author":{"@type":"Organization","name":"The Post"}}</script><h1>H</h1>|The Post json-ld
	END
}

@test "JSON-LD that is nearly JSON is read" {
	while IFS='|' read -r begin end; do
		page=$(printf "$begin"'{"@type":"Article",//c\n"headline":"The\tpier\n opens /*not a comment*/, ]","datePublished":"2024-05-31",}'"$end")
		[ "$(fact "$page</script>" published)" = "2024-05-31 json-ld" ] || { echo "$page"; false; }
		[ "$(fact "$page</script>" title)" = "The pier opens /*not a comment*/, ] json-ld" ]
	done <<-'END'
		<script type="application/ld+json">|
		<script type="application/ld+json; charset=utf-8"><!--\n|-->
		<script type="application&#x2F;ld&#x2B;json">/*<![CDATA[*/|/*]]>*/
		<script type="application/ld+json">//<![CDATA[\n|\n//]]>
	END
	[ "$(fact '<script type=application/ld+json>{"@type":"VideoObject","uploadDate":"2024-04-06","comment":[{"@type":"Comment","dateCreated":"2024-05-11","author":{"name":"X Y"}}]}</script>' published)" = "2024-04-06 json-ld" ]
	[ "$(fact '<script type=application/ld+json>{"@type":"PodcastEpisode","datePublished":"2024-04-06"}</script>' published)" = "2024-04-06 json-ld" ]
	[ "$(fact '<script type=application/ld+json>{"@type":"Comment","datePublished":"2024-04-06"}</script>' published)" = "- -" ]
	[ "$(fact '<script type=application/ld+json>{"@type":"Article","headline":"The "old" pier","x":undefined,,"datePublished":"2024-04-06"</script>' title)" = 'The "old" pier json-ld' ]
	[ "$(fact '<script type=application/ld+json>{"@graph":[{"@type":"Article","datePublished":"2024-04-06</script>' published)" = "2024-04-06 json-ld" ]
	[ "$(fact '<script type=application/ld+json>'$'\xEF\xBB\xBF''{"@type":"AudioObject","uploadDate":"2024-04-06"}</script>' published)" = "2024-04-06 json-ld" ]
}

@test "times of other pages, comments and events do not date the page" {
	other='<time datetime=2023-05-01>1 May 2023</time>'
	while IFS='|' read -r page published; do
		[ "$(fact "<h1>H</h1>$page" published)" = "$published" ] || { echo "$page: $(fact "<h1>H</h1>$page" published)"; false; }
	done <<-END
		<div class=related><div>x</div>$other</div>|- -
		<div class=related><div>x</div></div>$other|2023-05-01 time
		<section id=comments><p>$other</section><p>Posted on 9 September 2021|2021-09-09 text
		<p>Posted on 9 September 2021<p>$other|2021-09-09 text
		<p>Posted on <time datetime=2021-09-09T10:00>9 September 2021</time>|2021-09-09T10:00 time
		<p>The concert is on $other at the chapel.|- -
		<div class=article-has-sidebar>$other</div>|2023-05-01 time
		<div class=next-post>$other</div>|- -
	END
}

@test "the site's name is cut off the end of the title" {
	site='<meta property=og:site_name content="The Post">'
	[ "$(fact "$site<meta property=og:title content='T - U | the post'>" title)" = "T - U open-graph" ]
	[ "$(fact "$site<meta property=og:title content='News of The Post'>" title)" = "News of The Post open-graph" ]
	[ "$(fact "$site<meta property=og:title content='The Post'>" title)" = "The Post open-graph" ]
	[ "$(fact "<meta property=og:title content='T | The Post'>" title)" = "T | The Post open-graph" ]
}

@test "all names of a byline in several elements, and no mark at their ends" {
	local long
	printf -v long '%0600d' 0
	[ "$(fact '<h1>T</h1><div>By <a rel=author href=/m>Mira Holm</a>, <a rel=author href=/t>Tom Wells</a> and <a rel=author href=/r>Rui Faro</a></div>' author)" = "Mira Holm; Tom Wells; Rui Faro link" ]
	[ "$(fact '<h1>T</h1><ul class=authors><li class=author>Mira Holm</li><li class=author>Tom Wells</li></ul>' author)" = "Mira Holm; Tom Wells text" ]
	[ "$(fact '<h1>T</h1><p class=author>Mira Holm</p><p class=author-title>Head Keeper</p>' author)" = "Mira Holm text" ]
	[ "$(fact '<h1>T</h1><p>Par Mira Holm &amp; Tom Wells | 9 septembre 2021</p>' author)" = "Mira Holm; Tom Wells text" ]
	[ "$(fact '<h1>T</h1><p>By MIRA HOLM &ndash; 3 hours ago</p>' author)" = "MIRA HOLM text" ]
	[ "$(fact '<h1>T</h1><p>By <span>Mira Holm</span> y <span>Tom Wells</span></p>' author)" = "Mira Holm; Tom Wells text" ]
	[ "$(fact '<h1>T</h1><p>By <span>Mira Holm</span> <span>Old Lamps</span></p>' author)" = "Mira Holm text" ]
	# JSON-LD that is encoded as text is, and its creator
	[ "$(fact '<script type=application/ld+json>{&quot;@type&quot;:&quot;Article&quot;,&quot;author&quot;:&quot;Ann Lee&quot;}</script>' author)" = "Ann Lee json-ld" ]
	[ "$(fact '<script type=application/ld+json>{"@type":"Article","creator":["Ann Lee","Bo Ek"]}</script>' author)" = "Ann Lee; Bo Ek json-ld" ]
	# a time far below a date at the heading is of something else
	[ "$(fact "<h1>T</h1><p>9 September 2021</p><p>$long</p><time datetime=2030-05-01>1 May</time>" published)" = "2021-09-09 text" ]
	[ "$(fact "<h1>T</h1><p>9 September 2021</p><p>$long</p><time datetime=2021-09-09T10:00>Thursday</time>" published)" = "2021-09-09T10:00 time" ]
}

@test "of a page without a main heading the line that is a part of the title stands for it" {
	local t='<title>Shore Daily: The river rose again</title>'
	[ "$(fact "$t<div>News</div><font>The river rose again</font><br>By Ann Lee<br>2 March 2024<br>" author)" = "Ann Lee text" ]
	[ "$(fact "$t<div>News</div><font>The river rose again</font><br>By Ann Lee<br>2 March 2024<br>" published)" = "2024-03-02 text" ]
	# one word is no name there, nor what begins with a bracket; without such a line there is nothing
	[ "$(fact "$t<b>The river rose again</b><table><tr><th>Author<th>Message</table>" author)" = "- -" ]
	[ "$(fact "$t<b>The river rose again</b><p>By (Press Office)<p>" author)" = "- -" ]
	[ "$(fact "$t<div>By Ann Lee<br>2 March 2024</div>" author)" = "- -" ]
	[ "$(fact "$t<script>'<b>The river rose again</b>'</script><p>By Ann Lee<p>" author)" = "- -" ]
	# far from the line, or another day than in the address
	[ "$(fact "$t<b>The river rose again</b><p>$(printf '%2100s' '' | tr ' ' x)<p>By Ann Lee<p>" author)" = "- -" ]
	[ "$(url=http://a.example/2024/03/01/x fact "$t<b>The river rose again</b><p>2 March 2024<p>" published)" = "2024-03-01 url" ]
	[ "$(url=http://a.example/2024/03/02/x fact "$t<b>The river rose again</b><p>2024-03-02 10:30<p>" published)" = "2024-03-02T10:30 text" ]
}

@test "a host is not taken for the author" {
	[ "$(url=http://www.shore.example/a fact '<meta name=author content=Shore.Example><h1>H</h1>' author)" = "- -" ]
	[ "$(url=http://shore.example/a fact '<meta name=author content="Shore"><h1>H</h1>' author)" = "Shore meta" ]
}
