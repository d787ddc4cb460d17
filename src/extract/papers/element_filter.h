/* SPDX-License-Identifier: MIT */
/*
 * Filters that remove elements of a page by their content: each element is decided at its end, inner ones first, by
 * what is left inside of it. What stays is the text. Memory: the text and 48 bytes for each open element.
 *
 * A method's state begins with the filter; element_filter_init initialises it, and then the functions here serve as
 * those of struct method.
 */
#ifndef DANA_PAPERS_ELEMENT_FILTER_H
#define DANA_PAPERS_ELEMENT_FILTER_H

#include "extract/html/element_stack.h"
#include "extract/method/method.h"
#include "extract/papers/page_text.h"

/** The content of an element so far. */
struct filtered_element {
	uint64_t chars, link_chars, words, link_words;
	size_t start; /* length of the text at its beginning */
	enum html_tag tag;
	bool marked; /* by `mark` at its start tag */
};

struct element_filter_rules {
	/** Returns the reason why the element is removed, or NULL if it stays. `arg` is the filter's `rules_arg`. */
	const char *(*drop_reason)(const struct filtered_element *e, unsigned arg);
	/** Optional: returns what drop_reason must know about the start tag. */
	bool (*mark)(const struct html_tag_event *start);
};

struct element_filter {
	struct token_stream stream;
	const struct element_filter_rules *rules;
	unsigned rules_arg;
	struct trace *trace;
	struct work *work;
	struct page_text text;
	struct element_stack open;
	struct filtered_element *elements; /* [0]: the page; [n]: open element n */
	size_t depth;
};

int element_filter_init(struct element_filter *f, const struct method_env *env,
			const struct element_filter_rules *rules, unsigned rules_arg);
int element_filter_finish(void *state, struct text_writer *out);
void element_filter_reset(void *state);
void element_filter_destroy(void *state);

#endif
