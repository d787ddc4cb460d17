/* SPDX-License-Identifier: MIT */
/*
 * Private to the tokeniser: tags that change white space. Hardly any tag does, and those that may are found without
 * reading attributes: by one search in the window for a style that keeps white space, and by the name.
 */
#ifndef DANA_HTML_TOKENIZER_SPACE_H
#define DANA_HTML_TOKENIZER_SPACE_H

#include "extract/html/tokenizer_state.h"
#include "extract/html/white_space_find.h"

/**
 * Returns the first place in the window, from p[at] on, where a style keeps white space, or t->n. It need not be in a
 * tag. Within one window `at` must never decrease.
 */
static inline size_t html_next_styled(struct html_tokenizer *t, size_t at)
{
	if (t->styled <= at)
		t->styled = white_space_find(t->p, at, t->n, t->n);
	return t->styled;
}

/** Applies the tag to t->white and fills event->space. For handlers that ask for white space. */
void html_space_take(struct html_tokenizer *t, struct html_tag_event *event);

/**
 * Takes the complete tags of p[from..to), up to the first that changes the white space of the text after it. Returns
 * where the tag before that one ends, so that it comes as a run; or `to`.
 */
size_t html_space_follow(struct html_tokenizer *t, size_t from, size_t to);

#endif
