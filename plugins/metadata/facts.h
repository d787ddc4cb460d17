/* SPDX-License-Identifier: MIT */
/*
 * Facts that a page states about itself. Each is kept with its source; of several the one from the better source wins,
 * and among equal sources the first.
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

/** Sources of facts, the best first; fact_rank has the exceptions. */
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
	char latest[40]; /* latest possible date of the page, "2024-05-31"; empty if not known */
};

extern const char *const fact_keys[FACTS], *const origin_names[ORIGINS];

void facts_begin(struct facts *f);
/**
 * Offers a value as written in the source (`coded`: with character references). White space is collapsed; dates are
 * normalised to ISO 8601, and dropped if they are not dates; long values are cut.
 */
void fact_offer(struct facts *f, enum fact fact, enum origin from, struct slice value, bool coded);
/**
 * Returns the rank of a source; the lower, the better: an element made for the fact comes before one that mentions it
 * in passing.
 */
static inline enum origin fact_rank(enum fact fact, enum origin from)
{
	if (fact == FACT_CANONICAL && from == FROM_LINK)
		return FROM_JSON_LD;
	if (fact == FACT_LANGUAGE && from == FROM_HTML)
		return FROM_OPEN_GRAPH;
	if (fact == FACT_LANGUAGE && from == FROM_OPEN_GRAPH)
		return FROM_META; /* og:locale is often the default of the software that made the page */
	return from;
}
/** Returns whether a value from this source would be taken. */
static inline bool fact_wanted(const struct facts *f, enum fact fact, enum origin from)
{
	enum origin best = f->list[fact].from;
	return best == FROM_NOWHERE || fact_rank(fact, from) < fact_rank(fact, best);
}
struct slice fact_value(const struct facts *f, enum fact fact);
/** Drops the author if it is only the name of the site, as on many pages that have no other. */
void facts_drop_site_as_author(struct facts *f);

#endif
