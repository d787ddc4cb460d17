/* SPDX-License-Identifier: MIT */
/*
 * Formulas as text like any other, for handlers that know none: between the tokeniser and a handler that asks for it.
 * The TeX of a <math> or of MathJax's script, or else the letters of <math>, is a run of text before its end tag; what
 * MathJax shows before the script, and KaTeX after the <math>, comes as skipped text.
 *
 * Example: "<span class=MathJax_Preview>x2</span><script type=math/tex>x_2</script>" gives the text "x2", skipped, and
 * the text "x_2".
 *
 * Memory: what is held costs up to 200 bytes for each byte of it, where the page comes byte by byte. All functions with
 * a status return 0, DANA_ENOMEM or the handler's error. Not for concurrent use.
 */
#ifndef DANA_HTML_FORMULA_FILTER_H
#define DANA_HTML_FORMULA_FILTER_H

#include "extract/html/formula.h"
#include "extract/html/tokenizer.h"

enum {
	FORMULA_PIECE = 4 << 10,       /* bytes of a run that is made or held */
	FORMULA_HOLDS_MOST = 64 << 10, /* of the page, from what MathJax shows to its formula */
};

/** Zeroed but for `to`, which must outlive it, and `fill`, it is at the start of a page. */
struct formula_filter {
	const struct html_handler *to;
	byte_masks_fn fill; /* makes the masks of text that is not the window's */
	struct formula_reader reader;
	bool open;         /* all comes as runs and tags, through the filter */
	bool mathjax;      /* the page has scripts of MathJax */
	bool near;         /* a formula is before this place, and no text between */
	uint8_t space;     /* enum white_space of text here */
	uint8_t twin_tag;  /* of the open element that shows a formula */
	uint32_t depth;    /* 1, and 1 for each open element with this tag in it; 0: none is open */
	bool katex;        /* its formula came before it */
	bool holds;        /* an element of MathJax shows a formula that has not come: all after its tag is held */
	uint64_t holds_at; /* where that tag begins */
	struct buf items;  /* what is held: struct held_item each */
	struct buf bytes;  /* of all of them */
	struct buf text;   /* of a formula */
	struct byte_mask masks[FORMULA_PIECE / 64 + 1];
};

/** Prepares for a page; keeps little memory. */
void formula_filter_reset(struct formula_filter *f);
void formula_filter_free(struct formula_filter *f);
int formula_filter_run(struct formula_filter *f, const struct html_run *run);
/** `begins`: the start tag is that of <math>, or of a script for which formula_mathjax_likely holds. */
int formula_filter_tag(struct formula_filter *f, const struct html_tag_event *event, bool begins);
/** Ends the page. */
int formula_filter_finish(struct formula_filter *f);

#endif
