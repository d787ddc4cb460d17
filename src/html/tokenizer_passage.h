/* What lies between ordinary markup, for the tokeniser's own files: comments, scripts, the ends of skipped elements. */
#ifndef DANA_HTML_TOKENIZER_PASSAGE_H
#define DANA_HTML_TOKENIZER_PASSAGE_H

#include "html/tokenizer_state.h"

struct passage {
	size_t end;   /* behind its '>' in the window */
	bool is_void; /* no part of the visible page, else code */
	uint8_t skip; /* element whose content is skipped behind it */
};

/**
 * The comment, declaration, script or style at p[at], or the tag there that begins or ends a skipped element; true when it lies in
 * the window whole and nobody must hear of it one by one.
 */
bool html_passage(struct html_tokenizer *t, size_t at, struct passage *passage);
/** In a comment, or the content of a script or style. */
bool html_in_void(const struct html_tokenizer *t);
/** Delivers as much of it as can be told without masks; t->at stays where that is nothing. 0 or what the handler answers. */
int html_step_void(struct html_tokenizer *t);

#endif
