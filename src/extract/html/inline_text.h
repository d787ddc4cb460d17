/* SPDX-License-Identifier: MIT */
/*
 * Formulas, and raised and lowered text (raised.h), as text like any other, for handlers that know none: between the
 * tokeniser and a handler that asks for it.
 *
 * The TeX of a <math> or of MathJax's script, or else the letters of <math>, is a run of text before its end tag; what
 * MathJax shows before the script, and KaTeX after the <math>, comes as skipped text. So does the text of a <sup>,
 * after which comes what is written for it.
 *
 * Example: "<span class=MathJax_Preview>x2</span><script type=math/tex>x_2</script>" gives the text "x2", skipped, and
 * the text "x_2".
 *
 * Memory: what is held costs up to 200 bytes for each byte of it, where the page comes byte by byte. All functions with
 * a status return 0, DANA_ENOMEM or the handler's error. Not for concurrent use.
 */
#ifndef DANA_EXTRACT_HTML_INLINE_TEXT_H
#define DANA_EXTRACT_HTML_INLINE_TEXT_H

#include "base/buf.h"
#include "extract/html/byte_masks.h"
#include "extract/html/formula.h"
#include "extract/html/tokenizer.h"

enum {
	INLINE_TEXT_PIECE = 4 << 10,   /* bytes of a run that is made or held */
	FORMULA_HOLDS_MOST = 64 << 10, /* of the page, from what MathJax shows to its formula */
	RAISED_HOLDS_MOST = 4 << 10,   /* of the page, from <sup> to its end */
};

/** Zeroed but for `to`, which must outlive it, and `fill`, it is at the start of a page. */
struct inline_text {
	const struct html_handler *to;
	byte_masks_fn fill; /* makes the masks of text that is not the window's */
	struct formula_reader reader;
	bool open;         /* all comes as runs and tags, through the filter */
	bool mathjax;      /* the page has scripts of MathJax */
	bool near;         /* a formula is before this place, and no text between */
	uint8_t space;     /* enum white_space of text here */
	uint8_t shown_tag; /* of the open element that shows a formula */
	uint32_t depth;    /* 1, and 1 for each open element with this tag in it; 0 while it is closed */
	bool raised;       /* that element is a <sup> or <sub>, which is held up to its end */
	bool note;         /* it has a link to a place of the page */
	bool katex;        /* its formula came before it */
	bool holds;        /* an element of MathJax shows a formula that has not come: all after its tag is held */
	uint64_t holds_at; /* where that tag begins */
	struct buf items;  /* what is held: struct held_item each */
	struct buf bytes;  /* of all of them */
	struct buf text;   /* of a formula, or that is raised */
	struct buf made;   /* what is written for the raised one */
	struct byte_mask masks[INLINE_TEXT_PIECE / 64 + 1];
};

/** Prepares for a page; keeps little memory. */
void inline_text_reset(struct inline_text *f);
void inline_text_free(struct inline_text *f);
int inline_text_run(struct inline_text *f, const struct html_run *run);
/** `begins`: it is the start tag of <math>, <sup> or <sub>, or of a script for which formula_mathjax_likely holds. */
int inline_text_tag(struct inline_text *f, const struct html_tag_event *event, bool begins);
/** Ends the page. */
int inline_text_finish(struct inline_text *f);

#endif
