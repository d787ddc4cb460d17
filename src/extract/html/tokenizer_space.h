/* SPDX-License-Identifier: MIT */
/*
 * Private to the tokeniser: what tags change of white space. Nearly no tag of a page does, and which ones may is found
 * without reading their attributes: one search in the window for a style that keeps white space, and a look at the
 * name.
 */
#ifndef DANA_HTML_TOKENIZER_SPACE_H
#define DANA_HTML_TOKENIZER_SPACE_H

#include "extract/html/tokenizer_state.h"
#include "extract/html/white_space_find.h"

/**
 * The first place of the window, from p[at] on, where a style keeps white space; t->n if there is none. It need not
 * stand in a tag. In one window `at` never becomes smaller.
 */
static inline size_t html_next_styled(struct html_tokenizer *t, size_t at)
{
	if (t->styled <= at)
		t->styled = white_space_find(t->p, at, t->n, t->n);
	return t->styled;
}

/** What the tag changes in t->white; fills event->space. For handlers that ask for white space. */
void html_space_take(struct html_tokenizer *t, struct html_tag_event *event);

/**
 * Takes the tags of p[from..to), whole ones, up to the first that changes the white space of the text after it. Returns
 * where the tag before that one ends, and lets that one come as a run; or `to`.
 */
size_t html_space_follow(struct html_tokenizer *t, size_t from, size_t to);

#endif
