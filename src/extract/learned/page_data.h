/* SPDX-License-Identifier: MIT */
/*
 * What a page declares to be about: values of "@type" in its JSON-LD, one bit for each group of types. Read as it
 * comes, in pieces of any length; JSON is not parsed, nothing is kept but a word of a few bytes.
 *
 * Example: <script type="application/ld+json">{"@type": ["Thing", "Recipe"]}</script> declares a recipe.
 */
#ifndef DANA_EXTRACT_LEARNED_PAGE_DATA_H
#define DANA_EXTRACT_LEARNED_PAGE_DATA_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"
#include "extract/html/attribute.h"
#include "extract/learned/tokens.h"

enum declared_type {
	DECLARED_RECIPE = 1,
	DECLARED_PRODUCT = 2,
	DECLARED_ARTICLE = 4,
	DECLARED_FORUM = 8,
	DECLARED_LIST = 16,
	DECLARED_SERVICE = 32,
	DECLARED_ANY = 128, /* there is JSON-LD */
};

/** What a script holds, by the type in the first DECLARED_HEAD bytes of its tag. */
enum script_kind { SCRIPT_OTHER, SCRIPT_DATA /* JSON-LD */, SCRIPT_TEMPLATE /* HTML */ };

enum { DECLARED_HEAD = 128, DECLARED_WORD = 24 };

struct declared {
	uint8_t types;             /* bits of enum declared_type */
	uint8_t state;             /* enum in page_data.c */
	uint8_t script;            /* enum script_kind of the bytes that come */
	uint8_t len;               /* of `bytes` */
	bool list;                 /* inside of [...] */
	char bytes[DECLARED_HEAD]; /* begin of a script's tag, or of a type's name */
};

void declared_reset(struct declared *d);
/**
 * Takes bytes of scripts and comments with their tags; `first`: a tag or comment begins with them. Returns those that
 * are a script's content.
 */
struct slice declared_add(struct declared *d, struct slice bytes, bool first);

/*
 * The page's metadata in <meta> and <link>: its description, type and address. The description may come after the text
 * and may have any length, so only a set of its hashed runs of three words is kept.
 */

/** og:type. */
enum og_type { OG_NONE, OG_OTHER, OG_WEBSITE, OG_ARTICLE, OG_PRODUCT };

struct page_meta {
	struct word_runs described;
	struct declared declared;
	uint8_t og_type;
	uint8_t url_last, url_digits; /* of the page's canonical address */
	struct buf scratch;
};

void page_meta_reset(struct page_meta *m);
void page_meta_free(struct page_meta *m);
/** Takes a <meta>. */
int page_meta_read_meta(struct page_meta *m, struct html_attr_reader *attrs);
/** Takes a <link>: with rel=canonical it has the page's address. */
void page_meta_read_link(struct page_meta *m, struct html_attr_reader *attrs);

/*
 * Text that scripts hold: templates of HTML, and `articleBody` of JSON-LD. A page that shows it is built by scripts in
 * the browser, so it is kept until the page's end and read only if the page itself shows hardly any text. Bounded by
 * HELD_MOST bytes of each.
 *
 * Example: a page of nothing but <script type="text/template"><p>The old lamp ...</p></script>.
 */

enum { HELD_MOST = 1 << 18, HELD_ROOM = 1 << 14 };

struct held_text {
	struct buf templates; /* HTML, one after the other */
	struct buf data;      /* JSON, one after the other */
	size_t last;          /* where the last template begins */
};

void held_text_reset(struct held_text *h);
void held_text_free(struct held_text *h);
/** Adds bytes of a script's content; `first`: it begins with them. */
int held_text_add(struct held_text *h, enum script_kind kind, struct slice bytes, bool first);
/** Returns the templates without those that wait for values, {{such}} or <%such%>: they are no text. */
struct slice held_text_templates(struct held_text *h);
/** Appends each articleBody as HTML, a paragraph for each of its lines. */
int held_text_bodies(const struct held_text *h, struct buf *html);

#endif
