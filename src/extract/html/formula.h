/* SPDX-License-Identifier: MIT */
/*
 * Reads a formula from the events of <math>, or of a script that holds one (MathJax 2). Its TeX is in an annotation
 * of <math>, in its attribute alttext, or in the script; else it is made of the elements of <math> (mathml.h). Of a
 * formula that is too deep or too long for that, the letters are read.
 */
#ifndef DANA_EXTRACT_HTML_FORMULA_H
#define DANA_EXTRACT_HTML_FORMULA_H

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

#endif
