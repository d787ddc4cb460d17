/* SPDX-License-Identifier: MIT */
/*
 * Private to the tokeniser: what interrupts ordinary markup, such as comments, scripts and the tags of skipped
 * elements.
 */
#ifndef DANA_HTML_TOKENIZER_PASSAGE_H
#define DANA_HTML_TOKENIZER_PASSAGE_H

#include "extract/html/tokenizer_state.h"

struct passage {
	size_t end;   /* the byte after its '>' in the window */
	bool is_void; /* not part of the visible page; otherwise code */
	uint8_t skip; /* the element whose content is skipped after it, or HTML_TAG_OTHER */
};

/**
 * Finds the end of the comment, declaration, script or style at p[at], or of the tag there that begins or ends a
 * skipped element. Returns true if the window holds all of it and it needs no event of its own, so that it may be part
 * of a stretch.
 */
bool html_passage(struct html_tokenizer *t, size_t at, struct passage *passage);
/** Returns whether t->at is in a comment, or in the content of a script or style. */
bool html_in_void(const struct html_tokenizer *t);
/** Delivers as much of it as can be decided without masks, perhaps nothing. Returns 0 or the handler's error. */
int html_step_void(struct html_tokenizer *t);

#endif
