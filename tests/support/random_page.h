/* SPDX-License-Identifier: MIT */
/*
 * Pages made of random pieces of HTML, the same for the same seed: text long and short, links, lists, tables, faults.
 */
#ifndef DANA_TESTS_SUPPORT_RANDOM_PAGE_H
#define DANA_TESTS_SUPPORT_RANDOM_PAGE_H

#include "support/split_feed.h"

static inline void random_words(struct buf *page, uint32_t *random, unsigned count)
{
	static const char *const words[] = { "a", "of", "the", "word", "content", "extraction", "page,", "end.",

					     /* not ASCII, or not as it is written */
					     "&amp;", "caf\xc3\xa9", "\xe4\xb8\xad\xe6\x96\x87", "\xe3\x80\x82",
					     "x&lt;y", "3.14", "\"Why?\"", "&#8220;q&#8221;", "\n" };
	for (unsigned i = 0; i < count; i++) {
		const char *word = words[split_random(random) % (sizeof(words) / sizeof(*words))];
		buf_printf(page, "%s%s", word, split_random(random) % 8 ? " " : "");
	}
}

/** Replaces `page` by about `pieces` pieces. */
static inline void random_page(struct buf *page, uint32_t seed, unsigned pieces)
{
	static const char *const tags[] = {
		"<p>", "</p>", "<div>", "</div>", "<div class=\"nav ads\">", "<a href=\"/x?y=1\">", "</a>", "<b>",
		"</b>", "<ul>", "<li>", "</li>", "</ul>",

		/* tables */
		"<table>", "<tr>", "<td>", "</td>", "</table>", "<h2>", "</h2>", "<br>", "<img src=i.png>",
		"<img src=big.png width=800 height=600 alt=Big>",

		/* what is not shown */
		"<script>var a = '<p>';</script>", "<!-- a comment -->", "<form>", "</form>", "<button>", "</button>",

		/* more blocks */
		"<section>", "</section>", "<blockquote>", "</blockquote>", "<span title='a > b'>", "</span>", "\n",
		"\n  ", "<svg><path d=\"M0 0\"/></svg>", "<x-card>", "</x-card>", "<hr>", "</em>", "<dl><dt>", "<dd>",
		"</dl>", "<style>p { }</style>", "<pre>", "</pre>", "<span style='white-space:pre-line'>",
		"<p style=\"color: red; White-Space : PRE-WRAP\">", "\n\t &#10;&nbsp; ",
		"<noscript><p>hid</p></noscript>"
	};
	uint32_t random = seed * 2654435761U | 1;
	buf_clear(page);
	for (unsigned i = 0; i < pieces; i++) {
		uint32_t number = split_random(&random);
		if (number % 3 == 0)
			random_words(page, &random, number % 7 == 0 ? number / 7 % 60 : number / 7 % 6);
		else
			buf_append_text(page, tags[number / 3 % (sizeof(tags) / sizeof(*tags))]);
		/* A script of some length puts cells apart. */
		if (number % 97 == 0)
			buf_printf(page, "<script>%0*d</script>", (int)(number / 97 % 900), 0);
	}
	must(!buf_status(page));
}

#endif
