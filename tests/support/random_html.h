/* SPDX-License-Identifier: MIT */
/*
 * HTML-ish bytes for the tokeniser and the DANA family: well-formed pieces, pieces cut anywhere, rare states, invalid
 * UTF-8, long stretches of text and of code in scripts of several directions. The same for the same seed.
 */
#ifndef DANA_TESTS_SUPPORT_RANDOM_HTML_H
#define DANA_TESTS_SUPPORT_RANDOM_HTML_H

#include "support/split_feed.h"

static const char *const random_html_pieces[] = {
	"<p>", "</p>", "<b>", "</b>", "<div class=\"a b\">", "</div>", "<a href=\"/x?a=1&b=2\">", "<a>", "</a>",
	"<A HREF='q>r'>", "<li id=x/>", "<br/>", "<br>", " ", "\n", "\r\n\t ", "  ", "\f", "<", ">", "a < b", "&amp;",
	"&lt", "&#1587;", "&#xA0;", "&nbsp;", "&",

	/* what is no element */
	"<!-- c -->", "<!-->", "<!--->", "<!--x--!>", "<!-- a > b", "-->", "<!doctype html>", "<?php x ?>", "<!x",
	"</ x>", "</>",

	/* elements with content of their own */
	"<script>", "</script>", "</scriptx>", "</script x='>'>", "<SCRIPT src=x />", "<style>p > a {}</style>",
	"<title>", "</title>", "<title>T &amp; U</title>", "<svg><path d=\"M0 0\"/>", "</svg>", "<noscript>",
	"</noscript>", "<textarea>", "</textarea>", "<select><option>", "</select>", "<input>", "<template>",
	"</template>", "<iframe src=x>", "</iframe>", "<body>", "</body>", "</html>", "<math>", "<math display=block>",
	"<math alttext=' x_1 '>", "<annotation encoding=application/x-tex>", "</math>",
	"<script src='/mathjax.js'></script>", "<script type=math/tex>",
	"<script type='math/tex; mode=display'>x</script>", "<span class=MathJax_Preview>", "<span class='MathJax x'>",
	"<span class=katex-html>", "</span>", "<h2>", "</h2>", "<x-card y=z>", "</x-card>",

	/* pieces of tags */
	"=", "\"", "'", "/", "<a title=\"x>y\">", "<a title= 'x>\"y' >", "<img src=x alt=\"",
	"<span \xd7\x90=\xd9\x85>",

	/* text */
	"\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "\xe4\xb8\xad\xe6\x96\x87\xe3\x80\x82",
	"\xf0\x9f\x98\x80", "\xc3\xa9", "\xc2\xa0", "\xd7", "\x90", "\xff", "\xe2\x82", "\xed\xa0\x80", "word", "x",
	"Text of some length",

	/* more of both */
	"<textarea/>", "<style/>", "<pre>", "</pre>", "<i style=\"x:y;white-space: pre\">",
	"<div class=a style='White-Space:Pre-Line;x'>", "<b style=white-space:break-spaces id=\"d-e\">",
	"<p style='white-space : normal;'>", "\n \t ", "<listing>", "</listing>", "<xmp>", "</xmp>", "\x01", "\x7f",
	"\x0b", "<td", "<ul>", "<i>", "</i>", "<object>", "</object>", "<object/>"
};

static inline void random_html_words(struct buf *page, uint32_t *random)
{
	static const char *const words[] = { "some", "words ", " of", "text\n",
					     /* other scripts */
					     "\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85", " \xd9\x88\xd8\xb1",
					     "\xd0\xb4\xd0\xb0 ", "\xe4\xb8\xad", ".", "2011 " };
	unsigned kind = split_random(random) % 3, count = split_random(random) % 60;
	for (unsigned i = 0; i < count; i++) {
		size_t first = kind == 1 ? 4 : 0, n = kind == 2 ? 5 : kind == 1 ? 4 : 10;
		buf_append_text(page, words[first + split_random(random) % n]);
		if (kind == 1 && i % 5 == 4)
			buf_append_text(page, " ");
	}
}

/* A tag or script of some length. */
static inline void random_html_code(struct buf *page, uint32_t *random)
{
	unsigned n = split_random(random) % 5 ? split_random(random) % 300 : split_random(random) % 3000;
	if (split_random(random) % 2)
		buf_printf(page, "<div class='%0*d' \xd9\x85=1>", (int)n, 1);
	else
		buf_printf(page, "<script>%0*d < \xd9\x85</script>", (int)n, 1);
}

/** Replaces `page` by about `pieces` pieces. */
static inline void random_html(struct buf *page, uint32_t seed, unsigned pieces)
{
	uint32_t random = seed * 2654435761U | 1;
	bool tame = seed % 4; /* else most pages end in a state that swallows the rest */
	buf_clear(page);
	for (unsigned i = 0; i < pieces; i++) {
		size_t n = sizeof(random_html_pieces) / sizeof(*random_html_pieces), len;
		const char *piece = random_html_pieces[split_random(&random) % n];
		unsigned what = split_random(&random) % 16;
		len = strlen(piece);
		bool opens = strchr(piece, '<') && !strchr(piece, '>');
		if (what == 0)
			random_html_words(page, &random);
		else if (what == 1)
			random_html_code(page, &random);
		else if (what == 2 && !tame)
			buf_append(page, piece, split_random(&random) % (len + 1));
		else if (what > 2 && !(tame && (opens || piece[len - 1] == '"')))
			buf_append(page, piece, len);
		if (tame && split_random(&random) % 24 == 0)
			buf_append_text(
				page, "</script></style></title></textarea></iframe></xmp></noscript></svg></object>");
	}
	must(!buf_status(page));
}

#endif
