/* SPDX-License-Identifier: MIT */
/*
 * Private to the tokeniser: delivers runs, and scans tags, declarations and comments, which may end in a later window.
 */
#ifndef DANA_HTML_TOKENIZER_MARKUP_H
#define DANA_HTML_TOKENIZER_MARKUP_H

#include "extract/html/tokenizer_opening.h"
#include "extract/html/tokenizer_state.h"

/**
 * Makes the masks of the window's first `blocks` blocks, and of a few more. The window must have that many blocks, and
 * some of their masks must be missing.
 */
void html_masks_fill(struct html_tokenizer *t, size_t blocks);

/* Each of the following returns 0, or a negative status of its own or the handler's. */

/** Delivers p[from..to) of the window. */
int html_run_window(struct html_tokenizer *t, enum html_run_kind kind, size_t from, size_t to);
/** Delivers the first `len` held bytes of an opening that began in an earlier window. */
int html_run_held(struct html_tokenizer *t, enum html_run_kind kind, size_t len);
/** Sets the state for the tag, comment or declaration that an opening begins; returns the kind of its bytes. */
enum html_run_kind html_opening_enter(struct html_tokenizer *t, const struct opening *o);
/** Continues at t->at in the current tag, declaration or comment, whose bytes before p[from] have been delivered. */
int html_step_markup(struct html_tokenizer *t, size_t from);

#endif
