/* SPDX-License-Identifier: MIT */
/* Which texts of a page are made besides the plain one (options --text, --markdown, --text-field). */
#ifndef DANA_ARCHIVE_TEXTS_H
#define DANA_ARCHIVE_TEXTS_H

#include "archive/document.h"

struct dana_extractor;

/** Zeroed: the plain text alone. */
struct texts {
	unsigned structure;        /* as dana_options.structure */
	const char *markdown;      /* as dana_options.markdown */
	bool without_plain;        /* WARC output has no record of the plain text */
	bool in_text;              /* the document's text is its Markdown */
	const char *const *others; /* methods besides the first, as for dana_new: their plain texts */
	size_t n_others;
};

/** Sets the document's Markdown, after dana_finish with these flags of the result. */
void texts_fill(const struct texts *texts, const struct dana_extractor *x, unsigned flags, struct document *doc);
/** After plugins: makes the Markdown the document's text, where that is asked for and no plugin has changed the text.
 */
void texts_choose(const struct texts *texts, struct document *doc);

#endif
