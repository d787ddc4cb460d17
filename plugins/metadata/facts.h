/* SPDX-License-Identifier: MIT */
/*
 * What a page says of itself. Each fact is kept with where it came from; of several the one from the better place wins, and of
 * equal ones the first.
 */
#ifndef DANA_METADATA_FACTS_H
#define DANA_METADATA_FACTS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"

enum fact {
	FACT_PUBLISHED,
	FACT_MODIFIED,
	FACT_AUTHOR,
	FACT_SITE,
	FACT_CANONICAL,
	FACT_LANGUAGE,
	FACT_DESCRIPTION,
	FACT_KEYWORDS,
	FACT_IMAGE,
	FACTS
};

/** Where a fact stands, the best place first; fact_rank has the exceptions. */
enum origin {
	FROM_NOWHERE,
	FROM_JSON_LD,
	FROM_OPEN_GRAPH, /* og:, article: */
	FROM_META,
	FROM_MICRODATA,
	FROM_LINK, /* rel=canonical, rel=author */
	FROM_HTML, /* the attribute lang of html */
	FROM_TIME, /* the element time */
	FROM_TEXT, /* a date or a byline near the heading */
	FROM_URL,  /* /2024/05/31/ in the address */
	ORIGINS
};

enum { FACT_BYTES = 2048 };

/** Facts of one page. `at` and `len`: in `bytes`. */
struct facts {
	struct {
		enum origin from;
		size_t at, len;
	} list[FACTS];
	struct buf bytes;
	char latest[40]; /* day after which no page can be dated, "2024-05-31"; empty: not known */
};

extern const char *const fact_keys[FACTS], *const origin_names[ORIGINS];

void facts_begin(struct facts *f);
/**
 * Offers a value as it stands in the source (`coded`: with character references). White space is collapsed; dates are brought
 * into the form of ISO 8601, and dropped when they are none; long values are cut.
 */
void fact_offer(struct facts *f, enum fact fact, enum origin from, struct slice value, bool coded);
/** Of two places the one with the lower rank is better: what an element is made for comes before what is told in passing. */
static inline enum origin fact_rank(enum fact fact, enum origin from)
{
	if (fact == FACT_CANONICAL && from == FROM_LINK)
		return FROM_JSON_LD;
	if (fact == FACT_LANGUAGE && from == FROM_HTML)
		return FROM_OPEN_GRAPH;
	if (fact == FACT_LANGUAGE && from == FROM_OPEN_GRAPH)
		return FROM_META; /* og:locale is often that of the program which made the page */
	return from;
}
/** Whether a value from there would be taken. */
static inline bool fact_wanted(const struct facts *f, enum fact fact, enum origin from)
{
	enum origin best = f->list[fact].from;
	return best == FROM_NOWHERE || fact_rank(fact, from) < fact_rank(fact, best);
}
struct slice fact_value(const struct facts *f, enum fact fact);
/** Many pages name their site as the author where they have no other: then they name none. */
void facts_drop_site_as_author(struct facts *f);

#endif
