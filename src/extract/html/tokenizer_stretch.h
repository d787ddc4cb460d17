/* SPDX-License-Identifier: MIT */
/* Private to the tokeniser: stretches. */
#ifndef DANA_HTML_TOKENIZER_STRETCH_H
#define DANA_HTML_TOKENIZER_STRETCH_H

#include "extract/html/tokenizer_state.h"

/**
 * Delivers the stretch that begins at t->at, in STATE_TEXT, after a tag or comment; t->at does not move if there is no
 * stretch. Returns 0 or the handler's error.
 */
int html_step_stretch(struct html_tokenizer *t);

/**
 * Returns whether a tag ends a skipped element that has not been closed (HTML, sections 13.2.6.4.17 and 13.2.6.5): <p>
 * in <svg>, say.
 */
static inline bool html_breaks_out(enum html_tag skip, enum html_tag tag, bool closing)
{
	if (closing)
		return tag == HTML_TAG_BODY || tag == HTML_TAG_HTML;
	switch (tag) {
	case HTML_TAG_INPUT:
	case HTML_TAG_TEXTAREA:
		return skip == HTML_TAG_SELECT;
	case HTML_TAG_BODY:
	case HTML_TAG_DIV:
	case HTML_TAG_P:
	case HTML_TAG_TABLE:
	case HTML_TAG_UL:
	case HTML_TAG_OL:
	case HTML_TAG_H1:
	case HTML_TAG_H2:
	case HTML_TAG_H3:
	case HTML_TAG_H4:
		return skip == HTML_TAG_SVG || skip == HTML_TAG_MATH || skip == HTML_TAG_SELECT;
	default:
		return false;
	}
}

#endif
