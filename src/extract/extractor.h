/* SPDX-License-Identifier: MIT */
/* Beyond the public API: lets the program listen to a method's decisions. */
#ifndef DANA_EXTRACT_EXTRACTOR_H
#define DANA_EXTRACT_EXTRACTOR_H

#include "base/slice.h"
#include "dana/dana.h"
#include "extract/method.h"
#include "extract/page_options.h"

/**
 * Like dana_new, with options of the page that were checked (page_options_check), in place of those in `options`, and a
 * listener, which must live as long as the extractor; each NULL: not so.
 */
int extractor_new(struct dana_extractor **out, const struct dana_options *options, const struct page_options *page,
		  struct trace *trace);

/**
 * Says before the first bytes of a page that what it is fed from `memory` stays as it is until dana_finish returns, so
 * that it need not be copied. `memory` is borrowed; the next dana_reset forgets it.
 */
void dana_page_stays(struct dana_extractor *x, struct slice memory);

/**
 * Sets where the extractor learns about other pages of a page's site, before its first page. Borrowed until dana_free.
 * Of a page without dana_page_url nothing is known.
 */
void dana_site_source(struct dana_extractor *x, const struct site_source *source);

/** What a page is. Of text no method is run: all of it is kept, line by line. */
enum page_form {
	FORM_HTML,
	FORM_TEXT,
	FORM_MARKDOWN, /* text that is its own Markdown */
};

/**
 * Says what the page is, after dana_reset and before its first bytes, which are well-formed UTF-8 where it is no HTML;
 * without it, it is HTML. The result of text has no title and no method.
 */
void dana_page_form(struct dana_extractor *x, enum page_form form);

/** Says that the page's Markdown is a file, which begins with the title; after dana_reset and before dana_finish. */
void dana_page_alone(struct dana_extractor *x);

/** Returns how the method decided about the page, after dana_finish; zeroed for methods without probabilities. */
struct page_decision dana_page_decision(const struct dana_extractor *x);

struct head_facts;
/** Returns whether the page's Markdown has a head with facts (structure/head.h). After dana_finish. */
bool dana_has_facts(const struct dana_extractor *x);
/** Writes that head again, with these facts, before dana_markdown is called again. Returns 0, DANA_ENOMEM. */
int dana_set_facts(struct dana_extractor *x, const struct head_facts *facts);

#endif
