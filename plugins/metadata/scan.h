/* SPDX-License-Identifier: MIT */
/*
 * Facts that a page states about itself. Each is kept with its source; of several the one from the better source wins,
 * and among equal sources the first.
 */
#ifndef DANA_PLUGINS_METADATA_SCAN_H
#define DANA_PLUGINS_METADATA_SCAN_H

#include <stdbool.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/slice.h"
#include "extract/html/attribute.h"

enum fact {
	FACT_TITLE,
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
	FROM_LINK,         /* rel=canonical, rel=author */
	FROM_HTML,         /* the attribute lang of html; title */
	FROM_TIME,         /* the element time */
	FROM_TEXT,         /* the heading; a date or a byline near it */
	FROM_URL,          /* /2024/05/31/ in the address */
	FROM_ORGANISATION, /* an author in JSON-LD that is no person */
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
	const void *author_place; /* of the author: others from there are added */
	char latest[40];          /* latest possible date of the page, "2024-05-31"; empty if not known */
};

extern const char *const fact_keys[FACTS], *const origin_names[ORIGINS];

void facts_begin(struct facts *f);

/**
 * Offers a value as written in the source (`coded`: with character references). White space is collapsed; dates are
 * normalised to ISO 8601, and dropped if they are not dates; long values are cut.
 */
void fact_offer(struct facts *f, enum fact fact, enum origin from, struct slice value, bool coded);

/**
 * Offers an author, coded. Authors from the same source and place (as the meta elements of one name) are joined by ";
 * ".
 */
void author_offer(struct facts *f, enum origin from, const void *place, struct slice value);

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
	if (fact == FACT_TITLE && from == FROM_HTML)
		return FROM_URL; /* it often names the site, too */
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

/** Cuts " | Site" or " - Site" off the end of the title where that is the name of the site. */
void facts_cut_site_from_title(struct facts *f);

/* Start tags in HTML, read on demand; and the ends of scripts and styles. */

enum { TAG_ATTRS_MOST = 24 };

/** Where a tag is being read: zeroed after its name. */
struct tag_place {
	uint8_t quote; /* the quote that is open, or 0 */
	uint8_t last;  /* the byte before */
};

/** A start tag: its first attributes. */
struct tag {
	struct html_attr attrs[TAG_ATTRS_MOST];
	size_t n;
};

/** Returns the '>' that ends the tag, outside of quotes; NULL if the bytes end before, and *p is then where. */
const uint8_t *tag_close(struct tag_place *p, const uint8_t *at, const uint8_t *end);

/** Returns whether a start tag with this name (given in lower case) begins at the '<' at `at`. */
bool tag_is(const uint8_t *at, const uint8_t *end, const char *name);

/** Reads the tag at `at`, whose name has `name` bytes. Returns the byte after it; NULL if the text ends inside. */
const uint8_t *tag_read(const uint8_t *at, const uint8_t *end, size_t name, struct tag *tag);

/** Returns the value of the attribute with this name, in any case, as written in the source; empty if it is missing. */
static inline struct slice tag_attr(const struct tag *tag, const char *name)
{
	const struct slice wanted = slice_from_text(name);
	for (size_t i = 0; i < tag->n; i++)
		if (slice_equal_nocase(tag->attrs[i].name, wanted))
			return tag->attrs[i].value;
	return slice_of(NULL, 0);
}

/** Returns the '<' of the end tag of a script or style whose content begins at `at`; NULL if the text ends before. */
const uint8_t *tag_raw_end(const uint8_t *at, const uint8_t *end, const char *name);

/* JSON-LD (schema.org) of a page. */

enum { JSON_LD_BYTES = 256 * 1024, JSON_LD_DEPTH = 16, JSON_LD_NODES = 4096 };

/** Memory that a thread uses again for each script. Zero-initialise it; json_ld_free() frees it. */
struct json_ld {
	struct json_reader *reader;
	struct buf text, site, id; /* strings that had escapes */
	struct buf mended;         /* a script that was not JSON */
};

/**
 * Offers the facts of the first article (or page, or posting) that the script describes. A script that is nearly JSON
 * is mended; another one that is not JSON, or is larger than JSON_LD_BYTES, is ignored; so are deeply nested objects
 * and objects after JSON_LD_NODES.
 */
void json_ld_read(struct json_ld *j, struct slice script, struct facts *facts);

void json_ld_free(struct json_ld *j);

/* The heading of a page, and the date and the author that are written in the text around it. */

/**
 * Bytes that are searched, before the first heading and from there on. A date or a name that is not close to it counts
 * only if a word or a class names it.
 */
enum {
	BEFORE_HEADING = 4096,
	CLOSE_BEFORE = 512,
	NEAR_HEADING = 32768,
	CLOSE_TO_HEADING = 8192,
	PAGE_BEGIN = 65536,
	NEAR_LINE = 2048 /* bytes after the line that is taken as the heading */
};

/**
 * Offers to `facts` the heading; the first date in a short line after it, or the last one before it; the text of a link
 * to the author, the name in a byline, or in an element whose class names an author.
 */
void near_heading_read(struct slice before, struct slice near, struct facts *facts);
/** The same for a page whose heading is a line that ends where `near` begins: names are of two words or more. */
void near_line_read(struct slice before, struct slice near, struct facts *facts);

/**
 * Finds the line that is taken as the heading of a page without a heading: the first line that is a part of its
 * <title>. Returns the offset of its end; 0: there is no such line.
 *
 * src/extract/structure/title_lines.c decides which line is the title of Markdown, by the places of all tags and where
 * the text begins, and with references decoded. Here are only the bytes that the sieve has kept; so the first such line
 * counts, and references are passed over. To choose as there, the plugin would need what only Markdown makes.
 */
size_t title_line_end(struct slice page, struct slice title);

/* One pass over the tags of a page that hold metadata. */

/** Offers to `facts` the contents of the tags that a sieve has kept of a page (sieve.h). */
void scan_tags(struct slice kept, struct json_ld *json, struct facts *facts);

#endif
