/* SPDX-License-Identifier: MIT */
/*
 * Presentation MathML (MathML Core, and the elements of MathML 3 that pages still use) as TeX, from its tags and texts
 * as they come. What TeX cannot show is left out: sizes, colours, alignment. Elements that are not known count as their
 * content.
 *
 * Example: <mfrac><mi>a</mi><msqrt><mn>2</mn></msqrt></mfrac> is "\frac{a}{\sqrt{2}}".
 */
#ifndef DANA_EXTRACT_HTML_MATHML_H
#define DANA_EXTRACT_HTML_MATHML_H

#include "base/buf.h"
#include "extract/html/tokenizer.h"

enum {
	MATHML_DEPTH = 48,   /* elements in one another; a formula that is deeper has no TeX */
	MATHML_CHILDREN = 8, /* children of an element that are told apart; more of them only in rows */
};

/** An open element. */
struct mathml_element {
	uint8_t kind;
	uint8_t children;       /* that have begun, at most MATHML_CHILDREN but for rows */
	uint8_t before;         /* of <mmultiscripts>: children before <mprescripts>; 0: it has not come */
	char open[5], close[5]; /* of <mfenced>: UTF-8 */
	char separator[5];
	uint8_t variant; /* mathvariant of a token */
	bool flat;       /* <mfrac linethickness=0> */
	uint32_t at;     /* where its TeX begins */
	uint32_t child[MATHML_CHILDREN];
};

/** Zeroed, it is at the start of a formula. Not for concurrent use. */
struct mathml {
	struct buf tex;   /* in source form: '&' and '<' are references */
	struct buf token; /* text of the token element that is open, in source form */
	struct buf scratch;
	struct mathml_element open[MATHML_DEPTH];
	uint32_t depth;
	bool failed;    /* too deep or too long: there is no TeX */
	bool no_memory; /* a buffer could not grow since the formula began */
};

/** Begins a formula anew, and keeps the memory. */
void mathml_begin(struct mathml *m);
/** Takes a tag inside of <math>. */
void mathml_tag(struct mathml *m, const struct html_tag_event *event);
/** Takes text inside of <math>, in source form, in any pieces. */
void mathml_text(struct mathml *m, struct slice text);
/** Ends the formula. Returns DANA_ENOMEM if memory was lacking in any of these calls. */
int mathml_end(struct mathml *m);
/** Returns the TeX of a formula that has ended; empty if it has none. It is valid until mathml_begin. */
struct slice mathml_tex(const struct mathml *m);
void mathml_free(struct mathml *m);

#endif
