/* Inside of the tokeniser: delivers runs, and goes through tags, declarations and comments, which may end in a later window. */
#ifndef DANA_HTML_TOKENIZER_MARKUP_H
#define DANA_HTML_TOKENIZER_MARKUP_H

#include "html/tokenizer_opening.h"
#include "html/tokenizer_state.h"

/** Fills the masks of the window's first `blocks` blocks, of which it has that many and not all are filled, and perhaps some more. */
void html_masks_fill(struct html_tokenizer *t, size_t blocks);
/* Each step: 0 or what the handler answers. */
/** Delivers p[from..to) of the window. */
int html_run_window(struct html_tokenizer *t, enum html_run_kind kind, size_t from, size_t to);
/** Delivers the first `len` held bytes of an opening that began in an earlier window. */
int html_run_held(struct html_tokenizer *t, enum html_run_kind kind, size_t len);
/** Enters what an opening opens; answers the kind of its bytes. */
enum html_run_kind html_opening_enter(struct html_tokenizer *t, const struct opening *o);
/** Goes on at t->at in the tag, declaration or comment under way, whose bytes from p[from] on are not delivered yet. */
int html_step_markup(struct html_tokenizer *t, size_t from);

#endif
