/* SPDX-License-Identifier: MIT */
/*
 * Private to the tokeniser: what interrupts ordinary markup, such as comments, scripts and the tags of skipped
 * elements.
 */
#ifndef DANA_HTML_TOKENIZER_PASSAGE_H
#define DANA_HTML_TOKENIZER_PASSAGE_H

#include "extract/html/tokenizer_state.h"

/**
 * Takes the comment, declaration, script or style at p[at], or the tag there that begins or ends a skipped element, if
 * the window holds all of it and it needs no event of its own; then those that follow with nothing but white space
 * between. Marks them as part of a stretch and returns where the last one ends; `at` if none is taken.
 */
size_t html_passages_take(struct html_tokenizer *t, size_t at);
/**
 * The same for a comment, or a tag that begins or ends a skipped element, among tags that were found as if all were
 * ordinary, up to p[end]: takes it if they hold nevertheless, and marks it in t->voids, with all that is skipped after
 * it. `next`: the '<' of the next tag, or `end`. Returns false if it is not taken.
 */
bool html_passage_pass(struct html_tokenizer *t, size_t at, size_t next, size_t end);
/** Returns whether t->at is in a comment, or in the content of a script or style. */
bool html_in_void(const struct html_tokenizer *t);
/** Delivers as much of it as can be decided without masks, perhaps nothing. Returns 0 or the handler's error. */
int html_step_void(struct html_tokenizer *t);

#endif
