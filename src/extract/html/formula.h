/* SPDX-License-Identifier: MIT */
/*
 * Reads a formula from the events of <math>, or of a script that holds one (MathJax 2). Its TeX is in an annotation
 * of <math>, in its attribute alttext, or in the script; else it is made of the elements of <math> (mathml.h). Of a
 * formula that is too deep or too long for that, the letters are read.
 */
#ifndef DANA_HTML_FORMULA_H
#define DANA_HTML_FORMULA_H

#include "base/buf.h"
#include "extract/html/attribute.h"
#include "extract/html/mathml.h"
#include "extract/html/tokenizer.h"

/** Bytes of a formula; a longer one is not one. */
enum { FORMULA_MOST = 8 << 10 };

/** Zeroed, nothing is being read. */
struct formula_reader {
	struct buf tex, alternative, text;
	struct mathml made;
	uint64_t start; /* of its tag in the page */
	bool in_math, in_script;
	bool in_tex, muted; /* inside of an annotation */
	bool has_tex, display;
	bool cut; /* it is too long */
};

/** Takes a tag inside of <math>, or of <math> itself. *ends: the formula is complete. */
int formula_math_tag(struct formula_reader *f, const struct html_tag_event *event, bool *ends);
/** Takes text inside of <math>. */
int formula_math_text(struct formula_reader *f, struct slice text);
/** Returns whether a tag of <script> may begin a formula; far cheaper than to read it. */
bool formula_script_likely(const struct html_tag_event *event);
/** The same for a script of MathJax, which shows formulas: one that holds a formula, settings or the program. */
bool formula_mathjax_likely(struct slice source);
/** Takes a tag of <script>. *ends: the formula is complete. */
void formula_script_tag(struct formula_reader *f, const struct html_tag_event *event, bool *ends);
/** Takes the bytes of a script, and of its end tag. */
int formula_script_bytes(struct formula_reader *f, struct slice bytes);
/** Ends a formula: one that the page's end or another element's cuts, too. */
int formula_end(struct formula_reader *f);
/**
 * Return a complete formula in source form: its TeX, from the page or made, which is empty if it is too long; and
 * its letters, or as many as fit.
 */
struct slice formula_tex(const struct formula_reader *f);
struct slice formula_letters(const struct formula_reader *f);
/** Returns whether the TeX of a complete formula is the page's. */
bool formula_has_source(const struct formula_reader *f);
void formula_free(struct formula_reader *f);

/*
 * Pictures of formulas, whose TeX is in their text or in their address.
 *
 * Example: <img class=latex alt="x_2"> and <img src="https://latex.codecogs.com/svg.image?x_2"> show the TeX "x_2".
 */

/** Returns whether the source of an <img> may show a formula; far cheaper than to read it. */
bool formula_image_likely(struct slice source);
/** Sets `tex` to the TeX that an <img> shows, in source form; empty: it shows none. Uses the reader up. */
int formula_image_tex(struct html_attr_reader *attrs, struct buf *tex);

enum { FORMULA_CLASSES = 7 };

/** First class of what shows a formula beside its source: before it in MathJax 2, after it in KaTeX, the last one. */
extern const char *const formula_classes[FORMULA_CLASSES];

/*
 * Formulas, and raised and lowered text (raised.h), as text like any other, for handlers that know none: between the
 * tokeniser and a handler that asks for it. The TeX of a <math> or of MathJax's script, or else the letters of <math>,
 * is a run of text before its end tag; what MathJax shows before the script, and KaTeX after the <math>, comes as
 * skipped text. So does the text of a <sup>, after which comes what is written for it.
 *
 * Example: "<span class=MathJax_Preview>x2</span><script type=math/tex>x_2</script>" gives the text "x2", skipped, and
 * the text "x_2".
 *
 * Memory: what is held costs up to 200 bytes for each byte of it, where the page comes byte by byte. All functions with
 * a status return 0, DANA_ENOMEM or the handler's error. Not for concurrent use.
 */
enum {
	FORMULA_PIECE = 4 << 10,       /* bytes of a run that is made or held */
	FORMULA_HOLDS_MOST = 64 << 10, /* of the page, from what MathJax shows to its formula */
	RAISED_HOLDS_MOST = 4 << 10,   /* of the page, from <sup> to its end */
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
	uint8_t shown_tag; /* of the open element that shows a formula */
	uint32_t depth;    /* 1, and 1 for each open element with this tag in it; 0: none is open */
	bool raised;       /* that element is a <sup> or <sub>, which is held up to its end */
	bool note;         /* it has a link to a place of the page */
	bool katex;        /* its formula came before it */
	bool holds;        /* an element of MathJax shows a formula that has not come: all after its tag is held */
	uint64_t holds_at; /* where that tag begins */
	struct buf items;  /* what is held: struct held_item each */
	struct buf bytes;  /* of all of them */
	struct buf text;   /* of a formula, or that is raised */
	struct buf made;   /* what is written for the raised one */
	struct byte_mask masks[FORMULA_PIECE / 64 + 1];
};

/** Prepares for a page; keeps little memory. */
void formula_filter_reset(struct formula_filter *f);
void formula_filter_free(struct formula_filter *f);
int formula_filter_run(struct formula_filter *f, const struct html_run *run);
/** `begins`: it is the start tag of <math>, <sup> or <sub>, or of a script for which formula_mathjax_likely holds. */
int formula_filter_tag(struct formula_filter *f, const struct html_tag_event *event, bool begins);
/** Ends the page. */
int formula_filter_finish(struct formula_filter *f);

#endif
